import type { ColumnKey } from '../../shared/data-sources/files'

/*
 * What an import does to texts: letters are composed (NFC), and blanks alone are no value. Databases are told to do the same,
 * each in its own regular expressions.
 */

type CodeRange = readonly [from: number, to: number]
/** What may stand first in a text of blanks alone, and what may follow. */
const FIRST_BLANKS: readonly CodeRange[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x202f, 0x202f],
]
const BLANKS: readonly CodeRange[] = [
  ...FIRST_BLANKS,
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
]

/** Whole texts that are no value. @param escaped a code point as the database's expressions write it */
export const blankPattern = (escaped: (hex: string) => string): string =>
  `^([${classOf(FIRST_BLANKS, escaped)}][${classOf(BLANKS, escaped)}]*)?$`

const classOf = (ranges: readonly CodeRange[], escaped: (hex: string) => string): string =>
  ranges.map(([from, to]) => [from, to].map((code) => escaped(code.toString(16).padStart(4, '0'))).join('-')).join('')

/** In braces, as most expressions write a code point. */
export const inBraces = (hex: string): string => `\\x{${hex}}`

/** Beside marks: letters that stand for others, and parts of syllables (Unicode's NFC_Quick_Check, with what lies between). */
const NOT_COMPOSED: readonly CodeRange[] = [
  ...([
    [0x374, 0x387],
    [0x958, 0x95f],
    [0x9dc, 0x9df],
    [0xa33, 0xa5e],
    [0xb5c, 0xb5d],
    [0xf43, 0xf69],
  ] as const),
  ...([
    [0x1161, 0x1175],
    [0x11a8, 0x11c2],
    [0x1f71, 0x1f7d],
    [0x1fbb, 0x2001],
    [0x2126, 0x212b],
  ] as const),
  ...([
    [0x2329, 0x232a],
    [0x2adc, 0x2adc],
    [0xf900, 0xfad9],
    [0xfb1d, 0xfb4e],
    [0x16d67, 0x16d67],
  ] as const),
  ...([
    [0x1d15e, 0x1d164],
    [0x1d1bb, 0x1d1c0],
    [0x2f800, 0x2fa1d],
  ] as const),
]
/** A text that may change when its letters are composed. */
export const UNCOMPOSED_PATTERN = `[\\p{M}${classOf(NOT_COMPOSED, inBraces)}]`

/** Different texts of a column with marks that are looked at, and those of them that may have to be composed. */
export const [MARKED_MAX, SPELLINGS_MAX] = [20_000, 200]

/** Texts as they are stored, each with what it is composed. */
export type Spellings = ReadonlyMap<string, string>

export function spellingsAmong(texts: readonly (string | null)[]): Spellings {
  const spellings = new Map<string, string>()
  for (const text of texts) {
    const composed = text?.normalize('NFC')
    if (text !== null && composed !== undefined && composed !== text) spellings.set(text, composed)
  }
  return spellings
}

/** Which texts of a column are not composed is to be looked up first: its database cannot compose them. */
export class WantsSpellings extends Error {
  readonly dataset: string
  readonly key: ColumnKey
  constructor(dataset: string, key: ColumnKey) {
    super('Letters may not be composed.')
    this.dataset = dataset
    this.key = key
  }
}
