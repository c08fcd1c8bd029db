import type { ColumnReader } from '../segments/column-reader'

/** The keys of a column: what stands in its cells, empty ones are none. */
export interface KeySet {
  rows: number
  /** Rows with a key. */
  filled: number
  /** Keys that stand in more than one row. */
  duplicates: number
  /** Bounds of keys that are numbers. */
  least: number
  most: number
  hasNumber(key: number): boolean
  hasText(key: string): boolean
}

/** Others may have their turns after each chunk. */
type Steps<T> = Generator<void, T>

export const keySetOf = (column: ColumnReader): Steps<KeySet> => (column.isText ? textKeys(column) : numberKeys(column))

function* eachChunk(column: ColumnReader, take: (values: Float64Array, rows: number) => void): Steps<void> {
  for (const chunk of column.chunks) {
    const { values, rows } = column.read(chunk)
    take(values, rows)
    yield
  }
}

function* textKeys(column: ColumnReader): Steps<KeySet> {
  let [rows, filled, duplicates] = [0, 0, 0]
  let counts = new Uint8Array(column.words().length + 1)
  yield* eachChunk(column, (codes, of) => {
    const known = column.words().length + 1
    if (known > counts.length) counts = lengthened(counts, known)
    const seen = countCodes(counts, codes, of)
    rows += of
    filled += seen.filled
    duplicates += seen.duplicates
  })
  const words = column.words()
  const present = new Set(words.filter((_, at) => counts[at + 1] !== 0))
  const hasText = (key: string): boolean => present.has(key)
  const hasNumber = (key: number): boolean => present.has(String(key))
  return { rows, filled, duplicates, least: Infinity, most: -Infinity, hasText, hasNumber }
}
function lengthened(counts: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> {
  const longer = new Uint8Array(length * 2)
  longer.set(counts)
  return longer
}
/** Counts go up to 2: more is no other answer. */
function countCodes(counts: Uint8Array, codes: Float64Array, rows: number): { filled: number; duplicates: number } {
  let [filled, duplicates] = [0, 0]
  for (let i = 0; i < rows; i += 1) {
    const code = codes[i] ?? 0
    if (code === 0) continue
    filled += 1
    const count = counts[code] ?? 0
    if (count === 1) duplicates += 1
    if (count < 2) counts[code] = count + 1
  }
  return { filled, duplicates }
}

function* numberKeys(column: ColumnReader): Steps<KeySet> {
  let [rows, filled] = [0, 0]
  let all = new Float64Array(1024)
  yield* eachChunk(column, (values, of) => {
    if (filled + of > all.length) {
      const longer = new Float64Array((filled + of) * 2)
      longer.set(all)
      all = longer
    }
    rows += of
    filled = addFilled(all, filled, values, of)
  })
  const keys = all.subarray(0, filled)
  const ends = boundsOf(keys)
  const found = ends.isWhole && ends.most - ends.least < SPAN_MAX ? inTable(keys, ends) : inOrder(keys)
  return { rows, filled, ...ends, ...found, hasText: (key) => isWritten(key) && found.hasNumber(Number(key)) }
}
/** Whether a text is how a whole number is written. */
const isWritten = (text: string): boolean => Number.isSafeInteger(Number(text)) && String(Number(text)) === text

function addFilled(to: Float64Array, from: number, values: Float64Array, rows: number): number {
  let at = from
  for (let i = 0; i < rows; i += 1) {
    const value = values[i] ?? Number.NaN
    if (Number.isNaN(value)) continue
    to[at] = value
    at += 1
  }
  return at
}
function boundsOf(keys: Float64Array): { least: number; most: number; isWhole: boolean } {
  let [least, most, isWhole] = [Infinity, -Infinity, true]
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i] ?? 0
    if (key < least) least = key
    if (key > most) most = key
    if (!Number.isSafeInteger(key)) isWhole = false
  }
  return { least, most, isWhole }
}

type FoundKeys = Pick<KeySet, 'duplicates' | 'hasNumber'>
/** Whole keys this close to each other have a place each in a table. */
const SPAN_MAX = 2 ** 24

function inTable(keys: Float64Array, { least, most }: { least: number; most: number }): FoundKeys {
  const counts = new Uint8Array(Math.max(0, most - least + 1))
  let duplicates = 0
  for (let i = 0; i < keys.length; i += 1) {
    const at = (keys[i] ?? 0) - least
    const count = counts[at] ?? 0
    if (count === 1) duplicates += 1
    if (count < 2) counts[at] = count + 1
  }
  return { duplicates, hasNumber: (key) => (counts[key - least] ?? 0) > 0 }
}

function inOrder(keys: Float64Array): FoundKeys {
  keys.sort()
  let duplicates = 0
  for (let i = 1; i < keys.length; i += 1)
    if (keys[i] === keys[i - 1] && (i === 1 || keys[i - 1] !== keys[i - 2])) duplicates += 1
  const hasNumber = (key: number): boolean => {
    let [low, high] = [0, keys.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((keys[middle] ?? 0) < key) low = middle + 1
      else high = middle
    }
    return keys[low] === key
  }
  return { duplicates, hasNumber }
}

/** How many rows of a column have a key, and how many of these find theirs. */
export interface KeyMatches {
  filled: number
  matched: number
}
export function* matchesOf(column: ColumnReader, keys: KeySet): Steps<KeyMatches> {
  let [filled, matched] = [0, 0]
  const finds = finderOf(column, keys)
  yield* eachChunk(column, (values, rows) => {
    for (let i = 0; i < rows; i += 1) {
      const found = finds(values[i] ?? Number.NaN)
      if (found === null) continue
      filled += 1
      if (found) matched += 1
    }
  })
  return { filled, matched }
}

/** Of the first rows with a key, the share of different keys that are found; null without any. */
export function sampledShare(column: ColumnReader, keys: KeySet, most: { rows: number; keys: number }): number | null {
  const finds = finderOf(column, keys)
  let found = 0
  const different = firstKeys(column, most, (key) => {
    if (finds(key) === true) found += 1
  })
  return different.size === 0 ? null : found / different.size
}

/** Whether the first rows with a key have different ones. */
export function firstAreUnique(column: ColumnReader, rows: number): boolean {
  const { seen, size } = firstKeys(column, { rows, keys: rows }, () => undefined)
  return seen > 0 && seen === size
}

/** The different keys of the first rows that have one. */
function firstKeys(
  column: ColumnReader,
  most: { rows: number; keys: number },
  take: (key: number) => void,
): { seen: number; size: number } {
  const different = new Set<number>()
  let seen = 0
  for (const chunk of column.chunks) {
    const { values, rows } = column.read(chunk)
    for (let i = 0; i < rows; i += 1) {
      const key = values[i] ?? Number.NaN
      if (Number.isNaN(key) || (column.isText && key === 0)) continue
      if (seen === most.rows || different.size === most.keys) return { seen, size: different.size }
      seen += 1
      if (different.has(key)) continue
      different.add(key)
      take(key)
    }
  }
  return { seen, size: different.size }
}

/** Whether a cell's key is found; null where the cell is empty. Each text is looked up once. */
function finderOf(column: ColumnReader, keys: KeySet): (cell: number) => boolean | null {
  if (!column.isText) return (value) => (Number.isNaN(value) ? null : keys.hasNumber(value))
  const known: (boolean | undefined)[] = []
  return (code) => {
    if (code === 0) return null
    const found = known[code] ?? keys.hasText(column.words()[code - 1] ?? '')
    known[code] = found
    return found
  }
}
