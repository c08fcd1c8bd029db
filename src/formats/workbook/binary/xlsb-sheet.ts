import { SHEET_MAX_COLUMNS, SHEET_MAX_ROWS } from '../cell-address'
import { CellWriter, type CellContext } from '../cell-writer'
import type { SheetTableWriter } from '../sheet-table'
import { workbookDamagedError } from '../workbook-errors'
import { errorCode } from './error-codes'
import type { RecordBytes } from './record-bytes'
import type { RecordHandler } from './record-scanner'
import { wideText } from './xlsb-parts'

/** Records of a sheet (MS-XLSB 2.4). Each short cell, right of the one before it, is so much above its long one. */
const [ROW, BLANK, RK, ERROR, BOOLEAN, REAL, TEXT, SHARED_TEXT] = [0, 1, 2, 3, 4, 5, 6, 7]
const [FORMULA_TEXT, FORMULA_NUMBER, FORMULA_BOOLEAN, FORMULA_ERROR] = [8, 9, 10, 11]
const [FIRST_SHORT, LAST_SHORT, SHORT_STEP] = [12, 18, 11]
const RICH_TEXT = 62
const [BEGIN_DATA, END_DATA, MERGED_CELL] = [145, 146, 176]
const STYLE_MASK = 0xffffff

/** Reads the records of one sheet of a binary workbook into a table, cell by cell. */
export class XlsbSheetHandler implements RecordHandler {
  readonly isDone = false
  private inData = false
  private inRow = false
  private column = -1
  private readonly cells: CellWriter

  constructor(
    private readonly table: SheetTableWriter,
    shared: CellContext,
  ) {
    this.cells = new CellWriter(table, shared)
  }

  wants(type: number): boolean {
    if (type === BEGIN_DATA || type === END_DATA || type === MERGED_CELL) return true
    return this.inData && (type <= LAST_SHORT || type === RICH_TEXT)
  }

  record(type: number, data: RecordBytes): void {
    switch (type) {
      case ROW:
        return this.beginRow(data)
      case BEGIN_DATA:
        this.inData = true
        return
      case END_DATA:
        this.endRow()
        this.inData = false
        return
      case MERGED_CELL:
        return this.addMerge(data)
      default:
        return this.anyCell(type, data)
    }
  }

  private beginRow(data: RecordBytes): void {
    this.endRow()
    const row = data.u32(0)
    if (row >= SHEET_MAX_ROWS) throw workbookDamagedError('a row has no valid number')
    this.table.beginRow(row + 1)
    this.inRow = true
    this.column = -1
  }

  private endRow(): void {
    if (this.inRow) this.table.endRow()
    this.inRow = false
  }

  private anyCell(type: number, data: RecordBytes): void {
    if (!this.inRow) return
    const isShort = type >= FIRST_SHORT && type <= LAST_SHORT
    const at = isShort ? 0 : 4
    this.column = isShort ? this.column + 1 : data.u32(0)
    if (this.column >= SHEET_MAX_COLUMNS) throw workbookDamagedError('a cell has no valid column')
    this.cell(isShort ? type - SHORT_STEP : type, data, at)
  }

  /** A cell whose style stands at `at`, its value behind. */
  private cell(type: number, data: RecordBytes, at: number): void {
    const { column, cells } = this
    const value = at + 4
    switch (type) {
      case BLANK:
        return
      case RK:
        return cells.number(column, data.rk(value), { style: data.u32(at) & STYLE_MASK })
      case REAL:
      case FORMULA_NUMBER:
        return this.real(data.f64(value), data.u32(at) & STYLE_MASK)
      case BOOLEAN:
      case FORMULA_BOOLEAN:
        return cells.boolean(column, data.u8(value) !== 0)
      case ERROR:
      case FORMULA_ERROR:
        return this.table.error(column, errorCode(data.u8(value)))
      case SHARED_TEXT:
        return cells.sharedText(column, data.u32(value))
      case TEXT:
      case FORMULA_TEXT:
        return cells.text(column, wideText(data, value))
      case RICH_TEXT:
        return cells.text(column, wideText(data, value + 1))
    }
  }

  private real(value: number, style: number): void {
    if (Number.isFinite(value)) this.cells.number(this.column, value, { style })
    else this.table.error(this.column, '#NUM!')
  }

  private addMerge(data: RecordBytes): void {
    const [top, bottom, left, right] = [data.u32(0) + 1, data.u32(4) + 1, data.u32(8), data.u32(12)]
    if (bottom <= SHEET_MAX_ROWS && right < SHEET_MAX_COLUMNS && (bottom > top || right > left))
      this.table.merge({ top, bottom, left, right })
  }
}
