import { FILE_ENDINGS } from '../../../../src/shared/data-sources/file-endings'
import type { FileKind } from '../../../../src/shared/data-sources/files'

/** What the file dialog offers first. Anything may be dropped: the kind is found by the bytes, not by the name. */
export const FILE_ACCEPT = [
  ...Object.values(FILE_ENDINGS).flatMap((endings) => endings.map((ending) => `.${ending}`)),
  ...['text/*', 'application/octet-stream'],
].join(',')

/** Every kind that can be read, in one breath. */
export const SUPPORTED_FORMATS = 'Excel, OpenDocument, CSV and text, SIE, JSON, Parquet, or a zip of them'

/** How much of a table's reading is open to correction: text was guessed, a sheet only where its names stand. */
export type SettingsLevel = 'text' | 'sheet' | 'given'
export const SETTINGS_LEVEL_BY_KIND: Record<FileKind, SettingsLevel> = {
  csv: 'text',
  zip: 'text',
  xlsx: 'sheet',
  xls: 'sheet',
  ods: 'sheet',
  json: 'given',
  ndjson: 'given',
  parquet: 'given',
  sie: 'given',
}
