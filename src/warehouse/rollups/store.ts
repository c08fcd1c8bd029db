import type { RollupRequirements } from './requirements'
import { firstRow, type WarehouseContext } from '../context'
import { discardTableSet } from '../tables'
import type { ColumnKey } from '../../shared/data-sources/files'

/** What a rollup is of: columns to tell rows apart by, columns to add up, and the zone in which moments have days. */
export interface RollupShape {
  dims: ColumnKey[]
  measures: ColumnKey[]
  /** Null when no moment is among the dims. */
  zone: string | null
  /** Days among the dims stand for their months: it answers only what is asked by whole months. */
  monthly?: true
}

/**
 * - `building`: holds the rows up to `nextRow`, invisible.
 * - `ready`: exact for its data version.
 * - `refused`: not worth its room with these rows; not tried again until they change.
 */
export interface Rollup {
  n: number
  datasetId: string
  shape: RollupShape
  /** The rows it was made of. */
  tableSet: number
  dataVersion: number
  state: 'building' | 'ready' | 'refused'
  nextRow: number
  rows: number
  /** Measures without an empty cell. */
  whole: ColumnKey[]
}

type RollupRow = {
  n: number
  dataset_id: string
  shape: string
  table_set: number
  data_version: number
  state: Rollup['state']
  next_row: number
  row_count: number
  whole: string
}

const parseRollup = (row: RollupRow): Rollup => {
  const rollupShape: RollupShape = JSON.parse(row.shape)
  const whole: ColumnKey[] = JSON.parse(row.whole)
  const of = { tableSet: row.table_set, dataVersion: row.data_version }
  return {
    n: row.n,
    datasetId: row.dataset_id,
    shape: rollupShape,
    ...of,
    state: row.state,
    nextRow: row.next_row,
    rows: row.row_count,
    whole,
  }
}

export const rollupsOf = (context: WarehouseContext, datasetId: string): Rollup[] =>
  context.sql
    .exec<RollupRow>('SELECT * FROM rollups WHERE dataset_id = ? ORDER BY row_count', datasetId)
    .toArray()
    .map(parseRollup)

export function saveRollup(context: WarehouseContext, rollup: Rollup): void {
  context.sql.exec(
    `INSERT OR REPLACE INTO rollups (n, dataset_id, shape, table_set, data_version, state, next_row, row_count, whole)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    rollup.n,
    rollup.datasetId,
    JSON.stringify(rollup.shape),
    rollup.tableSet,
    rollup.dataVersion,
    rollup.state,
    rollup.nextRow,
    rollup.rows,
    JSON.stringify(rollup.whole),
  )
}

/** Forgets a rollup; the cleaning removes its bytes. Call inside a transaction. */
export function dropRollup(context: WarehouseContext, { n }: Pick<Rollup, 'n'>): void {
  discardTableSet(context, n)
  context.sql.exec('DELETE FROM rollups WHERE n = ?', n)
}

/** Forgets everything that was made of a dataset's rows, and what was asked of them. Call inside a transaction. */
export function deleteRollupsOfDataset(context: WarehouseContext, datasetId: string): void {
  for (const rollup of rollupsOf(context, datasetId)) dropRollup(context, rollup)
  context.sql.exec('DELETE FROM plan_shapes WHERE dataset_id = ?', datasetId)
}

/** Shapes remembered per dataset, and for how long one that nobody asks for any more. */
const SHAPES_KEPT = 40
const SHAPE_KEPT_MS = 30 * 24 * 60 * 60 * 1000
/** A shape that is asked for all the time is written down no more often. */
const NOTED_EVERY_MS = 60_000

/** Writes down that a question of this shape was asked. */
export function recordRequestedShape(context: WarehouseContext, datasetId: string, rollupShape: RollupShape): void {
  const { sql, clock } = context
  const [text, now] = [JSON.stringify(rollupShape), clock.now()]
  const known = firstRow<{ asked_at: number }>(
    sql,
    'SELECT asked_at FROM plan_shapes WHERE dataset_id = ? AND shape = ?',
    datasetId,
    text,
  )
  if (known && now - known.asked_at < NOTED_EVERY_MS) return
  sql.exec(
    `INSERT INTO plan_shapes (dataset_id, shape, asked, asked_at) VALUES (?1, ?2, 1, ?3)
     ON CONFLICT (dataset_id, shape) DO UPDATE SET asked = asked + 1, asked_at = excluded.asked_at`,
    datasetId,
    text,
    now,
  )
  sql.exec(
    `DELETE FROM plan_shapes WHERE dataset_id = ?1 AND (asked_at < ?2 OR shape IN (
       SELECT shape FROM plan_shapes WHERE dataset_id = ?1 ORDER BY asked_at DESC LIMIT -1 OFFSET ?3))`,
    datasetId,
    now - SHAPE_KEPT_MS,
    SHAPES_KEPT,
  )
}

/** What was asked of a dataset, most often first. */
export const requestedShapes = (context: WarehouseContext, datasetId: string): RollupShape[] =>
  context.sql
    .exec<{ shape: string }>(
      'SELECT shape FROM plan_shapes WHERE dataset_id = ? ORDER BY asked DESC, asked_at DESC, shape',
      datasetId,
    )
    .toArray()
    .map(({ shape }): RollupShape => JSON.parse(shape))

/** Whether a rollup holds what a question needs. */
export const satisfies = (rollup: Rollup, requirements: RollupRequirements, zone: string): boolean =>
  requirements.dims.every((key) => rollup.shape.dims.includes(key)) &&
  requirements.measures.every((key) => rollup.shape.measures.includes(key)) &&
  requirements.whole.every((key) => rollup.whole.includes(key)) &&
  (rollup.shape.zone === null || rollup.shape.zone === zone) &&
  (rollup.shape.monthly !== true || requirements.monthly)
