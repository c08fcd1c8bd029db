import { isAccountName } from '../../../src/shared/account-classes'
import type { GroupingSummary } from '../../../src/shared/groupings'
import type { Dataset } from '../../../src/shared/sources'
import { groupingOf, groupingsFor, metricOf } from '../../lib/filters/catalogue'
import type { Catalogue } from '../../lib/filters/catalogue'
import { choicesFor, columnOf, isNumeric, isTemporal, keyOfField, visible } from '../../lib/filters/fields'
import type { DraftDataset } from '../../lib/filters/fields'
import { metricMeasure } from './draft'
import type { PlanDraft } from './draft'
import { defaultDraft, timeColumn } from './draft-defaults'
import type { History } from './draft-defaults'

/** What a new insight begins with, by the address: data, or a metric or a grouping of the catalogue. */
export interface Start {
  dataset?: string | undefined
  metric?: string | undefined
  grouping?: string | undefined
}

/** Where a grouping is used: its own data; of accounts the ledger with most rows and amounts. */
function groupedData({ target }: GroupingSummary, datasets: readonly Dataset[]): Dataset | undefined {
  if (target.kind === 'column') return datasets.find(({ id }) => id === target.dataset)
  const weight = (dataset: Dataset): number => (visible(dataset).some(isNumeric) ? 1e12 : 0) + dataset.rowCount
  return datasets
    .filter((dataset) => visible(dataset).some(({ label }) => isAccountName(label)))
    .toSorted((a, b) => weight(b) - weight(a))[0]
}

/** It has amounts with a date: a first chart of it says what changed. */
const tellsOfTime = (dataset: Dataset): boolean =>
  timeColumn(dataset) !== null && visible(dataset).some((column) => column.role === 'measure' && isNumeric(column))

/** The data that a new insight begins with; the first that tells of time when nothing is wanted, or that is gone. */
export function startData<T extends Dataset>(
  start: Start,
  datasets: readonly T[],
  catalogue: Catalogue,
): T | undefined {
  const grouping = start.grouping === undefined ? null : groupingOf(catalogue, start.grouping)
  const wanted =
    metricOf(catalogue, start.metric ?? null)?.dataset ??
    (grouping && groupedData(grouping, datasets)?.id) ??
    start.dataset
  return datasets.find(({ id }) => id === wanted) ?? datasets.find(tellsOfTime) ?? datasets[0]
}

interface Beginning {
  start: Start
  dataset: DraftDataset
  history: History | null
  today: string
}

/** The draft that a new insight begins with. */
export function startDraft({ start, dataset, history, today }: Beginning): PlanDraft {
  const draft = defaultDraft(dataset, history, today)
  if (start.metric !== undefined) return withMetric(draft, start.metric)
  return start.grouping === undefined ? draft : withGrouping(draft, start.grouping)
}

/** A metric is asked by its own date, of all its rows. */
function withMetric(draft: PlanDraft, id: string): PlanDraft {
  const { dataset } = draft
  const metric = metricOf(dataset?.catalogue, id)
  const next: PlanDraft = { ...draft, measures: [metricMeasure(id)], filters: [], chart: null }
  if (!metric || !dataset) return next
  const key = metric.time && keyOfField(dataset, metric.time)
  const time = columnOf(dataset, key)
  const dated = { ...next, direction: metric.direction }
  if (!time || !isTemporal(time)) return { ...dated, period: null, splits: [] }
  return {
    ...dated,
    splits: dated.splits.map((split) => (split.grain === null ? split : { ...split, column: key })),
    period: dated.period && { ...dated.period, column: key },
  }
}

/** By the groups of the first column that the grouping is made for. */
function withGrouping(draft: PlanDraft, id: string): PlanDraft {
  const { dataset } = draft
  if (!dataset) return draft
  const choice = choicesFor(dataset, 'splits').find(({ key }) =>
    groupingsFor(dataset, key).some((one) => one.id === id),
  )
  if (!choice) return draft
  return { ...draft, splits: [{ column: choice.key, grain: null, topN: null, grouping: { id } }], chart: null }
}
