import {
  vismaAccounts,
  vismaBalances,
  vismaCompany,
  vismaObjects,
  vismaOpening,
  vismaVouchers,
  vismaYears,
  type VismaCompany,
  type VismaObjects,
  type VismaVoucher,
  type VismaYear,
} from './visma-calls'
import type { Cell, ConnectorContext, Cursor, ReadPage, ReadRequest } from '../contract'
import { toFiscalYear } from '../../formats/sie/values'
import type { LedgerTable } from '../../shared/data-sources/files'

/** Tables of the ledger that Visma's API gives. */
export const VISMA_TABLES: readonly LedgerTable[] = [
  ...(['companies', 'fiscal_years', 'accounts', 'entries', 'balances', 'vouchers'] as const),
]

/** Where a table stands: the year, the page there, and how many rows of that page were read. */
interface LedgerPosition {
  year: string
  page: number
  rows: number
}
function positionOf(cursor: Cursor | null): LedgerPosition | null {
  const [year, page, rows] = [cursor?.['year'], cursor?.['page'], cursor?.['rows']]
  return typeof year === 'string' && typeof page === 'number' && typeof rows === 'number' ? { year, page, rows } : null
}

/** Books of one company, as far as every row of them needs it. */
interface Books {
  context: ConnectorContext
  company: VismaCompany
  years: VismaYear[]
}
interface YearPage {
  rows: Cell[][]
  pages: number
}

/** One page of a ledger's table, the oldest year first. */
export async function readVismaLedger(
  context: ConnectorContext,
  table: LedgerTable,
  { cursor, budget }: Pick<ReadRequest, 'cursor' | 'budget'>,
): Promise<ReadPage> {
  const [company, years] = [await vismaCompany(context), await vismaYears(context)]
  const books = { context, company, years }
  const [first] = years
  const position = positionOf(cursor) ?? { year: first?.id ?? '', page: 1, rows: 0 }
  // A year that is gone meanwhile is one that was read.
  const at = Math.max(
    0,
    years.findIndex(({ id }) => id === position.year),
  )
  const year = years[at]
  if (!year) return { kind: 'rows', rows: [], cursor: null, done: true }
  const found = await yearPage(books, { table, year, page: position.page })
  const rows = found.rows.slice(position.rows, position.rows + budget.maxRows)
  const read = position.rows + rows.length
  if (read < found.rows.length)
    return { kind: 'rows', rows, cursor: { year: year.id, page: position.page, rows: read }, done: false }
  if (position.page < found.pages)
    return { kind: 'rows', rows, cursor: { year: year.id, page: position.page + 1, rows: 0 }, done: false }
  const next = years[at + 1]
  return table === 'companies' || !next
    ? { kind: 'rows', rows, cursor: null, done: true }
    : { kind: 'rows', rows, cursor: { year: next.id, page: 1, rows: 0 }, done: false }
}

const nameOf = ({ from, to }: VismaYear): string => toFiscalYear(from, to).name

async function yearPage(
  books: Books,
  { table, year, page }: { table: LedgerTable; year: VismaYear; page: number },
): Promise<YearPage> {
  const { context, company } = books
  const of: Cell[] = [company.orgNumber, nameOf(year)]
  switch (table) {
    case 'companies':
      return {
        rows: [[company.orgNumber, company.name, company.currency, 'EUBAS97', '4', 'Visma eAccounting', null]],
        pages: 1,
      }
    case 'fiscal_years':
      return { rows: [[...of, year.from, year.to]], pages: 1 }
    case 'accounts': {
      const accounts = await vismaAccounts(context, year)
      return { rows: accounts.map(({ Number, Name }) => accountRow(of, Number, Name ?? null)), pages: 1 }
    }
    case 'balances':
      return { rows: await balanceRows(books, year), pages: 1 }
    case 'vouchers':
    case 'entries': {
      const { vouchers, pages } = await vismaVouchers(context, year, page)
      if (table === 'vouchers') return { rows: vouchers.map((voucher) => voucherRow(of, voucher)), pages }
      const objects = await vismaObjects(context)
      return { rows: vouchers.flatMap((voucher) => entryRows(of, voucher, objects)), pages }
    }
    case 'period_balances':
    case 'budgets':
    case 'dimensions':
    case 'objects':
      return { rows: [], pages: 1 }
  }
}

