import { Button } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useReducer, useState, type ReactNode } from 'react'
import type { PublishProblem, Report, ReportPage } from '../../../../src/shared/reports/reports'
import { useKeptDraft } from '../../../lib/writes/kept-draft'
import { EmptyState } from '../../../ui/empty-state'
import { DraftNotice } from '../../../ui/forms/draft-notice'
import { VersionConflictDialog } from '../../../ui/forms/version-conflict-dialog'
import { PageQuestionContext } from '../blocks/tile-frame'
import { TileStoreContext } from '../tiles/use-tiles'
import { usePageTiles, useReportAddress } from '../view/use-report-view'
import { useQuestion } from '../view/report-view'
import { AddBlock } from './add-block'
import { BlockSettings } from './block-settings'
import { Canvas } from './canvas'
import { conflictRows } from './conflict-rows'
import {
  addBlock,
  addPage,
  duplicateBlock,
  figuresKey,
  movePage,
  moveToPage,
  pageAt,
  placeBlocks,
  removeBlock,
  removePage,
  renamePage,
  replaceBlock,
  withContent,
  type NewBlock,
  type ReportDocument,
} from './document'
import { EditorHeader } from './editor-header'
import classes from './editor.module.css'
import { beginHistory, historyReducer, type History, type HistoryAction } from './history'
import { newLocalId } from './local-id'
import { PageEditor } from './page-editor'
import { PublishDialog } from './publish-dialog'
import { ReportSettings } from './report-settings'
import { draftOf, useAutosave } from './use-autosave'

const reducer = (history: History<ReportDocument>, action: HistoryAction<ReportDocument>): History<ReportDocument> =>
  historyReducer(history, action)

/** A document as it may be saved: names that are empty for a moment wait. */
const isSavable = ({ name, content }: ReportDocument): boolean =>
  name.trim() !== '' && content.filters.every(({ label }) => label.trim() !== '')

/** What is edited, with its history, kept in this browser and saved a moment after each change. */
function useDocument(report: Report) {
  const saved = draftOf(report)
  const [first] = useState<ReportDocument>(
    () =>
      saved ?? {
        name: report.name,
        description: report.description,
        content: { v: 1, period: { range: null, compare: 'none' }, filters: [], pages: [] },
      },
  )
  const [history, dispatch] = useReducer(reducer, first, beginHistory)
  const [lastSavable, setLastSavable] = useState(first)
  const document = history.present
  if (document !== lastSavable && isSavable(document)) setLastSavable(document)
  const autosave = useAutosave({ report, document: lastSavable })
  const kept = useKeptDraft<ReportDocument>({
    name: `report:${report.id}`,
    base: String(report.version),
    value: document,
    isDirty: autosave.state.kind !== 'saved',
    apply: (value) => dispatch({ kind: 'change', change: () => value }),
    reset: () => dispatch({ kind: 'replace', present: first }),
  })
  const change = (apply: (document: ReportDocument) => ReportDocument, group?: string): void =>
    dispatch({ kind: 'change', change: apply, ...(group === undefined ? {} : { group }) })
  return { history, document, dispatch, change, autosave, kept }
}
type DocumentEditor = ReturnType<typeof useDocument>

interface ReportEditorProps {
  report: Report
  onDone: () => void
}

/** The editor of an interactive report. */
export function ReportEditor({ report, onDone }: ReportEditorProps) {
  const navigate = useNavigate()
  const editing = useDocument(report)
  const { document, history, dispatch, change, autosave, kept } = editing
  const view = useReportAddress(report.id)
  const page = pageAt(document, view.address.page ?? '') ?? document.content.pages[0]
  const [selected, setSelected] = useState<string | null>(null)
  const [opens, setOpens] = useState<'add' | 'publish' | null>(null)
  const [problems, setProblems] = useState<readonly PublishProblem[]>([])
  const undo = (): void => dispatch({ kind: 'undo' })
  const redo = (): void => dispatch({ kind: 'redo' })
  useHotkeys([
    ['mod+Z', undo],
    ['mod+shift+Z', redo],
    ['mod+Y', redo],
    ['Escape', () => setSelected(null)],
  ])
  const done = (): void => {
    void autosave.flush().then((saved) => {
      if (!saved) return
      kept.clear()
      onDone()
    })
  }
  const add = (block: NewBlock): void => {
    if (!page) return
    const id = newLocalId()
    change((before) => addBlock(before, page.id, block, id))
    setSelected(id)
    setOpens(null)
    showBlock(id)
  }
  const goTo = (block: string): void => {
    const of = document.content.pages.find(({ blocks }) => blocks.some(({ id }) => id === block))
    if (of) view.change({ page: of.id })
    setSelected(block)
    setOpens(null)
    showBlock(block)
  }
  return (
    <>
      <EditorHeader
        report={report}
        name={document.name}
        state={autosave.state}
        canUndo={history.past.length > 0}
        canRedo={history.future.length > 0}
        onName={(name) => change((before) => ({ ...before, name }), 'name')}
        onUndo={undo}
        onRedo={redo}
        onAdd={() => setOpens('add')}
        onPublish={() => setOpens('publish')}
        onRetry={() => void autosave.flush()}
        onDone={done}
        onGone={() => void navigate({ to: '/reports' })}
      />
      <DraftNotice draft={kept} />
      {page && (
        <EditedPage
          {...{ report, editing, page, selected, problems }}
          onSelect={setSelected}
          onAdd={() => setOpens('add')}
          onPage={(id) => {
            setSelected(null)
            view.change({ page: id })
          }}
        />
      )}
      {opens === 'add' && <AddBlock onAdd={add} onClose={() => setOpens(null)} />}
      {opens === 'publish' && (
        <PublishDialog
          report={report}
          flush={autosave.flush}
          onPublished={() => {
            kept.clear()
            onDone()
          }}
          onProblems={setProblems}
          onGoTo={goTo}
          onClose={() => setOpens(null)}
        />
      )}
      <ConflictDialog editing={editing} />
    </>
  )
}

