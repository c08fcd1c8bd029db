import type { FormatReader } from '../contract'
import { detectJsonKind } from './layout'
import { extractJsonTables } from './open-json'

/** JSON: a list of records, one object, or objects by name. */
export const jsonReader: FormatReader = {
  kind: 'json',
  recognises: (head, fileName) => detectJsonKind(head, fileName) === 'json',
  open: extractJsonTables,
}

/** Newline-delimited JSON: a record on each line. */
export const ndjsonReader: FormatReader = {
  kind: 'ndjson',
  recognises: (head, fileName) => detectJsonKind(head, fileName) === 'ndjson',
  open: extractJsonTables,
}
