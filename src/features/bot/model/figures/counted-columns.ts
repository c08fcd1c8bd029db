import { deduct, fieldOf, isReachable, Unreadable, type Context } from '../plan/context'
import { stemOf } from '../language/words'
import type { AggregateMeasure, Measure } from '../../../../shared/query/plan'
import type { Aggregate } from '../../../../shared/query/functions'
import type { SchemaColumn } from '../schema/schema'
import type { Field } from '../../../../shared/query/field'

export const countRows = (dataset: string): AggregateMeasure => ({ kind: 'column', agg: 'count', dataset })
export const aggregate = (agg: Aggregate, field: Field, home: string): AggregateMeasure =>
  field.dataset === home ? { kind: 'column', agg, field } : { kind: 'column', agg, field, dataset: home }

/** How many there are of what a column holds: different values, or what its numbers add up to. */
export function countOfColumn(context: Context, column: SchemaColumn, distinct: boolean): Measure {
  if (!isReachable(context, column.dataset))
    throw new Unreadable('no_relation', `${column.source.label} is not related.`)
  if (column.source.distinct === 0) throw new Unreadable('no_metric', `${column.source.label} has no values.`)
  const isNumber = column.isNumeric && !column.isKey && column.source.role === 'measure'
  // "How many rents": rows of it, which a sum of money would not be.
  if (column.isMoney && !distinct && column.dataset === context.home.id && isCalledAfter(context.home, column))
    return countRows(context.home.id)
  if (isPriceOf(column)) deduct(context, 0.6, `${column.source.label} is a price, and isn’t counted`)
  if (isNumber && !distinct && !column.isAdditive) deduct(context, 0.78, `how ${column.source.label} is counted`)
  if ((column.isAdditive || isNumber) && !distinct) return aggregate('sum', fieldOf(column), context.home.id)
  if (column.dataset === context.home.id && column.isUnique) return countRows(context.home.id)
  // "The number of check-ins": each time it happened, also on one day.
  if (column.isDate && !distinct) return aggregate('count', fieldOf(column), context.home.id)
  return aggregate('countDistinct', fieldOf(column), context.home.id)
}

/** `Rent` of `Rent payments`: the table is called after what its rows pay. */
const isCalledAfter = ({ words }: Context['home'], column: SchemaColumn): boolean =>
  column.words.some((word) => words.some((own) => stemOf(own) === stemOf(word)))
/** "The number of tickets" of a ticket price: what one costs is counted by nobody. */
const isPriceOf = ({ words, isNumeric }: SchemaColumn): boolean =>
  isNumeric && words.some((word) => /^(?:price|pris|cost|fee|rate|avgift|kostnad)$/.test(word))
