import { foldValue } from './fold-value'
import { TermIndexBuilder, type TermIndex } from './term-index'
import type { ColumnSources } from '../columns/column-table'
import type { ColumnVectors, RowSource } from '../columns/column-vectors'
import { ExceedsBounds } from '../columns/memory'
import { rowScans } from '../columns/row-scan'
import type { ChunkPlace, MaybeMask } from '../columns/vectors'
import type { PlanContext } from '../query/query-context'
import { PROFILED_VALUES_MAX, type ColumnProfile } from '../../shared/bot/values'
import type { Column } from '../../shared/data-sources/data-sources'
import type { ColumnKey } from '../../shared/data-sources/files'
import { DAY_MS, isoFromDay } from '../../shared/dates'
import type { Scalar } from '../../shared/query/plan'
import { ProductError } from '../../shared/errors'

/** Bytes that the index of one column may take: a million values of some letters. */
export const INDEX_MAX_BYTES = 40 * 2 ** 20
/** Values that are folded between two turns of others. */
const SLICE_VALUES = 20_000
/** Whole numbers are counted one by one while they lie in so many, and times as many as there are rows. */
const COUNTED_SPAN_MIN = 10_000
const COUNTED_SPAN_TIMES = 4

/** What of a dataset's values exists for who asks. */
export interface ValuesOfDataset {
  rowCount: number
  columns: ColumnProfile[]
  /** Of columns of text; absent: too many values to be held. */
  terms: ReadonlyMap<ColumnKey, TermIndex>
}

/**
 * Looks through the rows of a dataset that the asker may see. Between two steps others may have their turns as long as the
 * rows stay the same.
 */
export function* profileDataset(
  planContext: PlanContext,
  dataset: string,
  sources: ColumnSources,
): Generator<undefined, ValuesOfDataset> {
  const terms = new Map<ColumnKey, TermIndex>()
  const columns: ColumnProfile[] = []
  // Each column is a question of its own: what one holds is let go before the next.
  const sourceOf = (): RowSource => rowScans(planContext, sources)(dataset)
  const { dataset: live } = sourceOf()
  for (const column of live.columns) {
    if (column.mask || column.hidden) continue
    const found = yield* orNothing(() => profileColumn(sourceOf(), column))
    yield
    columns.push(found?.profile ?? { key: column.key })
    if (found?.terms) terms.set(column.key, found.terms)
  }
  const source = sourceOf()
  return { rowCount: yield* countRows(source, source.rule()), columns, terms }
}

interface ProfiledColumn {
  profile: ColumnProfile
  terms?: TermIndex
}

/** Null for columns whose values are too many, or cannot be worked out. */
function* orNothing(
  work: () => Generator<undefined, ProfiledColumn | null>,
): Generator<undefined, ProfiledColumn | null> {
  try {
    return yield* work()
  } catch (error) {
    if (error instanceof ExceedsBounds || error instanceof ProductError) return null
    throw error
  }
}

function* profileColumn(source: RowSource, column: Column): Generator<undefined, ProfiledColumn | null> {
  const passes = source.rule()
  const vectors = source.along([], column.key, false)
  // What a calculated column comes to is told by its own type.
  switch (vectors.column.type) {
    case 'text':
      return yield* profileTexts(source, vectors, passes)
    case 'date':
    case 'datetime':
      return { profile: { key: column.key, ...(yield* daysBetween(source, vectors, passes)) } }
    case 'integer':
    case 'boolean':
      return { profile: { key: column.key, ...(yield* countWhole(source, vectors, passes)) } }
    case 'number':
      return { profile: { key: column.key } }
  }
}

function* placesOf({ table }: RowSource): Generator<ChunkPlace> {
  for (const [chunk, rows] of table.chunks.entries()) yield { chunk, rows }
}

function* countRows(source: RowSource, passes: MaybeMask): Generator<undefined, number> {
  if (!passes) return source.table.chunks.reduce((sum, rows) => sum + rows, 0)
  let count = 0
  for (const place of placesOf(source)) {
    const marks = passes(place)
    for (let row = 0; row < place.rows; row += 1) count += marks[row] ?? 0
    yield
  }
  return count
}

