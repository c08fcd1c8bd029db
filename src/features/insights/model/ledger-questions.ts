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
const fromOwner = (amount: Field): Expr => ({
  kind: 'binary',
  op: 'multiply',
  left: { kind: 'number', value: -1 },
  right: { kind: 'field', field: amount },
})

function byMonth(
  { date, account, amount }: LedgerFields,
  asked: { label: string; from: string; to: string; months: number },
): QueryPlanInput {
  const { label, from, to, months } = asked
  return {
    v: 1,
    kind: 'aggregate',
    measures: [{ kind: 'expression', agg: 'sum', row: fromOwner(amount), label }],
    dimensions: [{ field: date, grain: 'month' }],
    period: { field: date, range: { kind: 'relative', span: 'last', unit: 'month', n: months } },
    filters: [{ field: account, any: [{ op: 'between', from, to }] }],
    totals: true,
  }
}

export const resultByMonth = (fields: LedgerFields): CreateInsightInput => ({
  name: 'What did the company earn each month?',
  description: 'Result before tax by month, from the ledger: income less costs of accounts 3000 to 8799.',
  plan: byMonth(fields, { label: 'Result', from: '3000', to: '8799', months: 18 }),
  viz: { chart: 'bar', direction: 'up' },
})

export function turnoverByMonth(fields: LedgerFields): CreateInsightInput {
  const plan = byMonth(fields, { label: 'Turnover', from: '3000', to: '3999', months: 12 })
  return {
    name: 'How does turnover compare with a year ago?',
    description: 'Income of accounts 3000 to 3999 by month, beside the twelve months before.',
    plan: { ...plan, ...(plan.period ? { period: { ...plan.period, compare: 'year' } } : {}) },
    viz: { chart: 'line', direction: 'up' },
  }
}
