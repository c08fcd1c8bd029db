import { oneRow, type WarehouseContext } from '../context'
import { groupTable, lastRowNumber, quotedName, type TableSet } from '../tables'
import type { ColumnKey } from '../../shared/data-sources/files'
import { hasBounds, type ColumnBounds } from '../contract'

const SLICE_ROWS = 100_000
/** Two results a column, and a result holds at most 100. */
const COLUMNS_PER_QUERY = 40
type Bounds = TableSet['bounds']

/** Bounds of every column that has them: those that are known, the others read in slices so that waiting calls go between. */
export async function measureBounds(context: WarehouseContext, set: TableSet): Promise<Bounds> {
  let bounds: Bounds = set.bounds
  const missing = new Set(set.columns.filter((c) => hasBounds(c) && !set.bounds[c.key]).map(({ key }) => key))
  if (missing.size === 0) return bounds
  const last = lastRowNumber(context, set)
  for (let after = 0; after < last; after += SLICE_ROWS) {
    for (const group of set.layout.keys())
      bounds = mergeBounds(bounds, sliceBounds(context, set, { group, after, missing }))
    await context.pause()
  }
  return bounds
}

interface Slice {
  group: number
  after: number
  /** Columns whose bounds are looked for. */
  missing: ReadonlySet<ColumnKey>
}

function sliceBounds(context: WarehouseContext, set: TableSet, at: Slice): Bounds {
  const keys = (set.layout[at.group] ?? []).filter((key) => at.missing.has(key))
  const bounds: Record<ColumnKey, ColumnBounds> = {}
  for (let from = 0; from < keys.length; from += COLUMNS_PER_QUERY) {
    const some = keys.slice(from, from + COLUMNS_PER_QUERY)
    const fields = some
      .map((key) => `min(${quotedName(key)}) AS min_${key}, max(${quotedName(key)}) AS max_${key}`)
      .join(', ')
    const query = `SELECT ${fields} FROM ${groupTable(set, at.group)} WHERE r > ? AND r <= ?`
    const row = oneRow<Record<string, number | null>>(context.sql, query, at.after, at.after + SLICE_ROWS)
    for (const key of some) bounds[key] = { min: row[`min_${key}`] ?? null, max: row[`max_${key}`] ?? null }
  }
  return bounds
}

const lesser = (a: number | null, b: number | null): number | null => (a === null ? b : b === null ? a : Math.min(a, b))
const greater = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.max(a, b)

/** Bounds that hold for the values of both. */
export function mergeBounds(a: Bounds, b: Bounds): Bounds {
  const merged: Bounds = { ...a }
  for (const [key, bounds] of Object.entries(b)) {
    if (!bounds) continue
    const column: ColumnKey = `c${Number(key.slice(1))}`
    const old = merged[column]
    merged[column] = old ? { min: lesser(old.min, bounds.min), max: greater(old.max, bounds.max) } : bounds
  }
  return merged
}