/** Once it is there. */
const showBlock = (id: string): void => {
  requestAnimationFrame(() => {
    const block = window.document.getElementById(`block-${id}`)
    block?.scrollIntoView({ block: 'nearest' })
    block?.focus({ preventScroll: true })
  })
}

interface EditedPageProps {
  report: Report
  editing: DocumentEditor
  page: ReportPage
  selected: string | null
  problems: readonly PublishProblem[]
  onSelect: (block: string | null) => void
  onAdd: () => void
  onPage: (page: string) => void
}

/** The page that is laid out, with what is chosen of it beside it. */
function EditedPage(props: EditedPageProps) {
  const { report, editing, page, selected, problems, onSelect, onAdd, onPage } = props
  const { document, change } = editing
  const { content } = document
  const block = page.blocks.find(({ id }) => id === selected)
  const troubled = useMemo(() => new Set(problems.map((one) => one.block)), [problems])
  return (
    <EditedTiles report={report} editing={editing} page={page.id} key={report.id}>
      <PageEditor
        pages={content.pages}
        current={page.id}
        onChoose={onPage}
        onAdd={() => {
          const id = newLocalId()
          change((before) => addPage(before, id))
          onPage(id)
        }}
        onRename={(id, name) => change((before) => renamePage(before, id, name))}
        onMove={(id, by) => change((before) => movePage(before, id, by))}
        onRemove={(id) => change((before) => removePage(before, id))}
      />
      <div className={classes.layout}>
        {page.blocks.length === 0 ? (
          <EmptyState
            picture="insights"
            title="Empty page"
            sentence="Add key figures, charts, tables and text."
            action={
              <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={onAdd}>
                Add block
              </Button>
            }
          />
        ) : (
          <Canvas
            blocks={page.blocks}
            selected={selected}
            problems={troubled}
            onSelect={onSelect}
            onPlaced={(blocks) => change((before) => placeBlocks(before, page.id, blocks))}
            onDuplicate={(id) => {
              const copy = newLocalId()
              change((before) => duplicateBlock(before, page.id, id, copy))
              onSelect(copy)
            }}
            onRemove={(id) => {
              change((before) => removeBlock(before, page.id, id))
              onSelect(null)
            }}
          />
        )}
        <aside className={`surface ${classes.panel}`} aria-label={block ? 'Block settings' : 'Report settings'}>
          {block ? (
            <BlockSettings
              key={block.id}
              reportId={report.id}
              block={block}
              pages={content.pages}
              page={page.id}
              onChange={(next) => change((before) => replaceBlock(before, page.id, next), `block:${next.id}`)}
              onMove={(to) => {
                change((before) => moveToPage(before, page.id, block.id, to))
                onPage(to)
              }}
            />
          ) : (
            <ReportSettings
              content={content}
              description={document.description}
              onContent={(next) => change((before) => withContent(before, next), 'settings')}
              onDescription={(description) => change((before) => ({ ...before, description }), 'description')}
            />
          )}
        </aside>
      </div>
    </EditedTiles>
  )
}

interface EditedTilesProps {
  report: Report
  editing: DocumentEditor
  page: string
  children: ReactNode
}

/** The figures of the draft as it was saved last. */
function EditedTiles({ report, editing: { autosave }, page, children }: EditedTilesProps) {
  const { savedContent } = autosave
  const content = useMemo(
    () => savedContent ?? { v: 1 as const, period: { range: null, compare: 'none' as const }, filters: [], pages: [] },
    [savedContent],
  )
  const isSaved = content.pages.some(({ id }) => id === page)
  const address = useMemo(() => ({ page, range: undefined, compare: undefined, filters: {}, selections: [] }), [page])
  const { tiles, filterLabels, hasPeriod } = usePageTiles({
    ...{ reportId: report.id, content, address, of: 'draft' },
    saved: figuresKey(content, page),
    enabled: isSaved,
  })
  const question = useQuestion(tiles, { filterLabels, hasPeriod })
  return (
    <PageQuestionContext value={question}>
      <TileStoreContext value={tiles.store}>{children}</TileStoreContext>
    </PageQuestionContext>
  )
}

/** Somebody else saved the draft first. */
function ConflictDialog({ editing: { autosave, document, dispatch } }: { editing: DocumentEditor }) {
  const { state } = autosave
  if (state.kind !== 'conflict') return null
  const { theirs } = state
  const theirDraft = draftOf(theirs)
  const takeTheirs = (): void => {
    if (theirDraft) dispatch({ kind: 'replace', present: theirDraft })
    autosave.adopt(theirs, theirDraft)
  }
  return (
    <VersionConflictDialog
      opened
      rows={theirDraft ? conflictRows(document, theirDraft) : []}
      onTakeMine={() => autosave.keepMine(theirs)}
      onTakeTheirs={takeTheirs}
      onClose={takeTheirs}
    />
  )
}
