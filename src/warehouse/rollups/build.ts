import { countKey, leastKey, mostKey, ONE_KEY, ROWS_KEY } from './keys'
import { dropRollup, saveRollup, type Rollup, type RollupShape } from './store'
import type { LiveDataset } from '../physical-layout'
import { sqlExecutor, bind, int, join, name, sql, type Sql } from '../query/sources/sql'
import { dayNumberOf, columnAt, refOf, sourceOf, type CompileContext } from '../query/sources/source'
import { DAY_MS, type Calendar } from '../../shared/dates'
import { oneRow, type WarehouseContext } from '../context'
import { createTableSet, groupTable, lastRowNumber, quotedName } from '../tables'
import type { Column } from '../../shared/data-sources/data-sources'
import type { ColumnKey } from '../../shared/data-sources/files'

/** Rows read in one go: some tens of milliseconds. Between two, whatever waits for the object runs. */
const SLICE_ROWS = 20_000
/** A rollup is worth its room when it has at most this share of the rows. */
const ROWS_SHARE_MAX = 0.25

/** All columns of a rollup's table, those it is unique by first. */
const keysOf = ({ dims, measures }: RollupShape): { unique: ColumnKey[]; kept: ColumnKey[] } => ({
  unique: dims.length > 0 ? dims : [ONE_KEY],
  kept: [ROWS_KEY, ...measures.flatMap((key) => [key, countKey(key), leastKey(key), mostKey(key)])],
})

const columnNamed = (key: ColumnKey): Column => ({
  key,
  label: key,
  type: 'integer',
  role: 'measure',
  format: { style: 'plain' },
  hidden: false,
  fileIndex: 0,
})

/** An empty rollup of a dataset's rows as they are now. Call inside a transaction. */
export function beginRollup(context: WarehouseContext, dataset: LiveDataset, rollupShape: RollupShape): Rollup {
  const { unique, kept } = keysOf(rollupShape)
  const columns = [...unique, ...kept].map(columnNamed)
  const set = createTableSet(context, { datasetId: dataset.id, kind: 'rollup', columns })
  // An empty value is equal to another one here; no value is ever an empty blob.
  const by = unique.map((key) => `ifnull(${quotedName(key)}, x'')`).join(', ')
  context.sql.exec(`CREATE UNIQUE INDEX ${quotedName(`t${set.n}_u`)} ON ${groupTable(set, 0)} (${by})`)
  const rollup: Rollup = {
    n: set.n,
    datasetId: dataset.id,
    shape: rollupShape,
    tableSet: dataset.tableSet,
    dataVersion: dataset.dataVersion,
    state: 'building',
    nextRow: 1,
    rows: 0,
    whole: [],
  }
  saveRollup(context, rollup)
  return rollup
}

/** Cells that a rollup of so many rows takes: as many as it has columns in each. */
export const cellsOf = (rollupShape: RollupShape, rows: number): number => {
  const { unique, kept } = keysOf(rollupShape)
  return rows * (unique.length + kept.length)
}

/**
 * Adds the next rows to a rollup, and says whether it is done with. One transaction: a restart goes on from there.
 * One that comes to more cells than are left for it is refused.
 */
export function buildSlice(
  context: WarehouseContext,
  at: { rollup: Rollup; dataset: LiveDataset; world: CompileContext; rows?: number; cellsLeft?: number },
): Rollup {
  const { rollup, dataset } = at
  const live = { n: dataset.tableSet }
  const last = lastRowNumber(context, live)
  return context.transaction(() => {
    const to = rollup.nextRow + (at.rows ?? SLICE_ROWS)
    sqlExecutor(context.sql)(sliceSql(at.world, rollup, { from: rollup.nextRow, to }))
    const table = groupTable(rollup, 0)
    const rows = oneRow<{ n: number }>(context.sql, `SELECT count(*) AS n FROM ${table}`).n
    const read = Math.min(1, (to - 1) / Math.max(1, last))
    const next: Rollup = { ...rollup, nextRow: to, rows }
    const isLong = rows > Math.max(1000, dataset.rowCount * ROWS_SHARE_MAX * (read < 0.2 ? 0.6 : 1))
    if (isLong || cellsOf(rollup.shape, rows) > (at.cellsLeft ?? Infinity)) return markRefused(context, next)
    const done: Rollup = to > last ? { ...next, state: 'ready', whole: wholeMeasures(context, next) } : next
    saveRollup(context, done)
    return done
  })
}

