import { pacing } from '../pacing'
import type { ColumnTable } from '../column-table'
import type { ChunkPlace, MaybeMask } from '../vectors'
import { compareTexts } from '../../query/aggregates/group-order'
import type { QuerySteps } from '../../scheduling/query-scheduler'

/** A number or a text by which a row is ordered; null is an empty cell, last whichever way. */
export type OrderValue = number | string | null
export interface OrderKey {
  dir: 'asc' | 'desc'
  /** Its values are texts: so many of these are held as fit. */
  isText?: true
  /** Values of a chunk's rows. What is handed out holds until another chunk is read. */
  values(place: ChunkPlace): (row: number) => OrderValue
}

/** Which rows are asked for, in what order, and which of them. */
export interface RowWindow {
  mask: MaybeMask
  /** Ties are in the order of the rows, and so are all rows without a key. */
  keys: readonly OrderKey[]
  offset: number
  limit: number
}
export interface OrderBounds {
  /** Rows before the page that are held beside it; a page further on is begun from its first row. */
  skippedMax: number
  /** Characters of the texts that rows are ordered by which are held; there are fewer rows on a page with more. */
  charsMax: number
}

/** Of looking at a row, and of each key it is put in order by, in rows of a sum. */
const ROW_WORK = 4

type RowTable = Pick<ColumnTable, 'chunks' | 'rows'>

/** The page's rows by their numbers from 0 on, in order, and how many rows there are on all pages. */
export function* rowsInOrder(
  table: RowTable,
  window: RowWindow,
  bounds: OrderBounds,
): QuerySteps<{ rows: number[]; count: number }> {
  const { mask, keys, offset, limit } = window
  if (keys.length === 0) return yield* rowsAsLoaded(table, window)
  // Texts before the page may be more than fit beside it.
  if (offset <= (keys.some(({ isText }) => isText) ? 0 : bounds.skippedMax)) {
    const first = new FirstRows(keys, { count: offset + limit, charsMax: bounds.charsMax, from: null })
    const count = yield* eachRow(table, { mask, keys }, (row, values) => first.add(row, values))
    return { rows: first.sorted().slice(offset), count }
  }
  const from = yield* rowAt(table, window)
  if (from === null) return { rows: [], count: yield* eachRow(table, { mask, keys: [] }, () => undefined) }
  const first = new FirstRows(keys, { count: limit, charsMax: bounds.charsMax, from })
  const count = yield* eachRow(table, { mask, keys }, (row, values) => first.add(row, values))
  return { rows: first.sorted(), count }
}

/** Without an order, nothing but the filters is read. */
function* rowsAsLoaded(
  table: RowTable,
  { mask, offset, limit }: RowWindow,
): QuerySteps<{ rows: number[]; count: number }> {
  const rows: number[] = []
  if (!mask) {
    for (let row = offset; row < Math.min(table.rows, offset + limit); row += 1) rows.push(row)
    return { rows, count: table.rows }
  }
  let seen = 0
  const count = yield* eachRow(table, { mask, keys: [] }, (row) => {
    if (seen >= offset && seen < offset + limit) rows.push(row)
    seen += 1
  })
  return { rows, count }
}

type Values = (row: number) => OrderValue
/** Calls back with every row that passes; answers how many these are. */
function* eachRow(
  { chunks }: RowTable,
  { mask, keys }: Pick<RowWindow, 'mask' | 'keys'>,
  take: (row: number, values: (key: number) => OrderValue) => void,
): QuerySteps<number> {
  let [before, count] = [0, 0]
  let own: Values[] = []
  let at = 0
  const isDue = pacing()
  const valueOf = (key: number): OrderValue => own[key]?.(at) ?? null
  for (const [chunk, rows] of chunks.entries()) {
    const place = { chunk, rows }
    const passes = mask?.(place)
    own = keys.map((key) => key.values(place))
    for (at = 0; at < rows; at += 1) {
      if (passes?.[at] === 0) continue
      count += 1
      take(before + at, valueOf)
    }
    before += rows
    if (isDue(rows * ROW_WORK * (1 + keys.length))) yield
  }
  return count
}

function compareOrdered(a: OrderValue, b: OrderValue, dir: OrderKey['dir']): number {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? 1 : -1
  const order = typeof a === 'string' && typeof b === 'string' ? compareTexts(a, b) : Number(a) - Number(b)
  return dir === 'asc' ? order : -order
}

/** Where a page begins: the values of its first row, and how many rows with the same are before it. */
interface PageStart {
  values: OrderValue[]
  ties: number
}

/** The first rows of an order: those that cannot be among them are looked at once and let go. */
class FirstRows {
  readonly #dirs: readonly OrderKey['dir'][]
  readonly #count: number
  readonly #charsMax: number
  readonly #from: PageStart | null
  readonly #values: OrderValue[][]
  #rows: number[] = []
  #last: OrderValue[] | null = null
  #ties = 0
  #chars = 0

  constructor(
    keys: readonly OrderKey[],
    { count, charsMax, from }: { count: number; charsMax: number; from: PageStart | null },
  ) {
    this.#dirs = keys.map(({ dir }) => dir)
    this.#count = count
    this.#charsMax = charsMax
    this.#from = from
    this.#values = keys.map(() => [])
  }

