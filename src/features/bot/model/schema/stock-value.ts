import { isPrice, isStockLevel } from './quantity'
import { BUSINESS_WORDS } from '../language/business-words'
import type { AggregateMeasure } from '../../../../shared/query/plan'
import type { SchemaColumn, SchemaDataset } from './schema'

/** A heading that says no more than what one piece costs. */
export const UNIT_COST =
  /^(?:unit|purchase|buying|cost|price|standard|styck|inkops|inkop|kostnad|pris|per|a|st|styckkostnad|inkopspris)$/
const PAID_FOR_ONE = /^(?:costs?|kostnad|inkop|inkops|inkopspris|purchase|buying|styckkostnad)$/
const GOT_FOR_ONE =
  /^(?:(?:sales?|selling|retail|list|unit sales) price|(?:forsaljnings|ut|list|forsaljning|butiks) ?pris)$/
const isPaid = ({ words }: SchemaColumn): boolean =>
  words.some((word) => PAID_FOR_ONE.test(word)) && words.every((word) => UNIT_COST.test(word))
const isGot = (column: SchemaColumn): boolean => isPrice(column) && GOT_FOR_ONE.test(column.words.join(' '))

/** What pieces are valued at, as it is said behind "stock value". */
const AT_COST =
  'at cost|at cost price|at purchase price|at purchase cost|at buying price|till inkopspris|till inkopsvarde|till sjalvkostnad|i inkopspris'
const AT_SALES =
  'at sales price|at sale price|at selling price|at retail|at retail price|at list price|till forsaljningspris|till utpris|till listpris|i forsaljningspris'
const NOUNS = [
  ...BUSINESS_WORDS.stockValue,
  'lagervardet',
  'value of the stock',
  'value of our stock',
  'vardet pa lagret',
]
const said = (ways: string): string[] => ways.split('|').flatMap((way) => NOUNS.map((noun) => `${noun} ${way}`))

const only = (table: SchemaDataset, is: (column: SchemaColumn) => boolean): SchemaColumn | undefined => {
  const [first, other] = table.columns.filter((column) => column.isNumeric && !column.isKey && is(column))
  return other ? undefined : first
}
const valued = (table: SchemaDataset, price: SchemaColumn | undefined): AggregateMeasure | undefined => {
  const held = only(table, isStockLevel)
  if (!held || !price) return undefined
  const [left, right] = [held, price].map(({ dataset, key }) => ({
    kind: 'field' as const,
    field: { dataset, column: key },
  }))
  return left && right && { kind: 'expression', agg: 'sum', row: { kind: 'binary', op: 'multiply', left, right } }
}
/** What is in stock, each piece at what it cost. */
export const stockValue = (table: SchemaDataset): AggregateMeasure | undefined => valued(table, only(table, isPaid))
/** What is in stock at the price that is named, which is of what it cost or of what it is sold for. */
export const stockValueAt: readonly {
  label: string
  words: readonly string[]
  of: (table: SchemaDataset) => AggregateMeasure | undefined
}[] = [
  { label: 'Stock value', words: said(AT_COST), of: stockValue },
  { label: 'Stock value at sales price', words: said(AT_SALES), of: (table) => valued(table, only(table, isGot)) },
]
