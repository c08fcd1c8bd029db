import type { ColumnTable } from '../column-table'
import { codesOf, maskOf, numbersOf, type Codes, type Mask, type Numbers } from '../vectors'

interface WholeSource {
  table: Pick<ColumnTable, 'chunks' | 'rows'>
  /** Told how many bytes more are held. */
  holdBytes(bytes: number): void
}
type Narrow = Uint8Array | Uint16Array | Uint32Array

/** The narrowest array for whole numbers from 0 up to a greatest; null: they are too far apart. */
function narrowArray(source: WholeSource, most: number): Narrow | null {
  const { rows } = source.table
  const bytes = most < 2 ** 8 ? 1 : most < 2 ** 16 ? 2 : 4
  if (most >= 2 ** 32) return null
  source.holdBytes(rows * bytes)
  return bytes === 1 ? new Uint8Array(rows) : bytes === 2 ? new Uint16Array(rows) : new Uint32Array(rows)
}

/**
 * A column's values of all rows, seen from rows that point at them (−1: at none), in as few bytes as they need: whole
 * numbers as their distance from the one below the least, 0 for an empty cell.
 */
export function wholeNumbers(source: WholeSource, numbers: Numbers): (rowOf: Codes) => Numbers {
  const { chunks, rows } = source.table
  const { least, most, isWhole } = endsOf(source, numbers)
  const below = least === Infinity ? 0 : least - 1
  const narrow = isWhole ? narrowArray(source, Math.max(0, most - below)) : null
  if (!narrow) source.holdBytes(rows * Float64Array.BYTES_PER_ELEMENT)
  const whole = narrow ?? new Float64Array(rows)
  let before = 0
  for (const [chunk, size] of chunks.entries()) {
    const values = numbers({ chunk, rows: size })
    // What is not a number becomes 0 in an array of whole ones.
    if (narrow) for (let i = 0; i < size; i += 1) narrow[before + i] = (values[i] ?? Number.NaN) - below
    else whole.set(values.subarray(0, size), before)
    before += size
  }
  return (rowOf) =>
    numbersOf((place, to) => {
      const own = rowOf(place)
      if (narrow) gatherNarrow(to, own, { narrow, below }, place.rows)
      else for (let i = 0; i < place.rows; i += 1) to[i] = whole[own[i] ?? -1] ?? Number.NaN
    })
}
function gatherNarrow(
  to: Float64Array,
  rowOf: Int32Array,
  { narrow, below }: { narrow: Narrow; below: number },
  rows: number,
): void {
  for (let i = 0; i < rows; i += 1) {
    const row = rowOf[i] ?? -1
    const distance = row < 0 ? 0 : (narrow[row] ?? 0)
    to[i] = distance === 0 ? Number.NaN : distance + below
  }
}

function endsOf({ table }: WholeSource, numbers: Numbers): { least: number; most: number; isWhole: boolean } {
  let [least, most, isWhole] = [Infinity, -Infinity, true]
  for (const [chunk, rows] of table.chunks.entries()) {
    const values = numbers({ chunk, rows })
    for (let i = 0; i < rows; i += 1) {
      const value = values[i] ?? Number.NaN
      if (Number.isNaN(value)) continue
      if (value < least) least = value
      if (value > most) most = value
      if (!Number.isSafeInteger(value) || Object.is(value, -0)) isWhole = false
    }
  }
  return { least, most, isWhole }
}

/** The same of codes, 0 where a row points at none. */
export function wholeCodes(source: WholeSource, codes: Codes, count: number): (rowOf: Codes) => Codes {
  const whole = narrowArray(source, count)
  if (!whole) throw new TypeError('There are fewer texts than that.')
  let before = 0
  for (const [chunk, rows] of source.table.chunks.entries()) {
    whole.set(codes({ chunk, rows }).subarray(0, rows), before)
    before += rows
  }
  return (rowOf) =>
    codesOf((place, to) => {
      const own = rowOf(place)
      for (let i = 0; i < place.rows; i += 1) to[i] = whole[own[i] ?? -1] ?? 0
    })
}

/** The same of rows that pass. @param missing whether a row passes that points at none */
export function wholeMask(source: WholeSource, mask: Mask, missing: boolean): (rowOf: Codes) => Mask {
  const whole = new Uint8Array(source.table.rows)
  source.holdBytes(whole.length)
  let before = 0
  for (const [chunk, rows] of source.table.chunks.entries()) {
    whole.set(mask({ chunk, rows }).subarray(0, rows), before)
    before += rows
  }
  return (rowOf) =>
    maskOf((place, to) => {
      const own = rowOf(place)
      for (let i = 0; i < place.rows; i += 1) to[i] = whole[own[i] ?? -1] ?? Number(missing)
    })
}
