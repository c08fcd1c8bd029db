import { CP437, decodeCodePage, toByteString } from '../encoding/text-decoder'
import { unreadableError } from '../file-errors'
import { inflateRaw } from './raw-inflate'
import type { ProductError } from '../../shared/errors'
import type { ByteSource } from '../contract'
import { inflationBudget, type InflationBudget } from '../inflation-budget'
import { ARCHIVE_MAX_ENTRIES } from '../../shared/limits'
import { crc32 } from '../../lib/crc32'

const zipDamagedError = (cause?: unknown): ProductError =>
  unreadableError('broken', 'The compressed file is damaged or was cut off. Save it again, then upload it.', {
    cause,
  })

const zipUnsafeError = (what: string): ProductError =>
  unreadableError('unsafe', `Compressed file not opened: ${what}. Upload the files in it separately.`)

export const zipEncryptedError = (): ProductError =>
  unreadableError('encrypted', 'The file is password-protected. Remove the password, then upload it again.')

const zipUnsupportedError = (): ProductError =>
  unreadableError(
    'unsupported',
    'Unsupported compression. Compress it as a standard zip, or upload the files in it separately.',
  )

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The name of an entry with `/` between its parts and none before the first. */
function decodeEntryName(bytes: Uint8Array): string {
  return decodeNameBytes(bytes).replaceAll('\\', '/').replace(/^\/+/, '')
}

/** Many programs write UTF-8 without saying so, hardly any text in another code page is UTF-8 by chance. */
function decodeNameBytes(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    // How names are written that do not say they are UTF-8.
    return decodeCodePage(toByteString(bytes), CP437)
  }
}

/** Whether a name leads out of the folder it is unpacked in, or could end a text where it is handed on. */
const isPathTraversal = (name: string): boolean =>
  name.split('/').includes('..') || /^[a-z]:/i.test(name) || name.includes('\0')

/** Whether bytes begin as a zip does: with a file in it, or with its end when it holds none. */
export const isZip = (head: Uint8Array): boolean =>
  head[0] === 0x50 && head[1] === 0x4b && ((head[2] === 3 && head[3] === 4) || (head[2] === 5 && head[3] === 6))

/** One file inside an archive, as the central directory tells it. Sizes are claims until its bytes were counted. */
export interface ZipEntry {
  /** Path inside the archive, `/` between its parts. */
  name: string
  directory: boolean
  encrypted: boolean
  /** 0 = stored, 8 = deflated; others cannot be read. */
  method: number
  packedSize: number
  size: number
  crc: number
  /** Where its local header begins, and where the next entry (or the directory) does. */
  start: number
  limit: number
}

const END_RECORD_BYTES = 22
const END_RECORD_MAX_BYTES = END_RECORD_BYTES + 0xffff
const ZIP64_LOCATOR_BYTES = 20
const ZIP64_END_RECORD_BYTES = 56
const DIRECTORY_ENTRY_BYTES = 46
const LOCAL_HEADER_MIN_BYTES = 30
const SIGNATURE = { end: 0x06054b50, locator: 0x07064b50, end64: 0x06064b50, record: 0x02014b50 }
/** Room for the longest sensible names of all entries. */
const DIRECTORY_MAX_BYTES = 8 * 1024 * 1024

const dataViewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Eight bytes as a number. @throws ProductError when no file can be that long. */
function readUint64(view: DataView, at: number): number {
  const value = view.getBigUint64(at, true)
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw zipDamagedError()
  return Number(value)
}

interface DirectoryLocation {
  count: number
  offset: number
  size: number
}

/**
 * Entries of a zip by its central directory, in the order of their bytes.
 * @throws ProductError `file_unreadable`: `broken`, or `unsafe` for too many, overlapping or outward entries.
 */
async function readCentralDirectory(source: ByteSource): Promise<ZipEntry[]> {
  const place = await locateDirectory(source)
  if (place.count > ARCHIVE_MAX_ENTRIES) throw zipUnsafeError(`it holds more than ${ARCHIVE_MAX_ENTRIES} files`)
  if (place.size > DIRECTORY_MAX_BYTES) throw zipUnsafeError('its file list is too long')
  const bytes = await source.read(place.offset, place.size)
  if (bytes.length < place.size) throw zipDamagedError()
  const entries = parseDirectoryEntries(bytes, place.count).sort((a, b) => a.start - b.start)
  return entries.map((entry, at) => assertEntryInBounds(entry, entries[at + 1]?.start ?? place.offset))
}

function assertEntryInBounds(entry: ZipEntry, limit: number): ZipEntry {
  // The name in the local header may have another length, so this is the least that it takes.
  if (entry.start + LOCAL_HEADER_MIN_BYTES + entry.packedSize > limit) throw zipUnsafeError('parts of it overlap')
  if (isPathTraversal(entry.name)) throw zipUnsafeError('a file name in it points outside its folder')
  return { ...entry, limit }
}

