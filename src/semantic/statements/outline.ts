import { dayFromIso, isoFromDay, startOfUnit, type Calendar } from '../../shared/dates'
import type { Cell, QueryResult } from '../../shared/query/result'
import type { QueryPlan } from '../../shared/query/plan'
import type { LedgerTables } from '../../shared/statements/ledger-tables'
import { ProductError } from '../../shared/errors'
import { QUERY_ROWS_MAX } from '../../shared/limits'
import { balanceCompaniesPlan, balancesPlan, companiesPlan, entrySpanPlan, periodSpanPlan } from './ledger-plans'
import { firstDayOf, lastDayOf, monthFromText, monthOf, type Span } from './months'
import { toUnits } from './units'

/** Asks one question, by the rights of whoever looks. */
export type AskPlan = (plan: QueryPlan) => Promise<QueryResult>

/** Rows of one answer that a statement is made of: accounts by month, or objects. All requests of an isolate share its memory. */
const ROWS_MAX = 100_000
/** Fiscal years of one company. */
const YEARS_MAX = 300
/** Months of a fiscal year: the law knows 18. */
const YEAR_MONTHS_MAX = 24

const tooMuch = (what: string, max: number): ProductError => new ProductError('query_too_complex', { what, max })

/** All rows of an answer, page by page. @throws ProductError `query_too_complex` past {@link ROWS_MAX} */
export async function allRows(ask: AskPlan, plan: QueryPlan): Promise<{ rows: Cell[][]; result: QueryResult }> {
  const sort = plan.dimensions.map((_, dimension) => ({ by: { dimension }, dir: 'asc' as const }))
  const page = (offset: number) => ask({ ...plan, sort, limit: QUERY_ROWS_MAX, offset })
  const first = await page(0)
  if (first.rowCount > ROWS_MAX) throw tooMuch('groups', ROWS_MAX)
  const rows = [...first.rows]
  while (rows.length < first.rowCount) {
    const next = await page(rows.length)
    if (next.rows.length === 0) break
    rows.push(...next.rows)
  }
  return { rows, result: first }
}

/** A fiscal year of the books in months, and how finely its figures are known. */
export interface BookYear extends Span {
  name: string
  detail: 'entries' | 'months' | 'year'
  /** Months with figures, ascending; none where only the year's balances are known. */
  active: number[]
  /** Entries without a day, in books whose entries name their fiscal year. */
  undated: number
}

/** Balances of accounts by fiscal year, as the books state them. */
export interface StatedBalances {
  opening: Map<string, bigint>
  closing: Map<string, bigint>
  result: Map<string, bigint>
}
export interface LedgerOutline {
  companies: { id: string | null; name: string | null; currency: string | null }[]
  /** The one that is looked at. */
  company: { id: string | null; name: string | null; currency: string | null }
  years: BookYear[]
  stated: Map<string, StatedBalances>
  /** Fiscal years with budgets; '' stands for all where budgets name no year. */
  budgetYears: Set<string>
  /** Entries without a day where days alone tell fiscal years: they are in none. */
  uncounted: number
  dataAsOf: string | null
}

const textOf = (cell: Cell | undefined): string | null => (cell === null || cell === undefined ? null : String(cell))

/** A fiscal year by its name: `2025`, `2009-07/2010-06`; null for other names, and for what is too long for one. */
export function yearSpan(name: string): Span | null {
  if (/^\d{4}$/.test(name)) {
    const from = monthFromText(`${name}-01`)
    return from === null ? null : { from, to: from + 11 }
  }
  const [start = '', end = ''] = name.split('/')
  const [from, to] = [monthFromText(start), monthFromText(end)]
  return from === null || to === null || to < from || to - from >= YEAR_MONTHS_MAX ? null : { from, to }
}

/** Whose rows, of which year and month, and how many. */
interface SpanRow {
  company: string | null
  year: string | null
  month: number | null
  rows: number
}

