import { closeYear, credit, debit, type FiscalYear, type Voucher } from '../../src/sample/bookkeeping'
import { sieFile } from '../../src/sample/sie-writer'
import { countryCodeOf, isoFromDay, kronor, type VendorCompany, type VendorOrder } from '../vendors/company.ts'

/** What of a company's records Fortnox tells, and when each was last changed (epoch ms). */
export interface Dated<T> {
  changed: number
  body: T
}
interface FortnoxFiscalYear {
  id: number
  year: FiscalYear
}

const DUE_DAYS = 30
const dayMs = (day: number): number => day * 86_400_000

/** The books and registers of one company in Fortnox. Changes are made to a copy. */
export class FortnoxBooks {
  readonly company: VendorCompany
  readonly years: FortnoxFiscalYear[]
  readonly invoices: Dated<Record<string, unknown>>[]
  readonly customers: Dated<Record<string, unknown>>[]
  readonly articles: Dated<Record<string, unknown>>[]
  readonly #exports = new Map<number, Uint8Array>()

  constructor(company: VendorCompany) {
    this.company = company
    this.years = company.years.map((year, at) => ({ id: at + 1, year }))
    this.invoices = company.placed.map((order) => this.#invoice(order))
    this.customers = company.customers.map((customer) => ({
      changed: dayMs(Math.max(customer.since, company.story.from)),
      body: {
        CustomerNumber: String(customer.number),
        Name: customer.name,
        OrganisationNumber: '',
        Address1: 'Exempelgatan 1',
        ZipCode: '702 10',
        City: customer.city,
        Email: `order@kund${customer.number}.example`,
        Phone: '',
        Active: true,
        CountryCode: countryCodeOf(customer.country),
      },
    }))
    this.articles = this.#articles()
  }

  /** Type 4 of one year; null = no such year. */
  sie(id: number): Uint8Array | null {
    const found = this.years.find((one) => one.id === id)
    if (!found) return null
    const known = this.#exports.get(id)
    if (known) return known
    const before = this.years.find((one) => one.id === id - 1)?.year ?? null
    const bytes = sieFile({ year: found.year, before, today: this.company.story.today })
    this.#exports.set(id, bytes)
    return bytes
  }

  vouchers(id: number): Voucher[] {
    return this.years.find((one) => one.id === id)?.year.vouchers ?? []
  }

  /** Posts a bill that was forgotten, on the last day of the books. Answers its amount in öre. */
  postRent(): number {
    const last = this.years.at(-1)
    if (!last) return 0
    const amount = 12_345_00
    const { today } = this.company.story
    const draft = {
      day: today,
      series: 'A' as const,
      text: 'Hyra, tillägg',
      entries: [debit(5010, amount, 20), credit(1930, amount)],
    }
    const year = Number(isoFromDay(last.year.from).slice(0, 4))
    last.year = closeYear(year, last.year.opening, [...last.year.vouchers, draft])
    this.#exports.delete(last.id)
    return amount
  }

  /** The oldest open invoice is paid, now. Answers its number; null when none is open. */
  payInvoice(now: number): string | null {
    const open = this.invoices.find(({ body }) => Number(body['Balance']) > 0)
    if (!open) return null
    open.changed = now
    open.body['Balance'] = 0
    open.body['FinalPayDate'] = new Date(now).toISOString().slice(0, 10)
    return String(open.body['DocumentNumber'])
  }

  /** One more invoice like the last one, of the newest day. */
  addInvoice(now: number): string | null {
    const last = this.company.placed.at(-1)
    if (!last) return null
    const number = last.number + 1 + (this.invoices.length - this.company.placed.length)
    const made = this.#invoice({ ...last, number, day: this.company.story.today })
    this.invoices.push({ ...made, changed: now })
    return String(number)
  }

  #invoice({ number, day, customer, net, vat }: VendorOrder): Dated<Record<string, unknown>> {
    const due = day + DUE_DAYS
    const total = kronor(net + vat)
    const isPaid = due <= this.company.story.today
    return {
      changed: dayMs(isPaid ? due : day),
      body: {
        '@url': `https://api.fortnox.se/3/invoices/${number}`,
        DocumentNumber: String(number),
        CustomerNumber: String(customer.number),
        CustomerName: customer.name,
        InvoiceDate: isoFromDay(day),
        DueDate: isoFromDay(due),
        FinalPayDate: isPaid ? isoFromDay(due) : null,
        Total: total,
        Balance: isPaid ? 0 : total,
        Currency: 'SEK',
        CurrencyRate: 1,
        CurrencyUnit: 1,
        InvoiceType: 'INVOICE',
        Booked: true,
        Cancelled: false,
        Sent: true,
        CostCenter: '10',
        Project: '',
        OCR: String(number),
        TermsOfPayment: String(DUE_DAYS),
        VoucherSeries: 'B',
        VoucherNumber: null,
        VoucherYear: null,
      },
    }
  }

  #articles(): Dated<Record<string, unknown>>[] {
    const products = new Map(this.company.orders.map(({ product }) => [product.name, product]))
    return [...products.values()].map((product, at) => ({
      changed: dayMs(this.company.story.from),
      body: {
        ArticleNumber: String(100 + at),
        Description: product.name,
        SalesPrice: String(kronor(product.listPrice)),
        PurchasePrice: String(Math.round(product.listPrice * product.costShare) / 100),
        QuantityInStock: product.pack * 4,
        StockValue: Math.round(product.listPrice * product.costShare * product.pack * 4) / 100,
        Unit: 'st',
        VAT: '25',
        Active: true,
        StockGoods: true,
        WebshopArticle: false,
      },
    }))
  }
}
