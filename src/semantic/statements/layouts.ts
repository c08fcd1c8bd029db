import { STATEMENT_LINES, type StatementLine } from '../../shared/account-classes'
import type { LineStyle, StatementKind, StatementName } from '../../shared/statements/statements'
import type { AccountFact, AccountLine } from './books'

/**
 * The fixed layouts of statements, as data: cost by nature, as the Swedish Annual Accounts Act has it (ÅRL, schedules 1
 * and 2), and the indirect cash flow statement of K3, chapter 7.
 */

/** Figures of accounts of a line, as they are shown: `sign` −1 turns credits into positive figures. */
export interface AccountTerm {
  line: AccountLine
  of: keyof Omit<AccountFact, 'debit'>
  sign: 1 | -1
}
interface LayoutLineBase {
  key: string
  label: StatementName
  level: 0 | 1 | 2
  style: LineStyle
  /** Left out where it is zero in every column. */
  onlyWhenUsed?: boolean
  /** Left out where none of these lines is shown. */
  onlyBeside?: string[]
  /** Where it comes from, when that is a line of another statement and not accounts to look into. */
  from?: StatementName
}
export type LayoutLine = LayoutLineBase &
  (
    | { of: 'heading' }
    | { of: 'accounts'; terms: AccountTerm[] }
    | { of: 'lines'; terms: { key: string; sign: 1 | -1 }[] }
    /** What the books leave open: see {@link remainderOf}. */
    | { of: 'carried' | 'difference'; label: StatementName }
  )

const name = (en: string, sv: string): StatementName => ({ en, sv })
const CATALOGUE = new Map(STATEMENT_LINES.map((line) => [line.id, line]))
const nameOf = (id: StatementLine): StatementName => {
  const line = CATALOGUE.get(id)
  return name(line?.label ?? id, line?.swedish ?? id)
}

const heading = (key: string, en: string, sv: string): LayoutLine => ({
  ...{ key, level: 0, label: name(en, sv), style: 'heading', of: 'heading' },
})
const terms = (lines: readonly AccountLine[], of: AccountTerm['of'], sign: 1 | -1): AccountTerm[] =>
  lines.map((line) => ({ line, of, sign }))
const accounts = (key: string, label: StatementName, all: AccountTerm[], onlyWhenUsed = false): LayoutLine => ({
  ...{ key, label, level: 1, style: 'line', of: 'accounts', terms: all },
  ...(onlyWhenUsed ? { onlyWhenUsed } : {}),
})
/** A line of the catalogue: credits of income positive, costs negative, so that results are plain sums. */
const earned = (id: StatementLine, onlyWhenUsed = false): LayoutLine =>
  accounts(id, nameOf(id), terms([id], 'change', -1), onlyWhenUsed)
/** A sum of lines before it: within a section, of a section, or what a statement ends in. */
const sum = (
  key: string,
  label: StatementName,
  keys: readonly string[],
  rank: 'within' | 'section' | 'end' = 'within',
): LayoutLine => ({
  ...{ key, label, level: rank === 'within' ? 1 : 0, style: rank === 'end' ? 'total' : 'subtotal', of: 'lines' },
  terms: keys.map((one) => ({ key: one, sign: 1 })),
})

/** What the books leave open: in balance sheet and cash flow, and under a trial balance. */
export const CARRIED: LayoutLine = {
  ...{ key: 'carried', label: name('Earlier result, not transferred', 'Tidigare resultat, ej omfört') },
  ...{ level: 1, style: 'line', of: 'carried', onlyWhenUsed: true },
}
export const DIFFERENCE: LayoutLine = {
  ...{ key: 'difference', label: name('Difference in the books', 'Differens i bokföringen') },
  ...{ level: 1, style: 'line', of: 'difference', onlyWhenUsed: true },
}

const OPERATING_INCOME = ['netSales', 'ownWork', 'otherIncome'] as const
const OPERATING_COSTS = ['external', 'personnel', 'depreciation', 'otherCosts'] as const
/** Lines of the result of the year: all but what the closing entry moves to equity (8990–8999), and accounts in no line. */
export const RESULT_LINES = [
  ...OPERATING_INCOME,
  'goods',
  ...OPERATING_COSTS,
  ...(['financialIncome', 'financialCosts', 'appropriations', 'tax', 'unclassifiedIncome'] as const),
] as const satisfies readonly AccountLine[]

