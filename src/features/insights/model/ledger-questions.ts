import type { CreateInsightInput } from '../../../shared/insights'
import type { Expr, Field, QueryPlanInput } from '../../../shared/query'

/** The fields that a ledger's entries are asked by. */
export interface LedgerFields {
  date: Field
  /** Account numbers as text: four digits by the BAS plan. */
  account: Field
  /** Debit positive. */
  amount: Field
}

/** In the books income is negative: seen from the owner it is the other way round. */
const negated = (amount: Field): Expr => ({
  kind: 'binary',
  op: 'multiply',
  // In this order the builder can show it as a calculation.
  left: { kind: 'field', field: amount },
  right: { kind: 'number', value: -1 },
})

interface LedgerMeasure {
  label: string
  /** First and last account. */
  from: string
  to: string
  /** So many months back from today; absent: all that is there. */
  months?: number
}

function monthlyPlan(
  { date, account, amount }: LedgerFields,
  { label, from, to, months }: LedgerMeasure,
): QueryPlanInput {
  const range = months === undefined ? null : ({ kind: 'relative', span: 'last', unit: 'month', n: months } as const)
  return {
    v: 1,
    kind: 'aggregate',
    measures: [{ kind: 'expression', agg: 'sum', row: negated(amount), label }],
    dimensions: [{ field: date, grain: 'month' }],
    ...(range ? { period: { field: date, range } } : {}),
    filters: [{ field: account, any: [{ op: 'between', from, to }] }],
    totals: true,
  }
}

/** Books that ended long ago are shown whole. */
export const resultByMonth = (fields: LedgerFields, isCurrent: boolean): CreateInsightInput => ({
  name: 'What did the company earn each month?',
  description: 'Result before tax by month, from the ledger: income less costs of accounts 3000 to 8799.',
  plan: monthlyPlan(fields, { label: 'Result', from: '3000', to: '8799', ...(isCurrent ? { months: 18 } : {}) }),
  viz: { chart: 'bar', direction: 'up' },
})

/** For books that go back two whole years. */
export function revenueByMonth(fields: LedgerFields): CreateInsightInput {
  const plan = monthlyPlan(fields, { label: 'Turnover', from: '3000', to: '3999', months: 12 })
  return {
    name: 'How does turnover compare with a year ago?',
    description: 'Income of accounts 3000 to 3999 by month, beside the twelve months before.',
    plan: { ...plan, ...(plan.period ? { period: { ...plan.period, compare: 'year' } } : {}) },
    viz: { chart: 'line', direction: 'up' },
  }
}
