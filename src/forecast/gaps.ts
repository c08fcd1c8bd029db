export interface FilledSeries {
  values: Float64Array
  /** Places in what was given. */
  filled: number[]
  /** Places before the first and after the last known value. */
  before: number
  after: number
}

/**
 * A series without holes: what is unknown at the ends is left out, a hole in between gets the mean of the same place one season before
 * and after, or lies on the line between its neighbours. Values that are no numbers count as unknown.
 */
export function fillGaps(given: readonly (number | null)[], season: number): FilledSeries {
  const known = (at: number): number | null => {
    const v = given[at]
    return typeof v === 'number' && Number.isFinite(v) ? v : null
  }
  let first = 0
  let last = given.length - 1
  while (first <= last && known(first) === null) first++
  while (last >= first && known(last) === null) last--
  const values = new Float64Array(Math.max(0, last - first + 1))
  const filled: number[] = []
  let left = first
  for (let at = first; at <= last; at++) {
    const own = known(at)
    if (own !== null) {
      values[at - first] = own
      left = at
      continue
    }
    filled.push(at)
    const earlier = season > 1 ? known(at - season) : null
    const later = season > 1 ? known(at + season) : null
    values[at - first] = earlier !== null && later !== null ? earlier / 2 + later / 2 : interpolateGap(known, left, at)
  }
  return { values, filled, before: first, after: given.length - 1 - last }
}

/** On the line from the known value at `left` to the next known one. */
function interpolateGap(known: (at: number) => number | null, left: number, at: number): number {
  let right = at + 1
  let end = known(right)
  while (end === null) end = known(++right)
  const share = (at - left) / (right - left)
  return (known(left) ?? 0) * (1 - share) + end * share
}
