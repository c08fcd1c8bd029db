import { RECORD_MAX_CHARS } from '../../shared/limits'
import { jsonRecordTooLongError, invalidJsonError, isJsonWhitespace, JsonParser, parseJson } from './json-parser'

/** Takes the text of a file in pieces and gives each record's text on. */
export interface RecordFramer {
  /** False: more was waiting than is read at once; push on, with no text, before what follows. */
  push(text: string): boolean
  /** No more text. */
  end(): void
}

/** Read between two turns for others; a container that is stepped into has far more waiting. */
const PUSH_MAX_CHARS = 256 * 1024
const BLANK_LINE = /^\s*$/

/** One record on each line; blank lines are none. */
export class LineFramer implements RecordFramer {
  private rest = ''
  private line = 1

  constructor(private readonly onRecord: (text: string, line: number) => void) {}

  push(text: string): boolean {
    let from = 0
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
      this.take(this.rest + text.slice(from, at))
      this.rest = ''
      from = at + 1
    }
    this.rest += from > 0 ? text.slice(from) : text
    if (this.rest.length > RECORD_MAX_CHARS) throw jsonRecordTooLongError(this.line)
    return true
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

/** One value's text, with the container it stands in: keys from the top, and its own key when that is an object. */
export interface FramedValue {
  text: string
  line: number
  /** null: at the top of the file. */
  container: readonly string[] | null
  key: string | null
  /** It follows another value at the top on the same line. */
  sharesLine: boolean
}

/** Name of a container in {@link ValueFramerOptions.opened}. */
export const containerKey = (path: readonly string[]): string => JSON.stringify(path)

const TOP_LEVEL = containerKey([])

export interface ValueFramerOptions {
  /** Containers that are stepped into: what stands in them is given on one by one. */
  opened: Pick<ReadonlySet<string>, 'has'>
  /** False: the value is too much at once, and is stepped into. */
  onValue: (value: FramedValue) => boolean
  /** A container is longer than a record may be: it is stepped into. Absent: that is an error. */
  onTooLong?: (path: readonly string[], kind: 'list' | 'object', line: number) => void
}

interface Container {
  path: readonly string[]
  kind: 'list' | 'object'
}
type ExpectedToken = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'colon' | 'commaOrEnd'

const [QUOTE, BACKSLASH, COMMA, COLON, LF] = [34, 92, 44, 58, 10]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125]

/**
 * Cuts a JSON text into the values of the containers it steps into, without reading the values. Values at the top may
 * follow each other, so that records on lines or one after another are framed as well.
 */
export class ValueFramer implements RecordFramer {
  private text = ''
  private at = 0
  private line = 1
  /** Line of the last sign that was no blank. */
  private lastLine = 1
  private readonly stack: Container[] = []
  private expected: ExpectedToken = 'value'
  /** Values at the top that have ended. */
  private topLevelCount = 0
  private topLevelEndLine = 0
  private glued = false
  private key: string | null = null
  /** Within a value or a key: where it begins, and its state. */
  private start = -1
  private startLine = 1
  private depth = 0
  private quoted = false
  private pauseAt = 0

  constructor(private readonly options: ValueFramerOptions) {}

  push(text: string): boolean {
    const from = this.start >= 0 ? this.start : this.at
    this.text = this.text.slice(from) + text
    this.at -= from
    if (this.start >= 0) this.start = 0
    this.pauseAt = this.at + PUSH_MAX_CHARS
    do {
      while (this.at < this.text.length) {
        if (this.start < 0 && this.at > this.pauseAt) return false
        if (this.start >= 0 ? !this.scanValue() : !this.scanToken()) break
      }
    } while (this.start >= 0 && this.text.length - this.start > RECORD_MAX_CHARS && this.enterTooLong())
    return true
  }

  end(): void {
    if (this.start >= 0 && this.depth === 0 && !this.quoted) this.endValue(this.text.length)
    if (this.start >= 0)
      throw invalidJsonError(this.lastLine, `the file ends inside the value from line ${this.startLine}`)
    if (this.stack.length > 0)
      throw invalidJsonError(this.lastLine, 'the file ends before its list or object is closed')
  }

  /** Steps into the value that is here instead of holding it. @throws ProductError when it has no address. */
  private enterTooLong(): true {
    const path = this.topLevelCount === 0 ? this.currentPath() : null
    const kind = this.containerKind()
    if (!path || !kind || !this.options.onTooLong) throw jsonRecordTooLongError(this.startLine)
    this.options.onTooLong(path, kind, this.startLine)
    return this.enterContainer(path, kind)
  }

  private containerKind(): Container['kind'] | null {
    const first = this.text.charCodeAt(this.start)
    return first === OPEN_LIST ? 'list' : first === OPEN_OBJECT ? 'object' : null
  }

  private enterContainer(path: readonly string[], kind: Container['kind']): true {
    this.at = this.start + 1
    this.pauseAt = this.at + PUSH_MAX_CHARS
    this.start = -1
    this.line = this.startLine
    this.lastLine = this.startLine
    this.stack.push({ path, kind })
    this.expected = kind === 'list' ? 'valueOrEnd' : 'keyOrEnd'
    return true
  }

  /** Path of a value that begins here; items of lists have none. */
  private currentPath(): readonly string[] | null {
    const top = this.stack.at(-1)
    if (!top) return []
    return top.kind === 'object' && this.key !== null ? [...top.path, this.key] : null
  }

