import { useQueries, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useReducer, useState } from 'react'
import { fileColumnsReducer, NO_FILE_COLUMN_EDITS } from '../columns/file-column-edits'
import type { FileColumnEdit, FileColumnEdits, FileColumnAction } from '../columns/file-column-edits'
import { inspectionQuery, type InspectionRequest } from '../queries'
import { LEDGER_TABLE_LABELS, suggestTableNames, toDetectedTables, type DetectedTable } from './detected-tables'
import { maxDecimals, EMPTY_PARSED_TABLE, parseTable, type ParsedTable } from './cell-parsing'
import type { OpenedFile } from '../upload/upload-queue'
import type { CleaningStep } from '../../../../src/shared/data-sources/cleaning'
import type { Dataset } from '../../../../src/shared/data-sources/data-sources'
import type { CsvSettings, FileColumn } from '../../../../src/shared/data-sources/files'
import type { UploadInspection } from '../../../../src/shared/data-sources/inspection'

const DEBOUNCE_MS = 250

/** How one table was read, and everything that can be corrected about it. */
export interface TableImportState extends ParsedTable {
  /** Null until the table has been read once. */
  inspection: UploadInspection | null
  corrected: Partial<CsvSettings>
  /** The steps its rows go through, as they are now; the inspection may still be that of earlier ones. */
  cleaning: readonly CleaningStep[]
  error: unknown
  reading: boolean
  correct: (change: Partial<CsvSettings>) => void
  undoCorrections: () => void
  clean: (steps: readonly CleaningStep[]) => void
  /** Takes the last change of the steps back; absent when there is none. */
  undoClean: (() => void) | undefined
  readAgain: () => void
  edit: (at: number, change: FileColumnEdit) => void
  reset: (at: number) => (() => void) | undefined
}

export interface ImportTable extends DetectedTable {
  id: string
  name: string
  chosen: boolean
  found: TableImportState
  rename: (name: string) => void
  choose: (chosen: boolean) => void
}

/** What was read last of a table, while the newer reading is on its way or could not be made. */
const lastInspection = (
  client: QueryClient,
  id: string,
  of: { draft: TableDraft; recipe: readonly CleaningStep[] },
): UploadInspection | undefined =>
  client.getQueryData(inspectionQuery(id, inspectionRequest(of.draft.before, of.recipe)).queryKey) ??
  client.getQueryData(inspectionQuery(id, { settings: NO_OVERRIDES, cleaning: of.recipe }).queryKey)

/** `recipe`: that of the table the file is for, until the person changes it. */
const inspectionRequest = (
  { corrected, cleaning }: Pick<TableDraft, 'corrected' | 'cleaning'>,
  recipe: readonly CleaningStep[],
): InspectionRequest => ({ settings: corrected, cleaning: cleaning ?? recipe })

interface InspectionQuery {
  data: UploadInspection | undefined
  error: unknown
  isFetching: boolean
  refetch: () => unknown
}

