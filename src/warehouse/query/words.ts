import { rangeLabel } from './period'
import type { Resolved } from './period'
import { isExists } from '../../shared/query'
import type { Condition, Expr, Field, Filter, Measure, QueryPlan, Scalar } from '../../shared/query'
import type { Column } from '../../shared/sources'

/** The plan in plain English, with the labels of the columns. */
export type LabelOf = (field: Field) => string
export const labelsOf =
  (columns: readonly Column[]): LabelOf =>
  (field) =>
    columns.find((column) => column.key === field.column)?.label ?? 'a column'

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
const GRAIN_WORDS = {
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

export function measureWords(measure: Measure, label: LabelOf): string {
  if (measure.label !== undefined) return measure.label
  if (measure.kind === 'ratio')
    return `${measureWords(measure.over, label)} per ${lower(measureWords(measure.under, label))}`
  const where = measure.filter?.length ? ` where ${filterWords(measure.filter, label)}` : ''
  if (measure.kind === 'expression') return `${AGG_WORDS[measure.agg]} ${exprWords(measure.row, label)}${where}`
  if (!measure.field) return `Number of rows${where}`
  const what = label(measure.field)
  return `${AGG_WORDS[measure.agg]} ${measure.agg === 'count' ? `filled ${what}` : what}${where}`
}
const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

function exprWords(expr: Expr, label: LabelOf): string {
  switch (expr.kind) {
    case 'field':
      return label(expr.field)
    case 'number':
      return String(expr.value)
    case 'text':
      return `“${expr.value}”`
    case 'concat':
      return `${expr.items.map((item) => exprWords(item, label)).join(' + ')} as text`
    case 'coalesce':
      return `the first filled of ${expr.items.map((item) => exprWords(item, label)).join(', ')}`
    case 'dateDiff':
      return `days from ${label(expr.from)} to ${label(expr.to)}`
    case 'binary': {
      const side = (each: Expr): string =>
        each.kind === 'binary' ? `(${exprWords(each, label)})` : exprWords(each, label)
      return `${side(expr.left)} ${SIGNS[expr.op]} ${side(expr.right)}`
    }
  }
}

export const filterWords = (filters: readonly Filter[], label: LabelOf): string =>
  filters.map((filter) => oneFilterWords(filter, label)).join(' and ')

function oneFilterWords(filter: Filter, label: LabelOf): string {
  if (!isExists(filter)) return `${label(filter.field)} ${filter.any.map(conditionWords).join(' or ')}`
  const where = filter.filters.length > 0 ? ` where ${filterWords(filter.filters, label)}` : ''
  return `${filter.kind === 'exists' ? 'there are rows' : 'there are no rows'}${where}`
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
export function planWords(plan: QueryPlan, period: Resolved | null, label: LabelOf): string {
  const measures = plan.measures.map((measure, i) =>
    i === 0 ? measureWords(measure, label) : lower(measureWords(measure, label)),
  )
  const splits = plan.dimensions.map(({ field, grain, topN }) => {
    const ofPeriod = plan.period?.field.column === field.column
    const name = grain === undefined ? label(field) : `${GRAIN_WORDS[grain]}${ofPeriod ? '' : ` of ${label(field)}`}`
    return topN === undefined ? name : `the top ${topN} of ${name}`
  })
  const figures = plan.kind === 'rows' ? 'Rows' : together(measures)
  const parts = [splits.length > 0 ? `${figures} by ${together(splits)}` : figures]
  if (plan.period) parts.push(period?.range ? `${rangeLabel(period.range)} (${label(plan.period.field)})` : 'all time')
  if (period?.compare) parts.push(`compared with ${rangeLabel(period.compare)}`)
  if (plan.filters.length > 0) parts.push(`where ${filterWords(plan.filters, label)}`)
  for (const { measure, op, value: limit } of plan.having ?? []) {
    const limited = plan.measures[measure]
    if (limited) parts.push(`only where ${lower(measureWords(limited, label))} ${COMPARE_WORDS[op]} ${limit}`)
  }
  return parts.join(', ')
}
const together = (words: readonly string[]): string =>
  words.length <= 1 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`
