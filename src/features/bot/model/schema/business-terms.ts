import { TERMS } from '../../../../shared/terms'
import { BUSINESS_WORDS, type BusinessFigure } from '../language/business-words'
import { isLedger } from './ledger'
import { moneyColumn } from './money'
import { isPrice, isPriceOfOne, quantityOfPrice } from './quantity'
import type { Expr } from '../../../../shared/query/expression'
import type { AggregateMeasure, Measure } from '../../../../shared/query/plan'
import type { GlossaryEntry } from '../contract'
import type { Schema, SchemaColumn, SchemaDataset } from './schema'

/** Tables whose amounts are what was sold, the surest first. */
const SELLING = [
  /^(?:sales?|forsaljning)$/,
  /^(?:orders?|ordrar|order(?:rad|rader|lines?|items?))$/,
  /^(?:invoices?|bills?|fakturor|faktura|kundfakturor)$/,
  /^(?:transactions?|purchases?|bookings?|lines?|items?|receipts?|kvitton?|kvittorad(?:er)?|bokningar|bestallningar|uthyrningar)$/,
]
/** Whether rows are what was sold, or lines of it. */
export const isSellingTable = (table: SchemaDataset): boolean =>
  [...SELLING, LINES].some((pattern) => table.words.some((word) => pattern.test(word))) || hasSoldLines(table)
const LINES = /^(?:faktura|order|invoice|sales?|kvitto)(?:rad|rader|lines?|items?)$/
const COST = /^(?:costs?|cogs|kostnad|kostnader|inkopspris)$/
const SALE_KEY = /^(?:order|ordrar|invoice|faktura)(?: (?:no|id|nr|number|nummer))$/
const SOLD = /^(?:product|produkt|article|artikel|item|vara|customer|kund)$/
const ORDER_KEY = /^(?:order|ordrar)(?: (?:no|id|nr|number|nummer))$/

/**
 * Main figures of a business as the rows of its sales tell them. `isNamed` says which words the workspace has a meaning
 * of its own for: these are left to it.
 */
export function businessTerms(schema: Schema, isNamed: (word: string) => boolean): GlossaryEntry[] {
  const table = sellingTable(schema)
  if (!table) return []
  const measures = measuresOf(table)
  const name = table.source.name
  return figures.flatMap((figure): GlossaryEntry[] => {
    const words = BUSINESS_WORDS[figure].filter((word) => !isNamed(word))
    const measure = measures[figure]
    const [term] = words
    return measure && term !== undefined
      ? [{ term, synonyms: words.slice(1), definition: `Worked out from ${name}.`, measure: labelled(measure, figure) }]
      : []
  })
}
const figures: readonly BusinessFigure[] = ['sales', 'costs', 'profit', 'margin', 'orderValue']
const LABELS: Readonly<Record<BusinessFigure, string>> = {
  sales: 'Sales',
  costs: 'Costs',
  profit: TERMS.grossProfit,
  margin: TERMS.grossMargin,
  orderValue: 'Average order value',
}
const labelled = (measure: Measure, figure: BusinessFigure): Measure =>
  measure.kind === 'metric' ? measure : { ...measure, label: LABELS[figure] }

function sellingTable({ datasets }: Schema): SchemaDataset | undefined {
  const ranked = datasets.flatMap((table) => {
    const named = SELLING.findIndex((pattern) => table.words.some((word) => pattern.test(word)))
    const rank = named >= 0 ? named : hasSoldLines(table) ? SELLING.length : -1
    return rank >= 0 && amountOf(table) !== null && !isLedger(table) ? [{ table, rank }] : []
  })
  // An amount that is said goes before one that is worked out of pieces and prices.
  const worked = ({ table }: (typeof ranked)[number]): number => Number(amountOf(table)?.kind !== 'field')
  return ranked.toSorted(
    (a, b) => a.rank - b.rank || worked(a) - worked(b) || b.table.source.rowCount - a.table.source.rowCount,
  )[0]?.table
}

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
function amountOf(table: SchemaDataset): Expr | null {
  const money = moneyColumn(table)
  if (!money) return null
  const quantity = isPrice(money) ? quantityOfPrice(money, table) : undefined
  // Prices of one piece are no amounts where nothing says how many.
  if (!quantity && isPriceOfOne(money)) return null
  return quantity ? binary('multiply', valueOf(quantity), valueOf(money)) : valueOf(money)
}
const sumOf = (row: Expr): AggregateMeasure =>
  row.kind === 'field' ? { kind: 'column', agg: 'sum', field: row.field } : { kind: 'expression', agg: 'sum', row }

function measuresOf(table: SchemaDataset): Partial<Record<BusinessFigure, Measure>> {
  const amount = amountOf(table)
  if (!amount) return {}
  const sales = sumOf(amount)
  const cost = numeric(table, COST)
  const profit = cost && sumOf(binary('subtract', amount, valueOf(cost)))
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
