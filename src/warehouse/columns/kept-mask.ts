import { maskOf, type ChunkPlace, type Mask } from './vectors'
import type { ColumnBounds } from '../contract'
import type { ColumnKey } from '../../shared/data-sources/files'

/** How many rows somebody may see, and between which values some of their columns lie. */
export interface VisibleRows {
  count: number
  bounds: Partial<Record<ColumnKey, ColumnBounds>>
}

/** A bit for each row of a chunk, from the lowest on; all of them, or none. */
type ChunkBits = Uint8Array | 'all' | 'none'

/** What tells a mask's rows as they lie. */
export interface MaskSource {
  mask: Mask
  /** Whether everything that was read to tell them is named by what the mask is kept under. */
  isNamed: () => boolean
}

/** Which rows of one version of a dataset pass, told chunk by chunk as they are asked for, and kept between questions. */
export class KeptMask {
  /** At most, however many chunks are told. */
  readonly bytes: number
  readonly #chunks: (ChunkBits | undefined)[] = []
  #seen: { id: string; rows: VisibleRows } | null = null

  /** @param id what it is kept under */
  constructor(rows: number, id: string) {
    this.bytes = Math.ceil(rows / 8) + id.length * 2
  }

  /** False where no row of a chunk passes, as far as is known. */
  mayHold(chunk: number): boolean {
    return this.#chunks[chunk] !== 'none'
  }

  /** @param make is asked for chunks that were not told before */
  mask(make: () => MaskSource): Mask {
    let source: MaskSource | null = null
    return maskOf((place, to) => {
      const known = this.#chunks[place.chunk]
      if (known === undefined) {
        source ??= make()
        to.set(source.mask(place).subarray(0, place.rows))
        if (source.isNamed()) this.#chunks[place.chunk] = bitsOf(to, place)
      } else if (known === 'all' || known === 'none') to.fill(known === 'all' ? 1 : 0, 0, place.rows)
      else spread(known, to, place.rows)
    })
  }

  /** What was told of all rows that pass. @param id tells what is asked; only the last is kept */
  seen(id: string): VisibleRows | null {
    return this.#seen?.id === id ? this.#seen.rows : null
  }
  /** @param chunks of the dataset; where not all are kept, nothing that is told of them is */
  keepSeen(id: string, rows: VisibleRows, chunks: number): void {
    for (let chunk = 0; chunk < chunks; chunk += 1) if (this.#chunks[chunk] === undefined) return
    this.#seen = { id, rows }
  }
}

function bitsOf(marks: Uint8Array, { rows }: ChunkPlace): ChunkBits {
  const bits = new Uint8Array(Math.ceil(rows / 8))
  let passing = 0
  for (let i = 0; i < rows; i += 1) {
    const mark = marks[i] ?? 0
    passing += mark
    bits[i >> 3] = (bits[i >> 3] ?? 0) | (mark << (i & 7))
  }
  return passing === rows ? 'all' : passing === 0 ? 'none' : bits
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
