import type { FileWarning } from '../../shared/files'
import { CELL_MAX_BYTES, DATASET_MAX_COLUMNS } from '../../shared/limits'
import type { TableRows, TableSink, TableSpec } from '../contract'
import { utf8Length } from '../csv-faults'
import { addressOf } from './cell-address'
import type { CellRange } from './cell-address'
import { ColumnFacts } from './column-facts'
import type { SheetValue } from './column-facts'
import { joinMergedHeader } from './merged-header'
import type { SheetRow } from './merged-header'
import { unsafe } from './refusals'
import { SheetWarnings } from './sheet-warnings'
import { hiddenSheet } from './skipped-sheets'

/** A sheet of up to so many cells is seen whole before its first row goes on: empty columns and merged headings are known. */
const HELD_MAX_CELLS = 200_000
const HELD_MAX_CHARS = 8 * 1024 * 1024
const MERGES_MAX = 10_000
const CELL_MAX_CHARS = CELL_MAX_BYTES / 3

/** Turns the cells of one sheet, given row by row from left to right, into a table. A sheet without values gives none. */
export class SheetTable {
  private table: TableRows | null = null
  private held: SheetRow[] = []
  private heldCells = 0
  private heldChars = 0
  private row: SheetRow | null = null
  private readonly facts = new ColumnFacts()
  private readonly merges: CellRange[] = []
  private readonly warned = new SheetWarnings()
  /** Empty columns before the first used one, left out. */
  private dropped = 0

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
      throw unsafe(`cell ${addressOf(column, row.line)} holds more than ${CELL_MAX_BYTES / 1024} KB`)
    if (column - this.dropped >= DATASET_MAX_COLUMNS && this.table) {
      this.warned.beyond(addressOf(column, row.line))
      return
    }
    while (row.cells.length < column) row.cells.push(null)
    row.cells[column] = value.text
    this.facts.add(column, value)
    this.heldChars += value.text.length
  }

  /** A cell that holds an error such as `#DIV/0!`; it stays empty. */
  error(column: number, code: string): void {
    this.warned.error(addressOf(column, this.row?.line ?? 0), code)
  }
  /** A formula whose result the file does not hold; it stays empty. */
  uncalculated(column: number): void {
    this.warned.uncalculated(addressOf(column, this.row?.line ?? 0))
  }
  merge(range: CellRange): void {
    this.warned.merged(addressOf(range.left, range.top))
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
    this.held.push(row)
    this.heldCells += row.cells.length
    if (this.heldCells > HELD_MAX_CELLS || this.heldChars > HELD_MAX_CHARS) this.release()
  }

  /** @returns false when the sheet held no value: there is no table then. */
  finish(): boolean {
    if (!this.table) {
      this.dropped = this.held.reduce((least, { cells }) => Math.min(least, firstFilled(cells)), Infinity)
      const joined = joinMergedHeader(this.held, this.merges)
      if (joined !== null) this.warned.joined(joined)
      if (this.held.length > 0) this.release()
    }
    if (!this.table) return false
    const hints = this.facts.hints(this.dropped).filter(({ index }) => index < DATASET_MAX_COLUMNS)
    this.table.describe({ hints, warnings: this.warnings() })
    return true
  }

  private warnings(): FileWarning[] {
    const found = this.warned.all(this.facts.durations().length)
    return this.spec.optional === true ? [hiddenSheet(), ...found] : found
  }

  private release(): void {
    const rows = this.held
    this.held = []
    this.table = this.sink.table(this.spec)
    const width = Math.min(
      DATASET_MAX_COLUMNS,
      rows.reduce((most, { cells }) => Math.max(most, cells.length), 0) - this.dropped,
    )
    for (const { cells, line } of rows) this.table.add(this.fitted(cells, line, width), line)
  }

  private fitted(cells: (string | null)[], line: number, width: number): (string | null)[] {
    const beyond = cells.findIndex((cell, column) => column >= this.dropped + width && cell !== null)
    if (beyond >= 0) this.warned.beyond(addressOf(beyond, line))
    return Array.from({ length: width }, (_, i) => cells[i + this.dropped] ?? null)
  }
}

function firstFilled(cells: (string | null)[]): number {
  const at = cells.findIndex((cell) => cell !== null)
  return at < 0 ? cells.length : at
}
