import type { ColumnKey } from '../../shared/data-sources/files'
import type { Expr } from '../../shared/query/expression'
import type { Dimension, Filter, Measure, QueryPlan } from '../../shared/query/plan'
import type { Field } from '../../shared/query/field'
import type {
  AmountColumns,
  BalanceTable,
  EntryTable,
  LedgerTables,
  PeriodTable,
} from '../../shared/statements/ledger-tables'

/**
 * The questions that statements are made of. Each is one plan grouped by account; which company, fiscal year and object
 * are meant are its filters.
 */
interface PlanParts {
  dataset: string
  measures: Measure[]
  dimensions: Dimension[]
  filters?: Filter[]
  period?: QueryPlan['period']
}
const plan = ({ filters = [], ...parts }: PlanParts): QueryPlan => ({ v: 3, kind: 'aggregate', filters, ...parts })

const fieldIn =
  (dataset: string) =>
  (column: ColumnKey): Field => ({ dataset, column })
const isValue = (field: Field, value: string): Filter => ({ field, any: [{ op: 'eq', value }] })
const isEmpty = (field: Field): Filter => ({ field, any: [{ op: 'empty' }] })

/** Which part of the books is meant; `undefined`: all. Null: rows that name none. */
export interface BookPart {
  company: string | null | undefined
  year?: string | undefined
  object?: { key: ColumnKey; value: string } | undefined
}

function partFilters(
  table: Pick<EntryTable, 'dataset' | 'company' | 'year'>,
  { company, year, object }: BookPart,
): Filter[] {
  const field = fieldIn(table.dataset)
  const ofCompany = table.company !== null && company !== undefined ? field(table.company) : null
  return [
    ...(ofCompany ? [company == null ? isEmpty(ofCompany) : isValue(ofCompany, company)] : []),
    ...(table.year !== null && year !== undefined ? [isValue(field(table.year), year)] : []),
    ...(object ? [object.value === '' ? isEmpty(field(object.key)) : isValue(field(object.key), object.value)] : []),
  ]
}

const zero: Expr = { kind: 'number', value: 0 }
/** The amount of a row, debit positive: its column, or what stands in debit less what stands in credit. */
function amountOf(dataset: string, amount: AmountColumns): Expr {
  const value = (column: ColumnKey): Expr => ({ kind: 'field', field: { dataset, column } })
  if ('amount' in amount) return value(amount.amount)
  const side = (column: ColumnKey): Expr => ({ kind: 'coalesce', items: [value(column), zero] })
  return { kind: 'binary', op: 'subtract', left: side(amount.debit), right: side(amount.credit) }
}
function sumOf(dataset: string, amount: AmountColumns, of?: Filter): Measure {
  const row = amountOf(dataset, amount)
  const filter = of ? { filter: [of] } : {}
  return row.kind === 'field'
    ? { kind: 'column', agg: 'sum', field: row.field, ...filter }
    : { kind: 'expression', agg: 'sum', row, ...filter }
}
/** What was debited: amounts above zero, or the debit column. */
function debitOf(dataset: string, amount: AmountColumns): Measure {
  const field = fieldIn(dataset)
  if (!('amount' in amount)) return { kind: 'column', agg: 'sum', field: field(amount.debit) }
  const own = field(amount.amount)
  return { kind: 'column', agg: 'sum', field: own, filter: [{ field: own, any: [{ op: 'gt', value: 0 }] }] }
}

/** Rows and their newest day's month, by company and fiscal year: `[company?, year?, month, rows]`. */
export function entrySpanPlan(entries: EntryTable): QueryPlan {
  const field = fieldIn(entries.dataset)
  const { company, year } = entries
  return plan({
    dataset: entries.dataset,
    measures: [{ kind: 'column', agg: 'count', dataset: entries.dataset }],
    dimensions: [
      ...(company === null ? [] : [{ field: field(company) }]),
      ...(year === null ? [] : [{ field: field(year) }]),
      { field: field(entries.date.key), grain: 'month' },
    ],
  })
}

/** Whether figures by month are there, zeros being none: `[company?, year?, month, rows]`. */
export function periodSpanPlan({ dataset, company, year, month, amount }: PeriodTable): QueryPlan {
  const field = fieldIn(dataset)
  return plan({
    dataset,
    measures: [{ kind: 'column', agg: 'count', dataset }],
    dimensions: [
      ...(company === null ? [] : [{ field: field(company) }]),
      ...(year === null ? [] : [{ field: field(year) }]),
      { field: field(month), grain: 'month' },
    ],
    filters: 'amount' in amount ? [{ field: field(amount.amount), any: [{ op: 'ne', value: 0 }] }] : [],
  })
}

