import type { RowSource, TextVectors } from '../column-vectors'
import { ExceedsBounds, TooManyGroups } from '../memory'
import { wholeCodes, wholeMask } from './whole-columns'
import type { Codes } from '../vectors'
import type { RelationEdge } from '../../query/plan/relation-graph'

/** Texts of other rows, seen from rows that point at them. */
export function pointedTexts(
  here: Pick<RowSource, 'rowOf'>,
  edge: RelationEdge,
  { there, inner }: { there: Pick<RowSource, 'table' | 'holdBytes'>; inner: TextVectors },
): TextVectors {
  let codes: Codes | null = null
  const made = (): Codes => {
    codes ??= wholeCodes(there, inner.codes(), countOf(inner))(here.rowOf(edge))
    return codes
  }
  // Texts without a dictionary are not numbered for a condition on them.
  if (!inner.cells()) made()
  return {
    codes: made,
    count: inner.count,
    wordAt: inner.wordAt,
    words: inner.words,
    passing: (test) => wholeMask(there, inner.passing(test), test(null))(here.rowOf(edge)),
    cells: () => null,
  }
}

/** Other rows are not read in shares of the groups: too many texts of them are too many in any case. */
function countOf(inner: TextVectors): number {
  try {
    return inner.count()
  } catch (error) {
    throw error instanceof TooManyGroups ? new ExceedsBounds(error.max) : error
  }
}