async function locateDirectory(source: ByteSource): Promise<DirectoryLocation> {
  const from = Math.max(0, source.size - END_RECORD_MAX_BYTES)
  const tail = await source.read(from, source.size - from)
  const view = dataViewOf(tail)
  for (let at = tail.length - END_RECORD_BYTES; at >= 0; at--) {
    if (view.getUint32(at, true) !== SIGNATURE.end) continue
    if (at + END_RECORD_BYTES + view.getUint16(at + 20, true) > tail.length) continue
    const end = from + at
    const plain = {
      count: view.getUint16(at + 10, true),
      size: view.getUint32(at + 12, true),
      offset: view.getUint32(at + 16, true),
    }
    const disks = view.getUint16(at + 4, true) + view.getUint16(at + 6, true)
    if (disks !== 0 && disks !== 0xffff * 2) throw zipDamagedError()
    const isLong = plain.count === 0xffff || plain.size === 0xffffffff || plain.offset === 0xffffffff
    const place = isLong ? ((await locateZip64Directory(source, end)) ?? plain) : plain
    if (place.offset + place.size > end) throw zipDamagedError()
    return place
  }
  throw zipDamagedError()
}

/** The place as zip64 tells it, or null when there is no such record. */
async function locateZip64Directory(source: ByteSource, end: number): Promise<DirectoryLocation | null> {
  if (end < ZIP64_LOCATOR_BYTES) return null
  const locator = dataViewOf(await source.read(end - ZIP64_LOCATOR_BYTES, ZIP64_LOCATOR_BYTES))
  if (locator.byteLength < ZIP64_LOCATOR_BYTES || locator.getUint32(0, true) !== SIGNATURE.locator) return null
  const at = readUint64(locator, 8)
  if (at + ZIP64_END_RECORD_BYTES > end) throw zipDamagedError()
  const record = dataViewOf(await source.read(at, ZIP64_END_RECORD_BYTES))
  if (record.byteLength < ZIP64_END_RECORD_BYTES || record.getUint32(0, true) !== SIGNATURE.end64)
    throw zipDamagedError()
  return { count: readUint64(record, 32), size: readUint64(record, 40), offset: readUint64(record, 48) }
}

function parseDirectoryEntries(bytes: Uint8Array, count: number): ZipEntry[] {
  const view = dataViewOf(bytes)
  const entries: ZipEntry[] = []
  let at = 0
  for (let n = 0; n < count; n++) {
    if (at + DIRECTORY_ENTRY_BYTES > bytes.length || view.getUint32(at, true) !== SIGNATURE.record)
      throw zipDamagedError()
    const nameEnd = at + DIRECTORY_ENTRY_BYTES + view.getUint16(at + 28, true)
    const extraEnd = nameEnd + view.getUint16(at + 30, true)
    if (extraEnd > bytes.length) throw zipDamagedError()
    const name = decodeEntryName(bytes.subarray(at + DIRECTORY_ENTRY_BYTES, nameEnd))
    entries.push({
      name,
      directory: name.endsWith('/'),
      encrypted: (view.getUint16(at + 8, true) & 0x2041) !== 0,
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      ...entrySizes(view, { at, extra: nameEnd, extraEnd }),
      limit: 0,
    })
    at = extraEnd + view.getUint16(at + 32, true)
  }
  return entries
}

/** Sizes and place of an entry; what does not fit four bytes stands in its zip64 field, in this order. */
function entrySizes(view: DataView, record: { at: number; extra: number; extraEnd: number }) {
  const found = {
    size: view.getUint32(record.at + 24, true),
    packedSize: view.getUint32(record.at + 20, true),
    start: view.getUint32(record.at + 42, true),
  }
  if (found.size < 0xffffffff && found.packedSize < 0xffffffff && found.start < 0xffffffff) return found
  let at = record.extra
  while (at + 4 <= record.extraEnd && view.getUint16(at, true) !== 1) at += 4 + view.getUint16(at + 2, true)
  const end = Math.min(record.extraEnd, at + 4 + (at + 4 <= record.extraEnd ? view.getUint16(at + 2, true) : 0))
  at += 4
  const next = (value: number): number => {
    if (value < 0xffffffff) return value
    if (at + 8 > end) throw zipDamagedError()
    at += 8
    return readUint64(view, at - 8)
  }
  return { size: next(found.size), packedSize: next(found.packedSize), start: next(found.start) }
}

