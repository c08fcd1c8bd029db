import type { DatasetWithSource } from '../../../lib/queries/data-source-queries'
import { isAccountName } from '../../../../src/shared/account-classes'
import type { GroupingSummary } from '../../../../src/shared/groupings/groupings'
import type { Dataset } from '../../../../src/shared/data-sources/data-sources'
import {
  findGrouping,
  groupingsFor,
  findMetric,
  fieldOptions,
  findColumn,
  isNumeric,
  isTemporal,
  fieldKeyOf,
  visibleColumns,
} from '../../../lib/query-builder/catalogue'
import type { SemanticCatalogue, BuilderDataset } from '../../../lib/query-builder/catalogue'
import { EMPTY_DIMENSION, newMetricMeasure, type PlanDraft } from './draft'
import { defaultDraft } from './default-draft'
import { timeChoiceOf, type DataRange } from '../../../lib/query-builder/time-column'

interface DatasetOption {
  value: string
  label: string
}
interface DatasetOptionGroup {
  group: string
  items: DatasetOption[]
}

/** Data to choose from, as a `Select` takes it: tables of a source with several stand below its name, in their order. */
export function datasetOptions(datasets: readonly DatasetWithSource[]): (DatasetOption | DatasetOptionGroup)[] {
  const bySource = new Map<string, DatasetWithSource[]>()
  for (const one of datasets) bySource.set(one.sourceId, [...(bySource.get(one.sourceId) ?? []), one])
  return [...bySource.values()].flatMap((tables): (DatasetOption | DatasetOptionGroup)[] => {
    const items = tables.map(({ id, name }) => ({ value: id, label: name }))
    const [first] = tables
    return first && tables.length > 1 ? [{ group: first.sourceName, items }] : items
  })
}

/** What a new insight begins with, by the address: data, or a metric or a grouping of the catalogue. */
export interface NewInsightParams {
  dataset?: string | undefined
  metric?: string | undefined
  grouping?: string | undefined
}

/** Where a grouping is used: its own data; of accounts the ledger with most rows and amounts. */
function datasetOfGrouping({ target }: GroupingSummary, datasets: readonly Dataset[]): Dataset | undefined {
  if (target.kind === 'column') return datasets.find(({ id }) => id === target.dataset)
  const weight = (dataset: Dataset): number => (visibleColumns(dataset).some(isNumeric) ? 1e12 : 0) + dataset.rowCount
  return datasets
    .filter((dataset) => visibleColumns(dataset).some(({ label }) => isAccountName(label)))
    .toSorted((a, b) => weight(b) - weight(a))[0]
}

/** It has amounts with a date: a first chart of it says what changed. */
const hasMeasuresOverTime = (dataset: Dataset): boolean =>
  timeChoiceOf(dataset) !== null &&
  visibleColumns(dataset).some((column) => column.role === 'measure' && isNumeric(column))

/** The data that a new insight begins with; the first that tells of time when nothing is wanted, or that is gone. */
export function startDataset<T extends Dataset>(
  params: NewInsightParams,
  datasets: readonly T[],
  catalogue: SemanticCatalogue,
): T | undefined {
  const grouping = params.grouping === undefined ? null : findGrouping(catalogue, params.grouping)
  const wanted =
    findMetric(catalogue, params.metric ?? null)?.dataset ??
    (grouping && datasetOfGrouping(grouping, datasets)?.id) ??
    params.dataset
  return datasets.find(({ id }) => id === wanted) ?? datasets.find(hasMeasuresOverTime) ?? datasets[0]
}

interface CreateOptions {
  params: NewInsightParams
  dataset: BuilderDataset
  dataRange: DataRange | null
  today: string
}

export function newInsightDraft({ params, dataset, dataRange, today }: CreateOptions): PlanDraft {
  const draft = defaultDraft(dataset, dataRange, today)
  if (params.metric !== undefined) return withMetric(draft, params.metric)
  return params.grouping === undefined ? draft : withGrouping(draft, params.grouping)
}

/** A metric is asked by its own date, of all its rows. */
function withMetric(draft: PlanDraft, id: string): PlanDraft {
  const { dataset } = draft
  const metric = findMetric(dataset?.catalogue, id)
  const next: PlanDraft = { ...draft, measures: [newMetricMeasure(id)], filters: [], chart: null }
  if (!metric || !dataset) return next
  const key = metric.time && fieldKeyOf(dataset, metric.time)
  const time = findColumn(dataset, key)
  const dated = { ...next, direction: metric.direction }
  if (!time || !isTemporal(time)) return { ...dated, period: null, dimensions: [] }
  return {
    ...dated,
    dimensions: dated.dimensions.map((split) => (split.grain === null ? split : { ...split, column: key })),
    period: dated.period && { ...dated.period, column: key },
  }
}

/** By the groups of the first column that the grouping is made for. */
function withGrouping(draft: PlanDraft, id: string): PlanDraft {
  const { dataset } = draft
  if (!dataset) return draft
  const choice = fieldOptions(dataset, 'splits').find(({ key }) =>
    groupingsFor(dataset, key).some((one) => one.id === id),
  )
  if (!choice) return draft
  return { ...draft, dimensions: [{ ...EMPTY_DIMENSION, column: choice.key, grouping: { id } }], chart: null }
}
