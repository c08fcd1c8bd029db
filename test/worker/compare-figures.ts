import { numberOf, type Fraction } from './naive/values'
import type { Cell } from '../../src/shared/query/result'

/** Equal: texts exactly, numbers to 1e-9 of their size. */
export function isSameFigure(got: Cell | undefined, wanted: Cell | Fraction | undefined): boolean {
  if (typeof wanted !== 'object' || wanted === null) return got === wanted
  if (got === null || got === undefined || typeof got === 'boolean') return false
  const [a, b] = [Number(got), numberOf(wanted)]
  return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b))
}

/** As numbers, to be read. */
export const toReadableRows = (rows: (Cell | Fraction)[][]): unknown =>
  rows.map((cells) => cells.map((cell) => (typeof cell === 'object' && cell !== null ? numberOf(cell) : cell)))
