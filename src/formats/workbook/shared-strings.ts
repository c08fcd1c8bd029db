import { CELL_MAX_BYTES } from '../../shared/limits'
import { StringTable, type TextView } from './string-table'
import { workbookUnsafeError } from './workbook-errors'
import type { XmlHandler, XmlTag } from './xml-scanner'

/** `_x000D_`: how a workbook writes signs that XML does not allow; `_x005F_` protects an underscore. */
const ESCAPED_CHAR = /_x([0-9a-f]{4})_/gi

export function unescapeXlsxText(text: string): string {
  if (!text.includes('_x') && !text.includes('_X')) return text
  return text.replace(ESCAPED_CHAR, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/** Collects the plain text of a string item (`<si>`, `<is>`): its `<t>` parts outside phonetic runs. */
export class RichTextCollector {
  private parts = ''
  private phonetic = false
  private within = false

  get length(): number {
    return this.parts.length
  }
  begin(): void {
    this.parts = ''
    this.phonetic = false
    this.within = false
  }
  /** Each call answers whether the text that comes now belongs to the item. */
  open(name: string): boolean {
    if (name === 'rPh') this.phonetic = true
    else if (name === 't') this.within = true
    return this.within && !this.phonetic
  }
  close(name: string): boolean {
    if (name === 'rPh') this.phonetic = false
    else if (name === 't') this.within = false
    return this.within && !this.phonetic
  }
  add(text: string): void {
    this.parts += text
  }
  end(): string {
    return unescapeXlsxText(this.parts)
  }
}

/** Reads `sharedStrings.xml`; rich text gives its plain text, reading aids (phonetic runs) are left out. */
export class SharedStrings implements XmlHandler {
  wantsText = false
  private readonly store = new StringTable()
  private readonly item = new RichTextCollector()

  get count(): number {
    return this.store.count
  }
  /** `undefined` when there is no such text. */
  at(index: number): string | undefined {
    return this.store.at(index)
  }
  /** The same where it lies. */
  view(index: number): TextView | undefined {
    return this.store.view(index)
  }

  open(tag: XmlTag): void {
    if (tag.name === 'si') this.item.begin()
    else this.wantsText = this.item.open(tag.name)
  }
  close(name: string): void {
    if (name === 'si') this.store.add(this.item.end())
    this.wantsText = this.item.close(name)
  }
  text(text: string): void {
    this.item.add(text)
    if (this.item.length > CELL_MAX_BYTES)
      throw workbookUnsafeError(`a cell holds more than ${CELL_MAX_BYTES / 1024} KB`)
  }
}
