import { moneyColumn } from '../schema/money'
import { isAmountWord } from '../language/business-words'
import { amountOf } from '../schema/business-terms'
import { isPurchased } from '../schema/money-names'
import { numberedColumn } from '../plan/entities'
import { fieldOf, type Context } from '../plan/context'
import type { Aggregate } from '../../../../shared/query/functions'
import type { AggregateMeasure } from '../../../../shared/query/plan'
import type { SchemaColumn, SchemaDataset } from '../schema/schema'

/** Rows that only say of what kind other rows are have the amounts of these: fuel charges that are charges. */
export function moneyOfKind({ schema }: Context, { id, columns }: SchemaDataset): SchemaColumn | undefined {
  const kinds = schema.vocabulary.relations.filter(
    ({ from, further }) =>
      from.dataset === id && !further && columns.find(({ key }) => key === from.key)?.isUnique === true,
  )
  const [of, other] = kinds.map(({ to }) => schema.dataset(to.dataset))
  return of && !other ? moneyColumn(of) : undefined
}

/** "Sales per store" of rows that are called sales: what they add up to, and never how many there are. */
export function amountOfSales({ home, encoded }: Context): AggregateMeasure | null {
  const isSaid = encoded.mentions.some(
    ({ words, matches: [best] }) => isAmountWord(words) && best?.ref.kind === 'dataset' && best.ref.dataset === home.id,
  )
  // "Inköp per leverantör": what was bought comes to an amount, too.
  const isBought =
    isPurchased(home) &&
    encoded.mentions.some(({ matches: [best] }) => best?.ref.kind === 'dataset' && best.ref.dataset === home.id)
  const row = isSaid || isBought ? amountOf(home) : null
  if (!row) return null
  return row.kind === 'field'
    ? { kind: 'column', agg: 'sum', field: row.field }
    : { kind: 'expression', agg: 'sum', row, label: 'Amount' }
}
/** What rows come to that say how many and what one costs; null where they say an amount, or neither. */
export function worthOfRows(table: SchemaDataset, agg: Aggregate): AggregateMeasure | null {
  const row = amountOf(table)
  return row && row.kind !== 'field' ? { kind: 'expression', agg, row } : null
}
/** How many rows there are, or what they are lines of. */
export function countOfRows({ home }: Context): AggregateMeasure {
  const number = numberedColumn(home)
  return number
    ? { kind: 'column', agg: 'countDistinct', field: fieldOf(number), label: 'Count' }
    : { kind: 'column', agg: 'count', dataset: home.id, label: 'Count' }
}
