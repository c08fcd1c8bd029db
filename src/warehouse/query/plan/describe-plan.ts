import { describeCondition } from './describe-condition'
import { keyLabel, type RelationGraph } from './relation-graph'
import type { CatalogueDataset } from '../../contract'
import { dayRangeLabel, type AbsolutePeriod } from '../time/resolve-period'
import { asksTotals, isLeafMeasure, isMeasure, isSameField, isWindowMeasure } from '../../../shared/query/plan-fields'
import { isExistsFilter } from '../../../shared/query/plan'
import type {
  CalcOperand,
  Dimension,
  FieldFilter,
  Filter,
  GroupingReference,
  AggregateMeasure,
  Measure,
  QueryPlan,
  RatioMeasure,
  Scalar,
} from '../../../shared/query/plan'
import type { Field } from '../../../shared/query/field'
import type { AbsoluteRange, RelativeRange } from '../../../shared/query/date-range'
import {
  ARITHMETIC_SIGNS,
  COMPARISON_LABELS,
  DATE_PART_LABELS,
  describeBins,
  describeBy,
  describeGrouped,
  describeMoving,
  describeUnitCount,
  GRAIN_LABELS,
  percentileLabel,
} from '../../../shared/query/plan-labels'
import { conditionValueText, limitText } from '../../../shared/query/condition-text'
import { dayFromIso } from '../../../shared/dates'
import { datePartName } from '../../../shared/query/dimension-text'
import { describeFigureFunction, describeRowFormula } from '../../../shared/formula/print'
import { lowerFirst } from '../../../shared/text'
import type { PlanDescription } from '../../../shared/insights'

/** How a plan's things are called. */
export interface PlanNaming {
  /** A grouping and its groups; null when it is not known here. */
  grouping?: ((id: string) => { name: string; group(id: string): string } | null) | undefined
  /** "Country", or with its dataset when it is of other rows than those asked about: "Country of Customers". */
  label(field: Field): string
  dataset(id: string): string
  /** The rows that everything is about; null when several facts are measured. */
  home: string | null
  /** A value of a column as people write it. */
  value(value: Scalar, field: Field): string
  /** A limit on figures of a column, or of no one column. */
  limit(value: number | string, field?: Field): string
  /** What earlier figures are counted in: "month". */
  unit?: string | undefined
}

function dayText(iso: string): string {
  const day = dayFromIso(iso)
  return day === null ? iso : dayRangeLabel({ from: day, to: day })
}

interface NamingOptions {
  /** The rows that everything is about; null when several facts are measured. */
  home: string | null
  find: (datasetId: string) => Pick<CatalogueDataset, 'columns'> | null
  /** The workspace's number locale. */
  locale?: string | undefined
}

/** Names from the catalogue's datasets and relations, and values in the workspace's notation. */
export function planNaming(
  graph: Pick<RelationGraph, 'edges' | 'datasetName' | 'columnLabel'>,
  { home, find, locale = 'en-GB' }: NamingOptions,
): PlanNaming {
  const label = (field: Field): string => {
    const own = graph.columnLabel({ dataset: field.dataset, key: field.column })
    const way = (field.via ?? []).flatMap((id) => graph.edges.filter((edge) => edge.id === id))
    const through = way.map((edge) => keyLabel(graph, edge)).join(', ')
    if (way.length > 0) return `${own} of ${graph.datasetName(field.dataset)} (via ${through})`
    return field.dataset === home ? own : `${own} of ${graph.datasetName(field.dataset)}`
  }
  const columnOf = ({ dataset, column }: Field) => find(dataset)?.columns.find(({ key }) => key === column)
  return {
    ...{ label, dataset: (id) => graph.datasetName(id), home },
    value: (value, field) => conditionValueText(value, columnOf(field), { locale, day: dayText }),
    limit: (value, field) => limitText(value, field && columnOf(field)?.format, locale),
  }
}

const AGGREGATE_LABELS = {
  sum: 'Sum of',
  count: 'Number of',
  countDistinct: 'Distinct count of',
  min: 'Minimum',
  max: 'Maximum',
  avg: 'Average',
  median: 'Median',
  first: 'First',
  last: 'Last',
} as const

