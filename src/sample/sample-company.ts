import { COMPANY, SAMPLE_SEED, scenarioEndingOn, type SampleScenario } from './scenario'
import { customerRows, makeCustomers, type Customer, type SheetCell } from './customers'
import type { FiscalYear } from './bookkeeping'
import { yearOf } from './days'
import { makeLedger } from './ledger'
import { makeOrders, writeOrdersCsv, type OrderLine } from './orders'
import { createSeededRandom } from './random'
import { sieFile } from './sie-writer'

/** The made-up wholesaler with everything in its books. */
export interface SampleCompany {
  story: SampleScenario
  customers: Customer[]
  orders: OrderLine[]
  years: FiscalYear[]
}

/** The same day gives the same company, to the öre. `today` is the ISO day on which its books end. */
export function generateCompany(today: string): SampleCompany {
  const story = scenarioEndingOn(today)
  const random = createSeededRandom(SAMPLE_SEED)
  const customers = makeCustomers(random, story)
  const orders = makeOrders(random, story, customers)
  return { story, customers, orders, years: makeLedger(random, story, orders) }
}

export interface SampleFile {
  fileName: string
  bytes: Uint8Array
}
const slug = COMPANY.shortName.toLowerCase().replaceAll(' ', '-')

/** The orders as the company's shop would give them. */
export const ordersFile = ({ orders }: SampleCompany): SampleFile => ({
  fileName: `${slug}-orders.csv`,
  bytes: writeOrdersCsv(orders),
})

/** The books as the company's bookkeeping would give them: one SIE file for each fiscal year, oldest first. */
export const ledgerFiles = ({ story, years }: SampleCompany): SampleFile[] =>
  years.map((year, at) => ({
    fileName: `${slug}-${yearOf(year.from)}.se`,
    bytes: sieFile({ year, before: years[at - 1] ?? null, today: story.today }),
  }))

/** The customer sheet, a line of names first. */
export const customerSheet = ({ customers }: SampleCompany): { fileName: string; rows: SheetCell[][] } => ({
  fileName: `${slug}-customers.xlsx`,
  rows: customerRows(customers),
})
