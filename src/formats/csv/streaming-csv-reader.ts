import type { CsvReaderOptions } from '../contract'
import { createChunkDecoder, type ChunkDecoder, type DecodedChunk } from '../encoding/text-decoder'
import { CELL_MAX_BYTES, DATASET_MAX_COLUMNS, RECORD_MAX_CHARS } from '../../shared/limits'
import { assertCellSize, assertCellSizes, recordTooLongError, tooManyColumnsError } from './csv-errors'
import { AFTER_CR, RecordBoundary, UnfinishedRecord } from './record-boundary'
import { CR, LF, countLineBreaks, endsAtCellStart, mayBeComment, toSyntaxCodes, scanRecord } from './record-scanner'
import type { DiagnosticCsvReader, ScannedRecord, StrayQuotes, SyntaxCodes } from './record-scanner'

/** Quotes that nothing closes in more characters than a cell holds: behind so many of a record its others are text, too. */
const UNCLOSED_LONG_MAX = 2
/** The cell is to be read again. */
const READ_AGAIN = -3
/**
 * What the reader is inside of. `cell`: at its start. `closed`: just past a quote that closes, or is the first of two;
 * `paired`: past the second. `ended`: past a CR that may have its LF in the next piece. `line`: a line that is no data;
 * `mark`: past the first sign of what may begin one.
 */
type ParserState = CellState | 'start' | 'mark' | 'line' | 'ended'
type CellState = 'cell' | 'plain' | 'plainEscaped' | 'escapedReturn' | 'quoted' | 'escaped' | 'closed' | 'paired'

/** Reads delimited text from bytes as they come. */
export class StreamingCsvReader implements DiagnosticCsvReader {
  readonly #onRecord: CsvReaderOptions['onRecord']
  /** Cells of the widest record: a numbered one has its number beside the columns. */
  readonly #maxCells: number
  readonly #marks: SyntaxCodes
  readonly #decoder: ChunkDecoder
  readonly #found: ScannedRecord = { cells: [], next: -1, breaks: 0 }
  #bom: boolean
  #skipLeft: number
  /** Records of names that are still to come. */
  #headerLeft: number
  #mode: ParserState = 'start'
  #cells: string[] = []
  #cell = ''
  /** Characters of the record in earlier pieces, and where it begins in this one. */
  #recordChars = 0
  #recordFrom = 0
  /** Characters of the record before the cell. */
  #cellFrom = 0
  #line: number
  /** Whether the line being read is no data. */
  #skipped = false
  readonly #strays: StrayQuotes = { loose: 0, looseLine: 0, unclosed: 0, unclosedLine: 0 }
  #comments = 0
  readonly #boundary: RecordBoundary
  readonly #unfinished = new UnfinishedRecord()
  /** Of the cell that is read again: its opening quote is text, or its first further one closes it. */
  #verdict: 'text' | 'closes' | null = null
  /** Whether the cell, being quoted, goes on over a line end. */
  #hasBreak = false
  /** Such quotes of the record so far. */
  #unclosedLong = 0
  /** Whether the cell holds a quote that was not doubled: it closes at one that ends it, on the same line. */
  #isLoose = false

  constructor({ settings, onRecord, startByte, startLine }: CsvReaderOptions) {
    const fresh = startByte === 0
    this.#onRecord = onRecord
    this.#maxCells = DATASET_MAX_COLUMNS + (settings.numbered ? 1 : 0)
    this.#marks = toSyntaxCodes(settings)
    this.#decoder = createChunkDecoder(settings.encoding)
    this.#bom = fresh
    this.#skipLeft = fresh ? settings.skipLines : 0
    this.#headerLeft = fresh && settings.header ? (settings.headerLines ?? 1) : 0
    this.#line = startLine
    this.#boundary = new RecordBoundary(settings.encoding, startLine)
  }

  #passBoundary(next: number): void {
    this.#recordFrom = Math.max(0, next)
    this.#recordChars = 0
    this.#unfinished.clear()
    if (this.#skipLeft > 0 || this.#headerLeft > 0) return
    this.#boundary.mark(next, this.#line)
  }