export function describeMeasure(measure: Measure, planNaming: PlanNaming): string {
  if (measure.label !== undefined) return measure.label
  if (measure.kind === 'ratio')
    return `${describeMeasure(measure.over, planNaming)} per ${describeWithinSentence(measure.under, planNaming)}`
  if (!isLeafMeasure(measure)) return describeDerivedMeasure(measure, planNaming)
  const where = measure.filter?.length ? ` where ${describeFilters(measure.filter, planNaming)}` : ''
  if (measure.kind === 'expression')
    return `${aggregateOf(
      measure,
      describeRowFormula(measure.row, (field) => planNaming.label(field)),
      planNaming,
    )}${where}`
  const over =
    measure.dataset !== undefined && measure.dataset !== planNaming.home ? planNaming.dataset(measure.dataset) : null
  if (!measure.field) return `Number of rows${over === null ? '' : ` of ${over}`}${where}`
  const what = planNaming.label(measure.field)
  return `${aggregateOf(measure, measure.agg === 'count' ? `filled ${what}` : what, planNaming)}${where}`
}

/** Lower case where the first word is ours: names of people and the first letters of columns stay as they are. */
function describeWithinSentence(measure: Measure, planNaming: PlanNaming): string {
  const text = describeMeasure(measure, planNaming)
  const isOurs = measure.label === undefined && OWN_WORDS.some((word) => text.startsWith(`${word} `))
  return isOurs ? lowerFirst(text) : text
}
const OWN_WORDS: readonly string[] = Object.values(AGGREGATE_LABELS)

/** A figure that is made of others of the same group. */
function describeDerivedMeasure(
  measure: Exclude<Measure, AggregateMeasure | RatioMeasure>,
  planNaming: PlanNaming,
): string {
  switch (measure.kind) {
    case 'calc': {
      const side = (operand: CalcOperand): string =>
        isMeasure(operand)
          ? operand.kind === 'calc' && operand.label === undefined
            ? `(${describeMeasure(operand, planNaming)})`
            : describeMeasure(operand, planNaming)
          : planNaming.limit(operand.value)
      return `${side(measure.left)} ${ARITHMETIC_SIGNS[measure.op]} ${side(measure.right)}`
    }
    case 'function':
      return describeFigureFunction(measure, (figure) =>
        figure.kind === 'calc' && figure.label === undefined
          ? `(${describeMeasure(figure, planNaming)})`
          : describeMeasure(figure, planNaming),
      )
    case 'prev':
      return `${describeMeasure(measure.of, planNaming)}, ${describeUnitCount(measure.steps, planNaming.unit ?? 'unit')} earlier`
    case 'cumulative':
      return `${describeMeasure(measure.of, planNaming)}, ${RESTART_LABELS[measure.restart]}`
    case 'moving':
      return `${describeMeasure(measure.of, planNaming)}, ${describeMoving(measure, planNaming.unit ?? 'unit')}`
    case 'whole':
      return `${describeMeasure(measure.of, planNaming)}, of all`
    case 'grouped': {
      const keys = measure.by.map(({ field, grain }) =>
        grain ? `${GRAIN_LABELS[grain]} of ${planNaming.label(field)}` : planNaming.label(field),
      )
      return describeGrouped(measure, {
        of: describeWithinSentence(measure.of, planNaming),
        by: joinWithAnd(keys),
        limitOf: (value) => planNaming.limit(value, figureField(measure.of)),
      })
    }
    case 'metric':
      return 'A metric'
  }
}
/** “Sum of amount”, “Customer at maximum amount”. */
function aggregateOf({ agg, percent, by }: AggregateMeasure, what: string, planNaming: PlanNaming): string {
  if (by) return `${what} ${describeBy(agg, planNaming.label(by))}`
  return `${percent === undefined ? AGGREGATE_LABELS[agg] : `${percentileLabel(percent)} of`} ${what}`
}

/** The column whose format a figure has; undefined where it is no value of one. */
function figureField(measure: Measure): Field | undefined {
  if (isWindowMeasure(measure) || measure.kind === 'whole') return figureField(measure.of)
  if (measure.kind === 'grouped')
    return measure.agg === 'count' || measure.agg === 'share' ? undefined : figureField(measure.of)
  const isCount = measure.kind === 'column' && (measure.agg === 'count' || measure.agg === 'countDistinct')
  return measure.kind === 'column' && !isCount ? measure.field : undefined
}

