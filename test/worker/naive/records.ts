import { Temporal } from 'temporal-polyfill'
import { endOfRows } from './evaluator'
import { naivePeriod } from './time'
import { compare, createEvaluationContext, isFraction } from './values'
import type { Fraction, NaiveData, NaiveRow, NaiveValue } from './values'
import type { QueryPlan } from '../../../src/shared/query/plan'
import type { Cell } from '../../../src/shared/query/result'

/** Undefined: a moment, whose text is not told here. */
export type NaiveCell = Cell | Fraction | undefined

/** Every record of a plan in its order, with what is shown of it. */
export function naiveRecords(data: NaiveData, plan: QueryPlan): NaiveCell[][] {
  const world = createEvaluationContext({ ...data, periodField: plan.period?.field })
  const range = naivePeriod(plan, data.calendar, endOfRows(data, plan.period?.field))?.range ?? null
  const isInside = (row: NaiveRow): boolean => {
    if (!plan.period || !range) return true
    const date = world.wall(row, plan.period.field)?.toPlainDate()
    if (!date) return false
    return Temporal.PlainDate.compare(date, range.from) >= 0 && Temporal.PlainDate.compare(date, range.to) <= 0
  }
  const shown = plan.columns ?? []
  const passing = world
    .rowsOf(plan.dataset ?? '')
    .filter((row) => plan.filters.every((filter) => world.passes(row, filter)) && isInside(row))
  const sorted = passing.toSorted((a, b) => {
    for (const { by, dir } of plan.sort ?? []) {
      const field = 'column' in by ? shown[by.column] : undefined
      const order = field ? orderOf(world.value(a, field), world.value(b, field), dir) : 0
      if (order !== 0) return order
    }
    return a.rid - b.rid
  })
  return sorted.map((row) =>
    shown.map((field): NaiveCell => {
      const { type } = world.column(field)
      if (type === 'datetime') return world.stored(row, field) === null ? null : undefined
      if (type === 'date') return world.wall(row, field)?.toPlainDate().toString() ?? null
      return world.value(row, field)
    }),
  )
}

function orderOf(a: NaiveValue, b: NaiveValue, dir: 'asc' | 'desc'): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  const order = isFraction(a) && isFraction(b) ? compare(a, b) : a === b ? 0 : a < b ? -1 : 1
  return dir === 'asc' ? order : -order
}
