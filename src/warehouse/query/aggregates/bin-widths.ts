import type { AggregateExecution } from '../figure-source'
import { numberOf } from './amount'
import { binWidth, withBinWidths } from './bins'
import { columnOf } from '../plan/field-columns'
import type { QuerySteps } from '../../scheduling/query-scheduler'
import type { Field } from '../../../shared/query/field'

/**
 * The execution with a width in the place of each count of bins: those that fit the numbers of the rows which the plan
 * asks about (of its first fact, in its period).
 */
export function* withResolvedBins<E extends AggregateExecution>(execution: E): QuerySteps<E> {
  const { plan } = execution.question
  const widths = new Map<number, number>()
  for (const [i, { field, bins }] of plan.dimensions.entries())
    if (bins && 'count' in bins) widths.set(i, yield* widthOf(execution, { field, count: bins.count }))
  if (widths.size === 0) return execution
  return { ...execution, question: { ...execution.question, plan: withBinWidths(plan, widths) } }
}

function* widthOf(
  execution: AggregateExecution,
  { field, count }: { field: Field; count: number },
): QuerySteps<number> {
  const { question, planContext } = execution
  const { currency: _currency, having: _having, sort: _sort, limit: _limit, offset: _offset, ...plan } = question.plan
  const [dataset = question.facts.home] = question.facts.facts
  const end = (agg: 'min' | 'max') => ({ kind: 'column' as const, agg, field, dataset })
  const asked = { ...plan, measures: [end('min'), end('max')], dimensions: [], totals: false }
  const period = question.period && { ...question.period, compare: null }
  const facts = { home: question.facts.home, facts: [dataset], factOf: () => dataset }
  const asStored = { ...planContext, money: undefined }
  const { readingMs } = question
  const { groups } = yield* execution.source.groups(asStored, { plan: asked, facts, period, readingMs })
  const [least, most] = (groups[0]?.sides[0] ?? []).map(numberOf)
  const { type } = columnOf(planContext, dataset, field)
  return binWidth({ least: least ?? null, most: most ?? null, count }, type === 'integer')
}
