/**
 * When an answer has the rows that a golden question wants.
 *
 * - Columns: those the answer shows (`shown` of its reading; all of them when it names none), in any order and under any
 *   name. Each wanted column is one of them, and none is left over. An answer that has more columns beside the wanted
 *   ones has the right figures, but is counted apart: `more`.
 * - Rows: the same ones, each as often. Their order counts when it is said to, and rows that tie in what they are ordered
 *   by stand in any order. Where the golden answer was cut among ties (“top 3”), another row of the same tie is as right.
 * - Numbers: equal to a millionth, or to the tolerance the set names. A text that is a number equals that number. What a
 *   column shows as a percentage equals both 0.06 and 6.
 * - Dates: a day equals the midnight that begins it. A unit of time equals the day it begins and the usual ways to write
 *   it (2023-01, Q1 2023, January); a weekday its English name and its number from Sunday (0).
 * - Texts: equal letter by letter. A name that the answer shows in two columns equals the two joined by a space.
 * - True and false equal 1 and 0; an empty text equals no value.
 */
import type { Cell, ResultColumn } from '../../src/shared/query/result'

export type WantedCell = string | number | boolean | null
export interface WantedRows {
  columns: readonly string[]
  rows: WantedCell[][]
  ordered: boolean
  /** Of the statement that made them, the order's terms are read; none: what the rows themselves are sorted by counts. */
  sql?: string | undefined
}
/** An answer as it is shown: its columns, and beside them what only sorts. */
export interface ShownRows {
  columns: readonly ResultColumn[]
  rows: readonly Cell[][]
  /** Keys of the columns that are shown; absent: all. */
  shown?: readonly string[] | undefined
  /** Position of the column that the rows are sorted by first, where it is one of the answer's. */
  sortedBy?: number | undefined
}
export interface Tolerance {
  relative: number
  absolute: number
}
/** A millionth, as the golden sets say. */
export const MILLIONTH: Tolerance = { relative: 1e-6, absolute: 1e-9 }

/** `more`: the right rows with further columns. `different`: what differs, in words. */
export type Comparison = { kind: 'same' } | { kind: 'more' } | { kind: 'different'; why: string[] }

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
]

/** The ways a value of a column may be written. */
function writingsOf(cell: Cell, column: ResultColumn): WantedCell[] {
  if (cell === null || cell === '') return [null]
  const { grain, part, names, groups, format } = column
  if (names) return [names.of[String(cell)] ?? cell]
  if (groups) return [groups.find(({ id }) => id === cell)?.name ?? cell]
  if (part === 'weekday') return [WEEKDAYS[Number(cell) - 1] ?? cell, Number(cell) % 7, Number(cell)]
  if (part === 'monthOfYear') return [Number(cell), MONTHS[Number(cell) - 1] ?? cell]
  if (grain !== undefined && typeof cell === 'string') return [cell, ...unitWritings(cell, grain)]
  if (format.style === 'percent' && Number.isFinite(Number(cell))) return [cell, Number(cell) * 100]
  return [cell]
}

function unitWritings(cell: string, grain: NonNullable<ResultColumn['grain']>): WantedCell[] {
  const [year = '', month = ''] = cell.split('-')
  const quarter = Math.ceil(Number(month) / 3)
  const name = MONTHS[Number(month) - 1] ?? ''
  const writings: Partial<Record<typeof grain, WantedCell[]>> = {
    year: [Number(year)],
    quarter: [`${year}-Q${quarter}`, `${year}Q${quarter}`, `Q${quarter} ${year}`, quarter],
    month: [`${year}-${month}`, Number(month), name, `${name} ${year}`],
  }
  return writings[grain] ?? []
}

const isNumberText = (text: string): boolean => /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text.trim())
/** A moment without what says nothing: midnight, the letter between day and time, seconds of zero. */
const momentOf = (text: string): string =>
  text
    .trim()
    .replace(/^(\d{4}-\d\d-\d\d)T/, '$1 ')
    .replace(/(\.0+)?Z?$/, (end, _zeros, at: number) => (at > 10 ? '' : end))
    .replace(/^(\d{4}-\d\d-\d\d \d\d:\d\d):00$/, '$1')
    .replace(/^(\d{4}-\d\d-\d\d) 00:00$/, '$1')