/** `[fiscal year, kind, account, amount]` of whole accounts. */
export function balancesPlan(balances: BalanceTable, part: BookPart): QueryPlan {
  const field = fieldIn(balances.dataset)
  return plan({
    dataset: balances.dataset,
    measures: [{ kind: 'column', agg: 'sum', field: field(balances.amount) }],
    dimensions: [
      ...(balances.year === null ? [] : [{ field: field(balances.year) }]),
      { field: field(balances.kind) },
      { field: field(balances.account.key) },
    ],
    filters: [...partFilters(balances, part), isEmpty(field(balances.object))],
  })
}

/** Companies that balances name: `[company]`. */
export const balanceCompaniesPlan = ({ dataset, company }: BalanceTable): QueryPlan =>
  plan({
    dataset,
    measures: [{ kind: 'column', agg: 'count', dataset }],
    dimensions: company === null ? [] : [{ field: { dataset, column: company } }],
  })

/** `[account, month, amount, debit]` of the entries of one fiscal year, or of one span of days. */
export function entriesPlan(
  entries: EntryTable,
  part: BookPart & { days?: { from: string; to: string } | undefined; by?: ColumnKey | undefined },
): QueryPlan {
  const field = fieldIn(entries.dataset)
  const range = part.days && { kind: 'absolute' as const, ...part.days }
  return plan({
    dataset: entries.dataset,
    measures: [sumOf(entries.dataset, entries.amount), debitOf(entries.dataset, entries.amount)],
    dimensions: [
      { field: field(entries.account.key) },
      { field: field(entries.date.key), grain: 'month' },
      ...(part.by === undefined ? [] : [{ field: field(part.by) }]),
    ],
    filters: partFilters(entries, part),
    ...(range ? { period: { field: field(entries.date.key), range, compare: 'none', completeOnly: false } } : {}),
  })
}

/** `[account, amount]` of everything up to a day. */
export function entriesBeforePlan(entries: EntryTable, { before, ...part }: BookPart & { before: string }): QueryPlan {
  const field = fieldIn(entries.dataset)
  return plan({
    dataset: entries.dataset,
    measures: [sumOf(entries.dataset, entries.amount)],
    dimensions: [{ field: field(entries.account.key) }],
    filters: [...partFilters(entries, part), { field: field(entries.date.key), any: [{ op: 'lt', value: before }] }],
  })
}

/** `[account, month, amount of rows without an object, amount of all rows]` of period balances or budgets. */
export function periodsPlan(table: PeriodTable, part: BookPart): QueryPlan {
  const field = fieldIn(table.dataset)
  const own = table.object === null ? undefined : isEmpty(field(table.object))
  return plan({
    dataset: table.dataset,
    measures: [sumOf(table.dataset, table.amount, own), sumOf(table.dataset, table.amount)],
    dimensions: [{ field: field(table.account.key) }, { field: field(table.month), grain: 'month' }],
    filters: partFilters(table, part),
  })
}

/** `[account]` and what each is called, as `names` of its column; null where nothing names accounts. */
export function accountNamesPlan({ accounts, entries }: LedgerTables, { company }: BookPart): QueryPlan | null {
  if (accounts) {
    const { dataset, account, name } = accounts
    const table = { dataset, company: accounts.company, year: null }
    return namesPlan({ dataset, key: account, name, filters: partFilters(table, { company }) })
  }
  if (!entries || entries.accountName === null) return null
  const { dataset, account, accountName } = entries
  return namesPlan({ dataset, key: account.key, name: accountName, filters: partFilters(entries, { company }) })
}

/** `[object]` of a dimension, and what each is called. */
export function objectsPlan(entries: EntryTable, key: ColumnKey, part: BookPart): QueryPlan {
  const name = entries.dimensions.find((dimension) => dimension.key === key)?.name ?? null
  return namesPlan({ dataset: entries.dataset, key, name, filters: partFilters(entries, part) })
}

function namesPlan(of: { dataset: string; key: ColumnKey; name: ColumnKey | null; filters: Filter[] }): QueryPlan {
  const field = fieldIn(of.dataset)
  const label = of.name === null ? {} : { label: field(of.name) }
  return plan({
    dataset: of.dataset,
    measures: [],
    dimensions: [{ field: field(of.key), ...label }],
    filters: of.filters,
  })
}

/** `[company, name, currency]`. */
export function companiesPlan({ dataset, company, name, currency }: NonNullable<LedgerTables['companies']>): QueryPlan {
  const field = fieldIn(dataset)
  return plan({ dataset, measures: [], dimensions: [company, name, currency].map((key) => ({ field: field(key) })) })
}
