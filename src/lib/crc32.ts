const SLICES = 8
const SIZE = 256
/** The remainder of each byte; behind it those of a byte with one to seven bytes after it. */
export const CRC32_TABLE = new Uint32Array(SIZE * SLICES)
for (let n = 0; n < SIZE; n++) {
  let value = n
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  CRC32_TABLE[n] = value
}
for (let at = SIZE; at < SIZE * SLICES; at++) {
  const before = CRC32_TABLE[at - SIZE] ?? 0
  CRC32_TABLE[at] = (before >>> 8) ^ (CRC32_TABLE[before & 0xff] ?? 0)
}

/** CRC-32 as zip has it (polynomial EDB88320), carried on from `before` (0 at the start). */
export function crc32(bytes: Uint8Array, previous = 0): number {
  const table = CRC32_TABLE
  const byteAt = (at: number): number => bytes[at] ?? 0
  const of = (slice: number, byte: number): number => table[slice * SIZE + byte] ?? 0
  let crc = ~previous
  let at = 0
  for (const end = bytes.length - SLICES; at <= end; at += SLICES) {
    const low = crc ^ (byteAt(at) | (byteAt(at + 1) << 8) | (byteAt(at + 2) << 16) | (byteAt(at + 3) << 24))
    crc =
      of(7, low & 0xff) ^
      of(6, (low >>> 8) & 0xff) ^
      of(5, (low >>> 16) & 0xff) ^
      of(4, low >>> 24) ^
      of(3, byteAt(at + 4)) ^
      of(2, byteAt(at + 5)) ^
      of(1, byteAt(at + 6)) ^
      of(0, byteAt(at + 7))
  }
  for (; at < bytes.length; at++) crc = of(0, (crc ^ byteAt(at)) & 0xff) ^ (crc >>> 8)
  return ~crc >>> 0
}
