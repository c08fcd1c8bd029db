import { workspaceId } from '../session'
import { jsonQuery, itemsQuery } from '../queries/query-options'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Filter, Measure, QueryPlan } from '../../../src/shared/query/plan'
import type { Field } from '../../../src/shared/query/field'
import type { Column } from '../../../src/shared/data-sources/data-sources'
import type { Relation } from '../../../src/shared/relations'
import { api } from '../api'
import { isAccountName } from '../../../src/shared/account-classes'
import type { Grouping, GroupingSummary } from '../../../src/shared/groupings/groupings'
import type { Metric } from '../../../src/shared/metrics'
import { hasWindow, isLeafMeasure, mapOperands, operandsOf } from '../../../src/shared/query/plan-fields'
import type { Cell } from '../../../src/shared/query/result'
import type { ColumnKey } from '../../../src/shared/data-sources/files'

export interface BuilderDataset {
  id: string
  name: string
  columns: Column[]
  /** What confirmed relations join to it. */
  linked?: LinkedDataset[]
  /** Columns that tell its rows apart; absent or empty when nobody said. */
  keyColumns?: ColumnKey[]
  /** Metrics and groupings of the workspace; absent while they are not known. */
  catalogue?: SemanticCatalogue
}

/** A dataset that relations join to the one that is looked at, and what it can be used for. */
export interface LinkedDataset {
  /**
   * `splits`: rows here point at its rows, so that its columns split and filter. `measures`: it has rows of its own that
   * share something to split by. `exists`: its rows point here.
   */
  use: 'splits' | 'measures' | 'exists'
  id: string
  name: string
  columns: Column[]
  /** As it is called among the choices: "Customers (by Customer no)". */
  heading: string
  /** Relations to follow, where the way is not clear by itself. */
  via: string[]
  /** The column of the one side: of `splits` its own that rows here point at, of `exists` the one here. Its values are unique. */
  pointsAt?: ColumnKey
  /** Of `splits`: how many relations lead there, and how many rows are there. */
  hops?: number
  rowCount?: number | undefined
}

/** A column of the dataset itself, or `dataset/column` of a joined one, with `/relation+relation` where the way matters. */
export type FieldKey = ColumnKey | `${string}/${string}`

export const isNumeric = (column: Column): boolean => column.type === 'number' || column.type === 'integer'
export const isTemporal = (column: Column): boolean => column.type === 'date' || column.type === 'datetime'
export const visibleColumns = ({ columns }: Pick<BuilderDataset, 'columns'>): Column[] =>
  columns.filter((column) => !column.hidden)

/** A column that can be chosen: of the data itself, or of a dataset that relations join to it. */
export interface FieldOption {
  key: FieldKey
  column: Column
  /** The dataset it belongs to; null for the data itself. */
  group: string | null
}

const linkedFieldKey = (linked: Pick<LinkedDataset, 'id' | 'via'>, column: ColumnKey): FieldKey =>
  `${linked.id}/${column}${linked.via.length > 0 ? `/${linked.via.join('+')}` : ''}`

/** What can be chosen for a use: own columns first, then those of each joined dataset. */
export function fieldOptions(
  dataset: BuilderDataset,
  use: 'splits' | 'measures' | 'own',
  keep: (column: Column) => boolean = () => true,
): FieldOption[] {
  const own = visibleColumns(dataset).map((column): FieldOption => ({ key: column.key, column, group: null }))
  const joined = (dataset.linked ?? [])
    .filter((linked) => linked.use === use)
    .flatMap((linked) =>
      visibleColumns(linked).map((column) => ({
        key: linkedFieldKey(linked, column.key),
        column,
        group: linked.heading,
      })),
    )
  return [...own, ...joined].filter(({ column }) => keep(column))
}

interface FieldKeyParts {
  dataset: string | null
  column: string
  via: string[]
}
export function parseFieldKey(key: FieldKey): FieldKeyParts {
  const [first = '', second, third] = key.split('/')
  if (second === undefined) return { dataset: null, column: first, via: [] }
  return { dataset: first, column: second, via: third === undefined ? [] : third.split('+') }
}

/** The column that a key names; null when it is gone or was never chosen. */
export function findColumn(dataset: BuilderDataset | null, key: FieldKey | null): Column | null {
  if (key === null || !dataset) return null
  const parts = parseFieldKey(key)
  const columns =
    parts.dataset === null
      ? dataset.columns
      : (dataset.linked?.find((linked) => linked.id === parts.dataset)?.columns ?? [])
  return columns.find((column) => column.key === parts.column) ?? null
}

