import { when, type Check } from './account'
import { isPurchased } from '../schema/money-names'
import { isSellingTable } from '../schema/business-terms'
import type { Schema, SchemaDataset } from '../schema/schema'

const SOLD = /\b(?:sell|sells|sold|selling|sales|sale|salt|salda|saljer|salde|salts|saljs|saldes|forsalj\w*)\b/
const BOUGHT =
  /\b(?:(?:we|vi) (?:have |har )?(?:buy|bought|purchased?|ordered|kopt|kopte|koper|bestallt|bestallde)|(?:from|av|fran|hos) (?:(?:each|every|our|the|varje|vara|vilka|which) )*(?:suppliers?|vendors?|leverantor\w*)|(?:har|have|did) (?:we|vi) (?:kopt|kopa|buy|bought|purchase|purchased))\b/

/** Whether rows tell of what the company itself bought, or are lines of such. */
const isBought = (table: SchemaDataset, schema: Schema): boolean =>
  isPurchased(table) ||
  schema.vocabulary.relations.some(({ from, to }) => {
    const whole = from.dataset === table.id ? schema.dataset(to.dataset) : undefined
    return whole !== undefined && isPurchased(whole)
  })
/** "Units sold" of sales, "what we bought" of purchases: two sides of one business, which have like headings. */
export const checkSides: Check = ({ context: { home, schema, words } }) => {
  const isBuying = isBought(home, schema)
  const others = schema.datasets.filter((table) => table !== home && isBought(table, schema) !== isBuying)
  if (isBuying)
    return when(SOLD.test(words) && !BOUGHT.test(words) && others.some(isSellingTable), 'what was bought, and not sold')
  return when(
    isSellingTable(home) && BOUGHT.test(words) && !SOLD.test(words) && others.length > 0,
    'what was sold, and not bought',
  )
}
