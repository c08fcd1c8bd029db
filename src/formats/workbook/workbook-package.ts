import { ProductError } from '../../shared/errors'
import { maxInflatedBytes } from '../inflation-budget'
import { openZip, type ZipArchive, type ZipEntry } from '../archive/zip-reader'
import type { ByteSource, TableSink } from '../contract'
import { readBiff12Header, scanRecords, type RecordHandler } from './binary/record-scanner'
import { workbookDamagedError, workbookEncryptedError, workbookUnsafeError } from './workbook-errors'
import { scanSheet } from './quick/sheet-scanner'
import { scanXml, type ScanTurns, type XmlHandler } from './xml-scanner'

/** Lists of sheets, links and styles are held in memory; those of the largest workbooks have a few MB. */
const SMALL_PART_MAX_BYTES = 16 * 1024 * 1024

/** The parts of a workbook's zip by name; names differ in case between writers. */
export class WorkbookPackage {
  private readonly parts: ReadonlyMap<string, ZipEntry>

  private constructor(
    private readonly archive: ZipArchive,
    private readonly maxBytes: number,
  ) {
    this.parts = new Map(archive.entries.map((entry) => [entry.name.toLowerCase(), entry]))
  }

  /** @throws ProductError `file_unreadable` for what is no whole and safe zip, or protected by a password. */
  static async open(source: ByteSource): Promise<WorkbookPackage> {
    const archive = await openZip(source)
    if (archive.entries.some((entry) => entry.encrypted)) throw workbookEncryptedError()
    return new WorkbookPackage(archive, maxInflatedBytes(source.size))
  }

  /** Reads a part of which much is kept. @throws ProductError as {@link scan}, sooner for a large one. */
  async scanSmallPart(name: string, handler: XmlHandler, turns?: ScanTurns): Promise<void> {
    this.assertSmall(name)
    await this.scan(name, handler, turns)
  }
  async scanSmallRecords(name: string, handler: RecordHandler, turns?: ScanTurns): Promise<void> {
    this.assertSmall(name)
    await this.scanRecords(name, handler, turns)
  }

  has(name: string): boolean {
    return this.parts.has(name.toLowerCase())
  }

  /** Reads a part of tags. @throws ProductError when it is missing, broken or too large. */
  async scan(name: string, handler: XmlHandler, turns?: ScanTurns): Promise<void> {
    await scanXml(this.bytes(name), handler, turns)
  }

  /** The same of a sheet, whose rows are read from their bytes as far as they can be. @throws as {@link scan} */
  async scanSheet(name: string, readers: Parameters<typeof scanSheet>[1], turns: ScanTurns): Promise<void> {
    await scanSheet(this.bytes(name), readers, turns)
  }

  /** Reads a part of records (XLSB), until the handler is done. @throws as {@link scan} */
  async scanRecords(name: string, handler: RecordHandler, turns?: ScanTurns): Promise<void> {
    await scanRecords(this.bytes(name), handler, { readHeader: readBiff12Header, turns })
  }

  private assertSmall(name: string): void {
    const size = this.parts.get(name.toLowerCase())?.size ?? 0
    if (size > SMALL_PART_MAX_BYTES) throw workbookUnsafeError('a list in it is too large when unpacked')
  }

  private bytes(name: string): ReadableStream<Uint8Array> {
    const entry = this.parts.get(name.toLowerCase())
    if (!entry) throw workbookDamagedError(`a part of it is missing (${name.slice(0, 80)})`)
    // What says so itself is refused at once; what lies is stopped while it grows.
    if (entry.size > this.maxBytes) throw workbookUnsafeError('it is too large when unpacked')
    return this.archive.stream(entry)
  }
}

/** Turns for others while cells are read into tables. */
export const scanTurnsOf = (sink: TableSink): ScanTurns => ({
  eachChunk: () => sink.flush(),
  isDue: sink.isFlushDue && (() => sink.isFlushDue?.() === true),
})

/** The same refusal, naming the sheet. */
export function withSheetName(error: unknown, sheet: string): unknown {
  if (!(error instanceof ProductError)) return error
  const named = sheet.slice(0, 80)
  return new ProductError(error.code, { ...error.details, sheet: named }, `Sheet “${named}”: ${error.message}`, {
    cause: error,
  })
}
