import { unreadableError } from '../file-errors'
import type { ProductError } from '../../shared/errors'
import { RECORD_MAX_CHARS } from '../../shared/limits'
import { FALSE, NULL, TRUE, type NestedObject, type NestedValue } from '../nested/nested-value'

export function invalidJsonError(line: number, why: string): ProductError {
  return unreadableError('broken', `Invalid JSON on line ${line}: ${why}. Correct it, or export the file again.`, {
    line,
  })
}

export function emptyJsonError(): ProductError {
  return unreadableError('empty', 'The file is empty. Choose a file with records.', { line: 1 })
}

export function tooManyJsonValuesError(line: number): ProductError {
  return unreadableError(
    'unsafe',
    `The record on line ${line} holds too many values. ` + 'Export the records as a list, or one per line.',
    { line },
  )
}

export function jsonRecordTooLongError(line: number): ProductError {
  return unreadableError(
    'unsafe',
    `The value on line ${line}, is longer than ${RECORD_MAX_CHARS.toLocaleString('en-US')} characters. ` +
      'Export the records as a list, or one per line.',
    { line },
  )
}

/** Where a text is no JSON, and why. */
export class JsonSyntaxError extends Error {
  constructor(
    readonly offset: number,
    message: string,
    /** The text ends before the value does. */
    readonly atEnd = false,
  ) {
    super(message)
  }
}

/** One text holds more values than memory should: each takes far more room than its signs. */
export class ValueBudgetExceeded extends Error {}

/** About how many bytes the values of one text may take, and what each kind of them does. */
const VALUE_BUDGET_BYTES = 32 * 1024 * 1024
const SCALAR_BYTES = 40
const CONTAINER_BYTES = 150
const KEY_BYTES = 24
/** Levels of one value: far more than data has, few enough for the stack. */
const VALUE_DEPTH_MAX = 256
const SCAN_KEYS_MAX = 12
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORDS = [
  ['true', TRUE],
  ['false', FALSE],
  ['null', NULL],
] as const
/** Written by some programs where there is no number. */
const NON_FINITE_LITERALS = ['NaN', 'Infinity', '-Infinity']
const ESCAPES: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\', '/': '/' }
const [QUOTE, BACKSLASH, COMMA, COLON] = [34, 92, 44, 58]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125]

export const isJsonWhitespace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9

/** Reads JSON texts strictly, keeping numbers as written. The last of two equal keys counts. */
export class JsonParser {
  private text = ''
  private at = 0
  private depth = 0
  /** About how many bytes the values of the last text take. */
  reservedBytes = 0
  /** Objects so far that had a key twice. */
  duplicateKeys = 0
  /** `NaN` and infinities so far, read as no value. */
  nonFiniteCount = 0

  /** The one value of a text. @throws JsonFault, TooManyValues */
  parse(text: string): NestedValue {
    const value = this.parseFirst(text)
    if (this.at < text.length)
      throw new JsonSyntaxError(this.at, `there is ${this.excerpt()} after the end of the value`)
    return value
  }

  /** The value that a text begins with; `end` is behind it and the blanks after it. @throws JsonFault */
  parseFirst(text: string): NestedValue {
    this.text = text
    this.at = 0
    this.depth = 0
    this.reservedBytes = 0
    this.skipBlanks()
    const value = this.value()
    this.skipBlanks()
    return value
  }

  get end(): number {
    return this.at
  }

  private value(): NestedValue {
    switch (this.text.charCodeAt(this.at)) {
      case QUOTE:
        this.reserve(SCALAR_BYTES)
        return { kind: 'string', text: this.string() }
      case OPEN_OBJECT:
        return this.object()
      case OPEN_LIST:
        return this.list()
      default:
        this.reserve(SCALAR_BYTES)
        return this.scalar()
    }
  }

  private object(): NestedObject {
    this.enterContainer()
    const keys: string[] = []
    const values: NestedValue[] = []
    if (this.consumeClose(CLOSE_OBJECT)) return { kind: 'object', keys, values }
    for (;;) {
      if (this.text.charCodeAt(this.at) !== QUOTE) throw this.unexpected('a key in double quotes')
      this.reserve(KEY_BYTES)
      keys.push(this.string())
      this.skipBlanks()
      if (this.text.charCodeAt(this.at) !== COLON) throw this.unexpected('a colon')
      this.at++
      this.skipBlanks()
      values.push(this.value())
      if (!this.advanceToNext(CLOSE_OBJECT)) return this.withUniqueKeys({ kind: 'object', keys, values })
    }
  }

  private list(): NestedValue {
    this.enterContainer()
    const items: NestedValue[] = []
    if (this.consumeClose(CLOSE_LIST)) return { kind: 'list', items }
    for (;;) {
      items.push(this.value())
      if (!this.advanceToNext(CLOSE_LIST)) return { kind: 'list', items }
    }
  }

  private reserve(bytes: number): void {
    this.reservedBytes += bytes
    if (this.reservedBytes > VALUE_BUDGET_BYTES) throw new ValueBudgetExceeded()
  }

