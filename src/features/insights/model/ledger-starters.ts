import type { CreateInsightInput } from '../../../shared/insights'
import { TERMS } from '../../../shared/terms'
import type { Dimension, Measure, QueryPlanInput } from '../../../shared/query/plan'
import type { Expr } from '../../../shared/query/expression'
import type { Field } from '../../../shared/query/field'
import type { RelatedTable } from '../../../shared/data-sources/date-fields'
import type { Column } from '../../../shared/data-sources/data-sources'
import { hasYearBefore, type DayRange } from './covered-years'

/** The fields that a ledger's entries are asked by. */
export interface LedgerFields {
  date: Field
  /** Account numbers as text: four digits by the BAS plan. */
  account: Field
  /** Debit positive. */
  amount: Field
}

export type LedgerStarterKind = 'result' | 'turnover' | 'costs' | 'costTrend' | 'cash'
interface LedgerStarter {
  kind: LedgerStarterKind
  input: CreateInsightInput
}

/** Accounts of the BAS chart, first and last. */
interface AccountSpan {
  from: string
  to: string
}
const RESULT: AccountSpan = { from: '3000', to: '8799' }
const INCOME: AccountSpan = { from: '3000', to: '3999' }
const COSTS: AccountSpan = { from: '4000', to: '7999' }
const CASH: AccountSpan = { from: '1900', to: '1999' }
const CASH_FLOW = 'Cash flow'
const accountsOf = ({ from, to }: AccountSpan): string => `Accounts ${from}–${to}`

/** In the books income is negative: seen from the owner it is the other way round. */
const negated = (amount: Field): Expr => ({
  kind: 'binary',
  op: 'multiply',
  // In this order the builder can show it as a calculation.
  left: { kind: 'field', field: amount },
  right: { kind: 'number', value: -1 },
})
const earned = ({ amount }: LedgerFields, label: string): Measure => ({
  ...{ kind: 'expression', agg: 'sum', row: negated(amount), label },
})
const booked = ({ amount }: LedgerFields, label: string): Measure => ({
  ...{ kind: 'column', agg: 'sum', field: amount, label },
})

function ledgerPlan(
  { date, account }: LedgerFields,
  of: { measure: Measure; span: AccountSpan; months: number; dimensions: Dimension[] },
): QueryPlanInput {
  return {
    v: 1,
    kind: 'aggregate',
    measures: [of.measure],
    dimensions: of.dimensions,
    period: { field: date, range: { kind: 'relative', span: 'last', unit: 'month', n: of.months } },
    filters: [{ field: account, any: [{ op: 'between', ...of.span }] }],
    totals: true,
  }
}
const byMonth = ({ date }: LedgerFields): Dimension => ({ field: date, grain: 'month' })

export const resultByMonth = (fields: LedgerFields): CreateInsightInput => ({
  name: `${TERMS.profitAfterFinancialItems} by month`,
  description: accountsOf(RESULT),
  plan: ledgerPlan(fields, {
    ...{ measure: earned(fields, TERMS.profitAfterFinancialItems), span: RESULT, months: 12 },
    dimensions: [byMonth(fields)],
  }),
  viz: { chart: 'bar', direction: 'up' },
})

/** @param withYearBefore the books go back two whole years */
function revenueByMonth(fields: LedgerFields, withYearBefore: boolean): CreateInsightInput {
  const plan = ledgerPlan(fields, {
    ...{ measure: earned(fields, TERMS.revenue), span: INCOME, months: 12 },
    dimensions: [byMonth(fields)],
  })
  const name = withYearBefore ? `${TERMS.revenue} vs ${TERMS.previousYear.toLowerCase()}` : `${TERMS.revenue} by month`
  const period = plan.period && { ...plan.period, compare: withYearBefore ? ('year' as const) : ('none' as const) }
  return {
    ...{ name, description: accountsOf(INCOME), viz: { chart: 'line', direction: 'up' } },
    plan: { ...plan, ...(period ? { period } : {}) },
  }
}

const LARGEST_ACCOUNTS = 10
const ACCOUNTS_IN_STACK = 5

function largestCosts(fields: LedgerFields, account: Dimension): CreateInsightInput {
  const dimensions = [{ ...account, topN: LARGEST_ACCOUNTS }]
  return {
    ...{ name: 'Largest costs by account', description: accountsOf(COSTS), viz: { chart: 'bar', direction: 'down' } },
    plan: {
      ...ledgerPlan(fields, { measure: booked(fields, 'Costs'), span: COSTS, months: 12, dimensions }),
      ...(account.label ? { v: 3 } : {}),
    },
  }
}

/** A stack has one name a part: the number would not tell what it is. */
function costsByMonth(fields: LedgerFields, name: Field | null): CreateInsightInput {
  const split = { field: name ?? fields.account, topN: ACCOUNTS_IN_STACK }
  const dimensions = [byMonth(fields), split]
  return {
    ...{ name: 'Costs by month and account', description: accountsOf(COSTS) },
    plan: ledgerPlan(fields, { measure: booked(fields, 'Costs'), span: COSTS, months: 12, dimensions }),
    viz: { chart: 'stackedBar', direction: 'down' },
  }
}

const cashByMonth = (fields: LedgerFields): CreateInsightInput => ({
  ...{ name: `${CASH_FLOW} by month`, description: accountsOf(CASH), viz: { chart: 'bar', direction: 'up' } },
  plan: ledgerPlan(fields, {
    ...{ measure: booked(fields, CASH_FLOW), span: CASH, months: 12 },
    dimensions: [byMonth(fields)],
  }),
})

/** What the accounts are called, in the table that entries point at. */
function accountName(related: readonly (readonly RelatedTable[])[]): Field | null {
  for (const { id, columns, via } of related.flat()) {
    const name = columns.find(({ label, mask }) => label === 'name' && mask === undefined)
    if (!name || !columns.some(({ label }) => label === 'account_key')) continue
    return { dataset: id, column: name.key, ...(via.length > 0 ? { via: [...via] } : {}) }
  }
  return null
}

export interface LedgerProfile {
  id: string
  columns: readonly Column[]
  days: DayRange | null
  related: readonly (readonly RelatedTable[])[]
}

/** First questions of a ledger: its entries add up to nothing, so they have their own; its other tables have none. Null: no ledger. */
export function ledgerStarters({ id, columns, days, related }: LedgerProfile): LedgerStarter[] | null {
  const labels = new Map(columns.map((column) => [column.label, column]))
  if (!labels.has('account_key') && !(labels.has('org_number') && labels.size <= 8)) return null
  const [date, account, amount] = ['date', 'account', 'amount'].map((label) => labels.get(label))
  if (!labels.has('voucher_key') || !date || !account || !amount || !days) return []
  const of = ({ key }: Column): Field => ({ dataset: id, column: key })
  const fields = { date: of(date), account: of(account), amount: of(amount) }
  const name = accountName(related)
  return [
    { kind: 'result', input: resultByMonth(fields) },
    { kind: 'turnover', input: revenueByMonth(fields, hasYearBefore(days)) },
    { kind: 'costs', input: largestCosts(fields, { field: fields.account, ...(name ? { label: name } : {}) }) },
    { kind: 'cash', input: cashByMonth(fields) },
    { kind: 'costTrend', input: costsByMonth(fields, name) },
  ]
}