/** A zip file (also XLSX, ODS) whose entries are read at will. */
export interface ZipArchive {
  /** Files and folders in the order of their bytes. */
  entries: readonly ZipEntry[]
  /** What all of it may still grow by. Files inside that are compressed themselves share it. */
  budget: InflationBudget
  /**
   * An entry's bytes, inflated while they are read. What all reads together inflate is counted, whatever the headers say.
   * The stream fails with ProductError `file_unreadable`: `encrypted`, `unsupported`, `broken`, or `unsafe` past the limits.
   */
  stream(entry: ZipEntry): ReadableStream<Uint8Array>
  /** A small entry as a whole. @throws ProductError as `stream`, and `unsafe` past `maxBytes`. */
  bytes(entry: ZipEntry, maxBytes: number): Promise<Uint8Array>
}

const INPUT_CHUNK_BYTES = 32 * 1024
/** Inflated pieces are small; readers get them joined. */
const OUTPUT_CHUNK_BYTES = 64 * 1024
const LOCAL_HEADER_BYTES = 30
const LOCAL_HEADER_SIGNATURE = 0x04034b50
const METHOD_STORED = 0
const METHOD_DEFLATED = 8

/** What a zip of `fileBytes` may grow by. */
export const zipInflation = (fileBytes: number): InflationBudget =>
  inflationBudget(fileBytes, () => zipUnsafeError('it is too large when unpacked'))

/** @throws ProductError `file_unreadable` for what is no whole and safe zip. */
export async function openZip(source: ByteSource): Promise<ZipArchive> {
  const entries = await readCentralDirectory(source)
  const budget = source.inflation ?? zipInflation(source.size)
  const stream = (entry: ZipEntry) => toReadableStream(decompressEntry(source, entry, budget))
  return {
    entries,
    budget,
    stream,
    async bytes(entry, maxBytes) {
      if (entry.size > maxBytes) throw zipUnsafeError('a part of it is too large')
      const whole = new Uint8Array(entry.size)
      let at = 0
      for await (const chunk of decompressEntry(source, entry, budget)) {
        whole.set(chunk, at)
        at += chunk.length
      }
      return whole
    },
  }
}

async function entryDataOffset(source: ByteSource, entry: ZipEntry): Promise<number> {
  const header = await source.read(entry.start, LOCAL_HEADER_BYTES)
  if (header.length < LOCAL_HEADER_BYTES) throw zipDamagedError()
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength)
  if (view.getUint32(0, true) !== LOCAL_HEADER_SIGNATURE) throw zipDamagedError()
  const start = entry.start + LOCAL_HEADER_BYTES + view.getUint16(26, true) + view.getUint16(28, true)
  if (start + entry.packedSize > entry.limit) throw zipUnsafeError('parts of it overlap')
  return start
}

/** The entry's bytes in pieces of about 64 kB, proved by count and checksum at their end. */
async function* decompressEntry(
  source: ByteSource,
  entry: ZipEntry,
  budget: InflationBudget,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (entry.encrypted) throw zipEncryptedError()
  if (entry.method !== METHOD_STORED && entry.method !== METHOD_DEFLATED) throw zipUnsupportedError()
  budget.check(entry.size)
  const packed = compressedChunks(source, { offset: await entryDataOffset(source, entry), length: entry.packedSize })
  let count = 0
  let crc = 0
  for await (const chunk of coalesceChunks(
    entry.method === METHOD_STORED ? packed : inflateRaw(packed, zipDamagedError),
  )) {
    budget.consume(chunk.length)
    count += chunk.length
    if (count > entry.size) throw zipUnsafeError('a part of it is larger than stated')
    crc = crc32(chunk, crc)
    yield chunk
  }
  if (count !== entry.size || crc !== entry.crc) throw zipDamagedError()
}

/** Exactly these bytes of the source, in small pieces. */
async function* compressedChunks(
  source: ByteSource,
  at: { offset: number; length: number },
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  let left = at.length
  if (left === 0) return
  const reader = source.stream(at.offset).getReader()
  try {
    while (left > 0) {
      const { done, value } = await reader.read()
      if (done) throw zipDamagedError()
      const mine = value.subarray(0, left)
      left -= mine.length
      for (let from = 0; from < mine.length; from += INPUT_CHUNK_BYTES) yield mine.slice(from, from + INPUT_CHUNK_BYTES)
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

async function* coalesceChunks(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  let held = new Uint8Array(OUTPUT_CHUNK_BYTES)
  let length = 0
  for await (const piece of pieces) {
    for (let from = 0; from < piece.length;) {
      const take = Math.min(piece.length - from, OUTPUT_CHUNK_BYTES - length)
      held.set(piece.subarray(from, from + take), length)
      from += take
      length += take
      if (length < OUTPUT_CHUNK_BYTES) continue
      yield held
      held = new Uint8Array(OUTPUT_CHUNK_BYTES)
      length = 0
    }
  }
  if (length > 0) yield held.subarray(0, length)
}

function toReadableStream(chunks: AsyncGenerator<Uint8Array, void, undefined>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return(undefined)
    },
  })
}