  #emit(record: string[], next: number, breaks: number): void {
    const at = this.#line
    this.#line += 1 + breaks
    const kept = record.some((text) => text !== '')
    const isHeader = kept && this.#headerLeft > 0
    if (isHeader) this.#headerLeft--
    this.#passBoundary(next)
    if (!kept) return
    if (record.length > this.#maxCells) throw tooManyColumnsError(at)
    assertCellSizes(record, at)
    if (!isHeader) this.#onRecord(record, at)
  }

  #endLine(next: number): void {
    this.#mode = 'start'
    if (this.#skipped) {
      this.#skipped = false
      this.#line++
      if (this.#skipLeft > 0) this.#skipLeft--
      else this.#comments++
      this.#passBoundary(next)
      return
    }
    const record = this.#cells
    this.#cells = []
    this.#unclosedLong = 0
    const breaks = record.reduce((sum, text) => sum + countLineBreaks(text), 0)
    this.#emit(record, next, breaks)
  }

  #endCell(): void {
    this.#cells.push(this.#cell)
    this.#cell = ''
    this.#isLoose = this.#hasBreak = false
    this.#verdict = null
    if (this.#cells.length > this.#maxCells) throw tooManyColumnsError(this.#line)
  }

  /** At a delimiter or line end: what it closes. Answers the position after it. */
  #close(text: string, at: number): number {
    const code = text.charCodeAt(at)
    if (!this.#skipped) this.#endCell()
    if (code === this.#marks.delimiter && !this.#skipped) {
      this.#mode = 'cell'
      this.#cellFrom = this.#recordChars + at + 1 - this.#recordFrom
      return at + 1
    }
    if (code === CR && at + 1 === text.length) {
      this.#mode = 'ended'
      return at + 1
    }
    const next = code === CR && text.charCodeAt(at + 1) === LF ? at + 2 : at + 1
    this.#endLine(next)
    return next
  }

