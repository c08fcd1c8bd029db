import type { Encoding } from '../../shared/data-sources/files'

/** Characters at 0x80–0xff of the code pages of MS-DOS. */
export const CP437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒ' +
  'áíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐' +
  '└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀' +
  'αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'
export const CP850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒ' +
  'áíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐' +
  '└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀' +
  'ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0'

const HIGH_BYTE = /[\u0080-\u00ff]/
const ALL_HIGH_BYTES = /[\u0080-\u00ff]/g

/** What windows-1252 has at 0x80–0x9f; its five holes keep their own number. */
export const WINDOWS_1252_C1 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178'
const BEYOND_LATIN1 = /[\u0100-\uffff]/
const ALL_BEYOND_LATIN1 = /[\u0100-\uffff]/g

/** Bytes as the 256 characters of the same numbers, one each. */
export function toByteString(bytes: Uint8Array): string {
  // Runtimes read this label as latin-1 or as windows-1252: both come out the same.
  const text = new TextDecoder('latin1').decode(bytes)
  if (!BEYOND_LATIN1.test(text)) return text
  return text.replace(ALL_BEYOND_LATIN1, (char) => String.fromCharCode(0x80 + WINDOWS_1252_C1.indexOf(char)))
}

/** The text of bytes (given as {@link toByteString}) by one of the tables above. */
export function decodeCodePage(bytes: string, page: string): string {
  if (!HIGH_BYTE.test(bytes)) return bytes
  return bytes.replace(ALL_HIGH_BYTES, (char) => page[char.charCodeAt(0) - 0x80] ?? char)
}

/** One decoded piece, and the bytes it came from (whole units), to find a byte again from a character. */
export interface DecodedChunk {
  text: string
  bytes: Uint8Array
  /** Bytes before `bytes`, counted from the first byte fed. */
  base: number
}
export interface ChunkDecoder {
  decode(bytes: Uint8Array): DecodedChunk
  /** Text of what was held back: an unfinished sequence at the very end. */
  flush(): DecodedChunk
}

const LF = 10
const CR = 13
const EMPTY_BYTES = new Uint8Array(0)

function concatBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}

function swapBytePairs(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length)
  for (let i = 0; i + 1 < bytes.length; i += 2) {
    out[i] = bytes[i + 1] ?? 0
    out[i + 1] = bytes[i] ?? 0
  }
  return out
}

const C1_CONTROLS = /[\u0080-\u009f]/g

/** Some runtimes read this label as plain latin-1, so the difference is mended by hand. */
function decodeWindows1252(decoder: TextDecoder, bytes: Uint8Array): string {
  const text = decoder.decode(bytes, { stream: true })
  return text.replace(C1_CONTROLS, (c) => WINDOWS_1252_C1[c.charCodeAt(0) - 0x80] ?? c)
}

/** Code pages that the runtime does not know; a byte is a character there. */
const CODE_PAGES: Partial<Record<Encoding, string>> = { cp850: CP850, cp437: CP437 }

/** Decodes a stream piece by piece. Byte order marks are kept; broken sequences become U+FFFD; NULs are dropped. */
export function createChunkDecoder(encoding: Encoding): ChunkDecoder {
  const wide = encoding === 'utf-16le' || encoding === 'utf-16be'
  const page = CODE_PAGES[encoding]
  const decoder = new TextDecoder(wide ? 'utf-16le' : page ? 'latin1' : encoding, { ignoreBOM: true, fatal: false })
  let carry: Uint8Array = EMPTY_BYTES
  let base = 0
  const textOf = (bytes: Uint8Array): string => {
    if (page) return decodeCodePage(toByteString(bytes), page)
    if (encoding === 'windows-1252') return decodeWindows1252(decoder, bytes)
    return decoder.decode(encoding === 'utf-16be' ? swapBytePairs(bytes) : bytes, { stream: true })
  }
  const piece = (text: string, bytes: Uint8Array): DecodedChunk => {
    const found = { text: text.includes('\0') ? text.replaceAll('\0', '') : text, bytes, base }
    base += bytes.length
    return found
  }
  return {
    decode(fed) {
      let bytes = fed
      if (wide) {
        const all = carry.length > 0 ? concatBytes(carry, fed) : fed
        bytes = all.subarray(0, all.length & ~1)
        carry = all.length & 1 ? all.slice(-1) : EMPTY_BYTES
      }
      return piece(textOf(bytes), bytes)
    },
    flush() {
      const rest = decoder.decode()
      const odd = carry
      carry = EMPTY_BYTES
      return piece(odd.length > 0 ? `${rest}\ufffd` : rest, odd)
    },
  }
}

/** Encodings in which a byte below 0x80 is that character, wherever it stands: in Japanese and Chinese it may be half of a sign. */
export const isByteEncoding = (encoding: Encoding): boolean =>
  encoding !== 'utf-16le' && encoding !== 'utf-16be' && encoding !== 'shift_jis' && encoding !== 'big5'

/** Decodes whole cells of such an encoding. */
export function createCellDecoder(encoding: Encoding): (bytes: Uint8Array, start: number, end: number) => string {
  const decoder = createChunkDecoder(encoding)
  return (bytes, start, end) => {
    const text = decoder.decode(bytes.subarray(start, end)).text
    return text + decoder.flush().text
  }
}

/** Line-end characters of a text from a position on. */
export function countLineEnds(text: string, from: number): number {
  let count = 0
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === LF || code === CR) count++
  }
  return count
}

/**
 * Index just past the line-end unit that has `after` more line-end units behind it, or 0. Line ends are the one thing
 * that text and bytes share one to one in every encoding, broken sequences and dropped NULs included.
 */
export function byteAfterLineEnd(bytes: Uint8Array, after: number, encoding: Encoding): number {
  const wide = encoding === 'utf-16le' || encoding === 'utf-16be'
  const step = wide ? 2 : 1
  const low = encoding === 'utf-16be' ? 1 : 0
  let left = after
  for (let i = bytes.length - step; i >= 0; i -= step) {
    const code = bytes[i + low]
    if (code !== LF && code !== CR) continue
    if (wide && bytes[i + 1 - low] !== 0) continue
    if (left-- === 0) return i + step
  }
  return 0
}
