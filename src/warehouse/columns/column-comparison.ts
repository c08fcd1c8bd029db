import type { ColumnVectors, FilterSource } from './column-vectors'
import { storedNumber, vectorNumber } from './number-expressions'
import { above, allOf, anyOf, below, emptyNumbers, maskOf, noneOf, numbersOf, within } from './vectors'
import type { Mask, Numbers } from './vectors'
import { compareTexts } from '../query/windows/windows'
import type { ComparisonOperator, Field } from '../../shared/query/plan'

/** A condition that compares two columns of a row: two empty cells are the same, and no more or less than anything. */
export function comparedColumns(
  source: FilterSource,
  { field, compare, other }: { field: Field; compare: ComparisonOperator; other: Field },
): Mask {
  const [left, right] = [source.field(field), source.field(other)]
  const { type } = left.column
  if (type === 'integer' || type === 'number') return comparedNumbers(source, { field, compare, other })
  return comparedMask(compare, ...(type === 'text' ? ranked(left, right) : comparable(left, right)))
}

/** By their difference: it is worked out as exactly as a calculation is. */
function comparedNumbers(
  source: FilterSource,
  { field, compare, other }: { field: Field; compare: ComparisonOperator; other: Field },
): Mask {
  const sides = { left: { kind: 'field', field }, right: { kind: 'field', field: other } } as const
  const { numbers } = vectorNumber(
    { kind: 'binary', op: 'subtract', ...sides },
    { number: (each) => storedNumber(source.field(each)), days: (each) => source.field(each).days() },
  )
  const empties = allOf([field, other].map((each) => emptyNumbers(source.field(each).numbers())))
  const same = anyOf([within(numbers, 0, 0), ...(empties ? [empties] : [])])
  switch (compare) {
    case 'eq':
      return same
    case 'ne':
      return noneOf(same)
    case 'lt':
      return below(numbers, 0)
    case 'le':
      return within(numbers, -Infinity, 0)
    case 'gt':
      return above(numbers, 0)
    case 'ge':
      return within(numbers, 0, Infinity)
  }
}

function comparable(a: ColumnVectors, b: ColumnVectors): [Numbers, Numbers] {
  const [one, two] = [a.column, b.column]
  const isTemporal = one.type === 'date' || one.type === 'datetime'
  if (!isTemporal || (one.type === two.type && one.zoned === two.zoned)) return [a.numbers(), b.numbers()]
  return one.type === 'date' || two.type === 'date' ? [a.days(), b.days()] : [a.wall(), b.wall()]
}

/** Texts of two dictionaries by their place among those of both. */
function ranked(a: ColumnVectors, b: ColumnVectors): [Numbers, Numbers] {
  const sorted = [...new Set([...a.words(), ...b.words()])].sort(compareTexts)
  const places = new Map(sorted.map((word, at) => [word, at]))
  const numbersBy = (column: ColumnVectors): Numbers => {
    const table = Float64Array.from([Number.NaN, ...column.words().map((word) => places.get(word) ?? Number.NaN)])
    const codes = column.codes()
    return numbersOf((place, to) => {
      const own = codes(place)
      for (let i = 0; i < place.rows; i += 1) to[i] = table[own[i] ?? 0] ?? Number.NaN
    })
  }
  return [numbersBy(a), numbersBy(b)]
}

function comparedMask(compare: ComparisonOperator, left: Numbers, right: Numbers): Mask {
  const mark = MARKS[compare]
  return maskOf((place, to) => mark(to, left(place), right(place), place.rows))
}
type Mark = (to: Uint8Array, a: Float64Array, b: Float64Array, rows: number) => void
const MARKS: Record<ComparisonOperator, Mark> = {
  eq: (to, a, b, rows) => markSame(to, a, b, rows),
  ne(to, a, b, rows) {
    markSame(to, a, b, rows)
    for (let i = 0; i < rows; i += 1) to[i] = (to[i] ?? 0) ^ 1
  },
  lt: (to, a, b, rows) => markLess(to, a, b, rows),
  le: (to, a, b, rows) => markAtMost(to, a, b, rows),
  gt: (to, a, b, rows) => markLess(to, b, a, rows),
  ge: (to, a, b, rows) => markAtMost(to, b, a, rows),
}
function markSame(to: Uint8Array, a: Float64Array, b: Float64Array, rows: number): void {
  for (let i = 0; i < rows; i += 1) {
    const [x, y] = [a[i] ?? Number.NaN, b[i] ?? Number.NaN]
    to[i] = x === y || (Number.isNaN(x) && Number.isNaN(y)) ? 1 : 0
  }
}
function markLess(to: Uint8Array, a: Float64Array, b: Float64Array, rows: number): void {
  for (let i = 0; i < rows; i += 1) to[i] = (a[i] ?? Number.NaN) < (b[i] ?? Number.NaN) ? 1 : 0
}
function markAtMost(to: Uint8Array, a: Float64Array, b: Float64Array, rows: number): void {
  for (let i = 0; i < rows; i += 1) to[i] = (a[i] ?? Number.NaN) <= (b[i] ?? Number.NaN) ? 1 : 0
}
