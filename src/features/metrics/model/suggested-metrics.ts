import type { NamedDataset } from '../../../shared/formula/names'
import { printFormula } from '../../../shared/formula/print'
import { NAME_MAX_CHARS } from '../../../shared/limits'
import type { CreateMetricInput } from '../../../shared/metrics'
import { TERMS } from '../../../shared/terms'
import type { Measure, Condition, Filter } from '../../../shared/query/plan'
import type { Expr } from '../../../shared/query/expression'
import type { Field } from '../../../shared/query/field'
import type { Column } from '../../../shared/data-sources/data-sources'
import {
  isCostAmount,
  isTotalAmount,
  additiveMeasureColumns,
  expectedDirection,
  measureRank,
  rateColumns,
  BUSINESS_RANKS,
  type BusinessRank,
  type JoinColumns,
} from '../../../shared/data-sources/key-columns'
import { lineAmountOf, type LineAmount } from '../../../shared/data-sources/line-amounts'
import type { NamedRelatedTable } from '../../../shared/data-sources/date-fields'
import type { StatementLine, AccountRange } from '../../../shared/account-classes'

/** A dataset as suggestions see it. */
interface SuggestionTable {
  id: string
  name: string
  columns: readonly Column[]
  /** What its rows are dated by; null for rows without any time. */
  time: Field | null
  /** That is the day on which something happened, not one of a person or a record. */
  isDocument: boolean
  /** The columns that relations join by. */
  joins: JoinColumns
  /** Tables that its rows point at, nearest first. */
  related: readonly (readonly NamedRelatedTable[])[]
}
/** A suggestion before its name is known to be free. `otherName` serves where the first one is taken. */
interface MetricSuggestion {
  key: string
  measure: Measure
  datasetName: string
  reason: string
  otherName: string
  /** What a business looks at first has the least. */
  rank: BusinessRank
  input: CreateMetricInput
}

/** Words for those whose number matters: who buys, what is ordered. */
const COUNTABLE_NAMES =
  /^(customer|customers|kund|kunder|order|orders|invoice|invoices|faktura|product|products|produkt|artikel)\b/i

const truncateName = (text: string): string =>
  text.length <= NAME_MAX_CHARS ? text : `${text.slice(0, NAME_MAX_CHARS - 1).trimEnd()}…`

interface SuggestionDraft {
  kind: string
  name: string
  reason: string
  measure: Measure
  rank: BusinessRank
  content?: Partial<CreateMetricInput>
}

/** Amounts, what is left of them after their cost, and counts. A formula that cannot be written is left out. */
export function columnMetrics(table: SuggestionTable): MetricSuggestion[] {
  const sums = additiveMeasureColumns(table.columns, table.joins)
  const [main] = sums.filter((column) => !isCostAmount(column))
  const cost = sums.find((column) => isCostAmount(column) && main !== undefined && hasSameFormat(column, main))
  const field = ({ key }: Column): Field => ({ dataset: table.id, column: key })
  const sum = (column: Column): Measure => ({ kind: 'column', agg: 'sum', field: field(column) })
  const line = lineAmountOf(table)
  const rates = rateColumns(table.columns)
  // What was ordered, invoiced or paid; others are lists of things.
  const countRank = table.isDocument && rates.length === 0 ? BUSINESS_RANKS.documents : BUSINESS_RANKS.register
  const counted = table.columns.find(
    ({ label, hidden, role }) => !hidden && role !== 'time' && COUNTABLE_NAMES.test(label),
  )
  const made: SuggestionDraft[] = [
    ...sums.map((column): SuggestionDraft => ({
      ...{ kind: `sum.${column.key}`, name: column.label, measure: sum(column) },
      ...{ reason: `Sum of ${column.label}`, rank: measureRank(column) },
      content: { direction: expectedDirection(column.label) ?? 'up' },
    })),
    ...(main && cost && isTotalAmount(main) ? marginDrafts({ main, cost, sum }) : []),
    ...(line ? [lineAmountDraft(line)] : []),
    ...rates.flatMap((column) => rateDrafts(column, field(column))),
    {
      ...{
        kind: 'count',
        name: `${TERMS.count} of ${table.name}`,
        reason: `Number of rows in ${table.name}`,
      },
      measure: { kind: 'column', agg: 'count', dataset: table.id },
      rank: countRank,
    },
    ...(counted ? [{ ...distinctCountDraft(counted, field(counted)), rank: countRank }] : []),
  ]
  return made.flatMap((one) => toSuggestion(table, one) ?? [])
}

function marginDrafts({
  main,
  cost,
  sum,
}: {
  main: Column
  cost: Column
  sum: (column: Column) => Measure
}): SuggestionDraft[] {
  const left: Measure = { kind: 'calc', op: 'subtract', left: sum(main), right: sum(cost) }
  const what = `${main.label} − ${cost.label}`
  return [
    { kind: 'profit', name: TERMS.grossProfit, reason: what, measure: left, rank: BUSINESS_RANKS.money },
    {
      ...{ rank: BUSINESS_RANKS.money, kind: 'margin', name: TERMS.grossMargin, reason: `(${what}) / ${main.label}` },
      measure: { kind: 'calc', op: 'divide', left, right: sum(main) },
      content: { format: { style: 'percent' } },
    },
  ]
}

