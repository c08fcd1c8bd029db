import { createMetricSchema } from '../../../src/shared/metrics'
import type { CreateMetricInput, Metric } from '../../../src/shared/metrics'
import type { ColumnFormat } from '../../../src/shared/files'
import type { QueryPlan } from '../../../src/shared/query'
import type { Measure } from '../../../src/shared/query'
import type { ColumnKey } from '../../../src/shared/sources'
import { checkWith } from '../../lib/validate-form'
import type { SourcedDataset } from '../../lib/loaded-datasets'

export const FORMATS = ['auto', 'plain', 'percent', 'currency'] as const
export type FormatChoice = (typeof FORMATS)[number]

/** The form of a metric. '' = none chosen. */
export interface MetricValues {
  name: string
  synonyms: string[]
  description: string
  dataset: string
  formula: string
  time: ColumnKey | ''
  direction: Metric['direction']
  format: FormatChoice
  currencyMode: NonNullable<Metric['currencyMode']> | ''
}

/** When its rows happened: the column of that role, else the first of days. */
export const timeOf = ({ columns }: SourcedDataset): ColumnKey | '' => {
  const dated = columns.filter(({ type, hidden }) => !hidden && (type === 'date' || type === 'datetime'))
  return (dated.find(({ role }) => role === 'time') ?? dated[0])?.key ?? ''
}

export const emptyValues = (dataset: SourcedDataset | undefined): MetricValues => ({
  ...{ name: '', synonyms: [], description: '', formula: '', direction: 'up', format: 'auto', currencyMode: '' },
  dataset: dataset?.id ?? '',
  time: dataset ? timeOf(dataset) : '',
})

export const valuesOf = (metric: Metric): MetricValues => ({
  name: metric.name,
  synonyms: metric.synonyms,
  description: metric.description,
  dataset: metric.dataset,
  formula: metric.formula,
  time: metric.time?.column ?? '',
  direction: metric.direction,
  format: metric.format?.style ?? 'auto',
  currencyMode: metric.currencyMode ?? '',
})

function formatOf(choice: FormatChoice, currency: string): ColumnFormat | null {
  if (choice === 'auto') return null
  return choice === 'currency' ? { style: 'currency', currency } : { style: choice }
}

/** What is sent. `kept`: what the form does not show stays as it was. */
export const inputOf = (
  values: MetricValues,
  { currency, kept }: { currency: string; kept: Metric | null },
): CreateMetricInput => ({
  name: values.name,
  synonyms: values.synonyms,
  description: values.description,
  dataset: values.dataset,
  formula: values.formula,
  filters: kept?.filters ?? [],
  time: values.time === '' ? null : { dataset: values.dataset, column: values.time },
  direction: values.direction,
  format:
    kept?.format?.style === 'currency' && values.format === 'currency'
      ? kept.format
      : formatOf(values.format, currency),
  currencyMode: values.currencyMode === '' ? null : values.currencyMode,
})

const check = checkWith(createMetricSchema)
/** The first sentence beside each field of the form. */
export function checkMetric(values: MetricValues): Record<string, string> {
  if (values.dataset === '') return { dataset: 'Choose the data.' }
  return check(inputOf(values, { currency: 'EUR', kept: null }))
}

/** The figure by month over the last year, as it would be: the words and the picture under the formula. */
export function previewPlan(
  measure: Measure,
  { values, currency, kept }: { values: MetricValues; currency: string; kept: Metric | null },
): QueryPlan {
  const { time, dataset, format } = inputOf(values, { currency, kept })
  const base: QueryPlan = {
    ...{ v: 2, kind: 'aggregate', dataset, dimensions: [], filters: kept?.filters ?? [] },
    measures: [{ ...measure, label: values.name.trim() || 'The figure', ...(format ? { format } : {}) }],
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
