/** A field of a record: a text, or what stands in braces (`{1 "10" 6 "P1"}`). */
export type SieField = string | string[]

/** What stands on a line: records, and braces around the rows of a voucher. Several may share one line. */
export type SieToken =
  | { kind: 'open' }
  | { kind: 'close' }
  | { kind: 'record'; label: string; fields: SieField[] }
  | { kind: 'noise' }

const [TAB, BLANK, QUOTE, BACKSLASH, OPEN, CLOSE, NUMBER_SIGN] = [9, 32, 34, 92, 123, 125, 35] as const
const CONTROL = /[\u0000-\u001f\u007f]/
const ALL_CONTROL = /[\u0000-\u001f\u007f]/g
const isBlank = (code: number): boolean => code === BLANK || code === TAB
/** NaN stands for the end of the line. */
const isFieldEnd = (code: number): boolean => isBlank(code) || code === OPEN || code === CLOSE || Number.isNaN(code)

/** Reads one line from left to right. Texts come without quotes, escapes and control characters. */
class LineTokenizer {
  at = 0
  /** Looked for once: hardly any line has them, and a line has many fields. */
  readonly #hasControl: boolean
  constructor(readonly line: string) {
    this.#hasControl = CONTROL.test(line)
  }

  /** The sign here; NaN at the end. */
  code(): number {
    return this.line.charCodeAt(this.at)
  }

  skipBlanks(): void {
    while (isBlank(this.line.charCodeAt(this.at))) this.at++
  }

  /** A field up to the next blank or brace; quoted parts may hold both. */
  text(): string {
    let text = ''
    for (;;) {
      const plain = this.#plain()
      text = text === '' ? plain : text + plain
      if (this.code() !== QUOTE) break
      const quoted = this.#quoted()
      text = text === '' ? quoted : text + quoted
    }
    return this.#hasControl ? text.replace(ALL_CONTROL, '') : text
  }

  /** Up to a quote or the end of the field. */
  #plain(): string {
    const from = this.at
    for (let code = this.code(); code !== QUOTE && !isFieldEnd(code); code = this.line.charCodeAt(++this.at));
    return this.line.slice(from, this.at)
  }

  /** After an opening quote up to its closing one, or to the line's end: texts never span lines. */
  #quoted(): string {
    const { line } = this
    const close = line.indexOf('"', this.at + 1)
    const simple = close > 0 && line.charCodeAt(close - 1) !== BACKSLASH && line.charCodeAt(close + 1) !== QUOTE
    if (!simple) return this.#escaped()
    const text = line.slice(this.at + 1, close)
    this.at = close + 1
    return text
  }

  /** The same with escaped or doubled quotes in it, or with none that closes. */
  #escaped(): string {
    const { line } = this
    let text = ''
    const from = ++this.at
    while (this.at < line.length) {
      const code = line.charCodeAt(this.at++)
      const next = line.charCodeAt(this.at)
      if (code === BACKSLASH && next === QUOTE) {
        // A path may end in a backslash: the quote after it then closes the text.
        if (isFieldEnd(line.charCodeAt(this.at + 1)) && !line.includes('"', this.at + 1)) text += '\\'
        else {
          text += '"'
          this.at++
        }
      } else if (code !== QUOTE) text += line[this.at - 1]
      else if (next === QUOTE && (this.at - 1 > from || !isFieldEnd(line.charCodeAt(this.at + 1)))) {
        // Some programs double a quote inside quotes.
        text += '"'
        this.at++
      } else return text
    }
    return text
  }

  /** After an opening brace: the items up to the closing one, or null when nothing but blanks follows. */
  list(): string[] | null {
    this.skipBlanks()
    if (this.at >= this.line.length) return null
    const items: string[] = []
    while (this.at < this.line.length && this.code() !== CLOSE) {
      if (this.code() === OPEN) this.at++
      else items.push(this.text())
      this.skipBlanks()
    }
    this.at++
    return items
  }
}

/** Takes a line apart. A line of blanks holds nothing; what is no record and no brace is `noise`. */
export function tokenizeLine(line: string): SieToken[] {
  const scan = new LineTokenizer(line)
  const events: SieToken[] = []
  for (scan.skipBlanks(); scan.at < line.length; scan.skipBlanks()) {
    const code = scan.code()
    if (code === OPEN || code === CLOSE) {
      events.push({ kind: code === OPEN ? 'open' : 'close' })
      scan.at++
    } else if (code === NUMBER_SIGN) events.push(...tokenizeRecord(scan))
    else {
      events.push({ kind: 'noise' })
      break
    }
  }
  return events
}

function tokenizeRecord(scan: LineTokenizer): SieToken[] {
  scan.at++
  const label = scan.text().toUpperCase()
  const fields: SieField[] = []
  const record: SieToken = { kind: 'record', label, fields }
  for (scan.skipBlanks(); scan.at < scan.line.length; scan.skipBlanks()) {
    const code = scan.code()
    if (code === CLOSE) return [record]
    if (code !== OPEN) fields.push(scan.text())
    else {
      scan.at++
      const items = scan.list()
      if (items === null) return [record, { kind: 'open' }]
      fields.push(items)
    }
  }
  return [record]
}
