import type { Encoding } from '../../shared/data-sources/files'
import { detectByLetters, type LetterEvidence } from './letter-statistics'
import { createChunkDecoder } from './text-decoder'

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

/** € in ISO 8859-15, where windows-1252 has a sign that nobody writes. */
const EURO_OF_LATIN9 = 0xa4
/** Š š ž Œ œ Ÿ there, and signs that stand in no word in windows-1252: its accent alone is written for an apostrophe. */
const LATIN9_LETTERS = [0xa6, 0xa8, 0xb8, 0xbc, 0xbd, 0xbe]
/** ¼ ½ ¾ stand before letters in windows-1252, too: units, as in `½l`. Within a word they are none. */
const FRACTIONS_FROM = 0xbc
/** Windows-1252 has quotation marks, dashes and its € here, ISO 8859-15 nothing that is written. */
const C1_END = 0x9f
/** From here on nearly all are letters, in both. */
const LETTERS_FROM = 0xc0

function isLatin9(windows: Uint8Array[]): boolean {
  let [euros, letters, signs] = [0, 0, 0]
  for (const bytes of windows)
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0
      if (byte < 0x80) continue
      if (byte <= C1_END) return false
      if (byte === EURO_OF_LATIN9) euros++
      if (!LATIN9_LETTERS.includes(byte)) continue
      const isInWord = isLatinLetter(bytes[at - 1])
      const isBeforeLetter = isLatinLetter(bytes[at + 1])
      if (isInWord || (isBeforeLetter && byte < FRACTIONS_FROM)) letters++
      else if (!isBeforeLetter) signs++
    }
  return euros > 0 || letters > signs
}

const isLatinLetter = (byte: number | undefined): boolean => isAsciiLetter(byte) || (byte ?? 0) >= LETTERS_FROM

/**
 * By its letters; of the code pages of MS-DOS 850 is what Western Europe used, and 437 shows only where the letters of 850
 * stand outside words.
 */
function detectOldEncoding(windows: Uint8Array[]): LetterEvidence {
  const found = detectByLetters(windows)
  if (found.encoding === 'windows-1252') return isLatin9(windows) ? { ...found, encoding: 'iso-8859-15' } : found
  if (found.encoding !== 'cp850') return found
  const { inWord, elsewhere } = countHighBytes(windows)
  const isCp437 = sumCounts(elsewhere, CP850_ONLY_LETTERS) > sumCounts(inWord, CP850_ONLY_LETTERS)
  return isCp437 ? { ...found, encoding: 'cp437' } : found
}

const PIECE_BYTES = 256 * 1024

/** The encoding of a file from windows of it: mark, strict UTF-8, UTF-16 by its NULs, else an older one by its letters. */
export function detectEncoding(windows: Uint8Array[]): LetterEvidence {
  const [head = new Uint8Array(0)] = windows
  const sure = (encoding: Encoding): LetterEvidence => ({ encoding, isSure: true })
  if (head[0] === 0xff && head[1] === 0xfe) return sure('utf-16le')
  if (head[0] === 0xfe && head[1] === 0xff) return sure('utf-16be')
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return sure('utf-8')
  const wide = detectUtf16(head)
  if (wide) return sure(wide)
  let valid = 0
  let broken = 0
  for (const window of windows) {
    const found = countUtf8Sequences(window)
    valid += found.valid
    broken += found.broken
  }
  // A few broken bytes among much good UTF-8 are damage; otherwise the file is of the old Windows kind.
  if (broken === 0 || valid > broken * 10) return sure('utf-8')
  return detectOldEncoding(windows)
}

