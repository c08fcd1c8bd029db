import { useCallback, useEffect, useRef, useState } from 'react'
import type { Report, ReportContent } from '../../../../src/shared/reports/reports'
import { ApiError } from '../../../lib/api'
import { saveDraft } from '../queries'
import type { ReportDocument } from './document'

/** Ms between the last change and its being saved. */
export const SAVE_DELAY_MS = 800

export type SaveState =
  | { kind: 'saved' | 'waiting' | 'saving' }
  | { kind: 'failed'; error: unknown }
  /** Somebody else saved first: theirs, as it is now. */
  | { kind: 'conflict'; theirs: Report }

/** The report as a conflict tells of it. */
function theirsOf(error: unknown): Report | null {
  if (!(error instanceof ApiError) || error.body.code !== 'version_conflict') return null
  const { current } = error.body
  if (typeof current !== 'object' || current === null || !('version' in current)) return null
  // The body of the error is the server's own report.
  const report: Report = JSON.parse(JSON.stringify(current))
  return report
}

const draftOf = ({ name, description, draft }: Report): ReportDocument | null =>
  draft && { name, description, content: draft }
const isSame = (a: ReportDocument | null, b: ReportDocument): boolean => JSON.stringify(a) === JSON.stringify(b)

interface AutosaveOptions {
  report: Report
  document: ReportDocument
}

/**
 * Saves the draft a moment after each change, one save after the other. `flush` waits until everything is saved, and
 * answers the report; null when it could not be.
 */
export function useAutosave({ report, document }: AutosaveOptions) {
  const [state, setState] = useState<SaveState>({ kind: 'saved' })
  const [savedContent, setSavedContent] = useState<ReportContent | null>(report.draft)
  const saved = useRef<{ version: number; document: ReportDocument | null; report: Report }>({
    version: report.version,
    document: draftOf(report),
    report,
  })
  const newest = useRef(document)
  const running = useRef<Promise<Report | null> | null>(null)
  const stopped = useRef(false)

  const save = useCallback(async (): Promise<Report | null> => {
    for (;;) {
      const next = newest.current
      if (isSame(saved.current.document, next)) {
        setState({ kind: 'saved' })
        return saved.current.report
      }
      setState({ kind: 'saving' })
      try {
        const done = await saveDraft(report.id, { ...next, version: saved.current.version })
        saved.current = { version: done.version, document: next, report: done }
        setSavedContent(next.content)
      } catch (error) {
        const theirs = theirsOf(error)
        stopped.current = theirs !== null
        setState(theirs ? { kind: 'conflict', theirs } : { kind: 'failed', error })
        return null
      }
    }
  }, [report.id])

  const flush = useCallback((): Promise<Report | null> => {
    running.current ??= save().finally(() => {
      running.current = null
    })
    return running.current
  }, [save])

  useEffect(() => {
    newest.current = document
    if (stopped.current || isSame(saved.current.document, document)) return
    setState((before) => (before.kind === 'saving' ? before : { kind: 'waiting' }))
    const timer = setTimeout(() => void flush(), SAVE_DELAY_MS)
    return () => clearTimeout(timer)
  }, [document, flush])

  /** What the server has now is what the next save is held against. */
  const adopt = useCallback((theirs: Report, document_: ReportDocument | null): void => {
    stopped.current = false
    saved.current = { version: theirs.version, document: document_, report: theirs }
    setSavedContent(theirs.draft)
    setState({ kind: 'saved' })
  }, [])
  return {
    state,
    savedContent,
    flush,
    adopt,
    /** Ours goes over theirs. */
    keepMine: (theirs: Report): void => {
      adopt(theirs, null)
      void flush()
    },
  }
}
export type Autosave = ReturnType<typeof useAutosave>
export { draftOf }
