import { resultByMonth, turnoverByMonth } from './ledger-questions'
import { NAME_MAX_CHARS } from '../../../shared/limits'
import type { CreateInsightInput } from '../../../shared/insights'
import type { Expr, Field, Grain, Measure, QueryPlanInput } from '../../../shared/query'
import type { Column, ColumnKey } from '../../../shared/sources'
import { isCost, isMain, splitColumns, sumColumns } from '../../../shared/telling-columns'

/** What is known of a dataset when questions are chosen for it. */
export interface TableFacts {
  id: string
  name: string
  columns: readonly Column[]
  rowCount: number
  /** First and last day of the time column, ISO; null without one, or when it is empty. */
  days: { key: ColumnKey; from: string; to: string } | null
  /** Different values of the columns that may split. */
  distinct: ReadonlyMap<ColumnKey, number>
  sums: ReadonlyMap<ColumnKey, number>
}
const STARTER_KINDS = ['trend', 'top', 'margin', 'split', 'second', 'count', 'result', 'turnover'] as const
export type StarterKind = (typeof STARTER_KINDS)[number]
export interface Starter {
  kind: StarterKind
  input: CreateInsightInput
}

const LABEL_MAX_CHARS = 28
const DAY_MS = 86_400_000
/** Questions that make sense of one dataset, the most telling first. None when nothing in it can be asked for. */
export function startersOf(facts: TableFacts, today: string): Starter[] {
  const labels = new Map(facts.columns.map((column) => [column.label, column]))
  const ledger = ledgerOf(facts, { labels, today })
  if (ledger !== null) return ledger
  const [main, ...others] = sumColumns(facts.columns).filter(({ key }) => (facts.sums.get(key) ?? 0) !== 0)
  const splits = splitColumns(facts.columns).filter(({ key }) => isSplit(facts, key))
  const table: Table = { ...facts, today, field: (column) => ({ dataset: facts.id, column: column.key }) }
  const cost = others.find((column) => main && isCostOf(facts, { column, main }))
  const wide = splits.toSorted((a, b) => (facts.distinct.get(b.key) ?? 0) - (facts.distinct.get(a.key) ?? 0))
  const narrow = splits.filter(({ key }) => (facts.distinct.get(key) ?? 0) <= 8)
  const [first, second] = wide
  return [
    ...(main && facts.days ? [trend(table, main)] : []),
    ...(main && first ? [top(table, { main, by: first, kind: 'top' })] : []),
    ...(main && cost && (narrow[0] ?? first) ? [margin(table, { main, cost, by: narrow[0] ?? first })] : []),
    ...(main && facts.days && narrow[0] ? [split(table, { main, by: narrow[0] })] : []),
    ...(main && second && second !== narrow[0] ? [top(table, { main, by: second, kind: 'second' })] : []),
    ...(facts.days ? [count(table)] : []),
  ].flatMap((starter) => starter ?? [])
}

interface Table extends TableFacts {
  today: string
  field: (column: Pick<Column, 'key'>) => Field
}

/** Two values at least, and far fewer than rows: names of things that come again. */
const isSplit = ({ distinct, rowCount }: TableFacts, key: ColumnKey): boolean => {
  const values = distinct.get(key) ?? 0
  return values >= 2 && values <= Math.max(12, rowCount / 4)
}

function isCostOf({ sums }: TableFacts, { column, main }: { column: Column; main: Column }): boolean {
  const [cost, all] = [sums.get(column.key) ?? 0, sums.get(main.key) ?? 0]
  const alike = JSON.stringify(column.format) === JSON.stringify(main.format)
  return isCost(column) && isMain(main) && alike && cost > 0 && cost < all
}

/** A ledger's entries add up to nothing, so they have questions of their own; its other tables have none. */
function ledgerOf(
  facts: TableFacts,
  { labels, today }: { labels: ReadonlyMap<string, Column>; today: string },
): Starter[] | null {
  if (!labels.has('account_key') && !(labels.has('org_number') && labels.size <= 8)) return null
  const [date, account, amount] = ['date', 'account', 'amount'].map((label) => labels.get(label))
  if (!labels.has('voucher_key') || !date || !account || !amount || !facts.days) return []
  const of = ({ key }: Column): Field => ({ dataset: facts.id, column: key })
  const fields = { date: of(date), account: of(account), amount: of(amount) }
  const isCurrent = endsLately(facts.days, today)
  return [
    { kind: 'result', input: resultByMonth(fields, isCurrent) },
    ...(isCurrent && hasYearBefore(facts.days, today)
      ? [{ kind: 'turnover' as const, input: turnoverByMonth(fields) }]
      : []),
  ]
}

