import type { ColumnRole, ColumnType } from '../../shared/data-sources/files'
import { isKeyName, isOfComparedPeriod } from '../../shared/data-sources/key-columns'

/** What of a column's values says what it is for. */
interface RoleEvidence {
  filled: number
  distinct: number
  currencyCodes: number
  /** The same in small letters. */
  smallCurrencyCodes: number
  /** Values written in digits alone, and the least and most of them. */
  digits: { filled: number; least: number; most: number }
}

/** What tells one column from another of its name: `order_id (metadata)`, `merchant_reference1`. */
const NOTE_BEHIND = /(?<=\p{L})(?:\d|\s*\(([^()]*)\))$/u

/** Words of a heading: `order_id`, `OrderID`, `Postal code` → order, id, postal, code. */
function splitWords(label: string): string[] {
  return label
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== '')
}

const ENTITY_WORDS =
  'order|invoice|faktura|customer|cust|kund|client|klient|user|employee|anställnings|product|produkt|article|artikel|item|' +
  'supplier|vendor|leverantörs|account|category|kategori|store|butiks|company|member|medlems|person|session|transaction|row|rad|project|projekt|ticket|case'
const IDENTIFIER_LABEL = new RegExp(
  `^(id|nr|no|num|number|nummer|ref|reference|referens|guid|uuid|key|nyckel|ocr|identifier|identifierare)$|(nr|nummer)$|^(${ENTITY_WORDS})(id|no|key)$`,
)
/** Things that are numbered one by one: alone in a heading, whole numbers below it are their numbers. */
const ENTITY_LABEL =
  /^(order|faktura|invoice|kund|customer|client|klient|artikel|article|produkt|product|item|verifikat|verifikation|voucher|leverantör|supplier|vendor|kvitto|receipt|bill|anställd|employee|projekt|project|ärende|ticket|case|avtal|contract|medlem|member|butik|store)$/
/** Words that make a figure of what follows or precedes them. */
const MEASURE_WORD =
  /^(antal|count|qty|quantity|sum|summa|total|totalt|totals|belopp|amount|value|värde|pris|price|kostnad|cost|share|andel|per|avg|average|medel|snitt|number|of|av)$/
const CURRENCY_WORD = /^(currency|valuta|währung|devise|moneda)$/
const CODE_LABEL =
  /^(account|konto|kontonr|code|kod|zip|postal|postcode|postnr|postnummer|phone|telefon|tel|year|år|month|månad|period|week|vecka|quarter|kvartal|weekday|fips|ean|upc|sku)$/

/** Whether a heading says that its values name things: numbers there are never added up, and may hold letters. */
export function isCodeLabel(label: string): boolean {
  const words = splitWords(label)
  return isIdentifierLabel(label, words) || isCode(label, words)
}

/** `Postal code`, `Year`, `Week of year`; not `Belopp per konto`, `Sales this year`. */
const isCode = (label: string, words: string[]): boolean =>
  words.some((word) => CODE_LABEL.test(word)) &&
  !words.some((word) => MEASURE_WORD.test(word) && word !== 'of' && word !== 'av') &&
  !isOfComparedPeriod(label)

/** `Ordernr`, `invoice no`, `Faktura`; not `Antal order`, `order value`, `number of orders`. */
function isIdentifierLabel(label: string, words: string[]): boolean {
  const last = words.at(-1) ?? ''
  if (IDENTIFIER_LABEL.test(last)) return true
  const [note, inside = ''] = NOTE_BEHIND.exec(label) ?? []
  const isNoted = note !== undefined && !splitWords(inside).some((word) => MEASURE_WORD.test(word))
  if (isNoted && IDENTIFIER_LABEL.test(splitWords(label.slice(0, -note.length)).at(-1) ?? '')) return true
  return ENTITY_LABEL.test(last) && !words.some((word) => MEASURE_WORD.test(word))
}

/** The first letter of a thing before `id`: `uid`, `pid`. `bid` may be an offer, so its values must count, too. */
const INITIAL_KEY_LABEL = /^\p{Ll}id$/u
const SEQUENCE_ROWS_MIN = 20
/** Of the numbers between the first and the last of a sequence so many are there at least. */
const SEQUENCE_SHARE_MIN = 2 / 3

/** Each number once and hardly one left out: rows that are numbered, whatever their heading says. */
function isSequence({ filled, distinct, digits }: RoleEvidence, rowsMin = SEQUENCE_ROWS_MIN): boolean {
  if (filled < rowsMin || distinct !== filled || digits.filled !== filled) return false
  return filled / (digits.most - digits.least + 1) >= SEQUENCE_SHARE_MIN
}

/** What a column is for. Numbers are measures unless their name says that they count nothing. */
export function inferRole(type: ColumnType, label: string, values: RoleEvidence): ColumnRole {
  const words = splitWords(label)
  const last = words.at(-1) ?? ''
  switch (type) {
    case 'date':
    case 'datetime':
      return 'time'
    case 'boolean':
      return 'dimension'
    case 'integer':
    case 'number':
      if (type === 'number') return 'measure'
      if (isIdentifierLabel(label, words)) return 'id'
      if (isCode(label, words) || isKeyName(label)) return 'dimension'
      if (INITIAL_KEY_LABEL.test(last) && isSequence(values, 2)) return 'id'
      return isSequence(values) && !words.some((word) => MEASURE_WORD.test(word)) ? 'id' : 'measure'
    case 'text':
      if (values.filled > 0 && values.currencyCodes === values.filled) return 'currency'
      if (CURRENCY_WORD.test(last) && values.smallCurrencyCodes === values.filled && values.filled > 0)
        return 'currency'
      return IDENTIFIER_LABEL.test(last) && values.distinct > values.filled * 0.9 ? 'id' : 'dimension'
  }
}
