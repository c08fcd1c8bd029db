import { builtInFormat, PLAIN_NUMBER_FORMAT, parseNumberFormat, type NumberFormat } from './number-format'
import { workbookTooLargeError } from './workbook-errors'

/** Excel itself writes at most 65 490. */
const STYLES_MAX = 100_000
const FORMAT_MAX_CHARS = 1000

/** Which number format a cell's style number stands for. */
export class CellStyles {
  private readonly customFormats = new Map<number, NumberFormat>()
  /** Numbers of formats, looked up when asked: a workbook may name its styles before its formats. */
  private readonly styles: number[] = []

  addFormat(id: number, code: string): void {
    if (this.customFormats.size >= STYLES_MAX) throw workbookTooLargeError('number formats', STYLES_MAX)
    this.customFormats.set(id, parseNumberFormat(code.slice(0, FORMAT_MAX_CHARS)))
  }

  /** The next style has the format of this number. */
  addStyle(formatId: number): void {
    if (this.styles.length >= STYLES_MAX) throw workbookTooLargeError('styles', STYLES_MAX)
    this.styles.push(formatId)
  }

  /** The number format of a cell's style; plain for a style that does not exist. */
  formatOf(style: number): NumberFormat {
    const id = this.styles[style]
    return id === undefined ? PLAIN_NUMBER_FORMAT : (this.customFormats.get(id) ?? builtInFormat(id))
  }
}
