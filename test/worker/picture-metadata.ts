import { crc32 } from '../../src/lib/crc32'

/** What programs write beside pictures, put into the frames of `pictures.ts`. */
const ascii = (text: string): number[] => Array.from(text, (char) => char.charCodeAt(0))
const big = (value: number, bytes = 4): number[] =>
  Array.from({ length: bytes }, (_, at) => (value >>> (8 * (bytes - 1 - at))) & 255)
const little = (value: number, bytes = 4): number[] => big(value, bytes).toReversed()

/** A TIFF block with a camera's name, an orientation and more behind. */
export function tiffWith(orientation: number, secret: readonly number[], isLittle = false): number[] {
  const n = isLittle ? little : big
  return [
    ...[...ascii(isLittle ? 'II' : 'MM'), ...n(42, 2), ...n(8)],
    ...[...n(2, 2), ...n(0x10f, 2), ...n(2, 2), ...n(secret.length), ...n(38)],
    ...[...n(0x112, 2), ...n(3, 2), ...n(1), ...n(orientation, 2), 0, 0, ...n(0), ...secret],
  ]
}

export function pngChunk(kind: string, data: readonly number[]): number[] {
  const body = [...ascii(kind), ...data]
  return [...big(data.length), ...body, ...big(crc32(new Uint8Array(body)))]
}
/** Behind the header. */
export const withPngChunks = (png: Uint8Array, chunks: readonly number[][]): Uint8Array =>
  new Uint8Array([...png.subarray(0, 33), ...chunks.flat(), ...png.subarray(33)])

export const jpegSegment = (marker: number, data: readonly number[]): number[] => [
  ...[0xff, marker, ...big(data.length + 2, 2)],
  ...data,
]
/** Behind JFIF. */
export const withJpegSegments = (jpeg: Uint8Array, segments: readonly number[][]): Uint8Array =>
  new Uint8Array([...jpeg.subarray(0, 20), ...segments.flat(), ...jpeg.subarray(20)])

export const webpChunk = (kind: string, data: readonly number[]): number[] => [
  ...[...ascii(kind), ...little(data.length), ...data],
  ...(data.length % 2 === 1 ? [0] : []),
]
const riff = (body: readonly number[]): Uint8Array =>
  new Uint8Array([...ascii('RIFF'), ...little(body.length + 4), ...ascii('WEBP'), ...body])
/** At the end of one that begins with VP8X, whose flags announce them. */
export const withWebpChunks = (webp: Uint8Array, flags: number, chunks: readonly number[][]): Uint8Array =>
  riff([...webp.subarray(12, 20), flags, ...webp.subarray(21), ...chunks.flat()])

/** Two frames of 40 × 30 with something beside the drawing of each. */
export function anAnimatedWebp(secret: readonly number[]): Uint8Array {
  const drawn = webpChunk('VP8L', [0x2f, ...little(39 | (29 << 14))])
  const frame = webpChunk('ANMF', [...Array.from({ length: 16 }, () => 0), ...drawn, ...webpChunk('abcd', secret)])
  const canvas = webpChunk('VP8X', [0x02, 0, 0, 0, ...little(39, 3), ...little(29, 3)])
  return riff([...canvas, ...webpChunk('ANIM', [0, 0, 0, 0, 0, 0]), ...frame, ...frame])
}
