import type { Metric } from '../../../src/shared/metrics'
import { isLeaf, isMeasure, partsOf } from '../../../src/shared/plan-fields'
import type {
  CalcOperand,
  Field,
  LeafMeasure,
  Measure,
  QueryPlan,
  RatioMeasure,
  MetricMeasure,
} from '../../../src/shared/query'
import type { QueryResult } from '../../../src/shared/query-result'
import type { Column, Dataset } from '../../../src/shared/sources'
import type { FigureFormat } from '../../ui/chart/figure-format'
import { dateWords } from '../../lib/format'
import { AGGREGATE_WORDS, SIGNS } from './draft-measures'
import { metricOf } from '../../lib/filters/catalogue'
import type { Catalogue } from '../../lib/filters/catalogue'
import { filterWords } from '../../lib/filters/filter-words'

type Expr = Extract<Measure, { kind: 'expression' }>['row']
type LabelOf = (field: Field) => string

/** Columns by their labels; those of another dataset than `home` with its name. */
export const labelOf =
  (datasets: readonly Pick<Dataset, 'id' | 'name' | 'columns'>[], home: string | undefined): LabelOf =>
  (field) => {
    const dataset = datasets.find((one) => one.id === field.dataset)
    const label = dataset?.columns.find((column) => column.key === field.column)?.label ?? 'a column that is gone'
    return dataset && dataset.id !== home ? `${label} of ${dataset.name}` : label
  }

function exprFormula(expr: Expr, label: LabelOf): string {
  switch (expr.kind) {
    case 'field':
      return label(expr.field)
    case 'number':
      return String(expr.value)
    case 'text':
      return `“${expr.value}”`
    case 'concat':
      return `(${expr.items.map((item) => exprFormula(item, label)).join(' & ')})`
    case 'coalesce':
      return `first filled of (${expr.items.map((item) => exprFormula(item, label)).join(', ')})`
    case 'dateDiff':
      return `days from ${label(expr.from)} to ${label(expr.to)}`
    case 'binary':
      return `(${exprFormula(expr.left, label)} ${SIGNS[expr.op]} ${exprFormula(expr.right, label)})`
  }
}

/** Exactly how a measure is computed: `Sum of (quantity × unit_price) over rows where country is one of SE`. */
export function formula(measure: Measure, label: LabelOf, catalogue?: Catalogue): string {
  if (measure.kind === 'ratio')
    return `[${formula(measure.over, label, catalogue)}] ÷ [${formula(measure.under, label, catalogue)}]`
  if (!isLeaf(measure)) return derivedFormula(measure, label, catalogue)
  const rows = (measure.filter ?? []).map((filter) => filterWords(filter, { label, catalogue }))
  const where = rows.length > 0 ? ` over rows where ${rows.join(' and ')}` : ''
  if (measure.kind === 'expression')
    return `${AGGREGATE_WORDS[measure.agg]} of ${exprFormula(measure.row, label)}${where}`
  return `${measure.field ? `${AGGREGATE_WORDS[measure.agg]} of ${label(measure.field)}` : 'Number of rows'}${where}`
}

function derivedFormula(
  measure: Exclude<Measure, LeafMeasure | RatioMeasure>,
  label: LabelOf,
  catalogue?: Catalogue,
): string {
  switch (measure.kind) {
    case 'calc': {
      const side = (operand: CalcOperand): string =>
        isMeasure(operand) ? `[${formula(operand, label, catalogue)}]` : String(operand.value)
      return `${side(measure.left)} ${SIGNS[measure.op]} ${side(measure.right)}`
    }
    case 'prev':
      return `[${formula(measure.of, label, catalogue)}] ${measure.steps} units of time earlier`
    case 'cumulative':
      return `[${formula(measure.of, label, catalogue)}] added up over time`
    case 'metric':
      return metricFormula(metricOf(catalogue, measure.id), { measure, label, catalogue })
  }
}

/** The name of a metric, and its formula as the workspace wrote it. */
function metricFormula(
  metric: Metric | null,
  { measure, label, catalogue }: { measure: MetricMeasure; label: LabelOf; catalogue: Catalogue | undefined },
): string {
  if (!metric) return measure.label ?? 'A figure of the workspace'
  const where = metric.filters.map((filter) => filterWords(filter, { label, catalogue }))
  return `${metric.name} = ${metric.formula}${where.length > 0 ? ` over rows where ${where.join(' and ')}` : ''}`
}

/** How the compared period was chosen. */
export function comparisonWords(
  plan: QueryPlan,
  result: QueryResult,
  date: (day: string) => string = dateWords,
): string {
  const compare = result.period?.compare
  if (!compare || !plan.period || plan.period.compare === 'none') return 'No comparison'
  const rule = plan.period.compare === 'year' ? 'The same days a year earlier' : 'The equally long period right before'
  return `${rule}: ${compare.label} (${date(compare.from)} to ${date(compare.to)})`
}

/** Whether the sums are exact, said of the columns that were used. */
export function exactness(plan: QueryPlan, columns: readonly Column[]): string {
  const keys = new Set<string>()
  const walk = (measure: Measure): void => {
    partsOf(measure).forEach(walk)
    if (measure.kind === 'column' && measure.field) keys.add(measure.field.column)
  }
  plan.measures.forEach(walk)
  const plain = plan.measures.every(
    (measure) => measure.kind === 'column' && ['sum', 'count', 'countDistinct', 'min', 'max'].includes(measure.agg),
  )
  const used = columns.filter((column) => keys.has(column.key))
  const floating = used.filter((column) => column.type === 'number' && column.scale === undefined)
  if (floating.length > 0)
    return `${floating.map((column) => column.label).join(', ')} has more than four decimals: figures are right to about 15 digits.`
  return plain
    ? 'Exact: summed as whole units of the smallest decimal, without rounding.'
    : 'Sums inside are exact; averages, ratios and calculations are rounded only when shown.'
}

/** How many rows the answer was computed from: the same period and filters, counted. */
export const usedRowsPlan = (plan: QueryPlan): QueryPlan => ({
  v: 1,
  kind: 'aggregate',
  ...(plan.dataset === undefined ? {} : { dataset: plan.dataset }),
  measures: [{ kind: 'column', agg: 'count' }],
  dimensions: [],
  filters: plan.filters,
  ...(plan.period ? { period: { ...plan.period, compare: 'none' as const } } : {}),
})

export const datasetWords = (result: QueryResult, format: FigureFormat): string =>
  result.datasets
    .map((one) => `${one.name}, version ${one.dataVersion} of its data, ${format.count(one.rowCount)} rows`)
    .join('; ')
