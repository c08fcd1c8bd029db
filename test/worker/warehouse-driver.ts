import { FULL_RIGHTS } from '../../src/scope'
import { env, runInDurableObject } from 'cloudflare:test'
import type { ScopeWire } from '../../src/scope'
import { unwrap } from '../../src/shared/errors'
import type { Column, LoadMode } from '../../src/shared/data-sources/data-sources'
import type { BeginLoad, CompletedLoad, SegmentStart, StageBatch, StagedRows } from '../../src/warehouse/contract'
import { decodeNumbers } from '../../src/warehouse/columns/chunk'
import { chunkTexts } from '../../src/warehouse/columns/texts/chunk-texts'
import type { ColumnTable } from '../../src/warehouse/columns/column-table'
import { openSegmentWriter } from '../../src/warehouse/segment-writer'
import { storedColumns } from '../../src/warehouse/segments/stored-columns'
import { batchesOf } from '../row-batches'
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
  ...FULL_RIGHTS,
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
  batchRows?: number
  rejectCount?: number
}

function cellsOf(table: ColumnTable, { key, type }: Pick<Column, 'key' | 'type'>): (string | number | null)[] {
  return table.chunks.flatMap((rows, chunk): (string | number | null)[] => {
    if (type === 'text') return [...chunkTexts(table, key, chunk)]
    const values = new Float64Array(rows)
    decodeNumbers(table.read(key, chunk), values)
    return [...values].map((value) => (Number.isNaN(value) ? null : value))
  })
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
  /** Opens a segment, whose batches are staged in turn. */
  const segmentWriter = (at: Parameters<typeof openSegmentWriter>[1]): ReturnType<typeof openSegmentWriter> =>
    openSegmentWriter(
      {
        openSegment: async (opened: SegmentStart) => unwrap(await stub().openSegment(scope, opened)),
        stage: async (batches: StageBatch[]) => unwrap(await stub().stage(scope, batches)),
      },
      at,
    )
  /** Stages all rows in batches within one segment, each by a call of its own. */
  const stageAll = async (
    load: TestLoad,
    at: { runId: string; fence: number; segment?: number; from?: StagedRows },
  ): Promise<StagedRows> => {
    const writer = await segmentWriter({ ...at, segment: at.segment ?? 0 })
    const size = load.batchRows ?? 1000
    for (let from = 0; from < Math.max(1, load.rows.length); from += size) {
      const rows = load.rows.slice(from, from + size)
      for (const [n, batch] of batchesOf(load.columns, rows).entries()) {
        const rejectCount = from === 0 && n === 0 ? (load.rejectCount ?? 0) : 0
        await writer.stage([{ ...batch, rejectCount }])
      }
    }
    return writer.staged()
  }
  /** The whole way: begin, stage, finish. */
  const load = async (what: TestLoad): Promise<CompletedLoad & { datasetId: string; runId: string }> => {
    const begin = spec(what)
    const { fence, unchanged } = unwrap(await stub().beginLoad(scope, begin))
    if (!unchanged) await stageAll(what, { runId: begin.runId, fence })
    const done = unwrap(await stub().finishLoad(scope, { runId: begin.runId, fence }))
    return { ...done, datasetId: begin.datasetId, runId: begin.runId }
  }
  /** Every row as questions read it, in the order of the rows; columns in the order of the catalogue. */
  const rows = (datasetId: string): Promise<SqlStorageValue[][]> =>
    inside((object) => {
      const dataset = queryCatalogue(object.context, scope).find(datasetId)
      if (!dataset?.manifest) return []
      const table = storedColumns(object.context.sql, { ...dataset, manifest: dataset.manifest })
      const columns = dataset.columns.filter(({ computed }) => !computed).map((each) => cellsOf(table, each))
      return Array.from({ length: table.rows }, (_, row) => columns.map((cells) => cells[row] ?? null))
    })
  /** Table sets that are there, or that bytes of rows are left of. */
  const storedSets = (): Promise<number[]> =>
    inside((object) =>
      object.context.sql
        .exec<{ n: number }>(
          `SELECT n FROM table_sets UNION SELECT table_set FROM column_chunks UNION SELECT table_set FROM staged_batches
           ORDER BY n`,
        )
        .toArray()
        .map(({ n }) => n),
    )
  /** Moves the object's clock; needed again after a restart of the object. */
  const setClock = (time: number): Promise<void> =>
    inside((object) => {
      clock.time = time
      object.context.clock = { now: () => clock.time }
    })
  return { workspaceId, scope, stub, inside, spec, segmentWriter, stageAll, load, rows, storedSets, setClock }
}
