import type { Graph } from './graph'
import { rangeLabel } from './period'
import type { Resolved } from './period'
import { isLeaf, isMeasure, sameField } from '../../shared/plan-fields'
import { isExists } from '../../shared/query'
import type {
  CalcOperand,
  Condition,
  Expr,
  Field,
  FieldFilter,
  Filter,
  Grouped,
  LeafMeasure,
  Measure,
  QueryPlan,
  RatioMeasure,
  Scalar,
} from '../../shared/query'

/** How a plan's things are called. */
export interface Naming {
  /** A grouping and its groups; null when it is not known here. */
  grouping?: ((id: string) => { name: string; group(id: string): string } | null) | undefined
  /** "Country", or with its dataset when it is of other rows than those asked about: "Country of Customers". */
  label(field: Field): string
  dataset(id: string): string
  /** The rows that everything is about; null when several facts are measured. */
  home: string | null
  /** What earlier figures are counted in: "month". */
  unit?: string | undefined
}

/** Names from the catalogue's datasets and relations. */
export function namingOf(graph: Pick<Graph, 'edges' | 'datasetName' | 'columnLabel'>, home: string | null): Naming {
  const label = (field: Field): string => {
    const own = graph.columnLabel({ dataset: field.dataset, key: field.column })
    const way = (field.via ?? []).flatMap((id) => graph.edges.filter((edge) => edge.id === id))
    const through = way.map(({ from }) => graph.columnLabel(from)).join(', ')
    if (way.length > 0) return `${own} of ${graph.datasetName(field.dataset)} (through ${through})`
    return field.dataset === home ? own : `${own} of ${graph.datasetName(field.dataset)}`
  }
  return { label, dataset: (id) => graph.datasetName(id), home }
}

const AGG_WORDS = {
  sum: 'Sum of',
  count: 'Number of',
  countDistinct: 'Number of different',
  min: 'Smallest',
  max: 'Largest',
  avg: 'Average',
  median: 'Median',
  first: 'First',
  last: 'Last',
} as const
export const GRAIN_WORDS = {
  hour: 'hour',
  day: 'day',
  week: 'week',
  month: 'month',
  quarter: 'quarter',
  year: 'year',
  fiscalQuarter: 'fiscal quarter',
  fiscalYear: 'fiscal year',
} as const
const COMPARE_WORDS = {
  eq: 'is',
  ne: 'is not',
  lt: 'is less than',
  le: 'is at most',
  gt: 'is more than',
  ge: 'is at least',
} as const
const SIGNS = { add: '+', subtract: '−', multiply: '×', divide: '÷' } as const

export function measureWords(measure: Measure, naming: Naming): string {
  if (measure.label !== undefined) return measure.label
  if (measure.kind === 'ratio')
    return `${measureWords(measure.over, naming)} per ${lower(measureWords(measure.under, naming))}`
  if (!isLeaf(measure)) return derivedWords(measure, naming)
  const where = measure.filter?.length ? ` where ${filterWords(measure.filter, naming)}` : ''
  if (measure.kind === 'expression') return `${AGG_WORDS[measure.agg]} ${exprWords(measure.row, naming)}${where}`
  const over = measure.dataset !== undefined && measure.dataset !== naming.home ? naming.dataset(measure.dataset) : null
  if (!measure.field) return `Number of rows${over === null ? '' : ` of ${over}`}${where}`
  const what = naming.label(measure.field)
  return `${AGG_WORDS[measure.agg]} ${measure.agg === 'count' ? `filled ${what}` : what}${where}`
}

/** A figure that is made of others of the same group. */
function derivedWords(measure: Exclude<Measure, LeafMeasure | RatioMeasure>, naming: Naming): string {
  switch (measure.kind) {
    case 'calc': {
      const side = (operand: CalcOperand): string =>
        isMeasure(operand)
          ? operand.kind === 'calc' && operand.label === undefined
            ? `(${measureWords(operand, naming)})`
            : measureWords(operand, naming)
          : String(operand.value)
      return `${side(measure.left)} ${SIGNS[measure.op]} ${side(measure.right)}`
    }
    case 'prev':
      return `${measureWords(measure.of, naming)}, ${stepsWords(measure.steps, naming.unit ?? 'unit')} earlier`
    case 'cumulative':
      return `${measureWords(measure.of, naming)}, running total${RESTART_WORDS[measure.restart]}`
    case 'metric':
      return 'A figure of the workspace'
  }
}
const stepsWords = (steps: number, unit: string): string => (steps === 1 ? `one ${unit}` : `${steps} ${unit}s`)
/** The unit of the split by time; undefined without one. */
export const unitOf = ({ dimensions }: Pick<QueryPlan, 'dimensions'>): string | undefined => {
  const grain = dimensions.find((one) => one.grouping === undefined && one.grain !== undefined)?.grain
  return grain && GRAIN_WORDS[grain]
}
const RESTART_WORDS = { never: '', year: ' of the year', fiscalYear: ' of the fiscal year' } as const
const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

