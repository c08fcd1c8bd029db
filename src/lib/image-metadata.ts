import { concatBytes } from './concat-bytes'
import { crc32 } from './crc32'
import { readImageHeader } from './image-header'

/**
 * A PNG, JPEG or WebP without what was written beside the picture: EXIF (place, camera, thumbnail), XMP, IPTC, comments,
 * texts, colour profiles, unknown parts and whatever follows the end. The picture itself is copied as it is, never
 * decoded; an EXIF orientation that turns it is the one thing kept. Without their profile colours are read as sRGB.
 * @returns null for anything else, and where the parts do not fit together
 */
export function stripImageMetadata(bytes: Uint8Array): Uint8Array<ArrayBuffer> | null {
  const header = readImageHeader(bytes)
  if (typeof header === 'string') return null
  const parts = STRIPPERS[header.type](bytes)
  return parts && concatBytes(parts)
}

type Part = Uint8Array | readonly number[]
const STRIPPERS = { 'image/png': stripPng, 'image/jpeg': stripJpeg, 'image/webp': stripWebp }

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
const textAt = (bytes: Uint8Array, at: number, length = 4): string =>
  String.fromCharCode(...bytes.subarray(at, at + length))
const ascii = (text: string): number[] => Array.from(text, (char) => char.charCodeAt(0))
const bigEndian = (value: number): number[] => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255)
const littleEndian = (value: number): number[] => bigEndian(value).toReversed()

const EXIF_START = 'Exif\0\0'
const ORIENTATION_TAG = 0x112

/** How a TIFF block says its picture is turned: 2 to 8 of EXIF's eight ways, or 1 = not at all. */
function orientationOf(block: Uint8Array): number {
  const tiff = textAt(block, 0, 6) === EXIF_START ? block.subarray(6) : block
  const order = textAt(tiff, 0, 2)
  if (tiff.length < 8 || (order !== 'II' && order !== 'MM')) return 1
  const view = viewOf(tiff)
  const little = order === 'II'
  const first = view.getUint32(4, little)
  if (first + 2 > tiff.length) return 1
  const entries = view.getUint16(first, little)
  for (let at = first + 2, n = 0; n < entries && at + 12 <= tiff.length; at += 12, n++) {
    if (view.getUint16(at, little) !== ORIENTATION_TAG) continue
    const value = view.getUint16(at + 8, little)
    return value >= 2 && value <= 8 ? value : 1
  }
  return 1
}

/** A TIFF block that says nothing but the orientation. */
const orientationBlock = (value: number): number[] => [
  ...[...ascii('MM'), 0, 42, ...bigEndian(8)],
  ...[0, 1, 0x01, 0x12, 0, 3, ...bigEndian(1), 0, value, 0, 0, ...bigEndian(0)],
]

const PNG_SIGNATURE_BYTES = 8
/**
 * What draws the picture or its frames, and how long it may be (PNG 3rd edition, 11): [least, most] bytes. `gAMA`, `cHRM`,
 * `sRGB` and `cICP` are numbers that say how colours are meant. One of another length holds something else.
 */
const PNG_KEPT: ReadonlyMap<string, readonly [least: number, most: number]> = new Map([
  ['IHDR', [13, 13]],
  ['PLTE', [3, 768]],
  ['IDAT', [0, Infinity]],
  ['IEND', [0, 0]],
  ['tRNS', [1, 256]],
  ['gAMA', [4, 4]],
  ['cHRM', [32, 32]],
  ['sRGB', [1, 1]],
  ['cICP', [4, 4]],
  ['sBIT', [1, 4]],
  ['bKGD', [1, 6]],
  ['pHYs', [9, 9]],
  ['acTL', [8, 8]],
  ['fcTL', [26, 26]],
  ['fdAT', [4, Infinity]],
])
const isPngKept = (kind: string, length: number): boolean => {
  const [least, most] = PNG_KEPT.get(kind) ?? [1, 0]
  return length >= least && length <= most
}

function stripPng(bytes: Uint8Array): Part[] {
  const view = viewOf(bytes)
  const parts: Part[] = [bytes.subarray(0, PNG_SIGNATURE_BYTES)]
  let turned = 1
  for (let at = PNG_SIGNATURE_BYTES; at + 12 <= bytes.length;) {
    const kind = textAt(bytes, at + 4)
    const end = at + 12 + view.getUint32(at)
    if (kind === 'eXIf') turned = orientationOf(bytes.subarray(at + 8, end - 4))
    if (isPngKept(kind, end - at - 12)) parts.push(bytes.subarray(at, end))
    at = end
  }
  // Behind IHDR, which is the first.
  if (turned !== 1) parts.splice(2, 0, pngChunk('eXIf', orientationBlock(turned)))
  return parts
}

function pngChunk(kind: string, data: readonly number[]): number[] {
  const body = [...ascii(kind), ...data]
  return [...bigEndian(data.length), ...body, ...bigEndian(crc32(new Uint8Array(body)))]
}

const SOS = 0xda
const EOI = 0xd9
const JFIF_BYTES = 18
/** JFIF without its thumbnail: version, unit and density. */
const jfifHeader = (segment: Uint8Array): number[] => [0xff, 0xe0, 0, 16, ...segment.subarray(4, 16), 0, 0]
/** Tables, frames and scans, which the picture is made of; of the application's own only Adobe's, which says how colours are coded. */
const isJpegPicture = (marker: number): boolean => marker >= 0xc0 && marker <= 0xdf

