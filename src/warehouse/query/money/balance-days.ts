import type { LiveDataset } from '../../physical-layout'
import { addMonths, dayFromIso } from '../../../shared/dates'
import type { ColumnKey } from '../../../shared/data-sources/files'

/** Columns that say of when a balance of an account is: its fiscal year, and whether it opens or closes it. */
export interface BalanceColumns {
  year: ColumnKey
  kind: ColumnKey
}
const KNOWN_BY = ['account', 'amount']
/** What the kind of a balance that opens its year is called. */
export const OPENING_KIND = 'IB'

/** Balances of accounts as books are read: their rows have no day of their own. Null for other datasets. */
export function balanceColumns({ columns }: Pick<LiveDataset, 'columns'>): BalanceColumns | null {
  const find = (label: string): ColumnKey | undefined =>
    columns.find((column) => column.type === 'text' && column.label.toLowerCase().replaceAll(' ', '_') === label)?.key
  const [year, kind] = [find('fiscal_year'), find('kind')]
  const isKnown = KNOWN_BY.every((label) => columns.some((column) => column.label.toLowerCase() === label))
  return year !== undefined && kind !== undefined && isKnown ? { year, kind } : null
}

/**
 * The days that the balances of a fiscal year are of: closing ones the last of it, opening ones the last before it; today for
 * a year that has not ended, and for one that is not known. Years are named as books name them: `2024`, `2024-07/2025-06`.
 */
export function daysOfBalances(year: string | null, today: number): { opening: number; closing: number } {
  const lastBefore = (day: number | null): number => (day === null ? today : Math.min(day - 1, today))
  const chars = Array.from(year ?? '')
  const first = (month: string, months: number): number | null => {
    const day = dayFromIso(`${month}-01`)
    return day === null ? null : addMonths(day, months)
  }
  if (chars.length === 4)
    return { opening: lastBefore(first(`${year}-01`, 0)), closing: lastBefore(first(`${year}-01`, 12)) }
  if (chars.length !== 15) return { opening: today, closing: today }
  return {
    opening: lastBefore(first(chars.slice(0, 7).join(''), 0)),
    closing: lastBefore(first(chars.slice(8).join(''), 1)),
  }
}