const clipped = (label: string): string =>
  label.length <= LABEL_MAX_CHARS ? label : `${label.slice(0, LABEL_MAX_CHARS - 1).trimEnd()}…`
const sumOf = (table: Table, column: Column): Measure => ({
  kind: 'column',
  agg: 'sum',
  field: table.field(column),
  label: column.label.slice(0, NAME_MAX_CHARS),
})
const starter = (
  kind: StarterKind,
  asked: { name: string; chart: NonNullable<CreateInsightInput['viz']>['chart']; plan: Partial<QueryPlanInput> },
): Starter => ({
  kind,
  input: {
    name: asked.name,
    plan: { v: 1, kind: 'aggregate', measures: [], dimensions: [], filters: [], totals: true, ...asked.plan },
    viz: { chart: asked.chart, direction: 'none' },
  },
})

const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS

/** Whether the last whole months are covered, so that "the last twelve months" means something. */
const endsLately = ({ to }: { to: string }, today: string): boolean => daysBetween(to, today) <= 62
/** Whether the twelve months before the last twelve are covered whole. */
const hasYearBefore = ({ from }: { from: string }, today: string): boolean => daysBetween(from, today) >= 2 * 365 + 31

/** How fine the history is looked at, and since when. Data that ended long ago is shown whole. */
function timeOf({ days, today, id }: Table): { grain: Grain; period: QueryPlanInput['period'] } | null {
  if (!days) return null
  const field: Field = { dataset: id, column: days.key }
  const span = daysBetween(days.from, days.to)
  if (span < 62) return { grain: 'day', period: undefined }
  if (!endsLately(days, today)) return { grain: span > 3 * 366 ? 'year' : 'month', period: undefined }
  if (span < 120) return { grain: 'week', period: undefined }
  const compare = hasYearBefore(days, today) ? 'year' : 'none'
  return { grain: 'month', period: { field, range: { kind: 'relative', span: 'last', unit: 'month', n: 12 }, compare } }
}

function trend(table: Table, main: Column): Starter | null {
  const time = timeOf(table)
  if (!time || !table.days) return null
  return starter('trend', {
    name: `How does ${clipped(main.label)} develop ${time.grain} by ${time.grain}?`,
    chart: 'line',
    plan: {
      measures: [sumOf(table, main)],
      dimensions: [{ field: table.field(table.days), grain: time.grain }],
      ...(time.period ? { period: time.period } : {}),
    },
  })
}

function top(table: Table, { main, by, kind }: { main: Column; by: Column; kind: 'top' | 'second' }): Starter {
  return starter(kind, {
    name: `Which ${clipped(by.label)} is largest by ${clipped(main.label)}?`,
    chart: 'bar',
    plan: { measures: [sumOf(table, main)], dimensions: [{ field: table.field(by), topN: 10 }] },
  })
}

function margin(table: Table, of: { main: Column; cost: Column; by: Column | undefined }): Starter | null {
  const { main, cost, by } = of
  if (!by) return null
  const value = (column: Column): Expr => ({ kind: 'field', field: table.field(column) })
  const profit: Expr = { kind: 'binary', op: 'subtract', left: value(main), right: value(cost) }
  const share: Measure = {
    kind: 'ratio',
    over: { kind: 'expression', agg: 'sum', row: profit },
    under: sumOf(table, main),
    label: 'Margin',
  }
  const made = starter('margin', {
    name: `Which ${clipped(by.label)} has the best margin?`,
    chart: 'bar',
    plan: { measures: [share], dimensions: [{ field: table.field(by) }], limit: 20 },
  })
  return { ...made, input: { ...made.input, viz: { chart: 'bar', direction: 'up', percent: [0] } } }
}

function split(table: Table, { main, by }: { main: Column; by: Column }): Starter | null {
  const time = timeOf(table)
  if (!time || !table.days) return null
  const period = time.period && { ...time.period, compare: 'none' as const }
  return starter('split', {
    name: `How is ${clipped(main.label)} split by ${clipped(by.label)} over time?`,
    chart: 'stackedBar',
    plan: {
      measures: [sumOf(table, main)],
      dimensions: [{ field: table.field(table.days), grain: time.grain }, { field: table.field(by) }],
      ...(period ? { period } : {}),
    },
  })
}

function count(table: Table): Starter | null {
  const time = timeOf(table)
  if (!time || !table.days) return null
  return starter('count', {
    name: `How many rows of ${clipped(table.name)} come each ${time.grain}?`,
    chart: 'bar',
    plan: {
      dataset: table.id,
      measures: [{ kind: 'column', agg: 'count', label: 'Rows' }],
      dimensions: [{ field: table.field(table.days), grain: time.grain }],
      ...(time.period ? { period: { ...time.period, compare: 'none' } } : {}),
    },
  })
}
