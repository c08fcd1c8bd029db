import { concatBytes } from '../../src/lib/concat-bytes'
import { crc32 } from '../../src/lib/crc32'

/** What one entry of a made zip claims and holds; every field but name and bytes may lie. */
export interface ZipInput {
  name: string
  bytes: Uint8Array | string
  store?: boolean
  /** Instead of the true ones. */
  size?: number
  packedSize?: number
  crc?: number
  flags?: number
  method?: number
  /** Local header of an earlier entry: overlapping entries. */
  start?: number
}

const encoder = new TextEncoder()
export const bytesOf = (text: Uint8Array | string): Uint8Array =>
  typeof text === 'string' ? encoder.encode(text) : text

async function deflated(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes.slice()]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

function record(fields: [number, number][]): Uint8Array {
  const bytes = new Uint8Array(fields.reduce((sum, [size]) => sum + size, 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const [size, value] of fields) {
    if (size === 2) view.setUint16(at, value, true)
    else if (size === 4) view.setUint32(at, value, true)
    else view.setBigUint64(at, BigInt(value), true)
    at += size
  }
  return bytes
}

/** A zip of these entries, as honest as they are. */
export async function zipOf(entries: ZipInput[], end: { count?: number; zip64?: boolean } = {}): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let at = 0
  for (const entry of entries) {
    const bytes = bytesOf(entry.bytes)
    const packed = entry.store ? bytes : await deflated(bytes)
    const name = encoder.encode(entry.name)
    const head: [number, number][] = [
      [2, 20],
      [2, entry.flags ?? 0x800],
      [2, entry.method ?? (entry.store ? 0 : 8)],
      [4, 0],
      [4, entry.crc ?? crc32(bytes)],
      [4, entry.packedSize ?? packed.length],
      [4, entry.size ?? bytes.length],
      [2, name.length],
      [2, 0],
    ]
    directory.push(
      record([[4, 0x02014b50], [2, 20], ...head, [2, 0], [2, 0], [2, 0], [4, 0], [4, entry.start ?? at]]),
      name,
    )
    parts.push(record([[4, 0x04034b50], ...head]), name, packed)
    at += 30 + name.length + packed.length
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const count = end.count ?? entries.length
  const long = end.zip64
    ? [
        record([
          [4, 0x06064b50],
          [8, 44],
          [2, 45],
          [2, 45],
          [4, 0],
          [4, 0],
          [8, count],
          [8, count],
          [8, size],
          [8, at],
        ]),
        record([
          [4, 0x07064b50],
          [4, 0],
          [8, at + size],
          [4, 1],
        ]),
      ]
    : []
  const short = end.zip64 ? [0xffff, 0xffffffff, 0xffffffff] : [count, size, at]
  const [n = 0, s = 0, o = 0] = short
  const last = record([
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, n],
    [2, n],
    [4, s],
    [4, o],
    [2, 0],
  ])
  return concatBytes([...parts, ...directory, ...long, last])
}
