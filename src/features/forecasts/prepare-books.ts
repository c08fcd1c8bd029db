import {
  findBookkeepingTables,
  cashAccountFilters,
  openingBalanceFilters,
  ledgerField,
  latestYearOpenings,
  fiscalYearFirstDay,
} from './model/books'
import type { BookkeepingTables, YearOpening } from './model/books'
import type { GridSeries } from './prepare-series'
import { readAccountClasses } from '../../access/account-classes'
import { queryService } from '../../access/figures'
import { isTransient, ProductError } from '../../shared/errors'
import { leafMeasuresOf, measuredDataset } from '../../shared/plan-fields'
import type { Filter, QueryPlan } from '../../shared/query'
import type { Cell, QueryResult } from '../../shared/query-result'
import { seriesPlan } from '../../shared/tracked'

/**
 * Cash and bank in the books at the end of a day: of each company what its newest fiscal year began with, and what was
 * posted since. Null when the figure is not of postings, is of something narrower than companies, or is in another currency
 * than the books.
 */
export async function ledgerCashBalance(figure: GridSeries, day: string): Promise<number | null> {
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
