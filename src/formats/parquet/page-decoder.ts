import { decompress as decompressZstd } from 'fzstd'
import { snappyUncompress, type CompressionCodec, type PageHeader } from 'hyparquet'
import { decompressBrotli } from 'hyparquet-compressors/src/brotli.js'
import { gunzip } from 'hyparquet-compressors/src/gzip.js'
import { decompressLz4, decompressLz4Raw } from 'hyparquet-compressors/src/lz4.js'
import { deltaBinaryUnpack, deltaLengthByteArray } from 'hyparquet/src/delta.js'
import { byteStreamSplit } from 'hyparquet/src/encoding.js'
import { readPlain } from 'hyparquet/src/plain.js'
import { parquetDamagedError, parquetUnsupportedError, parquetUnsafeError } from './parquet-errors'
import type { PhysicalValue } from './value-formatter'
import type { SchemaNode } from './parquet-metadata'

/** A page's bytes, unpacked into memory of their own. @throws ProductError when they are not what was announced. */
export function decompressPage(codec: CompressionCodec | undefined, input: Uint8Array, length: number): Uint8Array {
  if (length === 0) return new Uint8Array(0)
  const output = decompressBytes(codec, input, length)
  if (output.length !== length) throw parquetDamagedError('a page is not as long as announced')
  return output
}

function decompressBytes(codec: CompressionCodec | undefined, input: Uint8Array, length: number): Uint8Array {
  switch (codec) {
    case 'UNCOMPRESSED':
      return input.slice()
    case 'SNAPPY': {
      const output = new Uint8Array(length)
      snappyUncompress(input, output)
      return output
    }
    case 'GZIP':
      return gunzip(input, new Uint8Array(length))
    case 'BROTLI':
      return decompressBrotli(input, length)
    case 'ZSTD':
      return decompressZstd(input, new Uint8Array(length))
    case 'LZ4':
      return decompressLz4(input, length)
    case 'LZ4_RAW':
      return decompressLz4Raw(input, length)
    case 'LZO':
    case undefined:
    default:
      throw parquetUnsupportedError(`the compression ${codec ?? 'of an unknown kind'}`)
  }
}

const truncatedPageError = (): Error => parquetDamagedError('a page ends early')

function readBits(bytes: Uint8Array, bitAt: number, width: number): number {
  let value = 0
  let got = 0
  let byte = bitAt >> 3
  let skip = bitAt & 7
  while (got < width) {
    const take = Math.min(8 - skip, width - got)
    value += (((bytes[byte] ?? 0) >> skip) & ((1 << take) - 1)) * 2 ** got
    got += take
    skip = 0
    byte++
  }
  return value
}

/**
 * Values of the run-length and bit-packed hybrid, up to `into.length`. Work is bounded by that and by the bytes.
 * @throws ProductError when the bytes end before.
 */
function decodeRleHybrid(bytes: Uint8Array, width: number, into: Int32Array | Uint8Array): void {
  if (width === 0) return
  if (width > 32) throw parquetDamagedError('a page has values of impossible width')
  let at = 0
  let filled = 0
  while (filled < into.length) {
    let header = 0
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++]
      if (byte === undefined || shift > 28) throw truncatedPageError()
      header += (byte & 127) * 2 ** shift
      if (byte < 128) break
    }
    const count = Math.floor(header / 2)
    if (header % 2 === 0) {
      const size = (width + 7) >> 3
      if (at + size > bytes.length) throw truncatedPageError()
      const end = Math.min(into.length, filled + count)
      into.fill(readBits(bytes, at * 8, width), filled, end)
      filled = end
      at += size
    } else {
      const held = Math.floor(((bytes.length - at) * 8) / width)
      const values = Math.min(count * 8, into.length - filled)
      if (values > held) throw truncatedPageError()
      for (let i = 0; i < values; i++) into[filled + i] = readBits(bytes, at * 8 + i * width, width)
      filled += values
      at += count * width
    }
  }
}

/** Bits that the largest value needs. */
const bitWidthOf = (max: number): number => 32 - Math.clz32(max)

/** One unpacked page never needs more. */
const PAGE_MAX_BYTES = 64 * 1024 * 1024
const PAGE_MAX_VALUES = 16 * 1024 * 1024

