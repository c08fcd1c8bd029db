import { workbookDamagedError } from '../workbook-errors'

const NOTHING = new Uint8Array(0)
const UTF16 = new TextDecoder('utf-16le', { fatal: false, ignoreBOM: true })

/** The content of one record, little-endian. Valid only during the call that it is handed to. */
export class RecordBytes {
  length = 0
  private bytes: Uint8Array = NOTHING
  private view: DataView = new DataView(NOTHING.buffer)
  private from = 0

  set(bytes: Uint8Array, from: number, length: number): void {
    if (bytes !== this.bytes) {
      this.bytes = bytes
      this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    }
    this.from = from
    this.length = length
  }

  u8(at: number): number {
    return this.view.getUint8(this.place(at, 1))
  }
  u16(at: number): number {
    return this.view.getUint16(this.place(at, 2), true)
  }
  u32(at: number): number {
    return this.view.getUint32(this.place(at, 4), true)
  }
  f64(at: number): number {
    return this.view.getFloat64(this.place(at, 8), true)
  }
  /** These bytes where they are, not a copy. */
  part(at: number, length: number): Uint8Array {
    const from = this.place(at, length)
    return this.bytes.subarray(from, from + length)
  }
  /** Text of so many units of UTF-16. */
  utf16(at: number, units: number): string {
    return UTF16.decode(this.part(at, units * 2))
  }

  /** A number in four bytes: a whole one or the upper bits of a double, either of them perhaps in hundredths. */
  rk(at: number): number {
    const raw = this.u32(at)
    const value = (raw & 2) === 0 ? doubleOfHighBits(raw & ~3) : (raw | 0) >> 2
    return (raw & 1) === 0 ? value : value / 100
  }

  private place(at: number, length: number): number {
    if (at < 0 || length < 0 || at + length > this.length) throw workbookDamagedError('a part of it is cut off')
    return this.from + at
  }
}

const scratch = new DataView(new ArrayBuffer(8))
function doubleOfHighBits(bits: number): number {
  scratch.setUint32(0, bits >>> 0)
  return scratch.getFloat64(0)
}
