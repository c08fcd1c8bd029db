import type { ColumnFormat, ColumnHint, FileWarning } from '../../shared/data-sources/files'
import type { NumberFormat } from './number-format'
import { cellAddress, type CellRange } from './cell-address'
import { CELL_MAX_BYTES, DATASET_MAX_COLUMNS } from '../../shared/limits'
import type { TableRowWriter, TableSink, TableSpec } from '../contract'
import { utf8Length } from '../csv/csv-errors'
import { workbookUnsafeError } from './workbook-errors'
import { SheetWarnings, hiddenSheetWarning } from './sheet-warnings'

/** One filled cell as a sheet gives it. */
export interface SheetValue {
  text: string
  kind: 'text' | 'number' | 'date' | 'boolean'
  format?: NumberFormat
}

/** Nearly all numbers of a column: a total below may be written otherwise. */
const FORMAT_MIN_SHARE = 0.9
const SAFE_DIGITS = 15
/** Text that a number would not give back: leading zeros, a plus sign, more digits than a number holds. */
const LOSSY_NUMBER = /^\s*[+-]?(?:0\d|\d{16,})|^\s*\+/

interface ColumnTally {
  texts: number
  lossy: number
  others: number
  numbers: number
  percents: number
  durations: number
  currencies: Map<string, number>
}

/** What the kinds and formats of a sheet's cells say of its columns, beyond their texts. */
class SheetColumnStats {
  private readonly columns: ColumnTally[] = []

  add(column: number, { text, kind, format }: SheetValue): void {
    const facts = this.statsOf(column)
    if (kind === 'text') {
      facts.texts++
      if (LOSSY_NUMBER.test(text) && /^[\s\d.,+-]+$/.test(text)) facts.lossy++
    } else if (kind === 'number') {
      facts.numbers++
      if (text.length > SAFE_DIGITS && /^-?\d{16,}$/.test(text)) facts.lossy++
      if (format?.kind === 'percent') facts.percents++
      if (format?.kind === 'duration') facts.durations++
      if (format?.currency !== undefined)
        facts.currencies.set(format.currency, (facts.currencies.get(format.currency) ?? 0) + 1)
    } else facts.others++
  }

  /** Hints for these columns, by their position among them. */
  hints(shown: readonly number[]): ColumnHint[] {
    return shown.flatMap((column, index): ColumnHint[] => {
      const facts = this.columns[column]
      if (!facts) return []
      if (facts.numbers === 0 && facts.others === 0 && facts.lossy > 0) return [{ index, type: 'text' }]
      const format = columnFormatOf(facts)
      return format ? [{ index, format }] : []
    })
  }

  /** Columns that hold any value, from left to right. */
  used(): number[] {
    return this.columns.flatMap((_, column) => [column])
  }

  /** Columns that hold durations. */
  durations(): number[] {
    return this.columns.flatMap((facts, column) => (facts.durations > 0 ? [column] : []))
  }

  private statsOf(column: number): ColumnTally {
    const known = this.columns[column]
    if (known) return known
    const made = { texts: 0, lossy: 0, others: 0, numbers: 0, percents: 0, durations: 0, currencies: new Map() }
    this.columns[column] = made
    return made
  }
}

function columnFormatOf({ numbers, percents, currencies }: ColumnTally): ColumnFormat | null {
  if (numbers === 0) return null
  if (percents >= numbers * FORMAT_MIN_SHARE) return { style: 'percent' }
  const [currency] = currencies
  if (currency && currencies.size === 1 && currency[1] >= numbers * FORMAT_MIN_SHARE)
    return { style: 'currency', currency: currency[0] }
  return null
}

/** A row of a sheet: cells by column, holes and nulls where nothing stands. */
export interface SheetRow {
  line: number
  cells: (string | null)[]
}

const HEADER_SEARCH_ROWS = 30
const filledColumns = (cells: (string | null)[]): number[] =>
  cells.flatMap((cell, column) => (cell !== null && cell !== '' ? [column] : []))

