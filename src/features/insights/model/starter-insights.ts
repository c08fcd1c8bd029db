import type { CreateInsightInput } from '../../../shared/insights'
import { TERMS } from '../../../shared/terms'
import type { QueryPlanInput, Measure } from '../../../shared/query/plan'
import type { Expr } from '../../../shared/query/expression'
import type { Field } from '../../../shared/query/field'
import type { Grain } from '../../../shared/query/date-range'
import { DAY_MS } from '../../../shared/dates'
import { NAME_MAX_CHARS } from '../../../shared/limits'
import type { Column } from '../../../shared/data-sources/data-sources'
import {
  isCostAmount,
  isTotalAmount,
  dimensionColumns,
  additiveMeasureColumns,
  expectedDirection,
  isKeyColumn,
  isNameColumn,
  isTechnicalMeasure,
  nameStem,
  rateColumns,
  type JoinColumns,
} from '../../../shared/data-sources/key-columns'
import { lineAmountOf } from '../../../shared/data-sources/line-amounts'
import type { RelatedTable } from '../../../shared/data-sources/date-fields'
import type { ColumnKey } from '../../../shared/data-sources/files'

/** The fields that a ledger's entries are asked by. */
export interface LedgerFields {
  date: Field
  /** Account numbers as text: four digits by the BAS plan. */
  account: Field
  /** Debit positive. */
  amount: Field
}

/** In the books income is negative: seen from the owner it is the other way round. */
const negated = (amount: Field): Expr => ({
  kind: 'binary',
  op: 'multiply',
  // In this order the builder can show it as a calculation.
  left: { kind: 'field', field: amount },
  right: { kind: 'number', value: -1 },
})

interface LedgerMeasure {
  label: string
  /** First and last account. */
  from: string
  to: string
  /** So many months back from today; absent: all that is there. */
  months?: number
}

function monthlyPlan(
  { date, account, amount }: LedgerFields,
  { label, from, to, months }: LedgerMeasure,
): QueryPlanInput {
  const range = months === undefined ? null : ({ kind: 'relative', span: 'last', unit: 'month', n: months } as const)
  return {
    v: 1,
    kind: 'aggregate',
    measures: [{ kind: 'expression', agg: 'sum', row: negated(amount), label }],
    dimensions: [{ field: date, grain: 'month' }],
    ...(range ? { period: { field: date, range } } : {}),
    filters: [{ field: account, any: [{ op: 'between', from, to }] }],
    totals: true,
  }
}

/** Books that ended long ago are shown whole. */
export const resultByMonth = (fields: LedgerFields, isCurrent: boolean): CreateInsightInput => ({
  name: `${TERMS.profitAfterFinancialItems} by month`,
  description: 'Accounts 3000–8799',
  plan: monthlyPlan(fields, {
    label: TERMS.profitAfterFinancialItems,
    from: '3000',
    to: '8799',
    ...(isCurrent ? { months: 18 } : {}),
  }),
  viz: { chart: 'bar', direction: 'up' },
})

/** For books that go back two whole years. */
function revenueByMonth(fields: LedgerFields): CreateInsightInput {
  const plan = monthlyPlan(fields, { label: TERMS.revenue, from: '3000', to: '3999', months: 12 })
  return {
    name: `${TERMS.revenue} vs ${TERMS.previousYear.toLowerCase()}`,
    description: 'Accounts 3000–3999',
    plan: { ...plan, ...(plan.period ? { period: { ...plan.period, compare: 'year' } } : {}) },
    viz: { chart: 'line', direction: 'up' },
  }
}

/** What is known of a dataset when questions are chosen for it. */
export interface DatasetProfile {
  id: string
  name: string
  columns: readonly Column[]
  rowCount: number
  /** First and last day that its rows are dated by, ISO: by a column of their own or of what they point at. */
  days: { field: Field; from: string; to: string } | null
  /** Different values of the columns that may split. */
  distinct: ReadonlyMap<ColumnKey, number>
  sums: ReadonlyMap<ColumnKey, number>
  /** The columns that relations join by. */
  joins: JoinColumns
  /** Tables that its rows point at, nearest first. */
  related: readonly (readonly RelatedTable[])[]
}
const STARTER_KINDS = ['trend', 'top', 'margin', 'split', 'second', 'count', 'result', 'turnover'] as const
type StarterKind = (typeof STARTER_KINDS)[number]
export interface StarterInsight {
  kind: StarterKind
  input: CreateInsightInput
}

