import type { StatementKind, StatementNotice, StatementRow } from '../../shared/statements/statements'
import { lastActiveMonth } from './columns'
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
  const wholeYears = outline.years.flatMap(({ name, detail, from, to }) =>
    detail === 'year' && period.spans.some(({ span }) => from <= span.to && span.from <= to) ? [name] : [],
  )
  const unknown = period.spans.find(({ span }) => books.facts(span) === null)
  const noOpening = shown.find(({ opening }) => opening === null)
  const undated = shown.reduce((sum, { year }) => sum + year.undated, 0)
  const unclassified = [...new Set(shown.flatMap(accountsOf))].filter((account) =>
    lineOf(account).startsWith('unclassified'),
  )
  const firstAmount = (key: string): string | null =>
    rows.find((row) => row.key === key)?.values.find((value) => value !== null && Number(value) !== 0) ?? null
  const [carried, difference] = [firstAmount('carried'), firstAmount('difference')]
  const last = lastActiveMonth(period.year)
  return [
    ...(last < period.year.to ? [{ kind: 'running' as const, through: monthText(last) }] : []),
    ...(unknown
      ? [{ kind: 'unknown' as const, from: monthText(unknown.span.from), to: monthText(unknown.span.to) }]
      : []),
    ...(hasBalances && noOpening ? [{ kind: 'noOpening' as const, from: firstDayOf(noOpening.year.from) }] : []),
    ...(wholeYears.length > 0 ? [{ kind: 'yearOnly' as const, years: wholeYears }] : []),
    ...(unclassified.length > 0
      ? [{ kind: 'unclassified' as const, accounts: unclassified.toSorted().slice(0, ACCOUNTS_MAX) }]
      : []),
    ...(carried === null ? [] : [{ kind: 'carriedResult' as const, amount: carried }]),
    ...(difference === null ? [] : [{ kind: 'unbalanced' as const, amount: difference }]),
    ...shown.flatMap(({ year, completed }) =>
      completed.length === 0
        ? []
        : [
            {
              ...{ kind: 'completed' as const, year: year.name, month: monthText(lastActiveMonth(year)) },
              accounts: completed.toSorted().slice(0, ACCOUNTS_MAX),
            },
          ],
    ),
    ...(undated > 0 ? [{ kind: 'undated' as const, count: undated }] : []),
    ...(outline.uncounted > 0 ? [{ kind: 'uncounted' as const, count: outline.uncounted }] : []),
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
