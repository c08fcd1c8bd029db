import { RECORD_MAX_CHARS } from '../../shared/limits'
import { brokenJson, recordTooLong } from './json-faults'
import { isBlank, JsonParser } from './json-parser'
import { parseJson } from './parse-json'
import type { Framer } from './line-framer'

/** One value's text, with the container it stands in: keys from the top, and its own key when that is an object. */
export interface FramedValue {
  text: string
  line: number
  /** null: at the top of the file. */
  container: readonly string[] | null
  key: string | null
  /** It follows another value at the top on the same line. */
  glued: boolean
}

/** Name of a container in {@link ValueFramerOptions.opened}. */
export const containerName = (path: readonly string[]): string => JSON.stringify(path)

const TOP = containerName([])

export interface ValueFramerOptions {
  /** Containers that are stepped into: what stands in them is given on one by one. */
  opened: ReadonlySet<string>
  onValue: (value: FramedValue) => void
  /** A container that is not stepped into is longer than a record may be. Absent: that is an error. */
  onLong?: (path: readonly string[], kind: 'list' | 'object', line: number) => never
}

interface Container {
  path: readonly string[]
  kind: 'list' | 'object'
}
type Awaiting = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'colon' | 'commaOrEnd'

const [QUOTE, BACKSLASH, COMMA, COLON, LF] = [34, 92, 44, 58, 10]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125]

/**
 * Cuts a JSON text into the values of the containers it steps into, without reading the values. Values at the top may
 * follow each other, so that records on lines or one after another are framed as well.
 */
export class ValueFramer implements Framer {
  private text = ''
  private at = 0
  private line = 1
  /** Line of the last sign that was no blank. */
  private lastLine = 1
  private readonly stack: Container[] = []
  private awaiting: Awaiting = 'value'
  /** Values at the top that have ended. */
  private tops = 0
  private topLine = 0
  private glued = false
  private key: string | null = null
  /** Within a value or a key: where it begins, and its state. */
  private start = -1
  private startLine = 1
  private depth = 0
  private quoted = false

  constructor(private readonly options: ValueFramerOptions) {}

  push(text: string): void {
    const from = this.start >= 0 ? this.start : this.at
    this.text = this.text.slice(from) + text
    this.at -= from
    if (this.start >= 0) this.start = 0
    while (this.at < this.text.length) {
      if (this.start >= 0 ? !this.scan() : !this.step()) break
    }
    if (this.start >= 0 && this.text.length - this.start > RECORD_MAX_CHARS) this.refuseLong()
  }

  end(): void {
    if (this.start >= 0 && this.depth === 0 && !this.quoted) this.close(this.text.length)
    if (this.start >= 0)
      throw brokenJson(this.lastLine, `the file ends within the value that begins on line ${this.startLine}`)
    if (this.stack.length > 0) throw brokenJson(this.lastLine, 'the file ends before its list or object is closed')
  }

  private refuseLong(): void {
    const first = this.text.charCodeAt(this.start)
    const path = this.tops === 0 ? this.pathHere() : null
    const kind = first === OPEN_LIST ? 'list' : first === OPEN_OBJECT ? 'object' : null
    if (path && kind && this.options.onLong) this.options.onLong(path, kind, this.startLine)
    throw recordTooLong(this.startLine)
  }

  /** Path of a value that begins here; items of lists have none. */
  private pathHere(): readonly string[] | null {
    const top = this.stack.at(-1)
    if (!top) return []
    return top.kind === 'object' && this.key !== null ? [...top.path, this.key] : null
  }

  /** One sign outside values. */
  private step(): boolean {
    const code = this.text.charCodeAt(this.at)
    if (isBlank(code)) {
      if (code === LF) this.line++
      this.at++
      return true
    }
    this.lastLine = this.line
    switch (this.awaiting) {
      case 'value':
      case 'valueOrEnd':
        return this.beginValue(code)
      case 'key':
      case 'keyOrEnd':
        if (code === CLOSE_OBJECT && this.awaiting === 'keyOrEnd') return this.leave('object')
        if (code !== QUOTE) throw this.unexpected('a key in double quotes')
        return this.begin()
      case 'colon':
        if (code !== COLON) throw this.unexpected('a colon')
        return this.pass('value')
      case 'commaOrEnd':
        return this.afterValue(code)
    }
  }

