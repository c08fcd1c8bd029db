import type { QueryPlanInput } from '../../src/shared/query/plan.ts'
import type { Field } from '../../src/shared/query/field.ts'

/** One of the twelve questions of a dashboard, for us and for the reference. */
export interface Question {
  name: string
  plan: QueryPlanInput
  sql: string
}

/** The twelve questions over order lines, where `field` names a column by its header. */
export function questions(field: (label: string) => Field): Question[] {
  const sum = (label: string) => ({ kind: 'column' as const, agg: 'sum' as const, field: field(label) })
  const by = (label: string, topN?: number) => ({ field: field(label), ...(topN ? { topN } : {}) })
  const byTime = (grain: 'month' | 'day') => ({ field: field('ordered_at'), grain })
  const plan = (over: Partial<QueryPlanInput>): QueryPlanInput => ({
    v: 1,
    kind: 'aggregate',
    measures: [sum('amount')],
    dimensions: [],
    filters: [],
    ...over,
  })
  const is = (label: string, ...values: string[]) => ({ field: field(label), any: [{ op: 'in' as const, values }] })
  const margin = {
    kind: 'expression' as const,
    agg: 'sum' as const,
    row: {
      kind: 'binary' as const,
      op: 'subtract' as const,
      left: { kind: 'field' as const, field: field('amount') },
      right: { kind: 'field' as const, field: field('cost') },
    },
  }
  const average = (agg: 'avg' | 'min' | 'max') => ({ kind: 'column' as const, agg, field: field('amount') })
  return [
    { name: 'total', plan: plan({}), sql: 'SELECT sum(amount) FROM o' },
    {
      name: 'by region',
      plan: plan({ dimensions: [by('region')] }),
      sql: 'SELECT region, sum(amount) FROM o GROUP BY 1 ORDER BY 2 DESC',
    },
    {
      name: 'by month',
      plan: plan({ dimensions: [byTime('month')] }),
      sql: "SELECT date_trunc('month', ordered_at), sum(amount) FROM o GROUP BY 1 ORDER BY 1",
    },
    {
      name: 'top 10 items',
      plan: plan({ dimensions: [by('item')], limit: 10 }),
      sql: 'SELECT item, sum(amount) FROM o GROUP BY 1 ORDER BY 2 DESC LIMIT 10',
    },
    {
      name: 'top 10 customers by margin',
      plan: plan({ measures: [margin], dimensions: [by('customer')], limit: 10 }),
      sql: 'SELECT customer, sum(amount - cost) FROM o GROUP BY 1 ORDER BY 2 DESC LIMIT 10',
    },
    {
      name: 'distinct customers',
      plan: plan({ measures: [{ kind: 'column', agg: 'countDistinct', field: field('customer') }] }),
      sql: 'SELECT count(DISTINCT customer) FROM o',
    },
    {
      name: 'region × group',
      plan: plan({ dimensions: [by('region'), by('product_group')] }),
      sql: 'SELECT region, product_group, sum(amount) FROM o GROUP BY 1, 2 ORDER BY 3 DESC',
    },
    {
      name: 'month × region',
      plan: plan({ dimensions: [byTime('month'), by('region')] }),
      sql: "SELECT date_trunc('month', ordered_at), region, sum(amount) FROM o GROUP BY 1, 2 ORDER BY 1, 2",
    },
    {
      name: 'one year by group',
      plan: plan({
        dimensions: [by('product_group')],
        period: { field: field('ordered_at'), range: { kind: 'absolute', from: '2024-01-01', to: '2024-12-31' } },
      }),
      sql: "SELECT product_group, sum(amount) FROM o WHERE ordered_at >= '2024-01-01' AND ordered_at < '2025-01-01' GROUP BY 1 ORDER BY 2 DESC",
    },
    {
      name: 'two regions, one group, by month',
      plan: plan({
        dimensions: [byTime('month')],
        filters: [is('region', 'Skåne', 'Gotland'), is('product_group', 'Tools')],
      }),
      sql: "SELECT date_trunc('month', ordered_at), sum(amount) FROM o WHERE region IN ('Skåne', 'Gotland') AND product_group = 'Tools' GROUP BY 1 ORDER BY 1",
    },
    {
      name: 'average, least, most by region',
      plan: plan({ measures: [average('avg'), average('min'), average('max')], dimensions: [by('region')] }),
      sql: 'SELECT region, avg(amount), min(amount), max(amount) FROM o GROUP BY 1 ORDER BY 2 DESC',
    },
    {
      name: 'day by day',
      plan: plan({ dimensions: [byTime('day')] }),
      sql: 'SELECT ordered_at, sum(amount) FROM o GROUP BY 1 ORDER BY 1',
    },
  ]
}
