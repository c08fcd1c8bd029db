import { createMetricSchema } from '../../../src/shared/metrics'
import type { CreateMetricInput, Metric } from '../../../src/shared/metrics'
import type { ColumnFormat } from '../../../src/shared/files'
import type { Field, Filter, Measure, QueryPlan } from '../../../src/shared/query'
import type { ColumnKey } from '../../../src/shared/sources'
import { checkWith } from '../../lib/validate-form'
import { fieldOf, keyOfField } from '../../lib/filters/fields'
import type { DraftDataset, FieldKey } from '../../lib/filters/fields'
import { filterDraft, filterOf } from '../../lib/filters/filter-draft'
import type { FilterDraft } from '../../lib/filters/filter-draft'

export const FORMATS = ['auto', 'plain', 'percent', 'currency'] as const
export type FormatChoice = (typeof FORMATS)[number]

/** The form of a metric. '' = none chosen. */
export interface MetricValues {
  name: string
  synonyms: string[]
  description: string
  dataset: string
  formula: string
  /** Only rows that all of these let through count. */
  filters: FilterDraft[]
  time: FieldKey | ''
  direction: Metric['direction']
  format: FormatChoice
  currencyMode: NonNullable<Metric['currencyMode']> | ''
}

/** When its rows happened: the column of that role, else the first of days. */
export const timeOf = ({ columns }: DraftDataset): ColumnKey | '' => {
  const dated = columns.filter(({ type, hidden }) => !hidden && (type === 'date' || type === 'datetime'))
  return (dated.find(({ role }) => role === 'time') ?? dated[0])?.key ?? ''
}

const emptyValues = (dataset: DraftDataset | undefined): MetricValues => ({
  ...{
    name: '',
    synonyms: [],
    description: '',
    formula: '',
    filters: [],
    direction: 'up',
    format: 'auto',
    currencyMode: '',
  },
  dataset: dataset?.id ?? '',
  time: dataset ? timeOf(dataset) : '',
})

/** What a new metric begins with: whose rows, and a formula over them. */
export interface Begin {
  dataset?: string | undefined
  formula?: string | undefined
}
export const newValues = (datasets: readonly DraftDataset[], { dataset, formula = '' }: Begin): MetricValues => ({
  ...emptyValues(datasets.find(({ id }) => id === dataset) ?? datasets[0]),
  formula,
})

/** `dataset`: that of its rows, with what joins to it; absent when it is gone: filters are then kept as they are. */
export const valuesOf = (metric: Metric, dataset: DraftDataset | undefined): MetricValues => ({
  name: metric.name,
  synonyms: metric.synonyms,
  description: metric.description,
  dataset: metric.dataset,
  formula: metric.formula,
  filters: metric.filters.map((filter) => (dataset ? filterDraft(filter, dataset) : { kind: 'kept', filter })),
  time: metric.time ? keyOfField({ id: metric.dataset }, metric.time) : '',
  direction: metric.direction,
  format: metric.format?.style ?? 'auto',
  currencyMode: metric.currencyMode ?? '',
})

function formatOf(choice: FormatChoice, currency: string): ColumnFormat | null {
  if (choice === 'auto') return null
  return choice === 'currency' ? { style: 'currency', currency } : { style: choice }
}

export interface Around {
  /** Of the workspace. */
  currency: string
  /** That amounts are converted to; absent where the plan does not convert. */
  shown?: string | undefined
  /** What the form does not show stays as it was. */
  kept: Metric | null
  /** Whose rows are measured, with what joins to it. */
  dataset: DraftDataset | undefined
}

/** The filters that are complete. */
export const filtersOf = ({ filters }: Pick<MetricValues, 'filters'>, dataset: DraftDataset | undefined): Filter[] =>
  filters.flatMap((draft) => {
    const filter = dataset ? filterOf(draft, dataset) : draft.kind === 'kept' ? draft.filter : null
    return filter === null || typeof filter === 'string' ? [] : [filter]
  })

/** The column that says when, as the plan names it. */
function timeField({ time, dataset: id }: MetricValues, { kept, dataset }: Around): Field | null {
  if (time === '') return null
  const found = dataset ? fieldOf(dataset, time) : null
  if (found) return found
  return kept?.time && keyOfField({ id }, kept.time) === time ? kept.time : null
}

/** What is sent. */
export const inputOf = (values: MetricValues, around: Around): CreateMetricInput => ({
  name: values.name,
  synonyms: values.synonyms,
  description: values.description,
  dataset: values.dataset,
  formula: values.formula,
  filters: filtersOf(values, around.dataset),
  time: timeField(values, around),
  direction: values.direction,
  format:
    around.kept?.format?.style === 'currency' && values.format === 'currency'
      ? around.kept.format
      : formatOf(values.format, around.currency),
  currencyMode: values.currencyMode === '' ? null : values.currencyMode,
})

const check = checkWith(createMetricSchema)
/** The first sentence beside each field of the form. */
export function checkMetric(values: MetricValues, around: Around): Record<string, string> {
  if (values.dataset === '') return { dataset: 'Choose the data.' }
  return { ...lackingFilters(values, around), ...check(inputOf(values, around)) }
}

/** What is missing of each filter, by its path. */
function lackingFilters({ filters }: MetricValues, { dataset }: Around): Record<string, string> {
  const said = filters.map((filter) => (dataset ? filterOf(filter, dataset) : null))
  return Object.fromEntries(said.flatMap((one, at) => (typeof one === 'string' ? [[`filters.${at}`, one]] : [])))
}

/** The figure by month over the last year, as it would be: the words and the picture under the formula. */
export function previewPlan(measure: Measure, values: MetricValues, around: Around): QueryPlan {
  const { dataset, format, currencyMode } = inputOf(values, around)
  const [time, filters] = [timeField(values, around), filtersOf(values, around.dataset)]
  const base: QueryPlan = {
    ...{ v: 2, kind: 'aggregate', dataset, dimensions: [], filters },
    measures: [{ ...measure, label: values.name.trim() || 'The figure', ...(format ? { format } : {}) }],
    ...(currencyMode && around.shown ? { currency: { code: around.shown, mode: currencyMode } } : {}),
  }
  if (!time) return base
  return {
    ...base,
    dimensions: [{ field: time, grain: 'month' }],
    period: {
      field: time,
      range: { kind: 'relative', span: 'last', unit: 'month', n: 12, includeCurrent: false },
      compare: 'none',
      completeOnly: false,
    },
    totals: true,
  }
}