const LABEL_MAX_CHARS = 28
/** Questions that make sense of one dataset, the most telling first. None when nothing in it can be asked for. */
export function chooseStarters(facts: DatasetProfile, today: string): StarterInsight[] {
  const labels = new Map(facts.columns.map((column) => [column.label, column]))
  const ledger = ledgerStarters(facts, { labels, today })
  if (ledger !== null) return ledger
  const [column, ...others] = additiveMeasureColumns(facts.columns, facts.joins).filter(
    (one) => (facts.sums.get(one.key) ?? 0) !== 0 && !isTechnicalMeasure(one),
  )
  const table: ProfiledTable = { ...facts, today, field: ({ key }) => ({ dataset: facts.id, column: key }) }
  const splits = splitColumns(facts)
  const main = lineMeasure(facts) ?? (column && sumOf(table, column))
  const cost = others.find((other) => column && isCostOf(facts, { column: other, main: column }))
  const wide = splits.toSorted((a, b) => (facts.distinct.get(b.key) ?? 0) - (facts.distinct.get(a.key) ?? 0))
  const narrow = splits.filter(({ key }) => (facts.distinct.get(key) ?? 0) <= 8)
  const [first, second] = wide
  return [
    ...(main && facts.days ? [trendStarter(table, main)] : []),
    ...rateStarters(table),
    ...(main && first ? [topStarter(table, { main, by: first, kind: 'top' })] : []),
    ...(column && cost && (narrow[0] ?? first)
      ? [marginStarter(table, { main: column, cost, by: narrow[0] ?? first })]
      : []),
    ...(main && facts.days && narrow[0] ? [splitStarter(table, { main, by: narrow[0] })] : []),
    ...(main && second && second !== narrow[0] ? [topStarter(table, { main, by: second, kind: 'second' })] : []),
    ...(facts.days ? [countStarter(table)] : []),
  ].flatMap((starter) => starter ?? [])
}

interface ProfiledTable extends DatasetProfile {
  today: string
  field: (column: Pick<Column, 'key'>) => Field
}

/** Two values at least, and far fewer than rows: names of things that come again. */
const canSplitBy = ({ distinct, rowCount }: DatasetProfile, key: ColumnKey): boolean => {
  const values = distinct.get(key) ?? 0
  return values >= 2 && values <= Math.max(12, rowCount / 4)
}

function isCostOf({ sums }: DatasetProfile, { column, main }: { column: Column; main: Column }): boolean {
  const [cost, all] = [sums.get(column.key) ?? 0, sums.get(main.key) ?? 0]
  const alike = JSON.stringify(column.format) === JSON.stringify(main.format)
  return isCostAmount(column) && isTotalAmount(main) && alike && cost > 0 && cost < all
}

/** A ledger's entries add up to nothing, so they have questions of their own; its other tables have none. */
function ledgerStarters(
  facts: DatasetProfile,
  { labels, today }: { labels: ReadonlyMap<string, Column>; today: string },
): StarterInsight[] | null {
  if (!labels.has('account_key') && !(labels.has('org_number') && labels.size <= 8)) return null
  const [date, account, amount] = ['date', 'account', 'amount'].map((label) => labels.get(label))
  if (!labels.has('voucher_key') || !date || !account || !amount || !facts.days) return []
  const of = ({ key }: Column): Field => ({ dataset: facts.id, column: key })
  const fields = { date: of(date), account: of(account), amount: of(amount) }
  const isCurrent = isRecent(facts.days, today)
  return [
    { kind: 'result', input: resultByMonth(fields, isCurrent) },
    ...(isCurrent && hasYearBefore(facts.days, today)
      ? [{ kind: 'turnover' as const, input: revenueByMonth(fields) }]
      : []),
  ]
}

