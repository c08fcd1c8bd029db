import type { ReadTable } from './stream-tables'
import { driftFailure, type SyncFailure } from './sync-failure'
import { compareColumns, driftSentence, type TableDrift } from './table-drift'
import type { Deps } from '../../deps'
import { columnsForCreate, columnsForLoad, type LoadColumns } from '../../features/data-sources/model/columns'
import { sourceStore, type DatasetRow, type StoreContext } from '../../features/data-sources/store'
import type { ConnectionFailure, DriftNotice } from '../../shared/data-sources/connections'
import type { StreamMode } from '../../shared/data-sources/connectors'
import type { ColumnKey } from '../../shared/data-sources/files'
import type { Column, LoadMode } from '../../shared/data-sources/data-sources'
import { nameKey } from '../../shared/field-schemas'
import { NAME_MAX_CHARS } from '../../shared/limits'
import { connectionStore, type TableRow } from '../../sync/connection-store'
import type { LoadRequest } from '../../sync/load-request'
import { newRunRow, runStore } from '../../sync/store'
import { sha256Hex } from '../../lib/hash'
import { toIso } from '../../lib/iso'
import { idsFrom, type Ids } from '../../shared/ids'

/** Columns of a ledger's tables that name the part which an import replaces. */
const LEDGER_KEYS = ['org_number', 'fiscal_year']

export interface TableLoadOf {
  /** The same at every try of the same load: a run is written once. */
  loadKey: string
  sourceId: string
  streamKey: string
  /** What the table is called on screens. */
  label: string
  mode: StreamMode
  table: ReadTable
  /** What a person accepted for this sync. */
  accepts: NonNullable<ConnectionFailure['acceptable']> | null
  multiCurrency: boolean
}
export type PlannedLoad =
  | { ok: true; runId: string; notices: DriftNotice[] }
  | { ok: false; failure: SyncFailure }
  | { ok: false; stopped: true }

interface Shape {
  mode: LoadMode
  load: LoadColumns
  notices: DriftNotice[]
}

const toCurrencyless = (table: ReadTable): ReadTable => ({
  ...table,
  columns: table.columns.map(({ currencyIndex: _index, ...column }) => column),
})

/** Marks amounts that are kept in the currency's smallest unit, where their currency is known. */
const withMinorUnits = (columns: Column[], names: readonly string[], table: ReadTable): Column[] =>
  columns.map((column) => {
    const name = names[column.fileIndex]
    const isMinor = name !== undefined && table.minorUnits.includes(name) && column.currencyColumn !== undefined
    return isMinor ? { ...column, minorUnits: true as const } : column
  })

const indexOf = (table: ReadTable, name: string): number => {
  const exact = table.names.indexOf(name)
  const at = exact >= 0 ? exact : table.names.findIndex((known) => nameKey(known) === nameKey(name))
  return at < 0 ? -1 : (table.columns[at]?.index ?? -1)
}

function ledgerKeyNames(table: ReadTable): string[] {
  const names = LEDGER_KEYS.filter((name) => indexOf(table, name) >= 0)
  return names.length > 0 ? names : []
}

/**
 * Writes the run that loads a table of a stream: into a dataset of its own the first time, and the same one from then on.
 * Refuses where something that is used would go.
 */
export async function planTableLoad(deps: Deps, ask: StoreContext, of: TableLoadOf): Promise<PlannedLoad> {
  const table = of.multiCurrency ? of.table : toCurrencyless(of.table)
  const connections = connectionStore(deps.db, ask.scope.workspaceId)
  const home = (await connections.tables(of.sourceId)).find(
    ({ streamKey, name }) => streamKey === of.streamKey && name === table.name,
  )
  const dataset = home ? await sourceStore(deps.db, ask).dataset(home.datasetId) : null
  const shape = home && dataset ? await nextShape(deps, ask, { ...of, table, home, dataset }) : firstShape(of, table)
  if ('failure' in shape) return { ok: false, failure: shape.failure }
  return insertRun(deps, ask, { ...of, table, shape, dataset, home: home ?? null })
}

