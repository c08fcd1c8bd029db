import { decimalOf } from '../records'
import type { CellMerge, SheetValue } from './sheets-calls'

/** What a column's numbers are shown as, where that makes them something else. */
export type SerialKind = 'DATE' | 'DATE_TIME' | 'TIME'

/** Where a sheet's table begins and what its columns are called. */
export interface SheetLayout {
  /** First row of data, from 0. */
  firstRow: number
  header: string[]
}

const HEADER_LINES_MAX = 3
const isEmpty = (value: SheetValue | undefined): boolean => value === undefined || value === ''

/** Rows with what stands in the first cell of a merge in all its cells. */
function filled(rows: readonly SheetValue[][], merges: readonly CellMerge[], width: number): SheetValue[][] {
  const out = rows.map((row) => Array.from({ length: width }, (_, at) => row[at] ?? ''))
  for (const { startRowIndex: top, endRowIndex: bottom, startColumnIndex: left, endColumnIndex: right } of merges) {
    const value = out[top]?.[left] ?? ''
    for (let row = top; row < Math.min(bottom, out.length); row += 1)
      for (let column = left; column < Math.min(right, width); column += 1) {
        const line = out[row]
        if (line) line[column] = value
      }
  }
  return out
}

/** A title stands above the table: one value, also when it is merged over all columns. */
const isTitle = (row: readonly SheetValue[]): boolean => new Set(row.filter((value) => !isEmpty(value))).size <= 1

/** A row whose headings span columns goes on in the row below. */
const spansColumns = (merges: readonly CellMerge[], row: number): boolean =>
  merges.some(
    ({ startRowIndex: top, endRowIndex: bottom, startColumnIndex: left, endColumnIndex: right }) =>
      top <= row && row < bottom && right - left > 1 && bottom - top === 1,
  )

/**
 * The table of a sheet by its first rows: titles above it are passed over, headings of several rows are put together
 * (“Sales Q1”). Null for a sheet without any value.
 */
export function layoutOf(rows: readonly SheetValue[][], merges: readonly CellMerge[]): SheetLayout | null {
  const width = Math.max(0, ...rows.map((row) => row.length))
  const cells = filled(rows, merges, width)
  const isNarrow = width === 1
  const top = cells.findIndex((row) => row.some((value) => !isEmpty(value)) && (isNarrow || !isTitle(row)))
  if (top === -1) return null
  let lines = 1
  while (lines < HEADER_LINES_MAX && spansColumns(merges, top + lines - 1)) lines += 1
  const header = Array.from({ length: width }, (_, column) => {
    const parts = cells.slice(top, top + lines).map((row) => String(row[column] ?? '').trim())
    const name = [...new Set(parts.filter((part) => part !== ''))].join(' ')
    return name === '' ? `Column ${column + 1}` : name
  })
  return { firstRow: top + lines, header }
}

const SERIALS = new Set<string>(['DATE', 'DATE_TIME', 'TIME'])
const isSerial = (type: string | null): type is SerialKind => type !== null && SERIALS.has(type)

/** What each column's numbers stand for, by the formats of its first rows: the first that is one of these. */
export const serialKinds = (formats: readonly (string | null)[][], width: number): (SerialKind | null)[] =>
  Array.from({ length: width }, (_, column) => {
    const found = formats.map((row) => row[column] ?? null).find((type) => isSerial(type))
    return found !== undefined && isSerial(found) ? found : null
  })

const DAY_MS = 86_400_000
/** Day 0 of serial numbers. */
const EPOCH_MS = Date.UTC(1899, 11, 30)
/** Beyond these no calendar of ours goes: the number is then itself. */
const SERIAL_MAX = 2_958_465

function serialText(value: number, kind: SerialKind): string {
  if (value < 0 || value > SERIAL_MAX) return decimalOf(value)
  // Fractions of a day come a little beside the second that is meant.
  const iso = new Date(EPOCH_MS + Math.round((value * DAY_MS) / 1000) * 1000).toISOString()
  if (kind === 'TIME') return iso.slice(11, 19)
  return kind === 'DATE' ? iso.slice(0, 10) : iso.slice(0, 19)
}

/** What formulas that failed leave in a cell. */
const FAULT = /^#(N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|ERROR!)$/

const NEEDS_QUOTES = /[",\n\r]/
const quoted = (text: string): string => (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

function cellText(value: SheetValue | undefined, kind: SerialKind | null): string {
  if (value === undefined) return ''
  if (typeof value === 'number') return kind === null ? decimalOf(value) : serialText(value, kind)
  if (typeof value === 'boolean') return String(value)
  return FAULT.test(value) ? '' : value
}

/** A row as a line of CSV, as wide as the table. */
export const csvLine = (row: readonly SheetValue[], kinds: readonly (SerialKind | null)[]): string =>
  `${kinds.map((kind, at) => quoted(cellText(row[at], kind))).join(',')}\n`

/** The names of the columns as the first line of CSV. */
export const csvHeader = (header: readonly string[]): string => `${header.map(quoted).join(',')}\n`
