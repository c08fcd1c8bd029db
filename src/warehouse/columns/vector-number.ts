import type { Numbers } from './vectors'

/** A number per row: whole ones scaled by 10^scale whose size is at most `bound`, or floating point. */
export interface VectorNumber {
  kind: 'exact' | 'real'
  /** Not to be read of numbers that 53 bits do not hold: of these there are only parts. */
  numbers: Numbers
  /** Whole numbers whose sum is the number, where 53 bits do not hold it; a part that is empty makes the number so. */
  parts: readonly Numbers[] | null
  scale: number
  bound: bigint
}
