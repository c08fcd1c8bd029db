import { createMetricSchema, type CreateMetricInput, type Metric } from '../../../src/shared/metrics'
import type { ColumnFormat } from '../../../src/shared/data-sources/files'
import type { Filter, Measure, QueryPlan } from '../../../src/shared/query/plan'
import type { Field } from '../../../src/shared/query/field'
import { formValidator } from '../../lib/validate-form'
import { parseFormula } from '../../../src/shared/formula/formula'
import { typeOfExpression } from '../../../src/shared/query/expression-types'
import { builderFormulaNames } from '../../lib/query-builder/formula-names'
import { toField, fieldKeyOf, findColumn, type BuilderDataset, type FieldKey } from '../../lib/query-builder/catalogue'
import { timeChoiceOf, type DataRange } from '../../lib/query-builder/time-column'
import { addMonths, bucketEnd } from '../../../src/shared/figures/time-buckets'
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

export interface NewMetricDefaults {
  dataset?: string | undefined
  formula?: string | undefined
}
/** Whether rows have a figure and a day: lists of customers have neither. */
const hasDatedFigures = ({ columns }: BuilderDataset): boolean => {
  const has = (wanted: 'measure' | 'time'): boolean => columns.some(({ role, hidden }) => !hidden && role === wanted)
  return has('measure') && has('time')
}

export function newMetricValues<T extends BuilderDataset>(
  datasets: readonly T[],
  link: (dataset: T) => BuilderDataset,
  { dataset: id, formula = '' }: NewMetricDefaults,
): MetricFormValues {
  const dataset = datasets.find((one) => one.id === id) ?? datasets.find(hasDatedFigures) ?? datasets[0]
  return {
    name: '',
    synonyms: [],
    description: '',
    dataset: dataset?.id ?? '',
    formula,
    filters: [],
    time: (dataset && timeChoiceOf(link(dataset))?.key) ?? '',
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

/** Aggregates that answer one of the values that they are of. */
const PICKING: ReadonlySet<string> = new Set(['min', 'max', 'first', 'last', 'median'])

/** Whether a formula answers numbers, as far as its columns say: a text, a date, yes or no is neither high nor money. */
export function answersNumbers(
  { formula }: Pick<MetricFormValues, 'formula'>,
  dataset: BuilderDataset | undefined,
): boolean {
  const read = dataset ? parseFormula(formula, builderFormulaNames(dataset)) : null
  if (!dataset || !read?.ok || (read.measure.kind !== 'column' && read.measure.kind !== 'expression')) return true
  const { measure } = read
  if (!PICKING.has(measure.agg)) return true
  const row =
    measure.kind === 'expression' ? measure.row : measure.field && { kind: 'field' as const, field: measure.field }
  const typeOf = (field: Field) => findColumn(dataset, fieldKeyOf(dataset, field))?.type
  return row === undefined || typeOfExpression(row, typeOf) === 'number'
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

/** What is said of numbers only. */
const numberInput = (
  values: MetricFormValues,
  { storedMetric, currency }: MetricFormContext,
): Pick<CreateMetricInput, 'direction' | 'format' | 'currencyMode'> => ({
  direction: values.direction,
  format:
    storedMetric?.format?.style === 'currency' && values.format === 'currency'
      ? storedMetric.format
      : toColumnFormat(values.format, currency),
  currencyMode: values.currencyMode === '' ? null : values.currencyMode,
})
const NO_NUMBER_INPUT = { direction: 'none', format: null, currencyMode: null } as const

export const toMetricInput = (values: MetricFormValues, context: MetricFormContext): CreateMetricInput => ({
  name: values.name,
  synonyms: values.synonyms,
  description: values.description,
  dataset: values.dataset,
  formula: values.formula,
  filters: completeFilters(values, context.dataset),
  time: timeField(values, context),
  ...(answersNumbers(values, context.dataset) ? numberInput(values, context) : NO_NUMBER_INPUT),
})

const validateInput = formValidator(createMetricSchema)
export function validateMetricForm(values: MetricFormValues, context: MetricFormContext): Record<string, string> {
  if (values.dataset === '') return { dataset: 'Choose a dataset.' }
  return { ...incompleteFilters(values, context), ...validateInput(toMetricInput(values, context)) }
}

function incompleteFilters({ filters }: MetricFormValues, { dataset }: MetricFormContext): Record<string, string> {
  const results = filters.map((filter) => (dataset ? toFilter(filter, dataset) : null))
  return Object.fromEntries(results.flatMap((one, at) => (typeof one === 'string' ? [[`filters.${at}`, one]] : [])))
}

export const previewTime = (values: MetricFormValues, context: MetricFormContext): Field | null =>
  timeField(values, context)

const PREVIEW_MONTHS = 12

/**
 * The figure by month over the newest twelve months that there are, as it would be: the words and the picture under the
 * formula. Data that ended years ago are shown all the same.
 */
export function previewPlan(
  measure: Measure,
  values: MetricFormValues,
  { dataRange, ...context }: MetricFormContext & { dataRange: DataRange | null },
): QueryPlan {
  const { dataset, format, currencyMode } = toMetricInput(values, context)
  const [time, filters] = [timeField(values, context), completeFilters(values, context.dataset)]
  const base: QueryPlan = {
    v: 2,
    kind: 'aggregate',
    dataset,
    dimensions: [],
    filters,
    measures: [{ ...measure, label: values.name.trim() || 'Preview', ...(format ? { format } : {}) }],
    ...(currencyMode && context.displayCurrency
      ? { currency: { code: context.displayCurrency, mode: currencyMode } }
      : {}),
  }
  if (!time) return base
  return {
    ...base,
    dimensions: [{ field: time, grain: 'month' }],
    period: { field: time, range: previewRange(dataRange), compare: 'none', completeOnly: false },
    totals: true,
  }
}

function previewRange(dataRange: DataRange | null): NonNullable<QueryPlan['period']>['range'] {
  if (!dataRange) return { kind: 'relative', span: 'all', unit: 'month', n: 1, includeCurrent: false }
  const newest = `${dataRange.to.slice(0, 7)}-01`
  return { kind: 'absolute', from: addMonths(newest, 1 - PREVIEW_MONTHS), to: bucketEnd(newest, 'month') }
}
