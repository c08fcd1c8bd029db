import { deduct, fieldOf, type Context } from '../plan/context'
import { isSameDeed } from '../language/deed-roots'
import { isDue, isSettling } from './overdue'
import { isYesNo, yesNoValues } from '../schema/schema'
import type { ColumnCondition } from './conditions'

const LATE = /^(?:late|delayed|overdue|sent|sen|sena|forsenad|forsenat|forsening)$/
/** "Delivered late": the day it happened is after the day by which it should have, of rows that say both. */
export function lateConditions(context: Context): ColumnCondition[] {
  const { ask, home } = context
  return ask.late.flatMap(({ verb, isDenied }): ColumnCondition[] => {
    const said = home.columns.find(
      (column) => isYesNo(column) && column.words.some((word) => LATE.test(word)) && isDeed(column.words, verb),
    )
    if (said)
      return [
        {
          ...{ column: said, either: null, isNegated: false },
          conditions: [{ op: 'in', values: yesNoValues(said, !isDenied) }],
        },
      ]
    const days = home.columns.filter(({ isDate }) => isDate)
    const [due, otherDue] = days.filter(isDue)
    const others = days.filter((day) => day !== due)
    const called = verb === null ? [] : others.filter(({ words }) => words.some((word) => isSameDeed(verb, word)))
    const [done, otherDone] = called.length > 0 ? called : others.filter(isSettling)
    if (!due || otherDue || !done || otherDone) {
      deduct(context, 0.5, 'by when it should have happened is not known')
      return []
    }
    context.assumptions.push(`Late: ${done.source.label} after ${due.source.label}.`)
    const compare = isDenied ? ('le' as const) : ('gt' as const)
    return [
      { column: done, conditions: [{ op: 'column', compare, field: fieldOf(due) }], either: null, isNegated: false },
    ]
  })
}

/** A heading of yes and no that says it: "Levererad sent", `delivered_late`. */
const isDeed = (words: readonly string[], verb: string | null): boolean =>
  verb === null || words.some((word) => isSameDeed(verb, word))
