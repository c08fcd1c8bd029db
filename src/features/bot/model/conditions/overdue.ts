import { columnOfRef, deduct, isReachable, meaningsOf, type Context } from '../plan/context'
import type { ColumnCondition } from './conditions'
import type { SchemaColumn } from '../schema/schema'

const DUE = /^(?:due|deadline|forfall\w*|expected|promised|planned|expir\w*|valid|senast|utgang\w*|lovad|planerad)$/
/** What ends the matter: after it nothing is late any more. */
const SETTLED =
  /^(?:paid|payment|betal\w*|closed?|return(?:ed)?|delivered|delivery|completed?|finished|resolved|settled|shipped|done|received|arrived|arrival|mottagen|inkommen|ankomst|levererad|leverans|aterlamnad|avslutad|stangd|klar|slutford)$/
export const isSettling = (column: SchemaColumn): boolean => isDay(SETTLED, column)
export const isDue = (column: SchemaColumn): boolean => isDay(DUE, column)
const isDay = (pattern: RegExp, { isDate, words }: SchemaColumn): boolean =>
  isDate && words.some((word) => pattern.test(word))

/** "Overdue", "past their deadline": the day it was due is before today, and what was due has not happened. */
export function overdueConditions(context: Context): ColumnCondition[] {
  const { ask, home, calendar } = context
  if (ask.overdue.length === 0) return []
  return ask.overdue.flatMap(({ of, isDenied }): ColumnCondition[] => {
    const due = of === null ? onlyDue(context) : dayAt(context, of)
    if (!due || !isReachable(context, due.dataset)) {
      deduct(context, 0.5, 'nothing says when it was due')
      return []
    }
    const past: ColumnCondition = {
      column: due,
      conditions: [{ op: isDenied ? 'ge' : 'lt', value: calendar.today }],
      ...{ either: null, isNegated: false },
    }
    context.assumptions.push(`Due before ${calendar.today}.`)
    const [settled, other] = home.columns.filter((column) => column !== due && isDay(SETTLED, column))
    if (settled && !other && due.dataset === home.id)
      return [past, { column: settled, conditions: [{ op: 'empty' }], either: null, isNegated: false }]
    // Without such a day how things stand is a value that has to be said.
    if (ask.values.length === 0 && ask.empties.length === 0)
      deduct(context, 0.75, 'whether it was settled is not asked')
    return [past]
  })
}
function onlyDue({ home }: Context): SchemaColumn | undefined {
  const [only, other] = home.columns.filter((column) => isDay(DUE, column))
  return other ? undefined : only
}
function dayAt(context: Context, at: number): SchemaColumn | undefined {
  const [best] = meaningsOf(context, at, (ref) => (columnOfRef(context, ref)?.isDate === true ? 1 : 0))
  return best && best.score > 0 ? columnOfRef(context, best.ref) : undefined
}
