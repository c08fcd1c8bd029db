/** The remainder of each byte. */
export const CRC32_TABLE = new Uint32Array(256)
for (let n = 0; n < 256; n++) {
  let value = n
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  CRC32_TABLE[n] = value
}

/** CRC-32 as zip has it (polynomial EDB88320), carried on from `before` (0 at the start). */
export function crc32(bytes: Uint8Array, previous = 0): number {
  let crc = ~previous
  for (let at = 0; at < bytes.length; at++) crc = (CRC32_TABLE[(crc ^ (bytes[at] ?? 0)) & 0xff] ?? 0) ^ (crc >>> 8)
  return ~crc >>> 0
}
