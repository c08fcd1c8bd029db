import { CellWriter } from '../cell-writer'
import type { SheetTableWriter } from '../sheet-table'
import { workbookDamagedError, workbookUnsafeError } from '../workbook-errors'
import { ContinuedTexts } from './biff-strings'
import { errorCode } from './error-codes'
import type { RecordBytes } from './record-bytes'
import type { RecordHandler } from './record-scanner'
import type { XlsGlobals } from './xls-globals'
import { XLS } from './xls-records'

const CELLS: ReadonlySet<number> = new Set([
  ...[XLS.NUMBER, XLS.RK, XLS.MUL_RK, XLS.LABEL, XLS.RICH_LABEL, XLS.LABEL_SST, XLS.BOOL_ERR, XLS.FORMULA],
])
const OTHERS: ReadonlySet<number> = new Set([XLS.BOF, XLS.EOF, XLS.STRING, XLS.MERGED_CELLS])

/** A result of a formula that is no number is marked by this in its upper two bytes; the first says what it is. */
const NO_NUMBER = 0xffff
const [RESULT_TEXT, RESULT_BOOLEAN, RESULT_ERROR] = [0, 1, 2]

/** Reads the records of one sheet into a table, cell by cell. Charts inside the sheet, notes and drawings are passed over. */
export class XlsSheetHandler implements RecordHandler {
  isDone = false
  private depth = 0
  private row = -1
  private readonly cells: CellWriter
  /** The column whose text is being read, or comes in the next records: the result of a formula. */
  private column = -1
  private isTextDue = false
  private readonly texts = new ContinuedTexts((text) => this.cells.text(this.column, text))

  constructor(
    private readonly table: SheetTableWriter,
    private readonly shared: XlsGlobals,
  ) {
    this.cells = new CellWriter(table, shared)
  }

  wants(type: number): boolean {
    if (this.depth === 0 && type !== XLS.BOF) throw workbookDamagedError('it does not begin where it should')
    if (type === XLS.CONTINUE) return this.texts.isUnfinished
    return OTHERS.has(type) || (this.depth === 1 && CELLS.has(type))
  }

  record(type: number, data: RecordBytes): void {
    if (CELLS.has(type)) return this.cell(type, data)
    switch (type) {
      case XLS.BOF:
        this.depth++
        return
      case XLS.EOF:
        if (--this.depth > 0) return
        this.endRow()
        this.isDone = true
        return
      case XLS.CONTINUE:
        return this.texts.continue(data)
      case XLS.STRING:
        return this.formulaText(data)
      case XLS.MERGED_CELLS:
        return this.addMerges(data)
    }
  }

  private endRow(): void {
    if (this.isTextDue) this.table.uncalculated(this.column)
    this.isTextDue = false
    if (this.row >= 0) this.table.endRow()
  }

  private cell(type: number, data: RecordBytes): void {
    const row = data.u16(0)
    if (row !== this.row) {
      this.endRow()
      if (row < this.row && this.table.isStreaming) throw workbookUnsafeError('its cells are in no order')
      this.row = row
      this.table.beginRow(row + 1)
    } else if (this.isTextDue) this.table.uncalculated(this.column)
    this.isTextDue = false
    const column = data.u16(2)
    switch (type) {
      case XLS.NUMBER:
        return this.number(column, data.f64(6), data.u16(4))
      case XLS.RK:
        return this.number(column, data.rk(6), data.u16(4))
      case XLS.MUL_RK:
        for (let at = 4, n = 0; at + 8 <= data.length; at += 6, n++)
          this.number(column + n, data.rk(at + 2), data.u16(at))
        return
      case XLS.LABEL_SST:
        return this.cells.sharedText(column, data.u32(6))
      case XLS.BOOL_ERR:
        return this.boolOrError(column, { value: data.u8(6), isError: data.u8(7) === 1 })
      case XLS.FORMULA:
        return this.formula(column, data)
      default:
        this.column = column
        if (this.shared.isBiff8) this.texts.begin(data, 6, 1)
        else this.cells.text(column, this.shared.byteText(data, 6, 2))
    }
  }

  private number(column: number, value: number, style: number): void {
    if (Number.isFinite(value)) this.cells.number(column, value, { style })
    else this.table.error(column, '#NUM!')
  }

  private boolOrError(column: number, { value, isError }: { value: number; isError: boolean }): void {
    if (isError) this.table.error(column, errorCode(value))
    else this.cells.boolean(column, value !== 0)
  }

  private formula(column: number, data: RecordBytes): void {
    if (data.u16(12) !== NO_NUMBER) return this.number(column, data.f64(6), data.u16(4))
    const kind = data.u8(6)
    if (kind === RESULT_BOOLEAN || kind === RESULT_ERROR)
      return this.boolOrError(column, { value: data.u8(8), isError: kind === RESULT_ERROR })
    this.column = column
    this.isTextDue = kind === RESULT_TEXT
  }

  private formulaText(data: RecordBytes): void {
    if (!this.isTextDue) return
    this.isTextDue = false
    if (this.shared.isBiff8) this.texts.begin(data, 0, 1)
    else this.cells.text(this.column, this.shared.byteText(data, 0, 2))
  }

  private addMerges(data: RecordBytes): void {
    for (let at = 2, left = data.u16(0); left > 0 && at + 8 <= data.length; at += 8, left--) {
      const [top, bottom] = [data.u16(at) + 1, data.u16(at + 2) + 1]
      const [from, to] = [data.u16(at + 4), data.u16(at + 6)]
      if (bottom > top || to > from) this.table.merge({ top, bottom, left: from, right: to })
    }
  }
}
