import type { ColumnVectors, RowSource } from '../column-vectors'
import { DenseKeys, GrowingKeys, HashedKeys, type KeyKind, type KeyPlaces } from './key-places'
import {
  comparesTexts,
  compositeNumbers,
  firstOfText,
  keyNumbers,
  secondOfText,
  type KeyColumn,
  type KeyNumbers,
} from './key-numbers'
import { pacing } from '../pacing'
import { codesByCode, codesOf, type ChunkPlace, type Codes } from '../vectors'
import type { QuerySteps } from '../../scheduling/query-scheduler'

/** Of putting a key in its place, in rows of a sum. */
const KEY_WORK = 16

export type KeySource = Pick<RowSource, 'rule' | 'table' | 'holdBytes'>
export interface KeyColumns extends KeyColumn {
  /** Further columns of a key of several. */
  further?: readonly KeyColumn[]
}

/** The keys of one end against the other's, pair by pair. */
export function keyColumns(own: readonly ColumnVectors[], others: readonly ColumnVectors[]): KeyColumns {
  const [first, ...further] = own.flatMap((from, at): KeyColumn[] => {
    const other = others[at]
    return other ? [{ from, other: other.column }] : []
  })
  if (!first) throw new TypeError('A relation has a key.')
  return further.length > 0 ? { ...first, further } : first
}

const isComposite = ({ further = [] }: KeyColumns): boolean => further.length > 0
const numbersOfKeys = (columns: KeyColumns): ((place: ChunkPlace) => KeyNumbers) =>
  isComposite(columns)
    ? compositeNumbers([columns, ...(columns.further ?? [])])
    : keyNumbers(columns.from, comparesTexts(columns.from.column, columns.other))

/**
 * The rows of the one side of a relation by their keys, of those that the asker may see. Keys are in one row each while a
 * relation is confirmed; until that is counted again after a load, the first row of a key stands for it.
 */
export function* rowsByKey(source: KeySource, columns: KeyColumns): QuerySteps<KeyPlaces> {
  const { rows } = source.table
  const keys = yield* keyKind(source, columns, (count) => count * 2)
  if (keys.dense) return yield* filledWith(source, columns, denseKeys(source, keys.dense))
  source.holdBytes(HashedKeys.bytes(keys.kind, rows))
  return yield* filledWith(source, columns, new HashedKeys(keys.kind, rows))
}

/** Whole numbers less far apart are kept by what they are: 32 MB. */
const SPAN_MAX = 2 ** 23

/** The different keys of the rows that the asker may see. */
export function* keySet(source: KeySource, columns: KeyColumns): QuerySteps<KeyPlaces> {
  const keys = yield* keyKind(source, columns, () => SPAN_MAX)
  const empty = keys.dense
    ? denseKeys(source, keys.dense)
    : new GrowingKeys(keys.kind, (bytes) => source.holdBytes(bytes))
  return yield* filledWith(source, columns, empty)
}

interface Span {
  least: number
  most: number
}
function denseKeys(source: KeySource, span: Span): KeyPlaces {
  source.holdBytes((span.most - span.least + 1) * Int32Array.BYTES_PER_ELEMENT)
  return new DenseKeys(span)
}

/** @param spanMax how far apart so many keys are at most for a place each */
function* keyKind(
  { table }: KeySource,
  columns: KeyColumns,
  spanMax: (count: number) => number,
): QuerySteps<{ kind: KeyKind; dense: Span | null }> {
  const { from, other } = columns
  if (isComposite(columns) || comparesTexts(from.column, other)) return { kind: { kind: 'text' }, dense: null }
  const numbers = from.numbers()
  let [least, most, count, isWhole] = [Infinity, -Infinity, 0, true]
  const isDue = pacing()
  for (const [chunk, rows] of table.chunks.entries()) {
    const values = numbers({ chunk, rows })
    for (let i = 0; i < rows; i += 1) {
      const value = values[i] ?? Number.NaN
      if (Number.isNaN(value)) continue
      count += 1
      if (value < least) least = value
      if (value > most) most = value
      isWhole &&= Number.isSafeInteger(value)
    }
    if (isDue(rows * 2)) yield
  }
  const span = most - least + 1
  if (count === 0 || !isWhole || span >= 2 ** 32) return { kind: { kind: 'number' }, dense: null }
  return { kind: { kind: 'whole', least }, dense: span <= spanMax(count) ? { least, most } : null }
}

function* filledWith(source: KeySource, columns: KeyColumns, keys: KeyPlaces): QuerySteps<KeyPlaces> {
  const rule = source.rule()
  const numbers = numbersOfKeys(columns)
  const isDue = pacing()
  let before = 0
  for (const [chunk, rows] of source.table.chunks.entries()) {
    const place = { chunk, rows }
    const passes = rule?.(place)
    const { firsts, seconds } = numbers(place)
    for (let i = 0; i < rows; i += 1) {
      const first = firsts[i] ?? Number.NaN
      if (passes?.[i] !== 0 && !Number.isNaN(first)) keys.put(before + i, first, seconds[i] ?? 0)
    }
    before += rows
    if (isDue(rows * KEY_WORK)) yield
  }
  return keys
}

/** The place of each row's key; −1: it is not there, or the row has none. */
export function keyPlaces(keys: KeyPlaces, columns: KeyColumns): Codes {
  if (hasDictionary(columns)) return placesByCode(columns.from, codePlaces(keys, columns))
  const numbers = numbersOfKeys(columns)
  return codesOf((place, to) => {
    const { firsts, seconds } = numbers(place)
    for (let i = 0; i < place.rows; i += 1) {
      const first = firsts[i] ?? Number.NaN
      to[i] = Number.isNaN(first) ? -1 : keys.find(first, seconds[i] ?? 0)
    }
  })
}

/** Whether keys are texts of one column, each of which has a code. */
export const hasDictionary = (columns: KeyColumns): boolean =>
  !isComposite(columns) && columns.from.column.type === 'text' && !columns.from.texts().cells()

/** The place of each text of a dictionary, by its code. */
export function codePlaces(keys: KeyPlaces, { from }: KeyColumns): Int32Array {
  const texts = from.texts()
  const places = new Int32Array(texts.count() + 1).fill(-1)
  for (let code = 1; code < places.length; code += 1) {
    const text = texts.wordAt(code) ?? ''
    places[code] = keys.find(firstOfText(text), secondOfText(text))
  }
  return places
}
export function placesByCode(from: ColumnVectors, places: Int32Array): Codes {
  return codesByCode(from.texts().codes(), places)
}
