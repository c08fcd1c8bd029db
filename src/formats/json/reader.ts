import type { FileReader } from '../contract'
import { jsonKind } from './layout'
import { openJson } from './open-json'

/** JSON: a list of records, one object, or objects by name. */
export const jsonReader: FileReader = {
  kind: 'json',
  recognises: (head, fileName) => jsonKind(head, fileName) === 'json',
  open: openJson,
}

/** Newline-delimited JSON: a record on each line. */
export const ndjsonReader: FileReader = {
  kind: 'ndjson',
  recognises: (head, fileName) => jsonKind(head, fileName) === 'ndjson',
  open: openJson,
}
