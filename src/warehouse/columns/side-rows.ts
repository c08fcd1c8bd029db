import type { RowSource } from './column-vectors'
import type { ChunkPlace, MaybeMask } from './vectors'

/** Rows of a period, or of what it is compared with. */
export interface ArmRows {
  mask: MaybeMask
  /** Whether a chunk can hold any of them. */
  mayHold: (chunk: number) => boolean
}

/** Sees a chunk that is being read. */
export type WatchChunk = (place: ChunkPlace) => void
/** What else is to see the rows of a fact. @param sides rows of the period, and of what it is compared with */
export type WatchRows = (source: RowSource, sides: readonly ArmRows[]) => WatchChunk
