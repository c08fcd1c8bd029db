import { toSuggestion } from './starters'
import type { MetricSuggestion, SuggestionTable } from './starters'
import type { StatementLine, AccountRange } from '../../../shared/account-classes'
import type { CreateMetricInput } from '../../../shared/metrics'
import type { Condition, Expr, Filter, Measure } from '../../../shared/query'

/** A figure of the books: the lines whose accounts it adds up. */
interface LedgerMetric {
  kind: string
  name: string
  lines: readonly StatementLine[]
  /** What the owner earns (income positive), what something costs (cost positive), or what came in and went out. */
  seen: 'earned' | 'cost' | 'moved'
}
const REVENUE = ['netSales', 'ownWork', 'otherIncome'] as const
const OPERATING = ['goods', 'external', 'personnel', 'depreciation', 'otherCosts'] as const
const FINANCIAL = ['financialIncome', 'financialCosts'] as const

const LEDGER_METRICS: readonly LedgerMetric[] = [
  { kind: 'revenue', name: 'Revenue', lines: REVENUE, seen: 'earned' },
  { kind: 'netSales', name: 'Net sales', lines: ['netSales'], seen: 'earned' },
  { kind: 'goods', name: 'Cost of goods', lines: ['goods'], seen: 'cost' },
  { kind: 'grossProfit', name: 'Gross profit', lines: ['netSales', 'goods'], seen: 'earned' },
  { kind: 'personnel', name: 'Personnel costs', lines: ['personnel'], seen: 'cost' },
  { kind: 'external', name: 'Other external costs', lines: ['external'], seen: 'cost' },
  { kind: 'depreciation', name: 'Depreciation', lines: ['depreciation'], seen: 'cost' },
  { kind: 'operatingResult', name: 'Operating result', lines: [...REVENUE, ...OPERATING], seen: 'earned' },
  {
    kind: 'resultBeforeTax',
    name: 'Result after financial items',
    lines: [...REVENUE, ...OPERATING, ...FINANCIAL],
    seen: 'earned',
  },
  { kind: 'cash', name: 'Cash movements', lines: ['cash'], seen: 'moved' },
]
/** Cash and bank, where the workspace says nothing of its own: those of the BAS chart without short-term investments. */
const CASH_RANGES: readonly Pick<AccountRange, 'from' | 'to'>[] = [{ from: 1900, to: 1999 }]
/** Ranges that one filter holds. */
const RANGES_MAX = 20

interface AccountMeaning {
  ranges: readonly AccountRange[]
  /** They are the workspace's own. */
  adjusted: boolean
}

/**
 * Figures of the income statement and movements of cash, from the entries of a ledger; none from its other tables; null
 * when it is no ledger. In the books income is negative: what the owner earns is the other way round.
 */
export function ledgerMetrics(
  suggestionTable: SuggestionTable,
  { ranges, adjusted }: AccountMeaning,
): MetricSuggestion[] | null {
  const labelled = (label: string) => suggestionTable.columns.find((column) => column.label === label)
  const isLedger =
    labelled('account_key') !== undefined ||
    (labelled('org_number') !== undefined && suggestionTable.columns.length <= 8)
  if (!isLedger) return null
  const [account, amount] = [labelled('account'), labelled('amount')]
  if (!labelled('voucher_key') || !account || !amount || !labelled('date')) return []
  const value: Expr = { kind: 'field', field: { dataset: suggestionTable.id, column: amount.key } }
  return LEDGER_METRICS.flatMap(({ kind, name, lines, seen }) => {
    const known = ranges.filter(({ line }) => lines.includes(line))
    const own = seen === 'moved' && !adjusted ? CASH_RANGES : mergeRanges(known)
    if (own.length === 0 || own.length > RANGES_MAX) return []
    const any = own.map(({ from, to }): Condition => ({ op: 'between', from: String(from), to: String(to) }))
    const filters: Filter[] = [{ field: { dataset: suggestionTable.id, column: account.key }, any }]
    const content: Partial<CreateMetricInput> = { filters, direction: seen === 'cost' ? 'down' : 'up' }
    const measure: Measure =
      seen === 'earned'
        ? { kind: 'expression', agg: 'sum', row: negated(value) }
        : { kind: 'column', agg: 'sum', field: value.field }
    return toSuggestion(suggestionTable, { kind, name, reason: `Accounts ${rangesText(own)}.`, measure, content }) ?? []
  })
}

const negated = (value: Expr): Expr => ({
  kind: 'binary',
  op: 'multiply',
  left: value,
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
