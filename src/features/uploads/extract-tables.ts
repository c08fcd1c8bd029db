import { unreadableError } from '../../formats/file-errors'
import type { ByteSource, FormatReader } from '../../formats/contract'
import type { InflationBudget } from '../../formats/inflation-budget'
import { inspectCsv } from '../../formats/inference/inspect-csv'
import { createDelimiterReplacer, findLongDelimiter } from '../../formats/csv/long-delimiter'
import { findStackedTables, STACKED_MAX_BYTES } from '../../formats/csv/stacked-tables'
import {
  OUTPUT_MAX_RATIO,
  SAMPLE_WINDOW_BYTES,
  SMALL_OPENING_MAX_BYTES,
  SOURCE_MAX_DATASETS,
} from '../../shared/limits'
import { r2ByteSource, type StoredFile } from './r2-byte-source'
import { assertFileSize } from './service'
import { ExtractedTables, type ExtractionOptions, type ExtractedTable } from './extracted-tables'
import type { OutputBudget } from './output-budget'
import type { StoredTableInfo } from './store'
import {
  isZip,
  openZip,
  zipEncryptedError,
  zipInflation,
  type ZipArchive,
  type ZipEntry,
} from '../../formats/archive/zip-reader'
import { DOCUMENT_MESSAGE } from '../../formats/workbook/detect-workbook'
import { detectFormat, FORMAT_READERS } from '../../formats/registry'
import { ProductError } from '../../shared/errors'
import type { FileWarning, FileKind } from '../../shared/data-sources/files'

interface CsvSize {
  /** Exact for small files, else estimated from the bytes. */
  rowCount: number
  columnCount: number
}

/** A quick look at a delimited text. @throws ProductError `file_unreadable` when it is none. */
async function measureCsv(source: ByteSource): Promise<CsvSize> {
  const { fileName, size } = source
  const { rows, columns } = inspectCsv({ fileName, size, head: await source.read(0, SAMPLE_WINDOW_BYTES) })
  return { rowCount: rows.count, columnCount: columns.length }
}

const ENTRY_HEAD_BYTES = 64 * 1024
/** Files looked at: nobody picks tables out of more. */
const ARCHIVE_FILES_MAX = 200
/** What programs put beside the files that a person packed. */
const OS_METADATA_FILE = /(^|\/)(__MACOSX\/|\.[^/]*$|\.[^/]+\/|Thumbs\.db$|desktop\.ini$)/i

/** A workbook whose parts lie in an odd order is told by its list of parts. Null for a zip of files. */
async function findWorkbookReader(source: ByteSource): Promise<FormatReader | null> {
  const { entries } = await openZip(source)
  const has = (name: string): boolean => entries.some((entry) => entry.name.toLowerCase() === name)
  if (has('word/document.xml') || has('ppt/presentation.xml')) throw unreadableError('unsupported', DOCUMENT_MESSAGE)
  // Its parts may lie anywhere: the list of their types and the first links are what every package has.
  const isPackage = has('[content_types].xml') && has('_rels/.rels') && (has('workbook.xml') || has('xl/workbook.xml'))
  const kind =
    isPackage || has('xl/workbook.xml') || has('xl/workbook.bin') ? 'xlsx' : has('content.xml') ? 'ods' : null
  return FORMAT_READERS.find((reader) => reader.kind === kind) ?? null
}

/** Opens every file of an archive as its own kind. What holds no table is left out with a warning. */
async function extractArchive(
  source: ByteSource,
  stored: ExtractedTables,
  options: ExtractionOptions,
): Promise<{ warnings: FileWarning[] }> {
  const archive = await openZip(source)
  const files = archive.entries.filter(({ directory, name }) => !directory && !OS_METADATA_FILE.test(name))
  if (files.length > 0 && files.every(({ encrypted }) => encrypted)) throw zipEncryptedError()
  const warnings: FileWarning[] = []
  for (const [at, entry] of files.entries()) {
    if (at >= ARCHIVE_FILES_MAX || stored.isFull) {
      warnings.push(
        skippedEntryWarning(`${files.length - at} more files were not looked at. Upload them by themselves.`),
      )
      break
    }
    try {
      warnings.push(...(await extractEntry({ archive, entry }, stored, options)))
    } catch (error) {
      if (!(error instanceof ProductError) || isUnsafe(error)) throw error
      warnings.push(skippedEntryWarning(`“${entry.name}” was skipped. ${error.message}`))
    }
    await options.offerTurn(0)
  }
  return { warnings }
}

