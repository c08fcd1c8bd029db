/** What a PNG's header and palette say of its pixels. */
interface PngFrame {
  width: number
  height: number
  depth: number
  colour: number
  palette: Uint8Array
  /** Of a palette: how opaque each colour is. */
  opacity: Uint8Array | null
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
/** Colour types of the format. */
const [RGB, PALETTE, GREY_ALPHA, RGB_ALPHA] = [2, 3, 4, 6]
/** Values of a pixel by colour type. */
const CHANNELS: Partial<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
const WHITE = 255

/**
 * A PNG that papers can take as it is: without transparency, which is laid on white. Null for one that is broken, unpacks to
 * another size than it says, or is interlaced. Its chunks are as long as they say.
 */
export async function opaquePng(bytes: Uint8Array): Promise<Uint8Array | null> {
  const { frame, packed, isInterlaced } = readFrame(bytes)
  const channels = CHANNELS[frame.colour]
  if (channels === undefined || isInterlaced) return null
  const line = Math.ceil((frame.width * channels * frame.depth) / 8)
  const data = await unpack(packed, frame.height * (line + 1))
  if (!data) return null
  const { colour, opacity } = frame
  const isOpaque = colour !== GREY_ALPHA && colour !== RGB_ALPHA && !(colour === PALETTE && opacity)
  if (isOpaque) return bytes
  unfilter(data, { line, step: Math.max(1, (channels * frame.depth) / 8) })
  return pngOf(frame, onWhite(data, frame, line))
}

function readFrame(bytes: Uint8Array): { frame: PngFrame; packed: Uint8Array<ArrayBuffer>[]; isInterlaced: boolean } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const chunks = new Map<string, Uint8Array<ArrayBuffer>[]>()
  for (let at = SIGNATURE.length; at + 12 <= bytes.length; at += 12 + view.getUint32(at)) {
    const kind = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    chunks.set(kind, [...(chunks.get(kind) ?? []), bytes.slice(at + 8, at + 8 + view.getUint32(at))])
  }
  const [depth = 0, colour = -1, , , interlace = 0] = bytes.subarray(24, 29)
  const [palette = new Uint8Array()] = chunks.get('PLTE') ?? []
  const [opacity = null] = chunks.get('tRNS') ?? []
  return {
    frame: { width: view.getUint32(16), height: view.getUint32(20), depth, colour, palette, opacity },
    packed: chunks.get('IDAT') ?? [],
    isInterlaced: interlace !== 0,
  }
}

/** Null where it is not exactly so long. */
async function unpack(packed: Uint8Array<ArrayBuffer>[], length: number): Promise<Uint8Array | null> {
  const data = new Uint8Array(length)
  let at = 0
  try {
    for await (const part of new Blob(packed).stream().pipeThrough(new DecompressionStream('deflate'))) {
      if (at + part.length > length) return null
      data.set(part, at)
      at += part.length
    }
  } catch {
    return null
  }
  return at === length ? data : null
}

/** Each line begins with how it was told by those beside it; `step`: bytes from one pixel to the next. */
function unfilter(data: Uint8Array, { line, step }: { line: number; step: number }): void {
  for (let start = 0; start < data.length; start += line + 1) {
    const filter = data[start] ?? 0
    if (filter === 0) continue
    for (let at = start + 1; at <= start + line; at += 1) {
      const left = at - step > start ? (data[at - step] ?? 0) : 0
      const up = start > 0 ? (data[at - line - 1] ?? 0) : 0
      const corner = start > 0 && at - step > start ? (data[at - line - 1 - step] ?? 0) : 0
      data[at] = (data[at] ?? 0) + predicted(filter, { left, up, corner })
    }
  }
}

function predicted(filter: number, { left, up, corner }: { left: number; up: number; corner: number }): number {
  if (filter === 1) return left
  if (filter === 2) return up
  if (filter === 3) return (left + up) >> 1
  const [toLeft, toUp, toCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)]
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}

/** Lines of red, green and blue, each after a byte that says that they are told as they are. */
function onWhite(data: Uint8Array, frame: PngFrame, line: number): Uint8Array<ArrayBuffer> {
  const { width, height } = frame
  const target = new Uint8Array(height * (width * 3 + 1))
  const pixelAt = frame.colour === PALETTE ? ofPalette(frame) : ofChannels(frame)
  let to = 0
  for (let y = 0; y < height; y += 1) {
    to += 1
    for (let x = 0; x < width; x += 1) {
      const { from, index, opacity } = pixelAt(data, y * (line + 1) + 1, x)
      for (let channel = 0; channel < 3; channel += 1, to += 1)
        target[to] =
          WHITE -
          ((WHITE - (from[index + (frame.colour === GREY_ALPHA ? 0 : channel * byteOf(frame))] ?? 0)) * opacity) / 255
    }
  }
  return target
}
/** Of values of 16 bits the upper byte is enough. */
const byteOf = ({ colour, depth }: PngFrame): number => (colour === PALETTE ? 1 : depth / 8)

interface Pixel {
  from: Uint8Array
  index: number
  opacity: number
}
type PixelAt = (data: Uint8Array, start: number, x: number) => Pixel

function ofPalette({ depth, palette, opacity }: PngFrame): PixelAt {
  const pixel: Pixel = { from: palette, index: 0, opacity: 255 }
  return (data, start, x) => {
    const bit = x * depth
    const colour = ((data[start + (bit >> 3)] ?? 0) >> (8 - depth - (bit & 7))) & ((1 << depth) - 1)
    pixel.index = colour * 3
    pixel.opacity = opacity?.[colour] ?? 255
    return pixel
  }
}

function ofChannels({ colour, depth }: PngFrame): PixelAt {
  const bytes = depth / 8
  const alpha = (colour === GREY_ALPHA ? 1 : 3) * bytes
  const pixel: Pixel = { from: new Uint8Array(), index: 0, opacity: 255 }
  return (data, start, x) => {
    pixel.from = data
    pixel.index = start + x * (alpha + bytes)
    pixel.opacity = data[pixel.index + alpha] ?? 255
    return pixel
  }
}

async function pngOf({ width, height }: PngFrame, lines: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const packed = new Blob([lines]).stream().pipeThrough(new CompressionStream('deflate'))
  const header = [...uint32(width), ...uint32(height), 8, RGB, 0, 0, 0]
  const parts = [
    new Uint8Array(SIGNATURE),
    ...chunk('IHDR', new Uint8Array(header)),
    ...chunk('IDAT', new Uint8Array(await new Response(packed).arrayBuffer())),
    ...chunk('IEND', new Uint8Array()),
  ]
  return new Uint8Array(await new Blob(parts).arrayBuffer())
}

const uint32 = (value: number): number[] => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]
/** Papers do not look at check sums. */
const chunk = (kind: string, data: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] => [
  new Uint8Array([...uint32(data.length), ...Array.from(kind, (sign) => sign.charCodeAt(0))]),
  data,
  new Uint8Array(4),
]
