import type { FastRowReader } from './fast-row-reader'
import { ROW_UNFINISHED } from './row-scanner'
import type { XlsxSheetHandler } from '../xlsx-sheet'
import { encodingFromBom, SLICE_CHARS, XmlScanner, type ScanTurns } from '../xml-scanner'

const encoder = new TextEncoder()
const [ROW_END, DATA] = ['</row>', '<sheetData'].map((text) => encoder.encode(text))
const ROW_END_BYTES = 6
const [LT, GT] = [60, 62] as const
/** A longer row is read tag by tag, so that it is never held as a whole. */
const HELD_MAX_BYTES = 256 * 1024

/**
 * Feeds a sheet's part to its readers: rows that are plainly written to the quick one, all else to the scanner of tags,
 * from a row on that it does not read to that row's end.
 */
export async function scanSheet(
  chunks: AsyncIterable<Uint8Array>,
  { sheet, quick }: { sheet: XlsxSheetHandler; quick: FastRowReader },
  turns: ScanTurns,
): Promise<void> {
  const scanner = new XmlScanner(sheet)
  let decoder: TextDecoder | null = null
  let isQuick = true
  /** Of a row that is not held as a whole: to its end nothing is tried again. */
  let isLong = false
  const held = new HeldBytes()
  for await (const chunk of chunks) {
    if (!decoder) {
      const encoding = encodingFromBom(chunk)
      decoder = new TextDecoder(encoding)
      isQuick = encoding === 'utf-8'
    }
    const bytes = held.push(chunk)
    let at = 0
    while (at < bytes.length) {
      if (turns.isDue?.() === true) await turns.eachChunk()
      if (isQuick && !isLong && scanner.isBetweenTags && sheet.isBetweenRows) {
        const next = quick.row(bytes, { at, end: bytes.length, before: sheet.line })
        if (next >= 0) {
          sheet.line = quick.line
          at = next
          continue
        }
        isLong = next === ROW_UNFINISHED && bytes.length - at > HELD_MAX_BYTES
        if (next === ROW_UNFINISHED && !isLong) break
      }
      const to = isQuick ? endOfPiece(bytes, at) : Math.min(bytes.length, at + SLICE_CHARS)
      scanner.push(decoder.decode(bytes.subarray(at, to), { stream: true }))
      at = to
      if (isLong) isLong = !startsWith(bytes, at - ROW_END_BYTES, ROW_END)
    }
    held.drop(at)
    await turns.eachChunk()
  }
  if (decoder) {
    scanner.push(decoder.decode(held.push(new Uint8Array(0)), { stream: true }))
    scanner.push(decoder.decode())
  }
  scanner.end()
}

/** Bytes that were not read yet, and those that came behind them, in one room that is used over and over. */
class HeldBytes {
  private room = new Uint8Array(128 * 1024)
  private length = 0

  /** All of them; valid until the next call. */
  push(more: Uint8Array): Uint8Array {
    const length = this.length + more.length
    if (length > this.room.length) {
      const larger = new Uint8Array(length * 2)
      larger.set(this.room.subarray(0, this.length))
      this.room = larger
    }
    this.room.set(more, this.length)
    this.length = length
    return this.room.subarray(0, length)
  }

  /** So many from the front were read. */
  drop(read: number): void {
    this.room.copyWithin(0, read, this.length)
    this.length -= read
  }
}

/** Where a row ends or the first one may begin, a slice further on at most. */
function endOfPiece(bytes: Uint8Array, from: number): number {
  const end = Math.min(bytes.length, from + SLICE_CHARS)
  for (let at = from; at < end; at += 1) {
    if (bytes[at] !== LT) continue
    if (startsWith(bytes, at, ROW_END)) return at + ROW_END_BYTES
    if (!startsWith(bytes, at, DATA)) continue
    const close = bytes.subarray(at, end).indexOf(GT)
    if (close >= 0) return at + close + 1
  }
  return end
}

function startsWith(bytes: Uint8Array, at: number, word: Uint8Array | undefined): boolean {
  return word !== undefined && word.every((byte, n) => bytes[at + n] === byte)
}