const lineAmountDraft = ({ label, quantity, price, row }: LineAmount): SuggestionDraft => ({
  ...{ kind: `product.${quantity.column}.${price.column}`, name: label, reason: `Sum of ${label}` },
  ...{ rank: BUSINESS_RANKS.lineAmount, measure: { kind: 'expression', agg: 'sum', row } },
})

/** A rate of exchange is better neither high nor low. */
const rateDrafts = ({ key, label }: Column, field: Field): SuggestionDraft[] =>
  (['avg', 'last'] as const).map((agg) => ({
    ...{ kind: `${agg}.${key}`, rank: BUSINESS_RANKS.quantity, measure: { kind: 'column', agg, field } },
    ...{ name: `${agg === 'avg' ? 'Average' : 'Latest'} ${label}`, content: { direction: 'none' } },
    reason: agg === 'avg' ? `Average of ${label}` : `Latest value of ${label}`,
  }))

const distinctCountDraft = ({ key, label }: Column, field: Field): Omit<SuggestionDraft, 'rank'> => ({
  ...{ kind: `distinct.${key}`, name: `${TERMS.distinctCount} of ${label}`, reason: `Distinct values of ${label}` },
  measure: { kind: 'column', agg: 'countDistinct', field },
})

const hasSameFormat = (a: Column, b: Column): boolean => JSON.stringify(a.format) === JSON.stringify(b.format)

const tableNames = ({ id, name, columns }: Pick<SuggestionTable, 'id' | 'name' | 'columns'>): NamedDataset => ({
  ...{ id, name },
  columns: columns.filter(({ hidden }) => !hidden).map(({ key, label }) => ({ key, label })),
})

function toSuggestion(
  table: SuggestionTable,
  { kind, name, reason, measure, rank, content }: SuggestionDraft,
): MetricSuggestion | null {
  const formula = printFormula(measure, {
    dataset: tableNames(table),
    related: table.related.flat().map(tableNames),
    metrics: [],
  })
  if (formula === null) return null
  return {
    key: `${table.id}.${kind}`,
    datasetName: table.name,
    ...{ reason, rank, measure },
    otherName: truncateName(`${name} (${table.name})`),
    input: {
      ...{ name: truncateName(name), description: reason, dataset: table.id, formula },
      time: table.time,
      ...content,
    },
  }
}

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
  { kind: 'revenue', name: TERMS.revenue, lines: REVENUE, seen: 'earned' },
  { kind: 'netSales', name: TERMS.netSales, lines: ['netSales'], seen: 'earned' },
  { kind: 'goods', name: TERMS.costOfGoodsSold, lines: ['goods'], seen: 'cost' },
  { kind: 'grossProfit', name: TERMS.grossProfit, lines: ['netSales', 'goods'], seen: 'earned' },
  { kind: 'personnel', name: TERMS.personnelExpenses, lines: ['personnel'], seen: 'cost' },
  { kind: 'external', name: TERMS.otherExternalExpenses, lines: ['external'], seen: 'cost' },
  { kind: 'depreciation', name: 'Depreciation', lines: ['depreciation'], seen: 'cost' },
  { kind: 'operatingResult', name: 'Operating profit', lines: [...REVENUE, ...OPERATING], seen: 'earned' },
  {
    kind: 'resultBeforeTax',
    name: TERMS.profitAfterFinancialItems,
    lines: [...REVENUE, ...OPERATING, ...FINANCIAL],
    seen: 'earned',
  },
  { kind: 'cash', name: 'Cash flow', lines: ['cash'], seen: 'moved' },
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
export function ledgerMetrics(table: SuggestionTable, { ranges, adjusted }: AccountMeaning): MetricSuggestion[] | null {
  const labelled = (label: string) => table.columns.find((column) => column.label === label)
  const isLedger =
    labelled('account_key') !== undefined || (labelled('org_number') !== undefined && table.columns.length <= 8)
  if (!isLedger) return null
  const [account, amount] = [labelled('account'), labelled('amount')]
  if (!labelled('voucher_key') || !account || !amount || !labelled('date')) return []
  const value: Expr = { kind: 'field', field: { dataset: table.id, column: amount.key } }
  return LEDGER_METRICS.flatMap(({ kind, name, lines, seen }) => {
    const known = ranges.filter(({ line }) => lines.includes(line))
    const own = seen === 'moved' && !adjusted ? CASH_RANGES : mergeRanges(known)
    if (own.length === 0 || own.length > RANGES_MAX) return []
    const any = own.map(({ from, to }): Condition => ({ op: 'between', from: String(from), to: String(to) }))
    const filters: Filter[] = [{ field: { dataset: table.id, column: account.key }, any }]
    const content: Partial<CreateMetricInput> = { filters, direction: seen === 'cost' ? 'down' : 'up' }
    const measure: Measure =
      seen === 'earned'
        ? { kind: 'expression', agg: 'sum', row: negated(value) }
        : { kind: 'column', agg: 'sum', field: value.field }
    const reason = `Accounts ${rangesText(own)}`
    return toSuggestion(table, { kind, name, reason, measure, content, rank: BUSINESS_RANKS.money }) ?? []
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
