import { extractArchive, findWorkbookReader } from './open-archive'
import { r2ByteSource } from './stored-source'
import type { StoredFile } from './stored-source'
import { ExtractedTables } from './stored-tables'
import type { ExtractedTable, ExtractionOptions } from './stored-tables'
import { measureCsv } from './text-facts'
import type { CsvSize } from './text-facts'
import { detectFormat } from '../../formats/registry'
import { ProductError } from '../../shared/errors'
import type { FileKind, FileWarning } from '../../shared/files'

const HEAD_BYTES = 64 * 1024

/** What came out of a file: itself, when it is a delimited text, or the tables that were stored beside it. */
export type ExtractedFile =
  | { kind: 'csv'; own: CsvSize; warnings: FileWarning[] }
  | { kind: Exclude<FileKind, 'csv'>; tables: ExtractedTable[]; warnings: FileWarning[] }

/**
 * Takes a stored file apart. What it wrote is gone again when it throws.
 * @throws ProductError `file_unreadable` or `too_large`.
 */
export async function extractTables(
  file: StoredFile,
  options: ExtractionOptions,
): Promise<ExtractedFile & { drop: () => Promise<void> }> {
  const source = r2ByteSource(options.files, file)
  const head = await source.read(0, HEAD_BYTES)
  const found = detectFormat(head, file.fileName)
  if (found === 'csv')
    return { kind: 'csv', own: await measureCsv(source), warnings: [], drop: () => Promise.resolve() }
  const stored = new ExtractedTables(options)
  try {
    const reader = found === 'zip' ? await findWorkbookReader(source) : found
    const read = reader
      ? { kind: reader.kind, ...(await reader.open(source, stored.sink(reader.kind))) }
      : { kind: 'zip' as const, ...(await extractArchive(source, stored, options)) }
    const { tables, warnings } = await stored.finish()
    if (tables.length === 0) throw noTablesError(read.warnings)
    if (read.kind === 'csv') throw new Error('A delimited text has no reader of tables.')
    return { kind: read.kind, tables, warnings: [...read.warnings, ...warnings], drop: () => stored.discard() }
  } catch (error) {
    await stored.discard()
    throw error
  }
}

function noTablesError([first]: FileWarning[]): ProductError {
  const why = first ? ` ${first.message}` : ''
  return new ProductError('file_unreadable', { reason: 'empty' }, `No table was found in this file.${why}`)
}