  add(row: number, valueOf: (key: number) => OrderValue): void {
    if (this.#last && this.#compareTo(this.#last, valueOf) >= 0) return
    if (this.#from) {
      const order = this.#compareTo(this.#from.values, valueOf)
      if (order < 0) return
      if (order === 0) {
        this.#ties += 1
        if (this.#ties <= this.#from.ties) return
      }
    }
    this.#rows.push(row)
    for (const [key, values] of this.#values.entries()) {
      const value = valueOf(key)
      values.push(value)
      if (typeof value === 'string') this.#chars += value.length
    }
    if (this.#rows.length >= this.#count * 2 + 64 || this.#chars > this.#charsMax * 2) this.#cut()
  }
  /** Of what is asked for beside values that are known. */
  #compareTo(known: readonly OrderValue[], valueOf: (key: number) => OrderValue): number {
    for (let key = 0; key < this.#dirs.length; key += 1) {
      const order = compareOrdered(valueOf(key), known[key] ?? null, this.#dirs[key] ?? 'asc')
      if (order !== 0) return order
    }
    return 0
  }

  /** Lets go of all but the first rows; of those, too, whose texts are more than may be held. */
  #cut(): void {
    const order = this.#order()
    const kept: number[] = []
    let chars = 0
    for (const place of order) {
      if (kept.length === this.#count || (chars > this.#charsMax && kept.length > 0)) break
      kept.push(place)
      for (const values of this.#values) {
        const value = values[place]
        if (typeof value === 'string') chars += value.length
      }
    }
    this.#rows = kept.map((place) => this.#rows[place] ?? 0)
    for (const [key, values] of this.#values.entries()) this.#values[key] = kept.map((place) => values[place] ?? null)
    this.#chars = chars
    if (kept.length < order.length) this.#last = this.#values.map((values) => values.at(-1) ?? null)
  }
  #order(): number[] {
    return this.#rows
      .map((_, place) => place)
      .sort((a, b) => {
        for (let key = 0; key < this.#dirs.length; key += 1) {
          const values = this.#values[key]
          const order = compareOrdered(values?.[a] ?? null, values?.[b] ?? null, this.#dirs[key] ?? 'asc')
          if (order !== 0) return order
        }
        return a - b
      })
  }

  sorted(): number[] {
    this.#cut()
    return this.#rows
  }
}

/** Values that rows are counted between in one reading. */
const PIVOTS = 512

/**
 * The row at which a page begins, found key by key: rows are counted between values taken from among them, until one
 * value is left. Null when there are not so many rows.
 */
function* rowAt(table: RowTable, { mask, keys, offset }: RowWindow): QuerySteps<PageStart | null> {
  const values: OrderValue[] = []
  let left = offset
  for (const [at, { dir }] of keys.entries()) {
    const own = keys.slice(0, at + 1)
    const among = (valueOf: (key: number) => OrderValue): boolean =>
      values.every((value, key) => valueOf(key) === value)
    const found = yield* valueAt(dir, left, (take) =>
      eachRow(table, { mask, keys: own }, (_row, valueOf) => {
        if (among(valueOf)) take(valueOf(at))
      }),
    )
    if (!found) return null
    values.push(found.value)
    left = found.left
  }
  return { values, ties: left }
}

type ReadAll = (take: (value: OrderValue) => void) => QuerySteps<unknown>

/** The value at a place in the order of all, and how many of the same are before that place. */
function* valueAt(
  dir: OrderKey['dir'],
  place: number,
  readAll: ReadAll,
): QuerySteps<{ value: OrderValue; left: number } | null> {
  let [low, high]: [OrderValue | undefined, OrderValue | undefined] = [undefined, undefined]
  let left = place
  for (;;) {
    const isInside = (value: OrderValue): boolean =>
      (low === undefined || compareOrdered(value, low, dir) > 0) &&
      (high === undefined || compareOrdered(value, high, dir) < 0)
    const pivots = yield* sample(dir, isInside, readAll)
    if (pivots.length === 0) return null
    // Counted: less than the first, equal to it, between it and the second …
    const counts = new Float64Array(pivots.length * 2 + 1)
    yield* readAll((value) => {
      if (!isInside(value)) return
      const at = cellOf(pivots, value, dir)
      counts[at] = (counts[at] ?? 0) + 1
    })
    let cell = 0
    while (cell < counts.length && left >= (counts[cell] ?? 0)) {
      left -= counts[cell] ?? 0
      cell += 1
    }
    if (cell === counts.length) return null
    const pivot = pivots[cell >> 1] ?? null
    if (cell % 2 === 1) return { value: pivot, left }
    if (cell > 0) low = pivots[(cell >> 1) - 1] ?? null
    if (cell < counts.length - 1) high = pivot
  }
}

/** Different values from among those inside, spread over all of them. */
function* sample(
  dir: OrderKey['dir'],
  isInside: (value: OrderValue) => boolean,
  readAll: ReadAll,
): QuerySteps<OrderValue[]> {
  let [step, seen]: [number, number] = [1, 0]
  let taken: OrderValue[] = []
  yield* readAll((value) => {
    if (!isInside(value)) return
    seen += 1
    if (seen % step !== 0) return
    taken.push(value)
    if (taken.length < PIVOTS * 2) return
    taken = taken.filter((_, at) => at % 2 === 1)
    step *= 2
  })
  const sorted = taken.sort((a, b) => compareOrdered(a, b, dir))
  return sorted.filter((value, at) => at === 0 || compareOrdered(value, sorted[at - 1] ?? null, dir) !== 0)
}

/** 2n + 1 for the value of the nth pivot, 2n for those before it. */
function cellOf(pivots: readonly OrderValue[], value: OrderValue, dir: OrderKey['dir']): number {
  let [from, to] = [0, pivots.length]
  while (from < to) {
    const middle = (from + to) >> 1
    const order = compareOrdered(value, pivots[middle] ?? null, dir)
    if (order === 0) return middle * 2 + 1
    if (order < 0) to = middle
    else from = middle + 1
  }
  return from * 2
}
