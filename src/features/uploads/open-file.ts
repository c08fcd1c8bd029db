import { openArchivedFiles, workbookIn } from './open-archive'
import { storedSource } from './stored-source'
import type { StoredFile } from './stored-source'
import { StoredTables } from './stored-tables'
import type { StoredTable, StoredTablesOptions } from './stored-tables'
import { textFacts } from './text-facts'
import type { TextFacts } from './text-facts'
import { kindOf } from '../../formats/registry'
import { ProductError } from '../../shared/errors'
import type { FileKind, FileWarning } from '../../shared/files'

const HEAD_BYTES = 64 * 1024

/** What came out of a file: itself, when it is a delimited text, or the tables that were stored beside it. */
export type Opened =
  | { kind: 'csv'; own: TextFacts; warnings: FileWarning[] }
  | { kind: Exclude<FileKind, 'csv'>; tables: StoredTable[]; warnings: FileWarning[] }

/**
 * Takes a stored file apart. What it wrote is gone again when it throws.
 * @throws ProductError `file_unreadable` or `too_large`.
 */
export async function openFile(
  file: StoredFile,
  options: StoredTablesOptions,
): Promise<Opened & { drop: () => Promise<void> }> {
  const source = storedSource(options.files, file)
  const head = await source.read(0, HEAD_BYTES)
  const found = kindOf(head, file.fileName)
  if (found === 'csv') return { kind: 'csv', own: await textFacts(source), warnings: [], drop: () => Promise.resolve() }
  const stored = new StoredTables(options)
  try {
    const reader = found === 'zip' ? await workbookIn(source) : found
    const read = reader
      ? { kind: reader.kind, ...(await reader.open(source, stored.sink(reader.kind))) }
      : { kind: 'zip' as const, ...(await openArchivedFiles(source, stored, options)) }
    const { tables, warnings } = await stored.finish()
    if (tables.length === 0) throw nothingInside(read.warnings)
    if (read.kind === 'csv') throw new Error('A delimited text has no reader of tables.')
    return { kind: read.kind, tables, warnings: [...read.warnings, ...warnings], drop: () => stored.drop() }
  } catch (error) {
    await stored.drop()
    throw error
  }
}

function nothingInside([first]: FileWarning[]): ProductError {
  const why = first ? ` ${first.message}` : ''
  return new ProductError('file_unreadable', { reason: 'empty' }, `No table was found in this file.${why}`)
}
