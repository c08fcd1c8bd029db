import { builtInFormat, PLAIN_NUMBER_FORMAT, parseNumberFormat } from './number-format'
import type { NumberFormat } from './number-format'
import { workbookTooLargeError } from './refusals'
import type { XmlHandler, XmlTag } from './xml-scanner'

/** Excel itself writes at most 65 490. */
const STYLES_MAX = 100_000
const FORMAT_MAX_CHARS = 1000

/** Reads `styles.xml`: which number format a cell's style number stands for. Everything else of styles is passed over. */
export class XlsxStyles implements XmlHandler {
  wantsText = false
  private readonly customFormats = new Map<string, NumberFormat>()
  private readonly styles: NumberFormat[] = []
  private inCellStyles = false

  /** The number format of a cell's style; plain for a style that does not exist. */
  formatOf(style: number): NumberFormat {
    return this.styles[style] ?? PLAIN_NUMBER_FORMAT
  }

  open(tag: XmlTag): void {
    if (tag.name === 'cellXfs') this.inCellStyles = true
    else if (tag.name === 'numFmt') this.addFormat(tag)
    else if (tag.name === 'xf' && this.inCellStyles) this.addStyle(tag.attribute('numFmtId') ?? '0')
  }
  close(name: string): void {
    if (name === 'cellXfs') this.inCellStyles = false
  }
  text(): void {}

  private addFormat(tag: XmlTag): void {
    const id = tag.attribute('numFmtId')
    const code = tag.attribute('formatCode')
    if (id === undefined || code === undefined) return
    if (this.customFormats.size >= STYLES_MAX) throw workbookTooLargeError('number formats', STYLES_MAX)
    this.customFormats.set(id, parseNumberFormat(code.slice(0, FORMAT_MAX_CHARS)))
  }

  private addStyle(id: string): void {
    if (this.styles.length >= STYLES_MAX) throw workbookTooLargeError('styles', STYLES_MAX)
    this.styles.push(this.customFormats.get(id) ?? builtInFormat(Number(id)))
  }
}
