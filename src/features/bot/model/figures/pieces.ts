import { fieldOf, Unreadable, type Context } from '../plan/context'
import { quantityOf } from '../parse/pieces-rules'
import { isSellingTable } from '../schema/business-terms'
import type { Measure } from '../../../../shared/query/plan'

const SELLING = /^(?:sold|sells?|ordered|salt|salda|salde|saljer|saldes|salts|bestallt|bestallda)$/
/** How many pieces the rows say that were sold; of what was bought in, rows of sales say nothing. */
export function piecesOf({ home, schema, assumptions }: Context, verb: string): Measure {
  const quantity = quantityOf(home)
  if (!quantity) throw new Unreadable('no_metric', 'Nothing says how many pieces it was.')
  const selling = schema.datasets.filter((table) => quantityOf(table) && isSellingTable(table))
  if (selling.length > 0 && SELLING.test(verb) !== selling.includes(home))
    throw new Unreadable('no_relation', `${home.source.name} says nothing of what was ${verb}.`)
  assumptions.push(`Pieces are counted by ${quantity.source.label}.`)
  return { kind: 'column', agg: 'sum', field: fieldOf(quantity) }
}
