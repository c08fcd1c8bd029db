import { isLossyText } from './sheet-columns'
import { workbookTooLargeError } from './workbook-errors'

/** All of them are held while the sheets are read: a Worker has 128 MB. */
const STRINGS_MAX_BYTES = 48 * 1024 * 1024
const STRINGS_MAX = 4_000_000
const PAGE_BYTES = 4 * 1024 * 1024
/** The first page begins as this: most workbooks have few texts. */
const FIRST_PAGE_BYTES = 64 * 1024
/** Longer texts are quicker encoded by the platform. */
const SHORT_CHARS = 64
const CACHED_MAX = 20_000
const CACHED_MAX_CHARS = 4 * 1024 * 1024

/** What is known of a text: its letters are not all ASCII; it has a comma; a quote or a line end; see {@link isLossyText}. */
export const TEXT_IS_WIDE = 1
const TEXT_NEEDS_QUOTES = 2
export const TEXT_NEEDS_CARE = 4
export const TEXT_IS_LOSSY = 8
const IS_KNOWN = 16
const [LF, CR, QUOTE, COMMA, FIRST_LETTER, ASCII_END] = [10, 13, 34, 44, 58, 0x80] as const

/** A text where it lies; valid until the next look. */
export interface TextView {
  bytes: Uint8Array
  start: number
  end: number
  needsQuotes: boolean
  flags: number
}

/** Texts as UTF-8 in a few pages: an array of strings takes several times the memory. */
export class StringTable {
  private readonly encoder = new TextEncoder()
  private readonly decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })
  private readonly pages: Uint8Array[] = []
  private used = PAGE_BYTES
  private starts = new Uint32Array(1024)
  private lengths = new Uint32Array(1024)
  private flags = new Uint8Array(1024)
  private readonly found: TextView = { bytes: new Uint8Array(0), start: 0, end: 0, needsQuotes: false, flags: 0 }
  private readonly cache = new Map<number, string>()
  private cachedChars = 0
  count = 0

  add(text: string): void {
    if (this.count >= STRINGS_MAX) throw workbookTooLargeError('different texts', STRINGS_MAX)
    if (PAGE_BYTES - this.used < text.length * 3) this.newPage()
    this.growPage(this.used + text.length * 3)
    const written = this.write(text)
    if (this.count === this.starts.length) {
      this.starts = growArray(this.starts)
      this.lengths = growArray(this.lengths)
      const flags = new Uint8Array(this.lengths.length)
      flags.set(this.flags)
      this.flags = flags
    }
    this.starts[this.count] = (this.pages.length - 1) * PAGE_BYTES + this.used
    this.lengths[this.count++] = written
    this.used += written
  }

  /** Writes a text behind those before. @returns its bytes */
  private write(text: string): number {
    const page = this.page()
    if (text.length > SHORT_CHARS) return this.encoder.encodeInto(text, page.subarray(this.used)).written
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      if (code >= ASCII_END) return this.encoder.encodeInto(text, page.subarray(this.used)).written
      page[this.used + at] = code
    }
    return text.length
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

  /** The same where it lies. */
  view(index: number): TextView | undefined {
    if (!(index >= 0 && index < this.count)) return undefined
    const { found } = this
    const start = this.starts[index] ?? 0
    found.bytes = this.pages[Math.floor(start / PAGE_BYTES)] ?? found.bytes
    found.start = start % PAGE_BYTES
    found.end = found.start + (this.lengths[index] ?? 0)
    found.flags = this.flags[index] ?? 0
    if (found.flags === 0) this.flags[index] = found.flags = IS_KNOWN | flagsOf(found, () => this.at(index) ?? '')
    found.needsQuotes = (found.flags & TEXT_NEEDS_QUOTES) !== 0
    return found
  }

  private page(): Uint8Array {
    return this.pages[this.pages.length - 1] ?? this.newPage()
  }

  private newPage(): Uint8Array {
    if (this.pages.length * PAGE_BYTES >= STRINGS_MAX_BYTES)
      throw workbookTooLargeError('text in its cells', STRINGS_MAX_BYTES)
    const page = new Uint8Array(this.pages.length === 0 ? FIRST_PAGE_BYTES : PAGE_BYTES)
    this.pages.push(page)
    this.used = 0
    return page
  }

  /** Makes the last page so long at least. */
  private growPage(length: number): void {
    const page = this.page()
    if (page.length >= length) return
    const longer = new Uint8Array(Math.min(PAGE_BYTES, Math.max(length, page.length * 4)))
    longer.set(page.subarray(0, this.used))
    this.pages[this.pages.length - 1] = longer
  }
}

function flagsOf({ bytes, start, end }: Omit<TextView, 'needsQuotes' | 'flags'>, textOf: () => string): number {
  let flags = 0
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte >= ASCII_END) flags |= TEXT_IS_WIDE
    else if (byte === COMMA) flags |= TEXT_NEEDS_QUOTES
    else if (byte === QUOTE || byte === LF || byte === CR) flags |= TEXT_NEEDS_CARE
  }
  const first = bytes[start] ?? 0
  const isNumberLike = first < FIRST_LETTER || first >= ASCII_END
  return isNumberLike && isLossyText(textOf()) ? flags | TEXT_IS_LOSSY : flags
}

function growArray(old: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const next = new Uint32Array(old.length * 2)
  next.set(old)
  return next
}
