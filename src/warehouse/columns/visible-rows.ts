import { answered, longestChunk, type ColumnSources } from './column-table'
import { countFold, edgeOfNumbers } from './folds/folds'
import type { VisibleRows } from './kept-mask'
import { pacing } from './pacing'
import { rowScans } from './row-scan'
import { maskOf } from './vectors'
import { numberOf } from '../query/aggregates/amount'
import type { PlanContext } from '../query/query-context'
import type { QuerySteps } from '../scheduling/query-scheduler'
import type { ColumnKey } from '../../shared/data-sources/files'

/**
 * How many rows of a dataset the asker may see, and between which values some of their columns lie.
 * @throws ProductError `query_too_complex`
 */
export const visibleRows = (
  planContext: PlanContext,
  of: { dataset: string; columns: readonly ColumnKey[] },
  sources: ColumnSources,
): QuerySteps<VisibleRows> => answered(() => countVisible(planContext, of, sources))

function* countVisible(
  planContext: PlanContext,
  { dataset, columns }: { dataset: string; columns: readonly ColumnKey[] },
  sources: ColumnSources,
): QuerySteps<VisibleRows> {
  const source = rowScans(planContext, sources)(dataset)
  const kept = source.passing([]).rows[0]?.kept
  const known = kept?.seen(columns.join())
  if (known) return known
  const passes = source.rule() ?? maskOf(({ rows }, to) => void to.fill(1, 0, rows))
  const count = countFold(null)
  const ends = columns.map((key) => {
    const numbers = source.along([], key, false).numbers()
    const end = (which: 'min' | 'max') => edgeOfNumbers(numbers, which, (value) => value)
    return { key, min: end('min'), max: end('max') }
  })
  const folds = [count, ...ends.flatMap(({ min, max }) => [min, max])]
  const keys = new Int32Array(longestChunk(source.table))
  const isDue = pacing()
  for (const [chunk, rows] of source.table.chunks.entries()) {
    if (kept?.mayHold(chunk) === false) continue
    keys.set(passes({ chunk, rows }).subarray(0, rows))
    for (const fold of folds) fold.add({ chunk, rows }, keys)
    if (isDue(rows * folds.length)) yield
  }
  const at = (fold: (typeof folds)[number]): number | null => numberOf(fold.value(1))
  const bounds = Object.fromEntries(ends.map(({ key, min, max }) => [key, { min: at(min), max: at(max) }]))
  const seen = { count: at(count) ?? 0, bounds }
  kept?.keepSeen(columns.join(), seen, source.table.chunks.length)
  return seen
}