/** Remembers that these rows do not fold into few, and lets the table go. */
function markRefused(context: WarehouseContext, rollup: Rollup): Rollup {
  dropRollup(context, rollup)
  const refused: Rollup = { ...rollup, state: 'refused' }
  saveRollup(context, refused)
  return refused
}

function wholeMeasures(context: WarehouseContext, { n, shape }: Rollup): ColumnKey[] {
  return shape.measures.filter((key) => {
    const empty = `SELECT EXISTS (SELECT 1 FROM ${groupTable({ n }, 0)} WHERE ${quotedName(countKey(key))} < ${quotedName(ROWS_KEY)}) AS found`
    return oneRow<{ found: number }>(context.sql, empty).found === 0
  })
}

function sliceSql(context: CompileContext, { n, datasetId, shape }: Rollup, rows: { from: number; to: number }): Sql {
  const source = sourceOf(context, datasetId)
  const column = (key: ColumnKey) => columnAt(source.root, key)
  const dims = shape.dims.map((key) =>
    column(key).type === 'datetime' ? sql`(${dayNumberOf(column(key))} * ${int(DAY_MS)})` : refOf(column(key)),
  )
  const splits = dims.length > 0 ? dims : [int(1)]
  const { unique, kept } = keysOf(shape)
  const named = splits.map((piece, i) => sql`${piece} AS ${name(`k${i}`)}`)
  const added = shape.measures.flatMap((key) => {
    const value = refOf(column(key))
    return [sql`sum(${value})`, sql`count(${value})`, sql`min(${value})`, sql`max(${value})`]
  })
  const inner = sql`SELECT *, ${join(named, ', ')} FROM ${context.from(source)} WHERE rid >= ${bind(rows.from)} AND rid < ${bind(rows.to)}`
  const groups = splits.map((_, i) => name(`k${i}`))
  const selected = join([...groups, sql`count(*)`, ...added], ', ')
  const target = join([...unique, ...kept].map(name), ', ')
  const conflict = join(
    unique.map((key) => sql`ifnull(${name(key)}, x'')`),
    ', ',
  )
  const updates = [
    sql`${name(ROWS_KEY)} = ${name(ROWS_KEY)} + excluded.${name(ROWS_KEY)}`,
    ...shape.measures.flatMap(mergeAssignments),
  ]
  return sql`INSERT INTO ${name(`t${n}`)} (${target}) SELECT ${selected} FROM (${inner}) WHERE 1 GROUP BY ${join(groups, ', ')} ON CONFLICT (${conflict}) DO UPDATE SET ${join(updates, ', ')}`
}

/** How what is known of a group takes in more of it. */
function mergeAssignments(key: ColumnKey): Sql[] {
  const [sum, count, least, most] = [key, countKey(key), leastKey(key), mostKey(key)].map(name)
  if (!sum || !count || !least || !most) return []
  const more = (column: Sql): Sql => sql`excluded.${column}`
  return [
    sql`${sum} = CASE WHEN ${sum} IS NULL THEN ${more(sum)} ELSE ${sum} + coalesce(${more(sum)}, 0) END`,
    sql`${count} = ${count} + ${more(count)}`,
    sql`${least} = min(coalesce(${least}, ${more(least)}), coalesce(${more(least)}, ${least}))`,
    sql`${most} = max(coalesce(${most}, ${more(most)}), coalesce(${more(most)}, ${most}))`,
  ]
}

/** How a rollup looks to the compiler: the dataset's columns that it holds, and what it knows of their rows. */
export function rolledDataset(dataset: LiveDataset, rollup: Rollup): LiveDataset {
  const { unique, kept } = keysOf(rollup.shape)
  const known = new Map(dataset.columns.map((column) => [column.key, column]))
  const columns = [...unique, ...kept].map((key): Column => {
    const { zoned: _moment, ...column } = known.get(key) ?? columnNamed(key)
    return column
  })
  return { ...dataset, tableSet: rollup.n, layout: [columns.map(({ key }) => key)], columns, rolled: true }
}

/** The world in which a rollup is built: all rows, in the calendar of whoever asked. */
export const buildingCalendar = (zone: string | null): Calendar => ({
  timeZone: zone ?? 'UTC',
  weekStart: 'monday',
  fiscalYearStart: 1,
  today: '1970-01-01',
})