  /** One sign outside values. */
  private scanToken(): boolean {
    const code = this.text.charCodeAt(this.at)
    if (isJsonWhitespace(code)) {
      if (code === LF) this.line++
      this.at++
      return true
    }
    this.lastLine = this.line
    switch (this.expected) {
      case 'value':
      case 'valueOrEnd':
        return this.beginValue(code)
      case 'key':
      case 'keyOrEnd':
        if (code === CLOSE_OBJECT && this.expected === 'keyOrEnd') return this.closeContainer('object')
        if (code !== QUOTE) throw this.unexpected('a key in double quotes')
        return this.startValue()
      case 'colon':
        if (code !== COLON) throw this.unexpected('a colon')
        return this.advance('value')
      case 'commaOrEnd':
        return this.afterValue(code)
    }
  }

  private afterValue(code: number): boolean {
    const kind = this.stack.at(-1)?.kind
    if (code === COMMA) return this.advance(kind === 'object' ? 'key' : 'value')
    if (code === CLOSE_LIST && kind === 'list') return this.closeContainer('list')
    if (code === CLOSE_OBJECT && kind === 'object') return this.closeContainer('object')
    throw this.unexpected(kind === 'object' ? 'a comma or }' : 'a comma or ]')
  }

  private advance(next: ExpectedToken): true {
    this.at++
    this.expected = next
    return true
  }

  private closeContainer(kind: Container['kind']): boolean {
    const left = this.stack.pop()
    if (left?.kind !== kind) throw this.unexpected('a value')
    if (this.stack.length === 0) this.endTopLevel()
    return this.advance(this.stack.length > 0 ? 'commaOrEnd' : 'value')
  }

  private beginValue(code: number): boolean {
    if (code === CLOSE_LIST && this.expected === 'valueOrEnd') return this.closeContainer('list')
    if (code === COMMA || code === CLOSE_LIST || code === CLOSE_OBJECT || code === COLON)
      throw this.unexpected('a value')
    if (this.stack.length === 0) this.beginTopLevel()
    const path = code === OPEN_LIST || code === OPEN_OBJECT ? this.currentPath() : null
    if (!path || !this.options.opened.has(containerKey(path))) return this.startValue()
    const kind = code === OPEN_LIST ? 'list' : 'object'
    this.stack.push({ path, kind })
    return this.advance(kind === 'list' ? 'valueOrEnd' : 'keyOrEnd')
  }

  private beginTopLevel(): void {
    if (this.topLevelCount > 0 && this.options.opened.has(TOP_LEVEL)) throw this.unexpected('the end of the file')
    this.glued = this.topLevelCount > 0 && this.topLevelEndLine === this.line
  }

  private startValue(): true {
    this.start = this.at
    this.startLine = this.line
    this.depth = 0
    this.quoted = false
    return true
  }

  /** Goes on within a value. False: its end is in a later piece. */
  private scanValue(): boolean {
    const { text } = this
    const first = text.charCodeAt(this.start)
    if (first !== QUOTE && first !== OPEN_LIST && first !== OPEN_OBJECT) return this.scanLiteral()
    // Nearly all time is spent here: plain variables are much faster than fields.
    let { at, depth, line, lastLine, quoted } = this
    let closed = false
    while (at < text.length && !closed) {
      if (quoted) {
        at = endOfString(text, at)
        quoted = at < 0
        if (quoted) at = text.length
        closed = depth === 0 && !quoted
        continue
      }
      const code = text.charCodeAt(at++)
      if (code === QUOTE) quoted = true
      else if (code === OPEN_OBJECT || code === OPEN_LIST) depth++
      else if (code === CLOSE_OBJECT || code === CLOSE_LIST) closed = --depth === 0
      else if (code === LF) line++
      if (code > 32) lastLine = line
    }
    this.at = at
    this.depth = depth
    this.line = line
    this.lastLine = lastLine
    this.quoted = quoted
    return closed && this.endValue(at)
  }

  private scanLiteral(): boolean {
    for (; this.at < this.text.length; this.at++) {
      const code = this.text.charCodeAt(this.at)
      if (isJsonWhitespace(code) || code === COMMA || code === CLOSE_LIST || code === CLOSE_OBJECT || code === COLON)
        return this.endValue(this.at)
    }
    return false
  }

  private endValue(end: number): true {
    if (this.expected === 'key' || this.expected === 'keyOrEnd') {
      this.key = parseKey(this.text.slice(this.start, end), this.startLine)
      this.start = -1
      this.expected = 'colon'
      return true
    }
    if (end - this.start > RECORD_MAX_CHARS) return this.enterTooLong()
    const container = this.stack.at(-1)
    const isTaken = this.options.onValue({
      text: this.text.slice(this.start, end),
      line: this.startLine,
      container: container?.path ?? null,
      key: container?.kind === 'object' ? this.key : null,
      sharesLine: this.glued,
    })
    const path = isTaken ? null : this.currentPath()
    const kind = this.containerKind()
    if (path && kind) return this.enterContainer(path, kind)
    this.start = -1
    if (!container) this.endTopLevel()
    this.expected = container ? 'commaOrEnd' : 'value'
    return true
  }

  private endTopLevel(): void {
    this.topLevelCount++
    this.topLevelEndLine = this.line
  }

  private unexpected(wanted: string): Error {
    const shown = Array.from(this.text.slice(this.at, this.at + 24))
      .slice(0, 12)
      .join('')
      .trim()
    return invalidJsonError(this.line, `there is “${shown}” where ${wanted} was expected`)
  }
}

/** Behind the quote that closes a text: one with an even number of backslashes before it. -1: it is not here. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at - 1
    while (text.charCodeAt(before) === BACKSLASH) before--
    if ((at - before) % 2 === 1) return at + 1
  }
  return -1
}

function parseKey(text: string, line: number): string {
  const key = parseJson(new JsonParser(), text, line)
  return key.kind === 'string' ? key.text : ''
}