function firstShape(of: TableLoadOf, table: ReadTable): Shape {
  const keyNames = table.ledger ? ledgerKeyNames(table) : table.keyNames
  const keyColumns = keyNames.map((name) => indexOf(table, name)).filter((index) => index >= 0)
  const mode = of.mode === 'upsert' && keyColumns.length > 0 ? 'upsert' : 'create'
  return {
    mode,
    load: columnsForCreate({ columns: table.columns, keyColumns: mode === 'create' ? [] : keyColumns }),
    notices: [],
  }
}

async function nextShape(
  deps: Deps,
  ask: StoreContext,
  of: TableLoadOf & { home: TableRow; dataset: DatasetRow },
): Promise<Shape | { failure: SyncFailure }> {
  const { table, home, dataset } = of
  const mode = modeFor(of)
  const stored = dataset.columns.filter(({ computed }) => computed === undefined)
  const whole = {
    existing: stored,
    known: home.columns,
    columns: table.columns,
    names: table.names,
    widens: mode === 'replace',
    keepsTypes: of.accepts === 'empty',
  }
  const drift = compareColumns(whole)
  const failure = await refusalOf(deps, ask, { ...of, mode, drift })
  if (failure) return { failure }
  const keys = (table.ledger ? ledgerKeyNames(table) : table.keyNames).flatMap((name) =>
    keyOf(home, drift, name, table),
  )
  // What is lost was looked at as drift; the request of a load knows nothing of it.
  const { lost: _lost, ...load } = columnsForLoad({
    mode,
    existing: dataset.columns,
    columns: drift.columns,
    mapping: drift.mapping,
    keyColumns: mode === 'upsert' || mode === 'replacePart' ? keys : [],
    nextKey: await sourceStore(deps.db, ask).nextColumnNumber(dataset),
  })
  return { mode, load, notices: noticesOf(of, drift, toIso(deps.clock.now())) }
}

const keyOf = (home: TableRow, drift: TableDrift, name: string, table: ReadTable): ColumnKey[] => {
  const index = indexOf(table, name)
  const key = drift.mapping.find((each) => each.index === index)?.key ?? home.columns[name]
  return key === undefined ? [] : [key]
}

function modeFor({ mode, table }: TableLoadOf): Exclude<LoadMode, 'create'> {
  if (table.ledger && ledgerKeyNames(table).length > 0) return 'replacePart'
  // What stays at its source is a table without rows here.
  if (mode === 'live') return 'replace'
  return mode === 'upsert' && table.keyNames.length === 0 ? 'replace' : mode
}

/** Why a table may not be loaded as it is now. */
async function refusalOf(
  deps: Deps,
  ask: StoreContext,
  of: Omit<TableLoadOf, 'mode'> & { dataset: DatasetRow; mode: LoadMode; drift: TableDrift },
): Promise<SyncFailure | null> {
  const { drift, dataset, label, accepts, mode } = of
  const sentence = driftSentence(drift, label)
  if (sentence === null) return null
  if (drift.mapping.length === 0)
    return driftFailure(
      `None of the known columns of ${label} are there.`,
      'Check that the source still gives the same data.',
      null,
    )
  const changesType = drift.retyped.length > 0
  if (changesType && mode !== 'replace')
    return driftFailure(sentence, 'Restore the column at the source, or connect it as a new source.', null)
  const keys = [...drift.gone, ...drift.retyped].map(({ key }) => key)
  const dependents = await sourceStore(deps.db, ask).columnDependents({ datasetId: dataset.id, keys })
  if (dependents.length === 0 || accepts === 'columns') return null
  const uses =
    dependents.length === 1 ? `“${dependents[0]?.name}” uses it.` : `${dependents.length} insights and metrics use it.`
  return driftFailure(`${sentence} ${uses}`, 'Restore the column at the source, or accept the change.', 'columns')
}

const noticesOf = (of: TableLoadOf, drift: TableDrift, at: string): DriftNotice[] => {
  const notice = (kind: DriftNotice['kind'], columns: string[]): DriftNotice[] =>
    columns.length === 0 ? [] : [{ stream: of.label, kind, columns, at }]
  return [
    ...notice('added', drift.added),
    ...notice(
      'gone',
      drift.gone.map(({ label }) => label),
    ),
    ...notice(
      'retyped',
      drift.retyped.map(({ label }) => label),
    ),
  ]
}

