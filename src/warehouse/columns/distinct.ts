import { CHUNK_ROWS } from './chunk'
import { NeedsRows } from './column-table'
import { GroupNumbers, whole, type Fold } from './fold'
import { NumberIndex } from './number-index'
import type { Codes, Numbers } from './vectors'

/** How many different values. */
export function distinctFold(of: { numbers: Numbers } | { codes: Codes; words: number }): Fold {
  return 'codes' in of ? distinctCodes(of) : distinctNumbers(of)
}
const PAIRS_MAX = 2 ** 20
const SPREAD = 2 ** 26
/** Pairs of a group and a code that have a place in a table. */
const MARKS_MAX = 2 ** 23

function distinctCodes({ codes, words }: { codes: Codes; words: number }): Fold {
  const counts = new GroupNumbers()
  let marks: Uint8Array | null = new Uint8Array(0)
  const pairs = new NumberIndex()
  /** Too many groups for a table: what it holds goes over. */
  const leaveTable = (): void => {
    for (const [at, mark] of marks?.entries() ?? [])
      if (mark === 1) pairs.placeOf(Math.floor(at / words) * SPREAD + (at % words))
    marks = null
  }
  return {
    isCount: true,
    grow(groups) {
      counts.grow(groups)
      if (!marks || groups * words <= marks.length) return
      if (groups * words > MARKS_MAX) return leaveTable()
      const longer = new Uint8Array(groups * words)
      longer.set(marks)
      marks = longer
    },
    add(place, keys) {
      if (marks) markDistinct(counts.values, keys, { codes: codes(place), marks, words }, place.rows)
      else pairUp(counts.values, keys, { codes: codes(place), pairs }, place.rows)
    },
    value: (group) => whole(counts.at(group)),
    order: (group) => counts.at(group),
  }
}
function markDistinct(
  counts: Float64Array,
  keys: Int32Array,
  { codes, marks, words }: { codes: Int32Array; marks: Uint8Array; words: number },
  rows: number,
): void {
  for (let i = 0; i < rows; i += 1) {
    const key = keys[i] ?? 0
    const code = codes[i] ?? 0
    const at = key * words + code
    if (key === 0 || code === 0 || marks[at] !== 0) continue
    marks[at] = 1
    counts[key] = (counts[key] ?? 0) + 1
  }
}
function pairUp(
  counts: Float64Array,
  keys: Int32Array,
  { codes, pairs }: { codes: Int32Array; pairs: NumberIndex },
  rows: number,
): void {
  if (pairs.size > PAIRS_MAX) throw new NeedsRows()
  for (let i = 0; i < rows; i += 1) {
    const key = keys[i] ?? 0
    const code = codes[i] ?? 0
    if (key === 0 || code === 0) continue
    const before = pairs.size
    if (pairs.placeOf(key * SPREAD + code) === before) counts[key] = (counts[key] ?? 0) + 1
  }
}

function distinctNumbers({ numbers }: { numbers: Numbers }): Fold {
  const values = new NumberIndex()
  const pairs = new NumberIndex()
  const counts = new GroupNumbers()
  const places = new Int32Array(CHUNK_ROWS)
  return {
    isCount: true,
    grow: (groups) => counts.grow(groups),
    add(place, keys) {
      if (values.size > PAIRS_MAX) throw new NeedsRows()
      const own = numbers(place)
      for (let i = 0; i < place.rows; i += 1) {
        const value = own[i] ?? Number.NaN
        places[i] = keys[i] === 0 || Number.isNaN(value) ? 0 : values.placeOf(value) + 1
      }
      pairUp(counts.values, keys, { codes: places, pairs }, place.rows)
    },
    value: (group) => whole(counts.at(group)),
  }
}