const UNCLASSIFIED = name('Unclassified accounts', 'Ej klassificerade konton')
const NET_RESULT = name('Net profit', 'Årets resultat')

const FROM_INCOME = name(
  'Net profit of the profit and loss, from the start of the fiscal year',
  'Årets resultat enligt resultaträkningen, från räkenskapsårets början',
)

const INCOME: LayoutLine[] = [
  heading('incomeHead', 'Operating income', 'Rörelsens intäkter'),
  earned('netSales'),
  earned('ownWork', true),
  earned('otherIncome', true),
  sum('revenue', name('Total operating income', 'Summa rörelseintäkter'), OPERATING_INCOME),
  heading('costHead', 'Operating expenses', 'Rörelsens kostnader'),
  earned('goods'),
  sum('grossProfit', name('Gross profit', 'Bruttovinst'), ['netSales', 'goods']),
  earned('external'),
  earned('personnel'),
  earned('depreciation', true),
  earned('otherCosts', true),
  sum('costs', name('Total operating expenses', 'Summa rörelsekostnader'), ['goods', ...OPERATING_COSTS]),
  sum('operatingResult', name('Operating profit (EBIT)', 'Rörelseresultat'), ['revenue', 'costs'], 'section'),
  earned('financialIncome', true),
  earned('financialCosts', true),
  sum(
    'afterFinancial',
    name('Profit after financial items', 'Resultat efter finansiella poster'),
    ['operatingResult', 'financialIncome', 'financialCosts'],
    'section',
  ),
  earned('appropriations', true),
  {
    ...sum(
      'beforeTax',
      name('Profit before tax', 'Resultat före skatt'),
      ['afterFinancial', 'appropriations'],
      'section',
    ),
    onlyBeside: ['appropriations', 'tax'],
  },
  earned('tax', true),
  accounts('unclassified', UNCLASSIFIED, terms(['unclassifiedIncome'], 'change', -1), true),
  sum('netResult', NET_RESULT, ['afterFinancial', 'appropriations', 'tax', 'unclassified'], 'end'),
  {
    ...accounts(
      'closingEntry',
      name('Closing entry to equity (8990–8999)', 'Bokfört årets resultat (8990–8999)'),
      terms(['result'], 'change', 1),
      true,
    ),
    style: 'memo',
  },
]

const asset = (id: StatementLine, onlyWhenUsed = true): LayoutLine =>
  accounts(id, nameOf(id), terms([id], 'closing', 1), onlyWhenUsed)
const owed = (id: StatementLine): LayoutLine => accounts(id, nameOf(id), terms([id], 'closing', -1), true)
const FIXED_ASSETS = ['intangible', 'tangible', 'financialAssets'] as const
const CURRENT_ASSETS = ['inventory', 'receivables', 'otherReceivables', 'cash'] as const

const BALANCE: LayoutLine[] = [
  heading('assetHead', 'Assets', 'Tillgångar'),
  ...FIXED_ASSETS.map((id) => asset(id)),
  sum('fixedAssets', name('Total fixed assets', 'Summa anläggningstillgångar'), FIXED_ASSETS),
  asset('inventory'),
  asset('receivables'),
  asset('otherReceivables'),
  asset('cash', false),
  sum('currentAssets', name('Total current assets', 'Summa omsättningstillgångar'), CURRENT_ASSETS),
  accounts('unclassified', UNCLASSIFIED, terms(['unclassifiedBalance'], 'closing', 1), true),
  sum('assets', name('Total assets', 'Summa tillgångar'), ['fixedAssets', 'currentAssets', 'unclassified'], 'end'),
  heading('equityHead', 'Equity and liabilities', 'Eget kapital och skulder'),
  // The closing entry moves the result to an equity account: it is shown as the result of the year, not twice.
  accounts('equity', nameOf('equity'), [...terms(['equity'], 'closing', -1), ...terms(['result'], 'yearToDate', -1)]),
  CARRIED,
  { ...accounts('yearResult', NET_RESULT, terms(RESULT_LINES, 'yearToDate', -1)), from: FROM_INCOME },
  sum('totalEquity', name('Total equity', 'Summa eget kapital'), ['equity', 'carried', 'yearResult']),
  owed('untaxed'),
  owed('provisions'),
  owed('longDebt'),
  owed('payables'),
  owed('shortDebt'),
  sum('liabilities', name('Total liabilities', 'Summa skulder'), ['longDebt', 'payables', 'shortDebt']),
  DIFFERENCE,
  sum(
    'equityAndLiabilities',
    name('Total equity and liabilities', 'Summa eget kapital och skulder'),
    ['totalEquity', 'untaxed', 'provisions', 'liabilities', 'difference'],
    'end',
  ),
]

