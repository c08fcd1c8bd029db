import type { Encoding } from '../../shared/data-sources/files'
import { detectEncoding, decodeStart } from '../encoding/detect-encoding'
import { JsonSyntaxError, JsonParser } from './json-parser'

const JSON_NAME = /\.(json|jsonl|ndjson|geojson)$/i
const DELIMITER = /[,;\t|]/
/** An object or list has begun, whatever follows. */
const CONTAINER_START = /^\s*(\{\s*"|\[\s*[[{])/
const LINES_TRIED = 3

/** The encoding of a JSON text: its first two signs are ASCII, so that NULs beside them tell. */
export function detectJsonEncoding(windows: Uint8Array[]): Encoding {
  const [a = 1, b = 1, c = 1, d = 1] = windows[0] ?? []
  if (a !== 0 && b === 0 && c !== 0 && d === 0) return 'utf-16le'
  if (a === 0 && b !== 0 && c === 0 && d !== 0) return 'utf-16be'
  const { encoding: found } = detectEncoding(windows)
  // A NUL further on is a stray one, unless the file has its mark.
  return found.startsWith('utf-16') && a < 0xfe ? 'utf-8' : found
}

interface FirstValue {
  /** Behind the value and blanks after it; -1: the text ends before. */
  end: number
  fault: JsonSyntaxError | null
}
function parseFirstValue(text: string): FirstValue {
  const parser = new JsonParser()
  try {
    parser.parseFirst(text)
    return { end: parser.end, fault: null }
  } catch (error) {
    if (error instanceof JsonSyntaxError) return { end: -1, fault: error }
    throw error
  }
}

const isCompleteValue = (line: string): boolean => {
  const { end, fault } = parseFirstValue(line)
  return !fault && end === line.length
}

/**
 * How records stand in a text, by its beginning: one on each line, or values of any form. A first line that is broken
 * among whole ones is one of theirs, so that the fault is found on it.
 */
export function detectRecordLayout(head: string): 'lines' | 'values' {
  const { end, fault } = parseFirstValue(head)
  if (fault) {
    if (fault.atEnd) return 'values'
    const lines = head
      .split('\n')
      .slice(0, LINES_TRIED)
      .filter((line) => /^\s*[[{]/.test(line))
    return lines.length > 1 && lines.slice(1).some(isCompleteValue) ? 'lines' : 'values'
  }
  const value = head.slice(0, end).trim()
  const after = head.slice(head.indexOf(value) + value.length)
  return !value.includes('\n') && /^[\t\r ]*\n\s*\S/.test(after) ? 'lines' : 'values'
}

/** Which kind of JSON a file begins like; null: none. The name counts only where the bytes are of no table either. */
export function detectJsonKind(head: Uint8Array, fileName: string): 'json' | 'ndjson' | null {
  const text = decodeStart(head, detectJsonEncoding([head]))
  const kind = detectRecordLayout(text) === 'lines' ? 'ndjson' : 'json'
  const start = text.trimStart()
  if (start.startsWith('{') || start.startsWith('[')) {
    const { end, fault } = parseFirstValue(text)
    const next = text[end] ?? ''
    if (fault ? fault.atEnd || CONTAINER_START.test(text) : next === '' || next === '{' || next === '[') return kind
  }
  const [line = ''] = start.split('\n')
  return JSON_NAME.test(fileName) && (!DELIMITER.test(line) || isCompleteValue(line)) ? kind : null
}
