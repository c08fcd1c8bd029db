import type { Encoding } from '../shared/files'
import { CP437, CP850, WINDOWS_1252_C1, toByteString, decodeCodePage } from './code-pages'

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
