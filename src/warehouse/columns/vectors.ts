import { workingArrays, type WorkingArrays } from './working-arrays'

/** The chunk that is being read. */
export interface ChunkPlace {
  chunk: number
  rows: number
}
/** A number for each row of a chunk; NaN is an empty cell. What is handed out holds until another chunk is read. */
export type Numbers = (place: ChunkPlace) => Float64Array
/** A whole number for each row of a chunk. */
export type Codes = (place: ChunkPlace) => Int32Array
/** 1 for each row that passes, else 0. */
export type Mask = (place: ChunkPlace) => Uint8Array

/**
 * Works each chunk out once, into an array that is used again for the next one that is not longer.
 * @param fill has its loop in itself: a loop is compiled while it runs, and one that was taken up into another function only
 * after that was called often
 */
function onceEach<T extends { length: number }>(
  kind: (from: WorkingArrays, rows: number) => T,
  fill: (place: ChunkPlace, to: T) => void,
): (place: ChunkPlace) => T {
  const arrays = workingArrays()
  let to: T | null = null
  let at = -1
  return (place) => {
    if (!to || to.length < place.rows) to = kind(arrays, place.rows)
    if (at !== place.chunk) {
      // Left half done, it is begun again.
      at = -1
      fill(place, to)
      at = place.chunk
    }
    return to
  }
}
export const numbersOf = (fill: (place: ChunkPlace, to: Float64Array) => void): Numbers =>
  onceEach((from, rows) => from.numbers(rows), fill)
export const codesOf = (fill: (place: ChunkPlace, to: Int32Array) => void): Codes =>
  onceEach((from, rows) => from.codes(rows), fill)
export const maskOf = (fill: (place: ChunkPlace, to: Uint8Array) => void): Mask =>
  onceEach((from, rows) => from.marks(rows), fill)

/** Null passes every row. */
export type MaybeMask = Mask | null

/** Rows that pass all of these. */
export function allOf(masks: readonly MaybeMask[]): MaybeMask {
  const real = masks.filter((mask) => mask !== null)
  const [first, second] = real
  if (!first || !second) return first ?? null
  return maskOf((place, to) => {
    to.set(first(place).subarray(0, place.rows))
    for (const mask of real.slice(1)) {
      const other = mask(place)
      for (let i = 0; i < place.rows; i += 1) to[i] = (to[i] ?? 0) & (other[i] ?? 0)
    }
  })
}
/** Rows that pass any of these; none when there is none. */
export function anyOf(masks: readonly Mask[]): Mask {
  const [first, second] = masks
  if (first && !second) return first
  return maskOf((place, to) => {
    to.fill(0, 0, place.rows)
    for (const mask of masks) {
      const other = mask(place)
      for (let i = 0; i < place.rows; i += 1) to[i] = (to[i] ?? 0) | (other[i] ?? 0)
    }
  })
}
export const noneOf = (mask: Mask): Mask =>
  maskOf((place, to) => {
    const other = mask(place)
    for (let i = 0; i < place.rows; i += 1) to[i] = (other[i] ?? 0) ^ 1
  })

/** What stands for each row's code. */
export const numbersByCode = (codes: Codes, table: Float64Array): Numbers =>
  numbersOf((place, to) => {
    const own = codes(place)
    for (let i = 0; i < place.rows; i += 1) to[i] = table[own[i] ?? 0] ?? Number.NaN
  })
/** The same of whole numbers; −1 of a code that is not in the table. */
export const codesByCode = (codes: Codes, table: Int32Array): Codes =>
  codesOf((place, to) => {
    const own = codes(place)
    for (let i = 0; i < place.rows; i += 1) to[i] = table[own[i] ?? 0] ?? -1
  })

/** Rows whose code is marked. */
export const marked = (codes: Codes, marks: Uint8Array): Mask =>
  maskOf((place, to) => {
    const own = codes(place)
    for (let i = 0; i < place.rows; i += 1) to[i] = marks[own[i] ?? 0] ?? 0
  })

// Without branches: which rows pass cannot be foreseen, and a wrong guess costs as much as six right ones.
/** Rows whose number is within bounds, both included; an empty cell is not. */
export const within = (numbers: Numbers, low: number, high: number): Mask =>
  maskOf((place, to) => {
    const values = numbers(place)
    for (let i = 0; i < place.rows; i += 1) {
      const value = values[i] ?? Number.NaN
      to[i] = Number(value >= low) & Number(value <= high)
    }
  })
/** Rows whose number is less, or more; an empty cell is neither. */
export const below = (numbers: Numbers, limit: number): Mask =>
  maskOf((place, to) => {
    const values = numbers(place)
    for (let i = 0; i < place.rows; i += 1) to[i] = Number((values[i] ?? Number.NaN) < limit)
  })
export const above = (numbers: Numbers, limit: number): Mask =>
  maskOf((place, to) => {
    const values = numbers(place)
    for (let i = 0; i < place.rows; i += 1) to[i] = Number((values[i] ?? Number.NaN) > limit)
  })
/** Rows whose number is among these. */
export const among = (numbers: Numbers, wanted: ReadonlySet<number>): Mask => {
  const [only, second] = wanted
  if (only !== undefined && second === undefined) return within(numbers, only, only)
  return maskOf((place, to) => {
    const values = numbers(place)
    for (let i = 0; i < place.rows; i += 1) to[i] = wanted.has(values[i] ?? Number.NaN) ? 1 : 0
  })
}
export const emptyNumbers = (numbers: Numbers): Mask =>
  maskOf((place, to) => {
    const values = numbers(place)
    for (let i = 0; i < place.rows; i += 1) to[i] = Number(Number.isNaN(values[i] ?? Number.NaN))
  })

/** Rows whose code is not 0. */
export const presentCodes = (codes: Codes): Mask =>
  maskOf((place, to) => {
    const own = codes(place)
    for (let i = 0; i < place.rows; i += 1) to[i] = Number(own[i] !== 0)
  })
