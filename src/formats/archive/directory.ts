import { decodeEntryName, isPathTraversal } from './entry-name'
import { zipDamagedError, zipUnsafeError } from './refusals'
import type { ByteSource } from '../contract'
import { ARCHIVE_MAX_ENTRIES } from '../../shared/limits'

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
export async function readCentralDirectory(source: ByteSource): Promise<ZipEntry[]> {
  const place = await locateDirectory(source)
  if (place.count > ARCHIVE_MAX_ENTRIES) throw zipUnsafeError(`it holds more than ${ARCHIVE_MAX_ENTRIES} files`)
  if (place.size > DIRECTORY_MAX_BYTES) throw zipUnsafeError('its list of files is too long')
  const bytes = await source.read(place.offset, place.size)
  if (bytes.length < place.size) throw zipDamagedError()
  const entries = parseDirectoryEntries(bytes, place.count).sort((a, b) => a.start - b.start)
  return entries.map((entry, at) => assertEntryInBounds(entry, entries[at + 1]?.start ?? place.offset))
}

function assertEntryInBounds(entry: ZipEntry, limit: number): ZipEntry {
  // The name in the local header may have another length, so this is the least that it takes.
  if (entry.start + LOCAL_HEADER_MIN_BYTES + entry.packedSize > limit) throw zipUnsafeError('parts of it overlap')
  if (isPathTraversal(entry.name)) throw zipUnsafeError('a name in it leads out of its folder')
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
