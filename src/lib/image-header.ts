/** What the bytes of a picture say about it: its type and its size in pixels. */
export interface ImageHeader {
  type: 'image/png' | 'image/jpeg' | 'image/webp'
  width: number
  height: number
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const JPEG = [0xff, 0xd8, 0xff]

/**
 * Reads a PNG, JPEG or WebP as far as its frame, never by what anybody calls it.
 * @returns `unsupported` for everything else (SVG, GIF, HTML …), `broken` for a picture that is cut off or contradicts itself.
 */
export function readImageHeader(bytes: Uint8Array): ImageHeader | 'unsupported' | 'broken' {
  if (startsWith(bytes, PNG)) return readPng(bytes) ?? 'broken'
  if (startsWith(bytes, JPEG)) return readJpeg(bytes) ?? 'broken'
  if (fourCc(bytes, 0) === 'RIFF' && fourCc(bytes, 8) === 'WEBP') return readWebp(bytes) ?? 'broken'
  return 'unsupported'
}

const startsWith = (bytes: Uint8Array, signature: readonly number[]): boolean =>
  signature.every((byte, at) => bytes[at] === byte)
const fourCc = (bytes: Uint8Array, at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4))
const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

function headerWithSize(type: ImageHeader['type'], width: number, height: number): ImageHeader | null {
  return width > 0 && height > 0 ? { type, width, height } : null
}

/** Chunk after chunk from IHDR to IEND, with image data between and nothing behind. */
function readPng(bytes: Uint8Array): ImageHeader | null {
  const view = viewOf(bytes)
  let [at, data] = [PNG.length, false]
  while (at + 12 <= bytes.length) {
    const kind = fourCc(bytes, at + 4)
    if (at === PNG.length && (kind !== 'IHDR' || view.getUint32(at) !== 13)) return null
    if (kind === 'IDAT') data = true
    at += 12 + view.getUint32(at)
    if (kind !== 'IEND') continue
    if (!data || at !== bytes.length) return null
    return headerWithSize('image/png', view.getUint32(16), view.getUint32(20))
  }
  return null
}

/** Start-of-frame markers carry the size; C4, C8 and CC stand among them and are none. */
const isFrameMarker = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/** Segment after segment up to the scan, which a frame must come before. Cameras write behind the end: that is no fault. */
function readJpeg(bytes: Uint8Array): ImageHeader | null {
  const view = viewOf(bytes)
  let at = 2
  let frame: ImageHeader | null = null
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = view.getUint8(at + 1)
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker === 0xda) return frame
    const length = view.getUint16(at + 2)
    if (length < 2) return null
    if (isFrameMarker(marker)) {
      if (at + 9 > bytes.length) return null
      frame = headerWithSize('image/jpeg', view.getUint16(at + 7), view.getUint16(at + 5))
    }
    at += 2 + length
  }
  return null
}

/** The frame's own size; a canvas (VP8X) may be larger and then counts. */
function readWebp(bytes: Uint8Array): ImageHeader | null {
  const view = viewOf(bytes)
  if (bytes.length < 12 || view.getUint32(4, true) + 8 !== bytes.length) return null
  let [at, width, height, drawn] = [12, 0, 0, false]
  while (at + 8 <= bytes.length) {
    const kind = fourCc(bytes, at)
    const length = view.getUint32(at + 4, true)
    const body = at + 8
    if (body + length > bytes.length) return null
    const size = sizeOfChunk(view, kind, { body, length })
    if (size === 'broken') return null
    if (kind !== 'VP8X' && (size !== null || kind === 'ANMF')) drawn = true
    if (size) [width, height] = [Math.max(width, size[0]), Math.max(height, size[1])]
    at = body + length + (length % 2)
  }
  return drawn ? headerWithSize('image/webp', width, height) : null
}

function sizeOfChunk(
  view: DataView,
  kind: string,
  { body, length }: { body: number; length: number },
): [width: number, height: number] | null | 'broken' {
  const three = (at: number): number => view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
  if (kind === 'VP8X') return length < 10 ? 'broken' : [three(body + 4) + 1, three(body + 7) + 1]
  if (kind === 'VP8 ') {
    const started = length >= 10 && three(body + 3) === 0x2a019d
    return started ? [view.getUint16(body + 6, true) & 0x3fff, view.getUint16(body + 8, true) & 0x3fff] : 'broken'
  }
  if (kind === 'VP8L') {
    if (length < 5 || view.getUint8(body) !== 0x2f) return 'broken'
    const bits = view.getUint32(body + 1, true)
    return [(bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1]
  }
  return null
}
