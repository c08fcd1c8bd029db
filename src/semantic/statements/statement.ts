import { ProductError } from '../../shared/errors'
import type { LedgerTables } from '../../shared/statements/ledger-tables'
import { NO_OBJECT } from '../../shared/statements/statements'
import type {
  EntryFields,
  Statement,
  StatementColumn,
  StatementQuery,
  StatementRow,
  StatementYear,
} from '../../shared/statements/statements'
import { accountClassifier, Books, isBalanceLine, type AccountLine, type ColumnFacts } from './books'
import {
  lastActiveMonth,
  statementColumns,
  statementPeriod,
  yearEarlier,
  type ColumnSource,
  type StatementPeriod,
} from './columns'
import { withDerivedColumns } from './derived-columns'
import type { LoadedBooks, StatementContext } from './context'
import { FigureReader, type YearFigures } from './figures'
import { foldLines, remainderOf, toRows, type FoldInput, type Remainder } from './fold-lines'
import { LAYOUTS } from './layouts'
import { firstDayOf, lastDayOf, monthText, type Span } from './months'
import { accountNamesPlan } from './ledger-plans'
import { noticesOf } from './notices'
import { objectColumns } from './object-columns'
import { readOutline, statedOnce, type BookYear, type LedgerOutline } from './outline'
import { ratioRows } from './ratios'
import { trialColumns, trialRemainders, trialRows } from './trial-balance'

/**
 * A statement of a ledger.
 * @throws ProductError `not_found` where the books hold no figures, `unknown_field` for a column that is no dimension of them;
 *   what its questions are refused for
 */
export async function readStatement(context: StatementContext, query: StatementQuery): Promise<Statement> {
  const { ask, tables, calendar } = context
  assertDimension(tables, query)
  const read = await readOutline(ask, tables, { company: query.company, calendar })
  const period = read && statementPeriod(read.years, query)
  if (!read || !period) throw new ProductError('not_found', { what: 'figures' }, 'This ledger holds no figures yet.')
  const lineOf = accountClassifier(context.ranges, read.stated)
  const outline = { ...read, stated: statedOnce(read.stated, (account) => isBalanceLine(lineOf(account))) }
  const reader = new FigureReader(ask, tables, outline)
  const object = objectOf(query)
  const [names, figures, budget] = await Promise.all([
    reader.names(),
    Promise.all(neededYears(outline, period, query).map((year) => reader.year(year, object))),
    // Budgets are of whole accounts.
    query.budget === '1' && query.statement === 'income' && !object ? reader.budget(outline.years) : null,
  ])
  const books = new Books(figures.map((year) => withBalanceOpenings(year, lineOf)))
  const loaded: LoadedBooks = { outline, period, books, budget, lineOf, names }
  const hasObjects = query.statement === 'income' && query.dimension !== undefined
  const objects = hasObjects && query.dimension ? await reader.objects(query.dimension) : []
  const byObject = hasObjects && query.object === undefined
  const { columns, rows, notices } = byObject
    ? await objectColumns(context, { loaded, reader, query, objects })
    : { ...statementTable(context, loaded, query), notices: [] }
  return {
    ...describe(context, loaded, query),
    ...{ columns, rows, objects },
    notices: [
      ...notices,
      ...noticesOf({
        ...{ loaded, rows, statement: query.statement, decimals: context.decimals },
        isFiltered: object !== undefined || byObject,
      }),
    ],
    madeAt: new Date(context.now).toISOString(),
  }
}

/** Any other column may hold as many values as there are entries. */
function assertDimension({ entries }: LedgerTables, { dimension }: Pick<StatementQuery, 'dimension'>): void {
  if (dimension !== undefined && !entries?.dimensions.some(({ key }) => key === dimension))
    throw new ProductError('unknown_field', { field: dimension })
}

const objectOf = ({ statement, dimension, object }: StatementQuery) =>
  statement === 'income' && dimension !== undefined && object !== undefined
    ? { key: dimension, value: object === NO_OBJECT ? '' : object }
    : undefined

/** Results of earlier years are no part of what an account of profit and loss began with. */
const withBalanceOpenings = (year: YearFigures, lineOf: (account: string) => AccountLine): YearFigures => ({
  ...year,
  opening: year.opening && new Map([...year.opening].filter(([account]) => isBalanceLine(lineOf(account)))),
})

/**
 * Years that columns reach into, and the year before each, by whose result a balance sheet is explained. Of one object
 * those alone whose entries say what belongs to it.
 */
function neededYears({ years: all }: LedgerOutline, period: StatementPeriod, query: StatementQuery): BookYear[] {
  const { lastYear, statement } = query
  const years = objectOf(query) ? all.filter(({ detail }) => detail === 'entries') : all
  const spans = period.spans.flatMap(({ span }) => [span, ...(lastYear === '1' ? [yearEarlier(span, years)] : [])])
  const within = years.filter((year) => spans.some(({ from, to }) => year.from <= to && from <= year.to))
  const before = years.filter(({ to }) => within.some(({ from }) => to === from - 1))
  return statement === 'balance' || statement === 'ratios' || statement === 'trial'
    ? [...new Set([...before, ...within])]
    : within
}