/**
 * Names of columns in two rows, groups above (merged across) and names below, become one row: `2025` over `Q1` reads
 * `2025 Q1`; a name merged downwards stands once. Rows are changed in place.
 * @returns the line of the joined row, or null when there is no such heading.
 */
function joinMergedHeader(rows: SheetRow[], merges: CellRange[]): number | null {
  const top = rows.slice(0, HEADER_SEARCH_ROWS).findIndex((row, i) => {
    const below = rows[i + 1]
    return below !== undefined && isTwoRowHeader(row, below, merges)
  })
  const [upper, lower] = [rows[top], rows[top + 1]]
  if (!upper || !lower) return null
  const groups = groupByColumn(upper, merges)
  const width = Math.max(upper.cells.length, lower.cells.length)
  lower.cells = Array.from({ length: width }, (_, column) => {
    const [group, name] = [groups.get(column) ?? upper.cells[column] ?? null, lower.cells[column] ?? null]
    return group !== null && name !== null ? `${group} ${name}` : (name ?? group)
  })
  rows.splice(top, 1)
  return lower.line
}

/** Every filled cell of the upper row is merged, at least one across several names of the row right below. */
function isTwoRowHeader(upper: SheetRow, lower: SheetRow, merges: CellRange[]): boolean {
  const named = filledColumns(upper.cells)
  if (lower.line !== upper.line + 1 || named.length < 2) return false
  const here = merges.filter(({ top }) => top === upper.line)
  const across = here.filter(({ bottom, left, right }) => bottom === upper.line && right > left)
  const covers = ({ left, right }: CellRange): boolean =>
    lower.cells.slice(left, right + 1).filter((cell) => (cell ?? '') !== '').length >= 2
  return (
    across.some(covers) &&
    named.every((column) => here.some(({ left, bottom }) => left === column && bottom <= lower.line))
  )
}

function groupByColumn(upper: SheetRow, merges: CellRange[]): Map<number, string> {
  const groups = new Map<number, string>()
  for (const { top, bottom, left, right } of merges) {
    const name = top === upper.line && bottom === top ? upper.cells[left] : null
    if (name === null || name === undefined) continue
    for (let column = left; column <= right && right - left < 1000; column++) groups.set(column, name)
  }
  return groups
}

/** A sheet of up to so many cells is seen whole before its first row goes on: empty columns and merged headings are known. */
const BUFFERED_MAX_CELLS = 200_000
const BUFFERED_MAX_CHARS = 8 * 1024 * 1024
const MERGES_MAX = 10_000
const CELL_MAX_CHARS = CELL_MAX_BYTES / 3

/** Turns the cells of one sheet, given row by row from left to right, into a table. A sheet without values gives none. */
export class SheetTableWriter {
  private table: TableRowWriter | null = null
  private bufferedRows: SheetRow[] = []
  private bufferedCells = 0
  private bufferedChars = 0
  private row: SheetRow | null = null
  private lastLine = 0
  private isUnordered = false
  private readonly facts = new SheetColumnStats()
  private readonly merges: CellRange[] = []
  private readonly warned = new SheetWarnings()
  /** Columns of the sheet that the table can have, from left to right. */
  private visibleColumns: number[] = []

  constructor(
    private readonly sink: TableSink,
    private readonly spec: TableSpec,
  ) {}

  /** Whether rows go on as they come: one that belongs further up can no longer be put there. */
  get isStreaming(): boolean {
    return this.table !== null
  }

  beginRow(line: number): void {
    this.isUnordered ||= line <= this.lastLine
    this.lastLine = line
    this.row = { line, cells: [] }
  }

  cell(column: number, value: SheetValue): void {
    const { row } = this
    if (!row || value.text === '') return
    if (value.text.length > CELL_MAX_CHARS && utf8Length(value.text) > CELL_MAX_BYTES)
      throw workbookUnsafeError(`cell ${cellAddress(column, row.line)} holds more than ${CELL_MAX_BYTES / 1024} KB`)
    if (column >= DATASET_MAX_COLUMNS && this.table) {
      this.warned.beyond(cellAddress(column, row.line))
      return
    }
    while (row.cells.length < column) row.cells.push(null)
    row.cells[column] = value.text
    this.facts.add(column, value)
    this.bufferedChars += value.text.length
  }