  private enterContainer(): void {
    this.reserve(CONTAINER_BYTES)
    if (++this.depth > VALUE_DEPTH_MAX)
      throw new JsonSyntaxError(this.at, `objects and lists are nested more than ${VALUE_DEPTH_MAX} deep`)
    this.at++
    this.skipBlanks()
  }

  private consumeClose(sign: number): boolean {
    if (this.text.charCodeAt(this.at) !== sign) return false
    this.at++
    this.depth--
    return true
  }

  /** Steps over a comma to the next item, or over the closing sign. */
  private advanceToNext(close: number): boolean {
    this.skipBlanks()
    if (this.consumeClose(close)) return false
    if (this.text.charCodeAt(this.at) !== COMMA) throw this.unexpected(`a comma or ${String.fromCharCode(close)}`)
    this.at++
    this.skipBlanks()
    return true
  }

  private string(): string {
    const { text } = this
    const start = ++this.at
    for (let i = start; ; i++) {
      const code = text.charCodeAt(i)
      if (code === QUOTE) {
        this.at = i + 1
        return text.slice(start, i)
      }
      if (code === BACKSLASH) return this.escaped(start, i)
      if (!(code >= 32)) throw this.invalidCharacter(i, start)
    }
  }

  private invalidCharacter(at: number, start: number): JsonSyntaxError {
    if (at >= this.text.length) return new JsonSyntaxError(start - 1, 'a quoted text is never closed', true)
    return new JsonSyntaxError(at, 'a quoted text holds a line break or control character')
  }

  private escaped(start: number, firstEscape: number): string {
    const { text } = this
    let found = text.slice(start, firstEscape)
    for (let i = firstEscape; ; i++) {
      const code = text.charCodeAt(i)
      if (code === QUOTE) {
        this.at = i + 1
        return found
      }
      if (!(code >= 32)) throw this.invalidCharacter(i, start)
      if (code !== BACKSLASH) {
        const from = i
        while (i + 1 < text.length && isPlainChar(text.charCodeAt(i + 1))) i++
        found += text.slice(from, i + 1)
        continue
      }
      const sign = text[++i] ?? ''
      if (sign === 'u') {
        const hex = text.slice(i + 1, i + 5)
        if (!/^[\da-fA-F]{4}$/.test(hex))
          throw new JsonSyntaxError(i, `\\u${hex} isn’t a character`, i + 5 > text.length)
        found += String.fromCharCode(parseInt(hex, 16))
        i += 4
      } else {
        const char = ESCAPES[sign]
        if (char === undefined) throw new JsonSyntaxError(i, `\\${sign} isn’t an escape`, sign === '')
        found += char
      }
    }
  }

  private scalar(): NestedValue {
    const { text, at } = this
    NUMBER.lastIndex = at
    const number = NUMBER.exec(text)
    if (number && !text.startsWith('-Infinity', at)) {
      this.at += number[0].length
      if (/[\d.eE+-]/.test(text[this.at] ?? '')) throw new JsonSyntaxError(at, 'a number is malformed')
      return { kind: 'number', text: number[0] }
    }
    for (const [word, value] of WORDS) {
      if (!text.startsWith(word, at)) continue
      this.at += word.length
      return value
    }
    const other = NON_FINITE_LITERALS.find((word) => text.startsWith(word, at))
    if (other === undefined) throw this.unexpected('a value')
    this.at += other.length
    this.nonFiniteCount++
    return NULL
  }

  private withUniqueKeys(object: NestedObject): NestedObject {
    const { keys, values } = object
    if (!hasDuplicates(keys)) return object
    this.duplicateKeys++
    const last = new Map(keys.map((key, i) => [key, values[i] ?? NULL]))
    return { kind: 'object', keys: [...last.keys()], values: [...last.values()] }
  }

  private skipBlanks(): void {
    while (isJsonWhitespace(this.text.charCodeAt(this.at))) this.at++
  }

  private unexpected(wanted: string): JsonSyntaxError {
    if (this.at >= this.text.length) return new JsonSyntaxError(this.at, `it ends where ${wanted} should follow`, true)
    return new JsonSyntaxError(this.at, `there is ${this.excerpt()} where ${wanted} was expected`)
  }

  private excerpt(): string {
    return `“${Array.from(this.text.slice(this.at, this.at + 24))
      .slice(0, 12)
      .join('')
      .trim()}”`
  }
}

const isPlainChar = (code: number): boolean => code >= 32 && code !== QUOTE && code !== BACKSLASH

function hasDuplicates(keys: string[]): boolean {
  if (keys.length > SCAN_KEYS_MAX) return new Set(keys).size < keys.length
  for (let i = 1; i < keys.length; i++) {
    for (let k = 0; k < i; k++) if (keys[i] === keys[k]) return true
  }
  return false
}

/** The value of a text that begins on a line. @throws ProductError `file_unreadable` with the line of the fault. */
export function parseJson(parser: JsonParser, text: string, line: number): NestedValue {
  try {
    return parser.parse(text)
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    const upTo = text.slice(0, error.offset)
    const before = error.atEnd ? upTo.trimEnd() : upTo
    throw invalidJsonError(line + before.split('\n').length - 1, error.message)
  }
}
