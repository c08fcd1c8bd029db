import { EARNING_TABLE_WORD } from '../language/earning-words'
import { stemOf } from '../language/words'
import { isLedger } from './ledger'
import { isOfLines } from './lines'
import { moneyColumn, withoutTaxNote } from './money'
import { isPriceOfOne, quantityOfPrice } from './quantity'
import type { Put } from './ref'
import type { SchemaDataset } from './schema'

const REVENUE = [
  'revenue',
  'turnover',
  'income',
  'omsattning',
  'intakt',
  'earnings',
  'takings',
  'sales revenue',
  'sales amount',
]
/** What was earned, where no column is called so: the amounts of money that are no costs. */
export function addRevenue(dataset: SchemaDataset, put: Put): void {
  // What was bought is no revenue, and postings of books are of all kinds.
  if (isPurchased(dataset) || isLedger(dataset)) return
  const isEarning = dataset.words.some((word) => EARNING_TABLE_WORD.test(word))
  for (const column of dataset.columns) {
    const text = withoutTaxNote(column.words.join(' '))
    if (
      !column.isMoney ||
      // What an hour costs is earned by no row.
      (!column.isAdditive && /^(?:tim|hour|hourly|dag|day|daily|list)\b/.test(text)) ||
      (isPriceOfOne(column) && !quantityOfPrice(column, dataset)) ||
      !column.isNumeric ||
      /cost|tax|fee|discount|budget|limit|salary|kostnad|moms|rabatt|balance|expense/.test(text)
    )
      continue
    // An amount of rows that are sold to nobody may be anything that was paid.
    const isSold = isEarning || /revenue|sales|intakt|omsattning|sale price/.test(text) || dataset.columns.some(isBuyer)
    const isTotal = /total|amount|revenue|belopp|summa|sales|net|gross|sale price|paid|betalt/.test(text)
    const score =
      (isSold ? 0.84 : 0.68) +
      (isEarning ? 0.06 : 0) +
      (isTotal ? 0.05 : 0) +
      (dataset.words.includes('sales') || dataset.words.includes('sale') ? 0.03 : 0)
    // "Ticket sales" of tickets.
    if (isEarning)
      put(
        [...dataset.words.map(stemOf), 'sales'],
        { kind: 'column', dataset: column.dataset, column: column.key },
        score,
      )
    for (const word of REVENUE)
      put(word.split(' '), { kind: 'column', dataset: column.dataset, column: column.key }, score)
  }
}

const BUYERS =
  /^(?:customer|client|kund|member|medlem|patient|guest|gast|tenant|hyresgast|buyer|product|produkt|artikel|article|item)$/
const isBuyer = ({ words }: SchemaDataset['columns'][number]): boolean => words.some((word) => BUYERS.test(word))

const INVOICES = /^(?:invoices?|faktura|fakturor|bills)$|^(?!inkop|leverantor)\p{L}{3,}fakturor$/u
const INVOICED =
  'invoice amount|invoice total|invoice value|invoiced amount|billed amount|amount invoiced|amount billed|invoicing|billing|billings|fakturabelopp|fakturasumma|fakturavarde|fakturerat belopp|fakturering'
const PURCHASES =
  /^(?:leverantorsfaktur\p{L}*|inkopsfaktur\p{L}*|\p{L}*inkop|inkopsorder|purchases?|purchase orders?|(?:supplier|vendor|purchase) (?:invoices?|bills?))$/u
export const isPurchased = ({ words }: SchemaDataset): boolean =>
  [words.join(' '), ...words].some((name) => PURCHASES.test(name))
const PURCHASED = 'inkop|inkopsbelopp|inkopssumma|purchases|purchase amount|purchased amount|amount purchased'
/** What was invoiced, and what was bought: the amounts of invoices to customers, and from suppliers. */
export function addInvoiced(dataset: SchemaDataset, put: Put): void {
  const isPurchase = isPurchased(dataset)
  // What a line of an invoice costs by the piece is no amount that was invoiced.
  const isInvoice = !isPurchase && dataset.words.some((word) => INVOICES.test(word)) && !isOfLines(dataset)
  const amount = isPurchase || isInvoice ? moneyColumn(dataset) : undefined
  // Of pieces and what one costs the amount is worked out.
  if (!amount || (isPurchase && isPriceOfOne(amount))) return
  for (const name of (isPurchase ? PURCHASED : INVOICED).split('|'))
    put(name.split(' '), { kind: 'column', dataset: amount.dataset, column: amount.key }, 0.93)
}
