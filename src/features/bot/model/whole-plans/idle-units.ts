import { deduct, fieldOf, Unreadable, type Context } from '../plan/context'
import { namedFigure } from '../figures/figures'
import { dateColumn } from '../plan/time'
import { existsFilters, type ReadConditions } from '../conditions/where'
import type { Assembled } from '../plan/items'

/** Units of time of which the rows say that a figure comes to nothing; of those without any rows nothing is known. */
export function idlePlan(context: Context, conditions: ReadConditions): Assembled | null {
  const { idle } = context.ask
  if (!idle) return null
  const date = dateColumn(context)
  if (!date || date.dataset !== context.home.id) throw new Unreadable('no_metric', 'Nothing says when.')
  const daily = (date.source.distinct ?? 0) >= DAYS_SHARE * daysBetween(date.source.from, date.source.to)
  if (!daily) deduct(context, 0.75, 'units of time without any rows are not told')
  return {
    plan: {
      ...{ v: 3, kind: 'aggregate', dataset: context.home.id },
      measures: [namedFigure(context, idle.of)],
      dimensions: [{ field: fieldOf(date), grain: idle.grain }],
      filters: [...conditions.filters, ...existsFilters(context, conditions)],
      having: [{ measure: 0, op: 'eq', value: 0 }],
      sort: [{ by: { dimension: 0 }, dir: 'asc' }],
      ...(conditions.period ? { period: conditions.period } : {}),
    },
    shown: ['d0'],
  }
}
/** So many of the days have rows where none is left out. */
const DAYS_SHARE = 0.95
const DAY_MS = 86_400_000
const daysBetween = (from: string | null | undefined, to: string | null | undefined): number =>
  from && to ? (Date.parse(to) - Date.parse(from)) / DAY_MS + 1 : Number.POSITIVE_INFINITY
