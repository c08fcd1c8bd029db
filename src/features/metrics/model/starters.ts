import type { NamedDataset } from '../../../shared/formula/names'
import { printFormula } from '../../../shared/formula/print'
import { NAME_MAX_CHARS } from '../../../shared/limits'
import type { CreateMetricInput } from '../../../shared/metrics'
import type { Field, Measure } from '../../../shared/query'
import type { Column } from '../../../shared/sources'
import { isCostAmount, isTotalAmount, additiveMeasureColumns, primaryDateColumn } from '../../../shared/telling-columns'

/** A dataset as suggestions see it. */
export interface SuggestionTable {
  id: string
  name: string
  columns: readonly Column[]
}
/** A suggestion before its name is known to be free. `otherName` serves where the first one is taken. */
export interface MetricSuggestion {
  key: string
  datasetName: string
  reason: string
  otherName: string
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
  content?: Partial<CreateMetricInput>
}

/** Amounts, what is left of them after their cost, and counts. A formula that cannot be written is left out. */
export function columnMetrics(suggestionTable: SuggestionTable): MetricSuggestion[] {
  const sums = additiveMeasureColumns(suggestionTable.columns)
  const [main] = sums.filter((column) => !isCostAmount(column))
  const cost = sums.find((column) => isCostAmount(column) && main !== undefined && hasSameFormat(column, main))
  const field = ({ key }: Column): Field => ({ dataset: suggestionTable.id, column: key })
  const sum = (column: Column): Measure => ({ kind: 'column', agg: 'sum', field: field(column) })
  const counted = suggestionTable.columns.find(
    ({ label, hidden, role }) => !hidden && role !== 'time' && COUNTABLE_NAMES.test(label),
  )
  const made: SuggestionDraft[] = [
    ...sums.map((column): SuggestionDraft => ({
      ...{ kind: `sum.${column.key}`, name: column.label, measure: sum(column) },
      reason: `Adds up ${column.label} of ${suggestionTable.name}.`,
      content: { direction: isCostAmount(column) ? 'down' : 'up' },
    })),
    ...(main && cost && isTotalAmount(main) ? marginDrafts({ main, cost, sum }) : []),
    {
      ...{
        kind: 'count',
        name: `Number of rows in ${suggestionTable.name}`,
        reason: `Counts the rows of ${suggestionTable.name}.`,
      },
      measure: { kind: 'column', agg: 'count', dataset: suggestionTable.id },
    },
    ...(counted ? [distinctCountDraft(counted, field(counted))] : []),
  ]
  return made.flatMap((one) => toSuggestion(suggestionTable, one) ?? [])
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
  const what = `${main.label} less ${cost.label}`
  return [
    { kind: 'profit', name: 'Gross profit', reason: `${what}.`, measure: left },
    {
      ...{ kind: 'margin', name: 'Gross margin', reason: `${what}, as a share of ${main.label}.` },
      measure: { kind: 'calc', op: 'divide', left, right: sum(main) },
      content: { format: { style: 'percent' } },
    },
  ]
}

const distinctCountDraft = ({ key, label }: Column, field: Field): SuggestionDraft => ({
  ...{ kind: `distinct.${key}`, name: `Number of different ${label}`, reason: `Counts each ${label} once.` },
  measure: { kind: 'column', agg: 'countDistinct', field },
})

const hasSameFormat = (a: Column, b: Column): boolean => JSON.stringify(a.format) === JSON.stringify(b.format)

export const tableNames = ({ id, name, columns }: SuggestionTable): NamedDataset => ({
  ...{ id, name },
  columns: columns.filter(({ hidden }) => !hidden).map(({ key, label }) => ({ key, label })),
})

export function toSuggestion(
  suggestionTable: SuggestionTable,
  { kind, name, reason, measure, content }: SuggestionDraft,
): MetricSuggestion | null {
  const formula = printFormula(measure, { dataset: tableNames(suggestionTable), related: [], metrics: [] })
  if (formula === null) return null
  const time = primaryDateColumn(suggestionTable.columns)
  return {
    key: `${suggestionTable.id}.${kind}`,
    datasetName: suggestionTable.name,
    reason,
    otherName: truncateName(`${name} (${suggestionTable.name})`),
    input: {
      ...{ name: truncateName(name), description: reason, dataset: suggestionTable.id, formula },
      time: time ? { dataset: suggestionTable.id, column: time.key } : null,
      ...content,
    },
  }
}
