import type { GroupingMap, GroupingMapSpec } from './store'
import { NeedsRows } from '../columns/column-table'
import { oneRow, type WarehouseContext } from '../context'
import type { CompileContext } from '../query/sources/source'
import { columnAt, refOf, sourceOf } from '../query/sources/source'
import { unitColumn } from '../query/money/minor-units'
import { bind, name, sql, sqlExecutor } from '../query/sources/sql'
import { tableName } from '../physical-layout'
import { columnReader, type ColumnReader } from '../segments/column-reader'

/** Rows whose values are looked up in one go, where they stand in no column; between two, whatever waits for the object runs. */
const SLICE_ROWS = 50_000

/** Writes the different values of a column into a map, some rows at each step: from the column, else from the rows. */
export function* collectValues(
  context: WarehouseContext,
  need: GroupingMapSpec,
  { map, world }: { map: GroupingMap; world: () => CompileContext },
): Generator<void, void> {
  try {
    yield* fromColumn(context, readerOf(context, need), map)
  } catch (error) {
    if (!(error instanceof NeedsRows)) throw error
    yield* fromRows(context, need, { map, world })
  }
}

/** @throws NeedsRows for values that are worked out when rows are read */
function readerOf(context: WarehouseContext, { dataset, column: { key } }: GroupingMapSpec): ColumnReader {
  const stored = dataset.columns.find((column) => column.key === key)
  if (!stored || stored.computed || unitColumn(dataset, stored) !== null) throw new NeedsRows()
  return columnReader(context, { ...dataset, n: dataset.tableSet }, stored)
}

function* fromColumn(context: WarehouseContext, column: ColumnReader, map: GroupingMap): Generator<void, void> {
  const seen = new Set<number>()
  for (const chunk of column.chunks) {
    const { values, rows } = column.read(chunk)
    const added: number[] = []
    for (let i = 0; i < rows; i += 1) {
      const value = values[i] ?? Number.NaN
      if (seen.has(value) || Number.isNaN(value) || (column.isText && value === 0)) continue
      seen.add(value)
      added.push(value)
    }
    if (column.isText)
      insertAll(
        context,
        map,
        added.map((code) => column.words()[code - 1] ?? ''),
      )
    else insertNumbers(context, map, added)
    yield
  }
}

/** A text that one parameter can carry has two megabytes, a letter up to six bytes. */
const PART_CHARS = 300_000
function insertAll({ sql: store }: WarehouseContext, { n }: GroupingMap, values: readonly (string | number)[]): void {
  const insert = `INSERT OR IGNORE INTO gm${n} (gv) SELECT value FROM json_each(?)`
  let [part, chars]: [(string | number)[], number] = [[], 0]
  for (const value of values) {
    part.push(value)
    chars += String(value).length + 1
    if (chars < PART_CHARS) continue
    store.exec(insert, JSON.stringify(part))
    ;[part, chars] = [[], 0]
  }
  if (part.length > 0) store.exec(insert, JSON.stringify(part))
}

const PARAMETERS = 90
/** Others than whole numbers go as they are: their text may be another number. */
function insertNumbers(context: WarehouseContext, map: GroupingMap, values: readonly number[]): void {
  insertAll(context, map, values.filter(Number.isSafeInteger))
  const others = values.filter((value) => !Number.isSafeInteger(value))
  for (let at = 0; at < others.length; at += PARAMETERS) {
    const some = others.slice(at, at + PARAMETERS)
    context.sql.exec(`INSERT OR IGNORE INTO gm${map.n} (gv) VALUES ${some.map(() => '(?)').join(', ')}`, ...some)
  }
}

function* fromRows(
  context: WarehouseContext,
  { dataset, column }: GroupingMapSpec,
  { map, world }: { map: GroupingMap; world: () => CompileContext },
): Generator<void, void> {
  const rows = tableName(dataset.tableSet, 0)
  const last = oneRow<{ r: number | null }>(context.sql, `SELECT max(rowid) AS r FROM ${rows}`).r ?? 0
  for (let from = 1; from <= last; from += SLICE_ROWS) {
    const of = world()
    const source = sourceOf(of, dataset.id)
    const value = refOf(columnAt(source.root, column.key))
    const slice = sql`${of.from(source)} WHERE rid >= ${bind(from)} AND rid < ${bind(from + SLICE_ROWS)} AND ${value} IS NOT NULL`
    sqlExecutor(context.sql)(
      sql`INSERT OR IGNORE INTO ${name(`gm${map.n}`)} (gv) SELECT DISTINCT ${value} FROM ${slice}`,
    )
    yield
  }
}
