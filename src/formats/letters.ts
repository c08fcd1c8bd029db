import type { Encoding } from '../shared/files'

/** How often each byte above 0x7f stands beside a letter of ASCII, and how often it stands elsewhere. */
interface ByteCounts {
  inWord: Uint32Array
  elsewhere: Uint32Array
}

const isAsciiLetter = (byte: number | undefined): boolean => byte !== undefined && ((byte | 0x20) - 0x61) >>> 0 < 26

function countHighBytes(windows: Uint8Array[]): ByteCounts {
  const counts: ByteCounts = { inWord: new Uint32Array(256), elsewhere: new Uint32Array(256) }
  for (const bytes of windows)
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i] ?? 0
      if (byte < 0x80) continue
      const within = isAsciiLetter(bytes[i - 1]) || isAsciiLetter(bytes[i + 1])
      const list = within ? counts.inWord : counts.elsewhere
      list[byte] = (list[byte] ?? 0) + 1
    }
  return counts
}

const sumCounts = (list: Uint32Array, bytes: readonly number[]): number =>
  bytes.reduce((total, byte) => total + (list[byte] ?? 0), 0)
const byteRange = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i)

/** Letters of both code pages of MS-DOS; of windows-1252 they are signs that stand between words. */
const DOS_LETTERS = [...byteRange(0x80, 0x90), ...byteRange(0x95, 0x9a), ...byteRange(0xa0, 0xa5)]
/** Quotation marks of windows-1252 that touch words: letters of MS-DOS only where they are no pairs (ö, ô; æ, Æ). */
const WINDOWS_QUOTE_PAIRS = [
  [0x93, 0x94],
  [0x91, 0x92],
] as const
const WINDOWS_LETTERS = byteRange(0xc0, 0xff)
/** Letters of code page 850 where 437 has lines, Greek letters and signs of currency. */
const CP850_ONLY_LETTERS = [
  0x9b,
  0x9d,
  0xb5,
  0xb6,
  0xb7,
  0xc6,
  0xc7,
  ...byteRange(0xd0, 0xd8),
  0xde,
  0xe0,
  ...byteRange(0xe2, 0xed),
]

/**
 * Windows or MS-DOS, by which of the two makes letters of the bytes inside words. Of the code pages of MS-DOS 850 is
 * what Western Europe used; 437 shows only where the letters of 850 stand outside words.
 */
export function detectSingleByteEncoding(windows: Uint8Array[]): Encoding {
  const { inWord, elsewhere } = countHighBytes(windows)
  const unpaired = WINDOWS_QUOTE_PAIRS.reduce(
    (total, [open, close]) => total + Math.max(0, (inWord[close] ?? 0) - (inWord[open] ?? 0)),
    0,
  )
  const dos = sumCounts(inWord, DOS_LETTERS) + (sumCounts(inWord, DOS_LETTERS) > 0 ? unpaired : 0)
  if (dos <= sumCounts(inWord, WINDOWS_LETTERS)) return 'windows-1252'
  return sumCounts(elsewhere, CP850_ONLY_LETTERS) > sumCounts(inWord, CP850_ONLY_LETTERS) ? 'cp437' : 'cp850'
}
