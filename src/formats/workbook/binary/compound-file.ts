import type { ByteSource } from '../../contract'
import { workbookDamagedError } from '../workbook-errors'

const SIGNATURE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]

/** The container of XLS files and of workbooks with a password (MS-CFB). */
export const isCompoundFile = (head: Uint8Array): boolean => SIGNATURE.every((byte, at) => head[at] === byte)

const HEADER_BYTES = 512
/** Sectors of the sector table that the header itself names. */
const HEADER_TABLE_SECTORS = 109
/** Numbers from here on say that there is no such sector. */
const NO_SECTOR = 0xfffffffa
/** Shorter streams lie in small sectors. */
const SMALL_STREAM_BYTES = 4096
const SMALL_SECTOR_BYTES = 64
const ENTRY_BYTES = 128
const STREAM_ENTRY = 2
/** Some hundred entries are usual: documents inside a workbook have their own. */
const DIRECTORY_MAX_BYTES = 4 * 1024 * 1024
const CHUNK_BYTES = 64 * 1024

const damaged = (): Error => workbookDamagedError('its list of parts is broken')
const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** A stream inside the file. */
export interface CompoundStream {
  start: number
  size: number
}

interface Sectors {
  /** Bytes of one. */
  bytes: number
  count: number
  /** Which one follows. */
  next: Uint32Array
}

/** Exactly these bytes. @throws ProductError when the file ends before. */
async function readExactly(source: ByteSource, offset: number, length: number): Promise<Uint8Array> {
  const bytes = await source.read(offset, length)
  if (bytes.length < length) throw damaged()
  return bytes
}

/** The same of a sector; the last one of a file may not be written to its end, and holds zeros there. */
async function readSector(source: ByteSource, offset: number, length: number): Promise<Uint8Array> {
  const left = source.size - offset
  if (left >= length || left <= 0) return readExactly(source, offset, length)
  const filled = new Uint8Array(length)
  filled.set(await readExactly(source, offset, left))
  return filled
}

/**
 * The sectors of a chain. Without `need` it is followed to its end.
 * @throws ProductError for a chain that leads out of the file, runs in a circle or is shorter than `need`.
 */
function chainOf({ next, count }: Pick<Sectors, 'next' | 'count'>, start: number, need?: number): Uint32Array {
  if (need !== undefined && need > count) throw damaged()
  const most = need ?? count
  const found = new Uint32Array(most)
  let length = 0
  for (let sector = start; sector < NO_SECTOR && length < most; sector = next[sector] ?? NO_SECTOR) {
    if (sector >= count) throw damaged()
    found[length++] = sector
    // As many as there are, and still not at its end: some come twice.
    if (need === undefined && length === most && (next[sector] ?? NO_SECTOR) < NO_SECTOR) throw damaged()
  }
  if (need !== undefined && length < need) throw damaged()
  return found.subarray(0, length)
}

/** The table of sectors: the header names the first sectors it lies in, a chain of lists the others. */
async function readSectors(source: ByteSource, header: DataView): Promise<Sectors> {
  const shift = header.getUint16(30, true)
  if (shift !== 9 && shift !== 12) throw damaged()
  const bytes = 1 << shift
  const count = Math.max(0, Math.ceil((source.size - bytes) / bytes))
  const next = new Uint32Array(count).fill(NO_SECTOR)
  const perSector = bytes / 4
  let filled = 0
  const take = async (sector: number): Promise<void> => {
    if (sector >= count) throw damaged()
    const view = viewOf(await readSector(source, (sector + 1) * bytes, bytes))
    for (let n = 0; n < perSector && filled < count; n++) next[filled++] = view.getUint32(n * 4, true)
  }
  for (let n = 0; n < HEADER_TABLE_SECTORS && filled < count; n++) {
    const sector = header.getUint32(76 + n * 4, true)
    if (sector < NO_SECTOR) await take(sector)
  }
  let list = header.getUint32(68, true)
  for (let read = 0; list < NO_SECTOR && filled < count; read++) {
    if (list >= count || read >= count) throw damaged()
    const view = viewOf(await readSector(source, (list + 1) * bytes, bytes))
    for (let n = 0; n < perSector - 1 && filled < count; n++) {
      const sector = view.getUint32(n * 4, true)
      if (sector < NO_SECTOR) await take(sector)
    }
    list = view.getUint32(bytes - 4, true)
  }
  return { bytes, count, next }
}

/** Bytes of a stream from `offset` to `size`, both counted from its first sector, in pieces of 64 kB. */
async function* bytesOf(
  source: ByteSource,
  chain: Uint32Array,
  at: { bytes: number; offset: number; size: number },
): AsyncGenerator<Uint8Array, void, undefined> {
  for (let from = at.offset; from < at.size;) {
    const chunk = new Uint8Array(Math.min(CHUNK_BYTES, at.size - from))
    for (let filled = 0; filled < chunk.length;) {
      const first = Math.floor((from + filled) / at.bytes)
      const sector = chain[first] ?? 0
      let run = 1
      while (chain[first + run] === sector + run && run * at.bytes < CHUNK_BYTES) run++
      const within = from + filled - first * at.bytes
      const length = Math.min(chunk.length - filled, run * at.bytes - within)
      chunk.set(await readSector(source, (sector + 1) * at.bytes + within, length), filled)
      filled += length
    }
    from += chunk.length
    yield chunk
  }
}

