import { createMetricSchema, type CreateMetricInput, type Metric } from '../../../src/shared/metrics'
import type { ColumnFormat, ColumnKey } from '../../../src/shared/data-sources/files'
import type { Field, Filter, Measure, QueryPlan } from '../../../src/shared/query/plan'
import { formValidator } from '../../lib/validate-form'
import { toField, fieldKeyOf, type BuilderDataset, type FieldKey } from '../../lib/query-builder/catalogue'
import { toFilterDraft, toFilter, type FilterDraft } from '../../lib/query-builder/filter-draft'

const FORMAT_CHOICES = ['auto', 'plain', 'percent', 'currency'] as const
type FormatChoice = (typeof FORMAT_CHOICES)[number]

/** The form of a metric. '' = none chosen. */
export interface MetricFormValues {
  name: string
  synonyms: string[]
  description: string
  dataset: string
  formula: string
  filters: FilterDraft[]
  time: FieldKey | ''
  direction: Metric['direction']
  format: FormatChoice
  currencyMode: NonNullable<Metric['currencyMode']> | ''
}

/** When its rows happened: the column of that role, else the first of days. */
export const defaultTimeColumn = ({ columns }: BuilderDataset): ColumnKey | '' => {
  const dated = columns.filter(({ type, hidden }) => !hidden && (type === 'date' || type === 'datetime'))
  return (dated.find(({ role }) => role === 'time') ?? dated[0])?.key ?? ''
}

export interface NewMetricDefaults {
  dataset?: string | undefined
  formula?: string | undefined
}
export function newMetricValues(
  datasets: readonly BuilderDataset[],
  { dataset: id, formula = '' }: NewMetricDefaults,
): MetricFormValues {
  const dataset = datasets.find((one) => one.id === id) ?? datasets[0]
  return {
    name: '',
    synonyms: [],
    description: '',
    dataset: dataset?.id ?? '',
    formula,
    filters: [],
    time: dataset ? defaultTimeColumn(dataset) : '',
    direction: 'up',
    format: 'auto',
    currencyMode: '',
  }
}

/** `dataset`: that of its rows, with what joins to it; absent when it is gone: filters are then kept as they are. */
export const toMetricFormValues = (metric: Metric, dataset: BuilderDataset | undefined): MetricFormValues => ({
  name: metric.name,
  synonyms: metric.synonyms,
  description: metric.description,
  dataset: metric.dataset,
  formula: metric.formula,
  filters: metric.filters.map((filter) => (dataset ? toFilterDraft(filter, dataset) : { kind: 'kept', filter })),
  time: metric.time ? fieldKeyOf({ id: metric.dataset }, metric.time) : '',
  direction: metric.direction,
  format: metric.format?.style ?? 'auto',
  currencyMode: metric.currencyMode ?? '',
})

function toColumnFormat(choice: FormatChoice, currency: string): ColumnFormat | null {
  if (choice === 'auto') return null
  return choice === 'currency' ? { style: 'currency', currency } : { style: choice }
}

export interface MetricFormContext {
  currency: string
  /** That amounts are converted to; absent where the plan does not convert. */
  displayCurrency?: string | undefined
  /** What the form does not show stays as it was. */
  storedMetric: Metric | null
  /** Whose rows are measured, with what joins to it. */
  dataset: BuilderDataset | undefined
}

const completeFilters = (
  { filters }: Pick<MetricFormValues, 'filters'>,
  dataset: BuilderDataset | undefined,
): Filter[] =>
  filters.flatMap((draft) => {
    const filter = dataset ? toFilter(draft, dataset) : draft.kind === 'kept' ? draft.filter : null
    return filter === null || typeof filter === 'string' ? [] : [filter]
  })

function timeField(
  { time, dataset: id }: MetricFormValues,
  { storedMetric, dataset }: MetricFormContext,
): Field | null {
  if (time === '') return null
  const found = dataset ? toField(dataset, time) : null
  if (found) return found
  return storedMetric?.time && fieldKeyOf({ id }, storedMetric.time) === time ? storedMetric.time : null
}

export const toMetricInput = (values: MetricFormValues, context: MetricFormContext): CreateMetricInput => ({
  name: values.name,
  synonyms: values.synonyms,
  description: values.description,
  dataset: values.dataset,
  formula: values.formula,
  filters: completeFilters(values, context.dataset),
  time: timeField(values, context),
  direction: values.direction,
  format:
    context.storedMetric?.format?.style === 'currency' && values.format === 'currency'
      ? context.storedMetric.format
      : toColumnFormat(values.format, context.currency),
  currencyMode: values.currencyMode === '' ? null : values.currencyMode,
})

const validateInput = formValidator(createMetricSchema)
export function validateMetricForm(values: MetricFormValues, context: MetricFormContext): Record<string, string> {
  if (values.dataset === '') return { dataset: 'Choose the data.' }
  return { ...incompleteFilters(values, context), ...validateInput(toMetricInput(values, context)) }
}

function incompleteFilters({ filters }: MetricFormValues, { dataset }: MetricFormContext): Record<string, string> {
  const results = filters.map((filter) => (dataset ? toFilter(filter, dataset) : null))
  return Object.fromEntries(results.flatMap((one, at) => (typeof one === 'string' ? [[`filters.${at}`, one]] : [])))
}

/** The figure by month over the last year, as it would be: the words and the picture under the formula. */
export function previewPlan(measure: Measure, values: MetricFormValues, context: MetricFormContext): QueryPlan {
  const { dataset, format, currencyMode } = toMetricInput(values, context)
  const [time, filters] = [timeField(values, context), completeFilters(values, context.dataset)]
  const base: QueryPlan = {
    v: 2,
    kind: 'aggregate',
    dataset,
    dimensions: [],
    filters,
    measures: [{ ...measure, label: values.name.trim() || 'The figure', ...(format ? { format } : {}) }],
    ...(currencyMode && context.displayCurrency
      ? { currency: { code: context.displayCurrency, mode: currencyMode } }
      : {}),
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
