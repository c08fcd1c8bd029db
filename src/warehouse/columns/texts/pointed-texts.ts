import type { ColumnTable } from '../column-table'
import type { RowSource, TextVectors } from '../column-vectors'
import { gatheredCodes, gatheredMask, type ChunkPlace } from '../vectors'
import type { RelationEdge } from '../../query/plan/relation-graph'

/** Texts of other rows, seen from rows that point at them. */
export function pointedTexts(
  here: Pick<RowSource, 'rowOf'>,
  edge: RelationEdge,
  { there, inner }: { there: Pick<RowSource, 'table'>; inner: TextVectors },
): TextVectors {
  const { table } = there
  const whole = wholeVector(table, inner.codes(), new Int32Array(table.rows))
  const codes = gatheredCodes(here.rowOf(edge), whole, 0)
  return {
    codes: () => codes,
    count: inner.count,
    wordAt: inner.wordAt,
    words: inner.words,
    passing(test) {
      const mask = inner.passing(test)
      const passes = wholeVector(table, mask, new Uint8Array(table.rows))
      return gatheredMask(here.rowOf(edge), passes, Number(test(null)))
    },
    cells: () => null,
  }
}

/** A column's values of all rows. */
export function wholeVector<T extends Float64Array | Int32Array | Uint8Array>(
  { chunks }: Pick<ColumnTable, 'chunks'>,
  vector: (place: ChunkPlace) => { subarray(from: number, to: number): ArrayLike<number> },
  to: T,
): T {
  let at = 0
  for (const [chunk, rows] of chunks.entries()) {
    to.set(vector({ chunk, rows }).subarray(0, rows), at)
    at += rows
  }
  return to
}
