import { CellStyles } from '../cell-styles'
import { SHEETS_MAX, SHEET_NAME_MAX_CHARS, type SheetList } from '../sheets'
import { StringTable } from '../string-table'
import type { RecordBytes } from './record-bytes'
import type { RecordHandler } from './record-scanner'

/** Records of parts other than sheets (MS-XLSB 2.4). */
const [TEXT_ITEM, FORMAT, STYLE, WORKBOOK_PROPERTIES, SHEET] = [19, 44, 47, 153, 156]
const [BEGIN_CELL_STYLES, END_CELL_STYLES] = [617, 618]
const NO_TEXT = 0xffffffff

/** A text behind its length in units of UTF-16. */
export const wideText = (data: RecordBytes, at: number): string => {
  const units = data.u32(at)
  return units === NO_TEXT ? '' : data.utf16(at + 4, units)
}
const afterText = (data: RecordBytes, at: number): number => {
  const units = data.u32(at)
  return at + 4 + (units === NO_TEXT ? 0 : units * 2)
}

/** The sheets of a binary workbook: the same list that `workbook.xml` has. */
export class XlsbWorkbookHandler implements RecordHandler, SheetList {
  readonly isDone = false
  date1904 = false
  readonly sheets: SheetList['sheets'] = []

  wants(type: number): boolean {
    return type === WORKBOOK_PROPERTIES || type === SHEET
  }
  record(type: number, data: RecordBytes): void {
    if (type === WORKBOOK_PROPERTIES) {
      this.date1904 = (data.u32(0) & 1) !== 0
      return
    }
    if (this.sheets.length >= SHEETS_MAX) return
    const name = wideText(data, afterText(data, 8)) || `Sheet ${this.sheets.length + 1}`
    this.sheets.push({ name: name.slice(0, SHEET_NAME_MAX_CHARS), hidden: data.u32(0) !== 0, id: wideText(data, 8) })
  }
}

/** Texts that cells name by number; formatting and reading aids are passed over. */
export class XlsbStrings implements RecordHandler {
  readonly isDone = false
  readonly texts = new StringTable()

  wants(type: number): boolean {
    return type === TEXT_ITEM
  }
  record(_type: number, data: RecordBytes): void {
    this.texts.add(wideText(data, 1))
  }
}

/** Which number format a cell's style number stands for. */
export class XlsbStyles implements RecordHandler {
  readonly isDone = false
  readonly styles = new CellStyles()
  private inCellStyles = false

  wants(type: number): boolean {
    return type === FORMAT || type === BEGIN_CELL_STYLES || type === END_CELL_STYLES || type === STYLE
  }
  record(type: number, data: RecordBytes): void {
    if (type === FORMAT) this.styles.addFormat(data.u16(0), wideText(data, 2))
    else if (type === STYLE) {
      if (this.inCellStyles) this.styles.addStyle(data.u16(2))
    } else this.inCellStyles = type === BEGIN_CELL_STYLES
  }
}
