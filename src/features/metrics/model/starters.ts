import type { NamedDataset } from '../../../shared/formula/names'
import { printFormula } from '../../../shared/formula/print'
import { NAME_MAX_CHARS } from '../../../shared/limits'
import type { CreateMetricInput } from '../../../shared/metrics'
import type { Field, Measure } from '../../../shared/query'
import type { Column } from '../../../shared/sources'
import { isCost, isMain, sumColumns, timeColumn } from '../../../shared/telling-columns'

/** A dataset as suggestions see it. */
export interface Table {
  id: string
  name: string
  columns: readonly Column[]
}
/** A suggestion before its name is known to be free. `otherName` serves where the first one is taken. */
export interface Starter {
  key: string
  datasetName: string
  reason: string
  otherName: string
  input: CreateMetricInput
}

/** Words for those whose number matters: who buys, what is ordered. */
const COUNTED =
  /^(customer|customers|kund|kunder|order|orders|invoice|invoices|faktura|product|products|produkt|artikel)\b/i

const clipped = (text: string): string =>
  text.length <= NAME_MAX_CHARS ? text : `${text.slice(0, NAME_MAX_CHARS - 1).trimEnd()}…`

interface Made {
  kind: string
  name: string
  reason: string
  measure: Measure
  content?: Partial<CreateMetricInput>
}

/** Amounts, what is left of them after their cost, and counts. A formula that cannot be written is left out. */
export function columnMetrics(table: Table): Starter[] {
  const sums = sumColumns(table.columns)
  const [main] = sums.filter((column) => !isCost(column))
  const cost = sums.find((column) => isCost(column) && main !== undefined && isAlike(column, main))
  const field = ({ key }: Column): Field => ({ dataset: table.id, column: key })
  const sum = (column: Column): Measure => ({ kind: 'column', agg: 'sum', field: field(column) })
  const counted = table.columns.find(({ label, hidden, role }) => !hidden && role !== 'time' && COUNTED.test(label))
  const made: Made[] = [
    ...sums.map((column): Made => ({
      ...{ kind: `sum.${column.key}`, name: column.label, measure: sum(column) },
      reason: `Adds up ${column.label} of ${table.name}.`,
      content: { direction: isCost(column) ? 'down' : 'up' },
    })),
    ...(main && cost && isMain(main) ? margins({ main, cost, sum }) : []),
    {
      ...{ kind: 'count', name: `Number of rows in ${table.name}`, reason: `Counts the rows of ${table.name}.` },
      measure: { kind: 'column', agg: 'count', dataset: table.id },
    },
    ...(counted ? [distinct(counted, field(counted))] : []),
  ]
  return made.flatMap((one) => starterOf(table, one) ?? [])
}

function margins({ main, cost, sum }: { main: Column; cost: Column; sum: (column: Column) => Measure }): Made[] {
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

const distinct = ({ key, label }: Column, field: Field): Made => ({
  ...{ kind: `distinct.${key}`, name: `Number of different ${label}`, reason: `Counts each ${label} once.` },
  measure: { kind: 'column', agg: 'countDistinct', field },
})

const isAlike = (a: Column, b: Column): boolean => JSON.stringify(a.format) === JSON.stringify(b.format)

export const namesOfTable = ({ id, name, columns }: Table): NamedDataset => ({
  ...{ id, name },
  columns: columns.filter(({ hidden }) => !hidden).map(({ key, label }) => ({ key, label })),
})

export function starterOf(table: Table, { kind, name, reason, measure, content }: Made): Starter | null {
  const formula = printFormula(measure, { dataset: namesOfTable(table), related: [], metrics: [] })
  if (formula === null) return null
  const time = timeColumn(table.columns)
  return {
    key: `${table.id}.${kind}`,
    datasetName: table.name,
    reason,
    otherName: clipped(`${name} (${table.name})`),
    input: {
      ...{ name: clipped(name), description: reason, dataset: table.id, formula },
      time: time ? { dataset: table.id, column: time.key } : null,
      ...content,
    },
  }
}