async function spanRows(
  ask: AskPlan,
  table: { company: unknown; year: unknown },
  plan: QueryPlan,
): Promise<{ rows: SpanRow[]; dataAsOf: string | null }> {
  const { rows, result } = await allRows(ask, plan)
  const yearAt = table.company === null ? 0 : 1
  const monthAt = table.year === null ? yearAt : yearAt + 1
  return {
    dataAsOf: result.dataAsOf,
    rows: rows.map((row) => ({
      company: table.company === null ? null : textOf(row[0]),
      year: table.year === null ? null : textOf(row[yearAt]),
      month: monthOf(row[monthAt]),
      rows: Number(row[monthAt + 1] ?? 0),
    })),
  }
}
const NOTHING = { rows: [], dataAsOf: null }

/** What the books hold: companies, fiscal years and how finely each is known. Null where nothing can be dated. */
export async function readOutline(
  ask: AskPlan,
  tables: LedgerTables,
  wanted: { company: string | undefined; calendar: Calendar },
): Promise<LedgerOutline | null> {
  const { entries, periods, budget, balances } = tables
  const [posted, monthly, planned, inBalances, named] = await Promise.all([
    entries ? spanRows(ask, entries, entrySpanPlan(entries)) : NOTHING,
    periods ? spanRows(ask, periods, periodSpanPlan(periods)) : NOTHING,
    budget ? spanRows(ask, budget, periodSpanPlan(budget)) : NOTHING,
    balances ? allRows(ask, balanceCompaniesPlan(balances)) : { rows: [] },
    tables.companies ? allRows(ask, companiesPlan(tables.companies)) : { rows: [] },
  ])
  const withCompany = [entries, periods, balances].some((table) => table?.company != null)
  const ids = withCompany
    ? new Set(
        [...posted.rows, ...monthly.rows]
          .map(({ company }) => company)
          .concat(inBalances.rows.map(([id]) => textOf(id))),
      )
    : new Set([null])
  const namedById = new Map(named.rows.map((row) => [textOf(row[0]), row]))
  const companies = [...ids].map((id) => {
    const own = namedById.get(id)
    return { id, name: textOf(own?.[1]), currency: textOf(own?.[2]) }
  })
  const company = companies.find(({ id }) => id === (wanted.company ?? companies[0]?.id)) ?? companies[0]
  if (!company) return null
  const isOwn = (row: SpanRow): boolean => !withCompany || row.company === company.id
  const stated = balances ? await statedBalances(ask, tables, company.id) : new Map<string, StatedBalances>()
  const own = posted.rows.filter(isOwn)
  const years = bookYears(
    { posted: own, monthly: monthly.rows.filter(isOwn), stated },
    { calendar: wanted.calendar, named: entries ? entries.year !== null : true },
  )
  if (years.length === 0) return null
  const budgetRows = planned.rows.filter((row) => budget?.company == null || isOwn(row))
  return {
    ...{ companies, company, years, stated },
    budgetYears: new Set(budgetRows.map(({ year }) => year ?? '')),
    uncounted: entries && entries.year === null ? undatedRows(own) : 0,
    dataAsOf: posted.dataAsOf ?? monthly.dataAsOf,
  }
}

async function statedBalances(
  ask: AskPlan,
  { balances }: LedgerTables,
  company: string | null,
): Promise<Map<string, StatedBalances>> {
  const stated = new Map<string, StatedBalances>()
  if (!balances) return stated
  const { rows } = await allRows(ask, balancesPlan(balances, { company }))
  for (const [yearCell, kind, accountCell, amount] of rows) {
    const [year, account] = [textOf(yearCell), textOf(accountCell)]
    if (year === null || account === null) continue
    const own = stated.get(year) ?? { opening: new Map(), closing: new Map(), result: new Map() }
    stated.set(year, own)
    if (stated.size > YEARS_MAX) throw tooMuch('fiscal years', YEARS_MAX)
    const into = kind === 'IB' ? own.opening : kind === 'UB' ? own.closing : kind === 'RES' ? own.result : null
    into?.set(account, toUnits(amount))
  }
  return stated
}

/**
 * The same without what is said twice: some programs state a closing balance (`#UB`) of accounts of profit and loss beside
 * their result, or a result (`#RES`) of balance accounts beside their closing balance.
 */