const released = (key: string, label: StatementName, lines: readonly AccountLine[], onlyWhenUsed = true): LayoutLine =>
  accounts(key, label, terms(lines, 'change', -1), onlyWhenUsed)

const CASH_FLOW: LayoutLine[] = [
  heading('operatingHead', 'Operating activities', 'Den löpande verksamheten'),
  {
    ...released('netResult', NET_RESULT, RESULT_LINES, false),
    from: name(
      'Net profit of the profit and loss for the period',
      'Årets resultat enligt resultaträkningen för perioden',
    ),
  },
  accounts(
    'depreciation',
    name('Depreciation and impairment, added back', 'Återlagda av- och nedskrivningar'),
    terms(['depreciation'], 'change', 1),
  ),
  released(
    'reserves',
    name('Change in untaxed reserves and provisions', 'Förändring av obeskattade reserver och avsättningar'),
    ['untaxed', 'provisions'],
  ),
  sum(
    'beforeWorkingCapital',
    name('Cash flow before working capital', 'Kassaflöde före förändring av rörelsekapital'),
    ['netResult', 'depreciation', 'reserves'],
  ),
  released('inventory', name('Change in inventory', 'Förändring av varulager'), ['inventory']),
  released('receivables', name('Change in receivables', 'Förändring av kortfristiga fordringar'), [
    'receivables',
    'otherReceivables',
  ]),
  released('payables', name('Change in trade payables', 'Förändring av leverantörsskulder'), ['payables']),
  released('shortDebt', name('Change in other short-term liabilities', 'Förändring av övriga kortfristiga skulder'), [
    'shortDebt',
  ]),
  sum(
    'operating',
    name('Cash flow from operating activities', 'Kassaflöde från den löpande verksamheten'),
    ['beforeWorkingCapital', 'inventory', 'receivables', 'payables', 'shortDebt'],
    'section',
  ),
  heading('investingHead', 'Investing activities', 'Investeringsverksamheten'),
  accounts('fixedAssets', name('Net investments in fixed assets', 'Nettoinvesteringar i anläggningstillgångar'), [
    ...terms(['intangible', 'tangible'], 'change', -1),
    ...terms(['depreciation'], 'change', -1),
  ]),
  released('financialAssets', name('Change in financial assets', 'Förändring av finansiella tillgångar'), [
    'financialAssets',
  ]),
  sum(
    'investing',
    name('Cash flow from investing activities', 'Kassaflöde från investeringsverksamheten'),
    ['fixedAssets', 'financialAssets'],
    'section',
  ),
  heading('financingHead', 'Financing activities', 'Finansieringsverksamheten'),
  released('longDebt', name('Change in long-term liabilities', 'Förändring av långfristiga skulder'), ['longDebt']),
  accounts('equity', name('Owner contributions and dividends', 'Ägartillskott och utdelning'), [
    ...terms(['equity'], 'change', -1),
    ...terms(['result'], 'change', -1),
  ]),
  sum(
    'financing',
    name('Cash flow from financing activities', 'Kassaflöde från finansieringsverksamheten'),
    ['longDebt', 'equity'],
    'section',
  ),
  released('unclassified', UNCLASSIFIED, ['unclassifiedBalance']),
  sum(
    'cashFlow',
    name('Cash flow for the period', 'Periodens kassaflöde'),
    ['operating', 'investing', 'financing', 'unclassified'],
    'section',
  ),
  accounts(
    'openingCash',
    name('Cash at start of period', 'Likvida medel vid periodens början'),
    terms(['cash'], 'opening', 1),
  ),
  DIFFERENCE,
  sum(
    'closingCash',
    name('Cash at end of period', 'Likvida medel vid periodens slut'),
    ['openingCash', 'cashFlow', 'difference'],
    'end',
  ),
]

export const LAYOUTS: Record<Exclude<StatementKind, 'trial' | 'ratios'>, readonly LayoutLine[]> = {
  income: INCOME,
  balance: BALANCE,
  cashFlow: CASH_FLOW,
}