/** The unit of the split by time; undefined without one. */
export const timeUnitLabel = ({ dimensions }: Pick<QueryPlan, 'dimensions'>): string | undefined => {
  const grain = dimensions.find((one) => one.grouping === undefined && one.grain !== undefined)?.grain
  return grain && GRAIN_LABELS[grain]
}
const RESTART_LABELS = { never: 'running total', year: 'year to date', fiscalYear: 'fiscal year to date' } as const

const describeFilters = (filters: readonly Filter[], planNaming: PlanNaming): string =>
  filters.map((filter) => describeFilter(filter, planNaming)).join(' and ')

/** "Regions of Country", "Regions of Country as of then". */
function describeGroupedField(grouping: GroupingReference, field: Field, planNaming: PlanNaming): string {
  const name = planNaming.grouping?.(grouping.id)?.name ?? 'groups'
  return `${name} of ${planNaming.label(field)}${grouping.as === 'then' ? ' as of then' : ''}`
}

/** What a split tells apart: a column, groups of it, or “Customer (by Customer no)”. */
function describeValuesOf({ field, label, grouping }: Dimension, planNaming: PlanNaming): string {
  if (grouping) return describeGroupedField(grouping, field, planNaming)
  if (!label) return planNaming.label(field)
  const key = planNaming.label(field)
  const at = field.dataset === label.dataset ? key.indexOf(` of ${planNaming.dataset(field.dataset)}`) : -1
  return `${planNaming.label(label)} (by ${at < 0 ? key : key.slice(0, at)})`
}

function describeGroupFilter({ field, any }: FieldFilter, grouping: GroupingReference, planNaming: PlanNaming): string {
  const known = planNaming.grouping?.(grouping.id)
  const named = (id: Scalar): string => (id === null ? 'no group' : (known?.group(String(id)) ?? 'a group'))
  const said = any.map((each) => describeCondition(each, named, planNaming))
  return `${describeGroupedField(grouping, field, planNaming)} ${said.join(' or ')}`
}

function describeFieldFilter({ field, part, any }: FieldFilter, planNaming: PlanNaming): string {
  const named = (value: Scalar): string =>
    part && typeof value === 'number' ? datePartName(value, part, 'en-GB') : planNaming.value(value, field)
  const of = part ? `${DATE_PART_LABELS[part]} of ` : ''
  return `${of}${planNaming.label(field)} ${any.map((each) => describeCondition(each, named, planNaming)).join(' or ')}`
}

function describeFilter(filter: Filter, planNaming: PlanNaming): string {
  if (!isExistsFilter(filter) && filter.grouping) return describeGroupFilter(filter, filter.grouping, planNaming)
  if (!isExistsFilter(filter)) return describeFieldFilter(filter, planNaming)
  const where = filter.filters.length > 0 ? ` where ${describeFilters(filter.filters, planNaming)}` : ''
  return `they have ${filter.kind === 'exists' ? '' : 'no '}rows in ${planNaming.dataset(filter.dataset)}${where}`
}