function isSameValue(got: WantedCell, wanted: WantedCell, { relative, absolute }: Tolerance): boolean {
  const plain = (value: WantedCell): WantedCell => (value === '' ? null : value)
  const [a, b] = [plain(got), plain(wanted)]
  if (a === null || b === null) return a === b
  const numberOf = (value: string | number | boolean): number | null => {
    if (typeof value !== 'string') return Number(value)
    return isNumberText(value) ? Number(value) : /^(true|false)$/i.test(value) ? Number(/^true$/i.test(value)) : null
  }
  const [x, y] = [numberOf(a), numberOf(b)]
  if (x !== null && y !== null)
    return Math.abs(x - y) <= Math.max(absolute, relative * Math.max(Math.abs(x), Math.abs(y)))
  return x === null && y === null && momentOf(String(a)) === momentOf(String(b))
}

/** One column of an answer, value by value with its writings; `uses`: which shown columns it is made of. */
interface ValueColumn {
  uses: number[]
  values: WantedCell[][]
}

function valueColumns({ columns, rows, shown }: ShownRows): { width: number; columns: ValueColumn[] } {
  const kept = shown ? shown.map((key) => columns.findIndex((column) => column.key === key)) : columns.map((_, i) => i)
  const single = kept.map((at, i): ValueColumn => {
    const column = columns[at]
    return { uses: [i], values: rows.map((row) => (column ? writingsOf(row[at] ?? null, column) : [null])) }
  })
  const joined = single.slice(1).map((second, i): ValueColumn => {
    const texts = (at: number): string[] => [single[i], second].map((each) => String(each?.values[at]?.[0] ?? ''))
    return { uses: [i, i + 1], values: rows.map((_, at) => [texts(at).join(' ').trim()]) }
  })
  return { width: kept.length, columns: [...single, ...joined] }
}

/** Every way to find the wanted columns among those of the answer, the narrowest first; stops at so many. */
const ASSIGNMENTS_MAX = 500
function assignments(wanted: WantedRows, columns: ValueColumn[], tolerance: Tolerance): ValueColumn[][] {
  const candidates = wanted.columns.map((_, i) =>
    columns.filter((column) =>
      holdsAll(
        column,
        wanted.rows.map((row) => row[i] ?? null),
        tolerance,
      ),
    ),
  )
  const found: ValueColumn[][] = []
  const choose = (chosen: ValueColumn[], used: number[]): void => {
    if (found.length >= ASSIGNMENTS_MAX) return
    const options = candidates[chosen.length]
    if (!options) return void found.push(chosen)
    for (const column of options)
      if (!column.uses.some((at) => used.includes(at))) choose([...chosen, column], [...used, ...column.uses])
  }
  choose([], [])
  return found
}

