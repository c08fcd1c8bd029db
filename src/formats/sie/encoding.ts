import { countUtf8Sequences } from '../encoding/detect-encoding'
import { CP437, WINDOWS_1252_C1, toByteString, decodeCodePage } from '../encoding/text-decoder'

/** What the texts of a SIE file are written in. */
export type SieEncoding = 'ascii' | 'utf-8' | 'cp437' | 'windows-1252' | 'iso-8859-15'

/** å ä ö Å Ä Ö é É ü in each of the two families; the bytes of one are rare signs in the other. */
const DOS_LETTERS = new Set([0x86, 0x84, 0x94, 0x8f, 0x8e, 0x99, 0x82, 0x90, 0x81])
const WINDOWS_LETTERS = new Set([0xe5, 0xe4, 0xf6, 0xc5, 0xc4, 0xd6, 0xe9, 0xc9, 0xfc])
const EURO_IN_LATIN9 = 0xa4
const isAsciiLetter = (byte: number | undefined): boolean => byte !== undefined && ((byte | 0x20) - 0x61) >>> 0 < 26

const HIGH_BYTE = /[\u0080-\u00ff]/
const toBytes = (line: string): Uint8Array => Uint8Array.from(line, (char) => char.charCodeAt(0))

/** Looks at all lines of a file that have letters beyond ASCII and says what they are written in, whatever is declared. */
export class EncodingDetector {
  readonly #utf8 = { valid: 0, broken: 0 }
  #dos = 0
  #windows = 0
  #c1 = 0
  #euros = 0

  add(bytes: Uint8Array): void {
    const { valid, broken } = countUtf8Sequences(bytes)
    this.#utf8.valid += valid
    this.#utf8.broken += broken
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i] ?? 0
      if (byte < 0x80) continue
      if (byte < 0xa0) this.#c1++
      if (byte === EURO_IN_LATIN9) this.#euros++
      if (!isAsciiLetter(bytes[i - 1]) && !isAsciiLetter(bytes[i + 1])) continue
      if (DOS_LETTERS.has(byte)) this.#dos++
      else if (WINDOWS_LETTERS.has(byte)) this.#windows++
    }
  }

  get hasLetters(): boolean {
    return this.#utf8.valid + this.#utf8.broken > 0
  }

  /** Where the bytes leave it open, what the file declares (`#FORMAT`) decides. */
  detect(declared: string): SieEncoding {
    const { valid, broken } = this.#utf8
    if (valid + broken === 0) return 'ascii'
    if (valid > broken * 10) return 'utf-8'
    if (this.#dos > this.#windows) return 'cp437'
    if (this.#windows === this.#dos && !isWindowsDeclared(declared)) return 'cp437'
    return this.#euros > 0 && this.#c1 === 0 ? 'iso-8859-15' : 'windows-1252'
  }
}

const isWindowsDeclared = (declared: string): boolean => /8859|1252|ansi|latin/i.test(declared)

/** Whether what is declared and what is there are the same thing; texts in plain ASCII fit everything. */
export function matchesDeclaredEncoding(found: SieEncoding, declared: string): boolean {
  switch (found) {
    case 'ascii':
      return true
    case 'cp437':
      return declared === '' || /^(pc-?8|ibm.*|cp.?437)$/i.test(declared)
    case 'utf-8':
      return /utf.?8/i.test(declared)
    case 'windows-1252':
    case 'iso-8859-15':
      return isWindowsDeclared(declared)
  }
}

const LATIN9: Record<string, string> = {
  '¤': '€',
  '¦': 'Š',
  '¨': 'š',
  '´': 'Ž',
  '¸': 'ž',
  '¼': 'Œ',
  '½': 'œ',
  '¾': 'Ÿ',
}

/** Turns a line of bytes-as-characters into letters. */
export function lineDecoderFor(encoding: SieEncoding): (line: string) => string {
  switch (encoding) {
    case 'ascii':
      return (line) => line
    case 'cp437':
      return (line) => decodeCodePage(line, CP437)
    case 'windows-1252':
      return (line) => line.replace(/[\u0080-\u009f]/g, (char) => WINDOWS_1252_C1[char.charCodeAt(0) - 0x80] ?? char)
    case 'iso-8859-15':
      return (line) => line.replace(/[¤¦¨´¸¼½¾]/g, (char) => LATIN9[char] ?? char)
    case 'utf-8': {
      const decoder = new TextDecoder('utf-8')
      return (line) => (HIGH_BYTE.test(line) ? decoder.decode(toBytes(line)) : line)
    }
  }
}

/** The letters of bytes from 0x80 on in UTF-8, or that they are UTF-8 already; null where nothing is known of them. */
export type ByteLetters = readonly Uint8Array[] | 'utf-8' | null

export function byteLettersOf(encoding: SieEncoding): ByteLetters {
  if (encoding === 'utf-8') return 'utf-8'
  if (encoding === 'ascii') return null
  const decode = lineDecoderFor(encoding)
  const encoder = new TextEncoder()
  return Array.from({ length: 128 }, (_, n) => encoder.encode(decode(String.fromCharCode(0x80 + n))))
}

const SWEDISH_LETTERS = 'åäöÅÄÖéÉü'
/** The letters as they look after UTF-8, or code page 437, was read as something else and written again as UTF-8. */
const MOJIBAKE_FORMS = [
  Array.from('†„”\u008fŽ™‚\u0090\u0081'),
  Array.from('\u0086\u0084\u0094\u008f\u008e\u0099\u0082\u0090\u0081'),
  Array.from(SWEDISH_LETTERS, (letter) => decodeCodePage(toByteString(new TextEncoder().encode(letter)), CP437)),
  Array.from(SWEDISH_LETTERS, (letter) =>
    lineDecoderFor('windows-1252')(toByteString(new TextEncoder().encode(letter))),
  ),
] as const

interface MojibakePattern {
  wrong: RegExp
  inWord: RegExp
  right: ReadonlyMap<string, string>
}
const mojibakePattern = (forms: readonly string[]): MojibakePattern => {
  const any = forms.join('|')
  return {
    wrong: new RegExp(any, 'g'),
    inWord: new RegExp(`[A-Za-z](${any})[a-z]`),
    right: new Map(forms.map((form, i) => [form, SWEDISH_LETTERS[i] ?? ''])),
  }
}
const MOJIBAKE_PATTERNS = MOJIBAKE_FORMS.map(mojibakePattern)
const INTACT_LETTERS = /[åäöÅÄÖ]/

/** Looks for texts that were damaged before the file was written: letters replaced by signs inside words. */
export class MojibakeDetector {
  readonly #seen = MOJIBAKE_PATTERNS.map(() => 0)
  #intact = false
  #firstLine = 0

  add(text: string, line: number): void {
    if (INTACT_LETTERS.test(text)) this.#intact = true
    MOJIBAKE_PATTERNS.forEach(({ inWord }, i) => {
      if (!inWord.test(text)) return
      this.#seen[i] = (this.#seen[i] ?? 0) + 1
      if (this.#firstLine === 0) this.#firstLine = line
    })
  }

  /** How to mend the texts, or null when they are whole. Never where a letter came through unharmed. */
  repair(): { line: number; mend: (text: string) => string } | null {
    if (this.#intact) return null
    const worst = this.#seen.indexOf(Math.max(...this.#seen))
    const kind = MOJIBAKE_PATTERNS[worst]
    if (!kind || (this.#seen[worst] ?? 0) === 0) return null
    return {
      line: this.#firstLine,
      mend: (text) => text.replace(kind.wrong, (form) => kind.right.get(form) ?? form),
    }
  }
}
