import type { FileWarning } from '../../shared/data-sources/files'
import { CELL_MAX_BYTES, DATASET_MAX_COLUMNS } from '../../shared/limits'
import type { TableRowWriter, TableSink, TableSpec } from '../contract'
import { utf8Length } from '../csv/csv-errors'
import { cellAddress, type CellRange } from './cell-address'
import { joinMergedHeader } from './merged-header'
import { CanonicalRecords, type CellBytes } from '../csv/canonical-records'
import { SheetColumnStats, type CellTraits, type SheetRow, type SheetValue } from './sheet-columns'
import { SheetStore } from './sheet-store'
import { regionSpec, writeRegion, type RegionRoom } from './region-table'
import { findSheetRegions } from './sheet-regions'
import { SheetWarnings, hiddenSheetWarning, severalTablesWarning } from './sheet-warnings'
import { workbookUnsafeError } from './workbook-errors'

/** A sheet of up to so many cells is seen whole before its first row goes on: empty columns and merged headings are known. */
const BUFFERED_MAX_CELLS = 200_000
const BUFFERED_MAX_CHARS = 8 * 1024 * 1024
const MERGES_MAX = 10_000
/** Longer rows are counted before their text is made. */
const ROW_MAX_CHARS = 64 * 1024
const CELL_MAX_CHARS = CELL_MAX_BYTES / 3

const textOf = (cell: SheetValue | null | undefined): string | null => cell?.text ?? null

/**
 * Turns the cells of one sheet, given row by row from left to right, into a table; where it holds several, into each of
 * them and, as one that is not chosen, the whole. A sheet without values gives none.
 */
export class SheetTableWriter {
  private table: TableRowWriter | null = null
  private records: CanonicalRecords | null = null
  private readonly store = new SheetStore()
  private bufferedRows: SheetRow[] = []
  private bufferedCells = 0
  private bufferedChars = 0
  /** Of columns that a table has in any case. */
  private certainChars = 0
  private row: SheetRow | null = null
  private rowChars = 0
  private lastLine = 0
  private isUnordered = false
  private readonly facts = new SheetColumnStats()
  private readonly found: FileWarning[] = []
  private readonly merges: CellRange[] = []
  private readonly warned = new SheetWarnings()
  /** Columns of the sheet that the table can have, from left to right. */
  private visibleColumns: number[] = []

  constructor(
    private readonly sink: TableSink,
    private readonly spec: TableSpec,
    private readonly room: RegionRoom,
  ) {}

  /** Whether rows go on as they come: one that belongs further up can no longer be put there. */
  get isStreaming(): boolean {
    return this.table !== null
  }

  beginRow(line: number): void {
    this.isUnordered ||= line <= this.lastLine
    this.lastLine = line
    this.row = { line, cells: [] }
    this.rowChars = 0
  }

  /**
   * Begins a row whose cells are written from left to right by whoever reads them, with {@link note} for each that is filled
   * and {@link endBytes} behind them. Null: its cells are to be handed over one by one.
   */
  beginBytes(line: number, { cells, chars }: { cells: number; chars: number }): CellBytes | null {
    if (line <= this.lastLine || this.isUnordered || chars > ROW_MAX_CHARS) return null
    if (!this.records) {
      const isRoom =
        this.bufferedCells + cells <= BUFFERED_MAX_CELLS && this.bufferedChars + chars <= BUFFERED_MAX_CHARS
      if (this.table || !isRoom) return null
    }
    this.lastLine = line
    this.bufferedCells += cells
    this.bufferedChars += chars
    this.holdChars(chars)
    if (!this.records) this.store.cells.count = 0
    else this.records.begin(line)
    return this.records ?? this.store.cells
  }
  note(column: number, traits: CellTraits): void {
    this.facts.count(column, traits)
    if (!this.records) this.store.note(traits.kind, traits.format)
  }
  endBytes(): void {
    if (this.records) this.records.end()
    else this.store.endRow(this.lastLine)
  }

  cell(column: number, value: SheetValue): void {
    const { row } = this
    if (!row || value.text === '') return
    if (value.text.length > CELL_MAX_CHARS && utf8Length(value.text) > CELL_MAX_BYTES)
      throw workbookUnsafeError(`cell ${cellAddress(column, row.line)} holds more than ${CELL_MAX_BYTES / 1024} KB`)
    if (column >= DATASET_MAX_COLUMNS && this.table) {
      this.warned.note('beyond', column, row.line)
      return
    }
    while (row.cells.length < column) row.cells.push(null)
    row.cells[column] = value
    this.facts.add(column, value)
    this.bufferedChars += value.text.length
    this.rowChars += value.text.length
    if (column < DATASET_MAX_COLUMNS) this.holdChars(value.text.length)
  }

  /** Asks before the text of a row is made whether there is room for it: its cells may be one long text many times over. */
  private holdChars(chars: number): void {
    if (this.table) return
    this.certainChars += chars
    this.sink.assertRoom?.(this.certainChars)
  }

