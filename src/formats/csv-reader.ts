import { CELL_MAX_BYTES, DATASET_MAX_COLUMNS, RECORD_MAX_CHARS } from '../shared/limits'
import type { CreateCsvReader, CsvReader, CsvReaderOptions } from './contract'
import { checkCell, neverClosed, recordTooLong, tooManyColumns } from './csv-faults'
import { CR, LF, lineBreaks, marksOf, scanRecord } from './record-scan'
import type { ScannedRecord } from './record-scan'
import { byteAfterLineEnd, countLineEnds, pieceDecoder } from './text-decoder'
import type { TextPiece } from './text-decoder'

/**
 * What the reader is inside of. `closed`: just past a quote that closes, or is the first of two. `ended`: past a CR
 * that ends a line and may have its LF in the next piece. `line`: a line that is no data (skipped or a comment).
 */
type Mode = 'start' | 'line' | 'cell' | 'plain' | 'quoted' | 'escaped' | 'closed' | 'ended'

/** The reader with what inspection wants to know beside the records. */
export interface InspectingCsvReader extends CsvReader {
  /** Characters found after a closing quote so far: many mean that quote or escape was guessed wrongly. */
  strays(): number
  /** Lines left out as comments so far. */
  comments(): number
  /** Whether the bytes so far end inside quotes. */
  inQuotes(): boolean
}

/** Places of a boundary that are no character of the piece being read: none new, or after the CR of the piece before. */
const NONE = -1
const AFTER_CR = -2

