import { workbookTooLargeError } from './workbook-errors'

/** All of them are held while the sheets are read: a Worker has 128 MB. */
const STRINGS_MAX_BYTES = 48 * 1024 * 1024
const STRINGS_MAX = 4_000_000
const PAGE_BYTES = 4 * 1024 * 1024
const CACHED_MAX = 20_000
const CACHED_MAX_CHARS = 4 * 1024 * 1024

/** Texts as UTF-8 in a few pages: an array of strings takes several times the memory. */
export class StringTable {
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

  /** `undefined` when there is no such text. */
  at(index: number): string | undefined {
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
