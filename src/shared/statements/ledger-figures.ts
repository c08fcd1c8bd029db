import type { AccountRange, StatementLine } from '../account-classes'
import type { Column } from '../data-sources/data-sources'
import type { Expr } from '../query/expression'
import type { Field } from '../query/field'
import type { Condition, Filter, Measure } from '../query/plan'
import { TERMS } from '../terms'

/** A figure of the books: the lines whose accounts it adds up. */
interface FigureOfLines {
  kind: string
  name: string
  lines: readonly StatementLine[]
  /** What the owner earns (income positive), what something costs (cost positive), or what came in and went out. */
  seen: 'earned' | 'cost' | 'moved'
}
const REVENUE = ['netSales', 'ownWork', 'otherIncome'] as const
const OPERATING = ['goods', 'external', 'personnel', 'depreciation', 'otherCosts'] as const
const FINANCIAL = ['financialIncome', 'financialCosts'] as const

const FIGURES = [
  { kind: 'revenue', name: TERMS.revenue, lines: REVENUE, seen: 'earned' },
  { kind: 'netSales', name: TERMS.netSales, lines: ['netSales'], seen: 'earned' },
  { kind: 'goods', name: TERMS.costOfGoodsSold, lines: ['goods'], seen: 'cost' },
  { kind: 'grossProfit', name: TERMS.grossProfit, lines: ['netSales', 'goods'], seen: 'earned' },
  { kind: 'personnel', name: TERMS.personnelExpenses, lines: ['personnel'], seen: 'cost' },
  { kind: 'external', name: TERMS.otherExternalExpenses, lines: ['external'], seen: 'cost' },
  { kind: 'depreciation', name: 'Depreciation', lines: ['depreciation'], seen: 'cost' },
  { kind: 'costs', name: 'Operating expenses', lines: OPERATING, seen: 'cost' },
  { kind: 'operatingResult', name: 'Operating profit', lines: [...REVENUE, ...OPERATING], seen: 'earned' },
  {
    kind: 'resultBeforeTax',
    name: TERMS.profitAfterFinancialItems,
    lines: [...REVENUE, ...OPERATING, ...FINANCIAL],
    seen: 'earned',
  },
  { kind: 'cash', name: 'Cash flow', lines: ['cash'], seen: 'moved' },
] as const satisfies readonly FigureOfLines[]
export type LedgerFigureKind = (typeof FIGURES)[number]['kind']

/** Cash and bank, where the workspace says nothing of its own: those of the BAS chart without short-term investments. */
const CASH_RANGES: readonly Pick<AccountRange, 'from' | 'to'>[] = [{ from: 1900, to: 1999 }]
/** Ranges that one filter holds. */
const RANGES_MAX = 20

/** What the accounts of a workspace mean. */
export interface AccountMeaning {
  ranges: readonly AccountRange[]
  /** They are the workspace's own. */
  adjusted: boolean
}
export interface LedgerFigure {
  kind: LedgerFigureKind
  name: string
  measure: Measure
  /** The accounts that it is of. */
  filters: Filter[]
  direction: 'up' | 'down'
  /** Which accounts these are: "Accounts 3000–3999". */
  accounts: string
}

/**
 * Figures of the income statement and movements of cash, from the entries of a ledger; none from its other tables; null
 * when it is no ledger. In the books income is negative: what the owner earns is the other way round.
 */
export function ledgerFigures(
  { id, columns }: { id: string; columns: readonly Column[] },
  { ranges, adjusted }: AccountMeaning,
): LedgerFigure[] | null {
  const labelled = (label: string) => columns.find((column) => column.label === label)
  const isLedger =
    labelled('account_key') !== undefined || (labelled('org_number') !== undefined && columns.length <= 8)
  if (!isLedger) return null
  const [account, amount] = [labelled('account'), labelled('amount')]
  if (!labelled('voucher_key') || !account || !amount || !labelled('date')) return []
  const value: Field = { dataset: id, column: amount.key }
  return FIGURES.flatMap(({ kind, name, lines, seen }): LedgerFigure[] => {
    const known = ranges.filter(({ line }) => lines.some((one) => one === line))
    const own = seen === 'moved' && !adjusted ? CASH_RANGES : mergeRanges(known)
    if (own.length === 0 || own.length > RANGES_MAX) return []
    const any = own.map(({ from, to }): Condition => ({ op: 'between', from: String(from), to: String(to) }))
    return [
      {
        ...{ kind, name, direction: seen === 'cost' ? 'down' : 'up', accounts: `Accounts ${rangesText(own)}` },
        filters: [{ field: { dataset: id, column: account.key }, any }],
        measure:
          seen === 'earned'
            ? { kind: 'expression', agg: 'sum', row: negated(value) }
            : { kind: 'column', agg: 'sum', field: value },
      },
    ]
  })
}

/** In this order the builder can show it as a calculation. */
const negated = (field: Field): Expr => ({
  kind: 'binary',
  op: 'multiply',
  left: { kind: 'field', field },
  right: { kind: 'number', value: -1 },
})

/** Ranges that follow on each other as one. */
function mergeRanges(ranges: readonly Pick<AccountRange, 'from' | 'to'>[]): Pick<AccountRange, 'from' | 'to'>[] {
  const joined: { from: number; to: number }[] = []
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1)
    if (last && last.to + 1 === from) last.to = to
    else joined.push({ from, to })
  }
  return joined
}
const rangesText = (ranges: readonly Pick<AccountRange, 'from' | 'to'>[]): string =>
  ranges.map(({ from, to }) => `${from}–${to}`).join(', ')
