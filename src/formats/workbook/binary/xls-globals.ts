import { CellStyles } from '../cell-styles'
import { SHEETS_MAX, SHEET_NAME_MAX_CHARS } from '../sheets'
import { StringTable } from '../string-table'
import { workbookDamagedError, workbookEncryptedError, workbookUnsupportedError } from '../workbook-errors'
import { ContinuedTexts, shortText } from './biff-strings'
import { codePageDecoder } from './code-pages'
import type { RecordBytes } from './record-bytes'
import type { RecordHandler } from './record-scanner'
import { BIFF5, BIFF8, XLS } from './xls-records'

export interface XlsSheetEntry {
  name: string
  hidden: boolean
  /** Where its records begin in the stream; null for what holds no cells (charts, macros). */
  offset: number | null
}

const GLOBALS = 0x05
const WORKSHEET = 0
const TOO_OLD_MESSAGE = 'This workbook is of Excel 4 or older. Open it in Excel, save it as .xlsx and upload that.'
const WANTED: ReadonlySet<number> = new Set([
  ...[XLS.BOF, XLS.EOF, XLS.CODE_PAGE, XLS.DATE_1904, XLS.FILE_PASS, XLS.SHEET, XLS.FORMAT, XLS.XF, XLS.SST],
])
/** How the first record of a stream begins, whatever the version. */
const ANY_BOF = 0x09

/** Reads the first part of an XLS stream: what all sheets share, and where each of them lies. */
export class XlsGlobals implements RecordHandler {
  isDone = false
  date1904 = false
  readonly styles = new CellStyles()
  readonly sheets: XlsSheetEntry[] = []
  private version = 0
  private codePage = 0
  private decode: ((bytes: Uint8Array) => string) | null = null
  private readonly texts = new StringTable()
  private readonly sharedTexts = new ContinuedTexts((text) => this.texts.add(text))
  /** The record that a continuation belongs to. */
  private previous = 0

  /** Texts that cells name by number. */
  get strings(): StringTable {
    return this.texts
  }
  get isBiff8(): boolean {
    return this.version === BIFF8
  }

  wants(type: number): boolean {
    if (this.version === 0 && type !== XLS.BOF) throw refusalOfStart(type)
    if (type === XLS.CONTINUE) return this.previous === XLS.SST
    this.previous = type
    return WANTED.has(type)
  }

  record(type: number, data: RecordBytes): void {
    switch (type) {
      case XLS.BOF:
        return this.begin(data)
      case XLS.EOF:
        this.isDone = true
        return
      case XLS.FILE_PASS:
        throw workbookEncryptedError()
      case XLS.CODE_PAGE:
        this.codePage = data.u16(0)
        return
      case XLS.DATE_1904:
        this.date1904 = data.u16(0) === 1
        return
      case XLS.FORMAT:
        return this.styles.addFormat(data.u16(0), this.isBiff8 ? shortText(data, 2, 2) : this.byteText(data, 2, 1))
      case XLS.XF:
        return this.styles.addStyle(data.u16(2))
      case XLS.SHEET:
        return this.addSheet(data)
      case XLS.SST:
        return this.sharedTexts.begin(data, 8, data.u32(4))
      case XLS.CONTINUE:
        return this.sharedTexts.continue(data)
    }
  }

  /** A text of BIFF5 behind its length in `lengthBytes`, by the code page of the workbook. */
  byteText(data: RecordBytes, at: number, lengthBytes: 1 | 2): string {
    this.decode ??= codePageDecoder(this.codePage)
    const length = lengthBytes === 1 ? data.u8(at) : data.u16(at)
    return this.decode(data.part(at + lengthBytes, length))
  }

  private begin(data: RecordBytes): void {
    if (this.version !== 0) throw workbookDamagedError('its parts are out of order')
    this.version = data.u16(0)
    if (this.version !== BIFF8 && this.version !== BIFF5) throw workbookUnsupportedError(TOO_OLD_MESSAGE)
    if (data.u16(2) !== GLOBALS) throw workbookDamagedError('it does not begin with its list of sheets')
  }

  private addSheet(data: RecordBytes): void {
    if (this.sheets.length >= SHEETS_MAX) return
    const name = this.isBiff8 ? shortText(data, 6, 1) : this.byteText(data, 6, 1)
    const offset = data.u8(5) === WORKSHEET ? data.u32(0) : null
    this.sheets.push({
      name: name.slice(0, SHEET_NAME_MAX_CHARS) || `Sheet ${this.sheets.length + 1}`,
      hidden: (data.u8(4) & 3) !== 0,
      offset,
    })
  }
}

const refusalOfStart = (type: number): Error =>
  (type & 0xff) === ANY_BOF && type < XLS.BOF
    ? workbookUnsupportedError(TOO_OLD_MESSAGE)
    : workbookDamagedError('it does not begin as a workbook does')
