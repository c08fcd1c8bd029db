import type { StatementKind, StatementNotice, StatementRow } from '../../shared/statements/statements'
import { firstDayOf, monthText } from './months'
import type { YearFigures } from './figures'
import type { LoadedBooks } from './context'
import { unitsText } from './units'

interface NoticeInput {
  loaded: LoadedBooks
  rows: readonly StatementRow[]
  /** Only entries of one object are shown, or each object's own. */
  isFiltered: boolean
  statement: StatementKind
  decimals: number
}

/** Accounts that a notice names. */
const ACCOUNTS_MAX = 20

/** What is missing or does not add up, of the years that are shown. */
export function noticesOf({ loaded, rows, isFiltered, statement, decimals }: NoticeInput): StatementNotice[] {
  const { books, period, lineOf, outline } = loaded
  const shown = books.years.filter(({ year }) =>
    period.spans.some(({ span }) => year.from <= span.to && span.from <= year.to),
  )
  const hasBalances = statement !== 'income'
  const wholeYears = shown.flatMap(({ year }) => (year.detail === 'year' ? [year.name] : []))
  const noOpening = shown.find(({ opening }) => opening === null)
  const undated = shown.reduce((sum, { year }) => sum + year.undated, 0)
  const unclassified = [...new Set(shown.flatMap(accountsOf))].filter((account) =>
    lineOf(account).startsWith('unclassified'),
  )
  const last = (key: string): string | null => {
    const values = rows.find((row) => row.key === key)?.values.filter((value) => value !== null) ?? []
    return values.find((value) => Number(value) !== 0) ?? null
  }
  const [carried, difference] = [last('carried'), last('difference')]
  const isRunning = period.year.detail !== 'year' && period.through < period.year.to
  return [
    ...(isRunning ? [{ kind: 'running' as const, through: monthText(period.through) }] : []),
    ...(hasBalances && noOpening ? [{ kind: 'noOpening' as const, from: firstDayOf(noOpening.year.from) }] : []),
    ...(wholeYears.length > 0 ? [{ kind: 'yearOnly' as const, years: wholeYears }] : []),
    ...(unclassified.length > 0
      ? [{ kind: 'unclassified' as const, accounts: unclassified.toSorted().slice(0, ACCOUNTS_MAX) }]
      : []),
    ...(carried === null ? [] : [{ kind: 'carriedResult' as const, amount: carried }]),
    ...(difference === null ? [] : [{ kind: 'unbalanced' as const, amount: difference }]),
    ...(undated > 0 ? [{ kind: 'undated' as const, count: undated }] : []),
    ...(isFiltered ? [] : shown.flatMap((year) => mismatchOf(year, outline.stated.get(year.year.name), decimals))),
  ]
}

/** Accounts with figures in a year. */
function accountsOf({ months, whole }: YearFigures): string[] {
  return [...(whole?.keys() ?? []), ...[...months.values()].flatMap((accounts) => [...accounts.keys()])]
}

/** Accounts whose entries do not come to the closing balance or result that the file states. */
function mismatchOf(
  { year, opening, months, whole }: YearFigures,
  stated: { closing: Map<string, bigint>; result: Map<string, bigint> } | undefined,
  decimals: number,
): StatementNotice[] {
  if (!stated || whole) return []
  const moved = new Map<string, bigint>()
  for (const accounts of months.values())
    for (const [account, { amount }] of accounts) moved.set(account, (moved.get(account) ?? 0n) + amount)
  const differs = (account: string, wanted: bigint, got: bigint): boolean =>
    unitsText(wanted, decimals) !== unitsText(got, decimals) && account !== ''
  const accounts = [
    ...[...stated.closing].filter(([account, wanted]) =>
      differs(account, wanted, (opening?.get(account) ?? 0n) + (moved.get(account) ?? 0n)),
    ),
    ...[...stated.result].filter(([account, wanted]) => differs(account, wanted, moved.get(account) ?? 0n)),
  ].map(([account]) => account)
  return accounts.length === 0
    ? []
    : [{ kind: 'mismatch', year: year.name, accounts: [...new Set(accounts)].toSorted().slice(0, ACCOUNTS_MAX) }]
}
