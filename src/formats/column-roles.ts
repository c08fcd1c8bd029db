import type { ColumnRole, ColumnType } from '../shared/files'
import type { ColumnValues } from './column-values'

/** Words of a heading: `order_id`, `OrderID`, `Postal code` → order, id, postal, code. */
function wordsOf(label: string): string[] {
  return label
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== '')
}

const ID = /^(id|nr|no|num|number|nummer|ref|reference|referens|guid|uuid|key|nyckel)$|(nr|nummer|_?id)$/
const CODE =
  /^(account|konto|kontonr|code|kod|zip|postal|postcode|postnr|postnummer|phone|telefon|tel|year|år|month|månad|week|vecka|quarter|kvartal|weekday|fips|ean|upc|sku)$/

/** What a column is for. Numbers are measures unless their name says that they count nothing. */
export function guessRole(type: ColumnType, label: string, values: ColumnValues): ColumnRole {
  const words = wordsOf(label)
  const last = words.at(-1) ?? ''
  switch (type) {
    case 'date':
    case 'datetime':
      return 'time'
    case 'boolean':
      return 'dimension'
    case 'integer':
    case 'number':
      if (type === 'integer' && words.length > 0 && ID.test(last)) return 'id'
      return words.some((word) => CODE.test(word)) && type === 'integer' ? 'dimension' : 'measure'
    case 'text':
      if (values.filled > 0 && values.currencyCodes === values.filled) return 'currency'
      return ID.test(last) && values.distinct > values.filled * 0.9 ? 'id' : 'dimension'
  }
}