const keyOf = (of: readonly Cell[], name: string): string => `${of[0] ?? ''}/${of[1] ?? ''}/${name}`

/** What an account is by its class in the BAS plan, where 80–83 are financial income. */
function typeOf(account: string): Cell {
  if (/^1/.test(account)) return 'asset'
  if (/^2/.test(account)) return 'liability'
  if (/^(3|8[0-3])/.test(account)) return 'income'
  return /^[4-8]/.test(account) ? 'expense' : null
}
const accountRow = (of: Cell[], account: string, name: Cell): Cell[] => [
  ...of,
  keyOf(of, account),
  account,
  name,
  typeOf(account),
  /^\d/.test(account) ? account.slice(0, 1) : null,
  null,
  null,
]

const DAY_MS = 86_400_000
const dayBefore = (day: string): string => new Date(Date.parse(day) - DAY_MS).toISOString().slice(0, 10)
/** Amounts have two decimals: what a sum of fractions is beside that is no money. */
const amountText = (amount: number): string => (Math.round(amount * 100) / 100).toFixed(2)
const isBalanceAccount = (account: string): boolean => /^[12]/.test(account)

/** Opening balances of a year, closing ones and results, as a SIE file has them: IB, UB and RES. */
async function balanceRows({ context, company, years }: Books, year: VismaYear): Promise<Cell[][]> {
  const of: Cell[] = [company.orgNumber, nameOf(year)]
  const isFirst = years[0]?.id === year.id
  const today = new Date(context.clock.now()).toISOString().slice(0, 10)
  const until = year.to < today || year.from > today ? year.to : today
  const opening = isFirst ? await vismaOpening(context) : await vismaBalances(context, dayBefore(year.from))
  const closing = await vismaBalances(context, until)
  const row = (kind: string, account: string, amount: number): Cell[] => [
    ...[...of, keyOf(of, account), account, null, kind, amountText(amount), null],
  ]
  return [
    ...opening.flatMap(({ AccountNumber: account, Balance }) =>
      isBalanceAccount(account) ? [row('IB', account, Balance)] : [],
    ),
    ...closing.map(({ AccountNumber: account, Balance }) =>
      row(isBalanceAccount(account) ? 'UB' : 'RES', account, Balance),
    ),
  ]
}

/** Series and number of a voucher, which Visma writes together: `A12`. */
function numberOf({ NumberSeries, NumberAndNumberSeries }: VismaVoucher): { series: string; number: string } {
  const series = NumberSeries ?? ''
  const whole = NumberAndNumberSeries ?? ''
  return { series, number: whole.startsWith(series) ? whole.slice(series.length) : whole }
}
const voucherKey = (of: readonly Cell[], voucher: VismaVoucher): string => {
  const { series, number } = numberOf(voucher)
  return keyOf(of, `${series}/${number}`)
}
const dayOf = (text: string | null | undefined): Cell => text?.slice(0, 10) ?? null

function voucherRow(of: Cell[], voucher: VismaVoucher): Cell[] {
  const { series, number } = numberOf(voucher)
  const { VoucherDate, VoucherText, CreatedUtc } = voucher
  return [...of, voucherKey(of, voucher), series, number, dayOf(VoucherDate), VoucherText ?? null, dayOf(CreatedUtc)]
}

function entryRows(of: Cell[], voucher: VismaVoucher, { costCentres, projects }: VismaObjects): Cell[][] {
  const { series, number } = numberOf(voucher)
  const key = voucherKey(of, voucher)
  return voucher.Rows.map((row, at) => {
    const account = row.AccountNumber
    const centre = costCentres.get(row.CostCenterItemId1 ?? '')
    const project = projects.get(row.ProjectId ?? '')
    return [
      ...[...of, key, series, number, String(at + 1), dayOf(voucher.VoucherDate), keyOf(of, account), account],
      amountText((row.DebitAmount ?? 0) - (row.CreditAmount ?? 0)),
      ...[row.TransactionText ?? null, null],
      ...[centre?.code ?? null, centre?.name ?? null, project?.code ?? null, project?.name ?? null],
    ]
  })
}
