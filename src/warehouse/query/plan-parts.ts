import { describeFilters, GRAIN_LABELS, describeGroupedField, describeMeasure } from './words'
import type { PlanNaming } from './words'
import type { PlanDescription } from '../../shared/insight-care'
import type { AbsoluteRange, QueryPlan, RelativeRange } from '../../shared/query'

/** A question in parts, each in words; '' where it says nothing. Days are told as they were asked for: “last 12 months”. */
export function describePlanParts(plan: QueryPlan, planNaming: PlanNaming): PlanDescription {
  const splits = plan.dimensions.map(({ field, grain, grouping, topN }) => {
    const plain = grouping ? describeGroupedField(grouping, field, planNaming) : planNaming.label(field)
    const name = grain === undefined ? plain : `${GRAIN_LABELS[grain]} of ${planNaming.label(field)}`
    return topN === undefined ? name : `the top ${topN} of ${name}`
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
  const against = { previous: ', against the period before', year: ', against the year before', none: '' }
  const complete = period.completeOnly ? ', complete units only' : ''
  return `${describeRange(period.range)} by ${planNaming.label(period.field)}${against[period.compare]}${complete}`
}

const FISCAL_UNIT_LABELS = { fiscalQuarter: 'fiscal quarter', fiscalYear: 'fiscal year' } as const
function describeRange(range: AbsoluteRange | RelativeRange): string {
  if (range.kind === 'absolute') return `${range.from} to ${range.to}`
  if (range.span === 'all') return 'all time'
  const unit =
    range.unit === 'fiscalQuarter' || range.unit === 'fiscalYear' ? FISCAL_UNIT_LABELS[range.unit] : range.unit
  if (range.span === 'this') return `this ${unit}`
  const running = range.includeCurrent ? ' and the running one' : ''
  return range.n === 1 ? `the last ${unit}${running}` : `the last ${range.n} ${unit}s${running}`
}

function describeRest(plan: QueryPlan, planNaming: PlanNaming): string {
  const sorted = (plan.sort ?? []).map(({ by, dir }) => {
    const [measure, dimension] = ['measure' in by ? by.measure : -1, 'dimension' in by ? by.dimension : -1]
    const [of, split] = [plan.measures[measure], plan.dimensions[dimension]]
    const name = of
      ? describeMeasure(of, planNaming)
      : split
        ? planNaming.label(split.field)
        : `column ${columnNumberOf(by)}`
    return `sorted by ${name} ${dir === 'asc' ? 'upwards' : 'downwards'}`
  })
  const having = (plan.having ?? []).map(({ measure, op, value }) => {
    const of = plan.measures[measure]
    return `only where ${of ? describeMeasure(of, planNaming) : 'the figure'} ${COMPARISON_SIGNS[op]} ${value}`
  })
  return [
    ...having,
    ...sorted,
    ...(plan.limit === undefined ? [] : [`at most ${plan.limit} rows`]),
    ...(plan.totals === true ? ['with totals'] : []),
    ...(plan.currency === undefined
      ? []
      : [`in ${plan.currency.code}, ${CURRENCY_MODE_DESCRIPTIONS[plan.currency.mode]}`]),
  ].join(', ')
}
const columnNumberOf = (by: object): number => ('column' in by ? Number(by.column) + 1 : 1)
const COMPARISON_SIGNS = { eq: '=', ne: '≠', lt: '<', le: '≤', gt: '>', ge: '≥' } as const
const CURRENCY_MODE_DESCRIPTIONS = {
  transaction: 'rate of each day',
  average: 'average rate of each month',
  closing: 'last rate of each month',
  budget: 'budget rate',
} as const
