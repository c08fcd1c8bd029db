import { deduct, type Context } from '../plan/context'
import { existsFilters, type ReadConditions } from '../conditions/where'

/** "Share of orders that were returned": the condition says which part, and the whole is counted without it. */
export function partOfShare(context: Context, conditions: ReadConditions, isSplit: boolean): ReadConditions {
  const shares = context.encoded.figures.filter((figure) => figure.kind === 'share')
  if (shares.length === 0) return conditions
  if (shares.some(({ values, flags = [] }) => values.length + flags.length > 0)) {
    // "The percentage of closed tickets that got a 5": the kind may be the whole as well as the part.
    if (conditions.filters.length + conditions.pointing.length > 0) deduct(context, 0.75, 'which is the part of which')
    return conditions
  }
  const part = [...conditions.filters, ...existsFilters(context, conditions)]
  // "The share of each region": of all of them together.
  if (part.length === 0 && isSplit) return conditions
  if (part.length === 0) deduct(context, 0.5, 'it is not said of what part')
  if (part.length > 1) deduct(context, 0.78, 'which condition is the part is not sure')
  context.part = part
  return { ...conditions, filters: [], pointing: [] }
}
