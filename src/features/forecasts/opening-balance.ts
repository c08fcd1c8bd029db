import type { GridSeries } from './prepare-series'
import { endOfPeriod } from '../../semantic/calendar'
import { lastDayWithData } from '../../semantic/newest-periods'
import { readMetricSeries } from '../../semantic/metric-series'
import type { ForecastInput } from '../../shared/forecasts/result'
import type { ForecastSettings } from '../../shared/forecasts/forecasts'
import { isoFromDay, dayFromIso } from '../../shared/dates'
import {
  findBookkeepingTables,
  cashAccountFilters,
  openingBalanceFilters,
  ledgerField,
  latestYearOpenings,
  fiscalYearFirstDay,
} from './model/ledger'
import type { BookkeepingTables, YearOpening } from './model/ledger'
import { queryService } from '../../semantic/query-service'
import { isTransient, ProductError } from '../../shared/errors'
import { leafMeasuresOf, measuredDataset } from '../../shared/query/plan-fields'
import type { Filter, QueryPlan } from '../../shared/query/plan'
import type { Cell, QueryResult } from '../../shared/query/result'
import { seriesPlan } from '../../shared/monitored-metric'
import { readAccountClasses } from '../../semantic/account-class-store'

/** From when on all that came before is added up. */
const DISTANT_PAST = '0001-01-01'

/**
 * What the figures add up to before the first period ahead, where they add up to a balance: as the person says; for figures of
 * a ledger the cash in its books; else the sum of all that came before. A running total is the sum of what it sums.
 * @throws ProductError what its questions are refused for
 */
export async function openingBalance(
  figure: GridSeries,
  { settings, before }: { settings: ForecastSettings; before: string },
): Promise<ForecastInput['opening']> {
  const { at, tracked } = figure
  const { accumulate } = settings
  if (!tracked.additive || (accumulate === null && tracked.running !== 'never')) return null
  if (accumulate !== null && accumulate.opening !== null) {
    const moved = await netChangeBetween(figure, { known: accumulate.on ?? before, before })
    return { value: accumulate.opening + moved, source: 'person' }
  }
  const to = dayBefore(before)
  const books = accumulate === null ? null : await ledgerCashBalance(figure, to)
  if (books !== null) return { value: books, source: 'books' }
  const { total } = await readMetricSeries(at, tracked, { from: DISTANT_PAST, to })
  return { value: total.values.get('') ?? 0, source: 'sum' }
}

/** Past periods that say what usually came by the same day, and how few say nothing. */
const SO_FAR_PERIODS_MAX = 12
const SO_FAR_PERIODS_MIN = 3

/**
 * What the period that runs has come to so far beyond what past ones had come to by the same day: what a balance at its end differs by from
 * a period as it is expected. Null where it is not the first ahead, or the past is too short to say.
 */
export async function runningPeriodSurplus(
  { at, tracked, grain, periods, incomplete }: GridSeries,
  first: string,
): Promise<number | null> {
  const past = periods.slice(-SO_FAR_PERIODS_MAX)
  const [from] = past
  if (grain === 'day' || incomplete?.period !== first || from === undefined || past.length < SO_FAR_PERIODS_MIN)
    return null
  const end = await lastDayWithData(at, tracked)
  if (end === null || end < first || incomplete.value === null) return null
  const reached = end < at.calendar.today ? end : at.calendar.today
  const { total } = await readMetricSeries(at, tracked, { grain: 'day', from, to: reached })
  const days = (dayFromIso(reached) ?? 0) - (dayFromIso(first) ?? 0)
  const byThen = past.map((start) => {
    const period = { from: start, to: endOfPeriod(start, grain, at.calendar) }
    const until = isoFromDay((dayFromIso(start) ?? 0) + days)
    return [...total.values].reduce(
      (sum, [day, value]) => (day >= period.from && day <= period.to && day <= until ? sum + value : sum),
      0,
    )
  })
  return incomplete.value - byThen.reduce((sum, value) => sum + value / byThen.length, 0)
}

const dayBefore = (day: string): string => isoFromDay((dayFromIso(day) ?? 0) - 1)

/**
 * What a balance that was known on the morning of one day is other on the morning of another: what moved from the first
 * on, or, where it was known later, what moved since taken off again. So an entered balance holds while new rows come.
 */
async function netChangeBetween(
  { at, tracked }: GridSeries,
  { known, before }: { known: string; before: string },
): Promise<number> {
  if (known === before) return 0
  const [from, end, sign] = known < before ? [known, before, 1] : [before, known, -1]
  const { total } = await readMetricSeries(at, tracked, { from, to: dayBefore(end) })
  return sign * (total.values.get('') ?? 0)
}

