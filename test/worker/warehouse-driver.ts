import { env, runInDurableObject } from 'cloudflare:test'
import type { ScopeWire } from '../../src/identity/scope'
import { unwrap } from '../../src/shared/errors'
import type { Column, LoadMode } from '../../src/shared/data-sources/data-sources'
import type { BeginLoad, CompletedLoad, StageBatch } from '../../src/warehouse/contract'
import { RowBatcher } from '../../src/sync/row-batcher'
import { physicalTables } from '../../src/warehouse/physical-layout'
import { queryCatalogue } from '../../src/warehouse/query-catalogue'
import type { Warehouse } from '../../src/warehouse/warehouse'
import type { ColumnKey } from '../../src/shared/data-sources/files'
import type { StorageValue } from '../../src/lib/storage-value'

/** Cells as they travel: a one-element array is an unscaled number outside its column's scale. */
export type Cell = StorageValue | [number]
export const NOW = Date.UTC(2026, 10, 21, 9)
let serial = 0
const next = (prefix: string): string => `${prefix}_${String((serial += 1)).padStart(20, '0')}`

export const scopeOf = (workspaceId: string, more: Partial<ScopeWire> = {}): ScopeWire => ({
  workspaceId,
  actorId: 'usr_00000000000000000000',
  epoch: '1.1',
  client: 'job',
  datasets: 'all',
  rowFilters: [],
  hidden: [],
  ...more,
})

/** Column `c<n>` of a type such as `text`, `integer` or `number:2` (scaled by 10²). */
export function column(n: number, type = 'text', label = `Column ${n}`): Column {
  const [kind = 'text', scale] = type.split(':')
  const shared = { key: `c${n}` as const, label, format: { style: 'plain' as const }, hidden: false, fileIndex: n }
  const role = kind === 'text' ? ('dimension' as const) : ('measure' as const)
  if (kind === 'number')
    return { ...shared, role, type: kind, ...(scale === undefined ? {} : { scale: Number(scale) }) }
  if (kind === 'integer' || kind === 'date' || kind === 'boolean') return { ...shared, role, type: kind }
  return { ...shared, role, type: 'text' }
}

export interface TestLoad {
  datasetId?: string
  datasetName?: string
  sourceId?: string
  mode?: LoadMode
  columns: Column[]
  rows: Cell[][]
  keyColumns?: ColumnKey[]
  contentHash?: string
  runId?: string
  widened?: StageBatch['widened']
  batchRows?: number
  rejectCount?: number
  /** Sends the bounds of the rows along, as loads of files do. */
  bounded?: boolean
}

/** One workspace's warehouse with a clock that tests move. */
export function warehouse(workspaceId = next('ws')) {
  const scope = scopeOf(workspaceId)
  const stub = () => env.WAREHOUSE.get(env.WAREHOUSE.idFromName(workspaceId))
  const clock = { time: NOW }
  const inside = <R>(work: (object: Warehouse, state: DurableObjectState) => R | Promise<R>): Promise<R> =>
    runInDurableObject(stub(), work)

  const spec = (load: TestLoad): BeginLoad => {
    const runId = load.runId ?? next('run')
    return {
      runId,
      datasetId: load.datasetId ?? next('ds'),
      sourceId: load.sourceId ?? 'src_00000000000000000000',
      datasetName: load.datasetName ?? 'Orders',
      mode: load.mode ?? 'create',
      columns: load.columns,
      keyColumns: load.keyColumns ?? [],
      contentHash: load.contentHash ?? runId,
      fileName: `${runId}.csv`,
      objectKey: `originals/${runId}`,
    }
  }
  /** Stages all rows in batches within one segment. */
  const stageAll = async (load: TestLoad, at: { runId: string; fence: number; segment?: number }): Promise<void> => {
    unwrap(await stub().openSegment(scope, { ...at, segment: at.segment ?? 0 }))
    const size = load.batchRows ?? 1000
    const batcher = new RowBatcher(0, load.columns)
    for (let from = 0; from < Math.max(1, load.rows.length); from += size) {
      const rows = load.rows.slice(from, from + size)
      const rejects = { rejects: [], rejectCount: from === 0 ? (load.rejectCount ?? 0) : 0 }
      const batch = { ...at, rows: JSON.stringify(rows), rowCount: rows.length, ...rejects }
      for (const values of rows) batcher.add({ ok: true, values }, 1)
      const bounds = load.bounded ? { bounds: batcher.takeRest()[0]?.bounds ?? [] } : {}
      unwrap(await stub().stage(scope, { ...batch, widened: load.widened ?? [], ...bounds }))
    }
  }
  /** The whole way: begin, stage, finish. */
  const load = async (what: TestLoad): Promise<CompletedLoad & { datasetId: string; runId: string }> => {
    const begin = spec(what)
    const { fence, unchanged } = unwrap(await stub().beginLoad(scope, begin))
    if (!unchanged) await stageAll(what, { runId: begin.runId, fence })
    const done = unwrap(await stub().finishLoad(scope, { runId: begin.runId, fence }))
    return { ...done, datasetId: begin.datasetId, runId: begin.runId }
  }
  /** Every row as the compiler would read it, by row number; columns in key order of the catalogue. */
  const rows = (datasetId: string): Promise<SqlStorageValue[][]> =>
    inside((object) => {
      const dataset = queryCatalogue(object.context, scope).find(datasetId)
      if (!dataset) return []
      const { tables, columns } = physicalTables(dataset)
      const of = new Map<number, SqlStorageValue[]>()
      for (const table of tables) {
        const here = dataset.columns.flatMap(({ key }, index) => {
          const place = columns.get(key)
          return place?.table === table ? [{ name: place.column, index }] : []
        })
        const fields = ['rowid AS r', ...here.map(({ name }) => `"${name}"`)].join(', ')
        for (const row of object.context.sql.exec(`SELECT ${fields} FROM "${table}"`)) {
          const cells = of.get(Number(row['r'])) ?? []
          for (const { name, index } of here) cells[index] = row[name] ?? null
          of.set(Number(row['r']), cells)
        }
      }
      return [...of.entries()].sort(([a], [b]) => a - b).map(([, cells]) => cells)
    })
  /** Tables whose names are not the catalogue's own. */
  const dataTables = (): Promise<string[]> =>
    inside((object) =>
      object.context.sql
        .exec<{ name: string }>(
          "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 't[0-9]*' ORDER BY name",
        )
        .toArray()
        .map((row) => row.name),
    )
  /** Moves the object's clock; needed again after a restart of the object. */
  const setClock = (time: number): Promise<void> =>
    inside((object) => {
      clock.time = time
      object.context.clock = { now: () => clock.time }
    })
  return { workspaceId, scope, stub, inside, spec, stageAll, load, rows, dataTables, setClock }
}