function exprWords(expr: Expr, naming: Naming): string {
  switch (expr.kind) {
    case 'field':
      return naming.label(expr.field)
    case 'number':
      return String(expr.value)
    case 'text':
      return `“${expr.value}”`
    case 'concat':
      return `${expr.items.map((item) => exprWords(item, naming)).join(' + ')} as text`
    case 'coalesce':
      return `the first filled of ${expr.items.map((item) => exprWords(item, naming)).join(', ')}`
    case 'dateDiff':
      return `days from ${naming.label(expr.from)} to ${naming.label(expr.to)}`
    case 'binary': {
      const side = (each: Expr): string =>
        each.kind === 'binary' ? `(${exprWords(each, naming)})` : exprWords(each, naming)
      return `${side(expr.left)} ${SIGNS[expr.op]} ${side(expr.right)}`
    }
  }
}

export const filterWords = (filters: readonly Filter[], naming: Naming): string =>
  filters.map((filter) => oneFilterWords(filter, naming)).join(' and ')

/** "Regions of Country", "Regions of Country as of then". */
export function groupedWords(grouping: Grouped, field: Field, naming: Naming): string {
  const name = naming.grouping?.(grouping.id)?.name ?? 'groups'
  return `${name} of ${naming.label(field)}${grouping.as === 'then' ? ' as of then' : ''}`
}

function groupFilterWords({ field, any }: FieldFilter, grouping: Grouped, naming: Naming): string {
  const known = naming.grouping?.(grouping.id)
  const named = (id: Scalar): Scalar => (id === null ? 'no group' : (known?.group(String(id)) ?? 'a group'))
  const said = any.map((each) => conditionWords('values' in each ? { ...each, values: each.values.map(named) } : each))
  return `${groupedWords(grouping, field, naming)} ${said.join(' or ')}`
}

function oneFilterWords(filter: Filter, naming: Naming): string {
  if (!isExists(filter) && filter.grouping) return groupFilterWords(filter, filter.grouping, naming)
  if (!isExists(filter)) return `${naming.label(filter.field)} ${filter.any.map(conditionWords).join(' or ')}`
  const where = filter.filters.length > 0 ? ` where ${filterWords(filter.filters, naming)}` : ''
  return `they have ${filter.kind === 'exists' ? '' : 'no '}rows in ${naming.dataset(filter.dataset)}${where}`
}

const LISTED = 3
const value = (each: Scalar): string =>
  each === null ? 'empty' : each === true ? 'yes' : each === false ? 'no' : String(each)
const list = (values: readonly Scalar[]): string =>
  values.length <= LISTED
    ? values.map(value).join(', ')
    : `${values.slice(0, LISTED).map(value).join(', ')} and ${values.length - LISTED} more`

function conditionWords(condition: Condition): string {
  switch (condition.op) {
    case 'in':
      return `is one of ${list(condition.values)}`
    case 'notIn':
      return `is none of ${list(condition.values)}`
    case 'contains':
      return `contains “${condition.value}”`
    case 'startsWith':
      return `starts with “${condition.value}”`
    case 'between':
      return `is between ${value(condition.from)} and ${value(condition.to)}`
    case 'empty':
      return 'is empty'
    case 'notEmpty':
      return 'is filled'
    case 'eq':
    case 'ne':
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge':
      return `${COMPARE_WORDS[condition.op]} ${value(condition.value)}`
  }
}

/** "Sum of amount by month, Jan–Jun 2026, compared with Jan–Jun 2025, where country is Sweden". */
export function planWords(plan: QueryPlan, period: Resolved | null, naming: Naming): string {
  const measures = plan.measures.map((measure, i) =>
    i === 0 ? measureWords(measure, naming) : lower(measureWords(measure, naming)),
  )
  const splits = plan.dimensions.map(({ field, grain, grouping, topN }) => {
    const ofPeriod = plan.period !== undefined && sameField(plan.period.field, field)
    const plain = grouping ? groupedWords(grouping, field, naming) : naming.label(field)
    const name = grain === undefined ? plain : `${GRAIN_WORDS[grain]}${ofPeriod ? '' : ` of ${naming.label(field)}`}`
    return topN === undefined ? name : `the top ${topN} of ${name}`
  })
  const figures = plan.kind === 'rows' ? 'Rows' : together(measures)
  const parts = [splits.length > 0 ? `${figures} by ${together(splits)}` : figures]
  if (plan.period)
    parts.push(period?.range ? `${rangeLabel(period.range)} (${naming.label(plan.period.field)})` : 'all time')
  if (period?.compare) parts.push(`compared with ${rangeLabel(period.compare)}`)
  if (plan.filters.length > 0) parts.push(`where ${filterWords(plan.filters, naming)}`)
  for (const { measure, op, value: limit } of plan.having ?? []) {
    const limited = plan.measures[measure]
    if (limited) parts.push(`only where ${lower(measureWords(limited, naming))} ${COMPARE_WORDS[op]} ${limit}`)
  }
  if (plan.currency && plan.kind === 'aggregate') parts.push(`in ${plan.currency.code}`)
  return parts.join(', ')
}
const together = (words: readonly string[]): string =>
  words.length <= 1 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`
