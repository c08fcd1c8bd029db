import type { CsvReader, CsvReaderOptions } from '../contract'
import { createChunkDecoder } from '../encoding/text-decoder'
import type { ChunkDecoder, DecodedChunk } from '../encoding/text-decoder'
import { CELL_MAX_BYTES, DATASET_MAX_COLUMNS, RECORD_MAX_CHARS } from '../../shared/limits'
import { assertCellSize, assertCellSizes, recordTooLongError, tooManyColumnsError } from './csv-errors'
import { AFTER_CR, RecordBoundary, UnfinishedRecord } from './record-boundary'
import { CR, LF, countLineBreaks, opensCell, toSyntaxCodes, scanRecord } from './record-scanner'
import type { ScannedRecord, StrayQuotes, SyntaxCodes } from './record-scanner'

/** The reader with what inspection wants to know beside the records. */
export interface DiagnosticCsvReader extends CsvReader {
  /** Cells that go on after their closing quote so far, or never close it: many mean that quote or escape was guessed wrongly. */
  strayQuotes(): StrayQuotes
  /** Lines left out as comments so far. */
  commentCount(): number
  /** Whether the bytes so far end inside quotes. */
  inQuotes(): boolean
}

/** The record is to be read again. */
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
  #line: number
  /** Whether the line being read is no data. */
  #skipped = false
  readonly #strays: StrayQuotes = { loose: 0, looseLine: 0, unclosed: 0, unclosedLine: 0 }
  #comments = 0
  readonly #boundary: RecordBoundary
  readonly #unfinished = new UnfinishedRecord()
  /** Of the record that is read again, by position of the cell: its opening quote is text, or its first further one closes it. */
  #verdicts = new Map<number, 'text' | 'closes'>()
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
    if (this.#verdicts.size > 0) this.#verdicts.clear()
    let breaks = 0
    for (const text of record) breaks += countLineBreaks(text)
    this.#emit(record, next, breaks)
  }

  #endCell(): void {
    this.#cells.push(this.#cell)
    this.#cell = ''
    this.#isLoose = false
    if (this.#cells.length > this.#maxCells) throw tooManyColumnsError(this.#line)
  }

  /** At a delimiter or line end: what it closes. Answers the position after it. */
  #close(text: string, at: number): number {
    const code = text.charCodeAt(at)
    if (!this.#skipped) this.#endCell()
    if (code === this.#marks.delimiter && !this.#skipped) {
      this.#mode = 'cell'
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
    while (at < text.length && !this.#mayBeComment(text, at)) {
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
    if (from === text.length) return from
    this.#skipped = text.startsWith(this.#marks.commentMark, from) && this.#marks.comment >= 0
    this.#mode = this.#skipped ? 'line' : 'cell'
    if (this.#skipped || !this.#mayBeComment(text, from)) return from
    this.#mode = 'mark'
    return text.length
  }

  /** Whether a comment begins here; or could, were the text not at its end. */
  #mayBeComment(text: string, at: number): boolean {
    const { comment, commentMark } = this.#marks
    if (text.charCodeAt(at) !== comment) return false
    return at + 1 === text.length || text.startsWith(commentMark, at)
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
    const quoted = text.charCodeAt(at) === this.#marks.quote && this.#verdicts.get(this.#cells.length) !== 'text'
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
      if (this.#isLoose && (code === LF || code === CR)) return READ_AGAIN
      if (code !== this.#marks.quote && code !== this.#marks.escape) continue
      this.#mode = code === this.#marks.quote ? 'closed' : 'escaped'
      break
    }
    const before = this.#cell.length
    this.#cell += text.slice(from, at)
    // Lines that no cell can hold: what opened it closes nowhere.
    if (before <= CELL_MAX_BYTES && this.#cell.length > CELL_MAX_BYTES && countLineBreaks(this.#cell) > 0)
      return READ_AGAIN
    return at < text.length ? at + 1 : at
  }

  #escaped(text: string, at: number): number {
    const code = text.charCodeAt(at)
    this.#cell += code === this.#marks.quote || code === this.#marks.escape ? '' : this.#marks.escapeChar
    this.#cell += text.charAt(at)
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
    if ((!isEnd || this.#isLoose) && opensCell(this.#cell, this.#marks, this.#isLoose)) return READ_AGAIN
    if (isEnd) return this.#close(text, at)
    const isApostrophe = this.#marks.quoteChar === "'"
    const closes = this.#verdicts.get(this.#cells.length) === 'closes'
    const isNew = !isApostrophe && !this.#isLoose && !closes
    if (isNew && this.#strays.loose++ === 0) this.#strays.looseLine = this.#quoteLine()
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

  /** The record from its start, in one piece, with what its last cell has shown. */
  #readAgain(piece: DecodedChunk | null): DecodedChunk | null {
    if (!this.#isLoose && this.#strays.unclosed++ === 0) this.#strays.unclosedLine = this.#quoteLine()
    this.#verdicts.set(this.#cells.length, this.#isLoose ? 'closes' : 'text')
    this.#isLoose = false
    this.#cells = []
    this.#cell = ''
    this.#mode = 'cell'
    const joined = this.#unfinished.joinedWith(piece)
    if (!joined) return piece
    this.#recordFrom = 0
    this.#recordChars = 0
    this.#boundary.beginChunk(joined)
    return joined
  }

  /** Whether the record is longer than any, inside a quote that nothing closes. @throws ProductError when it is so without one */
  #isEndless(at: number): boolean {
    if (this.#skipped || this.#recordChars + at - this.#recordFrom <= RECORD_MAX_CHARS) return false
    if (!this.inQuotes()) throw recordTooLongError(this.#line)
    return true
  }

  #read(next: DecodedChunk): void {
    let piece = next
    this.#boundary.beginChunk(piece)
    this.#recordFrom = 0
    let at = 0
    if (this.#bom && piece.text.length > 0) {
      this.#bom = false
      if (piece.text.charCodeAt(0) === 0xfeff) at = 1
    }
    while (at < piece.text.length) {
      at = this.#step(piece.text, at)
      if (at !== READ_AGAIN && !this.#isEndless(at)) continue
      piece = this.#readAgain(piece) ?? piece
      at = this.#recordFrom
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
      this.#read(again)
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
