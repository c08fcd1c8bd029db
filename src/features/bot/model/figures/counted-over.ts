import { deduct, isReachable, type Context } from '../plan/context'
import { datasetAt, nameColumns } from '../plan/entities'
import { keyOfMention } from './figures'
import { existsFilters, type ReadConditions } from '../conditions/where'
import type { Assembled } from '../plan/items'
import type { MeasureAsk } from '../parse/measure-ask'
import type { Measure } from '../../../../shared/query/plan'

/**
 * "How many customers ordered more than once": things counted by a figure of each, which has to be within a limit. Null
 * where the question asks for anything else.
 */
export function countedOver(context: Context, { having }: ReadConditions): Measure | null {
  const { ask, encoded, home } = context
  const [limit, second] = having
  const [figure, other] = ask.outputs
  if (!limit || second || figure?.kind !== 'figure' || other || ask.splits.length > 0 || ask.rank) return null
  const counted = encoded.figures[figure.at]
  if (counted?.kind !== 'count' || counted.of === null) return null
  const things = datasetAt(context, counted.of)
  if (things ? things.id === home.id || !isReachable(context, things.id) : !isListedHere(context, counted.of))
    return null
  const { measure, op, value } = limit
  // What has no row at all is below every limit, and in no group.
  if (op === 'lt' || op === 'le' || op === 'ne') deduct(context, 0.75, 'what has none is not counted')
  return {
    kind: 'grouped',
    agg: 'count',
    of: measure,
    by: [{ field: keyOfMention(context, counted.of) }],
    having: { op, value },
    ...(counted.label === undefined ? {} : { label: counted.label }),
  }
}
/** Things without a table of their own are told apart by a column of the rows. */
const isListedHere = ({ encoded, home }: Context, at: number): boolean => {
  const ref = encoded.mentions[at]?.matches[0]?.ref
  return ref?.kind === 'column' && ref.dataset === home.id
}
/** "Visits last 30 days": of rows that have no names, nobody wants to read the numbers. */
export function isTableAlone(context: Context): boolean {
  const { ask, encoded, home } = context
  const [only, other] = ask.outputs
  const isBare = /^<m\d+>(?: (?:in|from|for|during|with|at|of|the|i|fran|under|med|<[dv]\d+>))+ ?[?.]?$/.test(
    encoded.source,
  )
  return (
    isBare &&
    only?.kind === 'name' &&
    !other &&
    ask.splits.length === 0 &&
    ask.rank === null &&
    encoded.dates.length > 0 &&
    encoded.dates.every(({ kind }) => kind === 'period' || kind === 'open') &&
    datasetAt(context, only.at)?.id === home.id &&
    nameColumns(home).every(({ isKey }) => isKey)
  )
}
export const countOfHome = ({ ask }: Context): MeasureAsk => ({
  kind: 'count',
  of: ask.outputs.flatMap((item) => (item.kind === 'name' ? [item.at] : []))[0] ?? null,
  distinct: false,
})
/** One figure of all rows that meet the conditions. */
export const figurePlan = (context: Context, conditions: ReadConditions, measures: Measure[]): Assembled => ({
  plan: {
    v: 3,
    kind: 'aggregate',
    dataset: context.home.id,
    measures,
    dimensions: [],
    filters: [...conditions.filters, ...existsFilters(context, conditions)],
    ...(conditions.period ? { period: conditions.period } : {}),
  },
  shown: null,
})