/**
 * Cash and bank in the books at the end of a day: of each company what its newest fiscal year began with, and what was
 * posted since. Null when the figure is not of postings, is of something narrower than companies, or is in another currency
 * than the books.
 */
async function ledgerCashBalance(figure: GridSeries, day: string): Promise<number | null> {
  const { at, tracked, end, series } = figure
  const figures = queryService(at.deps, at)
  const plan = await figures.resolve(seriesPlan(tracked, { from: end, to: end }))
  const books = findBookkeepingTables(measuredDataset(plan) ?? '', await at.deps.warehouse(at.scope).datasets())
  const within = plan.measures.flatMap(leafMeasuresOf).flatMap(({ filter }) => filter ?? [])
  const filters = books && openingBalanceFilters([...plan.filters, ...within], books)
  if (!books || !filters) return null
  const { ranges, adjusted } = await readAccountClasses(at.deps.db, at.scope)
  const accounts = (table: BookkeepingTables['entries']): Filter[] =>
    cashAccountFilters(table, adjusted ? ranges : null)
  const converted = series.conversion
  const currency = (mode?: 'closing') =>
    converted ? { currency: { code: converted.code, mode: mode ?? converted.mode } } : {}
  try {
    const opened = await figures.answer({ ...openingPlan(books, { accounts, filters }), ...currency('closing') })
    const years = latestYearOpenings(toYearOpenings(opened), day)
    if (years.length === 0 || !hasSameCurrency(opened, series.format)) return null
    const posted = await Promise.all(
      [...new Set(years.map(({ start }) => start))].map((start) =>
        figures.answer({ ...postingPlan(books, { accounts, years, start, day }), ...currency() }),
      ),
    )
    return [...years.map(({ amount }) => amount), ...posted.map(({ rows }) => amountOf(rows[0]?.[0]))].reduce(
      (sum, amount) => sum + amount,
      0,
    )
  } catch (error) {
    if (!(error instanceof ProductError) || isTransient(error)) throw error
    return null
  }
}

type AccountFilters = (table: BookkeepingTables['entries']) => Filter[]

/** What accounts of cash were opened with, by company and fiscal year; years that opened with none are there too. */
function openingPlan(
  { balances }: BookkeepingTables,
  { accounts, filters }: { accounts: AccountFilters; filters: readonly Filter[] },
): QueryPlan {
  const field = (label: string) => ledgerField(balances, label)
  return {
    ...{ v: 2, kind: 'aggregate', dataset: balances.id },
    measures: [{ kind: 'column', agg: 'sum', field: field('amount'), filter: accounts(balances) }],
    dimensions: [{ field: field('org_number') }, { field: field('fiscal_year') }],
    filters: [
      { field: field('kind'), any: [{ op: 'eq', value: 'IB' }] },
      { field: field('object'), any: [{ op: 'empty' }] },
      ...filters,
    ],
  }
}

function postingPlan(
  { entries }: BookkeepingTables,
  of: { accounts: AccountFilters; years: readonly YearOpening[]; start: string; day: string },
): QueryPlan {
  const field = (label: string) => ledgerField(entries, label)
  const companies = of.years.flatMap(({ company, start }) => (start === of.start ? [company] : []))
  return {
    ...{ v: 2, kind: 'aggregate', dataset: entries.id, dimensions: [] },
    measures: [{ kind: 'column', agg: 'sum', field: field('amount') }],
    period: {
      ...{ field: field('date'), compare: 'none', completeOnly: false },
      range: { kind: 'absolute', from: of.start, to: of.day },
    },
    filters: [...of.accounts(entries), { field: field('org_number'), any: [{ op: 'in', values: companies }] }],
  }
}

const amountOf = (cell: Cell | undefined): number => {
  const amount = Number(cell ?? 0)
  return Number.isFinite(amount) ? amount : 0
}

const toYearOpenings = ({ rows }: QueryResult): YearOpening[] =>
  rows.flatMap(([company, year, amount]) => {
    const start = typeof year === 'string' ? fiscalYearFirstDay(year) : null
    return start === null || typeof company !== 'string' ? [] : [{ company, start, amount: amountOf(amount) }]
  })

function hasSameCurrency({ columns }: QueryResult, format: GridSeries['series']['format']): boolean {
  const own = columns.find(({ kind }) => kind === 'measure')?.format
  return own?.style !== 'currency' || format.style !== 'currency' || own.currency === format.currency
}
