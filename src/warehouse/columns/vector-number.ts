import type { Numbers } from './vectors'
import type { LiveDataset } from '../physical-layout'
import { SAFE_MAX } from '../query/expressions/decimal'
import type { Column } from '../../shared/data-sources/data-sources'

/** A number per row: whole ones scaled by 10^scale whose size is at most `bound`, or floating point. */
export interface VectorNumber {
  kind: 'exact' | 'real'
  /** Not to be read of numbers that 53 bits do not hold: of these there are only parts. */
  numbers: Numbers
  /** Whole numbers whose sum is the number, where 53 bits do not hold it; a part that is empty makes the number so. */
  parts: readonly Numbers[] | null
  scale: number
  bound: bigint
  /** Of an exact product: what it is of. */
  factors?: readonly [VectorNumber, VectorNumber]
}

/** What numbers come out as, without any of them being read. */
export type NumberShape = Pick<VectorNumber, 'kind' | 'scale' | 'bound'>

/** More days than lie between any two dates. */
export const DAYS_BOUND = 4_000_000n
export const REAL: NumberShape = { kind: 'real', scale: 0, bound: 0n }
export const exactShape = (scale: number, bound: bigint): NumberShape => ({ kind: 'exact', scale, bound })
export const CONDITION = exactShape(0, 1n)

/** What the numbers of a stored column are. */
export function columnShape({ key, type, scale }: Column, bounds: LiveDataset['bounds']): NumberShape {
  if (type === 'boolean') return CONDITION
  if (type === 'date') return exactShape(0, DAYS_BOUND)
  if (type !== 'integer' && scale === undefined) return REAL
  const { min, max } = bounds[key] ?? { min: Number(-SAFE_MAX), max: Number(SAFE_MAX) }
  const known = [min ?? 0, max ?? 0].every((value) => Number.isSafeInteger(value))
  const bound = known ? Math.max(Math.abs(min ?? 0), Math.abs(max ?? 0)) : Number(SAFE_MAX)
  return exactShape(type === 'integer' ? 0 : (scale ?? 0), BigInt(bound))
}