const emptyDataset = (id: string, ask: StoreContext, of: TableLoadOf, load: LoadColumns): DatasetRow => ({
  id,
  workspaceId: ask.scope.workspaceId,
  sourceId: of.sourceId,
  name: of.label.slice(0, NAME_MAX_CHARS).trim() || 'Table',
  rowCount: 0,
  bytes: 0,
  dataVersion: 0,
  columns: load.columns,
  keyColumns: load.keyColumns,
  cleaning: [],
  loadedAt: null,
  rowsRejected: 0,
  rowsDuplicate: 0,
  version: 1,
})

async function insertRun(
  deps: Deps,
  ask: StoreContext,
  of: TableLoadOf & { shape: Shape; dataset: DatasetRow | null; home: TableRow | null },
): Promise<PlannedLoad> {
  const { table, shape, sourceId } = of
  const load = { ...shape.load, columns: withMinorUnits(shape.load.columns, namesByIndex(table), table) }
  const ids = await idsOf(of.loadKey)
  const datasetId = of.dataset?.id ?? ids.next('dataset')
  const mayBeEmpty = of.mode === 'live' || (of.accepts === 'empty' && shape.mode === 'replace')
  const empties = mayBeEmpty ? { allowsEmpty: true as const } : {}
  const request: LoadRequest = { settings: table.settings, ...load, ...empties, fileHash: table.object.hash }
  const run = newRunRow({ ...deps, ids }, ask.scope, {
    sourceId,
    datasetId,
    trigger: 'sync',
    mode: shape.mode,
    uploadId: null,
    objectKey: table.object.objectKey,
    fileName: table.object.name,
    request,
    bytesTotal: table.object.size,
  })
  const columns = Object.fromEntries(
    load.columns.flatMap(({ key }, at) => {
      const index = load.files[at]?.index
      const name = index === undefined ? undefined : namesByIndex(table)[index]
      return name === undefined ? [] : [[name, key]]
    }),
  )
  const store = sourceStore(deps.db, ask)
  const fresh = of.dataset ? [] : [store.insertDatasets(sourceId, [emptyDataset(datasetId, ask, of, load)])]
  const known = { ...of.home?.columns, ...columns }
  const home = { streamKey: of.streamKey, name: table.name, datasetId, columns: known }
  const statements = [
    ...fresh,
    runStore(deps.db, ask.scope).insert(run, ask.max),
    connectionStore(deps.db, ask.scope.workspaceId).saveTable(sourceId, home),
  ]
  const isThere = async (): Promise<boolean> => (await runStore(deps.db, ask.scope).get(run.id)) !== null
  const isWritten = (await isThere()) || (await writesAll(deps, statements, fresh.length + 1, isThere))
  return isWritten ? { ok: true, runId: run.id, notices: shape.notices } : { ok: false, stopped: true }
}

/**
 * Whether the first so many of some statements each changed a row. Another try of the same load, whose ids are the same, may
 * have written them meanwhile: then `isThere` says so.
 */
async function writesAll(
  { db }: Deps,
  statements: D1PreparedStatement[],
  count: number,
  isThere: () => Promise<boolean>,
): Promise<boolean> {
  try {
    const results = await db.d1.batch(statements)
    return results.slice(0, count).every(({ meta }) => meta.changes > 0) || (await isThere())
  } catch (error) {
    if (await isThere()) return true
    throw error
  }
}

/** Ids that are the same for the same text. */
async function idsOf(text: string): Promise<Ids> {
  const hex = await sha256Hex(text)
  const bytes = Uint8Array.from({ length: 32 }, (_, at) => Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16))
  return idsFrom((length) => bytes.slice(0, length))
}

function namesByIndex(table: ReadTable): string[] {
  const names: string[] = []
  table.columns.forEach(({ index }, at) => {
    names[index] = table.names[at] ?? ''
  })
  return names
}
