import { daysOf } from '../dates/find-dates'
import { beginsSpan, endsSpan } from '../figures/durations'
import { deduct, type Context } from '../plan/context'
import { isoFromDay } from '../../../../shared/dates'
import type { ColumnCondition } from './conditions'

/** "Valid on the first of May": what had begun by then, and had not ended. */
export function inForceConditions(context: Context): ColumnCondition[] {
  const { ask, encoded, home, calendar } = context
  return ask.inForce.flatMap((at): ColumnCondition[] => {
    const spec = encoded.dates[at]
    const days = spec?.kind === 'period' ? daysOf(spec.range, calendar) : null
    const dates = home.columns.filter(({ isDate }) => isDate)
    const [begin, otherBegin] = dates.filter(beginsSpan)
    const [end, otherEnd] = dates.filter(endsSpan)
    if (!days || !begin || !end || otherBegin || otherEnd || begin === end) {
      deduct(context, 0.4, 'nothing says since when and until when')
      return []
    }
    const shared = { either: null, isNegated: false }
    return [
      { ...shared, column: begin, conditions: [{ op: 'le', value: isoFromDay(days.to) }] },
      { ...shared, column: end, conditions: [{ op: 'ge', value: isoFromDay(days.from) }, { op: 'empty' }] },
    ]
  })
}
