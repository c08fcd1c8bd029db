import { useQueries, useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { useDebouncedValue } from '@mantine/hooks'
import { useReducer, useState } from 'react'
import type { ColumnEdit } from './column-edits'
import { inspectionQuery } from './queries'
import { draftOf, draftsReducer, NO_DRAFTS } from './table-drafts'
import type { DraftChange, TableDraft } from './table-drafts'
import { LEDGER_WORDS, proposeNames, tablesOf } from './table-names'
import type { FoundTable } from './table-names'
import { decimalsIn, NOTHING_READ, readingOf } from './table-reading'
import type { TableReading } from './table-reading'
import type { OpenedFile } from './upload-queue'
import type { CsvSettings, FileColumn, FileInspection } from '../../../src/shared/files'

const DEBOUNCE_MS = 250

/** How one table was read, and everything that can be corrected about it. */
export interface Import extends TableReading {
  /** Null until the table has been read once. */
  inspection: FileInspection | null
  corrected: Partial<CsvSettings>
  error: unknown
  reading: boolean
  correct: (change: Partial<CsvSettings>) => void
  undoCorrections: () => void
  readAgain: () => void
  edit: (at: number, change: ColumnEdit) => void
  reset: (at: number) => (() => void) | undefined
}

export interface ImportTable extends FoundTable {
  id: string
  name: string
  chosen: boolean
  found: Import
  rename: (name: string) => void
  choose: (chosen: boolean) => void
}

/** What was read last of a table, while the newer reading is on its way or could not be made. */
const lastReading = (client: QueryClient, id: string, { before }: TableDraft): FileInspection | undefined =>
  client.getQueryData(inspectionQuery(id, before).queryKey) ?? client.getQueryData(inspectionQuery(id, {}).queryKey)

interface Asked {
  data: FileInspection | undefined
  error: unknown
  isFetching: boolean
  refetch: () => unknown
}

function importOf(
  asked: Asked,
  of: { draft: TableDraft; settled: boolean; last: FileInspection | undefined },
  act: (change: DraftChange) => void,
): Import {
  const inspection = asked.data ?? of.last ?? null
  const column = (at: number): FileColumn | undefined => inspection?.columns[at]
  return {
    ...(inspection ? readingOf(inspection, of.draft.edits) : NOTHING_READ),
    inspection,
    corrected: of.draft.corrected,
    error: asked.error,
    reading: asked.isFetching || !of.settled,
    correct: (settings) => act({ kind: 'correct', settings }),
    undoCorrections: () => act({ kind: 'undoCorrections' }),
    readAgain: () => void asked.refetch(),
    edit: (at, change) => {
      const found = column(at)
      if (!found || !inspection) return
      const scale = change.type === 'number' ? { scale: decimalsIn(inspection, found) } : {}
      act({ kind: 'edit', action: { kind: 'change', column: found, edit: { ...change, ...scale } } })
    },
    reset: (at) => {
      const found = column(at)
      return found && of.draft.edits.has(found.index)
        ? () => act({ kind: 'edit', action: { kind: 'reset', index: found.index } })
        : undefined
    },
  }
}

export interface TableChoice {
  /** Whether a table is chosen until the person says otherwise; the first one that is, is looked at. */
  isChosen: (found: FoundTable) => boolean
  /** Names of tables that are there already. */
  held?: readonly string[]
}

/** Later books change no name: their years go into the tables of the first. */
function namesFor(all: readonly FoundTable[], held: readonly string[]): string[] {
  const own = all.filter(({ later }) => !later)
  const names = proposeNames(own, held)
  return all.map((found) => names[own.indexOf(found)] ?? (found.table.ledger ? LEDGER_WORDS[found.table.ledger] : ''))
}

/**
 * The tables of the opened files as they would be loaded. Those that are chosen or looked at are read; corrected settings
 * ask the server again after a pause, and the answer to older settings is never shown as that to newer ones.
 */
export function useTables(files: readonly OpenedFile[], { isChosen, held = [] }: TableChoice) {
  const client = useQueryClient()
  const [drafts, dispatch] = useReducer(draftsReducer, NO_DRAFTS)
  const [settled] = useDebouncedValue(drafts, DEBOUNCE_MS)
  const [looking, look] = useState<string | null>(null)
  const all = tablesOf(files)
  const names = namesFor(all, held)
  const chosen = (found: FoundTable) => draftOf(drafts, found.table.uploadId).chosen ?? isChosen(found)
  const active = all.find(({ table }) => table.uploadId === looking)?.table ?? (all.find(chosen) ?? all[0])?.table
  const answers = useQueries({
    queries: all.map((found) => {
      const { uploadId } = found.table
      const { corrected } = draftOf(settled, uploadId)
      return { ...inspectionQuery(uploadId, corrected), enabled: chosen(found) || uploadId === active?.uploadId }
    }),
  })
  const tables = all.flatMap((found, at): ImportTable[] => {
    const asked = answers[at]
    if (!asked) return []
    const id = found.table.uploadId
    const draft = draftOf(drafts, id)
    const act = (change: DraftChange) => dispatch({ upload: id, change })
    const isSettled = draft.corrected === draftOf(settled, id).corrected
    const reading = { draft, settled: isSettled, last: lastReading(client, id, draft) }
    return [
      {
        ...found,
        id,
        name: draft.name ?? names[at] ?? found.table.name,
        chosen: chosen(found),
        found: importOf(asked, reading, act),
        rename: (name) => act({ kind: 'rename', name }),
        choose: (is) => act({ kind: 'choose', chosen: is }),
      },
    ]
  })
  return { tables, active: tables.find(({ id }) => id === active?.uploadId) ?? null, look }
}