const NUL_MIN_SHARE = 0.01
/** Line ends and separators without their NUL are few in UTF-16: halves of other letters. */
const LONE_PER_PAIR = 2
/** UTF-16 without its mark: NULs in one half of the pairs only, and line ends or separators that are pairs. */
function detectUtf16(head: Uint8Array): Encoding | null {
  const length = Math.min(head.length & ~1, 64 * 1024)
  const nuls = [0, 0]
  let [littleMarks, bigMarks, loneMarks] = [0, 0, 0]
  for (let i = 0; i < length; i += 2) {
    const [low = 0, high = 0] = [head[i], head[i + 1]]
    if (low === 0) nuls[0] = (nuls[0] ?? 0) + 1
    if (high === 0) nuls[1] = (nuls[1] ?? 0) + 1
    if (high === 0 && isSeparatorByte(low)) littleMarks++
    if (low === 0 && isSeparatorByte(high)) bigMarks++
    if (low !== 0 && high !== 0 && (isSeparatorByte(low) || isSeparatorByte(high))) loneMarks++
  }
  const [even = 0, odd = 0] = nuls
  if (Math.max(even, odd) < Math.max(1, length * NUL_MIN_SHARE)) return null
  if (odd > even * 20 && littleMarks > loneMarks * LONE_PER_PAIR) return 'utf-16le'
  if (even > odd * 20 && bigMarks > loneMarks * LONE_PER_PAIR) return 'utf-16be'
  return null
}

/** Line ends, tab, comma, semicolon, bar. */
const isSeparatorByte = (code: number): boolean =>
  code === 10 || code === 13 || code === 9 || code === 44 || code === 59 || code === 124

/** Multi-byte sequences that are whole, and bytes that belong to none. Cut sequences at the edges count as neither. */
export function countUtf8Sequences(bytes: Uint8Array): { valid: number; broken: number } {
  let [valid, broken] = [0, 0]
  const isTail = (at: number): boolean => ((bytes[at] ?? 0) & 0xc0) === 0x80
  let i = 0
  while (i < 3 && i < bytes.length && isTail(i)) i++
  if (i === 3) i = 0
  while (i < bytes.length) {
    const byte = bytes[i] ?? 0
    if (byte < 0x80) {
      i++
      continue
    }
    const need = byte >= 0xc2 && byte < 0xe0 ? 1 : byte >= 0xe0 && byte < 0xf0 ? 2 : byte >= 0xf0 && byte < 0xf5 ? 3 : 0
    let have = 0
    while (have < need && isTail(i + 1 + have)) have++
    if (need > 0 && i + 1 + have >= bytes.length && have < need) break
    if (need > 0 && have === need) valid++
    else broken++
    i += 1 + have
  }
  return { valid, broken }
}

/** Whether a file decodes without loss, and holds NULs; a cut at the end of a window is no loss. */
export function checkDecoding(
  bytes: Uint8Array,
  encoding: Encoding,
  whole: boolean,
): { broken: boolean; nuls: boolean } {
  const wide = encoding === 'utf-16le' || encoding === 'utf-16be'
  if (encoding === 'shift_jis' || encoding === 'big5')
    return { broken: decodeStart(bytes, encoding).includes('\ufffd'), nuls: bytes.includes(0) }
  if (!wide && encoding !== 'utf-8') return { broken: false, nuls: bytes.includes(0) }
  if (!wide) return { broken: countUtf8Sequences(bytes).broken > 0, nuls: bytes.includes(0) }
  const decoder = new TextDecoder('utf-16le', { fatal: true, ignoreBOM: true })
  if (whole && bytes.length % 2 === 1) return { broken: true, nuls: false }
  if (encoding === 'utf-16be') return { broken: false, nuls: false }
  try {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES)
      decoder.decode(bytes.subarray(at, at + PIECE_BYTES), { stream: true })
    if (whole) decoder.decode()
    return { broken: false, nuls: false }
  } catch {
    return { broken: true, nuls: false }
  }
}

/** The text of the first bytes, without the byte order mark. */
export function decodeStart(bytes: Uint8Array, encoding: Encoding): string {
  const { text } = createChunkDecoder(encoding).decode(bytes)
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}