async function collect(chunks: AsyncIterable<Uint8Array>, size: number): Promise<Uint8Array> {
  const whole = new Uint8Array(size)
  let at = 0
  for await (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

interface DirectoryEntry extends CompoundStream {
  name: string
  type: number
  /** Entries beside it in its folder, and the first inside it. */
  left: number
  right: number
  child: number
}

function readEntry(view: DataView, at: number, hasLongSizes: boolean): DirectoryEntry {
  const units = Math.min(31, Math.max(0, view.getUint16(at + 64, true) / 2 - 1))
  let name = ''
  for (let n = 0; n < units; n++) name += String.fromCharCode(view.getUint16(at + n * 2, true))
  const high = hasLongSizes ? view.getUint32(at + 124, true) : 0
  return {
    name,
    type: view.getUint8(at + 66),
    left: view.getUint32(at + 68, true),
    right: view.getUint32(at + 72, true),
    child: view.getUint32(at + 76, true),
    start: view.getUint32(at + 116, true),
    size: view.getUint32(at + 120, true) + high * 2 ** 32,
  }
}

/** Streams of the top folder by their names in upper case; those of documents inside are none of it. */
function topStreams(entries: readonly DirectoryEntry[]): Map<string, CompoundStream> {
  const streams = new Map<string, CompoundStream>()
  const seen = new Set<number>()
  const ahead = [entries[0]?.child ?? NO_SECTOR]
  for (let at = ahead.pop(); at !== undefined; at = ahead.pop()) {
    const entry = entries[at]
    if (!entry || seen.has(at)) continue
    seen.add(at)
    if (entry.type === STREAM_ENTRY && !streams.has(entry.name.toUpperCase()))
      streams.set(entry.name.toUpperCase(), entry)
    ahead.push(entry.left, entry.right)
  }
  return streams
}

/**
 * A compound file, its top streams by name. What it says of itself is never trusted: each chain is bounded by the size of
 * the file, so that circles and claims cost no more than reading it once. Held in memory: 1/128 of the file for the table
 * of its sectors, and as much for a stream that is read.
 */
export interface CompoundFile {
  has(name: string): boolean
  size(name: string): number
  /** The bytes of a stream from an offset on. @throws ProductError when it is missing or broken. */
  stream(name: string, offset?: number): AsyncGenerator<Uint8Array, void, undefined>
}

/** @throws ProductError `file_unreadable` for a container that is cut off or contradicts itself. */
export async function openCompoundFile(source: ByteSource): Promise<CompoundFile> {
  const header = viewOf(await readExactly(source, 0, HEADER_BYTES))
  const sectors = await readSectors(source, header)
  const directory = chainOf(sectors, header.getUint32(48, true))
  const listBytes = directory.length * sectors.bytes
  if (listBytes === 0 || listBytes > DIRECTORY_MAX_BYTES) throw damaged()
  const list = viewOf(await collect(bytesOf(source, directory, { ...sectors, offset: 0, size: listBytes }), listBytes))
  const entries = Array.from({ length: listBytes / ENTRY_BYTES }, (_, n) =>
    readEntry(list, n * ENTRY_BYTES, sectors.bytes > 512),
  )
  const streams = topStreams(entries)
  const find = (name: string): CompoundStream => {
    const stream = streams.get(name.toUpperCase())
    if (!stream) throw workbookDamagedError('a part of it is missing')
    return stream
  }
  const chains = new Map<number, Uint32Array>()
  return {
    has: (name) => streams.has(name.toUpperCase()),
    size: (name) => find(name).size,
    async *stream(name, offset = 0) {
      const { start, size } = find(name)
      if (size >= SMALL_STREAM_BYTES) {
        const chain = chains.get(start) ?? chainOf(sectors, start, Math.ceil(size / sectors.bytes))
        chains.set(start, chain)
        yield* bytesOf(source, chain, { bytes: sectors.bytes, offset, size })
        return
      }
      const [root] = entries
      const small = await readSmallStream(source, { sectors, header, root, stream: { start, size } })
      if (offset < small.length) yield small.subarray(offset)
    },
  }
}

/** A short stream as a whole: its small sectors lie inside the stream of the root entry. */
async function readSmallStream(
  source: ByteSource,
  from: { sectors: Sectors; header: DataView; root: CompoundStream | undefined; stream: CompoundStream },
): Promise<Uint8Array> {
  const { sectors, header, root, stream } = from
  if (!root) throw damaged()
  const places = chainOf(sectors, root.start, Math.ceil(root.size / sectors.bytes))
  const tableChain = chainOf(sectors, header.getUint32(60, true))
  const count = Math.min((tableChain.length * sectors.bytes) / 4, Math.floor(root.size / SMALL_SECTOR_BYTES))
  const table = viewOf(
    await collect(bytesOf(source, tableChain, { ...sectors, offset: 0, size: count * 4 }), count * 4),
  )
  const next = Uint32Array.from({ length: count }, (_, n) => table.getUint32(n * 4, true))
  const chain = chainOf({ next, count }, stream.start, Math.ceil(stream.size / SMALL_SECTOR_BYTES))
  const whole = new Uint8Array(chain.length * SMALL_SECTOR_BYTES)
  for (const [n, sector] of chain.entries()) {
    const at = sector * SMALL_SECTOR_BYTES
    const place = ((places[Math.floor(at / sectors.bytes)] ?? 0) + 1) * sectors.bytes + (at % sectors.bytes)
    whole.set(await readSector(source, place, SMALL_SECTOR_BYTES), n * SMALL_SECTOR_BYTES)
  }
  return whole.subarray(0, stream.size)
}
