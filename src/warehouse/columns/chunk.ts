/** Rows of a chunk: 65 536 values of 4 bytes are a quarter of a megabyte, and a BLOB may have two. */
export const CHUNK_ROWS = 65_536

/**
 * One column's values of one chunk, as they are kept. What the bytes say:
 * - `bits` 0: every value that is there is `base`.
 * - `bits` 1: a bitmap, of `base` and `base` + 1.
 * - `bits` 8, 16, 32: unsigned, `base` less than the value.
 * - `bits` 64: floating point as it is; an empty cell is NaN.
 * Behind them, unless `bits` is 64 or no cell is empty, a bitmap of the empty cells. Codes of a dictionary are whole
 * numbers like others, 0 for an empty cell.
 */
export interface EncodedChunk {
  rows: number
  bits: ChunkBits
  base: number
  /** Bounds of the values that are there; null when none is. */
  least: number | null
  most: number | null
  nulls: number
  checksum: number
  data: ArrayBuffer
  /** A bitmap of rows that do not count: they are left out when the chunk is read. */
  deleted?: Uint8Array
  /** Of the rows that count, the places of those that are read; only so many are. */
  picked?: Uint16Array
  /** What its numbers are multiplied by, and divided by, to lie as their column does now. */
  scaling?: { times: number; by: number }
}
export type ChunkBits = 0 | 1 | 8 | 16 | 32 | 64

const WORD_BYTES = 4
const wordsUp = (bytes: number): number => Math.ceil(bytes / WORD_BYTES) * WORD_BYTES
const bitmapBytes = (rows: number): number => wordsUp(Math.ceil(rows / 8))
const valueBytes = (bits: ChunkBits, rows: number): number => wordsUp(Math.ceil((rows * bits) / 8))

/** FNV-1a over words of four bytes. @param from the first byte that counts */
export function checksumOf(data: ArrayBuffer, from = 0): number {
  const words = new Int32Array(data, from)
  let hash = 0x811c9dc5
  for (let i = 0; i < words.length; i += 1) hash = Math.imul(hash ^ (words[i] ?? 0), 0x01000193)
  return hash >>> 0
}

/** The same of bytes that may end within a word. */
export function checksumOfBytes(bytes: Uint8Array): number {
  const padded = new Uint8Array(wordsUp(bytes.length))
  padded.set(bytes)
  return checksumOf(padded.buffer)
}

interface Bounds {
  least: number
  most: number
  nulls: number
  /** Whether all of them are whole and none is −0: the narrow encodings lose nothing of them. */
  isWhole: boolean
}

function boundsOf(values: Float64Array, rows: number): Bounds {
  const bounds: Bounds = { least: Infinity, most: -Infinity, nulls: 0, isWhole: true }
  for (let i = 0; i < rows; i += 1) {
    const value = values[i] ?? Number.NaN
    if (Number.isNaN(value)) bounds.nulls += 1
    else {
      if (value < bounds.least) bounds.least = value
      if (value > bounds.most) bounds.most = value
      if (!Number.isSafeInteger(value) || Object.is(value, -0)) bounds.isWhole = false
    }
  }
  return bounds
}

function bitsFor({ least, most, isWhole }: Bounds): ChunkBits {
  if (!isWhole) return 64
  const span = most - least
  if (span <= 0) return 0
  if (span === 1) return 1
  if (span < 2 ** 8) return 8
  if (span < 2 ** 16) return 16
  return span < 2 ** 32 ? 32 : 64
}

/** The first `rows` values; NaN is an empty cell. Whatever they are, they come back as they were. */
export function encodeNumbers(values: Float64Array, rows: number): EncodedChunk {
  const bounds = boundsOf(values, rows)
  const { least, most, nulls } = bounds
  const bits = bitsFor(bounds)
  const isEmpty = nulls === rows
  // Values that fit their width as they are need not be moved when they are read.
  const isPlain = bits >= 8 && least >= 0 && most < 2 ** bits
  const base = bits === 64 || isEmpty || isPlain ? 0 : least
  const hasBitmap = bits !== 64 && nulls > 0
  const data = new ArrayBuffer(valueBytes(bits, rows) + (hasBitmap ? bitmapBytes(rows) : 0))
  writeValues(data, { values, rows, bits, base })
  if (hasBitmap) {
    const bitmap = new Uint8Array(data, valueBytes(bits, rows))
    for (let i = 0; i < rows; i += 1)
      if (Number.isNaN(values[i] ?? Number.NaN)) bitmap[i >> 3] = (bitmap[i >> 3] ?? 0) | (1 << (i & 7))
  }
  const ends = isEmpty ? { least: null, most: null } : { least, most }
  return { rows, bits, base, ...ends, nulls, checksum: checksumOf(data), data }
}

