import { TERMS } from '../../../../shared/terms'
import { BUSINESS_WORDS, type BusinessFigure } from '../language/business-words'
import { EARNING_TABLE_WORD } from '../language/earning-words'
import { isPurchased } from './money-names'
import { isLedger } from './ledger'
import { moneyColumn } from './money'
import { isPrice, isPriceOfOne, quantityOfPrice, saysHowMany } from './quantity'
import { stockValue, stockValueAt, UNIT_COST } from './stock-value'
import type { Expr } from '../../../../shared/query/expression'
import type { AggregateMeasure, Measure } from '../../../../shared/query/plan'
import type { GlossaryEntry } from '../contract'
import type { Schema, SchemaColumn, SchemaDataset } from './schema'

/** Tables whose amounts are what was sold, the surest first. */
const SELLING = [
  /^(?:sales?|forsaljning)$/,
  /^(?:orders?|ordrar|order(?:rad|rader|lines?|items?))$|^(?!inkop)\p{L}{3,}ordrar$/u,
  /^(?:invoices?|bills?|fakturor|faktura|kundfakturor)$|^(?!inkop|leverantor)\p{L}{3,}fakturor$/u,
  /^(?:transactions?|purchases?|bookings?|lines?|items?|receipts?|kvitton?|kvittorad(?:er)?|(?:\p{L}{3,})?(?:bokningar|bestallningar|uthyrningar))$/u,
]
/** Whether rows are what was sold, or lines of it. */
export const isSellingTable = (table: SchemaDataset): boolean =>
  [...SELLING, LINES].some((pattern) => table.words.some((word) => pattern.test(word))) || hasSoldLines(table)
const LINES = /^(?:faktura|order|invoice|sales?|kvitto)(?:rad|rader|lines?|items?)$/
const COST = /^(?:costs?|cogs|kostnad|kostnader|inkopspris)$/
const SALE_KEY =
  /^(?:order|ordrar|invoice|faktura)(?: (?:no|id|nr|number|nummer))$|^(?:kvitto|receipt|bong|nota)(?: (?:no|id|nr|number|nummer))?$/
const SOLD = /^(?:product|produkt|article|artikel|item|dish|ratt|vara|customer|kund)$/
const ORDER_KEY =
  /^(?:order|ordrar)(?: (?:no|id|nr|number|nummer))$|^(?:kvitto|receipt|bong|nota)(?: (?:no|id|nr|number|nummer))?$/

/**
 * Main figures of a business as the rows of its sales tell them. `isNamed` says which words the workspace has a meaning
 * of its own for: these are left to it.
 */
export function businessTerms(schema: Schema, isNamed: (word: string) => boolean): GlossaryEntry[] {
  const selling = sellingTables(schema)
  const earning = earningTables(schema, selling)
  const tables = selling.length > 0 ? [...selling, ...earning] : earning.filter(hasBuyer)
  const purchases = schema.datasets.flatMap((table) => {
    const row = isPurchased(table) ? amountOf(table) : null
    return row && row.kind !== 'field' ? [{ measure: labelled(sumOf(row), 'purchases'), name: table.source.name }] : []
  })
  const figures = [...FIGURES, 'purchases' as const].flatMap((figure): GlossaryEntry[] => {
    const words = BUSINESS_WORDS[figure].filter((word) => !isNamed(word))
    const told =
      figure === 'purchases'
        ? purchases
        : (figure === 'stockValue' ? schema.datasets : tables).flatMap((table) => {
            const measure = figure === 'stockValue' ? stockValue(table) : measuresOf(table, schema)[figure]
            return measure ? [{ measure: labelled(measure, figure), name: table.source.name }] : []
          })
    return termOf(words, told)
  })
  return [...figures, ...stockTerms(schema, isNamed)]
}
/** The first table's figure under these words, the other tables' beside it. */
function termOf(words: readonly string[], told: readonly { measure: Measure; name: string }[]): GlossaryEntry[] {
  const [main, ...others] = told
  const [term] = words
  if (!main || term === undefined) return []
  return [
    {
      ...{ term, synonyms: words.slice(1), definition: `Worked out from ${main.name}.` },
      ...{ measure: main.measure, elsewhere: others.map(({ measure }) => measure) },
    },
  ]
}
const stockTerms = (schema: Schema, isNamed: (word: string) => boolean): GlossaryEntry[] =>
  stockValueAt.flatMap(({ label, words, of }) =>
    termOf(
      words.filter((word) => !isNamed(word)),
      schema.datasets.flatMap((table) => {
        const measure = of(table)
        return measure ? [{ measure: { ...measure, label }, name: table.source.name }] : []
      }),
    ),
  )
const FIGURES: readonly BusinessFigure[] = ['stockValue', 'sales', 'costs', 'profit', 'margin', 'orderValue']
const LABELS: Readonly<Record<BusinessFigure, string>> = {
  sales: 'Sales',
  costs: 'Costs',
  profit: TERMS.grossProfit,
  margin: TERMS.grossMargin,
  orderValue: 'Average order value',
  stockValue: 'Stock value',
  purchases: 'Purchases',
}
const labelled = (measure: Measure, figure: BusinessFigure): Measure =>
  measure.kind === 'metric' ? measure : { ...measure, label: LABELS[figure] }

