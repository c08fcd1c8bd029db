import { dayFromIso, firstOfMonth, isoFromDay, monthIndexOf } from '../../shared/dates'

/** Months since January of year 0; spans are inclusive. */
export interface Span {
  from: number
  to: number
}

/** The month of a day as ISO text; null for anything else. */
export function monthOf(day: unknown): number | null {
  const number = typeof day === 'string' ? dayFromIso(day.slice(0, 10)) : null
  return number === null ? null : monthIndexOf(number)
}
/** `2026-03` */
export const monthText = (month: number): string => isoFromDay(firstOfMonth(month)).slice(0, 7)
export const monthFromText = (text: string): number | null => monthOf(`${text}-01`)
export const firstDayOf = (month: number): string => isoFromDay(firstOfMonth(month))
export const lastDayOf = (month: number): string => isoFromDay(firstOfMonth(month + 1) - 1)
export const shift = ({ from, to }: Span, months: number): Span => ({ from: from + months, to: to + months })
export const clamp = (month: number, { from, to }: Span): number => Math.min(Math.max(month, from), to)

/** What an account moved: the sum, and what of it was debited (null where only the sum is known). Debit positive. */
export interface Movement {
  amount: bigint
  debit: bigint | null
}
