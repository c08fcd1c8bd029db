import { fieldOf, Unreadable, type Context } from '../plan/context'
import { dateColumn, yearColumn } from '../plan/time'
import type { Measure } from '../../../../shared/query/plan'
import type { CalendarUnit } from '../../../../shared/dates'

/** "Average monthly sales": the figure of each unit of time that has rows, and of these the average. */
export function averageOfUnits(context: Context, of: Measure, unit: CalendarUnit): Measure {
  const date = dateColumn(context)
  const year = unit === 'year' && date?.dataset !== context.home.id ? yearColumn(context) : undefined
  if (year?.dataset === context.home.id) return { kind: 'grouped', agg: 'avg', of, by: [{ field: fieldOf(year) }] }
  if (!date || date.dataset !== context.home.id) throw new Unreadable('no_metric', 'Nothing says when.')
  return { kind: 'grouped', agg: 'avg', of, by: [{ field: fieldOf(date), grain: unit }] }
}

/** How much a figure has changed since the unit of time before, in per cent. */
export function growthOf(context: Context, of: Measure): Measure {
  const isSplit = context.ask.dates.some((at) => context.encoded.dates[at]?.kind === 'grain')
  if (!isSplit) throw new Unreadable('no_metric', 'It is not said since when.')
  const before: Measure = { kind: 'prev', of, steps: 1 }
  return {
    kind: 'ratio',
    over: { kind: 'calc', op: 'subtract', left: of, right: before },
    under: before,
    format: { style: 'percent' },
  }
}
