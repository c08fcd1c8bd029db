/** A field of a record: a text, or what stands in braces (`{1 "10" 6 "P1"}`). */
export type Field = string | string[]

/** What stands on a line: records, and braces around the rows of a voucher. Several may share one line. */
export type LineEvent =
  { kind: 'open' } | { kind: 'close' } | { kind: 'record'; label: string; fields: Field[] } | { kind: 'noise' }

const CONTROL = /[\u0000-\u001f\u007f]/g
const isBlank = (char: string | undefined): boolean => char === ' ' || char === '\t'
const isEdge = (char: string | undefined): boolean =>
  char === undefined || isBlank(char) || char === '{' || char === '}'

/** Reads one line from left to right. Texts come without quotes, escapes and control characters. */
class LineScan {
  at = 0
  constructor(readonly line: string) {}

  skipBlanks(): void {
    while (isBlank(this.line[this.at])) this.at++
  }

  /** A field up to the next blank or brace; quoted parts may hold both. */
  text(): string {
    let text = ''
    while (!isEdge(this.line[this.at])) {
      if (this.line[this.at] === '"') text += this.#quoted()
      else text += this.line[this.at++]
    }
    return text.replace(CONTROL, '')
  }

  /** After an opening quote up to its closing one, or to the line's end: texts never span lines. */
  #quoted(): string {
    const { line } = this
    let text = ''
    const from = ++this.at
    while (this.at < line.length) {
      const char = line[this.at++]
      if (char === '\\' && line[this.at] === '"') {
        // A path may end in a backslash: the quote after it then closes the text.
        if (isEdge(line[this.at + 1]) && !line.includes('"', this.at + 1)) text += '\\'
        else {
          text += '"'
          this.at++
        }
      } else if (char !== '"') text += char
      else if (line[this.at] === '"' && (this.at - 1 > from || !isEdge(line[this.at + 1]))) {
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
    while (this.at < this.line.length && this.line[this.at] !== '}') {
      if (this.line[this.at] === '{') this.at++
      else items.push(this.text())
      this.skipBlanks()
    }
    this.at++
    return items
  }
}

/** Takes a line apart. A line of blanks holds nothing; what is no record and no brace is `noise`. */
export function readLine(line: string): LineEvent[] {
  const scan = new LineScan(line)
  const events: LineEvent[] = []
  for (scan.skipBlanks(); scan.at < line.length; scan.skipBlanks()) {
    const char = line[scan.at]
    if (char === '{' || char === '}') {
      events.push({ kind: char === '{' ? 'open' : 'close' })
      scan.at++
    } else if (char === '#') events.push(...readRecord(scan))
    else {
      events.push({ kind: 'noise' })
      break
    }
  }
  return events
}

function readRecord(scan: LineScan): LineEvent[] {
  scan.at++
  const label = scan.text().toUpperCase()
  const fields: Field[] = []
  const record: LineEvent = { kind: 'record', label, fields }
  for (scan.skipBlanks(); scan.at < scan.line.length; scan.skipBlanks()) {
    const char = scan.line[scan.at]
    if (char === '}') return [record]
    if (char !== '{') fields.push(scan.text())
    else {
      scan.at++
      const items = scan.list()
      if (items === null) return [record, { kind: 'open' }]
      fields.push(items)
    }
  }
  return [record]
}
