import { askAll } from './refusals'
import { PLAN_MEASURES_MAX } from '../../shared/limits'
import { breakdownKey, type Breakdown } from './breakdowns'
import type { QueryService } from '../../semantic/query-service'
import type { Field } from '../../shared/query/field'
import type { Measure, QueryPlan } from '../../shared/query/plan'

/** How many values columns have. */
const distinctCountPlan = (dataset: string, fields: readonly Field[]): QueryPlan => ({
  v: 2,
  kind: 'aggregate',
  dataset,
  measures: fields.map((field): Measure => ({ kind: 'column', agg: 'countDistinct', field, dataset })),
  dimensions: [],
  filters: [],
})

type CountedColumn = Pick<Breakdown, 'key' | 'field'>

/** How many values each column has, and each key of the rows that they name, by its key; 0 where that cannot be answered. */
export async function distinctCounts(
  service: Pick<QueryService, 'answer'>,
  { dataset, splits: named }: { dataset: string; splits: readonly Breakdown[] },
): Promise<Map<string, number>> {
  const values = new Map<string, number>()
  const rows = new Map(named.flatMap(({ row }) => (row ? [[breakdownKey(row), row] as const] : [])))
  const splits: CountedColumn[] = [...named, ...[...rows].map(([key, field]) => ({ key, field }))]
  const ask = async (some: readonly CountedColumn[]): Promise<number[]> => {
    const fields = some.map(({ field }) => field)
    const { rows } = await service.answer(distinctCountPlan(dataset, fields))
    return some.map((_, n) => Number(rows[0]?.[n] ?? 0))
  }
  for (let at = 0; at < splits.length; at += PLAN_MEASURES_MAX) {
    const some = splits.slice(at, at + PLAN_MEASURES_MAX)
    const counts = await askAll(some, ask)
    for (const [n, { key }] of some.entries()) values.set(key, counts[n] ?? 0)
  }
  return values
}
