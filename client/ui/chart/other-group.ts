import type { QueryResult } from '../../../src/shared/query-result'

/** Does this row belong to the group of the rest of a top-N, in this dimension (0-based)? */
export function isOther(result: QueryResult, row: number, dimension: number): boolean {
  if (result.otherCells) return result.otherCells.some((cell) => cell.row === row && cell.dimension === dimension)
  return result.otherRow === row && dimension === 0
}
