import { RECORD_MAX_CHARS } from '../../shared/limits'
import { toByteString } from '../code-pages'
import { recordTooLongError } from '../csv-faults'

/** The byte order mark of UTF-8, byte by byte. */
const UTF8_BOM_BYTES = '\u00ef\u00bb\u00bf'
const LINE_END = /\r\n|\r|\n/

export interface NumberedLine {
  text: string
  /** 1-based. */
  line: number
}

/** Cuts pieces of bytes into lines: LF, CR and CRLF end them, also in one file. Characters are bytes, not yet letters. */
export class LineSplitter {
  #rest = ''
  #line = 0

  /** Lines completed by these bytes. @throws ProductError when one is far too long. */
  push(bytes: Uint8Array): NumberedLine[] {
    const text = this.#rest + toByteString(bytes)
    // A CR at the very end may have its LF in the next piece.
    const end = text.endsWith('\r') ? text.length - 1 : text.length
    const lines = text.slice(0, end).split(LINE_END)
    this.#rest = (lines.pop() ?? '') + text.slice(end)
    if (this.#rest.length > RECORD_MAX_CHARS) throw recordTooLongError(this.#line + lines.length + 1)
    return lines.map((found) => this.#numbered(found))
  }

  /** The last line, when the file does not end with a line end. */
  end(): NumberedLine[] {
    const rest = this.#rest.replace(/\r$/, '')
    this.#rest = ''
    return rest === '' ? [] : [this.#numbered(rest)]
  }

  #numbered(text: string): NumberedLine {
    const line = ++this.#line
    return { text: line === 1 && text.startsWith(UTF8_BOM_BYTES) ? text.slice(UTF8_BOM_BYTES.length) : text, line }
  }
}
