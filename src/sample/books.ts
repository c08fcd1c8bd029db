import { isBalanceAccount } from './accounts'
import type { Account } from './accounts'
import { dayFromDate, isoFromDay, yearOf } from './days'
import type { DayNumber } from './days'

/** One row of a voucher. Öre; debit is positive. */
export interface VoucherEntry {
  account: Account
  amount: number
  /** Object of dimension 1. */
  costCentre?: CostCentre
}
export const COST_CENTRES = { 10: 'Försäljning', 20: 'Lager', 30: 'Administration' } as const
export type CostCentre = keyof typeof COST_CENTRES

/** Series of vouchers and what they hold. */
const SERIES = {
  A: 'Manuella',
  B: 'Kundfakturor',
  C: 'Inbetalningar',
  D: 'Leverantörsfakturor',
  E: 'Utbetalningar',
  L: 'Löner',
}
export type VoucherSeries = keyof typeof SERIES

/** A voucher before it has its number. */
export interface VoucherDraft {
  day: DayNumber
  series: VoucherSeries
  text: string
  entries: VoucherEntry[]
}
export interface Voucher extends VoucherDraft {
  number: number
}
export type Balances = ReadonlyMap<Account, number>

/** One fiscal year: balances at its start and end in öre, and everything posted between. */
export interface FiscalYear {
  from: DayNumber
  to: DayNumber
  opening: Balances
  vouchers: Voucher[]
  /** Balance accounts at the end of the last day that is posted. */
  closing: Balances
  /** Result accounts over the year. */
  results: Balances
}

export const debit = (account: Account, amount: number, costCentre?: CostCentre): VoucherEntry => ({
  account,
  amount,
  ...(costCentre === undefined ? {} : { costCentre }),
})
export const credit = (account: Account, amount: number): VoucherEntry => debit(account, -amount)

/** Rounded to whole öre. */
export const vatOf = (net: number): number => Math.round(net / 4)

/** Adds entries to a copy of balances. */
export function withEntries(balances: Balances, entries: readonly VoucherEntry[]): Map<Account, number> {
  const sums = new Map(balances)
  for (const { account, amount } of entries) sums.set(account, (sums.get(account) ?? 0) + amount)
  return sums
}

/** Closes a year: numbers its vouchers by series in order of date, and adds up. */
export function closeYear(year: number, opening: Balances, drafts: readonly VoucherDraft[]): FiscalYear {
  const last = new Map<VoucherSeries, number>()
  const vouchers = drafts
    .toSorted((a, b) => a.day - b.day)
    .map((draft) => {
      const number = (last.get(draft.series) ?? 0) + 1
      last.set(draft.series, number)
      return { ...draft, number }
    })
  const end = withEntries(
    opening,
    vouchers.flatMap(({ entries }) => entries),
  )
  const of = (wanted: boolean): Balances =>
    new Map([...end].filter(([account]) => isBalanceAccount(account) === wanted).toSorted(([a], [b]) => a - b))
  return {
    from: dayFromDate(year, 1, 1),
    to: dayFromDate(year, 12, 31),
    opening,
    vouchers,
    closing: of(true),
    results: of(false),
  }
}

/** A sentence for whoever made a posting that does not add up: it can only be a fault of this room. */
export function assertBalanced(drafts: readonly VoucherDraft[]): void {
  const wrong = drafts.find(({ entries }) => entries.reduce((sum, { amount }) => sum + amount, 0) !== 0)
  if (wrong) throw new Error(`The voucher "${wrong.text}" of ${isoFromDay(wrong.day)} does not balance.`)
}

export const draftsOfYear = (drafts: readonly VoucherDraft[], year: number): VoucherDraft[] =>
  drafts.filter(({ day }) => yearOf(day) === year)
