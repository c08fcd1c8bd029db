import { entryName, leadsOutside } from './entry-name'
import { brokenArchive, unsafeArchive } from './refusals'
import type { ByteSource } from '../contract'
import { ARCHIVE_MAX_ENTRIES } from '../../shared/limits'

/** One file inside an archive, as the central directory tells it. Sizes are claims until its bytes were counted. */
export interface ArchiveEntry {
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

const END_SIZE = 22
const END_MAX = END_SIZE + 0xffff
const LOCATOR_SIZE = 20
const END64_SIZE = 56
const RECORD_SIZE = 46
const LOCAL_SIZE = 30
const SIGNATURE = { end: 0x06054b50, locator: 0x07064b50, end64: 0x06064b50, record: 0x02014b50 }
/** Room for the longest sensible names of all entries. */
const DIRECTORY_MAX_BYTES = 8 * 1024 * 1024

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Eight bytes as a number. @throws ProductError when no file can be that long. */
function long(view: DataView, at: number): number {
  const value = view.getBigUint64(at, true)
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw brokenArchive()
  return Number(value)
}

interface Place {
  count: number
  offset: number
  size: number
}

/**
 * Entries of a zip by its central directory, in the order of their bytes.
 * @throws ProductError `file_unreadable`: `broken`, or `unsafe` for too many, overlapping or outward entries.
 */
export async function readDirectory(source: ByteSource): Promise<ArchiveEntry[]> {
  const place = await findDirectory(source)
  if (place.count > ARCHIVE_MAX_ENTRIES) throw unsafeArchive(`it holds more than ${ARCHIVE_MAX_ENTRIES} files`)
  if (place.size > DIRECTORY_MAX_BYTES) throw unsafeArchive('its list of files is too long')
  const bytes = await source.read(place.offset, place.size)
  if (bytes.length < place.size) throw brokenArchive()
  const entries = readRecords(bytes, place.count).sort((a, b) => a.start - b.start)
  return entries.map((entry, at) => bounded(entry, entries[at + 1]?.start ?? place.offset))
}

function bounded(entry: ArchiveEntry, limit: number): ArchiveEntry {
  // The name in the local header may have another length, so this is the least that it takes.
  if (entry.start + LOCAL_SIZE + entry.packedSize > limit) throw unsafeArchive('parts of it overlap')
  if (leadsOutside(entry.name)) throw unsafeArchive('a name in it leads out of its folder')
  return { ...entry, limit }
}

async function findDirectory(source: ByteSource): Promise<Place> {
  const from = Math.max(0, source.size - END_MAX)
  const tail = await source.read(from, source.size - from)
  const view = viewOf(tail)
  for (let at = tail.length - END_SIZE; at >= 0; at--) {
    if (view.getUint32(at, true) !== SIGNATURE.end) continue
    if (at + END_SIZE + view.getUint16(at + 20, true) > tail.length) continue
    const end = from + at
    const plain = {
      count: view.getUint16(at + 10, true),
      size: view.getUint32(at + 12, true),
      offset: view.getUint32(at + 16, true),
    }
    const disks = view.getUint16(at + 4, true) + view.getUint16(at + 6, true)
    if (disks !== 0 && disks !== 0xffff * 2) throw brokenArchive()
    const isLong = plain.count === 0xffff || plain.size === 0xffffffff || plain.offset === 0xffffffff
    const place = isLong ? ((await findLong(source, end)) ?? plain) : plain
    if (place.offset + place.size > end) throw brokenArchive()
    return place
  }
  throw brokenArchive()
}

/** The place as zip64 tells it, or null when there is no such record. */
async function findLong(source: ByteSource, end: number): Promise<Place | null> {
  if (end < LOCATOR_SIZE) return null
  const locator = viewOf(await source.read(end - LOCATOR_SIZE, LOCATOR_SIZE))
  if (locator.byteLength < LOCATOR_SIZE || locator.getUint32(0, true) !== SIGNATURE.locator) return null
  const at = long(locator, 8)
  if (at + END64_SIZE > end) throw brokenArchive()
  const record = viewOf(await source.read(at, END64_SIZE))
  if (record.byteLength < END64_SIZE || record.getUint32(0, true) !== SIGNATURE.end64) throw brokenArchive()
  return { count: long(record, 32), size: long(record, 40), offset: long(record, 48) }
}

function readRecords(bytes: Uint8Array, count: number): ArchiveEntry[] {
  const view = viewOf(bytes)
  const entries: ArchiveEntry[] = []
  let at = 0
  for (let n = 0; n < count; n++) {
    if (at + RECORD_SIZE > bytes.length || view.getUint32(at, true) !== SIGNATURE.record) throw brokenArchive()
    const nameEnd = at + RECORD_SIZE + view.getUint16(at + 28, true)
    const extraEnd = nameEnd + view.getUint16(at + 30, true)
    if (extraEnd > bytes.length) throw brokenArchive()
    const name = entryName(bytes.subarray(at + RECORD_SIZE, nameEnd))
    entries.push({
      name,
      directory: name.endsWith('/'),
      encrypted: (view.getUint16(at + 8, true) & 0x2041) !== 0,
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      ...sizesOf(view, { at, extra: nameEnd, extraEnd }),
      limit: 0,
    })
    at = extraEnd + view.getUint16(at + 32, true)
  }
  return entries
}

/** Sizes and place of an entry; what does not fit four bytes stands in its zip64 field, in this order. */
function sizesOf(view: DataView, record: { at: number; extra: number; extraEnd: number }) {
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
    if (at + 8 > end) throw brokenArchive()
    at += 8
    return long(view, at - 8)
  }
  return { size: next(found.size), packedSize: next(found.packedSize), start: next(found.start) }
}