/** A data page: levels of its entries, and the values that are there. */
export interface DecodedPage {
  count: number
  /** null: everything is there. */
  defs: Uint8Array | null
  /** null: nothing is a list. */
  reps: Uint8Array | null
  values: ArrayLike<PhysicalValue> | null
  /** Positions in the dictionary, instead of values. */
  indexes: Int32Array | null
}

interface ByteReader {
  view: DataView
  offset: number
}
const byteReaderOf = (bytes: Uint8Array): ByteReader => ({
  view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  offset: 0,
})

interface PageLevels {
  defs: Uint8Array | null
  reps: Uint8Array | null
  /** Entries that have a value. */
  present: number
}
interface LevelBytes {
  reps: Uint8Array
  defs: Uint8Array
}

export function assertPageSize(header: PageHeader): void {
  const { uncompressed_page_size: size } = header
  if (!(size >= 0) || !(header.compressed_page_size >= 0)) throw parquetDamagedError('a page has an impossible length')
  if (size > PAGE_MAX_BYTES)
    throw parquetUnsafeError(`One page of the Parquet file holds ${Math.round(size / 1024 / 1024)} MB.`)
}

function assertValueCount(count: number): number {
  if (!(count >= 0)) throw parquetDamagedError('a page has an impossible number of values')
  if (count > PAGE_MAX_VALUES) throw parquetUnsafeError('One page of the Parquet file holds too many values.')
  return count
}

function readLevels(bytes: LevelBytes, count: number, { maxDef, maxRep }: SchemaNode): PageLevels {
  const reps = maxRep > 0 ? new Uint8Array(count) : null
  const defs = maxDef > 0 ? new Uint8Array(count) : null
  if (reps) decodeRleHybrid(bytes.reps, bitWidthOf(maxRep), reps)
  if (!defs) return { defs, reps, present: count }
  decodeRleHybrid(bytes.defs, bitWidthOf(maxDef), defs)
  let present = 0
  for (let i = 0; i < count; i++) if (defs[i] === maxDef) present++
  return { defs: present === count && !reps ? null : defs, reps, present }
}

/** A page of the first format: levels stand before the values, each with its length. */
export function decodeDataPage(bytes: Uint8Array, header: PageHeader, node: SchemaNode): DecodedPage {
  const page = header.data_page_header
  if (!page) throw parquetDamagedError('a page has no header')
  const count = assertValueCount(page.num_values)
  let at = 0
  const levels = (max: number, encoding: string | undefined): Uint8Array => {
    if (max === 0) return bytes.subarray(0, 0)
    if (encoding !== undefined && encoding !== 'RLE') throw parquetUnsupportedError(`the level encoding ${encoding}`)
    if (at + 4 > bytes.length) throw parquetDamagedError('a page ends early')
    const length = byteReaderOf(bytes).view.getUint32(at, true)
    at += 4 + length
    if (at > bytes.length) throw parquetDamagedError('a page ends early')
    return bytes.subarray(at - length, at)
  }
  const reps = levels(node.maxRep, page.repetition_level_encoding)
  const defs = levels(node.maxDef, page.definition_level_encoding)
  const found = readLevels({ reps, defs }, count, node)
  return { count, ...decodePageValues(found, bytes.subarray(at), { encoding: page.encoding, node }) }
}

/** Lengths of the levels at the start of a page of the second format: they are never packed. */
export function levelByteLength(header: PageHeader): number {
  const page = header.data_page_header_v2
  const defs = page?.definition_levels_byte_length ?? -1
  const reps = page?.repetition_levels_byte_length ?? -1
  if (defs < 0 || reps < 0 || defs + reps > header.compressed_page_size || defs + reps > header.uncompressed_page_size)
    throw parquetDamagedError('a page has an impossible length')
  return defs + reps
}

/** A page of the second format. */
export function decodeDataPageV2(
  bytes: { levels: Uint8Array; values: Uint8Array },
  header: PageHeader,
  node: SchemaNode,
): DecodedPage {
  const page = header.data_page_header_v2
  if (!page) throw parquetDamagedError('a page has no header')
  const count = assertValueCount(page.num_values)
  const split = page.repetition_levels_byte_length
  const levels = { reps: bytes.levels.subarray(0, split), defs: bytes.levels.subarray(split) }
  const found = readLevels(levels, count, node)
  return { count, ...decodePageValues(found, bytes.values, { encoding: page.encoding, node }) }
}

