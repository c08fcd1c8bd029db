import { fieldOf, type Context } from '../plan/context'
import { humanizeLabel } from '../../../../shared/text'
import type { Measure } from '../../../../shared/query/plan'
import { isPrice, quantityOfPrice } from '../schema/quantity'
import type { SchemaColumn } from '../schema/schema'

/** Revenue of lines that say a price for each and how many, and no amount: the one times the other. */
export function linesRevenue(context: Context, column: SchemaColumn): Measure | null {
  const { home } = context
  const price = home.columns.find((each) => each.isNumeric && isPrice(each))
  const quantity = price && quantityOfPrice(price, home)
  // An amount of the lines' own goes first; one of what they belong to would be added up once a line.
  if (!quantity || !price || (column.dataset === home.id && column !== price)) return null
  context.assumptions.push(
    `Revenue is read as ${humanizeLabel(quantity.source.label)} times ${humanizeLabel(price.source.label)}.`,
  )
  const row = {
    kind: 'binary' as const,
    op: 'multiply' as const,
    left: { kind: 'field' as const, field: fieldOf(quantity) },
    right: { kind: 'field' as const, field: fieldOf(price) },
  }
  return { kind: 'expression', agg: 'sum', row, label: 'Revenue' }
}
export const isRevenueWord = (words: string): boolean =>
  /\b(revenues?|turnover|sales|income|omsattning(?:en)?|intakt(?:er(?:na)?|en)?|forsaljning(?:en)?|earnings|takings|earn|earned)\b/.test(
    words,
  )