function* profileTexts(
  source: RowSource,
  vectors: ColumnVectors,
  passes: MaybeMask,
): Generator<undefined, ProfiledColumn> {
  const texts = vectors.texts()
  const codesAt = texts.codes()
  let counts = new Int32Array(1024)
  for (const place of placesOf(source)) {
    const codes = codesAt(place)
    const marks = passes?.(place)
    let most = 0
    for (let row = 0; row < place.rows; row += 1) most = Math.max(most, codes[row] ?? 0)
    counts = withRoom(counts, most)
    for (let row = 0; row < place.rows; row += 1)
      if (!marks || marks[row] === 1) counts[codes[row] ?? 0] = 1 + (counts[codes[row] ?? 0] ?? 0)
    yield
  }
  const { key } = vectors.column
  const builder = new TermIndexBuilder()
  const first: [value: string, count: number][] = []
  let distinct = 0
  let isHeld = true
  for (let code = 1; code < counts.length; code += 1) {
    const count = counts[code] ?? 0
    if (count === 0) continue
    distinct += 1
    if (distinct % SLICE_VALUES === 0) yield
    const value = isHeld ? texts.wordAt(code) : null
    if (value === null) continue
    if (distinct <= PROFILED_VALUES_MAX) first.push([value, count])
    builder.add(value, foldValue(value), count)
    isHeld = builder.bytes <= INDEX_MAX_BYTES
  }
  const profile: ColumnProfile = { key, distinct, ...valuesOf(first, distinct) }
  return isHeld ? { profile, terms: builder.build() } : { profile }
}

function withRoom(counts: Int32Array<ArrayBuffer>, most: number): Int32Array<ArrayBuffer> {
  if (most < counts.length) return counts
  const more = new Int32Array(Math.max(most + 1, counts.length * 2))
  more.set(counts)
  return more
}

/** All values of a column with few. */
const valuesOf = (found: readonly (readonly [Scalar, number])[], distinct: number): Pick<ColumnProfile, 'values'> =>
  distinct > PROFILED_VALUES_MAX ? {} : { values: found.toSorted(([, a], [, b]) => b - a).map(([value]) => value) }

function* daysBetween(
  source: RowSource,
  vectors: ColumnVectors,
  passes: MaybeMask,
): Generator<undefined, Pick<ColumnProfile, 'from' | 'to'>> {
  const { key, type } = vectors.column
  const known = source.dataset.bounds[key]
  if (!passes && known) return { from: dayOf(known.min, type), to: dayOf(known.max, type) }
  const numbers = vectors.numbers()
  let [min, max]: [number | null, number | null] = [null, null]
  for (const place of placesOf(source)) {
    const values = numbers(place)
    const marks = passes?.(place)
    for (let row = 0; row < place.rows; row += 1) {
      const value = values[row] ?? Number.NaN
      if (Number.isNaN(value) || (marks && marks[row] !== 1)) continue
      min = min === null ? value : Math.min(min, value)
      max = max === null ? value : Math.max(max, value)
    }
    yield
  }
  return { from: dayOf(min, type), to: dayOf(max, type) }
}
const dayOf = (value: number | null, type: Column['type']): string | null =>
  value === null ? null : isoFromDay(type === 'date' ? value : Math.floor(value / DAY_MS))

/** Different whole numbers, where they lie close together. */
function* countWhole(
  source: RowSource,
  vectors: ColumnVectors,
  passes: MaybeMask,
): Generator<undefined, Pick<ColumnProfile, 'distinct' | 'values'>> {
  const { key, type } = vectors.column
  const { min = null, max = null } = type === 'boolean' ? { min: 0, max: 1 } : (source.dataset.bounds[key] ?? {})
  if (min === null || max === null || !Number.isSafeInteger(min)) return {}
  const rows = source.table.chunks.reduce((sum, each) => sum + each, 0)
  const span = max - min + 1
  if (span > Math.max(COUNTED_SPAN_MIN, rows * COUNTED_SPAN_TIMES)) return {}
  const counts = new Int32Array(span)
  const numbers = vectors.numbers()
  for (const place of placesOf(source)) {
    const values = numbers(place)
    const marks = passes?.(place)
    for (let row = 0; row < place.rows; row += 1) {
      const value = values[row] ?? Number.NaN
      if (Number.isNaN(value) || (marks && marks[row] !== 1)) continue
      counts[value - min] = 1 + (counts[value - min] ?? 0)
    }
    yield
  }
  const distinct = counts.reduce((sum, count) => (count > 0 ? sum + 1 : sum), 0)
  if (distinct > PROFILED_VALUES_MAX) return { distinct }
  const found: [Scalar, number][] = []
  for (const [at, count] of counts.entries())
    if (count > 0) found.push([type === 'boolean' ? at === 1 : min + at, count])
  return { distinct, ...valuesOf(found, distinct) }
}