  /** Quick records from here on; answers where the first one begins that needs care. */
  #quick(text: string, from: number): number {
    let at = from
    while (at < text.length && !mayBeComment(text, at, this.#marks)) {
      scanRecord(text, at, this.#marks, this.#found)
      if (this.#found.next < 0) break
      if (this.#found.next - at > RECORD_MAX_CHARS) throw recordTooLongError(this.#line)
      at = this.#found.next
      this.#emit(this.#found.cells, at, this.#found.breaks)
    }
    return at
  }

  #start(text: string, at: number): number {
    this.#recordFrom = at
    if (this.#skipLeft > 0) {
      this.#skipped = true
      this.#mode = 'line'
      return at
    }
    const from = this.#quick(text, at)
    this.#recordFrom = from
    this.#cellFrom = 0
    if (from === text.length) return from
    this.#skipped = text.startsWith(this.#marks.commentMark, from) && this.#marks.comment >= 0
    this.#mode = this.#skipped ? 'line' : 'cell'
    if (this.#skipped || !mayBeComment(text, from, this.#marks)) return from
    this.#mode = 'mark'
    return text.length
  }

  /** Past the first of two signs, at the start of a piece. */
  #mark(text: string): number {
    this.#skipped = text.charAt(0) === this.#marks.commentMark.charAt(1)
    this.#mode = this.#skipped ? 'line' : 'plain'
    if (!this.#skipped) this.#cell = this.#marks.commentMark.charAt(0)
    return 0
  }

  #cellStart(text: string, from: number): number {
    let at = from
    while (text.charCodeAt(at) === this.#marks.blank) at++
    if (at === text.length) return at
    const isText = this.#verdict === 'text' || this.#unclosedLong >= UNCLOSED_LONG_MAX
    const quoted = text.charCodeAt(at) === this.#marks.quote && !isText
    this.#mode = quoted ? 'quoted' : 'plain'
    return quoted ? at + 1 : at
  }

  #plain(text: string, from: number): number {
    let at = from
    let code = 0
    for (; at < text.length; at++) {
      code = text.charCodeAt(at)
      if (code === LF || code === CR) break
      if ((code === this.#marks.delimiter || code === this.#marks.escape) && !this.#skipped) break
    }
    if (!this.#skipped) {
      this.#cell += text.slice(from, at)
      if (this.#cell.length > CELL_MAX_BYTES)
        assertCellSize(this.#cell, { line: this.#line, column: this.#cells.length + 1 })
    }
    if (at === text.length || code !== this.#marks.escape) return at < text.length ? this.#close(text, at) : at
    this.#mode = 'plainEscaped'
    return at + 1
  }

  #quoted(text: string, from: number): number {
    let at = from
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === LF || code === CR) {
        if (this.#isLoose) return READ_AGAIN
        this.#hasBreak = true
      }
      if (code !== this.#marks.quote && code !== this.#marks.escape) continue
      this.#mode = code === this.#marks.quote ? 'closed' : 'escaped'
      break
    }
    this.#cell += text.slice(from, at)
    // More than a cell can hold: what opened it closes nowhere, or closed before.
    if (this.#cell.length > CELL_MAX_BYTES && (this.#hasBreak || this.#isLoose)) return READ_AGAIN
    return at < text.length ? at + 1 : at
  }

  #escaped(text: string, at: number): number {
    const code = text.charCodeAt(at)
    this.#cell += code === this.#marks.quote || code === this.#marks.escape ? '' : this.#marks.escapeChar
    this.#cell += text.charAt(at)
    if (code === LF || code === CR) this.#hasBreak = true
    this.#mode = 'quoted'
    return at + 1
  }

  /** Past an escape sign outside of quotes, which is one only before a sign of syntax: `\\N` and `C:\\x` stay as they are. */
  #plainEscaped(text: string, at: number): number {
    const code = text.charCodeAt(at)
    const isSign = [this.#marks.delimiter, this.#marks.quote, this.#marks.escape, LF, CR].includes(code)
    this.#mode = code === CR ? 'escapedReturn' : 'plain'
    this.#cell += isSign ? text.charAt(at) : this.#marks.escapeChar
    return isSign ? at + 1 : at
  }

  /** Past an escaped CR: its LF belongs to it. */
  #escapedReturn(text: string, at: number): number {
    this.#mode = 'plain'
    return text.charCodeAt(at) !== LF ? at : this.#plainEscaped(text, at)
  }

  #closed(text: string, at: number): number {
    const code = text.charCodeAt(at)
    if (code === this.#marks.quote) {
      this.#cell += this.#marks.quoteChar
      this.#mode = this.#isLoose ? 'paired' : 'quoted'
      return at + 1
    }
    const isEnd = code === this.#marks.delimiter || code === LF || code === CR
    if ((!isEnd || this.#isLoose) && (this.#isLoose || this.#hasBreak) && endsAtCellStart(this.#cell, this.#marks))
      return READ_AGAIN
    if (isEnd) return this.#close(text, at)
    const isApostrophe = this.#marks.quoteChar === "'"
    const closes = this.#verdict === 'closes'
    if (!isApostrophe && !this.#isLoose && !closes && this.#strays.loose++ === 0)
      this.#strays.looseLine = this.#quoteLine()
    this.#mode = closes ? 'plain' : 'quoted'
    if (closes) return at
    // Of a word, or a quotation in a text that is not doubled: it closes nothing.
    this.#cell += this.#marks.quoteChar
    this.#isLoose = !isApostrophe
    return at
  }

  /** Past two quotes in a cell that does not double them: both are text, unless the cell ends here. */
  #paired(text: string, at: number): number {
    const code = text.charCodeAt(at)
    if (code === this.#marks.delimiter || code === LF || code === CR) return this.#close(text, at)
    this.#mode = 'quoted'
    return at
  }

  #ended(text: string): number {
    if (text.charCodeAt(0) === LF) {
      this.#endLine(1)
      return 1
    }
    this.#endLine(AFTER_CR)
    return 0
  }

  #step(text: string, at: number): number {
    switch (this.#mode) {
      case 'start':
        return this.#start(text, at)
      case 'mark':
        return this.#mark(text)
      case 'cell':
        return this.#cellStart(text, at)
      case 'line':
      case 'plain':
        return this.#plain(text, at)
      case 'plainEscaped':
        return this.#plainEscaped(text, at)
      case 'escapedReturn':
        return this.#escapedReturn(text, at)
      case 'quoted':
        return this.#quoted(text, at)
      case 'escaped':
        return this.#escaped(text, at)
      case 'paired':
        return this.#paired(text, at)
      case 'closed':
        return this.#closed(text, at)
      case 'ended':
        return this.#ended(text)
    }
  }

  /** The record from the start of its cell on, in one piece, with what the cell has shown. */
  #readAgain(piece: DecodedChunk | null): DecodedChunk | null {
    if (!this.#isLoose && this.#strays.unclosed++ === 0) this.#strays.unclosedLine = this.#quoteLine()
    if (!this.#isLoose && this.#cell.length > CELL_MAX_BYTES) this.#unclosedLong++
    this.#verdict = this.#isLoose ? 'closes' : 'text'
    this.#isLoose = this.#hasBreak = false
    this.#cell = ''
    this.#mode = 'cell'
    const found = this.#unfinished.joinedWith(piece, this.#cellFrom)
    if (!found) return piece
    this.#recordFrom = 0
    this.#recordChars = found.before
    this.#boundary.beginChunk(found.joined)
    return found.joined
  }

  /** Whether the record is longer than any, inside a quote that nothing closes. @throws ProductError when it is so without one */
  #isEndless(at: number): boolean {
    if (this.#skipped || this.#recordChars + at - this.#recordFrom <= RECORD_MAX_CHARS) return false
    if (!this.inQuotes()) throw recordTooLongError(this.#line)
    return true
  }

  /** Where the cell begins in the piece that is being read. */
  #cellStartChar(): number {
    return this.#recordFrom + this.#cellFrom - this.#recordChars
  }

  #read(next: DecodedChunk, from = 0): void {
    let piece = next
    this.#boundary.beginChunk(piece)
    this.#recordFrom = 0
    let at = from
    if (this.#bom && piece.text.length > 0) {
      this.#bom = false
      if (piece.text.charCodeAt(0) === 0xfeff) at = 1
    }
    while (at < piece.text.length) {
      at = this.#step(piece.text, at)
      if (at !== READ_AGAIN && !this.#isEndless(at)) continue
      piece = this.#readAgain(piece) ?? piece
      at = this.#cellStartChar()
    }
    if (this.#mode !== 'start' && !this.#skipped)
      this.#unfinished.keep(piece, { char: this.#recordFrom, byte: this.#boundary.byteOffset() })
    this.#recordChars += piece.text.length - this.#recordFrom
    this.#boundary.endChunk(this.#mode === 'ended' && piece.text !== '')
  }

  push(bytes: Uint8Array): void {
    this.#read(this.#decoder.decode(bytes))
  }

  end(): void {
    this.#read(this.#decoder.flush())
    while (this.inQuotes()) {
      const again = this.#readAgain(null)
      if (!again) break
      this.#read(again, this.#cellStartChar())
    }
    if (this.#mode === 'mark') this.#mark('\n')
    if (this.#mode === 'plainEscaped') this.#plainEscaped('', 0)
    const begun = this.#cells.length > 0 || this.#cell !== ''
    if (['plain', 'escapedReturn', 'closed', 'paired'].includes(this.#mode) || (this.#mode === 'cell' && begun))
      this.#endCell()
    if (this.#mode !== 'start') this.#endLine(0)
    this.#boundary.finish(this.#line)
  }

  consumedBytes(): number {
    return this.#boundary.byteOffset()
  }
  nextLine(): number {
    return this.#boundary.line
  }
  strayQuotes(): StrayQuotes {
    return this.#strays
  }
  commentCount(): number {
    return this.#comments
  }
  inQuotes(): boolean {
    return this.#mode === 'quoted' || this.#mode === 'escaped'
  }

  /** The line on which the open quote stands. */
  #quoteLine(): number {
    return this.#cells.reduce((sum, text) => sum + countLineBreaks(text), this.#line)
  }
}
