import type { FileWarning } from '../../shared/files'
import { CELL_MAX_BYTES, DATASET_MAX_COLUMNS } from '../../shared/limits'
import type { TableRowWriter, TableSink, TableSpec } from '../contract'
import { utf8Length } from '../csv-faults'
import { cellAddress } from './cell-address'
import type { CellRange } from './cell-address'
import { SheetColumnStats } from './column-facts'
import type { SheetValue } from './column-facts'
import { joinMergedHeader } from './merged-header'
import type { SheetRow } from './merged-header'
import { workbookUnsafeError } from './refusals'
import { SheetWarnings } from './sheet-warnings'
import { hiddenSheetWarning } from './skipped-sheets'

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
  private readonly facts = new SheetColumnStats()
  private readonly merges: CellRange[] = []
  private readonly warned = new SheetWarnings()
  /** Columns of the sheet that the table can have, from left to right. */
  private visibleColumns: number[] = []

  constructor(
    private readonly sink: TableSink,
    private readonly spec: TableSpec,
  ) {}

  beginRow(line: number): void {
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
    // What comes later may stand further left, so no column is left out.
    this.flushBuffer(columnRange(0, Math.min(DATASET_MAX_COLUMNS, this.widest() + 1)))
    this.visibleColumns = columnRange(0, DATASET_MAX_COLUMNS)
  }

  /** @returns false when the sheet held no value: there is no table then. */
  finish(): boolean {
    if (!this.table) {
      const joined = joinMergedHeader(this.bufferedRows, this.merges)
      if (joined !== null) this.warned.joined(joined)
      if (this.bufferedRows.length > 0) this.flushBuffer(this.usedColumns())
    }
    if (!this.table) return false
    this.table.describe({ hints: this.facts.hints(this.visibleColumns), warnings: this.warnings() })
    return true
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

const columnRange = (first: number, length: number): number[] => Array.from({ length }, (_, i) => first + i)
