import { RECORD_MAX_CHARS } from '../../shared/limits'
import { jsonRecordTooLongError } from './json-faults'

/** Takes the text of a file in pieces and gives each record's text on. */
export interface RecordFramer {
  push(text: string): void
  /** No more text. */
  end(): void
}

const BLANK_LINE = /^\s*$/

/** One record on each line; blank lines are none. */
export class LineFramer implements RecordFramer {
  private rest = ''
  private line = 1

  constructor(private readonly onRecord: (text: string, line: number) => void) {}

  push(text: string): void {
    let from = 0
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
      this.take(this.rest + text.slice(from, at))
      this.rest = ''
      from = at + 1
    }
    this.rest += from > 0 ? text.slice(from) : text
    if (this.rest.length > RECORD_MAX_CHARS) throw jsonRecordTooLongError(this.line)
  }

  end(): void {
    this.take(this.rest)
    this.rest = ''
  }

  private take(text: string): void {
    if (text.length > RECORD_MAX_CHARS) throw jsonRecordTooLongError(this.line)
    if (!BLANK_LINE.test(text)) this.onRecord(text, this.line)
    this.line++
  }
}
