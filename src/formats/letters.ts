import type { Encoding } from '../shared/files'

/** How often each byte above 0x7f stands beside a letter of ASCII, and how often it stands elsewhere. */
interface ByteCounts {
  inWord: Uint32Array
  elsewhere: Uint32Array
}

const isLetter = (byte: number | undefined): boolean => byte !== undefined && ((byte | 0x20) - 0x61) >>> 0 < 26

function countBytes(windows: Uint8Array[]): ByteCounts {
  const counts: ByteCounts = { inWord: new Uint32Array(256), elsewhere: new Uint32Array(256) }
  for (const bytes of windows)
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i] ?? 0
      if (byte < 0x80) continue
      const within = isLetter(bytes[i - 1]) || isLetter(bytes[i + 1])
      const list = within ? counts.inWord : counts.elsewhere
      list[byte] = (list[byte] ?? 0) + 1
    }
  return counts
}

const sum = (list: Uint32Array, bytes: readonly number[]): number =>
  bytes.reduce((total, byte) => total + (list[byte] ?? 0), 0)
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i)

/** Letters of both code pages of MS-DOS; of windows-1252 they are signs that stand between words. */
const DOS_LETTERS = [...range(0x80, 0x90), ...range(0x95, 0x9a), ...range(0xa0, 0xa5)]
/** Quotation marks of windows-1252 that touch words: letters of MS-DOS only where they are no pairs (ö, ô; æ, Æ). */
const QUOTES = [
  [0x93, 0x94],
  [0x91, 0x92],
] as const
const WINDOWS_LETTERS = range(0xc0, 0xff)
/** Letters of code page 850 where 437 has lines, Greek letters and signs of currency. */
const ONLY_850 = [0x9b, 0x9d, 0xb5, 0xb6, 0xb7, 0xc6, 0xc7, ...range(0xd0, 0xd8), 0xde, 0xe0, ...range(0xe2, 0xed)]

/**
 * Windows or MS-DOS, by which of the two makes letters of the bytes inside words. Of the code pages of MS-DOS 850 is
 * what Western Europe used; 437 shows only where the letters of 850 stand outside words.
 */
export function singleByteEncoding(windows: Uint8Array[]): Encoding {
  const { inWord, elsewhere } = countBytes(windows)
  const unpaired = QUOTES.reduce(
    (total, [open, close]) => total + Math.max(0, (inWord[close] ?? 0) - (inWord[open] ?? 0)),
    0,
  )
  const dos = sum(inWord, DOS_LETTERS) + (sum(inWord, DOS_LETTERS) > 0 ? unpaired : 0)
  if (dos <= sum(inWord, WINDOWS_LETTERS)) return 'windows-1252'
  return sum(elsewhere, ONLY_850) > sum(inWord, ONLY_850) ? 'cp437' : 'cp850'
}
