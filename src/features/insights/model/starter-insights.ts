import type { CreateInsightInput } from '../../../shared/insights'
import { TERMS } from '../../../shared/terms'
import type { QueryPlanInput, Measure } from '../../../shared/query/plan'
import type { Field } from '../../../shared/query/field'
import type { Grain } from '../../../shared/query/date-range'
import { hasYearBefore, type DayRange } from './covered-years'
import { ledgerStarters, type LedgerStarterKind } from './ledger-starters'
import { DAY_MS } from '../../../shared/dates'
import { NAME_MAX_CHARS } from '../../../shared/limits'
import type { Column } from '../../../shared/data-sources/data-sources'
import {
  isCostAmount,
  isTotalAmount,
  dimensionColumns,
  additiveMeasureColumns,
  summedName,
  expectedDirection,
  isKeyColumn,
  isNameColumn,
  isTechnicalMeasure,
  nameStem,
  rateColumns,
  type JoinColumns,
} from '../../../shared/data-sources/key-columns'
import { lineAmountOf } from '../../../shared/data-sources/line-amounts'
import type { AccountMeaning } from '../../../shared/statements/ledger-figures'
import type { RelatedTable } from '../../../shared/data-sources/date-fields'
import type { ColumnKey } from '../../../shared/data-sources/files'

/** What is known of a dataset when questions are chosen for it. */
export interface DatasetProfile {
  id: string
  name: string
  columns: readonly Column[]
  rowCount: number
  /** First and last day that its rows are dated by, ISO: by a column of their own or of what they point at. */
  days: ({ field: Field } & DayRange) | null
  /** Different values of the columns that may split. */
  distinct: ReadonlyMap<ColumnKey, number>
  sums: ReadonlyMap<ColumnKey, number>
  /** The columns that relations join by. */
  joins: JoinColumns
  /** Tables that its rows point at, nearest first. */
  related: readonly (readonly RelatedTable[])[]
  /** What the accounts of the workspace's ledgers mean. */
  accounts: AccountMeaning
}
type StarterKind = 'trend' | 'top' | 'margin' | 'split' | 'second' | 'count' | LedgerStarterKind
export interface StarterInsight {
  kind: StarterKind
  input: CreateInsightInput
}

const LABEL_MAX_CHARS = 28
/** Questions that make sense of one dataset, the most telling first. None when nothing in it can be asked for. */
export function chooseStarters(facts: DatasetProfile): StarterInsight[] {
  const ledger = ledgerStarters(facts)
  if (ledger !== null) return ledger
  const [column, ...others] = additiveMeasureColumns(facts.columns, facts.joins).filter(
    (one) => (facts.sums.get(one.key) ?? 0) !== 0 && !isTechnicalMeasure(one),
  )
  const table: ProfiledTable = { ...facts, field: ({ key }) => ({ dataset: facts.id, column: key }) }
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

const truncateLabel = (label: string): string =>
  label.length <= LABEL_MAX_CHARS ? label : `${label.slice(0, LABEL_MAX_CHARS - 1).trimEnd()}…`
/** What a question is about, and what it is called in the question. */
interface StarterMeasure {
  label: string
  measure: Measure
}
const sumOf = (table: ProfiledTable, column: Column): StarterMeasure => ({
  label: summedName(column, table.columns),
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
  label: summedName(column, table.columns).slice(0, NAME_MAX_CHARS),
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

/** How fine the history is looked at, and since when: periods count back from the newest data. */
function chooseTimeAxis({ days, columns }: ProfiledTable): { grain: Grain; period: QueryPlanInput['period'] } | null {
  if (!days) return null
  const span = daysBetween(days.from, days.to)
  const time = columns.find(({ key }) => key === days.field.column)
  if (span < 2 && time?.type === 'datetime') return { grain: 'hour', period: undefined }
  if (span < 62) return { grain: 'day', period: undefined }
  if (span < 120) return { grain: 'week', period: undefined }
  const [n, compare] = hasYearBefore(days) ? ([12, 'year'] as const) : ([24, 'none'] as const)
  return {
    grain: 'month',
    period: { field: days.field, range: { kind: 'relative', span: 'last', unit: 'month', n }, compare },
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