const truncateLabel = (label: string): string =>
  label.length <= LABEL_MAX_CHARS ? label : `${label.slice(0, LABEL_MAX_CHARS - 1).trimEnd()}…`
/** What a question is about, and what it is called in the question. */
interface StarterMeasure {
  label: string
  measure: Measure
}
const sumOf = (table: ProfiledTable, column: Column): StarterMeasure => ({
  label: column.label,
  measure: sumMeasure(table, column),
})

/** The amount of lines that have none of their own. */
function lineMeasure(facts: DatasetProfile): StarterMeasure | null {
  const line = lineAmountOf(facts)
  const label = line?.label.slice(0, NAME_MAX_CHARS) ?? ''
  return line && { label, measure: { kind: 'expression', agg: 'sum', row: line.row, label } }
}

const sumMeasure = (table: ProfiledTable, column: Column): Measure => ({
  kind: 'column',
  agg: 'sum',
  field: table.field(column),
  label: column.label.slice(0, NAME_MAX_CHARS),
})
const toStarter = (
  kind: StarterKind,
  asked: {
    name: string
    chart: NonNullable<CreateInsightInput['viz']>['chart']
    plan: Partial<QueryPlanInput>
    main?: StarterMeasure
  },
): StarterInsight => ({
  kind,
  input: {
    name: asked.name,
    plan: { v: 1, kind: 'aggregate', measures: [], dimensions: [], filters: [], totals: true, ...asked.plan },
    viz: { chart: asked.chart, direction: (asked.main && expectedDirection(asked.main.label)) ?? 'none' },
  },
})

const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS

/** Whether the last whole months are covered, so that "the last twelve months" means something. */
const isRecent = ({ to }: { to: string }, today: string): boolean => daysBetween(to, today) <= 62
/** Whether the twelve months before the last twelve are covered whole. */
const hasYearBefore = ({ from }: { from: string }, today: string): boolean => daysBetween(from, today) >= 2 * 365 + 31

/** How fine the history is looked at, and since when. Data that ended long ago is shown whole. */
function chooseTimeAxis({
  days,
  today,
  columns,
}: ProfiledTable): { grain: Grain; period: QueryPlanInput['period'] } | null {
  if (!days) return null
  const span = daysBetween(days.from, days.to)
  const time = columns.find(({ key }) => key === days.field.column)
  if (span < 2 && time?.type === 'datetime') return { grain: 'hour', period: undefined }
  if (span < 62) return { grain: 'day', period: undefined }
  if (!isRecent(days, today)) return { grain: span > 3 * 366 ? 'year' : 'month', period: undefined }
  if (span < 120) return { grain: 'week', period: undefined }
  const compare = hasYearBefore(days, today) ? 'year' : 'none'
  return {
    grain: 'month',
    period: { field: days.field, range: { kind: 'relative', span: 'last', unit: 'month', n: 12 }, compare },
  }
}

function trendStarter(
  table: ProfiledTable,
  main: StarterMeasure,
  kind: 'trend' | 'second' = 'trend',
): StarterInsight | null {
  const time = chooseTimeAxis(table)
  if (!time || !table.days) return null
  return toStarter(kind, {
    main,
    name: `${truncateLabel(main.label)} by ${time.grain}`,
    chart: 'line',
    plan: {
      measures: [main.measure],
      dimensions: [{ field: table.days.field, grain: time.grain }],
      ...(time.period ? { period: time.period } : {}),
    },
  })
}

/** How the two rates most asked for ran: what they come to in sum means nothing. */
function rateStarters(table: ProfiledTable): (StarterInsight | null)[] {
  const [first, second] = rateColumns(table.columns).map((column): StarterMeasure => {
    const label = `Average ${column.label}`
    return { label, measure: { kind: 'column', agg: 'avg', field: table.field(column), label } }
  })
  return [...(first ? [trendStarter(table, first)] : []), ...(second ? [trendStarter(table, second, 'second')] : [])]
}