function statementTable(
  context: StatementContext,
  loaded: LoadedBooks,
  query: StatementQuery,
): { columns: StatementColumn[]; rows: StatementRow[] } {
  const { books, period, names, lineOf } = loaded
  const { decimals, ranges } = context
  if (query.statement === 'trial') {
    const span = period.spans[0]?.span ?? { from: period.year.from, to: period.through }
    const facts = books.facts(span)
    const columns = trialColumns(span, facts)
    const carried = columnRemainder('balance', { facts, span, loaded })?.carried ?? 0n
    return {
      columns,
      rows: [
        ...trialRows(columns, facts, { names, decimals }),
        ...trialRemainders(columns, facts, { carried, decimals }),
      ],
    }
  }
  const sources = statementColumns(period, {
    years: loaded.outline.years,
    compare: {
      lastYear: query.lastYear === '1',
      budget: loaded.budget !== null,
      variance: query.variance === '1',
    },
  })
  const facts = sources.map((source) => factsOf(source, loaded))
  const fold = (layout: 'income' | 'balance' | 'cashFlow') => {
    const remainders = sources.map(({ span }, at) =>
      columnRemainder(layout, { facts: facts[at] ?? null, span, loaded }),
    )
    const input: FoldInput = { facts, remainders, lineOf, names, ranges, decimals }
    return foldLines(LAYOUTS[layout], input)
  }
  const spans = sources.map(({ span }) => span)
  const rows =
    query.statement === 'ratios'
      ? ratioRows({ income: fold('income'), balance: fold('balance') }, spans, decimals)
      : toRows(fold(query.statement), { lineOf, names, ranges, decimals })
  return { columns: sources.map(({ column }) => column), rows: withDerivedColumns(rows, sources, decimals) }
}

function factsOf({ from, span }: ColumnSource, { books, budget }: LoadedBooks): ColumnFacts | null {
  if (from === 'derived') return null
  return from === 'budget' ? budgetFacts(budget, span) : books.facts(span)
}

/** Budgets of a span; null where none of its months has any. */
function budgetFacts(budget: LoadedBooks['budget'], { from, to }: Span): ColumnFacts | null {
  const months = [...(budget ?? [])].filter(([month]) => from <= month && month <= to)
  if (months.length === 0) return null
  const sums = new Map<string, bigint>()
  for (const [, accounts] of months)
    for (const [account, amount] of accounts) sums.set(account, (sums.get(account) ?? 0n) + amount)
  return new Map(
    [...sums].map(([account, change]) => [
      account,
      { opening: 0n, change, yearToDate: change, closing: 0n, debit: null },
    ]),
  )
}

/** What a balance sheet, or the cash of a period, is short of. */
function columnRemainder(
  layout: 'income' | 'balance' | 'cashFlow',
  { facts, span, loaded }: { facts: ColumnFacts | null; span: Span; loaded: LoadedBooks },
): Remainder | null {
  if (!facts || layout === 'income') return null
  const { lineOf, books } = loaded
  if (layout === 'cashFlow') return { carried: 0n, difference: cashDifference(facts, lineOf) }
  const year = books.yearOf(span.to)
  const before = year && books.years.find((other) => other.year.to === year.year.from - 1)
  return remainderOf(facts, lineOf, {
    opening: year?.opening ?? null,
    before: before ? unclosedResult(before, books, lineOf) : null,
  })
}

/** Cash at the end less cash at the start and all movements of other accounts. */
function cashDifference(facts: ColumnFacts, lineOf: (account: string) => AccountLine): bigint {
  let difference = 0n
  for (const [account, { opening, change, closing }] of facts)
    difference += lineOf(account) === 'cash' ? closing - opening : change
  return difference
}

/** The result of a year that its entries have not moved to equity, profit positive. */
function unclosedResult({ year }: YearFigures, books: Books, lineOf: (account: string) => AccountLine): bigint | null {
  const facts = books.facts(year)
  if (!facts) return null
  let result = 0n
  for (const [account, { yearToDate }] of facts) if (!isBalanceLine(lineOf(account))) result -= yearToDate
  return result
}

function describe(
  { tables, source, decimals, currency }: StatementContext,
  { outline, period }: LoadedBooks,
  query: StatementQuery,
): Omit<Statement, 'columns' | 'rows' | 'objects' | 'notices' | 'madeAt'> {
  const { company, companies, years, budgetYears, dataAsOf } = outline
  const { year } = period
  return {
    ...{ source, kind: query.statement, view: period.view, decimals, dataAsOf },
    company: { ...company, currency: company.currency ?? currency },
    companies: companies.map(({ id, name }) => ({ id, name })),
    year: toYear(year),
    years: years.map(toYear),
    through: monthText(period.through),
    months: { from: monthText(year.from), to: monthText(year.detail === 'year' ? year.to : lastActiveMonth(year)) },
    has: { budget: budgetYears.size > 0 && !objectOf(query), lastYear: years.some(({ from }) => from < year.from) },
    dimensions: tables.entries?.dimensions ?? [],
    entries: entryFields(tables),
    accountNames: accountNamesPlan(tables, { company: company.id }),
  }
}

const toYear = ({ name, from, to, detail }: BookYear): StatementYear => ({
  ...{ name, detail },
  start: firstDayOf(from),
  end: lastDayOf(to),
})

function entryFields({ entries }: LedgerTables): EntryFields | null {
  if (!entries) return null
  const { dataset, account, date, amount, voucher, voucherName, text, company, year } = entries
  return {
    ...{ dataset, amount, voucher, voucherName, text, company, year },
    account: account.key,
    accountIsText: account.type === 'text',
    date: date.key,
  }
}
