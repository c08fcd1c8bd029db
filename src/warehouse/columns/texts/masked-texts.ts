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
 */
export function maskedTexts(
  table: Pick<ColumnTable, 'chunks'>,
  column: ColumnVectors,
  { mask, secret }: { mask: ColumnMask; secret: string },
): TextVectors {
  if (mask === 'empty') return emptyTexts()
  const { column: described } = column
  if (described.type !== 'text')
    return indexedTexts(table, (place) => readerOf(maskedNumbers(column, mask, secret)(place)))
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
  return (text) => `${Array.from(text).slice(0, 1).join('')}…`
}

/** Of a short value half of it, so that no value is shown whole. */
function lastFour(text: string): string {
  const characters = Array.from(text)
  const left = Math.min(LEFT_CHARACTERS, Math.floor(characters.length / 2))
  return `${COVER}${characters.slice(characters.length - left).join('')}`
}

function maskedNumbers(
  vectors: ColumnVectors,
  mask: Exclude<ColumnMask, 'empty'>,
  secret: string,
): (place: ChunkPlace) => (row: number) => string | null {
  const { type } = vectors.column
  const shape = columnShape(vectors.column, vectors.dataset.bounds)
  const unit = shape.kind === 'real' ? 1 : 10 ** shape.scale
  const isTime = type === 'date' || type === 'datetime'
  const numbers = isTime ? vectors.days() : vectors.numbers()
  const word = (value: number): string => (isTime ? isoFromDay(value) : String(value / unit))
  const bucket = (value: number): string => (isTime ? isoFromDay(value).slice(0, 4) : rangeOf(value / unit))
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

/** The range of one significant digit that a number lies in: 43,210 is in 40000–50000. */
export function rangeOf(value: number): string {
  if (value === 0) return '0'
  const size = Math.abs(value)
  const width = 10 ** Math.floor(Math.log10(size))
  const digit = Math.floor(size / width)
  const [from, to] = [digit * width, (digit + 1) * width]
  return value < 0 ? `−${written(to)}–−${written(from)}` : `${written(from)}–${written(to)}`
}
/** Without what floating point leaves behind. */
const written = (value: number): string => String(Number(value.toPrecision(3)))

const REMEMBERED_MAX = 100_000
function remembered(mask: MaskText): MaskText {
  const known = new Map<string, string | null>()
  return (text) => {
    const made = known.get(text) ?? mask(text)
    if (known.size < REMEMBERED_MAX) known.set(text, made)
    return made
  }
}
