import { CELL_MAX_BYTES } from '../../shared/limits'
import { workbookTooLargeError, workbookUnsafeError } from './workbook-errors'
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

/** All of them are held while the sheets are read: a Worker has 128 MB. */
const STRINGS_MAX_BYTES = 48 * 1024 * 1024
const STRINGS_MAX = 4_000_000
const PAGE_BYTES = 4 * 1024 * 1024
const CACHED_MAX = 20_000
const CACHED_MAX_CHARS = 4 * 1024 * 1024

/** Texts as UTF-8 in a few pages: an array of strings takes several times the memory. */
class StringTable {
  private readonly encoder = new TextEncoder()
  private readonly decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })
  private readonly pages: Uint8Array[] = []
  private used = PAGE_BYTES
  private starts = new Uint32Array(1024)
  private lengths = new Uint32Array(1024)
  private readonly cache = new Map<number, string>()
  private cachedChars = 0
  count = 0

  add(text: string): void {
    if (this.count >= STRINGS_MAX) throw workbookTooLargeError('different texts', STRINGS_MAX)
    if (PAGE_BYTES - this.used < text.length * 3) this.newPage()
    const { written } = this.encoder.encodeInto(text, this.page().subarray(this.used))
    if (this.count === this.starts.length) {
      this.starts = growArray(this.starts)
      this.lengths = growArray(this.lengths)
    }
    this.starts[this.count] = (this.pages.length - 1) * PAGE_BYTES + this.used
    this.lengths[this.count++] = written
    this.used += written
  }

  get(index: number): string | undefined {
    if (!(index >= 0 && index < this.count)) return undefined
    const known = this.cache.get(index)
    if (known !== undefined) return known
    const start = this.starts[index] ?? 0
    const at = start % PAGE_BYTES
    const page = this.pages[Math.floor(start / PAGE_BYTES)]
    const text = this.decoder.decode(page?.subarray(at, at + (this.lengths[index] ?? 0)))
    if (this.cache.size >= CACHED_MAX || this.cachedChars > CACHED_MAX_CHARS) {
      this.cache.clear()
      this.cachedChars = 0
    }
    this.cache.set(index, text)
    this.cachedChars += text.length
    return text
  }

  private page(): Uint8Array {
    return this.pages[this.pages.length - 1] ?? this.newPage()
  }

  private newPage(): Uint8Array {
    if (this.pages.length * PAGE_BYTES >= STRINGS_MAX_BYTES)
      throw workbookTooLargeError('text in its cells', STRINGS_MAX_BYTES)
    const page = new Uint8Array(PAGE_BYTES)
    this.pages.push(page)
    this.used = 0
    return page
  }
}

function growArray(old: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const next = new Uint32Array(old.length * 2)
  next.set(old)
  return next
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
    return this.store.get(index)
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
