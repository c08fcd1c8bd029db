import type { ColumnTable } from '../column-table'
import type { ColumnVectors, TextVectors } from '../column-vectors'
import { readerOf } from './computed-texts'
import { dictionaryTexts, indexedTexts, textsAt } from './text-vectors'
import { columnShape } from '../vector-number'
import { codesOf, type ChunkPlace } from '../vectors'
import { sha256HexSync } from '../../../lib/hash'
import { isoFromDay } from '../../../shared/dates'
import type { ColumnMask } from '../../../shared/data-access/rules'

/** What a mask makes of one value in words; null of an empty cell stays null. */
type MaskText = (text: string) => string | null

/** Characters that `lastFour` leaves. */
const LEFT_CHARACTERS = 4
const COVER = '••••'
/** Of a SHA-256, in hex: 48 bits. */
const PSEUDONYM_DIGITS = 12

/**
 * What a mask leaves of a column's values, as texts. Values that the mask makes alike are one value.
 * @param secret of the workspace: without it nobody makes out a pseudonym by hashing what it may stand for
 * @param locale in which ranges are written
 */
export function maskedTexts(
  table: Pick<ColumnTable, 'chunks'>,
  column: ColumnVectors,
  { mask, secret, locale }: { mask: ColumnMask; secret: string; locale: string },
): TextVectors {
  if (mask === 'empty') return emptyTexts()
  const { column: described } = column
  if (described.type !== 'text')
    return indexedTexts(table, (place) => readerOf(maskedNumbers(column, { mask, secret, locale })(place)))
  const texts = column.texts()
  const masked = remembered(maskOfText(mask, secret))
  if (texts.cells()) {
    const at = textsAt(texts)
    return indexedTexts(table, (place) => {
      const own = at(place)
      return readerOf((row) => maskedOrNull(own(row), masked))
    })
  }
  return maskedDictionary(texts, masked)
}
const maskedOrNull = (text: string | null, masked: MaskText): string | null => (text === null ? null : masked(text))

function emptyTexts(): TextVectors {
  const none = codesOf((place, to) => void to.fill(0, 0, place.rows))
  return dictionaryTexts(
    () => none,
    () => [],
  )
}

/** Each different text is masked once. */
function maskedDictionary(texts: TextVectors, masked: MaskText): TextVectors {
  const words: string[] = []
  const codeOf = new Map<string, number>()
  const known = Int32Array.from([null, ...texts.words()], (word) => {
    const text = maskedOrNull(word, masked)
    if (text === null) return 0
    const code = codeOf.get(text) ?? words.push(text)
    codeOf.set(text, code)
    return code
  })
  const stored = texts.codes()
  const codes = codesOf((place, to) => {
    const own = stored(place)
    for (let row = 0; row < place.rows; row += 1) to[row] = known[own[row] ?? 0] ?? 0
  })
  return dictionaryTexts(
    () => codes,
    () => words,
  )
}

function maskOfText(mask: Exclude<ColumnMask, 'empty'>, secret: string): MaskText {
  if (mask === 'hash') return (text) => sha256HexSync(`${secret}\n${text}`).slice(0, PSEUDONYM_DIGITS)
  if (mask === 'lastFour') return lastFour
  return firstLetter
}

/** Of a single letter nothing. */
const firstLetter = (text: string): string => {
  const [first = '', ...more] = Array.from(text)
  return more.length === 0 ? '…' : `${first}…`
}

/** Of a short value half of it, so that no value is shown whole. */
function lastFour(text: string): string {
  const characters = Array.from(text)
  const left = Math.min(LEFT_CHARACTERS, Math.floor(characters.length / 2))
  return `${COVER}${characters.slice(characters.length - left).join('')}`
}

function maskedNumbers(
  vectors: ColumnVectors,
  { mask, secret, locale }: { mask: Exclude<ColumnMask, 'empty'>; secret: string; locale: string },
): (place: ChunkPlace) => (row: number) => string | null {
  const { type } = vectors.column
  const shape = columnShape(vectors.column, vectors.dataset.bounds)
  const unit = shape.kind === 'real' ? 1 : 10 ** shape.scale
  const isTime = type === 'date' || type === 'datetime'
  const numbers = isTime ? vectors.days() : vectors.numbers()
  const word = (value: number): string => (isTime ? isoFromDay(value) : String(value / unit))
  const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 })
  const bucket = (value: number): string => (isTime ? isoFromDay(value).slice(0, 4) : rangeText(value / unit, format))
  const whole = maskOfText(mask, secret)
  const masked = mask === 'bucket' ? bucket : (value: number): string => whole(word(value)) ?? ''
  const known = new Map<number, string>()
  return (place) => {
    const own = numbers(place)
    return (row) => {
      const value = own[row] ?? Number.NaN
      if (Number.isNaN(value)) return null
      const text = known.get(value) ?? masked(value)
      if (known.size < REMEMBERED_MAX) known.set(value, text)
      return text
    }
  }
}

/** No range is narrower, so that none has a single whole number in it. */
const NARROWEST = 10
const STEPS = [1, 2, 5, 10]

/**
 * Between which of 0, 10, 20, 50, 100, 200, 500, … a number is, its sign aside; the end nearer to 0 belongs to it.
 */
export function rangeOf(value: number): [from: number, to: number] {
  const size = Math.abs(value)
  if (!(size >= NARROWEST)) return value < 0 ? [-NARROWEST, 0] : [0, NARROWEST]
  // Of 999.9999999999999 the logarithm is that of 1000.
  const known = Math.floor(Math.log10(size))
  const power = 10 ** (10 ** known > size ? known - 1 : known)
  const at = STEPS.findIndex((step) => size < step * power)
  const [from, to] = at < 1 ? [5 * power, 10 * power] : [(STEPS[at - 1] ?? 1) * power, (STEPS[at] ?? 1) * power]
  return value < 0 ? [-to, -from] : [from, to]
}

/** "20,000–50,000". Between numbers with a sign the dash has space around it. */
function rangeText(value: number, format: Intl.NumberFormat): string {
  const [from, to] = rangeOf(value)
  return `${format.format(from)}${value < 0 ? ' – ' : '–'}${format.format(to)}`
}

const REMEMBERED_MAX = 100_000
function remembered(mask: MaskText): MaskText {
  const known = new Map<string, string | null>()
  return (text) => {
    const made = known.get(text) ?? mask(text)
    if (known.size < REMEMBERED_MAX) known.set(text, made)
    return made
  }
}
