import { maskOf, type ChunkPlace, type Mask } from './vectors'
import type { ColumnBounds } from '../contract'
import type { ColumnKey } from '../../shared/data-sources/files'

/** How many rows somebody may see, and between which values some of their columns lie. */
export interface VisibleRows {
  count: number
  bounds: Partial<Record<ColumnKey, ColumnBounds>>
}

/** A bit for each row of a chunk, from the lowest on; all of them, or none. */
export type RowBits = Uint8Array | 'all' | 'none'

/** Some rows of a table. */
export interface PickedRows {
  /** Of each chunk. */
  counts: readonly number[]
  /** Where they lie in a chunk. What is handed out holds until another chunk is asked for. */
  places: (chunk: number) => Uint16Array
  bytes: number
}

/** What tells a mask's rows as they lie. */
export interface MaskSource {
  mask: Mask
  /** Whether everything that was read to tell them is named by what the mask is kept under. */
  isNamed: () => boolean
}

/** Which rows of one version of a dataset pass, told chunk by chunk as they are asked for, and kept between questions. */
export class KeptMask {
  /** What it is kept under. */
  readonly name: string
  /** At most, however many chunks are told. */
  readonly bytes: number
  readonly #chunks: (RowBits | undefined)[] = []
  #seen: { id: string; rows: VisibleRows } | null = null

  constructor(rows: number, name: string) {
    this.name = name
    this.bytes = Math.ceil(rows / 8) + name.length * 2
  }

  /** False where no row of a chunk passes, as far as is known. */
  mayHold(chunk: number): boolean {
    return this.#chunks[chunk] !== 'none'
  }

  isTold(chunk: number): boolean {
    return this.#chunks[chunk] !== undefined
  }

  /** Tells a chunk, which is kept where all that was read for it is named. */
  bits(place: ChunkPlace, source: () => MaskSource): RowBits {
    const known = this.#chunks[place.chunk]
    if (known !== undefined) return known
    const { mask, isNamed } = source()
    const told = bitsOf(mask(place), place.rows)
    if (isNamed()) this.#chunks[place.chunk] = told
    return told
  }

  /** What was told of all rows that pass. @param id tells what is asked; only the last is kept */
  seen(id: string): VisibleRows | null {
    return this.#seen?.id === id ? this.#seen.rows : null
  }
  /** @param chunks of the dataset; where not all are kept, nothing that is told of them is */
  keepSeen(id: string, rows: VisibleRows, chunks: number): void {
    for (let chunk = 0; chunk < chunks; chunk += 1) if (!this.isTold(chunk)) return
    this.#seen = { id, rows }
  }
}

/** Rows that pass, as one question asks for them. */
export interface PassingRows {
  kept: KeptMask
  bits: (place: ChunkPlace) => RowBits
  mask: Mask
}
/** @param make is asked for chunks that were not told before */
export function passingRows(kept: KeptMask, make: () => MaskSource): PassingRows {
  let source: MaskSource | null = null
  const made = (): MaskSource => (source ??= make())
  const bits = (place: ChunkPlace): RowBits => kept.bits(place, made)
  const mask = maskOf((place, to) => {
    const own = bits(place)
    if (own === 'all' || own === 'none') to.fill(own === 'all' ? 1 : 0, 0, place.rows)
    else spread(own, to, place.rows)
  })
  return { kept, bits, mask }
}

/** Puts four marks, the lowest bits of four bytes, beside each other at the top. */
const FOUR_MARKS = 0x01_02_04_08

function bitsOf(marks: Uint8Array, rows: number): RowBits {
  const bits = new Uint8Array(Math.ceil(rows / 8))
  const whole = rows >> 3
  const words = new Int32Array(marks.buffer, marks.byteOffset, 2 * whole)
  let [any, every] = [0, 0xff]
  for (let i = 0; i < whole; i += 1) {
    const low = (Math.imul(words[2 * i] ?? 0, FOUR_MARKS) >>> 24) & 15
    const high = (Math.imul(words[2 * i + 1] ?? 0, FOUR_MARKS) >>> 24) & 15
    const own = low | (high << 4)
    bits[i] = own
    any |= own
    every &= own
  }
  for (let i = whole * 8; i < rows; i += 1) {
    const mark = marks[i] ?? 0
    bits[i >> 3] = (bits[i >> 3] ?? 0) | (mark << (i & 7))
    any |= mark
    every &= mark === 1 ? 0xff : 0
  }
  if (any === 0) return 'none'
  return every === 0xff ? 'all' : bits
}

/** Four marks for each of four bits, as a number has them in memory. */
const MARKS_OF_BITS = Uint32Array.from({ length: 16 }, (_, bits) => {
  const marks = Uint8Array.from({ length: 4 }, (_each, i) => (bits >> i) & 1)
  return new Uint32Array(marks.buffer)[0] ?? 0
})

function spread(bits: Uint8Array, to: Uint8Array, rows: number): void {
  const whole = rows >> 3
  const marks = new Uint32Array(to.buffer, to.byteOffset, 2 * whole)
  for (let i = 0; i < whole; i += 1) {
    const own = bits[i] ?? 0
    marks[2 * i] = MARKS_OF_BITS[own & 15] ?? 0
    marks[2 * i + 1] = MARKS_OF_BITS[own >> 4] ?? 0
  }
  for (let i = whole * 8; i < rows; i += 1) to[i] = ((bits[i >> 3] ?? 0) >> (i & 7)) & 1
}
