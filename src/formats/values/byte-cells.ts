import type { ByteRecord, CellTarget, ColumnMapping, TextNumbers } from '../contract'
import { createCellDecoder } from '../encoding/text-decoder'
import type { Encoding } from '../../shared/data-sources/files'
import type { CellParser, ParsedCell } from '../../shared/values/cell-parsers'

/** How one column is typed. */
export interface ColumnParser {
  column: ColumnMapping
  index: number
  text: boolean
  /** Of a cell that is not empty. */
  read: (cell: string) => ParsedCell
  readBytes: CellParser['parseBytes']
  units: CellParser['units']
  /** Cells of fewer bytes are read decoded: they may be what is written where there is no value. */
  decodedBytes: number
}

type CellDecoder = ReturnType<typeof createCellDecoder>

/** Types the cells of records that are not decoded: plain numbers, dates and texts from their bytes, others by the way. */
export function byteCellParser(
  lanes: readonly ColumnParser[],
  { width, encoding }: { width: number; encoding: Encoding },
): (record: ByteRecord, to: CellTarget) => boolean {
  const decode = createCellDecoder(encoding)
  const isKept = encoding === 'utf-8' ? isPlainUtf8 : isAscii
  return (record, to) => {
    const { bytes, starts, ends, count } = record
    for (let cell = width; cell < count; cell += 1) if (starts[cell] !== ends[cell]) return false
    for (let at = 0; at < lanes.length; at += 1) {
      const lane = lanes[at]
      if (!lane) continue
      const isThere = lane.index >= 0 && lane.index < count
      const start = isThere ? (starts[lane.index] ?? 0) : 0
      const end = isThere ? (ends[lane.index] ?? 0) : 0
      const texts = to.texts[at] ?? null
      if (start === end) to.cells[at] = texts ? 0 : Number.NaN
      else if (texts) {
        const isPlain = end - start >= lane.decodedBytes && isKept(bytes, start, end)
        to.cells[at] = isPlain
          ? texts.codeOfBytes(bytes, start, end)
          : codeOfText(lane, texts, decode(bytes, start, end))
      } else {
        const plain = lane.readBytes(bytes, start, end)
        const value = Number.isNaN(plain) ? lane.read(decodeShort(decode, bytes, start, end)) : plain
        if (value === undefined || (typeof value === 'object' && value !== null)) return false
        to.cells[at] = typeof value === 'number' ? value : Number.NaN
      }
    }
    return true
  }
}

function codeOfText(lane: ColumnParser, texts: TextNumbers, cell: string): number {
  const text = cell === '' ? null : lane.read(cell)
  return typeof text === 'string' ? texts.codeOf(text) : 0
}

/** Below it stand signs that may be blank. */
const FIRST_SIGN = 33
const isAscii = (bytes: Uint8Array, start: number, end: number): boolean => {
  if ((bytes[start] ?? 0) < FIRST_SIGN) return false
  for (let at = start; at < end; at += 1) if ((bytes[at] ?? 0) >= 0x80) return false
  return true
}

/** First bytes of U+00C0 to U+02FF: letters that are in NFC by themselves. */
const LETTER_FROM = 0xc3
const LETTER_TO = 0xcb
/** Whether a text is kept as these bytes: it begins with no blank, and has nothing that could be written otherwise. */
export function isPlainUtf8(bytes: Uint8Array, start: number, end: number): boolean {
  if ((bytes[start] ?? 0) < FIRST_SIGN) return false
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte < 0x80) continue
    at += 1
    if (byte < LETTER_FROM || byte > LETTER_TO || at >= end || ((bytes[at] ?? 0) & 0xc0) !== 0x80) return false
  }
  return true
}

const SHORT_CHARS = 32
/** A small decoder costs more than what it decodes. */
function decodeShort(decode: CellDecoder, bytes: Uint8Array, start: number, end: number): string {
  if (end - start > SHORT_CHARS) return decode(bytes, start, end)
  let text = ''
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte >= 0x80) return decode(bytes, start, end)
    text += String.fromCharCode(byte)
  }
  return text
}
