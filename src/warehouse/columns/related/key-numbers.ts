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