const skippedEntryWarning = (message: string): FileWarning => ({ code: 'skipped_entry', message })
const isUnsafe = ({ details }: ProductError): boolean => details['reason'] === 'unsafe'

async function extractEntry(
  { archive, entry }: { archive: ZipArchive; entry: ZipEntry },
  stored: ExtractedTables,
  options: ExtractionOptions,
): Promise<FileWarning[]> {
  const found = detectFormat(await readEntryHead(archive, entry), entry.name)
  if (found === 'zip') return [skippedEntryWarning(`“${entry.name}” was skipped: nested archives aren’t supported.`)]
  const object = stored.object()
  try {
    for await (const chunk of archive.stream(entry)) {
      object.add(chunk)
      await object.flush()
      await options.offerTurn(chunk.length)
    }
    const written = await object.finish()
    const { objectKey, size } = written
    const file = {
      ...r2ByteSource(options.files, { objectKey, size, fileName: entry.name }),
      inflation: archive.budget,
    }
    if (found === 'csv') {
      const name = baseNameOf(entry.name)
      const info = { name, kind: found, entry: entry.name, optional: false, warnings: [], hints: [] }
      stored.addText({ ...info, ...(await measureCsv(file)) }, { writer: object, written })
      return []
    }
    const { warnings } = await found.open(file, stored.sink(found.kind, entry.name))
    await object.discard()
    return warnings.map((warning) => ({ ...warning, message: `${entry.name}: ${warning.message}` }))
  } catch (error) {
    await object.discard()
    throw error
  }
}

async function readEntryHead(zipArchive: ZipArchive, entry: ZipEntry): Promise<Uint8Array> {
  for await (const chunk of zipArchive.stream(entry)) return chunk.subarray(0, ENTRY_HEAD_BYTES)
  return new Uint8Array(0)
}

/** A longer text is not written anew for its delimiter. */
const REWRITTEN_MAX_BYTES = 100 * 1024 * 1024
const baseNameOf = (path: string): string => (path.split('/').at(-1) ?? path).replace(/\.[^.]{1,5}$/, '')

const HEAD_BYTES = 64 * 1024

/**
 * Whether taking a file apart holds little, at least as long as little came out of it: a delimited text is only looked at,
 * and of a file this small nothing can grow past what is free, columnar files in an archive included. Of a columnar file by
 * itself more is free, and it is unpacked by whole pages. What a zip (workbooks are some) grows to is seen on the way.
 */
export async function isSmallToOpen(source: ByteSource): Promise<boolean> {
  const head = await source.read(0, Math.min(HEAD_BYTES, source.size))
  const found = detectFormat(head, source.fileName)
  if (found === 'csv' || isZip(head)) return true
  return source.size * OUTPUT_MAX_RATIO <= SMALL_OPENING_MAX_BYTES && (found === 'zip' || found.kind !== 'parquet')
}

/**
 * What came out of a file: itself, when it is a delimited text of one table, or the tables that were stored beside it.
 */
export type ExtractedFile =
  | { kind: 'csv'; own: CsvSize; warnings: FileWarning[] }
  | { kind: FileKind; own?: undefined; tables: ExtractedTable[]; warnings: FileWarning[] }
type DroppableFile = ExtractedFile & { drop: () => Promise<void> }

/** A delimited text whose delimiter is several signs: the same with one sign for each. */
async function extractLongDelimited(
  source: ByteSource,
  delimiter: Uint8Array,
  options: ExtractionOptions,
): Promise<DroppableFile> {
  const stored = new ExtractedTables(options)
  const writer = stored.object()
  try {
    const replacer = createDelimiterReplacer(delimiter)
    for await (const piece of source.stream()) {
      writer.add(replacer.push(piece))
      await writer.flush()
      await options.offerTurn(piece.length)
    }
    writer.add(replacer.end())
    const written = await writer.finish()
    const text = r2ByteSource(options.files, { ...written, fileName: source.fileName })
    const info = { name: baseNameOf(source.fileName), kind: 'csv' as const, optional: false, warnings: [], hints: [] }
    stored.addText({ ...info, ...(await measureCsv(text)) }, { writer, written })
    const { tables, warnings } = await stored.finish()
    return { kind: 'csv', tables, warnings, drop: () => stored.discard() }
  } catch (error) {
    await writer.discard()
    throw error
  }
}

