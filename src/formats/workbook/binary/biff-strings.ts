import { toByteString } from '../../encoding/text-decoder'
import type { RecordBytes } from './record-bytes'

const [WIDE, EXTENDED, RICH] = [1, 4, 8]

const UNITS_AT_ONCE = 4096

/** Units of UTF-16, or their lower bytes alone. A pair of units may be cut apart, so nothing is mended here. */
function decodeUnits(bytes: Uint8Array, wide: boolean): string {
  if (!wide) return toByteString(bytes)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let text = ''
  for (let from = 0; from < bytes.length; from += UNITS_AT_ONCE * 2) {
    const count = Math.min(UNITS_AT_ONCE, (bytes.length - from) / 2)
    text += String.fromCharCode(...Array.from({ length: count }, (_, n) => view.getUint16(from + n * 2, true)))
  }
  return text
}

/**
 * Texts of BIFF8 that may go on in further records: each of those begins with a byte that says how wide the rest of the
 * text is. Formatting and reading aids (runs, phonetics) are passed over.
 */
export class ContinuedTexts {
  private readonly head: number[] = []
  private text = ''
  private units = 0
  private wide = false
  private bytesToSkip = 0
  private isAmid = false
  /** Texts that are still to come: what follows the last of them is something else. */
  private left = 0

  constructor(private readonly onText: (text: string) => void) {}

  /** Whether texts go on in the next record. */
  get isUnfinished(): boolean {
    return this.left > 0
  }

  /** The record in which so many texts begin, at `from`. */
  begin(data: RecordBytes, from: number, count: number): void {
    this.left = count
    this.isAmid = false
    this.head.length = 0
    this.text = ''
    this.read(data, from)
  }

  /** The record in which they go on. */
  continue(data: RecordBytes): void {
    const isCut = this.isAmid && this.units > 0 && data.length > 0
    if (isCut) this.wide = (data.u8(0) & WIDE) !== 0
    this.read(data, isCut ? 1 : 0)
  }

  private read(data: RecordBytes, from: number): void {
    let at = from
    while (at < data.length && this.left > 0)
      if (this.isAmid) at = this.readText(data, at)
      else this.readHead(data.u8(at++))
  }

  /** Length, width, and how much follows that is no text. */
  private readHead(byte: number): void {
    const { head } = this
    head.push(byte)
    const flags = head[2] ?? 0
    const isRich = (flags & RICH) !== 0
    const isExtended = (flags & EXTENDED) !== 0
    if (head.length < 3 + (isRich ? 2 : 0) + (isExtended ? 4 : 0)) return
    const word = (at: number): number => (head[at] ?? 0) + (head[at + 1] ?? 0) * 256
    this.units = word(0)
    this.wide = (flags & WIDE) !== 0
    const after = isRich ? 5 : 3
    this.bytesToSkip = (isRich ? word(3) * 4 : 0) + (isExtended ? word(after) + word(after + 2) * 65_536 : 0)
    head.length = 0
    this.isAmid = true
    if (this.units === 0 && this.bytesToSkip === 0) this.endText()
  }

  private readText(data: RecordBytes, from: number): number {
    const width = this.wide ? 2 : 1
    const units = Math.min(this.units, Math.floor((data.length - from) / width))
    if (this.units > 0 && units === 0) return data.length
    this.text += units > 0 ? decodeUnits(data.part(from, units * width), this.wide) : ''
    this.units -= units
    const passed = this.units > 0 ? 0 : Math.min(this.bytesToSkip, data.length - from - units * width)
    this.bytesToSkip -= passed
    if (this.units === 0 && this.bytesToSkip === 0) this.endText()
    return from + units * width + passed
  }

  private endText(): void {
    const text = this.text.toWellFormed()
    this.text = ''
    this.isAmid = false
    this.left--
    this.onText(text)
  }
}

/** A text that stands in one record whole, behind its length in `lengthBytes`. */
export function shortText(data: RecordBytes, at: number, lengthBytes: 1 | 2): string {
  const units = lengthBytes === 1 ? data.u8(at) : data.u16(at)
  const wide = (data.u8(at + lengthBytes) & WIDE) !== 0
  return decodeUnits(data.part(at + lengthBytes + 1, units * (wide ? 2 : 1)), wide).toWellFormed()
}
