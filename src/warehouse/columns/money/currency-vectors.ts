import { ExceedsBounds } from '../memory'
import type { ColumnVectors, RowSource } from '../column-vectors'
import { exactNumber } from '../number-expressions'
import type { Split } from '../splits'
import type { VectorNumber } from '../vector-number'
import { numbersByCode } from '../vectors'
import { MINOR_SCALE, minorUnitFactor } from '../../query/money/minor-units'
import type { ColumnKey } from '../../../shared/data-sources/files'
import type { Field } from '../../../shared/query/field'

/** A cell of a currency column as a code, as SQLite writes it: letters of ASCII in capitals, without spaces around. */
export const codeOfWord = (word: string): string =>
  word.replaceAll(/^ +| +$/g, '').replaceAll(/[a-z]/g, (letter) => letter.toUpperCase())

/** Rows told apart by the currency of their amounts. */
export function currencySplit(source: RowSource, field: Field, currency: ColumnKey): Split {
  const column = source.currency(field, currency)
  if (column.column.type !== 'text') throw new ExceedsBounds()
  const names: (string | null)[] = [null]
  const places = new Map<string, number>()
  const placeOf = (word: string): number => {
    const code = codeOfWord(word)
    const place = places.get(code) ?? names.push(code) - 1
    places.set(code, place)
    return place
  }
  const table = Int32Array.from([0, ...column.words().map(placeOf)])
  const codes = column.codes()
  return splitOf(names, (place, _arm, to) => {
    const own = codes(place)
    for (let i = 0; i < place.rows; i += 1) to[i] = table[own[i] ?? 0] ?? 0
  })
}
const splitOf = (names: readonly (string | null)[], fill: Split['fill']): Split => ({
  fill,
  size: names.length,
  known: () => names.length,
  valueOf: (ordinal) => names[ordinal] ?? null,
  isOther: () => false,
})

/** What each row's amount in smallest units is multiplied by, so that all have one scale. */
export function minorUnitFactors(currency: Pick<ColumnVectors, 'codes' | 'words'>): VectorNumber {
  const byCode = Float64Array.from([null, ...currency.words()], (word) =>
    minorUnitFactor(word === null ? null : codeOfWord(word)),
  )
  const most = byCode.reduce((a, b) => Math.max(a, b), 0)
  return exactNumber(numbersByCode(currency.codes(), byCode), MINOR_SCALE, BigInt(most))
}
