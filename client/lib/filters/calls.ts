import { queryOptions } from '@tanstack/react-query'
import type { QueryPlan } from '../../../src/shared/query'
import type { Relation } from '../../../src/shared/relations'
import type { ColumnKey } from '../../../src/shared/sources'
import { readJson, api } from '../api'

/** What joins the datasets of the workspace. */
export const relationsQuery = () =>
  queryOptions({
    queryKey: ['relations', 'for-insights'],
    queryFn: ({ signal }) => readJson<Relation[]>(api.api.relations.$get({ query: {} }, { init: { signal } })),
  })

/** The most frequent values of a column: what a filter offers. */
export const topValuesPlan = (dataset: string, column: ColumnKey): QueryPlan => ({
  v: 1,
  kind: 'aggregate',
  dataset,
  filters: [],
  measures: [{ kind: 'column', agg: 'count' }],
  dimensions: [{ field: { dataset, column } }],
  sort: [{ by: { measure: 0 }, dir: 'desc' }],
  limit: 200,
})