  /** A cell that holds an error such as `#DIV/0!`; it stays empty. */
  error(column: number, code: string): void {
    this.warned.error(cellAddress(column, this.row?.line ?? 0), code)
  }
  /** A formula whose result the file does not hold; it stays empty. */
  uncalculated(column: number): void {
    this.warned.uncalculated(cellAddress(column, this.row?.line ?? 0))
  }
  merge(range: CellRange): void {
    this.warned.merged(cellAddress(range.left, range.top))
    if (this.merges.length < MERGES_MAX) this.merges.push(range)
  }

  endRow(): void {
    const { row } = this
    this.row = null
    if (!row || row.cells.length === 0) return
    if (this.table) {
      this.table.add(row.cells, row.line)
      return
    }
    this.bufferedRows.push(row)
    this.bufferedCells += row.cells.length
    if (this.bufferedCells <= BUFFERED_MAX_CELLS && this.bufferedChars <= BUFFERED_MAX_CHARS) return
    this.orderRows()
    // What comes later may stand further left, so no column is left out.
    this.flushBuffer(columnRange(0, Math.min(DATASET_MAX_COLUMNS, this.widest() + 1)))
    this.visibleColumns = columnRange(0, DATASET_MAX_COLUMNS)
  }

  /** @returns false when the sheet held no value: there is no table then. */
  finish(): boolean {
    if (!this.table) {
      this.orderRows()
      const joined = joinMergedHeader(this.bufferedRows, this.merges)
      if (joined !== null) this.warned.joined(joined)
      if (this.bufferedRows.length > 0) this.flushBuffer(this.usedColumns())
    }
    if (!this.table) return false
    this.table.describe({ hints: this.facts.hints(this.visibleColumns), warnings: this.warnings() })
    return true
  }

  /** Some programs write cells in the order in which they came to be. */
  private orderRows(): void {
    if (!this.isUnordered) return
    const byLine = new Map<number, SheetRow>()
    for (const row of this.bufferedRows) {
      const known = byLine.get(row.line)
      if (!known) byLine.set(row.line, row)
      else putCells(known.cells, row.cells)
    }
    this.bufferedRows = [...byLine.values()].sort((a, b) => a.line - b.line)
    this.isUnordered = false
  }

  private warnings(): FileWarning[] {
    const found = this.warned.all(this.facts.durations().length)
    return this.spec.optional === true ? [hiddenSheetWarning(), ...found] : found
  }

  private widest(): number {
    return this.facts.used().at(-1) ?? -1
  }

  /** The used range; of a range wider than a dataset can be, only the columns that hold something. */
  private usedColumns(): number[] {
    const used = this.facts.used()
    const [first = 0] = used
    const width = this.widest() + 1 - first
    return width <= DATASET_MAX_COLUMNS ? columnRange(first, width) : used.slice(0, DATASET_MAX_COLUMNS)
  }

  private flushBuffer(columns: number[]): void {
    const rows = this.bufferedRows
    this.bufferedRows = []
    this.visibleColumns = columns
    this.table = this.sink.table(this.spec)
    const last = columns.at(-1) ?? -1
    for (const { cells, line } of rows) {
      const beyond = cells.findIndex((cell, column) => column > last && cell !== null)
      if (beyond >= 0) this.warned.beyond(cellAddress(beyond, line))
      this.table.add(
        columns.map((column) => cells[column] ?? null),
        line,
      )
    }
  }
}

/** Puts a further part of a row into it. */
function putCells(cells: SheetRow['cells'], more: SheetRow['cells']): void {
  more.forEach((cell, column) => {
    if (cell === null) return
    while (cells.length < column) cells.push(null)
    cells[column] = cell
  })
}

const columnRange = (first: number, length: number): number[] => Array.from({ length }, (_, i) => first + i)
