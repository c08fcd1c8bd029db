import { ExceedsBounds } from '../columns/memory'
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
    if (known > counts.length) {
      const lengthened = new Uint8Array(known * 2)
      lengthened.set(counts)
      counts = lengthened
    }
    const seen = countCodes(counts, codes, of)
    rows += of
    filled += seen.filled
    duplicates += seen.duplicates
  })
  const words = column.words()
  let known: Set<string> | null = null
  const present = (): Set<string> => (known ??= new Set(words.filter((_, at) => counts[at + 1] !== 0)))
  const hasText = (key: string): boolean => present().has(key)
  const hasNumber = (key: number): boolean => present().has(String(key))
  return { rows, filled, duplicates, least: Infinity, most: -Infinity, hasText, hasNumber }
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
  const { min, max } = column.bounds
  const fits = min !== null && max !== null && max - min < SPAN_MAX
  const table = fits ? yield* keysInTable(column, { min, max }) : null
  const found = table ?? (yield* keysInOrder(column))
  return { ...found, hasText: (key) => isWritten(key) && found.hasNumber(Number(key)) }
}
/** Whether a text is how a whole number is written. */
const isWritten = (text: string): boolean => Number.isSafeInteger(Number(text)) && String(Number(text)) === text

type NumberKeys = Omit<KeySet, 'hasText'>
/** Whole keys this close to each other have a place each in a table. */
const SPAN_MAX = 2 ** 24

/** Null when a key is no whole number, or outside the bounds. */
function* keysInTable(column: ColumnReader, { min, max }: { min: number; max: number }): Steps<NumberKeys | null> {
  const counts = new Uint8Array(max - min + 1)
  const seen = { rows: 0, filled: 0, duplicates: 0, least: Infinity, most: -Infinity }
  for (const chunk of column.chunks) {
    const { values, rows } = column.read(chunk)
    for (let i = 0; i < rows; i += 1) {
      const key = values[i] ?? Number.NaN
      if (Number.isNaN(key)) continue
      const count = counts[key - min]
      if (count === undefined) return null
      seen.filled += 1
      if (key < seen.least) seen.least = key
      if (key > seen.most) seen.most = key
      if (count === 1) seen.duplicates += 1
      if (count < 2) counts[key - min] = count + 1
    }
    seen.rows += rows
    yield
  }
  return { ...seen, hasNumber: (key) => (counts[key - min] ?? 0) > 0 }
}

/** Keys that are sorted, 32 megabytes of them. */
const SORTED_MAX = 2 ** 22

function* keysInOrder(column: ColumnReader): Steps<NumberKeys> {
  let [rows, filled] = [0, 0]
  let all = new Float64Array(1024)
  yield* eachChunk(column, (values, of) => {
    if (filled + of > all.length) all = longer(all, filled + of)
    rows += of
    filled = addFilled(all, filled, values, of)
  })
  const keys = all.subarray(0, filled).sort()
  let duplicates = 0
  for (let i = 1; i < filled; i += 1)
    if (keys[i] === keys[i - 1] && (i === 1 || keys[i - 1] !== keys[i - 2])) duplicates += 1
  const [least = Infinity, most = -Infinity] = [keys[0], keys[filled - 1]]
  return { rows, filled, duplicates, least, most, hasNumber: (key) => isAmong(keys, key) }
}
function longer(keys: Float64Array<ArrayBuffer>, length: number): Float64Array<ArrayBuffer> {
  if (length > SORTED_MAX) throw new ExceedsBounds()
  const made = new Float64Array(Math.min(length * 2, SORTED_MAX))
  made.set(keys)
  return made
}
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
function isAmong(sorted: Float64Array, key: number): boolean {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < key) low = middle + 1
    else high = middle
  }
  return sorted[low] === key
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
