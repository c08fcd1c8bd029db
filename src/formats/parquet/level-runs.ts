import { parquetDamagedError } from './faults'

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
export function decodeRleHybrid(bytes: Uint8Array, width: number, into: Int32Array | Uint8Array): void {
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
export const bitWidthOf = (max: number): number => 32 - Math.clz32(max)
