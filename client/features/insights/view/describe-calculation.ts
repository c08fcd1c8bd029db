import {
  isLeafMeasure,
  isMeasure,
  leafMeasuresOf,
  measuredDataset,
  metricIdsOf,
  operandsOf,
} from '../../../../src/shared/query/plan-fields'
import type {
  CalcOperand,
  AggregateMeasure,
  Measure,
  QueryPlan,
  RatioMeasure,
  MetricMeasure,
} from '../../../../src/shared/query/plan'
import { describePeriodData } from '../../../../src/shared/query/partial-bucket'
import type { QueryResult } from '../../../../src/shared/query/result'
import type { Column, Dataset } from '../../../../src/shared/data-sources/data-sources'
import type { CellFormatter } from '../../../../src/shared/figures/cell-formatter'
import { formatDate, type Formatter } from '../../../../src/shared/figures/formatter'
import { AGGREGATE_LABELS } from '../../../lib/query-builder/aggregate-labels'
import {
  ARITHMETIC_SIGNS,
  describeGrouped,
  describeMoving,
  GRAIN_LABELS,
  percentileLabel,
} from '../../../../src/shared/query/plan-labels'
import { describeFigureFunction, describeRowFormula } from '../../../../src/shared/formula/print'
import {
  findMetric,
  measureFilters,
  resolveMetrics,
  type SemanticCatalogue,
} from '../../../lib/query-builder/catalogue'
import { limitText } from '../../../../src/shared/query/condition-text'
import { describeFilter, type FilterNaming } from '../../../lib/query-builder/filter-draft'
import { filterNaming, type FieldLabeller } from '../../../lib/query-builder/filter-naming'

/** How the parts of a formula are called, and its values written. */
export interface FormulaNaming extends FilterNaming {
  /** A number that stands in a formula, or a limit. */
  limit: (value: number | string) => string
}

/** The same of these datasets, in the notation of a person and their workspace. */
export function formulaNaming(
  datasets: readonly Pick<Dataset, 'id' | 'name' | 'columns'>[],
  home: string | undefined,
  { format, catalogue }: { format: Pick<Formatter, 'locale' | 'date'>; catalogue?: SemanticCatalogue | undefined },
): FormulaNaming {
  return {
    ...filterNaming(datasets, home, { format, catalogue }),
    limit: (value) => limitText(value, undefined, format.locale),
  }
}

/** Exactly how a measure is computed: `Sum of (quantity × unit_price) over rows where country is one of SE`. */
export function measureFormula(measure: Measure, naming: FormulaNaming): string {
  if (measure.kind === 'ratio')
    return `[${measureFormula(measure.over, naming)}] ÷ [${measureFormula(measure.under, naming)}]`
  if (!isLeafMeasure(measure)) return derivedFormula(measure, naming)
  const rows = (measure.filter ?? []).map((filter) => describeFilter(filter, naming))
  const where = rows.length > 0 ? ` over rows where ${rows.join(' and ')}` : ''
  if (measure.kind === 'expression')
    return `${aggregateOf(measure, `(${describeRowFormula(measure.row, naming.label)})`, naming.label)}${where}`
  return `${measure.field ? aggregateOf(measure, naming.label(measure.field), naming.label) : 'Number of rows'}${where}`
}

function aggregateOf({ agg, percent, by }: AggregateMeasure, what: string, label: FieldLabeller): string {
  if (by)
    return `${what} of the row with the ${agg === 'first' ? 'minimum' : 'maximum'} ${label(by)}; if tied, the first ${what}`
  return `${percent === undefined ? AGGREGATE_LABELS[agg] : percentileLabel(percent)} of ${what}`
}

