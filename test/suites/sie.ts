import { z } from 'zod'
import { createRowParser } from '../../src/formats/values/row-parser'
import { sieReader } from '../../src/formats/sie/sie-reader'
import { ProductError } from '../../src/shared/errors'
import { openFile, recordsOf, type CollectedTable } from './open-file'
import { fileSuite, type SuiteFile } from './suite'

const sums = z.record(z.string(), z.string())
const named = z.object({ account: z.string(), name: z.string().nullable() })
const balancesSchema = z.object({
  IB_sum: z.string().optional(),
  UB_sum: z.string().optional(),
  RES_sum: z.string().optional(),
  IB_n: z.number().optional(),
  UB_n: z.number().optional(),
  RES_n: z.number().optional(),
  UB_sum_plus_RES_sum: z.string().optional(),
  result_by_class: sums.optional(),
})
const vouchersSchema = z.object({
  sum_of_all_transactions: z.string().optional(),
  unbalanced: z.array(z.object({ diff: z.string(), line: z.number() })).optional(),
  first_date: z.string().optional(),
  last_date: z.string().optional(),
  series: z.record(z.string(), z.number()).optional(),
  turnover_debit: z.string().optional(),
})
const expectedSchema = z.object({
  files: z.array(
    z.object({
      file: z.string(),
      outcome: z.string(),
      sie_type: z.number().nullish(),
      company: z.string().nullish(),
      orgnr: z.string().nullish(),
      chart: z.string().nullish(),
      currency: z.string().nullish(),
      fiscal_years: z.record(z.string(), z.array(z.string())).optional(),
      counts: z.record(z.string(), z.unknown()).optional(),
      balances_by_year: z.record(z.string(), balancesSchema).optional(),
      largest_closing_balances_year_0: z.array(named.extend({ UB: z.string() })).optional(),
      names_with_swedish_letters: z.array(named).optional(),
      dimensions: z.record(z.string(), z.string()).optional(),
      voucher_checks: vouchersSchema.optional(),
      transactions_by_account_top: z.array(named.extend({ sum: z.string() })).optional(),
      revenue_3xxx_by_month: sums.optional(),
      IB_plus_TRANS_equals_UB: z.object({ mismatches: z.array(z.string()) }).optional(),
    }),
  ),
})
type Expected = z.infer<typeof expectedSchema>['files'][number]
type Row = Record<string, string | null>

/** Hundredths: the suite's files have no finer amounts. */
const cents = (text: string | null | undefined): number => Math.round(Number(text ?? 0) * 100)
const total = (rows: Row[]): number => rows.reduce((sum, row) => sum + cents(row['amount']), 0)
const compact = (date: string | null | undefined): string => (date ?? '').replaceAll('-', '')

class Ledger {
  readonly faults: string[] = []
  readonly #tables: Map<string, Row[]>

  constructor(tables: CollectedTable[]) {
    this.#tables = new Map(tables.map((table) => [table.name, recordsOf(table)]))
  }
  rows(table: string): Row[] {
    return this.#tables.get(table) ?? []
  }
  differ(what: string, wanted: unknown, got: unknown): void {
    if (wanted !== got) this.faults.push(`${what}: wanted ${JSON.stringify(wanted)}, got ${JSON.stringify(got)}`)
  }
  /** Balances of whole accounts, of one year and kind. */
  balances(year: string | undefined, kind: string): Row[] {
    return this.rows('balances').filter(
      (row) => row['fiscal_year'] === year && row['kind'] === kind && row['object'] === null,
    )
  }
  nameOf(account: string): string | null {
    return this.rows('accounts').find((row) => row['account'] === account)?.['name'] ?? null
  }
}

function yearNames(ledger: Ledger, want: Expected): Map<string, string> {
  const names = new Map<string, string>()
  for (const [number, [start = '', end = '']] of Object.entries(want.fiscal_years ?? {})) {
    if (start === '') continue
    const found = ledger
      .rows('fiscal_years')
      .find((row) => compact(row['start']) === start && compact(row['end']) === end)
    if (found) names.set(number, found['fiscal_year'] ?? '')
    else ledger.faults.push(`fiscal year ${number}: ${start}–${end} is missing`)
  }
  const [only] = ledger.rows('fiscal_years')
  if (!want.fiscal_years && only) names.set('0', only['fiscal_year'] ?? '')
  return names
}

const USING_TABLES = ['balances', 'period_balances', 'budgets', 'entries']

