import type { BotIntent } from '../../../../shared/bot/interpretation'
import type { Viz } from '../../../../shared/insights'
import type { Measure, QueryPlan } from '../../../../shared/query/plan'
import { isExistsFilter } from '../../../../shared/query/plan'
import type { Vocabulary } from '../contract'

/** What kind of question a plan answers. */
export function intentOf(plan: QueryPlan, words: string): BotIntent {
  const { measures, dimensions, limit, sort = [], having = [], period } = plan
  if (plan.filters.some((filter) => isExistsFilter(filter) && filter.kind === 'notExists')) return 'without'
  if (plan.kind === 'rows') return limit === undefined ? 'records' : limit === 1 ? 'extreme' : rankIntent(sort[0]?.dir)
  if (measures.length === 0) return 'list'
  if (having.length > 0) return 'having'
  if (period && period.compare !== 'none')
    return /\bgrow|growth|increas|decreas|tillvaxt/.test(words) ? 'growth' : 'compare'
  if (limit === 1) return 'extreme'
  if (limit !== undefined) return rankIntent(sort[0]?.dir)
  if (dimensions.some(({ grain, part }) => grain !== undefined || part !== undefined)) return 'trend'
  if (measures.some(({ kind }) => kind === 'ratio'))
    return /share|percent|proportion|andel/.test(words) ? 'share' : 'ratio'
  if (dimensions.some(({ bins }) => bins !== undefined) || /distribution|fordelning/.test(words)) return 'distribution'
  if (dimensions.length > 0) return 'breakdown'
  return isCount(measures[0]) ? 'count' : 'value'
}
const rankIntent = (dir: 'asc' | 'desc' | undefined): BotIntent => (dir === 'asc' ? 'bottom' : 'top')
const isCount = (measure: Measure | undefined): boolean =>
  measure?.kind === 'column' && (measure.agg === 'count' || measure.agg === 'countDistinct')

/** The picture that fits a plan's shape. */
export function vizOf(plan: QueryPlan, { metrics }: Pick<Vocabulary, 'metrics'>): Viz {
  const [first] = plan.measures
  const direction = first?.kind === 'metric' ? (metrics.find(({ id }) => id === first.id)?.direction ?? 'up') : 'up'
  const percent = plan.measures.flatMap((measure, i) =>
    measure.kind === 'ratio' && measure.format?.style === 'percent' ? [i] : [],
  )
  return { chart: chartOf(plan), direction, ...(percent.length > 0 ? { percent } : {}) }
}
function chartOf({ kind, measures, dimensions, limit }: QueryPlan): Viz['chart'] {
  if (kind === 'rows' || measures.length === 0 || measures.length > 3 || dimensions.length > 2) return 'table'
  const [only, second] = dimensions
  if (!only) return measures.length === 1 ? 'number' : 'table'
  const isTime = only.grain !== undefined
  if (second) return isTime && measures.length === 1 ? 'stackedBar' : 'table'
  if (limit === 1 || measures.length > 1) return 'table'
  return isTime ? 'line' : 'bar'
}
