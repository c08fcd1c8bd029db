import type { Cell } from '../../shared/query/result'
import { lastActiveMonth } from './columns'
import { clamp, monthOf, type Movement } from './months'
import type { BookYear, StatedBalances } from './outline'
import { toUnits } from './units'

/** Amounts of one account, by month. */
type Months = Map<number, bigint>
interface AccountPeriods {
  /** Of rows that name no object; null without any. */
  own: Months | null
  /** Of all rows. */
  all: Months
}

export interface PeriodMovements {
  months: Map<number, Map<string, Movement>>
  /** Accounts whose months came short of the year: what was missing stands in the last month with figures. */
  completed: string[]
}

const sumOf = (months: Months): bigint => [...months.values()].reduce((sum, amount) => sum + amount, 0n)
const addTo = (months: Months, month: number, amount: bigint): void =>
  void months.set(month, (months.get(month) ?? 0n) + amount)

/** Rows of a `periodsPlan`, by account; those without a month by `monthAt` are left out. */
function periodsByAccount(
  rows: readonly Cell[][],
  monthAt: (day: Cell | undefined) => number | null,
): Map<string, AccountPeriods> {
  const accounts = new Map<string, AccountPeriods>()
  for (const [accountCell, day, own, all] of rows) {
    const month = monthAt(day)
    if (month === null) continue
    const account = String(accountCell ?? '')
    const periods = accounts.get(account) ?? { own: null, all: new Map() }
    accounts.set(account, periods)
    addTo(periods.all, month, toUnits(all))
    if (own === null || own === undefined) continue
    periods.own ??= new Map()
    addTo(periods.own, month, toUnits(own))
  }
  return accounts
}

/** The whole account: where rows without an object are there, those of objects are taken for its parts. */
const wholeAccount = ({ own, all }: AccountPeriods): Months => own ?? all

/** What the books state of a year. */
interface StatedYear {
  stated: StatedBalances | undefined
  opening: ReadonlyMap<string, bigint> | null
}
/** What an account moved in a year by what is stated of it; null where nothing is. */
function statedChange(account: string, { stated, opening }: StatedYear): bigint | null {
  const result = stated?.result.get(account)
  if (result !== undefined) return result
  const closing = stated?.closing.get(account)
  return closing === undefined || opening === null ? null : closing - (opening.get(account) ?? 0n)
}

/**
 * What accounts moved by month, from balances of periods (`#PSALDO`). Programs differ in rows without an object: for some
 * they are the whole account, and rows of objects its parts; for others only what belongs to no object. That reading is
 * taken which comes to what is stated for the year. What neither comes to stands in the last month with figures, so
 * that a year always comes to its balances.
 * @param rows answer of `periodsPlan`
 */
export function movementsOfPeriods(
  rows: readonly Cell[][],
  { year, ...statedYear }: StatedYear & { year: BookYear },
): PeriodMovements {
  const { stated } = statedYear
  const months = new Map<number, Map<string, Movement>>()
  const completed: string[] = []
  const byAccount = periodsByAccount(rows, (day) => clamp(monthOf(day) ?? lastActiveMonth(year), year))
  const known = [byAccount, stated?.closing, stated?.result].flatMap((accounts) => [...(accounts?.keys() ?? [])])
  for (const account of new Set(known)) {
    const periods = byAccount.get(account) ?? { own: null, all: new Map<number, bigint>() }
    const change = statedChange(account, statedYear)
    const whole = wholeAccount(periods)
    const chosen = sumOf(whole) !== change && sumOf(periods.all) === change ? periods.all : whole
    const missing = change === null ? 0n : change - sumOf(chosen)
    if (missing !== 0n) {
      completed.push(account)
      addTo(chosen, lastActiveMonth(year), missing)
    }
    for (const [month, amount] of chosen) {
      const accounts = months.get(month) ?? new Map<string, Movement>()
      months.set(month, accounts)
      accounts.set(account, { amount, debit: null })
    }
  }
  return { months, completed }
}

/** Budgets by month and account, added to `months`. @param rows answer of `periodsPlan` */
export function addBudgets(months: Map<number, Map<string, bigint>>, rows: readonly Cell[][]): void {
  for (const [account, periods] of periodsByAccount(rows, monthOf))
    for (const [month, amount] of wholeAccount(periods)) {
      const accounts = months.get(month) ?? new Map<string, bigint>()
      months.set(month, accounts)
      accounts.set(account, (accounts.get(account) ?? 0n) + amount)
    }
}