function toTableImportState(
  asked: InspectionQuery,
  of: {
    draft: TableDraft
    recipe: readonly CleaningStep[]
    settled: boolean
    last: UploadInspection | undefined
  },
  act: (change: TableDraftChange) => void,
): TableImportState {
  const inspection = asked.data ?? of.last ?? null
  const column = (at: number): FileColumn | undefined => inspection?.columns[at]
  return {
    ...(inspection ? parseTable(inspection, of.draft.edits) : EMPTY_PARSED_TABLE),
    inspection,
    corrected: of.draft.corrected,
    cleaning: of.draft.cleaning ?? of.recipe,
    error: asked.error,
    reading: asked.isFetching || !of.settled,
    correct: (settings) => act({ kind: 'correct', settings }),
    undoCorrections: () => act({ kind: 'undoCorrections' }),
    clean: (steps) => act({ kind: 'clean', steps }),
    undoClean: of.draft.cleaningPast.length > 0 ? () => act({ kind: 'undoClean' }) : undefined,
    readAgain: () => void asked.refetch(),
    edit: (at, change) => {
      const found = column(at)
      if (!found || !inspection) return
      const scale = change.type === 'number' ? { scale: maxDecimals(inspection, found) } : {}
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

export interface ImportTablesOptions {
  /** Whether a table is chosen until the person says otherwise; the first one that is, is looked at. */
  isChosen: (found: DetectedTable) => boolean
  /** Names of tables that are there already. */
  held?: readonly string[]
  /** The table that the file is for: its steps, until the person changes them. */
  dataset?: Pick<Dataset, 'cleaning' | 'dataVersion'>
}

/** Later books change no name: their years go into the tables of the first. */
function tableNames(all: readonly DetectedTable[], held: readonly string[]): string[] {
  const own = all.filter(({ later }) => !later)
  const names = suggestTableNames(own, held)
  return all.map(
    (found) => names[own.indexOf(found)] ?? (found.table.ledger ? LEDGER_TABLE_LABELS[found.table.ledger] : ''),
  )
}

/**
 * The tables of the opened files as they would be loaded. Those that are chosen or looked at are read; corrected settings
 * ask the server again after a pause, and the answer to older settings is never shown as that to newer ones.
 */
export function useImportTables(
  files: readonly OpenedFile[],
  { isChosen, held = [], dataset = NO_DATASET }: ImportTablesOptions,
) {
  const client = useQueryClient()
  const recipe = dataset.cleaning
  // Rows that come meanwhile take nobody's steps away.
  const [version] = useState(dataset.dataVersion)
  const [drafts, dispatch] = useReducer(tableDraftsReducer, draftsOf.get(client) ?? NO_TABLE_DRAFTS)
  // What was decided stays when the page is left: an upload has an id of its own.
  useEffect(() => void draftsOf.set(client, drafts), [client, drafts])
  const [settled] = useDebouncedValue(drafts, DEBOUNCE_MS)
  const [selectedId, select] = useState<string | null>(null)
  const all = toDetectedTables(files)
  const names = tableNames(all, held)
  const chosen = (found: DetectedTable) => tableDraftOf(drafts, found.table.uploadId, version).chosen ?? isChosen(found)
  const active = all.find(({ table }) => table.uploadId === selectedId)?.table ?? (all.find(chosen) ?? all[0])?.table
  const answers = useQueries({
    queries: all.map((found) => {
      const { uploadId } = found.table
      const asked = inspectionRequest(tableDraftOf(settled, uploadId, version), recipe)
      return { ...inspectionQuery(uploadId, asked), enabled: chosen(found) || uploadId === active?.uploadId }
    }),
  })
  const tables = all.flatMap((found, at): ImportTable[] => {
    const asked = answers[at]
    if (!asked) return []
    const id = found.table.uploadId
    const draft = tableDraftOf(drafts, id, version)
    const act = (change: TableDraftChange) => dispatch({ upload: id, version, change })
    const asSettled = tableDraftOf(settled, id, version)
    const isSettled = draft.corrected === asSettled.corrected && draft.cleaning === asSettled.cleaning
    const reading = { draft, recipe, settled: isSettled, last: lastInspection(client, id, { draft, recipe }) }
    return [
      {
        ...found,
        id,
        name: draft.name ?? names[at] ?? found.table.name,
        chosen: chosen(found),
        found: toTableImportState(asked, reading, act),
        rename: (name) => act({ kind: 'rename', name }),
        choose: (is) => act({ kind: 'choose', chosen: is }),
      },
    ]
  })
  return { tables, active: tables.find(({ id }) => id === active?.uploadId) ?? null, look: select }
}

type SettingOverrides = Partial<CsvSettings>

/** What a person decided about one table of a file. Absent = as it was found. */
export interface TableDraft {
  name?: string
  chosen?: boolean
  corrected: SettingOverrides
  /** Of the data that the steps were changed for: once they are imported, the table has them. */
  version: number
  /** Absent: those of the table that the file is for. */
  cleaning?: readonly CleaningStep[]
  /** What they were before each change, the last one last; undefined: as they were found. */
  cleaningPast: readonly (readonly CleaningStep[] | undefined)[]
  /** How it was read before the last change: that stays on screen until the newer reading is there. */
  before: Pick<TableDraft, 'corrected' | 'cleaning'>
  edits: FileColumnEdits
}
type TableDrafts = ReadonlyMap<string, TableDraft>

export type TableDraftChange =
  | { kind: 'rename'; name: string }
  | { kind: 'choose'; chosen: boolean }
  | { kind: 'correct'; settings: SettingOverrides }
  | { kind: 'undoCorrections' }
  | { kind: 'clean'; steps: readonly CleaningStep[] }
  | { kind: 'undoClean' }
  | { kind: 'edit'; action: FileColumnAction }

const NO_OVERRIDES: SettingOverrides = {}
const NO_DATASET: Pick<Dataset, 'cleaning' | 'dataVersion'> = { cleaning: [], dataVersion: 0 }
const EMPTY_TABLE_DRAFT: TableDraft = {
  version: 0,
  corrected: NO_OVERRIDES,
  cleaningPast: [],
  before: { corrected: NO_OVERRIDES },
  edits: NO_FILE_COLUMN_EDITS,
}
const NO_TABLE_DRAFTS: TableDrafts = new Map()
const draftsOf = new WeakMap<QueryClient, TableDrafts>()

/** What was decided about a table; steps that were changed for other rows than those of `version` are none of it. */
function tableDraftOf(drafts: TableDrafts, upload: string, version: number): TableDraft {
  const draft = drafts.get(upload) ?? EMPTY_TABLE_DRAFT
  if (draft.version === version) return draft
  const { cleaning: _imported, ...rest } = draft
  return { ...rest, version, cleaningPast: [], before: { corrected: draft.before.corrected } }
}

const readingOf = ({ corrected, cleaning }: TableDraft): TableDraft['before'] => ({
  corrected,
  ...(cleaning === undefined ? {} : { cleaning }),
})

function changeTableDraft(draft: TableDraft, change: TableDraftChange): TableDraft {
  switch (change.kind) {
    case 'rename':
      return { ...draft, name: change.name }
    case 'choose':
      return { ...draft, chosen: change.chosen }
    case 'correct':
      return { ...draft, before: readingOf(draft), corrected: { ...draft.corrected, ...change.settings } }
    case 'undoCorrections':
      return { ...draft, before: readingOf(draft), corrected: NO_OVERRIDES }
    case 'clean':
      return {
        ...draft,
        before: readingOf(draft),
        cleaning: change.steps,
        cleaningPast: [...draft.cleaningPast, draft.cleaning],
      }
    case 'undoClean': {
      const { cleaning: _undone, ...rest } = draft
      const last = draft.cleaningPast.at(-1)
      return {
        ...rest,
        ...(last === undefined ? {} : { cleaning: last }),
        before: readingOf(draft),
        cleaningPast: draft.cleaningPast.slice(0, -1),
      }
    }
    case 'edit':
      return { ...draft, edits: fileColumnsReducer(draft.edits, change.action) }
  }
}

/** Keeps what was decided about each table, by its upload, while another one is looked at. */
const tableDraftsReducer = (
  drafts: TableDrafts,
  { upload, version, change }: { upload: string; version: number; change: TableDraftChange },
): TableDrafts => new Map(drafts).set(upload, changeTableDraft(tableDraftOf(drafts, upload, version), change))
