import { hashOfKey } from '../rows/key-index'
import { numberOfKey, type ComparisonSide, type Split } from '../splits'
import { maskOf, type ChunkPlace, type Mask } from '../vectors'

/** One of so many shares of all groups. */
export interface Share {
  of: number
  n: number
}

/** Rows of a share of all groups: a group is in the same share in every fact and in both sides. */
export function shareMask(splits: readonly Split[], side: ComparisonSide, { of, n }: Share): Mask {
  const values = splits.map((split) => numbersOfKeys(split, side))
  return maskOf((place, to) => {
    const own = values.map((each) => each(place))
    for (let row = 0; row < place.rows; row += 1)
      to[row] = Number(Math.floor((hashOfKey(own, row) / 2 ** 32) * of) === n)
  })
}

/** A number for each row's value; of those that are numbered beforehand, each is looked at once. */
function numbersOfKeys(split: Split, side: ComparisonSide): (place: ChunkPlace) => Float64Array {
  const { unnumbered } = split
  if (unnumbered) return (place) => unnumbered.numbers(place, side)
  const known: number[] = []
  let [ordinals, to] = [new Int32Array(0), new Float64Array(0)]
  return (place) => {
    if (to.length < place.rows) [ordinals, to] = [new Int32Array(place.rows), new Float64Array(place.rows)]
    split.fill(place, side, ordinals)
    for (let row = 0; row < place.rows; row += 1) {
      const ordinal = ordinals[row] ?? 0
      to[row] = ordinal < 0 ? Number.NaN : (known[ordinal] ??= numberOfKey(split.valueOf(ordinal)))
    }
    return to
  }
}