/** Whether the values are those wanted, in any order. */
function holdsAll(column: ValueColumn, wanted: WantedCell[], tolerance: Tolerance): boolean {
  const left = [...column.values]
  return wanted.every((value) => {
    const at = left.findIndex((writings) => writings.some((written) => isSameValue(written, value, tolerance)))
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
}

/** For each wanted row the row of the answer that is it; null where there is none. In place where the order counts. */
function pairRows(wanted: WantedRows, columns: ValueColumn[], tolerance: Tolerance): (number | null)[] {
  const isSame = (row: WantedCell[], at: number): boolean =>
    columns.every((column, i) =>
      (column.values[at] ?? []).some((written) => isSameValue(written, row[i] ?? null, tolerance)),
    )
  const free = new Set(columns[0]?.values.keys() ?? [])
  return wanted.rows.map((row, place) => {
    const inPlace = free.has(place) && isSame(row, place) ? place : null
    const at = inPlace ?? [...free].find((each) => isSame(row, each)) ?? null
    if (at !== null) free.delete(at)
    return at
  })
}

/** Wanted columns that the rows are ordered by: as the statement says, else those that rise or fall from row to row. */
function orderColumns(wanted: WantedRows): number[] {
  const clause = /\border\s+by\s+((?:(?!\border\s+by\b)[\s\S])*)$/i.exec(wanted.sql ?? '')?.[1]
  const terms = clause?.replace(/\blimit\b[\s\S]*$/i, '').split(/,(?![^(]*\))/) ?? []
  const named = terms.flatMap((term) => {
    const text = term.replace(/\s+(asc|desc)?(\s+nulls\s+(first|last))?\s*;?\s*$/i, '').trim()
    const inCase = /^case\s+when\s+(\S+)\s+is\s+null/i.exec(text)?.[1]
    const name = (inCase ?? text).split('.').at(-1)?.toLowerCase() ?? ''
    const at = /^\d+$/.test(name) ? Number(name) - 1 : wanted.columns.findIndex((each) => each.toLowerCase() === name)
    return at >= 0 ? [at] : []
  })
  if (terms.length > 0) return named
  return wanted.columns.flatMap((_, i) => (isMonotone(wanted.rows.map((row) => row[i] ?? null)) ? [i] : [])).slice(0, 1)
}

const compareValues = (a: WantedCell, b: WantedCell): number => {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1
  const [x, y] = [Number(a), Number(b)]
  if (Number.isFinite(x) && Number.isFinite(y)) return x - y
  return String(a) < String(b) ? -1 : Number(String(a) > String(b))
}
function isMonotone(values: WantedCell[]): boolean {
  const steps = values.slice(1).map((value, i) => Math.sign(compareValues(value, values[i] ?? null)))
  return !steps.includes(1) || !steps.includes(-1)
}

/** Whether the answer stands in the wanted order, but for rows that tie. `pairs` says which row is which. */
function isInOrder(wanted: WantedRows, answer: ShownRows, pairs: number[], tolerance: Tolerance): boolean {
  if (pairs.every((at, place) => at === place)) return true
  const keys = orderColumns(wanted)
  const placed = wanted.rows.map((_, place) => wanted.rows[pairs.indexOf(place)] ?? [])
  if (keys.length > 0)
    return placed.every((row, place) =>
      keys.every((key) => isSameValue(row[key] ?? null, wanted.rows[place]?.[key] ?? null, tolerance)),
    )
  // Ordered by what is not among the wanted columns: the answer's own must allow the wanted order.
  const { sortedBy } = answer
  if (sortedBy === undefined) return false
  const values = (places: readonly number[]): Cell[] => places.map((at) => answer.rows[at]?.[sortedBy] ?? null)
  const own = values([...answer.rows.keys()])
  return values(pairs).every((value, place) => compareValues(value, own[place] ?? null) === 0)
}

/** How an answer's rows stand to the wanted ones. */
export function compareRows(answer: ShownRows, wanted: WantedRows, tolerance: Tolerance = MILLIONTH): Comparison {
  const { width, columns } = valueColumns(answer)
  const different = (why: string): Comparison => ({ kind: 'different', why: [why] })
  if (answer.rows.length !== wanted.rows.length)
    return different(`${wanted.rows.length} rows are wanted, ${answer.rows.length} came`)
  if (wanted.rows.length === 0) return { kind: width === wanted.columns.length ? 'same' : 'more' }
  const ways = assignments(wanted, columns, tolerance)
  let isUnordered = false
  for (const way of ways) {
    const pairs = pairRows(wanted, way, tolerance).filter((at) => at !== null)
    if (pairs.length < wanted.rows.length) continue
    if (wanted.ordered && !isInOrder(wanted, answer, pairs, tolerance)) {
      isUnordered = true
      continue
    }
    return { kind: way.flatMap(({ uses }) => uses).length === width ? 'same' : 'more' }
  }
  if (isUnordered) return different('the same rows in another order')
  const { length } = wanted.columns
  return different(width < length ? `${length} columns are wanted, ${width} are shown` : 'the rows are others')
}

/**
 * Whether the answer's rows are as right as the wanted ones although they are others: the wanted ones all stand in the
 * `whole` answer, without its limit, and only rows were exchanged that are alike in what it is sorted by.
 */
export function isAnotherOfTheTie(
  { answer, whole }: { answer: ShownRows; whole: ShownRows },
  wanted: WantedRows,
  tolerance: Tolerance = MILLIONTH,
): boolean {
  const { sortedBy } = answer
  if (sortedBy === undefined || answer.rows.length !== wanted.rows.length) return false
  const sorted = (cells: Cell[]): Cell[] => cells.toSorted(compareValues)
  const own = sorted(answer.rows.map((row) => row[sortedBy] ?? null))
  const { width, columns } = valueColumns(whole)
  return assignments(wanted, columns, tolerance).some((way) => {
    if (way.flatMap(({ uses }) => uses).length !== width) return false
    const pairs = pairRows(wanted, way, tolerance)
    const values = sorted(pairs.map((at) => (at === null ? null : (whole.rows[at]?.[sortedBy] ?? null))))
    return !pairs.includes(null) && values.every((value, i) => compareValues(value, own[i] ?? null) === 0)
  })
}