function writeValues(
  data: ArrayBuffer,
  { values, rows, bits, base }: { values: Float64Array; rows: number; bits: ChunkBits; base: number },
): void {
  if (bits === 0) return
  if (bits === 64) {
    new Float64Array(data, 0, rows).set(values.subarray(0, rows))
    return
  }
  if (bits === 1) {
    const bitmap = new Uint8Array(data)
    for (let i = 0; i < rows; i += 1)
      if (values[i] === base + 1) bitmap[i >> 3] = (bitmap[i >> 3] ?? 0) | (1 << (i & 7))
    return
  }
  const to =
    bits === 8
      ? new Uint8Array(data, 0, rows)
      : bits === 16
        ? new Uint16Array(data, 0, rows)
        : new Uint32Array(data, 0, rows)
  // What is not there becomes 0.
  for (let i = 0; i < rows; i += 1) to[i] = (values[i] ?? 0) - base
}

/** Whether the bytes are those that were written. */
export function isIntact({ bits, rows, nulls, data, checksum }: EncodedChunk): boolean {
  const bytes = valueBytes(bits, rows) + (bits !== 64 && nulls > 0 ? bitmapBytes(rows) : 0)
  return data.byteLength === bytes && checksumOf(data) === checksum
}

/** Reads a chunk's values; NaN is an empty cell. Answers how many rows count. */
export function decodeNumbers(chunk: EncodedChunk, to: Float64Array): number {
  const { rows, deleted, scaling, picked } = chunk
  if (picked) return decodePickedNumbers(chunk, picked, to)
  const all = deleted ? new Float64Array(rows) : to
  readNumbers(chunk, all)
  const kept = deleted ? withoutDeleted(all, deleted, to) : rows
  if (scaling) rescale(to, scaling, kept)
  return kept
}
function rescale(to: Float64Array, { times, by }: { times: number; by: number }, rows: number): void {
  for (let i = 0; i < rows; i += 1) to[i] = ((to[i] ?? 0) * times) / by
}
/** The other rows, close together. */
function withoutDeleted<T extends Float64Array | Int32Array>(all: T, deleted: Uint8Array, to: T): number {
  let kept = 0
  for (let i = 0; i < all.length; i += 1) {
    if (((deleted[i >> 3] ?? 0) >> (i & 7)) & 1) continue
    to[kept] = all[i] ?? 0
    kept += 1
  }
  return kept
}

function readNumbers({ bits, rows, base, data, nulls }: EncodedChunk, to: Float64Array): void {
  NUMBER_READERS[bits](to, data, base, rows)
  if (bits !== 64 && nulls > 0) emptyFromBitmap(to, new Uint8Array(data, valueBytes(bits, rows)), rows)
}
type ReadChunk<T> = (to: T, data: ArrayBuffer, base: number, rows: number) => void
// One function for each kind of array: a loop that meets several kinds is several times slower.
const NUMBER_READERS: Record<ChunkBits, ReadChunk<Float64Array>> = {
  0: (to, _data, base, rows) => void to.fill(base, 0, rows),
  1(to, data, base, rows) {
    const from = new Uint8Array(data)
    for (let i = 0; i < rows; i += 1) to[i] = base + (((from[i >> 3] ?? 0) >> (i & 7)) & 1)
  },
  8(to, data, base, rows) {
    const from = new Uint8Array(data, 0, rows)
    for (let i = 0; i < rows; i += 1) to[i] = (from[i] ?? 0) + base
  },
  16(to, data, base, rows) {
    const from = new Uint16Array(data, 0, rows)
    for (let i = 0; i < rows; i += 1) to[i] = (from[i] ?? 0) + base
  },
  32(to, data, base, rows) {
    const from = new Uint32Array(data, 0, rows)
    for (let i = 0; i < rows; i += 1) to[i] = (from[i] ?? 0) + base
  },
  64: (to, data, _base, rows) => to.set(new Float64Array(data, 0, rows)),
}

