import { storedSource } from './stored-source'
import type { StoredTables, StoredTablesOptions } from './stored-tables'
import { textFacts } from './text-facts'
import { openArchive } from '../../formats/archive/archive'
import type { Archive, ArchiveEntry } from '../../formats/archive/archive'
import { encryptedArchive } from '../../formats/archive/refusals'
import type { ByteSource, FileReader } from '../../formats/contract'
import { kindOf, READERS } from '../../formats/registry'
import { ProductError } from '../../shared/errors'
import type { FileWarning } from '../../shared/files'

const HEAD_BYTES = 64 * 1024
/** Files looked at: nobody picks tables out of more. */
const LOOKED_AT_MAX = 200
/** What programs put beside the files that a person packed. */
const BESIDE = /(^|\/)(__MACOSX\/|\.[^/]*$|\.[^/]+\/|Thumbs\.db$|desktop\.ini$)/i
const WORD = 'This is a document, not a workbook or a table. Upload the table in it as .xlsx or CSV.'

/** A workbook whose parts lie in an odd order is told by its list of parts. Null for a zip of files. */
export async function workbookIn(source: ByteSource): Promise<FileReader | null> {
  const { entries } = await openArchive(source)
  const has = (name: string): boolean => entries.some((entry) => entry.name.toLowerCase() === name)
  if (has('word/document.xml') || has('ppt/presentation.xml'))
    throw new ProductError('file_unreadable', { reason: 'unsupported' }, WORD)
  const kind = has('xl/workbook.xml') || has('xl/workbook.bin') ? 'xlsx' : has('content.xml') ? 'ods' : null
  return READERS.find((reader) => reader.kind === kind) ?? null
}

/** Opens every file of an archive as its own kind. What holds no table is left out with a warning. */
export async function openArchivedFiles(
  source: ByteSource,
  stored: StoredTables,
  options: StoredTablesOptions,
): Promise<{ warnings: FileWarning[] }> {
  const archive = await openArchive(source)
  const files = archive.entries.filter(({ directory, name }) => !directory && !BESIDE.test(name))
  if (files.length > 0 && files.every(({ encrypted }) => encrypted)) throw encryptedArchive()
  const warnings: FileWarning[] = []
  for (const [at, entry] of files.entries()) {
    if (at >= LOOKED_AT_MAX || stored.isFull) {
      warnings.push(skipped(`${files.length - at} more files were not looked at. Upload them by themselves.`))
      break
    }
    try {
      warnings.push(...(await openEntry({ archive, entry }, stored, options)))
    } catch (error) {
      if (!(error instanceof ProductError) || isHostile(error)) throw error
      warnings.push(skipped(`“${entry.name}” was left out. ${error.message}`))
    }
    await options.breathe()
  }
  return { warnings }
}

const skipped = (message: string): FileWarning => ({ code: 'skipped_entry', message })
const isHostile = ({ details }: ProductError): boolean => details['reason'] === 'unsafe'

async function openEntry(
  { archive, entry }: { archive: Archive; entry: ArchiveEntry },
  stored: StoredTables,
  options: StoredTablesOptions,
): Promise<FileWarning[]> {
  const found = kindOf(await headOf(archive, entry), entry.name)
  if (found === 'zip') return [skipped(`“${entry.name}” was left out: archives inside an archive are not opened.`)]
  const object = stored.object()
  try {
    for await (const chunk of archive.stream(entry)) {
      object.add(chunk)
      await object.flush()
    }
    const written = await object.finish()
    const { objectKey, size } = written
    const file = storedSource(options.files, { objectKey, size, fileName: entry.name })
    if (found === 'csv') {
      const name = nameOf(entry.name)
      const info = { name, kind: found, entry: entry.name, optional: false, warnings: [], hints: [] }
      stored.addText({ ...info, ...(await textFacts(file)) }, { writer: object, written })
      return []
    }
    const { warnings } = await found.open(file, stored.sink(found.kind, entry.name))
    await object.drop()
    return warnings.map((warning) => ({ ...warning, message: `${entry.name}: ${warning.message}` }))
  } catch (error) {
    await object.drop()
    throw error
  }
}

async function headOf(archive: Archive, entry: ArchiveEntry): Promise<Uint8Array> {
  for await (const chunk of archive.stream(entry)) return chunk.subarray(0, HEAD_BYTES)
  return new Uint8Array(0)
}

const nameOf = (path: string): string => (path.split('/').at(-1) ?? path).replace(/\.[^.]{1,5}$/, '')
