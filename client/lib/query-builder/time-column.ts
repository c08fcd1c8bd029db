import { useQuery } from '@tanstack/react-query'
import { dateFieldOf } from '../../../src/shared/data-sources/date-fields'
import type { Column } from '../../../src/shared/data-sources/data-sources'
import type { QueryPlan } from '../../../src/shared/query/plan'
import type { Field } from '../../../src/shared/query/field'
import type { QueryResult } from '../../../src/shared/query/result'
import { planResultQuery } from '../plan-result'
import { dayOf } from '../../../src/shared/figures/time-buckets'
import { fieldKeyOf, isTemporal, visibleColumns, type BuilderDataset, type FieldKey } from './catalogue'

/** What rows are dated by. */
export interface TimeChoice {
  key: FieldKey
  field: Field
  column: Column
}

/**
 * The column that says when: one with the role of time, else the first date, else that of what the rows point at (the
 * order's, of order lines). Null for rows without any.
 */
export function timeChoiceOf(dataset: BuilderDataset): TimeChoice | null {
  const temporal = visibleColumns(dataset).filter(isTemporal)
  const own = temporal.find(({ role }) => role === 'time') ?? temporal[0]
  const found = own
    ? { field: { dataset: dataset.id, column: own.key }, column: own }
    : dateFieldOf(dataset, linkedLevels(dataset))
  return found && { ...found, key: fieldKeyOf(dataset, found.field) }
}

/** Datasets that rows point at, by how many relations lead there. */
function linkedLevels({ linked = [] }: BuilderDataset) {
  const levels = new Map<number, { id: string; columns: Column[]; rowCount?: number | undefined; via: string[] }[]>()
  for (const { use, id, columns, rowCount, via, hops = 1 } of linked)
    if (use === 'splits') levels.set(hops, [...(levels.get(hops) ?? []), { id, columns, rowCount, via }])
  return [...levels].toSorted(([a], [b]) => a - b).map(([, level]) => level)
}

/** First and last day that rows are dated by. */
export interface DataRange {
  from: string
  to: string
}

/** First and last day of a date, of the rows of a dataset. */
export const dataRangePlan = (dataset: string, field: Field): QueryPlan => ({
  v: 1,
  kind: 'aggregate',
  dataset,
  measures: (['min', 'max'] as const).map((agg) => ({
    ...{ kind: 'column', agg, field },
    ...(field.dataset === dataset ? {} : { dataset }),
  })),
  dimensions: [],
  filters: [],
})

/** First and last day from the answer to {@link dataRangePlan}; null when no row has a date. */
export function dataRangeOf(result: QueryResult): DataRange | null {
  const [from, to] = (result.rows[0] ?? []).map((cell) => (typeof cell === 'string' ? dayOf(cell) : null))
  return from && to ? { from, to } : null
}

/** The days that rows of a dataset are dated by; null without a date or when they cannot be read. */
export function useFieldRange(dataset: string, field: Field | null): { dataRange: DataRange | null; pending: boolean } {
  const rangeQuery = useQuery({
    ...planResultQuery(dataRangePlan(dataset, field ?? { dataset, column: 'c0' })),
    enabled: field !== null,
  })
  return {
    dataRange: rangeQuery.data ? dataRangeOf(rangeQuery.data) : null,
    pending: field !== null && rangeQuery.isPending,
  }
}
