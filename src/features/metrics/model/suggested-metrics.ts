import type { NamedDataset } from '../../../shared/formula/names'
import { printFormula } from '../../../shared/formula/print'
import { NAME_MAX_CHARS } from '../../../shared/limits'
import type { CreateMetricInput } from '../../../shared/metrics'
import { TERMS } from '../../../shared/terms'
import type { Measure } from '../../../shared/query/plan'
import type { Field } from '../../../shared/query/field'
import type { Column } from '../../../shared/data-sources/data-sources'
import {
  isCostAmount,
  isTotalAmount,
  additiveMeasureColumns,
  summedName,
  expectedDirection,
  measureRank,
  rateColumns,
  BUSINESS_RANKS,
  type BusinessRank,
  type JoinColumns,
} from '../../../shared/data-sources/key-columns'
import { lineAmountOf, type LineAmount } from '../../../shared/data-sources/line-amounts'
import type { NamedRelatedTable } from '../../../shared/data-sources/date-fields'
import { ledgerFigures, type AccountMeaning } from '../../../shared/statements/ledger-figures'

/** A dataset as suggestions see it. */
interface SuggestionTable {
  id: string
  name: string
  /** What people are told that it is; formulas know it by its name. */
  title: string
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
      ...{ kind: `sum.${column.key}`, name: summedName(column, table.columns), measure: sum(column) },
      ...{ reason: `Sum of ${column.label}`, rank: measureRank(column) },
      content: { direction: expectedDirection(column.label) ?? 'up' },
    })),
    ...(main && cost && isTotalAmount(main) ? marginDrafts({ main, cost, sum }) : []),
    ...(line ? [lineAmountDraft(line)] : []),
    ...rates.flatMap((column) => rateDrafts(column, field(column))),
    {
      ...{
        kind: 'count',
        name: `${TERMS.count} of ${table.title}`,
        reason: `Number of rows in ${table.title}`,
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
    datasetName: table.title,
    ...{ reason, rank, measure },
    otherName: truncateName(`${name} (${table.title})`),
    input: {
      ...{ name: truncateName(name), description: reason, dataset: table.id, formula },
      time: table.time,
      ...content,
    },
  }
}

/** Figures of the books; none of a ledger's other tables; null when it is no ledger. */
export function ledgerMetrics(table: SuggestionTable, meaning: AccountMeaning): MetricSuggestion[] | null {
  const figures = ledgerFigures(table, meaning)
  return (
    figures?.flatMap(({ kind, name, measure, filters, direction, accounts: reason }) => {
      const content = { filters, direction }
      return toSuggestion(table, { kind, name, reason, measure, content, rank: BUSINESS_RANKS.money }) ?? []
    }) ?? null
  )
}