/** "Sum of amount by month, Jan–Jun 2026, vs Jan–Jun 2025, where country is Sweden". */
export function describePlan(plan: QueryPlan, period: AbsolutePeriod | null, planNaming: PlanNaming): string {
  const measures = plan.measures.map((measure, i) =>
    i === 0 ? describeMeasure(measure, planNaming) : describeWithinSentence(measure, planNaming),
  )
  const splits = plan.dimensions.map((split) => {
    const { field, grain, part, bins, topN } = split
    const ofPeriod = plan.period !== undefined && isSameField(plan.period.field, field)
    const plain = describeValuesOf(split, planNaming)
    const unit = grain ? GRAIN_LABELS[grain] : part && DATE_PART_LABELS[part]
    const name = bins
      ? `${planNaming.label(field)} ${describeBins(bins, (width) => planNaming.limit(width, field))}`
      : unit === undefined
        ? plain
        : `${unit}${ofPeriod ? '' : ` of ${planNaming.label(field)}`}`
    return topN === undefined ? name : `top ${topN} ${name}`
  })
  const figures = plan.kind === 'rows' ? 'Rows' : joinWithAnd(measures)
  const isList = plan.kind === 'aggregate' && measures.length === 0
  const parts = [
    isList ? `Values of ${joinWithAnd(splits)}` : splits.length > 0 ? `${figures} by ${joinWithAnd(splits)}` : figures,
  ]
  if (plan.period)
    parts.push(period?.range ? `${dayRangeLabel(period.range)} (${planNaming.label(plan.period.field)})` : 'all time')
  if (period?.compare) parts.push(`vs ${dayRangeLabel(period.compare)}`)
  if (plan.filters.length > 0) parts.push(`where ${describeFilters(plan.filters, planNaming)}`)
  for (const { measure, op, value: limit } of plan.having ?? []) {
    const limited = plan.measures[measure]
    if (limited)
      parts.push(
        `only where ${describeWithinSentence(limited, planNaming)} ${COMPARISON_LABELS[op]} ${planNaming.limit(limit, figureField(limited))}`,
      )
  }
  if (plan.currency && plan.kind === 'aggregate') parts.push(`in ${plan.currency.code}`)
  return parts.join(', ')
}
const joinWithAnd = (words: readonly string[]): string =>
  words.length <= 1 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`

/** A question in parts, each in words; '' where it says nothing. Days are told as they were asked for: “last 12 months”. */
export function describePlanParts(plan: QueryPlan, planNaming: PlanNaming): PlanDescription {
  const splits = plan.dimensions.map((split) => {
    const { field, grain, part, bins, topN } = split
    const plain = describeValuesOf(split, planNaming)
    const unit = grain ? GRAIN_LABELS[grain] : part && DATE_PART_LABELS[part]
    const name = bins
      ? `${plain} ${describeBins(bins, (width) => planNaming.limit(width, field))}`
      : unit === undefined
        ? plain
        : `${unit} of ${planNaming.label(field)}`
    return topN === undefined ? name : `top ${topN} ${name}`
  })
  return {
    measures: plan.measures.map((measure) => describeMeasure(measure, planNaming)).join(', '),
    splits: splits.join(', '),
    period: plan.period ? describePeriod(plan.period, planNaming) : '',
    filters: describeFilters(plan.filters, planNaming),
    rest: describeRest(plan, planNaming),
  }
}

function describePeriod(period: NonNullable<QueryPlan['period']>, planNaming: PlanNaming): string {
  const against = { previous: ', vs previous period', year: ', vs previous year', none: '' }
  const complete = period.completeOnly ? ', complete periods only' : ''
  return `${describeRange(period.range)} by ${planNaming.label(period.field)}${against[period.compare]}${complete}`
}

function describeRange(range: AbsoluteRange | RelativeRange): string {
  if (range.kind === 'absolute') return `${range.from} to ${range.to}`
  if (range.span === 'all') return 'all time'
  const unit = GRAIN_LABELS[range.unit]
  if (range.span === 'this') return `this ${unit}`
  const running = range.includeCurrent ? ' and the current one' : ''
  return range.n === 1 ? `the last ${unit}${running}` : `the last ${range.n} ${unit}s${running}`
}

function describeRest(plan: QueryPlan, planNaming: PlanNaming): string {
  const sorted = (plan.sort ?? []).map(({ by, dir }) => {
    const [measure, dimension] = ['measure' in by ? by.measure : -1, 'dimension' in by ? by.dimension : -1]
    const [of, split] = [plan.measures[measure], plan.dimensions[dimension]]
    const name = of
      ? describeMeasure(of, planNaming)
      : split
        ? planNaming.label(split.label ?? split.field)
        : `column ${columnNumberOf(by)}`
    return `sorted by ${name} ${dir === 'asc' ? 'ascending' : 'descending'}`
  })
  const having = (plan.having ?? []).map(({ measure, op, value }) => {
    const of = plan.measures[measure]
    return `only where ${of ? describeMeasure(of, planNaming) : 'the figure'} ${COMPARISON_SIGNS[op]} ${value}`
  })
  return [
    ...having,
    ...sorted,
    ...(plan.limit === undefined ? [] : [`at most ${plan.limit} rows`]),
    ...(asksTotals(plan) ? ['with totals'] : []),
    ...(plan.currency === undefined
      ? []
      : [`in ${plan.currency.code}, ${CURRENCY_MODE_DESCRIPTIONS[plan.currency.mode]}`]),
  ].join(', ')
}
const columnNumberOf = (by: object): number => ('column' in by ? Number(by.column) + 1 : 1)
const COMPARISON_SIGNS = { eq: '=', ne: '≠', lt: '<', le: '≤', gt: '>', ge: '≥' } as const
const CURRENCY_MODE_DESCRIPTIONS = {
  transaction: 'daily rates',
  average: 'monthly average rates',
  closing: 'month-end rates',
  budget: 'budget rate',
} as const