function checkHead(ledger: Ledger, want: Expected): void {
  const [company = {}] = ledger.rows('companies')
  if (want.sie_type) ledger.differ('type', String(want.sie_type), company['sie_type'])
  if (want.company) ledger.differ('company', want.company, company['name'])
  if (want.orgnr) ledger.differ('organisation number', want.orgnr, company['org_number'])
  if (want.chart) ledger.differ('chart', want.chart, company['chart'])
  if (want.currency) ledger.differ('currency', want.currency, company['currency'])
  const years = new Set(ledger.rows('accounts').map((row) => row['fiscal_year']))
  // Used and never declared, or declared with an empty name: the suite counts the latter only.
  const all = ledger.rows('accounts').length / Math.max(1, years.size)
  const withName = ledger.rows('accounts').filter((row) => row['name'] !== null).length / Math.max(1, years.size)
  const wanted = Number(want.counts?.['accounts'] ?? withName)
  if (wanted < withName || wanted > all) ledger.differ('accounts', wanted, all)
  const used = new Set(USING_TABLES.flatMap((table) => ledger.rows(table).map((row) => row['account'])))
  const idle = ledger.rows('accounts').filter((row) => row['name'] === null && !used.has(row['account'] ?? null))
  // Those that were declared with an empty name are in `wanted`.
  if (idle.length / Math.max(1, years.size) > wanted - withName)
    ledger.faults.push(`accounts without a name that nothing uses: ${idle.map((row) => row['account']).join()}`)
  const counted: Record<string, number> = {
    vouchers: ledger.rows('vouchers').length,
    transactions: ledger.rows('entries').length,
    dimensions: ledger.rows('dimensions').length,
    objects: ledger.rows('objects').length,
    period_balances: ledger.rows('period_balances').length,
  }
  for (const [what, got] of Object.entries(counted))
    if (typeof want.counts?.[what] === 'number') ledger.differ(what, want.counts[what], got)
  for (const { account, name } of want.names_with_swedish_letters ?? [])
    ledger.differ(`name of ${account}`, name, ledger.nameOf(account))
  for (const [dimension, name] of Object.entries(want.dimensions ?? {}))
    ledger.differ(
      `dimension ${dimension}`,
      name,
      ledger.rows('dimensions').find((row) => row['dimension'] === dimension)?.['name'],
    )
}

function checkBalances(ledger: Ledger, want: Expected, years: Map<string, string>): void {
  for (const [number, wanted] of Object.entries(want.balances_by_year ?? {})) {
    const of = (kind: string): Row[] => ledger.balances(years.get(number), kind)
    const counts = { IB: wanted.IB_n, UB: wanted.UB_n, RES: wanted.RES_n }
    const amounts = { IB: wanted.IB_sum, UB: wanted.UB_sum, RES: wanted.RES_sum }
    for (const kind of ['IB', 'UB', 'RES'] as const) {
      if (amounts[kind] !== undefined) ledger.differ(`${kind} of year ${number}`, cents(amounts[kind]), total(of(kind)))
      if (counts[kind] !== undefined) ledger.differ(`rows of ${kind} of year ${number}`, counts[kind], of(kind).length)
    }
    for (const [first, sum] of Object.entries(wanted.result_by_class ?? {})) {
      const got = total(of('RES').filter((row) => row['account']?.startsWith(first) === true))
      ledger.differ(`result of class ${first}, year ${number}`, cents(sum), 0 - got)
    }
  }
  for (const { account, name, UB } of want.largest_closing_balances_year_0 ?? []) {
    const got = ledger.balances(years.get('0'), 'UB').filter((row) => row['account'] === account)
    ledger.differ(`closing balance of ${account}`, cents(UB), total(got))
    ledger.differ(`name of ${account}`, name, ledger.nameOf(account))
  }
}

function checkVouchers(ledger: Ledger, want: Expected): void {
  const wanted = want.voucher_checks
  const entries = ledger.rows('entries')
  if (!wanted) return
  if (wanted.sum_of_all_transactions !== undefined)
    ledger.differ('sum of all entries', cents(wanted.sum_of_all_transactions), total(entries))
  const dates = ledger
    .rows('vouchers')
    .map((row) => compact(row['date']))
    .sort()
  if (wanted.first_date) ledger.differ('first date', wanted.first_date, dates[0])
  if (wanted.last_date) ledger.differ('last date', wanted.last_date, dates.at(-1))
  for (const [series, count] of Object.entries(wanted.series ?? {}))
    ledger.differ(
      `vouchers of series ${series}`,
      count,
      ledger.rows('vouchers').filter((row) => (row['series'] ?? '') === series).length,
    )
  if (wanted.turnover_debit)
    ledger.differ('debit', cents(wanted.turnover_debit), total(entries.filter((row) => cents(row['amount']) > 0)))
  for (const { account, sum } of want.transactions_by_account_top ?? [])
    ledger.differ(`entries of ${account}`, cents(sum), total(entries.filter((row) => row['account'] === account)))
  for (const [month, sum] of Object.entries(want.revenue_3xxx_by_month ?? {})) {
    const of = entries.filter(
      (row) => compact(row['date']).startsWith(month) && row['account']?.startsWith('3') === true,
    )
    ledger.differ(`revenue of ${month}`, cents(sum), 0 - total(of))
  }
}

