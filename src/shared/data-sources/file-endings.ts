import type { FileKind } from './files'

/** Endings of names by kind of file, without the point. Until its bytes are looked at, a file is what its name says. */
export const FILE_ENDINGS: Readonly<Record<FileKind, readonly string[]>> = {
  csv: ['csv', 'tsv', 'txt', 'tab', 'skv'],
  xlsx: ['xlsx', 'xlsm', 'xlsb'],
  xls: ['xls'],
  ods: ['ods'],
  json: ['json'],
  ndjson: ['ndjson', 'jsonl'],
  parquet: ['parquet'],
  sie: ['se', 'si', 'sie'],
  zip: ['zip'],
}

/** Whether a name ends in one of these, in capitals or not. */
export const endingPattern = (endings: readonly string[]): RegExp => new RegExp(`\\.(?:${endings.join('|')})$`, 'i')
