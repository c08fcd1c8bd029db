/** The frames of pictures, as encoders write them: what is needed to find out kind and size, without anything to see. */
const ascii = (text: string): number[] => Array.from(text, (char) => char.charCodeAt(0))
const big = (value: number, bytes: number): number[] =>
  Array.from({ length: bytes }, (_, at) => (value >>> (8 * (bytes - 1 - at))) & 255)
const little = (value: number, bytes: number): number[] => big(value, bytes).toReversed()
const chunk = (kind: string, data: number[]): number[] => [...big(data.length, 4), ...ascii(kind), ...data, 0, 0, 0, 0]

export const aPng = (width = 40, height = 30, text = ''): Uint8Array<ArrayBuffer> =>
  new Uint8Array([
    ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    ...chunk('IHDR', [...big(width, 4), ...big(height, 4), 8, 6, 0, 0, 0]),
    ...chunk('tEXt', ascii(text)),
    ...chunk('IDAT', [1, 2, 3]),
    ...chunk('IEND', []),
  ])

export const aJpeg = (width = 40, height = 30, comment = ''): Uint8Array<ArrayBuffer> =>
  new Uint8Array([
    ...[0xff, 0xd8],
    ...[0xff, 0xe0, 0, 16, ...ascii('JFIF'), 0, 1, 1, 0, 0, 1, 0, 1, 0, 0],
    ...[0xff, 0xfe, ...big(comment.length + 2, 2), ...ascii(comment)],
    ...[0xff, 0xc4, 0, 4, 9, 9],
    ...[0xff, 0xc2, 0, 11, 8, ...big(height, 2), ...big(width, 2), 1, 1, 17, 0],
    ...[0xff, 0xda, 0, 2, 1, 2, 3, 0xff, 0xd9],
  ])

const riff = (chunks: number[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array([...ascii('RIFF'), ...little(chunks.length + 4, 4), ...ascii('WEBP'), ...chunks])
const piece = (kind: string, data: number[]): number[] => [
  ...ascii(kind),
  ...little(data.length, 4),
  ...data,
  ...(data.length % 2 === 1 ? [0] : []),
]
const lossy = (width: number, height: number): number[] =>
  piece('VP8 ', [0, 0, 0, 0x9d, 0x01, 0x2a, ...little(width, 2), ...little(height, 2)])

export const aWebp = (width = 40, height = 30): Uint8Array<ArrayBuffer> => riff(lossy(width, height))
export const aLosslessWebp = (width = 40, height = 30): Uint8Array<ArrayBuffer> =>
  riff(piece('VP8L', [0x2f, ...little((width - 1) | ((height - 1) << 14), 4)]))
/** One whose canvas is larger than what is drawn on it. */
export const anExtendedWebp = (width = 40, height = 30): Uint8Array<ArrayBuffer> =>
  riff([...piece('VP8X', [0, 0, 0, 0, ...little(width - 1, 3), ...little(height - 1, 3)]), ...lossy(1, 1)])