function decodePickedNumbers(chunk: EncodedChunk, picked: Uint16Array, to: Float64Array): number {
  const { picked: _none, ...whole } = chunk
  const { bits, base, data, rows, nulls, deleted, scaling } = whole
  if (deleted) {
    const all = new Float64Array(rows)
    decodeNumbers(whole, all)
    gatherNumbers(to, all, picked)
    return picked.length
  }
  PICKED_READERS[bits](to, data, base, { picked, rows })
  if (bits !== 64 && nulls > 0) emptyPicked(to, new Uint8Array(data, valueBytes(bits, rows)), picked)
  if (scaling) rescale(to, scaling, picked.length)
  return picked.length
}
function gatherNumbers(to: Float64Array, from: Float64Array, picked: Uint16Array): void {
  for (let i = 0; i < picked.length; i += 1) to[i] = from[picked[i] ?? 0] ?? 0
}
type ReadPicked<T> = (to: T, data: ArrayBuffer, base: number, of: { picked: Uint16Array; rows: number }) => void
const PICKED_READERS: Record<ChunkBits, ReadPicked<Float64Array>> = {
  0: (to, _data, base, { picked }) => void to.fill(base, 0, picked.length),
  1(to, data, base, { picked }) {
    const from = new Uint8Array(data)
    for (let i = 0; i < picked.length; i += 1) to[i] = base + bitAt(from, picked[i] ?? 0)
  },
  8(to, data, base, { picked, rows }) {
    const from = new Uint8Array(data, 0, rows)
    for (let i = 0; i < picked.length; i += 1) to[i] = (from[picked[i] ?? 0] ?? 0) + base
  },
  16(to, data, base, { picked, rows }) {
    const from = new Uint16Array(data, 0, rows)
    for (let i = 0; i < picked.length; i += 1) to[i] = (from[picked[i] ?? 0] ?? 0) + base
  },
  32(to, data, base, { picked, rows }) {
    const from = new Uint32Array(data, 0, rows)
    for (let i = 0; i < picked.length; i += 1) to[i] = (from[picked[i] ?? 0] ?? 0) + base
  },
  64: (to, data, _base, { picked, rows }) => gatherNumbers(to, new Float64Array(data, 0, rows), picked),
}
const bitAt = (bitmap: Uint8Array, at: number): number => ((bitmap[at >> 3] ?? 0) >> (at & 7)) & 1
function emptyPicked(to: Float64Array, bitmap: Uint8Array, picked: Uint16Array): void {
  for (let i = 0; i < picked.length; i += 1) if (bitAt(bitmap, picked[i] ?? 0) === 1) to[i] = Number.NaN
}

/** Reads a chunk's codes, which are never empty. Answers how many rows count. */
export function decodeCodes(chunk: EncodedChunk, to: Int32Array): number {
  const { rows, deleted, picked } = chunk
  if (picked) return decodePickedCodes(chunk, picked, to)
  const all = deleted ? new Int32Array(rows) : to
  readCodes(chunk, all)
  return deleted ? withoutDeleted(all, deleted, to) : rows
}

function decodePickedCodes(chunk: EncodedChunk, picked: Uint16Array, to: Int32Array): number {
  const { picked: _none, ...whole } = chunk
  const { bits, base, data, rows, deleted } = whole
  if (deleted) {
    const all = new Int32Array(rows)
    decodeCodes(whole, all)
    for (let i = 0; i < picked.length; i += 1) to[i] = all[picked[i] ?? 0] ?? 0
  } else PICKED_CODE_READERS[bits](to, data, base, { picked, rows })
  return picked.length
}
const PICKED_CODE_READERS: Record<ChunkBits, ReadPicked<Int32Array>> = {
  0: (to, _data, base, { picked }) => void to.fill(base, 0, picked.length),
  1(to, data, base, { picked }) {
    const from = new Uint8Array(data)
    for (let i = 0; i < picked.length; i += 1) to[i] = base + bitAt(from, picked[i] ?? 0)
  },
  8(to, data, base, { picked, rows }) {
    const from = new Uint8Array(data, 0, rows)
    for (let i = 0; i < picked.length; i += 1) to[i] = (from[picked[i] ?? 0] ?? 0) + base
  },
  16(to, data, base, { picked, rows }) {
    const from = new Uint16Array(data, 0, rows)
    for (let i = 0; i < picked.length; i += 1) to[i] = (from[picked[i] ?? 0] ?? 0) + base
  },
  32(to, data, base, { picked, rows }) {
    const from = new Uint32Array(data, 0, rows)
    for (let i = 0; i < picked.length; i += 1) to[i] = (from[picked[i] ?? 0] ?? 0) + base
  },
  64() {
    throw new Error('Codes are whole numbers.')
  },
}

function readCodes({ bits, rows, base, data }: EncodedChunk, to: Int32Array): void {
  CODE_READERS[bits](to, data, base, rows)
  if (bits > 1 && base !== 0) shiftCodes(to, base, rows)
}
const CODE_READERS: Record<ChunkBits, ReadChunk<Int32Array>> = {
  0: (to, _data, base, rows) => void to.fill(base, 0, rows),
  1(to, data, base, rows) {
    const from = new Uint8Array(data)
    for (let i = 0; i < rows; i += 1) to[i] = base + (((from[i >> 3] ?? 0) >> (i & 7)) & 1)
  },
  8: (to, data, _base, rows) => to.set(new Uint8Array(data, 0, rows)),
  16: (to, data, _base, rows) => to.set(new Uint16Array(data, 0, rows)),
  32: (to, data, _base, rows) => to.set(new Uint32Array(data, 0, rows)),
  64() {
    throw new Error('Codes are whole numbers.')
  },
}
function shiftCodes(to: Int32Array, base: number, rows: number): void {
  for (let i = 0; i < rows; i += 1) to[i] = (to[i] ?? 0) + base
}
function emptyFromBitmap(to: Float64Array, bitmap: Uint8Array, rows: number): void {
  for (let i = 0; i < rows; i += 1) {
    if (bitmap[i >> 3] === 0) i |= 7
    else if (((bitmap[i >> 3] ?? 0) >> (i & 7)) & 1) to[i] = Number.NaN
  }
}