/** The plan's name of a column; null when it is gone. */
export function toField(dataset: BuilderDataset, key: FieldKey | null): Field | null {
  const column = findColumn(dataset, key)
  if (key === null || !column) return null
  const { dataset: other, via } = parseFieldKey(key)
  const field = { dataset: other ?? dataset.id, column: column.key }
  return via.length === 0 ? field : { ...field, via }
}

/** The key of a plan's column, as it is offered: a way that is named although it is the only one is left out. */
export function fieldKeyOf(dataset: Pick<BuilderDataset, 'id' | 'linked'>, field: Field): FieldKey {
  const named = field.via ?? []
  const ways = (dataset.linked ?? []).filter(({ use, id }) => use === 'splits' && id === field.dataset)
  const [only] = ways
  const isOnly = ways.length === 1 && only?.via.length === 0 && only.hops === named.length
  const via = isOnly ? [] : named
  if (field.dataset === dataset.id && via.length === 0) return field.column
  return linkedFieldKey({ id: field.dataset, via }, field.column)
}

/** The dataset whose rows a measure is about: that of its column, when the column is not of the data itself. */
export function measureDatasetById(dataset: BuilderDataset, id: string | null): BuilderDataset {
  const linked = dataset.linked?.find((one) => one.use === 'measures' && one.id === id)
  if (!linked) return dataset
  const { name, columns } = linked
  return { id: linked.id, name, columns, ...(dataset.catalogue ? { catalogue: dataset.catalogue } : {}) }
}

/** The dataset a key belongs to; null for the data itself. */
export const datasetIdOfKey = (key: FieldKey | null): string | null =>
  key === null ? null : parseFieldKey(key).dataset

export const relationsQuery = () =>
  jsonQuery<Relation[]>(['relations', 'for-insights'], (options) => api.api.relations.$get({ query: {} }, options))

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

/** What the workspace has given names: figures, and groups of values. */
export interface SemanticCatalogue {
  metrics: readonly Metric[]
  groupings: readonly GroupingSummary[]
}

export const metricsQuery = () =>
  itemsQuery<Metric>(['metrics', 'list', workspaceId()], (options) => api.api.metrics.$get({ query: {} }, options))

export const groupingsQuery = () =>
  jsonQuery<GroupingSummary[]>(['groupings', 'list', workspaceId()], (options) => api.api.groupings.$get({}, options))

export const groupingQuery = (id: string) =>
  jsonQuery<Grouping>(['groupings', 'one', workspaceId(), id], (options) =>
    api.api.groupings[':id'].$get({ param: { id } }, options),
  )

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
  switch (measure.kind) {
    case 'column':
    case 'expression':
      return measure
    case 'metric': {
      const metric = findMetric(catalogue, measure.id)
      return metric ? inner(metric.measure) : measure
    }
    case 'ratio':
    case 'calc':
    case 'function':
    case 'grouped':
    case 'prev':
    case 'cumulative':
    case 'moving':
    case 'whole':
      return mapOperands(measure, inner)
  }
}

/** Filters that belong to the figure itself: the records behind it are only those. */
export function measureFilters(measure: Measure | undefined, catalogue: SemanticCatalogue | undefined): Filter[] {
  if (!measure) return []
  if (isLeafMeasure(measure)) return measure.filter ?? []
  if (measure.kind !== 'metric') return measureFilters(operandsOf(measure)[0], catalogue)
  const metric = findMetric(catalogue, measure.id)
  return metric ? [...metric.filters, ...measureFilters(resolveMetrics(metric.measure, catalogue), catalogue)] : []
}

export const equalsFilter = (field: Field, value: Cell): Filter => ({
  field,
  any: [value === null ? { op: 'empty' } : { op: 'eq', value }],
})

/** Whether a figure needs units of time, one after the other. */
export const usesTimeCalculation = hasWindow

/** Metrics and groupings of the workspace; absent when they cannot be read. */
export function useCatalogue({ enabled = true }: { enabled?: boolean } = {}): {
  catalogue: SemanticCatalogue | undefined
  pending: boolean
} {
  const metrics = useQuery({ ...metricsQuery(), enabled })
  const groupings = useQuery({ ...groupingsQuery(), enabled })
  const [named, grouped] = [metrics.data, groupings.data]
  const catalogue = useMemo(
    () => (named && grouped ? { metrics: named, groupings: grouped } : undefined),
    [named, grouped],
  )
  return { catalogue, pending: metrics.isPending || groupings.isPending }
}
