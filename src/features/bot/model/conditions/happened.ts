import { MAY_NOT_HAPPEN } from '../language/verbs'
import { datasetAt } from '../plan/entities'
import { isDateRef } from '../plan/time'
import { isVerb } from '../parse/encoded'
import type { Context } from '../plan/context'
import type { ColumnCondition } from './conditions'

/** "Agents that closed more than 8 tickets": the day of it is there. */
export function doneConditions(context: Context): ColumnCondition[] {
  const { ask, encoded, home } = context
  const isSaid = new Set([...ask.empties, ...ask.beside].map(({ of }) => of))
  const isUsed = (at: number): boolean =>
    isSaid.has(at) ||
    [...ask.dated.values()].includes(at) ||
    ask.outputs.some((item) => item.kind === 'name' && item.at === at)
  if (
    ask.dates.length > 0 ||
    ask.without.length > 0 ||
    encoded.figures.some(({ kind }) => kind === 'duration' || kind === 'span')
  )
    return []
  return encoded.mentions.flatMap(({ words }, at): ColumnCondition[] => {
    const column = isVerb(encoded, at) && MAY_NOT_HAPPEN.test(words) && !isUsed(at) ? isDateRef(context, at) : null
    return column?.dataset === home.id
      ? [{ column, conditions: [{ op: 'notEmpty' }], either: null, isNegated: false }]
      : []
  })
}
/** "Tickets without an agent": what these rows point at by a key of their own, which is empty. */
export function emptyKeys(context: Context): ColumnCondition[] {
  const { ask, schema, home } = context
  return ask.without.flatMap((each): ColumnCondition[] => {
    const dataset = datasetAt(context, each.of)
    const subject = each.entity === null ? home : datasetAt(context, each.entity)
    const [hop, further] = (dataset && schema.path(home.id, dataset.id)) ?? []
    const column = hop && !further ? schema.column(hop.from.dataset, hop.from.key) : undefined
    // What tells these rows apart is never missing.
    if (!column || column.isUnique || column.dataset !== home.id || subject?.id !== home.id) return []
    ask.without = ask.without.filter((other) => other !== each)
    return [{ column, conditions: [{ op: 'empty' }], either: null, isNegated: false }]
  })
}