function derivedFormula(measure: Exclude<Measure, AggregateMeasure | RatioMeasure>, naming: FormulaNaming): string {
  switch (measure.kind) {
    case 'calc': {
      const side = (operand: CalcOperand): string =>
        isMeasure(operand) ? `[${measureFormula(operand, naming)}]` : naming.limit(operand.value)
      return `${side(measure.left)} ${ARITHMETIC_SIGNS[measure.op]} ${side(measure.right)}`
    }
    case 'function':
      return describeFigureFunction(measure, (figure) => `[${measureFormula(figure, naming)}]`)
    case 'prev':
      return `[${measureFormula(measure.of, naming)}] ${measure.steps} periods earlier`
    case 'cumulative':
      return `[${measureFormula(measure.of, naming)}], cumulative`
    case 'moving':
      return `[${measureFormula(measure.of, naming)}], ${describeMoving(measure, 'period')}`
    case 'whole':
      return `[${measureFormula(measure.of, naming)}] of all`
    case 'grouped': {
      const keys = measure.by.map(({ field, grain }) =>
        grain ? `${GRAIN_LABELS[grain]} of ${naming.label(field)}` : naming.label(field),
      )
      const of = `[${measureFormula(measure.of, naming)}]`
      return describeGrouped(measure, { of, by: keys.join(' and '), limitOf: naming.limit })
    }
    case 'metric':
      return metricFormula(measure, naming)
  }
}

/** The name of a metric, and its formula as the workspace wrote it. */
function metricFormula(measure: MetricMeasure, naming: FormulaNaming): string {
  const metric = findMetric(naming.catalogue, measure.id)
  if (!metric) return measure.label ?? 'A metric'
  const where = metric.filters.map((filter) => describeFilter(filter, naming))
  return `${metric.name} = ${metric.formula}${where.length > 0 ? ` over rows where ${where.join(' and ')}` : ''}`
}

export function describeComparison(
  plan: QueryPlan,
  result: QueryResult,
  date: (day: string) => string = formatDate,
): string {
  const compare = result.period?.compare
  if (!compare || !plan.period || plan.period.compare === 'none') return 'No comparison'
  const rule = plan.period.compare === 'year' ? 'Same days, previous year' : 'Previous period'
  const missing = describePeriodData(compare, date)
  return `${rule}: ${compare.label} (${date(compare.from)} to ${date(compare.to)}${missing === null ? '' : `, ${missing}`})`
}

/** Whether the sums are exact, said of the columns that were used. */
export function describeExactness(plan: QueryPlan, columns: readonly Column[]): string {
  const keys = new Set<string>()
  const walk = (measure: Measure): void => {
    operandsOf(measure).forEach(walk)
    if (measure.kind === 'column' && measure.field) keys.add(measure.field.column)
  }
  plan.measures.forEach(walk)
  const plain = plan.measures.every(
    (measure) => measure.kind === 'column' && ['sum', 'count', 'countDistinct', 'min', 'max'].includes(measure.agg),
  )
  const used = columns.filter((column) => keys.has(column.key))
  const floating = used.filter((column) => column.type === 'number' && column.scale === undefined)
  if (floating.length > 0)
    return `${floating.map((column) => column.label).join(', ')} has more than four decimals: exact to about 15 digits.`
  return plain
    ? 'Exact: summed without rounding.'
    : 'Sums are exact; averages, ratios and calculations are rounded when shown.'
}

/** How many rows the answer was computed from: those that the first figure is over, of the same period and filters. */
export function usedRowsPlan(plan: QueryPlan, catalogue?: SemanticCatalogue): QueryPlan {
  const [first, ...others] = plan.measures
  const [named = null] = first ? metricIdsOf([first]) : []
  const dataset = findMetric(catalogue, named)?.dataset ?? measuredDataset(plan)
  // Filters of a figure's own say which rows were used where it is the only one that is added up.
  const leaves = first ? leafMeasuresOf(resolveMetrics(first, catalogue)) : []
  const own = others.length === 0 && leaves.length === 1 ? measureFilters(first, catalogue) : []
  return {
    v: plan.v,
    kind: 'aggregate',
    ...(dataset === undefined ? {} : { dataset }),
    measures: [{ kind: 'column', agg: 'count' }],
    dimensions: [],
    filters: [...plan.filters, ...own],
    ...(plan.period ? { period: { ...plan.period, compare: 'none' as const } } : {}),
  }
}

export const describeDatasets = (result: QueryResult, format: CellFormatter): string =>
  result.datasets.map((one) => `${one.name}, version ${one.dataVersion}, ${format.count(one.rowCount)} rows`).join('; ')