/** Tables whose amounts are what was sold, the likeliest first. */
export function sellingTables({ datasets }: Schema): SchemaDataset[] {
  const ranked = datasets.flatMap((table) => {
    const named = SELLING.findIndex((pattern) => table.words.some((word) => pattern.test(word)))
    const rank = named >= 0 ? named : hasSoldLines(table) ? SELLING.length : -1
    return rank >= 0 && amountOf(table) !== null && !isLedger(table) ? [{ table, rank }] : []
  })
  // An amount that is said goes before one that is worked out of pieces and prices.
  const worked = ({ table }: (typeof ranked)[number]): number => Number(amountOf(table)?.kind !== 'field')
  return ranked
    .toSorted((a, b) => a.rank - b.rank || worked(a) - worked(b) || b.table.source.rowCount - a.table.source.rowCount)
    .map(({ table }) => table)
}

/** What is earned by, where something else is what is sold: visits of which each has its price. */
const earningTables = ({ datasets }: Schema, selling: readonly SchemaDataset[]): SchemaDataset[] =>
  datasets.filter(
    (table) =>
      !selling.includes(table) &&
      !isLedger(table) &&
      amountOf(table) !== null &&
      table.words.some((word) => EARNING_TABLE_WORD.test(word) && !RECEIVED.test(word)),
  )
/** Rows of which each says to whom it was: deliveries with their customer. */
const hasBuyer = ({ columns }: SchemaDataset): boolean =>
  columns.some(({ words }) => words.some((word) => BUYER.test(word)))
const BUYER = /^(?:customer|client|kund|buyer|student|guest|gast|patient)$/
/** What was paid is no further revenue beside what was sold. */
const RECEIVED = /^(?:payments?|betalningar|received|purchases?|bills?)$/

/** Whatever a table is called: lines with the number of an order or invoice, a day and what was sold or to whom. */
const hasSoldLines = (table: SchemaDataset): boolean =>
  table.columns.some(({ words }) => SALE_KEY.test(words.join(' '))) &&
  table.columns.some(({ isDate }) => isDate) &&
  table.columns.some(({ words }) => words.some((word) => SOLD.test(word)))

const valueOf = ({ dataset, key }: SchemaColumn): Expr => ({ kind: 'field', field: { dataset, column: key } })
const binary = (op: 'subtract' | 'multiply', left: Expr, right: Expr): Expr => ({ kind: 'binary', op, left, right })
const numeric = ({ columns }: SchemaDataset, pattern: RegExp): SchemaColumn | undefined =>
  columns.find(({ words, isNumeric, isKey }) => isNumeric && !isKey && words.some((word) => pattern.test(word)))

/** What a row was sold for: its amount, else how many times what one costs. */
export function amountOf(table: SchemaDataset): Expr | null {
  const money = moneyColumn(table)
  if (!money) return null
  const quantity = isPrice(money) ? quantityOfPrice(money, table) : undefined
  // Prices of one piece are no amounts where nothing says how many.
  if (!quantity && isPriceOfOne(money)) return null
  return quantity ? binary('multiply', valueOf(quantity), valueOf(money)) : valueOf(money)
}
/** What the pieces of a row cost, where only the thing that it points at says what one costs. */
function costOfPieces(table: SchemaDataset, { vocabulary, datasets }: Schema): Expr | null {
  const quantity = table.columns.find(saysHowMany)
  const costs = vocabulary.relations.flatMap(({ from, to, further }) => {
    const things = from.dataset === table.id && !further ? datasets.find(({ id }) => id === to.dataset) : undefined
    return (things?.columns ?? []).filter(
      ({ words, isNumeric, isKey }) =>
        isNumeric && !isKey && words.some((word) => COST.test(word)) && words.every((word) => UNIT_COST.test(word)),
    )
  })
  const [cost, other] = costs
  return quantity && cost && !other ? binary('multiply', valueOf(quantity), valueOf(cost)) : null
}
const sumOf = (row: Expr): AggregateMeasure =>
  row.kind === 'field' ? { kind: 'column', agg: 'sum', field: row.field } : { kind: 'expression', agg: 'sum', row }

function measuresOf(table: SchemaDataset, schema: Schema): Partial<Record<BusinessFigure, Measure>> {
  const amount = amountOf(table)
  if (!amount) return {}
  const sales = sumOf(amount)
  const cost = numeric(table, COST)
  const spent = cost ? valueOf(cost) : costOfPieces(table, schema)
  const profit = spent && sumOf(binary('subtract', amount, spent))
  const order = table.columns.find(
    ({ words, isText, isKey }) => ORDER_KEY.test(words.join(' ')) || ((isText || isKey) && words.join(' ') === 'order'),
  )
  const orders: AggregateMeasure | null = order
    ? { kind: 'column', agg: 'countDistinct', field: { dataset: order.dataset, column: order.key } }
    : table.words.some((word) => /^order/.test(word))
      ? { kind: 'column', agg: 'count', dataset: table.id }
      : null
  return {
    sales,
    ...(cost ? { costs: sumOf(valueOf(cost)) } : {}),
    ...(profit ? { profit, margin: { kind: 'ratio', over: profit, under: sales, format: { style: 'percent' } } } : {}),
    ...(orders ? { orderValue: { kind: 'ratio', over: sales, under: orders } } : {}),
  }
}
