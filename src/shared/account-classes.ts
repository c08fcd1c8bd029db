import { z } from 'zod'
import { nameKey } from './field-schemas'
import { TERMS } from './terms'

/**
 * What the accounts of a ledger mean in its statements. The ranges follow the Swedish BAS chart of accounts, which most
 * ledgers here use; a workspace may adjust them. Amounts of a ledger are debit + and credit −; `sign` turns them into
 * what a statement shows: income, equity and liabilities as positive figures.
 */
export const STATEMENT_LINES = [
  {
    id: 'netSales',
    label: TERMS.netSales,
    swedish: 'Nettoomsättning',
    statement: 'income',
    section: TERMS.revenue,
    sign: -1,
  },
  {
    id: 'ownWork',
    label: 'Own work capitalised',
    swedish: 'Aktiverat arbete för egen räkning',
    statement: 'income',
    section: TERMS.revenue,
    sign: -1,
  },
  {
    id: 'otherIncome',
    label: 'Other operating income',
    swedish: 'Övriga rörelseintäkter',
    statement: 'income',
    section: TERMS.revenue,
    sign: -1,
  },
  {
    id: 'goods',
    label: TERMS.costOfGoodsSold,
    swedish: 'Råvaror och handelsvaror',
    statement: 'income',
    section: 'Operating expenses',
    sign: 1,
  },
  {
    id: 'external',
    label: TERMS.otherExternalExpenses,
    swedish: 'Övriga externa kostnader',
    statement: 'income',
    section: 'Operating expenses',
    sign: 1,
  },
  {
    id: 'personnel',
    label: TERMS.personnelExpenses,
    swedish: 'Personalkostnader',
    statement: 'income',
    section: 'Operating expenses',
    sign: 1,
  },
  {
    id: 'depreciation',
    label: 'Depreciation and impairment',
    swedish: 'Av- och nedskrivningar',
    statement: 'income',
    section: 'Operating expenses',
    sign: 1,
  },
  {
    id: 'otherCosts',
    label: 'Other operating expenses',
    swedish: 'Övriga rörelsekostnader',
    statement: 'income',
    section: 'Operating expenses',
    sign: 1,
  },
  {
    id: 'financialIncome',
    label: 'Financial income',
    swedish: 'Finansiella intäkter',
    statement: 'income',
    section: 'Financial items',
    sign: -1,
  },
  {
    id: 'financialCosts',
    label: 'Financial expenses',
    swedish: 'Finansiella kostnader',
    statement: 'income',
    section: 'Financial items',
    sign: 1,
  },
  {
    id: 'appropriations',
    label: 'Appropriations',
    swedish: 'Bokslutsdispositioner',
    statement: 'income',
    section: 'Appropriations and tax',
    sign: -1,
  },
  {
    id: 'tax',
    label: 'Tax on profit',
    swedish: 'Skatt på årets resultat',
    statement: 'income',
    section: 'Appropriations and tax',
    sign: 1,
  },
  {
    id: 'result',
    label: 'Net profit, as booked',
    swedish: 'Årets resultat, bokfört',
    statement: 'income',
    section: 'Closing',
    sign: 1,
  },
  {
    id: 'intangible',
    label: 'Intangible assets',
    swedish: 'Immateriella anläggningstillgångar',
    statement: 'balance',
    section: 'Assets',
    sign: 1,
  },
  {
    id: 'tangible',
    label: 'Buildings, machinery and equipment',
    swedish: 'Materiella anläggningstillgångar',
    statement: 'balance',
    section: 'Assets',
    sign: 1,
  },
  {
    id: 'financialAssets',
    label: 'Financial assets',
    swedish: 'Finansiella anläggningstillgångar',
    statement: 'balance',
    section: 'Assets',
    sign: 1,
  },
  { id: 'inventory', label: 'Inventory', swedish: 'Varulager', statement: 'balance', section: 'Assets', sign: 1 },
  {
    id: 'receivables',
    label: 'Trade receivables',
    swedish: 'Kundfordringar',
    statement: 'balance',
    section: 'Assets',
    sign: 1,
  },
  {
    id: 'otherReceivables',
    label: 'Other receivables',
    swedish: 'Övriga kortfristiga fordringar',
    statement: 'balance',
    section: 'Assets',
    sign: 1,
  },
  { id: 'cash', label: 'Cash and bank', swedish: 'Kassa och bank', statement: 'balance', section: 'Assets', sign: 1 },
  {
    id: 'equity',
    label: 'Equity',
    swedish: 'Eget kapital',
    statement: 'balance',
    section: 'Equity and liabilities',
    sign: -1,
  },
  {
    id: 'untaxed',
    label: 'Untaxed reserves',
    swedish: 'Obeskattade reserver',
    statement: 'balance',
    section: 'Equity and liabilities',
    sign: -1,
  },
  {
    id: 'provisions',
    label: 'Provisions',
    swedish: 'Avsättningar',
    statement: 'balance',
    section: 'Equity and liabilities',
    sign: -1,
  },
  {
    id: 'longDebt',
    label: 'Long-term liabilities',
    swedish: 'Långfristiga skulder',
    statement: 'balance',
    section: 'Equity and liabilities',
    sign: -1,
  },
  {
    id: 'payables',
    label: 'Trade payables',
    swedish: 'Leverantörsskulder',
    statement: 'balance',
    section: 'Equity and liabilities',
    sign: -1,
  },
  {
    id: 'shortDebt',
    label: 'Other short-term liabilities',
    swedish: 'Övriga kortfristiga skulder',
    statement: 'balance',
    section: 'Equity and liabilities',
    sign: -1,
  },
] as const satisfies readonly {
  id: string
  label: string
  /** As Swedish annual accounts name it (ÅRL, schedules 1 and 2). */
  swedish: string
  statement: 'income' | 'balance'
  section: string
  sign: 1 | -1
}[]
export type StatementLine = (typeof STATEMENT_LINES)[number]['id']
const LINE_IDS: readonly StatementLine[] = STATEMENT_LINES.map(({ id }) => id)

