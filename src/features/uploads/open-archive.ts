import { r2ByteSource } from './stored-source'
import type { ExtractedTables, ExtractionOptions } from './stored-tables'
import { measureCsv } from './text-facts'
import { openZip } from '../../formats/archive/archive'
import type { ZipArchive, ZipEntry } from '../../formats/archive/archive'
import { zipEncryptedError } from '../../formats/archive/refusals'
import type { ByteSource, FormatReader } from '../../formats/contract'
import { detectFormat, FORMAT_READERS } from '../../formats/registry'
import { ProductError } from '../../shared/errors'
import type { FileWarning } from '../../shared/files'

const ENTRY_HEAD_BYTES = 64 * 1024
/** Files looked at: nobody picks tables out of more. */
const ARCHIVE_FILES_MAX = 200
/** What programs put beside the files that a person packed. */
const OS_METADATA_FILE = /(^|\/)(__MACOSX\/|\.[^/]*$|\.[^/]+\/|Thumbs\.db$|desktop\.ini$)/i
const DOCUMENT_MESSAGE = 'This is a document, not a workbook or a table. Upload the table in it as .xlsx or CSV.'

/** A workbook whose parts lie in an odd order is told by its list of parts. Null for a zip of files. */
export async function findWorkbookReader(source: ByteSource): Promise<FormatReader | null> {
  const { entries } = await openZip(source)
  const has = (name: string): boolean => entries.some((entry) => entry.name.toLowerCase() === name)
  if (has('word/document.xml') || has('ppt/presentation.xml'))
    throw new ProductError('file_unreadable', { reason: 'unsupported' }, DOCUMENT_MESSAGE)
  const kind = has('xl/workbook.xml') || has('xl/workbook.bin') ? 'xlsx' : has('content.xml') ? 'ods' : null
  return FORMAT_READERS.find((reader) => reader.kind === kind) ?? null
}

/** Opens every file of an archive as its own kind. What holds no table is left out with a warning. */
export async function extractArchive(
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
      warnings.push(skippedEntryWarning(`“${entry.name}” was left out. ${error.message}`))
    }
    await options.onFlush()
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
  if (found === 'zip')
    return [skippedEntryWarning(`“${entry.name}” was left out: archives inside an archive are not opened.`)]
  const object = stored.object()
  try {
    for await (const chunk of archive.stream(entry)) {
      object.add(chunk)
      await object.flush()
    }
    const written = await object.finish()
    const { objectKey, size } = written
    const file = r2ByteSource(options.files, { objectKey, size, fileName: entry.name })
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

const baseNameOf = (path: string): string => (path.split('/').at(-1) ?? path).replace(/\.[^.]{1,5}$/, '')