export function statedOnce(
  stated: ReadonlyMap<string, StatedBalances>,
  isBalanceAccount: (account: string) => boolean,
): Map<string, StatedBalances> {
  const once = ({ opening, closing, result }: StatedBalances): StatedBalances => {
    const isTwice = (account: string): boolean => closing.has(account) && result.has(account)
    const without = (amounts: Map<string, bigint>, isLeftOut: (account: string) => boolean) =>
      new Map([...amounts].filter(([account]) => !isTwice(account) || !isLeftOut(account)))
    return {
      opening,
      closing: without(closing, (account) => !isBalanceAccount(account)),
      result: without(result, isBalanceAccount),
    }
  }
  return new Map([...stated].map(([year, balances]) => [year, once(balances)]))
}

interface YearSources {
  posted: SpanRow[]
  monthly: SpanRow[]
  stated: Map<string, StatedBalances>
}

/** Fiscal years with figures, the oldest first. */
function bookYears(
  { posted, monthly, stated }: YearSources,
  { calendar, named }: { calendar: Calendar; named: boolean },
): BookYear[] {
  if (!named) return yearsByCalendar(posted, calendar)
  const names = new Set([...posted, ...monthly].map(({ year }) => year).concat([...stated.keys()]))
  if (names.size > YEARS_MAX) throw tooMuch('fiscal years', YEARS_MAX)
  const postedIn = Map.groupBy(posted, ({ year }) => year)
  const monthlyIn = Map.groupBy(monthly, ({ year }) => year)
  const years = [...names].flatMap((name): BookYear[] => {
    if (name === null) return []
    const own = postedIn.get(name) ?? []
    const months = monthlyIn.get(name) ?? []
    const used = own.length > 0 ? own : months
    const span = yearSpan(name) ?? monthsSpan(used)
    const balances = stated.get(name)
    const hasFigures = used.length > 0 || (balances !== undefined && balances.closing.size + balances.result.size > 0)
    if (!span || !hasFigures) return []
    return [
      {
        ...{ name, ...span },
        detail: own.length > 0 ? 'entries' : months.length > 0 ? 'months' : 'year',
        active: activeMonths(used, span),
        undated: undatedRows(own),
      },
    ]
  })
  return years.toSorted((a, b) => a.from - b.from)
}

const undatedRows = (rows: readonly SpanRow[]): number =>
  rows.reduce((sum, { month, rows: count }) => sum + (month === null ? count : 0), 0)
const knownMonths = (rows: readonly SpanRow[]): number[] => rows.flatMap(({ month }) => month ?? [])
const activeMonths = (rows: readonly SpanRow[], { from, to }: Span): number[] =>
  [...new Set(knownMonths(rows).map((month) => Math.min(Math.max(month, from), to)))].toSorted((a, b) => a - b)
function monthsSpan(rows: readonly SpanRow[]): Span | null {
  const months = knownMonths(rows)
  if (months.length === 0) return null
  const [first, last] = [months.reduce((a, b) => Math.min(a, b)), months.reduce((a, b) => Math.max(a, b))]
  // A day far before the others is a slip: it counts in the first month.
  return { from: Math.max(first, last - YEAR_MONTHS_MAX + 1), to: last }
}

/** Where entries name no fiscal year: those of the workspace's calendar. */
function yearsByCalendar(posted: readonly SpanRow[], calendar: Calendar): BookYear[] {
  const startOf = (month: number): number =>
    monthOf(isoFromDay(startOfUnit(dayFromIso(firstDayOf(month)) ?? 0, 'fiscalYear', calendar))) ?? month
  const byStart = Map.groupBy(posted, ({ month }) => (month === null ? null : startOf(month)))
  const starts = [...byStart.keys()].filter((start) => start !== null).toSorted((a, b) => a - b)
  if (starts.length > YEARS_MAX) throw tooMuch('fiscal years', YEARS_MAX)
  return starts.map((from): BookYear => {
    const span = { from, to: from + 11 }
    const [first, last] = [firstDayOf(from), lastDayOf(span.to)]
    return {
      ...span,
      name: first.slice(5, 7) === '01' ? first.slice(0, 4) : `${first.slice(0, 7)}/${last.slice(0, 7)}`,
      detail: 'entries',
      active: activeMonths(byStart.get(from) ?? [], span),
      undated: 0,
    }
  })
}
