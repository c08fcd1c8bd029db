import type { ColumnVectors, TextVectors } from '../column-vectors'
import { hashOf } from '../number-index'
import { hashText, textHashNumbers } from '../texts/text-hash'
import { textsAt } from '../texts/text-vectors'
import type { ChunkPlace } from '../vectors'
import { realText } from '../../query/expressions/real-text'
import type { Column } from '../../../shared/data-sources/data-sources'

/** What stands for the keys of a chunk's rows: a number, NaN of an empty cell, and a second one where keys are texts. */
export interface KeyNumbers {
  firsts: Float64Array
  seconds: Float64Array
}

/** Keys of unlike types are equal when their texts are. */
export const comparesTexts = (from: Pick<Column, 'type'>, to: Pick<Column, 'type'>): boolean =>
  from.type !== to.type || from.type === 'text'

/** Keys of two columns that are equal have equal numbers, and others have not (of texts: but once in 10²⁵ pairs). */
export function keyNumbers(from: ColumnVectors, asText: boolean): (place: ChunkPlace) => KeyNumbers {
  if (!asText) {
    const numbers = from.numbers()
    return (place) => {
      const firsts = numbers(place)
      return { firsts, seconds: firsts }
    }
  }
  if (from.column.type === 'text') return textNumbers(from.texts())
  return numberTexts(from)
}

/** One column of a key, and what it is compared with. */
export interface KeyColumn {
  from: ColumnVectors
  other: Pick<Column, 'type'>
}

/** Three numbers of 32 bits that begin apart, each mixed with all that a row's key consists of. */
const LANES = [0x2545f491, 0x6c078965, 0x1b873593] as const
const LOW_BITS = 21

/**
 * Keys of several columns as those of texts are: of 53 bits and 32, mixed of the numbers of each column; NaN where any
 * column is empty.
 */
export function compositeNumbers(columns: readonly KeyColumn[]): (place: ChunkPlace) => KeyNumbers {
  const parts = columns.map(({ from, other }) => keyNumbers(from, comparesTexts(from.column, other)))
  let lanes = LANES.map(() => new Int32Array(0))
  return filled((place, { firsts, seconds }) => {
    if ((lanes[0]?.length ?? 0) < place.rows) lanes = LANES.map(() => new Int32Array(place.rows))
    for (const [n, lane] of lanes.entries()) lane.fill(LANES[n] ?? 0)
    firsts.fill(0, 0, place.rows)
    for (const part of parts) mixPart(part(place), lanes, firsts, place.rows)
    const [high = firsts, low = firsts, second = firsts] = lanes
    for (let i = 0; i < place.rows; i += 1) {
      if (Number.isNaN(firsts[i] ?? 0)) continue
      firsts[i] = ((high[i] ?? 0) >>> 0) * 2 ** LOW_BITS + ((low[i] ?? 0) >>> (32 - LOW_BITS))
      seconds[i] = (second[i] ?? 0) >>> 0
    }
  })
}
function mixPart(part: KeyNumbers, lanes: readonly Int32Array[], missing: Float64Array, rows: number): void {
  for (let i = 0; i < rows; i += 1) {
    const first = part.firsts[i] ?? Number.NaN
    if (Number.isNaN(first)) missing[i] = Number.NaN
    // Plus 0: −0 and 0 are one number.
    float[0] = first + 0
    const [a, b] = [halves[0] ?? 0, halves[1] ?? 0]
    float[0] = (part.seconds[i] ?? 0) + 0
    const [c, d] = [halves[0] ?? 0, halves[1] ?? 0]
    for (let n = 0; n < lanes.length; n += 1) {
      const lane = lanes[n]
      if (lane) lane[i] = hashOf(c, d, hashOf(a, b, lane[i] ?? 0))
    }
  }
}

export const firstOfText = (text: string): number => hashText(text, 0)
export const secondOfText = (text: string): number => hashText(text, 1) >>> 0

/** Of a dictionary each text is looked at once. */
function textNumbers(texts: TextVectors): (place: ChunkPlace) => KeyNumbers {
  if (texts.cells()) {
    const [first, second] = textHashNumbers(textsAt(texts))
    return (place) => {
      const [firsts, seconds] = [first(place), second(place)]
      for (let i = 0; i < place.rows; i += 1) seconds[i] = (seconds[i] ?? 0) >>> 0
      return { firsts, seconds }
    }
  }
  const [codes, count] = [texts.codes(), texts.count()]
  const [first, second] = [new Float64Array(count + 1), new Float64Array(count + 1)]
  first[0] = Number.NaN
  for (let code = 1; code <= count; code += 1) {
    const text = texts.wordAt(code) ?? ''
    first[code] = firstOfText(text)
    second[code] = secondOfText(text)
  }
  return filled((place, { firsts, seconds }) => {
    const own = codes(place)
    for (let i = 0; i < place.rows; i += 1) {
      firsts[i] = first[own[i] ?? 0] ?? Number.NaN
      seconds[i] = second[own[i] ?? 0] ?? 0
    }
  })
}

/** Numbers whose texts are remembered; one that comes to another's place takes it. */
const REMEMBERED = 2 ** 15

function numberTexts({ column, numbers }: ColumnVectors): (place: ChunkPlace) => KeyNumbers {
  const own = numbers()
  const textOf = column.type === 'number' && column.scale === undefined ? realText : String
  const [known, first, second] = [0, 0, 0].map(() => new Float64Array(REMEMBERED).fill(Number.NaN))
  return filled((place, { firsts, seconds }) => {
    const values = own(place)
    for (let i = 0; i < place.rows; i += 1) {
      const value = values[i] ?? Number.NaN
      firsts[i] = Number.NaN
      if (Number.isNaN(value) || !known || !first || !second) continue
      const at = placeOf(value)
      if (known[at] !== value) {
        const text = textOf(value)
        known[at] = value
        first[at] = firstOfText(text)
        second[at] = secondOfText(text)
      }
      firsts[i] = first[at] ?? 0
      seconds[i] = second[at] ?? 0
    }
  })
}
const float = new Float64Array(1)
const halves = new Int32Array(float.buffer)
function placeOf(value: number): number {
  float[0] = value
  return hashOf(halves[0] ?? 0, halves[1] ?? 0, 0) & (REMEMBERED - 1)
}

function filled(fill: (place: ChunkPlace, to: KeyNumbers) => void): (place: ChunkPlace) => KeyNumbers {
  let to: KeyNumbers = { firsts: new Float64Array(0), seconds: new Float64Array(0) }
  return (place) => {
    if (to.firsts.length < place.rows)
      to = { firsts: new Float64Array(place.rows), seconds: new Float64Array(place.rows) }
    fill(place, to)
    return to
  }
}