function topStarter(
  table: ProfiledTable,
  { main, by, kind }: { main: StarterMeasure; by: Column; kind: 'top' | 'second' },
): StarterInsight {
  const key = keyBeside(table, by)
  const split = key ? { field: table.field(key), label: table.field(by) } : { field: table.field(by) }
  return toStarter(kind, {
    main,
    name: `Top ${truncateLabel(by.label)} by ${truncateLabel(main.label)}`,
    chart: 'bar',
    plan: { ...(key ? { v: 3 } : {}), measures: [main.measure], dimensions: [{ ...split, topN: 10 }] },
  })
}

const isSameThing = (one: Column, other: Column): boolean =>
  nameStem(one.label) !== '' && nameStem(one.label) === nameStem(other.label)

/** What things are called, in a column with their names alone: `Customer name`, or `Kund` where `Kundnr` is their key. */
const isNameOf = (name: Column, { joins }: DatasetProfile): boolean =>
  isNameColumn(name) || (name.type === 'text' && !isKeyColumn(name, joins))

/** The key of what a column names, as `Customer no` is of `Customer name`: two customers of one name are two. */
const keyBeside = (facts: DatasetProfile, name: Column): Column | undefined =>
  isNameOf(name, facts)
    ? facts.columns.find(
        (column) =>
          column !== name &&
          (column.type === 'text' || column.type === 'integer') &&
          isKeyColumn(column, facts.joins) &&
          isSameThing(column, name) &&
          // A key of fewer things than there are names is one of something else, or is missing in places.
          (facts.distinct.get(column.key) ?? Infinity) >= (facts.distinct.get(name.key) ?? 0),
      )
    : undefined

/** What rows may be split by. A key whose names stand beside it tells nobody more than they do. */
function splitColumns(facts: DatasetProfile): Column[] {
  const able = dimensionColumns(facts.columns).filter(({ key }) => canSplitBy(facts, key))
  const named = new Set(able.flatMap((column) => keyBeside(facts, column) ?? []))
  return able.filter((column) => !named.has(column))
}

function marginStarter(
  table: ProfiledTable,
  of: { main: Column; cost: Column; by: Column | undefined },
): StarterInsight | null {
  const { main, cost, by } = of
  if (!by) return null
  // Sums, as the suggested metric has them: a profit of each row would leave out rows without a cost that are sold all the same.
  const sold = sumMeasure(table, main)
  const share: Measure = {
    kind: 'ratio',
    over: { kind: 'calc', op: 'subtract', left: sold, right: sumMeasure(table, cost) },
    under: sold,
    label: TERMS.grossMargin,
  }
  const made = toStarter('margin', {
    name: `${TERMS.grossMargin} by ${truncateLabel(by.label)}`,
    chart: 'bar',
    plan: { v: 2, measures: [share], dimensions: [{ field: table.field(by) }], limit: 20 },
  })
  return { ...made, input: { ...made.input, viz: { chart: 'bar', direction: 'up', percent: [0] } } }
}

function splitStarter(table: ProfiledTable, { main, by }: { main: StarterMeasure; by: Column }): StarterInsight | null {
  const time = chooseTimeAxis(table)
  if (!time || !table.days) return null
  const period = time.period && { ...time.period, compare: 'none' as const }
  return toStarter('split', {
    main,
    name: `${truncateLabel(main.label)} by ${time.grain} and ${truncateLabel(by.label)}`,
    chart: 'stackedBar',
    plan: {
      measures: [main.measure],
      dimensions: [{ field: table.days.field, grain: time.grain }, { field: table.field(by) }],
      ...(period ? { period } : {}),
    },
  })
}

function countStarter(table: ProfiledTable): StarterInsight | null {
  const time = chooseTimeAxis(table)
  if (!time || !table.days) return null
  return toStarter('count', {
    name: `${TERMS.count} of ${truncateLabel(table.name)} by ${time.grain}`,
    chart: 'bar',
    plan: {
      dataset: table.id,
      measures: [{ kind: 'column', agg: 'count', label: TERMS.count }],
      dimensions: [{ field: table.days.field, grain: time.grain }],
      ...(time.period ? { period: { ...time.period, compare: 'none' } } : {}),
    },
  })
}
