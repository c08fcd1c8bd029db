import { filterWords, GRAIN_WORDS, groupedWords, measureWords } from './words'
import type { Naming } from './words'
import type { PlanParts } from '../../shared/insight-care'
import type { AbsoluteRange, QueryPlan, RelativeRange } from '../../shared/query'

/** A question in parts, each in words; '' where it says nothing. Days are told as they were asked for: “last 12 months”. */
export function planParts(plan: QueryPlan, naming: Naming): PlanParts {
  const splits = plan.dimensions.map(({ field, grain, grouping, topN }) => {
    const plain = grouping ? groupedWords(grouping, field, naming) : naming.label(field)
    const name = grain === undefined ? plain : `${GRAIN_WORDS[grain]} of ${naming.label(field)}`
    return topN === undefined ? name : `the top ${topN} of ${name}`
  })
  return {
    measures: plan.measures.map((measure) => measureWords(measure, naming)).join(', '),
    splits: splits.join(', '),
    period: plan.period ? periodWords(plan.period, naming) : '',
    filters: filterWords(plan.filters, naming),
    rest: restWords(plan, naming),
  }
}

function periodWords(period: NonNullable<QueryPlan['period']>, naming: Naming): string {
  const against = { previous: ', against the period before', year: ', against the year before', none: '' }
  const complete = period.completeOnly ? ', complete units only' : ''
  return `${rangeWords(period.range)} by ${naming.label(period.field)}${against[period.compare]}${complete}`
}

const UNITS = { fiscalQuarter: 'fiscal quarter', fiscalYear: 'fiscal year' } as const
function rangeWords(range: AbsoluteRange | RelativeRange): string {
  if (range.kind === 'absolute') return `${range.from} to ${range.to}`
  if (range.span === 'all') return 'all time'
  const unit = range.unit === 'fiscalQuarter' || range.unit === 'fiscalYear' ? UNITS[range.unit] : range.unit
  if (range.span === 'this') return `this ${unit}`
  const running = range.includeCurrent ? ' and the running one' : ''
  return range.n === 1 ? `the last ${unit}${running}` : `the last ${range.n} ${unit}s${running}`
}

function restWords(plan: QueryPlan, naming: Naming): string {
  const sorted = (plan.sort ?? []).map(({ by, dir }) => {
    const [measure, dimension] = ['measure' in by ? by.measure : -1, 'dimension' in by ? by.dimension : -1]
    const [of, split] = [plan.measures[measure], plan.dimensions[dimension]]
    const name = of ? measureWords(of, naming) : split ? naming.label(split.field) : `column ${columnOf(by)}`
    return `sorted by ${name} ${dir === 'asc' ? 'upwards' : 'downwards'}`
  })
  const having = (plan.having ?? []).map(({ measure, op, value }) => {
    const of = plan.measures[measure]
    return `only where ${of ? measureWords(of, naming) : 'the figure'} ${SIGNS[op]} ${value}`
  })
  return [
    ...having,
    ...sorted,
    ...(plan.limit === undefined ? [] : [`at most ${plan.limit} rows`]),
    ...(plan.totals === true ? ['with totals'] : []),
    ...(plan.currency === undefined ? [] : [`in ${plan.currency.code}, ${RATE_WORDS[plan.currency.mode]}`]),
  ].join(', ')
}
const columnOf = (by: object): number => ('column' in by ? Number(by.column) + 1 : 1)
const SIGNS = { eq: '=', ne: '≠', lt: '<', le: '≤', gt: '>', ge: '≥' } as const
const RATE_WORDS = {
  transaction: 'rate of each day',
  average: 'average rate of each month',
  closing: 'last rate of each month',
  budget: 'budget rate',
} as const
