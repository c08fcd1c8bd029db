import type { NestedValue } from '../nested/value'
import { invalidJsonError } from './json-faults'
import { JsonSyntaxError } from './json-parser'
import type { JsonParser } from './json-parser'

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