interface ValueEncoding {
  encoding: string | undefined
  node: SchemaNode
}

function decodePageValues(
  pageLevels: PageLevels,
  bytes: Uint8Array,
  valueEncoding: ValueEncoding,
): Omit<DecodedPage, 'count'> {
  const { defs, reps, present } = pageLevels
  if (valueEncoding.encoding === 'PLAIN_DICTIONARY' || valueEncoding.encoding === 'RLE_DICTIONARY') {
    const indexes = new Int32Array(present)
    if (present > 0) decodeRleHybrid(bytes.subarray(1), bytes[0] ?? 255, indexes)
    return { defs, reps, values: null, indexes }
  }
  const values = present > 0 ? decodeValues(bytes, present, valueEncoding) : []
  if (values.length !== present) throw parquetDamagedError('a page holds fewer values than announced')
  return { defs, reps, values, indexes: null }
}

function decodeValues(bytes: Uint8Array, count: number, { encoding, node }: ValueEncoding): ArrayLike<PhysicalValue> {
  const { type, type_length: length } = node.element
  const reader = byteReaderOf(bytes)
  if (type === undefined) throw parquetDamagedError('its schema is not complete')
  switch (encoding) {
    case 'PLAIN':
      return decodePlainValues(bytes, count, node)
    case 'RLE': {
      const bits = new Uint8Array(count)
      decodeRleHybrid(bytes.subarray(4), 1, bits)
      return Array.from(bits, (bit) => bit === 1)
    }
    case 'BYTE_STREAM_SPLIT':
      if (count * (length ?? 8) > PAGE_MAX_BYTES) throw parquetDamagedError('a page holds fewer values than announced')
      return byteStreamSplit(reader, count, type, length)
    case 'DELTA_BINARY_PACKED': {
      const numbers = type === 'INT32' ? new Int32Array(count) : new BigInt64Array(count)
      deltaBinaryUnpack(reader, count, numbers)
      return numbers
    }
    case 'DELTA_LENGTH_BYTE_ARRAY': {
      const values: Uint8Array[] = []
      deltaLengthByteArray(reader, count, values)
      return values
    }
    case 'DELTA_BYTE_ARRAY':
      return decodeDeltaByteArrays(reader, count)
    case undefined:
    default:
      throw parquetUnsupportedError(`the encoding ${encoding ?? 'of an unknown kind'}`)
  }
}

/** Values one after another, as in dictionaries. */
export function decodePlainValues(bytes: Uint8Array, count: number, { element }: SchemaNode): ArrayLike<PhysicalValue> {
  assertValueCount(count)
  if (element.type === undefined) throw parquetDamagedError('its schema is not complete')
  // A count that the bytes cannot hold is refused before memory is asked for it.
  if (count > bytes.length * 8) throw parquetDamagedError('a page holds fewer values than announced')
  return readPlain(byteReaderOf(bytes), element.type, count, element.type_length)
}

/** Texts that share their beginning with the one before; their whole length is bounded. */
function decodeDeltaByteArrays(byteReader: ByteReader, count: number): Uint8Array[] {
  const shared = new Int32Array(count)
  const lengths = new Int32Array(count)
  deltaBinaryUnpack(byteReader, count, shared)
  deltaBinaryUnpack(byteReader, count, lengths)
  const values: Uint8Array[] = []
  let before = new Uint8Array(0)
  let total = 0
  for (let i = 0; i < count; i++) {
    const [prefix = 0, length = 0] = [shared[i], lengths[i]]
    const end = byteReader.offset + length
    total += prefix + length
    if (prefix < 0 || length < 0 || prefix > before.length || end > byteReader.view.byteLength)
      throw parquetDamagedError('a page ends early')
    if (total > PAGE_MAX_BYTES) throw parquetUnsafeError('One page of the Parquet file holds more than 64 MB.')
    const value = new Uint8Array(prefix + length)
    value.set(before.subarray(0, prefix))
    value.set(new Uint8Array(byteReader.view.buffer, byteReader.view.byteOffset + byteReader.offset, length), prefix)
    byteReader.offset = end
    before = value
    values.push(value)
  }
  return values
}