function stripJpeg(bytes: Uint8Array): Part[] | null {
  const view = viewOf(bytes)
  const parts: Part[] = []
  let turned = 1
  for (let at = 2; at + 2 <= bytes.length && bytes[at] === 0xff;) {
    const marker = view.getUint8(at + 1)
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker === EOI) {
      const orientation = turned === 1 ? [] : [exifSegment(turned)]
      // JFIF, where there is one, stays the first.
      const first = parts[0]?.[1] === 0xe0 ? 1 : 0
      return [[0xff, 0xd8], ...parts.slice(0, first), ...orientation, ...parts.slice(first), [0xff, EOI]]
    }
    if (at + 4 > bytes.length) return null
    const end = at + 2 + view.getUint16(at + 2)
    if (end < at + 4 || end > bytes.length) return null
    const segment = bytes.subarray(at, end)
    if (marker === 0xe1 && textAt(segment, 4, 6) === EXIF_START) turned = orientationOf(segment.subarray(4))
    if (marker === 0xe0 && parts.length === 0 && segment.length >= JFIF_BYTES && textAt(segment, 4) === 'JFIF')
      parts.push(jfifHeader(segment))
    else if (marker === 0xee && textAt(segment, 4, 5) === 'Adobe' && segment.length >= 16)
      parts.push([0xff, 0xee, 0, 14, ...segment.subarray(4, 16)])
    at = marker === SOS ? endOfScan(bytes, end) : end
    if (isJpegPicture(marker)) parts.push(bytes.subarray(end - segment.length, at))
  }
  return null
}

/** Where the next marker stands that is neither an escaped 255 nor one of the scan's own restarts. */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return at
  }
  return bytes.length
}

const exifSegment = (turned: number): number[] => {
  const data = [...ascii(EXIF_START), ...orientationBlock(turned)]
  return [0xff, 0xe1, 0, data.length + 2, ...data]
}

const WEBP_KEPT = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF'])
const FRAME_KEPT = new Set(['VP8 ', 'VP8L', 'ALPH'])
const FRAME_HEADER_BYTES = 16
/** Of the headers that are kept as they are; one of another length holds something else, and is refused. */
const WEBP_FIXED_BYTES: Partial<Record<string, number>> = { VP8X: 10, ANIM: 6 }
const EXIF_FLAG = 0x08
/** Of VP8X: colour profile, EXIF, XMP. */
const METADATA_FLAGS = 0x20 | EXIF_FLAG | 0x04

interface RiffChunk {
  kind: string
  data: Uint8Array
}

/** The chunks from an offset on, or null when one is longer than what is left. */
function riffChunks(bytes: Uint8Array, from: number): RiffChunk[] | null {
  const view = viewOf(bytes)
  const chunks: RiffChunk[] = []
  for (let at = from; at + 8 <= bytes.length;) {
    const length = view.getUint32(at + 4, true)
    if (at + 8 + length > bytes.length) return null
    chunks.push({ kind: textAt(bytes, at), data: bytes.subarray(at + 8, at + 8 + length) })
    at += 8 + length + (length % 2)
  }
  return chunks
}

const riffChunk = (kind: string, data: Part): Part[] => [
  [...ascii(kind), ...littleEndian(data.length)],
  data,
  data.length % 2 === 1 ? [0] : [],
]

function stripWebp(bytes: Uint8Array): Part[] | null {
  const chunks = riffChunks(bytes, 12)
  if (!chunks) return null
  const exif = chunks.find(({ kind }) => kind === 'EXIF')
  const isExtended = chunks.some(({ kind }) => kind === 'VP8X')
  const turned = exif && isExtended ? orientationOf(exif.data) : 1
  const body: Part[] = []
  for (const { kind, data } of chunks) {
    if (!WEBP_KEPT.has(kind)) continue
    if (data.length !== (WEBP_FIXED_BYTES[kind] ?? data.length)) return null
    const kept = kind === 'ANMF' ? stripFrame(data) : kind === 'VP8X' ? extendedHeader(data, turned !== 1) : data
    if (!kept) return null
    body.push(...riffChunk(kind, kept))
  }
  if (turned !== 1) body.push(...riffChunk('EXIF', orientationBlock(turned)))
  const size = body.reduce((sum, part) => sum + part.length, 4)
  return [[...ascii('RIFF'), ...littleEndian(size), ...ascii('WEBP')], ...body]
}

const extendedHeader = (data: Uint8Array, turned: boolean): number[] => [
  ((data[0] ?? 0) & ~METADATA_FLAGS) | (turned ? EXIF_FLAG : 0),
  ...data.subarray(1),
]

/** A frame of an animation: where it stands, and the chunks that draw it. */
function stripFrame(data: Uint8Array): Uint8Array | null {
  const chunks = riffChunks(data, FRAME_HEADER_BYTES)
  if (data.length < FRAME_HEADER_BYTES || !chunks) return null
  const drawn = chunks.filter(({ kind }) => FRAME_KEPT.has(kind)).flatMap((part) => riffChunk(part.kind, part.data))
  return concatBytes([data.subarray(0, FRAME_HEADER_BYTES), ...drawn])
}
