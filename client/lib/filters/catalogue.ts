import { queryOptions } from '@tanstack/react-query'
import { isAccountName } from '../../../src/shared/account-classes'
import type { Grouping, GroupingSummary } from '../../../src/shared/groupings'
import type { Metric } from '../../../src/shared/metrics'
import type { Page } from '../../../src/shared/names'
import { partsOf } from '../../../src/shared/plan-fields'
import type { CalcOperand, Measure } from '../../../src/shared/query'
import { answer, api } from '../api'
import { session } from '../session'
import { columnOf, datasetOfKey } from './fields'
import type { DraftDataset, FieldKey } from './fields'

/** What the workspace has given names: figures, and groups of values. */
export interface Catalogue {
  metrics: readonly Metric[]
  groupings: readonly GroupingSummary[]
}

const here = (): string | undefined => session().workspace?.id

export const metricsQuery = () =>
  queryOptions({
    queryKey: ['metrics', 'list', here()],
    queryFn: async ({ signal }) =>
      (await answer<Page<Metric>>(api.api.metrics.$get({ query: {} }, { init: { signal } }))).items,
  })

export const groupingsQuery = () =>
  queryOptions({
    queryKey: ['groupings', 'list', here()],
    queryFn: ({ signal }) => answer<GroupingSummary[]>(api.api.groupings.$get({}, { init: { signal } })),
  })

/** A grouping with its groups. */
export const groupingQuery = (id: string) =>
  queryOptions({
    queryKey: ['groupings', 'one', here(), id],
    queryFn: ({ signal }) => answer<Grouping>(api.api.groupings[':id'].$get({ param: { id } }, { init: { signal } })),
  })

/** The metric of that id; null when it is gone, or while the catalogue is not known. */
export const metricOf = (catalogue: Catalogue | undefined, id: string | null): Metric | null =>
  catalogue?.metrics.find((one) => one.id === id) ?? null
export const groupingOf = (catalogue: Catalogue | undefined, id: string): GroupingSummary | null =>
  catalogue?.groupings.find((one) => one.id === id) ?? null

/** The groupings made for a column: for it alone, or for every account. */
export function groupingsFor(dataset: DraftDataset, key: FieldKey | null): GroupingSummary[] {
  const column = columnOf(dataset, key)
  if (!column || column.type === 'datetime') return []
  const owner = datasetOfKey(key) ?? dataset.id
  const isAccount = (column.type === 'text' || column.type === 'integer') && isAccountName(column.label)
  return (dataset.catalogue?.groupings ?? []).filter(({ target }) =>
    target.kind === 'account' ? isAccount : target.dataset === owner && target.column === column.key,
  )
}

const DEPTH_MAX = 10

/** What a measure comes to with the catalogue's own definitions in the place of their names, as far as they are known. */
export function meantBy(measure: Measure, catalogue: Catalogue | undefined, depth = 0): Measure {
  if (depth > DEPTH_MAX) return measure
  const inner = (one: Measure): Measure => meantBy(one, catalogue, depth + 1)
  const side = (one: CalcOperand): CalcOperand => (one.kind === 'number' ? one : inner(one))
  switch (measure.kind) {
    case 'column':
    case 'expression':
      return measure
    case 'metric': {
      const metric = metricOf(catalogue, measure.id)
      return metric ? inner(metric.measure) : measure
    }
    case 'ratio':
      return { ...measure, over: inner(measure.over), under: inner(measure.under) }
    case 'calc':
      return { ...measure, left: side(measure.left), right: side(measure.right) }
    case 'prev':
    case 'cumulative':
      return { ...measure, of: inner(measure.of) }
  }
}

/** Whether a figure needs units of time, one after the other. */
export const runsOverTime = (measure: Measure): boolean =>
  measure.kind === 'prev' || measure.kind === 'cumulative' || partsOf(measure).some(runsOverTime)
