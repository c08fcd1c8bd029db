import { deduct, fieldOf, type Context } from '../plan/context'
import type { ColumnCondition } from './conditions'
import type { SchemaColumn } from '../schema/schema'

const HELD =
  /^(?:stock|in stock|stock level|stock quantity|quantity in stock|on hand|quantity on hand|qty on hand|inventory|stock on hand|units in stock|saldo|lagersaldo|lager saldo|lager|i lager|antal i lager|lagerantal)$/
const LEAST =
  /^(?:re ?order (?:point|level)|min(?:imum)?(?: stock| level| quantity)?|safety stock|bestallningspunkt|min(?:sta)? ?(?:lager|saldo|antal)|minimilager)$/
const called = ({ home }: Context, names: RegExp): SchemaColumn | undefined => {
  const [only, other] = home.columns.filter(
    ({ isNumeric, isKey, words }) => isNumeric && !isKey && names.test(words.join(' ')),
  )
  return other ? undefined : only
}
/** "Out of stock" is none left; "needs to be reordered" is less than the level at which that is done. */
export function stockConditions(context: Context): ColumnCondition[] {
  const { ask, assumptions } = context
  if (ask.stock === null) return []
  const [held, least] = [called(context, HELD), called(context, LEAST)]
  if (!held || (ask.stock === 'low' && !least)) {
    deduct(context, 0.5, 'how much is in stock is not known')
    return []
  }
  if (ask.stock === 'none' || !least)
    return [{ column: held, conditions: [{ op: 'le', value: 0 }], either: null, isNegated: false }]
  assumptions.push(`To be reordered: ${held.source.label} below ${least.source.label}.`)
  const conditions: ColumnCondition['conditions'] = [{ op: 'column', compare: 'lt', field: fieldOf(least) }]
  return [{ column: held, conditions, either: null, isNegated: false }]
}
