import { useQueries, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useReducer, useState } from 'react'
import {
  nextMemoryChange,
  NO_OVERRIDES,
  NO_TABLE_DRAFTS,
  tableDraftOf,
  tableDraftsReducer,
  type DraftMemory,
  type TableDraft,
  type TableDraftChange,
  type TableDrafts,
} from './table-drafts'
import type { FileColumnEdit, FileColumnEdits } from '../columns/file-column-edits'
import { inspectionQuery, type InspectionRequest } from '../queries'
import { withRowCurrencies } from './row-currencies'
import { useSession } from '../../../lib/session'
import { suggestTableNames, toDetectedTables, type DetectedTable } from './detected-tables'
import { EMPTY_PARSED_TABLE, parseTable, precisionFor, type ParsedTable } from './cell-parsing'
import type { OpenedFile } from '../upload/upload-queue'
import type { CleaningStep } from '../../../../src/shared/data-sources/cleaning'
import type { Dataset } from '../../../../src/shared/data-sources/data-sources'
import { LEDGER_TABLE_LABELS, type CsvSettings, type FileColumn } from '../../../../src/shared/data-sources/files'
import type { UploadInspection } from '../../../../src/shared/data-sources/inspection'

const DEBOUNCE_MS = 250

/** How one table was read, and everything that can be corrected about it. */
export interface TableImportState extends ParsedTable {
  /** Null until the table has been read once. */
  inspection: UploadInspection | null
  /** The same before anything was corrected; null until then. */
  detected: UploadInspection | null
  corrected: Partial<CsvSettings>
  edits: FileColumnEdits
  /** Choices of an earlier import; null where none are known. */
  memory: DraftMemory | null
  /** Puts those aside, with everything that was decided since; or takes them up again. */
  useDetected: () => void
  useRemembered: () => void
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

/** The table that a file is for: its steps, until the person changes them. `id`: none, for a new table. */
interface ImportHome {
  id: Dataset['id'] | null
  recipe: readonly CleaningStep[]
  /** Its data version: rows that come meanwhile take nobody's steps away. */
  version: number
}

/** What was read last of a table, while the newer reading is on its way or could not be made. */
const lastInspection = (
  client: QueryClient,
  found: DetectedTable,
  of: { draft: TableDraft; home: ImportHome },
): UploadInspection | undefined => {
  const read = (reading: InspectionRequest): UploadInspection | undefined =>
    client.getQueryData(inspectionQuery(found.table.uploadId, reading).queryKey)
  return read(inspectionRequest(found, of.draft.before, of.home)) ?? read(detectionRequest(found, of.home))
}

/** A table as it is detected, with what was decided about one like it. Books are always read in the same way. */
const detectionRequest = ({ table }: DetectedTable, { id, recipe, version }: ImportHome): InspectionRequest => ({
  settings: NO_OVERRIDES,
  cleaning: recipe,
  remember: table.ledger === undefined ? { dataset: id, version } : null,
})
const inspectionRequest = (
  found: DetectedTable,
  { corrected, cleaning }: Pick<TableDraft, 'corrected' | 'cleaning'>,
  home: ImportHome,
): InspectionRequest =>
  cleaning === undefined && Object.keys(corrected).length === 0
    ? detectionRequest(found, home)
    : { settings: corrected, cleaning: cleaning ?? home.recipe, remember: null }

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
    home: ImportHome
    settled: boolean
    detected: UploadInspection | undefined
    last: UploadInspection | undefined
    /** Whether amounts are taken to be in the currencies of their rows: of a new table, where the plan knows of several. */
    pairsCurrencies: boolean
  },
  act: (change: TableDraftChange) => void,
): TableImportState {
  const read = asked.data ?? of.last ?? null
  const inspection = read && of.pairsCurrencies ? withRowCurrencies(read) : read
  const { memory } = of.draft
  const column = (at: number): FileColumn | undefined => inspection?.columns[at]
  return {
    ...(inspection ? parseTable(inspection, of.draft.edits) : EMPTY_PARSED_TABLE),
    inspection,
    detected: of.detected ?? null,
    corrected: of.draft.corrected,
    edits: of.draft.edits,
    memory: memory ?? null,
    useDetected: () => memory && act({ kind: 'useDetected', memory: { ...memory, state: 'declined' } }),
    useRemembered: () => act({ kind: 'useRemembered' }),
    cleaning: of.draft.cleaning ?? of.home.recipe,
    error: asked.error,
    reading: asked.isFetching || !of.settled || memory?.state === 'reading',
    correct: (settings) => act({ kind: 'correct', settings }),
    undoCorrections: () => act({ kind: 'undoCorrections' }),
    clean: (steps) => act({ kind: 'clean', steps }),
    undoClean: of.draft.cleaningPast.length > 0 ? () => act({ kind: 'undoClean' }) : undefined,
    readAgain: () => void asked.refetch(),
    edit: (at, change) => {
      const found = column(at)
      if (!found || !inspection) return
      const edit = { ...change, ...precisionFor(inspection, found, change.type) }
      act({ kind: 'edit', action: { kind: 'change', column: found, edit } })
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
  dataset?: Pick<Dataset, 'id' | 'cleaning' | 'dataVersion'>
}

/** Later books change no name: their years go into the tables of the first. */
function tableNames(all: readonly DetectedTable[], held: readonly string[]): string[] {
  const own = all.filter(({ later }) => !later)
  const names = suggestTableNames(own, held)
  return all.map(
    (found) => names[own.indexOf(found)] ?? (found.table.ledger ? LEDGER_TABLE_LABELS[found.table.ledger] : ''),
  )
}

/** The tables that the choices of earlier imports leave out, by upload. */
const omittedTables = (all: readonly DetectedTable[], draft: (found: DetectedTable) => TableDraft): Set<string> =>
  new Set(
    all.flatMap((found) => {
      const { memory } = draft(found)
      const omitted = memory && memory.state !== 'declined' ? (memory.of.choices?.omitted ?? []) : []
      return all.flatMap(({ fileName, table }) =>
        fileName === found.fileName && omitted.includes(table.name) ? [table.uploadId] : [],
      )
    }),
  )

/** The table of the file that went into this dataset before, by its name. */
const rememberedTable = (
  all: readonly DetectedTable[],
  draft: (found: DetectedTable) => TableDraft,
): DetectedTable | undefined => {
  const names = all.map((found) => draft(found).memory?.of.choices?.table)
  return all.find(({ table }) => names.includes(table.name))
}

const homeOf = (dataset: ImportTablesOptions['dataset'], version: number): ImportHome => ({
  id: dataset?.id ?? null,
  recipe: dataset?.cleaning ?? NO_STEPS,
  version,
})
const NO_STEPS: readonly CleaningStep[] = []

/**
 * The tables of the opened files as they would be loaded. Those that are chosen or looked at are read; corrected settings
 * ask the server again after a pause, and the answer to older settings is never shown as that to newer ones.
 */
export function useImportTables(files: readonly OpenedFile[], { isChosen, held = [], dataset }: ImportTablesOptions) {
  const client = useQueryClient()
  const multiCurrency = useSession().workspace?.entitlements.features.multiCurrency ?? false
  const [version] = useState(dataset?.dataVersion ?? 0)
  const home = homeOf(dataset, version)
  const { drafts, settled, dispatch } = useTableDrafts(client)
  const [selectedId, select] = useState<string | null>(null)
  const all = toDetectedTables(files)
  const names = tableNames(all, held)
  const draftOf = ({ table }: DetectedTable, of = drafts) => tableDraftOf(of, table.uploadId, version)
  const omitted = omittedTables(all, draftOf)
  const chosen = (found: DetectedTable) =>
    draftOf(found).chosen ?? (isChosen(found) && !omitted.has(found.table.uploadId))
  const active =
    all.find(({ table }) => table.uploadId === selectedId) ??
    (dataset && rememberedTable(all, draftOf)) ??
    all.find(chosen) ??
    all[0]
  const ask = (request: (found: DetectedTable) => InspectionRequest) =>
    all.map((found) => ({
      ...inspectionQuery(found.table.uploadId, request(found)),
      enabled: chosen(found) || found === active,
    }))
  const detected = useQueries({ queries: ask((found) => detectionRequest(found, home)) })
  const answers = useQueries({ queries: ask((found) => inspectionRequest(found, draftOf(found, settled), home)) })
  const readings = all.map((found, at): TableReading => {
    const [draft, asSettled] = [draftOf(found), draftOf(found, settled)]
    const isSettled = draft.corrected === asSettled.corrected && draft.cleaning === asSettled.cleaning
    return { found, draft, isSettled, detected: detected[at]?.data, asked: answers[at] }
  })
  useDraftChanges(dispatch, memoryChanges(readings, home))
  const tables = readings.flatMap(({ found, draft, isSettled, detected: first, asked }, at): ImportTable[] => {
    if (!asked) return []
    const id = found.table.uploadId
    const act = (change: TableDraftChange) => dispatch({ upload: id, version, change })
    const last = lastInspection(client, found, { draft, home })
    return [
      {
        ...found,
        id,
        name: draft.name ?? names[at] ?? found.table.name,
        chosen: chosen(found),
        found: toTableImportState(
          asked,
          {
            draft,
            home,
            settled: isSettled,
            detected: first,
            last,
            pairsCurrencies: dataset === undefined && multiCurrency,
          },
          act,
        ),
        rename: (name) => act({ kind: 'rename', name }),
        choose: (is) => act({ kind: 'choose', chosen: is }),
      },
    ]
  })
  return { tables, active: tables.find(({ id }) => id === active?.table.uploadId) ?? null, look: select }
}

const draftsOf = new WeakMap<QueryClient, TableDrafts>()

/** What was decided; it stays when the page is left, as an upload has an id of its own. `settled`: after a pause. */
function useTableDrafts(client: QueryClient) {
  const [drafts, dispatch] = useReducer(tableDraftsReducer, draftsOf.get(client) ?? NO_TABLE_DRAFTS)
  useEffect(() => void draftsOf.set(client, drafts), [client, drafts])
  const [settled] = useDebouncedValue(drafts, DEBOUNCE_MS)
  return { drafts, settled, dispatch }
}

/** A table with what was decided about it, and what is known of it by now. */
interface TableReading {
  found: DetectedTable
  draft: TableDraft
  /** Whether what is asked is what the draft says. */
  isSettled: boolean
  detected: UploadInspection | undefined
  asked: InspectionQuery | undefined
}

type UploadDraftChange = Parameters<typeof tableDraftsReducer>[1]

/** What follows from choices of earlier imports for the tables that have been read. */
const memoryChanges = (readings: readonly TableReading[], { id, recipe, version }: ImportHome): UploadDraftChange[] =>
  readings.flatMap(({ found, draft, isSettled, detected, asked }) => {
    const change = nextMemoryChange(draft, {
      detected,
      current: isSettled ? asked?.data : undefined,
      failed: isSettled && asked !== undefined && asked.error !== null,
      recipe,
      tables: id === null ? null : readings.map((other) => other.found.table.name),
    })
    return change ? [{ upload: found.table.uploadId, version, change }] : []
  })

function useDraftChanges(dispatch: (change: UploadDraftChange) => void, changes: readonly UploadDraftChange[]): void {
  useEffect(() => {
    for (const change of changes) dispatch(change)
  }, [dispatch, changes])
}