/** Reads delimited text from bytes. Lenient about odd quotes; records without any character are no rows. */
export function createInspectingCsvReader(options: CsvReaderOptions): InspectingCsvReader {
  const { settings, onRecord } = options
  const marks = marksOf(settings)
  const decoder = pieceDecoder(settings.encoding)
  const found: ScannedRecord = { cells: [], next: -1, breaks: 0 }
  const fresh = options.startByte === 0
  let bom = fresh
  let skipLeft = fresh ? settings.skipLines : 0
  let header = fresh && settings.header
  let mode: Mode = 'start'
  let cells: string[] = []
  let cell = ''
  /** Characters of the record in earlier pieces, and where it begins in this one. */
  let recordChars = 0
  let recordFrom = 0
  let line = options.startLine
  let skipped = false
  let strays = 0
  let comments = 0
  let piece: TextPiece = { text: '', bytes: new Uint8Array(0), base: 0 }
  /** The last record boundary: a byte, or (while a piece is being read) a character of that piece. */
  let boundaryByte = 0
  let boundaryChar = NONE
  let boundaryLine = options.startLine
  /** The byte after a CR at the very end of a piece. */
  let byteAfterCr = 0

  const byteOf = (char: number): number =>
    char === AFTER_CR
      ? byteAfterCr
      : piece.base + byteAfterLineEnd(piece.bytes, countLineEnds(piece.text, char), settings.encoding)

  const passBoundary = (next: number): void => {
    recordFrom = Math.max(0, next)
    recordChars = 0
    if (skipLeft > 0 || header) return
    boundaryChar = next
    boundaryLine = line
  }

  const emit = (record: string[], next: number, breaks: number): void => {
    const at = line
    line += 1 + breaks
    const kept = record.some((text) => text !== '')
    const isHeader = kept && header
    if (isHeader) header = false
    passBoundary(next)
    if (!kept) return
    if (record.length > DATASET_MAX_COLUMNS) throw tooManyColumns(at)
    for (let i = 0; i < record.length; i++) {
      const text = record[i]
      if (text !== undefined && text.length * 3 > CELL_MAX_BYTES) checkCell(text, { line: at, column: i + 1 })
    }
    if (!isHeader) onRecord(record, at)
  }

  const endLine = (next: number): void => {
    mode = 'start'
    if (skipped) {
      skipped = false
      line++
      if (skipLeft > 0) skipLeft--
      else comments++
      passBoundary(next)
      return
    }
    const record = cells
    cells = []
    let breaks = 0
    for (const text of record) breaks += lineBreaks(text)
    emit(record, next, breaks)
  }

  const endCell = (): void => {
    cells.push(cell)
    cell = ''
    if (cells.length > DATASET_MAX_COLUMNS) throw tooManyColumns(line)
  }

  /** At a delimiter or line end: what it closes. Answers the position after it. */
  const close = (text: string, at: number): number => {
    const code = text.charCodeAt(at)
    if (!skipped) endCell()
    if (code === marks.delimiter && !skipped) {
      mode = 'cell'
      return at + 1
    }
    if (code === CR && at + 1 === text.length) {
      mode = 'ended'
      return at + 1
    }
    const next = code === CR && text.charCodeAt(at + 1) === LF ? at + 2 : at + 1
    endLine(next)
    return next
  }

  /** Quick records from here on; answers where the first one begins that needs care. */
  const quick = (text: string, from: number): number => {
    let at = from
    while (at < text.length && text.charCodeAt(at) !== marks.comment) {
      scanRecord(text, at, marks, found)
      if (found.next < 0) break
      if (found.next - at > RECORD_MAX_CHARS) throw recordTooLong(line)
      at = found.next
      emit(found.cells, at, found.breaks)
    }
    return at
  }

  const start = (text: string, at: number): number => {
    recordFrom = at
    if (skipLeft > 0) {
      skipped = true
      mode = 'line'
      return at
    }
    const from = quick(text, at)
    recordFrom = from
    if (from < text.length) {
      skipped = text.charCodeAt(from) === marks.comment
      mode = skipped ? 'line' : 'cell'
    }
    return from
  }

  const plain = (text: string, from: number): number => {
    let at = from
    let code = 0
    for (; at < text.length; at++) {
      code = text.charCodeAt(at)
      if (code === LF || code === CR || (code === marks.delimiter && !skipped)) break
    }
    if (!skipped) {
      cell += text.slice(from, at)
      if (cell.length > CELL_MAX_BYTES) checkCell(cell, { line, column: cells.length + 1 })
    }
    return at < text.length ? close(text, at) : at
  }

  const quoted = (text: string, from: number): number => {
    let at = from
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code !== marks.quote && code !== marks.escape) continue
      mode = code === marks.quote ? 'closed' : 'escaped'
      break
    }
    cell += text.slice(from, at)
    return at < text.length ? at + 1 : at
  }

  const escaped = (text: string, at: number): number => {
    const code = text.charCodeAt(at)
    cell += code === marks.quote || code === marks.escape ? '' : marks.escapeChar
    cell += text.charAt(at)
    mode = 'quoted'
    return at + 1
  }

  const closed = (text: string, at: number): number => {
    const code = text.charCodeAt(at)
    if (code === marks.quote) {
      cell += marks.quoteChar
      mode = 'quoted'
      return at + 1
    }
    if (code === marks.delimiter || code === LF || code === CR) return close(text, at)
    strays++
    mode = 'plain'
    return at
  }

  const ended = (text: string): number => {
    if (text.charCodeAt(0) === LF) {
      endLine(1)
      return 1
    }
    // Bytes that the decoder holds back may lie between the CR and this piece.
    endLine(AFTER_CR)
    return 0
  }

  const step = (text: string, at: number): number => {
    switch (mode) {
      case 'start':
        return start(text, at)
      case 'cell':
        mode = text.charCodeAt(at) === marks.quote ? 'quoted' : 'plain'
        return mode === 'quoted' ? at + 1 : at
      case 'line':
      case 'plain':
        return plain(text, at)
      case 'quoted':
        return quoted(text, at)
      case 'escaped':
        return escaped(text, at)
      case 'closed':
        return closed(text, at)
      case 'ended':
        return ended(text)
    }
  }

  const checkLength = (at: number): void => {
    if (skipped || recordChars + at - recordFrom <= RECORD_MAX_CHARS) return
    if (mode !== 'quoted' && mode !== 'escaped') throw recordTooLong(line)
    throw neverClosed(cells.reduce((sum, text) => sum + lineBreaks(text), line))
  }

  const read = (next: TextPiece): void => {
    piece = next
    recordFrom = 0
    const { text } = next
    let at = 0
    if (bom && text.length > 0) {
      bom = false
      if (text.charCodeAt(0) === 0xfeff) at = 1
    }
    while (at < text.length) {
      at = step(text, at)
      checkLength(at)
    }
    recordChars += text.length - recordFrom
    // In this order: the boundary may lie after the CR that an earlier piece ended with.
    if (boundaryChar !== NONE) boundaryByte = byteOf(boundaryChar)
    boundaryChar = NONE
    if (mode === 'ended' && text !== '') byteAfterCr = byteOf(text.length)
    piece = { text: '', bytes: new Uint8Array(0), base: next.base + next.bytes.length }
  }

  return {
    push: (bytes) => read(decoder.decode(bytes)),
    end() {
      read(decoder.flush())
      if (mode === 'quoted' || mode === 'escaped') {
        throw neverClosed(cells.reduce((sum, text) => sum + lineBreaks(text), line))
      }
      if (mode === 'plain' || mode === 'closed' || (mode === 'cell' && cells.length > 0)) endCell()
      if (mode !== 'start') endLine(0)
      boundaryByte = piece.base
      boundaryChar = NONE
      boundaryLine = line
    },
    consumedBytes: () => (boundaryChar === NONE ? boundaryByte : byteOf(boundaryChar)),
    nextLine: () => boundaryLine,
    strays: () => strays,
    comments: () => comments,
    inQuotes: () => mode === 'quoted' || mode === 'escaped',
  }
}

export const createCsvReader: CreateCsvReader = createInspectingCsvReader
