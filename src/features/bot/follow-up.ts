import type { Interpret, InterpretInput, PreviousQuestion } from './model/contract'
import type { BotInterpretation, BotReading } from '../../shared/bot/interpretation'
import { readingOf } from '../../shared/bot/conversations'
import { foldText } from '../../shared/bot/fold-text'
import { chartProblem, suggestChart, type ChartKind } from '../../shared/insights'
import { isExistsFilter, type Filter, type QueryPlan } from '../../shared/query/plan'
import { isSameField, measuredDataset } from '../../shared/query/plan-fields'

/** How a question begins that goes on from the one before it. */
const BEGINS_FURTHER =
  /^(and|och|but|men|only|just|bara|endast|by|per|efter|as|som|for|för|in|i|vs|versus|against|compare|compared|jämför|jämfört|why|varför|what about|last|this|same|excluding|without|utan)\b/i
const WHY = /^(and )?(why|varför)\b/i
const CONNECTIVE = /^(and|och|but|men|what about|only|just|bara|endast)\s+/i
const COMPARE = /\b(compare|compared|vs|versus|against|jämför|jämfört)\b/i
const YEAR = /\b(year|år|året)\b/i

const CHART_WORDS: readonly [words: RegExp, chart: ChartKind][] = [
  [/\b(bars?|columns?|staplar|stapeldiagram)\b/, 'bar'],
  [/\b(lines?|curve|linje|linjediagram)\b/, 'line'],
  [/\b(area|yta)\b/, 'area'],
  [/\b(table|tabell)\b/, 'table'],
  [/\b(heat ?map)\b/, 'heatMap'],
  [/\b(waterfall|vattenfall)\b/, 'waterfall'],
  [/\b(number|figure|siffra|tal)\b/, 'number'],
]

export const beginsFurther = (question: string): boolean => BEGINS_FURTHER.test(question.trim())

/**
 * A question that only changes the one before it: what it would count by itself says which rows, which period and which
 * split are meant; the figure stays. Null where it changes nothing that is known.
 */
export async function goOnFrom(
  previous: PreviousQuestion,
  input: Omit<InterpretInput, 'previous'>,
  interpret: Interpret,
): Promise<BotInterpretation | null> {
  const asked = input.question.trim()
  const { plan, viz } = previous
  const words = `${previous.question}, ${asked}`
  if (WHY.test(asked)) return plan.period ? whyOf(previous) : null
  const chart = chartIn(asked)
  if (chart && chartProblem(chart, plan) === null) return answer(words, plan, { ...viz, chart })
  if (COMPARE.test(asked) && plan.period)
    return answer(words, { ...plan, period: { ...plan.period, compare: YEAR.test(asked) ? 'year' : 'previous' } }, viz)
  const changed = await changedPlan(previous, { ...input, question: asked.replace(CONNECTIVE, '') }, interpret)
  if (!changed) return null
  const fits = chartProblem(viz.chart, changed) === null && changed.dimensions.length === plan.dimensions.length
  return answer(words, changed, fits ? viz : { ...viz, chart: suggestChart(changed) })
}

function chartIn(question: string): ChartKind | null {
  if (!/^(as|som)\b/i.test(question)) return null
  const words = foldText(question)
  return CHART_WORDS.find(([pattern]) => pattern.test(words))?.[1] ?? null
}

const whyOf = (previous: PreviousQuestion): BotInterpretation => {
  const { plan, viz } = previous
  const period = plan.period && {
    ...plan.period,
    compare: plan.period.compare === 'none' ? ('previous' as const) : plan.period.compare,
  }
  const whole: QueryPlan = { ...plan, dimensions: [], ...(period ? { period } : {}) }
  const { sort: _sort, limit: _limit, having: _having, ...asked } = whole
  const reading = readingFor(previous.question, asked, { ...viz, chart: 'number' })
  return {
    kind: 'way',
    way: 'why',
    score: 1,
    reading,
    thing: null,
    words: `What accounts for the change: ${previous.question}`,
  }
}

const readingFor = (words: string, plan: QueryPlan, viz: BotReading['viz']): BotReading => ({
  ...{ plan, viz, intent: 'breakdown', score: 1, words, chips: [], assumptions: [] },
})
const answer = (words: string, plan: QueryPlan, viz: BotReading['viz']): BotInterpretation => ({
  kind: 'answer',
  ...readingFor(words, plan, viz),
})

async function changedPlan(
  { plan }: PreviousQuestion,
  input: Omit<InterpretInput, 'previous'>,
  interpret: Interpret,
): Promise<QueryPlan | null> {
  const home = input.vocabulary.datasets.find(({ id }) => id === (measuredDataset(plan) ?? plan.dataset))
  const read = await interpret({ ...input, question: `number of ${home?.name ?? 'rows'} ${input.question}` })
  const said = readingOf(read)?.plan
  if (!said || said.kind !== 'aggregate') return null
  const isNew = (filter: Filter): boolean =>
    !isExistsFilter(filter) &&
    !said.filters.some((other) => !isExistsFilter(other) && isSameField(other.field, filter.field))
  const dimensions = said.dimensions.length > 0 ? said.dimensions : plan.dimensions
  const { period = plan.period } = said
  const next: QueryPlan = {
    ...plan,
    ...(dimensions === plan.dimensions ? {} : { dimensions }),
    filters: [...plan.filters.filter(isNew), ...said.filters],
    ...(period ? { period: { ...period, compare: plan.period?.compare ?? period.compare } } : {}),
  }
  const { sort: _sort, limit: _limit, ...unsorted } = next
  const whole = dimensions.length === plan.dimensions.length ? next : unsorted
  return JSON.stringify(whole) === JSON.stringify(plan) ? null : whole
}
