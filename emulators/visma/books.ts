import {
  ACCOUNTS,
  COST_CENTRES,
  closeYear,
  credit,
  debit,
  type Balances,
  type FiscalYear,
} from '../../src/sample/bookkeeping'
import { countryCodeOf, isoFromDay, kronor, type VendorCompany } from '../vendors/company.ts'

type Json = Record<string, unknown>
const DUE_DAYS = 30
const guid = (of: number, at: number): string =>
  `${String(of).padStart(8, '0')}-0000-4000-8000-${String(at).padStart(12, '0')}`

/** The books and registers of one company in Visma eAccounting, as its API tells them. */
export class VismaBooks {
  readonly company: VendorCompany
  readonly years: { id: string; year: FiscalYear }[]

  constructor(company: VendorCompany) {
    this.company = company
    this.years = company.years.map((year, at) => ({ id: guid(1, at), year }))
  }

  fiscalYears(): Json[] {
    return this.years.map(({ id, year }) => ({
      Id: id,
      StartDate: `${isoFromDay(year.from)}T00:00:00`,
      EndDate: `${isoFromDay(year.to)}T00:00:00`,
      IsLockedForAccounting: false,
      BookkeepingMethod: 2,
    }))
  }

  accounts(yearId: string): Json[] {
    if (!this.years.some(({ id }) => id === yearId)) return []
    return Object.entries(ACCOUNTS).map(([number, name]) => ({
      Number: number,
      Name: name,
      FiscalYearId: yearId,
      IsActive: true,
      Type: Number(number) < 3000 ? 1 : 20,
    }))
  }

  /** Balance accounts, and result accounts of the running year, at the end of a day (ISO); debit is positive. */
  balancesAt(day: string): Json[] {
    const found = this.years.find(({ year }) => isoFromDay(year.from) <= day && day <= isoFromDay(year.to))
    if (!found) return []
    const sums = new Map<number, number>(found.year.opening)
    for (const voucher of found.year.vouchers)
      if (isoFromDay(voucher.day) <= day)
        for (const { account, amount } of voucher.entries) sums.set(account, (sums.get(account) ?? 0) + amount)
    return balanceRows(sums)
  }

  openingBalances(): Json[] {
    return balanceRows(this.years[0]?.year.opening ?? new Map())
  }

  vouchers(yearId: string): Json[] {
    const at = this.years.findIndex(({ id }) => id === yearId)
    return (this.years[at]?.year.vouchers ?? []).map(({ series, number, day, text, entries }, n) => ({
      Id: guid(100 + at, n),
      NumberSeries: series,
      NumberAndNumberSeries: `${series}${number}`,
      VoucherDate: isoFromDay(day),
      VoucherText: text,
      CreatedUtc: `${isoFromDay(day)}T08:00:00Z`,
      ModifiedUtc: `${isoFromDay(day)}T08:00:00Z`,
      Rows: entries.map(({ account, amount, costCentre }) => ({
        AccountNumber: account,
        DebitAmount: amount > 0 ? kronor(amount) : 0,
        CreditAmount: amount < 0 ? kronor(-amount) : 0,
        TransactionText: null,
        CostCenterItemId1: costCentre === undefined ? null : guid(2, costCentre),
        ProjectId: null,
      })),
    }))
  }

  costCentres(): Json[] {
    const items = Object.entries(COST_CENTRES).map(([code, name]) => ({
      ...{ Id: guid(2, Number(code)), ShortName: code, Name: name, IsActive: true },
    }))
    return [{ Id: guid(2, 0), Name: 'Kostnadsställe', Number: 1, IsActive: true, Items: items }]
  }

  customers(): Json[] {
    return this.company.customers.map(({ number, name, city, country }) => ({
      Id: guid(3, number),
      CustomerNumber: String(number),
      Name: name,
      CorporateIdentityNumber: '',
      InvoiceCity: city,
      InvoiceCountryCode: countryCodeOf(country),
      EmailAddress: `order@kund${number}.example`,
      IsActive: true,
      ChangedUtc: '2024-01-01T00:00:00Z',
    }))
  }

  invoices(): Json[] {
    return this.company.placed.map(({ number, day, customer, net, vat }) => {
      const isPaid = day + DUE_DAYS <= this.company.story.today
      return {
        Id: guid(4, number),
        InvoiceNumber: number,
        InvoiceDate: `${isoFromDay(day)}T00:00:00`,
        DueDate: `${isoFromDay(day + DUE_DAYS)}T00:00:00`,
        CustomerId: guid(3, customer.number),
        InvoiceCustomerName: customer.name,
        CurrencyCode: 'SEK',
        TotalAmount: kronor(net + vat),
        TotalVatAmount: kronor(vat),
        RemainingAmount: isPaid ? 0 : kronor(net + vat),
        IsCreditInvoice: net < 0,
        ModifiedUtc: `${isoFromDay(isPaid ? day + DUE_DAYS : day)}T09:00:00Z`,
      }
    })
  }

  /** Posts a bill that was forgotten, on the last day of the books. Answers its amount in kronor. */
  postRent(): number {
    const last = this.years.at(-1)
    if (!last) return 0
    const amount = 12_345_00
    const { today } = this.company.story
    const entries = [debit(5010, amount, 20), credit(1930, amount)]
    const draft = { day: today, series: 'A' as const, text: 'Hyra, tillägg', entries }
    const year = Number(isoFromDay(last.year.from).slice(0, 4))
    last.year = closeYear(year, last.year.opening, [...last.year.vouchers, draft])
    return kronor(amount)
  }
}

const balanceRows = (sums: ReadonlyMap<number, number> | Balances): Json[] =>
  [...sums]
    .filter(([, amount]) => amount !== 0)
    .toSorted(([a], [b]) => a - b)
    .map(([account, amount]) => ({
      ...{ AccountNumber: account, Number: String(account), AccountName: String(account), Balance: kronor(amount) },
    }))