/** A delimited text: itself, or each of several tables below each other, and the whole beside them, not chosen. */
async function extractText(source: ByteSource, options: ExtractionOptions): Promise<DroppableFile> {
  const isShort = source.size <= REWRITTEN_MAX_BYTES
  const delimiter = isShort ? findLongDelimiter(await source.read(0, HEAD_BYTES)) : null
  if (delimiter) return extractLongDelimited(source, delimiter, options)
  const own = await measureCsv(source)
  const single: DroppableFile = { kind: 'csv', own, warnings: [], drop: () => Promise.resolve() }
  if (options.keepsText === true || source.size > STACKED_MAX_BYTES) return single
  const bytes = await source.read(0, source.size)
  const found = findStackedTables(bytes)
  if (!found || found.length >= SOURCE_MAX_DATASETS) return single
  const whole = baseNameOf(source.fileName)
  const stored = new ExtractedTables(options)
  const add = async (text: Uint8Array, info: Pick<StoredTableInfo, 'name' | 'range' | 'optional'>): Promise<void> => {
    const { rows, columns } = inspectCsv({
      fileName: source.fileName,
      size: text.length,
      head: text.subarray(0, SAMPLE_WINDOW_BYTES),
    })
    const writer = stored.object()
    writer.add(text)
    const sizes = { rowCount: rows.count, columnCount: columns.length }
    stored.addText(
      { ...info, ...sizes, kind: 'csv', warnings: [], hints: [] },
      { writer, written: await writer.finish() },
    )
    await options.offerTurn(text.length)
  }
  try {
    for (const [at, { name, firstLine, lastLine, text }] of found.entries()) {
      const range = `${firstLine}:${lastLine}`
      await add(new TextEncoder().encode(text()), { name: name ?? `${whole} table ${at + 1}`, range, optional: false })
    }
    await add(bytes, { name: whole, optional: true })
    const { tables, warnings } = await stored.finish()
    return { kind: 'csv', tables, warnings, drop: () => stored.discard() }
  } catch (error) {
    await stored.discard()
    // What is no table by itself is a part of one.
    if (error instanceof ProductError) return single
    throw error
  }
}

/**
 * Takes a stored file apart. What it wrote is gone again when it throws.
 * @throws ProductError `file_unreadable` or `too_large`.
 */
export async function extractTables(file: StoredFile, options: ExtractionOptions): Promise<DroppableFile> {
  const stream = options.source ?? r2ByteSource(options.files, file)
  const head = await stream.read(0, HEAD_BYTES)
  const source = isZip(head) ? { ...stream, inflation: countedInflation(file.size, options.budget) } : stream
  const found = detectFormat(head, file.fileName)
  if (found === 'csv') return extractText(source, options)
  assertFileSize({ name: file.fileName, size: file.size }, true)
  const stored = new ExtractedTables(options)
  try {
    const reader = found === 'zip' ? await findWorkbookReader(source) : found
    const read = reader
      ? { kind: reader.kind, ...(await reader.open(source, stored.sink(reader.kind))) }
      : { kind: 'zip' as const, ...(await extractArchive(source, stored, options)) }
    const { tables, warnings } = await stored.finish()
    if (tables.length === 0) throw noTablesError(read.warnings)
    return { kind: read.kind, tables, warnings: [...read.warnings, ...warnings], drop: () => stored.discard() }
  } catch (error) {
    await stored.discard()
    throw error
  }
}

/** What a zip may grow by; how much it did is told to the budget of the opening. */
function countedInflation(fileBytes: number, budget: OutputBudget): InflationBudget {
  const inflation = zipInflation(fileBytes)
  return {
    check: (bytes) => inflation.check(bytes),
    consume(bytes) {
      inflation.consume(bytes)
      budget.unpack(bytes)
    },
  }
}

function noTablesError([first]: FileWarning[]): ProductError {
  const why = first ? ` ${first.message}` : ''
  return unreadableError('empty', `No table was found in this file.${why}`)
}
