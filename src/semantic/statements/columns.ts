import type {
  StatementColumn,
  StatementColumnKind,
  StatementQuery,
  StatementView,
} from '../../shared/statements/statements'
import { clamp, monthFromText, monthText, shift, type Span } from './months'
import type { BookYear } from './outline'

/** Fiscal years beside each other. */
const YEARS_MAX = 5

/** Which months a statement is of. */
export interface StatementPeriod {
  view: StatementView
  year: BookYear
  through: number
  spans: { span: Span; total: boolean }[]
}

/** Last month of a year with figures; its own last one where only the year is known. */
export const lastActiveMonth = ({ active, to }: BookYear): number => active.at(-1) ?? to

/** The year, months and columns that are meant. Of a year that is known as a whole, only the whole can be shown. */
export function statementPeriod(
  years: readonly BookYear[],
  query: Pick<StatementQuery, 'view' | 'year' | 'through' | 'statement'>,
): StatementPeriod | null {
  const asked = query.through === undefined ? null : monthFromText(query.through)
  const named = years.find(({ name }) => name === query.year)
  const year = named ?? (asked === null ? undefined : yearAt(years, asked)) ?? years.at(-1)
  if (!year) return null
  const isWhole = year.detail === 'year'
  // Without a year, a month says how far at most: nothing is shown of months that have no figures yet.
  const last = asked === null || !named ? Math.min(asked ?? Infinity, lastActiveMonth(year)) : asked
  const through = isWhole ? year.to : clamp(last, year)
  const byMonth = query.view === 'months' || query.view === 'quarters'
  const fits = query.statement !== 'trial' && !(isWhole && (byMonth || query.view === 'rolling'))
  const view = fits ? query.view : 'ytd'
  return { view, year, through, spans: spansOf(view, { years, year, through, statement: query.statement }) }
}

/** The fiscal year that a month lies in; after all of them the newest. */
const yearAt = (years: readonly BookYear[], month: number): BookYear | undefined =>
  years.findLast(({ from, to }) => from <= month && month <= to) ?? years.findLast(({ to }) => to < month)

interface SpanContext {
  years: readonly BookYear[]
  year: BookYear
  through: number
  statement: StatementQuery['statement']
}
function spansOf(view: StatementView, { years, year, through, statement }: SpanContext): StatementPeriod['spans'] {
  const single = (span: Span) => ({ span, total: false })
  const yearToDate: Span = { from: year.from, to: through }
  switch (view) {
    case 'ytd':
      return [single(yearToDate)]
    case 'rolling':
      return [single({ from: through - 11, to: through })]
    case 'years': {
      const shown = years.slice(0, years.indexOf(year) + 1).slice(-YEARS_MAX)
      return shown.map(({ from, to }) => single({ from, to }))
    }
    case 'months':
    case 'quarters': {
      const parts = partsOf(yearToDate, view === 'months' ? 1 : 3)
      // Balances are of a day, and do not add up.
      const adds = statement !== 'balance' && parts.length > 1
      return [...parts.map(single), ...(adds ? [{ span: yearToDate, total: true }] : [])]
    }
  }
}
function partsOf({ from, to }: Span, months: number): Span[] {
  const parts: Span[] = []
  for (let at = from; at <= to; at += months) parts.push({ from: at, to: Math.min(at + months - 1, to) })
  return parts
}

/** What a span is held against: the fiscal year before of a whole one, else the same months a year earlier. */
export function yearEarlier(span: Span, years: readonly BookYear[]): Span {
  const whole = years.find(({ from, to }) => from === span.from && to === span.to)
  const before = whole && years.find(({ to }) => to === whole.from - 1)
  return before ? { from: before.from, to: before.to } : shift(span, -12)
}

/** Where the figures of a column come from. */
export interface ColumnSource {
  column: StatementColumn
  span: Span
  from: 'actual' | 'lastYear' | 'budget' | 'derived'
}

/** Columns of a period, each followed by what it is compared with. */
export function statementColumns(
  { spans }: StatementPeriod,
  {
    years,
    compare,
  }: { years: readonly BookYear[]; compare: { lastYear: boolean; budget: boolean; variance: boolean } },
): ColumnSource[] {
  return spans.flatMap(({ span, total }, at) => {
    const group = String(at)
    const earlier = yearEarlier(span, years)
    const make = (kind: StatementColumnKind, from: ColumnSource['from'], of = span): ColumnSource => ({
      span: of,
      from,
      column: {
        ...{ key: `${group}.${kind}`, kind, group, total },
        span: { from: monthText(of.from), to: monthText(of.to) },
      },
    })
    const { lastYear, budget, variance } = compare
    return [
      make('actual', 'actual'),
      ...(budget ? [make('budget', 'budget')] : []),
      ...(budget && variance ? [make('budgetVariance', 'derived'), make('budgetPercent', 'derived')] : []),
      ...(lastYear ? [make('lastYear', 'lastYear', earlier)] : []),
      ...(lastYear && variance ? [make('lastYearChange', 'derived'), make('lastYearPercent', 'derived')] : []),
    ]
  })
}
