import { queryOptions } from '@tanstack/react-query'
import { isAccountName } from '../../../src/shared/account-classes'
import type { Grouping, GroupingSummary } from '../../../src/shared/groupings'
import type { Metric } from '../../../src/shared/metrics'
import type { ListPage } from '../../../src/shared/names'
import { operandsOf } from '../../../src/shared/plan-fields'
import type { CalcOperand, Measure } from '../../../src/shared/query'
import { readJson, api } from '../api'
import { session } from '../session'
import { findColumn, datasetIdOfKey } from './fields'
import type { BuilderDataset, FieldKey } from './fields'

/** What the workspace has given names: figures, and groups of values. */
export interface SemanticCatalogue {
  metrics: readonly Metric[]
  groupings: readonly GroupingSummary[]
}

const currentWorkspaceId = (): string | undefined => session().workspace?.id

export const metricsQuery = () =>
  queryOptions({
    queryKey: ['metrics', 'list', currentWorkspaceId()],
    queryFn: async ({ signal }) =>
      (await readJson<ListPage<Metric>>(api.api.metrics.$get({ query: {} }, { init: { signal } }))).items,
  })

export const groupingsQuery = () =>
  queryOptions({
    queryKey: ['groupings', 'list', currentWorkspaceId()],
    queryFn: ({ signal }) => readJson<GroupingSummary[]>(api.api.groupings.$get({}, { init: { signal } })),
  })

/** A grouping with its groups. */
export const groupingQuery = (id: string) =>
  queryOptions({
    queryKey: ['groupings', 'one', currentWorkspaceId(), id],
    queryFn: ({ signal }) => readJson<Grouping>(api.api.groupings[':id'].$get({ param: { id } }, { init: { signal } })),
  })

/** The metric of that id; null when it is gone, or while the catalogue is not known. */
export const findMetric = (catalogue: SemanticCatalogue | undefined, id: string | null): Metric | null =>
  catalogue?.metrics.find((one) => one.id === id) ?? null
export const findGrouping = (catalogue: SemanticCatalogue | undefined, id: string): GroupingSummary | null =>
  catalogue?.groupings.find((one) => one.id === id) ?? null

/** The groupings made for a column: for it alone, or for every account. */
export function groupingsFor(dataset: BuilderDataset, key: FieldKey | null): GroupingSummary[] {
  const column = findColumn(dataset, key)
  if (!column || column.type === 'datetime') return []
  const owner = datasetIdOfKey(key) ?? dataset.id
  const isAccount = (column.type === 'text' || column.type === 'integer') && isAccountName(column.label)
  return (dataset.catalogue?.groupings ?? []).filter(({ target }) =>
    target.kind === 'account' ? isAccount : target.dataset === owner && target.column === column.key,
  )
}

const METRIC_DEPTH_MAX = 10

/** What a measure comes to with the catalogue's own definitions in the place of their names, as far as they are known. */
export function resolveMetrics(measure: Measure, catalogue: SemanticCatalogue | undefined, depth = 0): Measure {
  if (depth > METRIC_DEPTH_MAX) return measure
  const inner = (one: Measure): Measure => resolveMetrics(one, catalogue, depth + 1)
  const side = (one: CalcOperand): CalcOperand => (one.kind === 'number' ? one : inner(one))
  switch (measure.kind) {
    case 'column':
    case 'expression':
      return measure
    case 'metric': {
      const metric = findMetric(catalogue, measure.id)
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
export const usesTimeCalculation = (measure: Measure): boolean =>
  measure.kind === 'prev' || measure.kind === 'cumulative' || operandsOf(measure).some(usesTimeCalculation)