function checkKeys(ledger: Ledger): void {
  const keys = new Set(ledger.rows('vouchers').map((row) => row['voucher_key']))
  ledger.differ('keys of vouchers', ledger.rows('vouchers').length, keys.size)
  const accounts = new Set(ledger.rows('accounts').map((row) => row['account_key']))
  ledger.differ('keys of accounts', ledger.rows('accounts').length, accounts.size)
  for (const row of ledger.rows('entries')) {
    if (!keys.has(row['voucher_key'] ?? '')) ledger.faults.push(`no voucher ${row['voucher_key']}`)
    if (!accounts.has(row['account_key'] ?? '')) ledger.faults.push(`no account ${row['account_key']}`)
  }
}

/** Every cell as the load will read it. */
function checkTypes(ledger: Ledger, table: CollectedTable): void {
  const typer = createRowParser(
    table.hints.map(({ index, label = '', type = 'text', scale }) => ({
      column: { key: `c${index}` as const, label, type, ...(scale === undefined ? {} : { scale }) },
      file: { index, decimalMark: '.' as const, dateOrder: 'ymd' as const },
    })),
    { decimalMark: '.', dateOrder: 'ymd', fileWidth: table.hints.length },
  )
  table.rows.forEach((cells, i) => {
    const typed = typer.parse(
      cells.map((cell) => cell ?? ''),
      table.lines[i] ?? 0,
    )
    if (!typed.ok) ledger.faults.push(`${table.name}, line ${table.lines[i]}: ${JSON.stringify(typed.reject)}`)
  })
}

function mismatches(ledger: Ledger, year: string | undefined): string[] {
  const of = (rows: Row[], account: string): number => total(rows.filter((row) => row['account'] === account))
  const [opening, closing] = [ledger.balances(year, 'IB'), ledger.balances(year, 'UB')]
  const accounts = [...new Set([...opening, ...closing].map((row) => row['account'] ?? ''))].sort()
  return accounts.filter(
    (account) => of(opening, account) + of(ledger.rows('entries'), account) !== of(closing, account),
  )
}

async function check(file: SuiteFile, want: Expected): Promise<string[]> {
  if (!sieReader.recognises(file.bytes.subarray(0, 65_536), file.name)) return ['not recognised']
  try {
    const { tables, warnings } = await openFile(sieReader, file)
    const ledger = new Ledger(tables)
    const years = yearNames(ledger, want)
    checkHead(ledger, want)
    checkBalances(ledger, want, years)
    checkVouchers(ledger, want)
    checkKeys(ledger)
    tables.forEach((table) => checkTypes(ledger, table))
    const lines = warnings.filter(({ code }) => code === 'unbalanced_voucher').map(({ line }) => line)
    // A file without checks of vouchers has none out of balance; a check that leaves the list out says nothing of it.
    const unbalanced = want.voucher_checks ? want.voucher_checks.unbalanced : []
    if (unbalanced) ledger.differ('unbalanced', unbalanced.map(({ line }) => line).join(), lines.join())
    if (want.IB_plus_TRANS_equals_UB) {
      const wanted = want.IB_plus_TRANS_equals_UB.mismatches
      ledger.differ('accounts that do not add up', wanted.join(), mismatches(ledger, years.get('0')).join())
      const told = warnings.some(({ message }) => message.startsWith('Account '))
      ledger.differ('warned about accounts', wanted.length > 0, told)
    }
    if (want.outcome === 'ok_with_warning' && warnings.length === 0) ledger.faults.push('no warning')
    return ledger.faults
  } catch (error) {
    if (!(error instanceof ProductError)) throw error
    return want.outcome.startsWith('error') ? [] : [`refused: ${error.message}`]
  }
}

/** SIE: company, years, names, balances, vouchers and what is said about their sums. */
export const sieSuite = fileSuite(27, expectedSchema, check)
