import type { SchemaColumn, SchemaDataset } from './schema'

const QUANTITY = /^(?:quantity|qty|units|antal|pieces|kvantitet)$/
const PRICE = /^(?:price|pris|\p{L}+pris)$/u
const ONE_PIECE = /^(?:per|unit|each|list|a|styck|st)$/

/** Whether a column says how many pieces a row is about. */
export const saysHowMany = ({ words, isNumeric, isKey }: SchemaColumn): boolean =>
  isNumeric && !isKey && words.some((word) => QUANTITY.test(word))
export const isPrice = ({ words }: SchemaColumn): boolean => words.some((word) => PRICE.test(word))
/** What one piece costs, which adds up to nothing. */
export const isPriceOfOne = (column: SchemaColumn): boolean =>
  isPrice(column) && column.words.some((word) => ONE_PIECE.test(word))
/** How many times a price counts: the quantity of the rows, or what the heading says that it is per (`price_per_bag` of `bags`). */
export function quantityOfPrice(price: SchemaColumn, { columns }: SchemaDataset): SchemaColumn | undefined {
  const per = price.words.indexOf('per')
  const unit = per < 0 ? undefined : price.words[per + 1]
  const isUnit = (word: string): boolean => unit !== undefined && (word === unit || word === `${unit}s`)
  const others = columns.filter((each) => each !== price && each.isNumeric && !each.isKey)
  return (
    others.find(({ words }) => words.every(isUnit)) ??
    others.find(saysHowMany) ??
    (unit === undefined ? undefined : onlyAmount(others))
  )
}
/** `price_per_m3` beside `cubic_metres`: the only other number of a row that adds up and is no money. */
function onlyAmount(columns: readonly SchemaColumn[]): SchemaColumn | undefined {
  const [only, other] = columns.filter(({ isAdditive, isMoney }) => isAdditive && !isMoney)
  return other ? undefined : only
}

const HELD =
  /^(?:stock|in stock|stock level|stock quantity|quantity in stock|on hand|quantity on hand|qty on hand|inventory|stock on hand|units in stock|saldo|lagersaldo|lager saldo|lager|i lager|antal i lager|lagerantal|stock (?:qty|quantity|count|units|level|on hand)|(?:qty|quantity|units|antal|saldo) (?:in stock|i lager|pa lager)|current stock|aktuellt saldo)$/
/** How many of a thing there are. */
export const isStockLevel = ({ isNumeric, isKey, words }: SchemaColumn): boolean =>
  isNumeric && !isKey && HELD.test(words.filter((word) => !UNIT_OF_STOCK.test(word)).join(' '))
/** In what a stock is counted: `in_stock_m3`. */
const UNIT_OF_STOCK = /^(?:m|m2|m3|kg|l|st|pcs|ton|litres?|liter)$/
