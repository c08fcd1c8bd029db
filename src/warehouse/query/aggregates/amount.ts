import { bucketText, momentText } from '../time/buckets'
import { isoFromDay } from '../../../shared/dates'
import { quotient, subtract, toCell, toNumber, type ExactDecimal } from '../expressions/decimal'
import type { Grain } from '../../../shared/query/date-range'
import type { Cell } from '../../../shared/query/result'
import type { Column } from '../../../shared/data-sources/data-sources'

/** A figure before it is shown: exact as long as it was computed exactly. */
export type Amount = ExactDecimal | Cell

export const isExact = (amount: Amount): amount is ExactDecimal => typeof amount === 'object' && amount !== null
export const cellOf = (amount: Amount): Cell => (isExact(amount) ? toCell(amount) : amount)

/** A stored whole number of so many decimals. */
export function exactFrom(cell: SqlStorageValue | undefined, scale: number): ExactDecimal | null {
  return typeof cell === 'number' || typeof cell === 'string' ? { n: BigInt(cell), scale } : null
}
export const realFrom = (cell: SqlStorageValue | undefined): number | null =>
  typeof cell === 'number' && Number.isFinite(cell) ? cell : null

/** a / b; nothing when either is missing or b is 0. */
export function divide(a: Amount, b: Amount): number | null {
  if (isExact(a) && isExact(b))
    return b.n === 0n ? null : finite(quotient(a.n * 10n ** BigInt(b.scale), b.n * 10n ** BigInt(a.scale)))
  const [top, under] = [numberOf(a), numberOf(b)]
  return top === null || under === null || under === 0 ? null : finite(top / under)
}
const finite = (value: number): number | null => (Number.isFinite(value) ? value : null)
export const numberOf = (amount: Amount): number | null =>
  isExact(amount) ? toNumber(amount) : typeof amount === 'number' ? amount : null

/** Now and before → the change, and the change as a share of before. */
export function changeOf(now: Amount, before: Amount): { change: Amount; share: number | null } {
  const exact = isExact(now) && isExact(before)
  const [a, b] = [numberOf(now), numberOf(before)]
  if (a === null || b === null) return { change: null, share: null }
  const change: Amount = exact ? subtract(now, before) : a - b
  const share = divide(change, before)
  return { change, share: share !== null && b < 0 ? -share : share }
}

/** A stored value as the answer shows it. */
export function valueFrom(column: Pick<Column, 'type' | 'scale' | 'zoned'>, cell: SqlStorageValue | undefined): Amount {
  if (cell === null || cell === undefined || cell instanceof ArrayBuffer) return null
  switch (column.type) {
    case 'text':
      return String(cell)
    case 'boolean':
      return cell !== 0
    case 'integer':
      return exactFrom(cell, 0)
    case 'number':
      return column.scale === undefined ? realFrom(cell) : exactFrom(cell, column.scale)
    case 'date':
      return isoFromDay(Number(cell))
    case 'datetime':
      return momentText(Number(cell), column.zoned === true)
  }
}

/** A group's value: a bucket of time, or the stored value itself. */
export function groupFrom(column: Column, grain: Grain | undefined, cell: SqlStorageValue | undefined): Cell {
  if (grain !== undefined && typeof cell === 'number') return bucketText(cell, grain)
  return cellOf(valueFrom(column, cell))
}