  /** A cell that holds an error such as `#DIV/0!`; it stays empty. */
  error(column: number, code: string): void {
    this.warned.note('error', column, this.row?.line ?? 0, code)
  }
  /** A formula whose result the file does not hold; it stays empty. */
  uncalculated(column: number): void {
    this.warned.note('formula', column, this.row?.line ?? 0)
  }
  merge(range: CellRange): void {
    this.warned.note('merge', range.left, range.top)
    if (this.merges.length < MERGES_MAX) this.merges.push(range)
  }

  endRow(): void {
    const { row } = this
    this.row = null
    if (!row || row.cells.length === 0) return
    if (this.table) {
      this.addRow(row.cells.map(textOf), row.line)
      return
    }
    this.bufferedCells += row.cells.length
    if (this.bufferedCells <= BUFFERED_MAX_CELLS && this.bufferedChars <= BUFFERED_MAX_CHARS) this.store.add(row)
    else this.beginStreaming(row)
  }

  /** A row of a sheet that is too large to be seen whole, or a long one, of which the budget is asked first. */
  private addRow(cells: (string | null)[], line: number): void {
    if (this.records && this.rowChars <= ROW_MAX_CHARS) return this.records.add(cells, line)
    this.records?.flush()
    this.table?.add(cells, line)
  }

  private beginStreaming(row: SheetRow): void {
    // What comes later may stand further left, so no column is left out.
    const columns = columnRange(0, Math.min(DATASET_MAX_COLUMNS, this.widest() + 1))
    const isNext = row.line === this.store.lastLine + 1
    if (isNext && this.isOneBlock()) {
      this.writeStore(columns)
      this.addRow(
        columns.map((column) => textOf(row.cells[column])),
        row.line,
      )
    } else {
      this.bufferedRows = [...this.takeStore(), row]
      this.orderRows()
      const regions = findSheetRegions(this.bufferedRows)
      if (regions.length > 0) this.found.push(severalTablesWarning(regions.length, { line: row.line }))
      this.flushBuffer(columns)
    }
    this.visibleColumns = columnRange(0, DATASET_MAX_COLUMNS)
  }

  /** Whether the rows of the store are one piece without empty rows and columns: one table in any case. */
  private isOneBlock(): boolean {
    const used = this.facts.used()
    const [first = 0, last = -1] = [used[0], used.at(-1)]
    const isWhole = used.length === last - first + 1 && last < DATASET_MAX_COLUMNS
    return !this.isUnordered && this.store.isWithoutGaps && isWhole && this.merges.length === 0
  }

  private takeStore(): SheetRow[] {
    const rows = this.store.toRows()
    this.store.clear()
    return rows
  }

  private openTable(isOptional = false): TableRowWriter {
    const table = this.sink.table(isOptional ? { ...this.spec, optional: true } : this.spec)
    this.table = table
    this.records = new CanonicalRecords((block) => table.addRecords(block))
    return table
  }

  /** Writes the rows of the store as they are. */
  private writeStore(columns: readonly number[]): void {
    this.visibleColumns = [...columns]
    this.openTable()
    if (this.records) this.store.writeTo(this.records, { first: columns[0] ?? 0, width: columns.length })
    this.store.clear()
  }

  /** @returns false when the sheet held no value: there is no table then. */
  finish(): boolean {
    if (!this.table) this.finishWhole()
    if (!this.table) return false
    this.records?.flush()
    this.table.describe({ hints: this.facts.hints(this.visibleColumns), warnings: this.warnings() })
    return true
  }

  /** A sheet that was seen whole. */
  private finishWhole(): void {
    if (this.store.rows > 0 && this.isOneBlock()) return this.writeStore(this.usedColumns())
    this.bufferedRows = this.takeStore()
    this.orderRows()
    const isOffered = this.writeRegions()
    const joined = joinMergedHeader(this.bufferedRows, this.merges)
    if (joined !== null) this.warned.joined(joined)
    if (this.bufferedRows.length > 0) this.flushBuffer(this.usedColumns(), isOffered)
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
    const found = [...this.found, ...this.warned.all(this.facts.durations().length)]
    return this.spec.optional === true ? [hiddenSheetWarning(), ...found] : found
  }

  /** Writes each of several tables by itself. @returns whether there are any. */
  private writeRegions(): boolean {
    const regions = findSheetRegions(this.bufferedRows)
    if (regions.length === 0) return false
    const isRoom = this.room.take(regions.length, this.bufferedChars)
    this.found.push(severalTablesWarning(regions.length, isRoom ? 'offered' : 'no room'))
    if (!isRoom) return false
    const { sink, spec, merges, warned } = this
    for (const [at, region] of regions.entries())
      writeRegion(this.bufferedRows, { sink, merges, warned, region, spec: regionSpec(spec, region, at) })
    return true
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

  private flushBuffer(columns: number[], isOptional = false): void {
    const rows = this.bufferedRows
    this.bufferedRows = []
    this.visibleColumns = columns
    const table = this.openTable(isOptional)
    const last = columns.at(-1) ?? -1
    for (const { cells, line } of rows) {
      const beyond = cells.findIndex((cell, column) => column > last && cell !== null)
      if (beyond >= 0) this.warned.note('beyond', beyond, line)
      table.add(
        columns.map((column) => textOf(cells[column])),
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
