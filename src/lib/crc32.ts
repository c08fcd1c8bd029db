import zlib from 'node:zlib'

const SIZE = 256
/** The remainder of each byte. */
export const CRC32_TABLE = new Uint32Array(SIZE)
for (let n = 0; n < SIZE; n++) {
  let value = n
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  CRC32_TABLE[n] = value
}

/** CRC-32 as zip has it (polynomial EDB88320), carried on from `previous` (0 at the start). */
export const crc32 = (bytes: Uint8Array, previous = 0): number => zlib.crc32(bytes, previous)