  private afterValue(code: number): boolean {
    const kind = this.stack.at(-1)?.kind
    if (code === COMMA) return this.pass(kind === 'object' ? 'key' : 'value')
    if (code === CLOSE_LIST && kind === 'list') return this.leave('list')
    if (code === CLOSE_OBJECT && kind === 'object') return this.leave('object')
    throw this.unexpected(kind === 'object' ? 'a comma or }' : 'a comma or ]')
  }

  private pass(next: Awaiting): true {
    this.at++
    this.awaiting = next
    return true
  }

  private leave(kind: Container['kind']): boolean {
    const left = this.stack.pop()
    if (left?.kind !== kind) throw this.unexpected('a value')
    if (this.stack.length === 0) this.endTop()
    return this.pass(this.stack.length > 0 ? 'commaOrEnd' : 'value')
  }

  private beginValue(code: number): boolean {
    if (code === CLOSE_LIST && this.awaiting === 'valueOrEnd') return this.leave('list')
    if (code === COMMA || code === CLOSE_LIST || code === CLOSE_OBJECT || code === COLON)
      throw this.unexpected('a value')
    if (this.stack.length === 0) this.beginTop()
    const path = code === OPEN_LIST || code === OPEN_OBJECT ? this.pathHere() : null
    if (!path || !this.options.opened.has(containerName(path))) return this.begin()
    const kind = code === OPEN_LIST ? 'list' : 'object'
    this.stack.push({ path, kind })
    return this.pass(kind === 'list' ? 'valueOrEnd' : 'keyOrEnd')
  }

  private beginTop(): void {
    if (this.tops > 0 && this.options.opened.has(TOP)) throw this.unexpected('the end of the file')
    this.glued = this.tops > 0 && this.topLine === this.line
  }

  private begin(): true {
    this.start = this.at
    this.startLine = this.line
    this.depth = 0
    this.quoted = false
    return true
  }

  /** Goes on within a value. False: its end is in a later piece. */
  private scan(): boolean {
    const { text } = this
    const first = text.charCodeAt(this.start)
    if (first !== QUOTE && first !== OPEN_LIST && first !== OPEN_OBJECT) return this.scanWord()
    // Nearly all time is spent here: plain variables are much faster than fields.
    let { at, depth, line, lastLine, quoted } = this
    let closed = false
    while (at < text.length && !closed) {
      if (quoted) {
        at = behindQuote(text, at)
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
    return closed && this.close(at)
  }

  private scanWord(): boolean {
    for (; this.at < this.text.length; this.at++) {
      const code = this.text.charCodeAt(this.at)
      if (isBlank(code) || code === COMMA || code === CLOSE_LIST || code === CLOSE_OBJECT || code === COLON)
        return this.close(this.at)
    }
    return false
  }

  private close(end: number): true {
    const text = this.text.slice(this.start, end)
    this.start = -1
    if (this.awaiting === 'key' || this.awaiting === 'keyOrEnd') {
      this.key = keyOf(text, this.startLine)
      this.awaiting = 'colon'
      return true
    }
    if (text.length > RECORD_MAX_CHARS) throw recordTooLong(this.startLine)
    const container = this.stack.at(-1)
    if (!container) this.endTop()
    const key = container?.kind === 'object' ? this.key : null
    this.awaiting = container ? 'commaOrEnd' : 'value'
    this.options.onValue({ text, line: this.startLine, container: container?.path ?? null, key, glued: this.glued })
    return true
  }

  private endTop(): void {
    this.tops++
    this.topLine = this.line
  }

  private unexpected(wanted: string): Error {
    const shown = Array.from(this.text.slice(this.at, this.at + 24))
      .slice(0, 12)
      .join('')
      .trim()
    return brokenJson(this.line, `there is “${shown}” where ${wanted} should stand`)
  }
}

/** Behind the quote that closes a text: one with an even number of backslashes before it. -1: it is not here. */
function behindQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at - 1
    while (text.charCodeAt(before) === BACKSLASH) before--
    if ((at - before) % 2 === 1) return at + 1
  }
  return -1
}

function keyOf(text: string, line: number): string {
  const key = parseJson(new JsonParser(), text, line)
  return key.kind === 'string' ? key.text : ''
}