/** Accounts from `from` to `to`, both inclusive, belong to a line. */
export interface AccountRange {
  from: number
  to: number
  line: StatementLine
}
/** Four digits, as in the BAS chart. */
const ACCOUNT_MIN = 1000
const ACCOUNT_MAX = 9999
const ACCOUNT_RANGES_MAX = 300

const range = (from: number, to: number, line: StatementLine): AccountRange => ({ from, to, line })
/** Source of the ranges: the account groups of BAS 2024 (bas.se), gathered into the lines of a small company's statements. */
export const BAS_RANGES: readonly AccountRange[] = [
  range(1000, 1099, 'intangible'),
  range(1100, 1299, 'tangible'),
  range(1300, 1399, 'financialAssets'),
  range(1400, 1499, 'inventory'),
  range(1500, 1599, 'receivables'),
  range(1600, 1799, 'otherReceivables'),
  range(1800, 1999, 'cash'),
  range(2000, 2099, 'equity'),
  range(2100, 2199, 'untaxed'),
  range(2200, 2299, 'provisions'),
  range(2300, 2399, 'longDebt'),
  range(2400, 2439, 'shortDebt'),
  range(2440, 2449, 'payables'),
  range(2450, 2999, 'shortDebt'),
  range(3000, 3799, 'netSales'),
  range(3800, 3899, 'ownWork'),
  range(3900, 3999, 'otherIncome'),
  range(4000, 4999, 'goods'),
  range(5000, 6999, 'external'),
  range(7000, 7699, 'personnel'),
  range(7700, 7899, 'depreciation'),
  range(7900, 7999, 'otherCosts'),
  range(8000, 8399, 'financialIncome'),
  range(8400, 8799, 'financialCosts'),
  range(8800, 8899, 'appropriations'),
  range(8900, 8989, 'tax'),
  range(8990, 8999, 'result'),
]

const accountSchema = z
  .int({ message: 'Enter a four-digit account.' })
  .min(ACCOUNT_MIN, { message: 'Enter a four-digit account.' })
  .max(ACCOUNT_MAX, { message: 'Enter a four-digit account.' })

/** The ranges in ascending order; none begins before the one before it has ended. */
export const accountRangesSchema = z
  .array(z.strictObject({ from: accountSchema, to: accountSchema, line: z.enum(LINE_IDS) }))
  .max(ACCOUNT_RANGES_MAX)
  .superRefine((ranges, context) => {
    ranges.forEach(({ from, to }, at) => {
      if (to < from) context.addIssue({ code: 'custom', path: [at, 'to'], message: 'The range ends before it begins.' })
      const before = ranges[at - 1]
      if (before && from <= before.to)
        context.addIssue({ code: 'custom', path: [at, 'from'], message: `${before.from}–${before.to} holds this too.` })
    })
  })
/** PUT /api/account-classes. `ranges` null = the BAS chart again. */
export const accountClassesSchema = z.strictObject({ ranges: accountRangesSchema.nullable(), version: z.int().min(0) })
export type AccountClassesInput = z.input<typeof accountClassesSchema>

/** GET /api/account-classes. */
export interface AccountClasses {
  ranges: AccountRange[]
  /** Not the BAS chart as it comes. */
  adjusted: boolean
  /** 0 = nobody has adjusted anything. */
  version: number
}

/** The ranges of some lines, as conditions on a column of accounts written as text. */
export const accountConditions = (lines: readonly StatementLine[], ranges: readonly AccountRange[]) =>
  ranges
    .filter(({ line }) => lines.includes(line))
    .map(({ from, to }) => ({ op: 'between' as const, from: String(from), to: String(to) }))

/**
 * The line of an account; null for one in no range. Accounts of more than four digits belong where their first four do,
 * as sub-accounts of the BAS chart.
 */
export function lineOfAccount(account: string, ranges: readonly AccountRange[]): StatementLine | null {
  const four = /^\d{4}/.exec(account)
  const number = Number(four?.[0])
  return four ? (ranges.find(({ from, to }) => from <= number && number <= to)?.line ?? null) : null
}

const ACCOUNT_NAMES = new Set([
  ...['account', 'konto', 'kontonr', 'kontonummer'],
  ...['account no', 'account number', 'account code'],
])
/** Whether a column of this name holds account numbers, in ledgers of any origin. */
export const isAccountName = (label: string): boolean => ACCOUNT_NAMES.has(nameKey(label))
