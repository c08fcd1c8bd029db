import type { AggregateQuery } from '../query/aggregates/compile-aggregate'
import type { ScopeWire } from '../../identity/scope'
import { isFirstOfMonth, lastDayOfMonth } from '../query/time/buckets'
import { exactOf, INT64_MAX, magnitude, pow10 } from '../query/expressions/decimal'
import { SCALE_MAX } from '../query/expressions/row-number'
import type { AbsolutePeriod } from '../query/time/resolve-period'
import type { LiveDataset } from '../physical-layout'
import { amountCurrencyOf } from '../../shared/currencies'
import { groupedFieldsOf, leafMeasuresOf } from '../../shared/query/plan-fields'
import {
  isExistsFilter,
  type Aggregate,
  type DatePart,
  type Expr,
  type Field,
  type Filter,
  type Grain,
  type QueryPlan,
} from '../../shared/query/plan'
import type { Column } from '../../shared/data-sources/data-sources'
import type { ColumnKey } from '../../shared/data-sources/files'

/** What a rollup must hold to answer a question exactly. */
export interface RollupRequirements {
  /** Columns that rows are told apart by, in key order; moments by their day. */
  dims: ColumnKey[]
  /** Columns that are counted, added up, or asked for their least and most. */
  measures: ColumnKey[]
  /** Of these, those that may have no empty cell: they are calculated with, row by row. */
  whole: ColumnKey[]
  /** Whether days are asked for by whole months only. */
  monthly: boolean
}

/** Thrown within this file only: the question needs the rows themselves. */
class NeedsRows extends Error {}

/**
 * What would answer this question from one dataset's rollup; null when only the rows can: relations, computed columns,
 * middle, first and last values, hours, floating point, or rules of access along a column that is added up.
 */
export function rollupRequirements(
  { plan, facts, period }: AggregateQuery,
  dataset: LiveDataset,
  scope: ScopeWire,
): RollupRequirements | null {
  const [fact, second] = facts.facts
  if (fact !== dataset.id || second !== undefined) return null
  const found = { dims: new Set<ColumnKey>(), measures: new Set<ColumnKey>(), whole: new Set<ColumnKey>() }
  let monthly = true
  const dimension = (field: Field, as: Grain | 'day' | 'value'): void => {
    const column = ownColumn(dataset, field)
    if (DATED.has(column.type) && !MONTH_BASED_GRAINS.has(as)) monthly = false
    if (column.type === 'datetime' && (as === 'hour' || as === 'value')) throw new NeedsRows()
    found.dims.add(column.key)
  }
  const filtered = (filters: readonly Filter[] = []): void => {
    for (const filter of filters) {
      if (isExistsFilter(filter) || filter.any.some(({ op }) => op === 'column')) throw new NeedsRows()
      dimension(filter.field, filter.part ? UNIT_OF_PART[filter.part] : 'value')
    }
  }
  const added = (field: Field): void => {
    const column = exactColumn(dataset, field)
    if (isConverted(plan, column, dataset)) throw new NeedsRows()
    found.measures.add(column.key)
  }
  try {
    // Which group a row belonged to then takes the day of each row.
    if (groupedFieldsOf(plan).some(({ grouping }) => grouping.as === 'then')) throw new NeedsRows()
    for (const { field, grain, part } of plan.dimensions)
      dimension(field, part ? UNIT_OF_PART[part] : (grain ?? 'value'))
    if (plan.period) dimension(plan.period.field, isWholeMonths(period) ? 'month' : 'day')
    filtered(plan.filters)
    for (const rule of scope.rowFilters) if (rule.dataset === dataset.id) filtered(rule.filters)
    for (const leaf of plan.measures.flatMap(leafMeasuresOf)) {
      filtered(leaf.filter)
      if (leaf.kind === 'expression') {
        if (leaf.agg !== 'sum' && leaf.agg !== 'avg') throw new NeedsRows()
        for (const field of linearFields(dataset, leaf.row)) {
          added(field)
          found.whole.add(field.column)
        }
      } else if (leaf.field) collectMeasure(leaf.agg, leaf.field, { dimension, added })
    }
  } catch (error) {
    if (error instanceof NeedsRows) return null
    throw error
  }
  // What rows are told apart by is not added up as well: the column would have to mean both.
  if ([...found.measures].some((key) => found.dims.has(key))) return null
  const sorted = (keys: Set<ColumnKey>): ColumnKey[] => [...keys].toSorted((a, b) => a.localeCompare(b, 'en'))
  return { dims: sorted(found.dims), measures: sorted(found.measures), whole: sorted(found.whole), monthly }
}

/** The units of which a part of a date is the same for all of it. */
const UNIT_OF_PART: Record<DatePart, 'hour' | 'day' | 'month'> = {
  hourOfDay: 'hour',
  weekday: 'day',
  dayOfMonth: 'day',
  monthOfYear: 'month',
  weekOfYear: 'day',
}
const DATED: ReadonlySet<Column['type']> = new Set(['date', 'datetime'])
/** What whole months can be put together to. */
const MONTH_BASED_GRAINS: ReadonlySet<Grain | 'day' | 'value'> = new Set<Grain | 'day' | 'value'>([
  'month',
  'quarter',
  'year',
  'fiscalQuarter',
  'fiscalYear',
])
const isWholeMonths = (period: AbsolutePeriod | null): boolean =>
  [period?.range, period?.compare].every(
    (range) => !range || (isFirstOfMonth(range.from) && range.to === lastDayOfMonth(range.to)),
  )

/** Each row's amount has a rate or a unit of its own. */
function isConverted({ currency }: QueryPlan, column: Column, { columns }: LiveDataset): boolean {
  const money = amountCurrencyOf(column, columns)
  if (!money) return false
  return 'code' in money
    ? currency !== undefined && currency.code !== money.code
    : Boolean(currency ?? column.minorUnits)
}

function collectMeasure(
  agg: Aggregate,
  field: Field,
  to: { dimension: (field: Field, as: 'value') => void; added: (field: Field) => void },
): void {
  switch (agg) {
    case 'countDistinct':
      return to.dimension(field, 'value')
    case 'median':
    case 'first':
    case 'last':
      throw new NeedsRows()
    case 'sum':
    case 'avg':
    case 'count':
    case 'min':
    case 'max':
      return to.added(field)
  }
}

function ownColumn(dataset: LiveDataset, field: Field): Column {
  const column = dataset.columns.find(({ key }) => key === field.column)
  if (!column || column.computed || field.dataset !== dataset.id || field.via?.length) throw new NeedsRows()
  return column
}

/** A column of whole or scaled numbers whose total fits SQLite's integers. */
function exactColumn(dataset: LiveDataset, field: Field): Column {
  const column = ownColumn(dataset, field)
  if (!isExactlySummable(dataset, column)) throw new NeedsRows()
  return column
}

/** Whether a column's values can be added up exactly, in any order, without leaving 64 bits. */
export function isExactlySummable(dataset: Pick<LiveDataset, 'bounds' | 'rowCount'>, column: Column): boolean {
  if (column.computed || !(column.type === 'integer' || (column.type === 'number' && column.scale !== undefined)))
    return false
  const { min, max } = dataset.bounds[column.key] ?? { min: -Infinity, max: Infinity }
  if (![min ?? 0, max ?? 0].every(Number.isSafeInteger)) return false
  return totalBound(dataset, column) <= INT64_MAX
}

/** Whether what is added up of a column stays exact in plain numbers. */
export const isSafelySummable = (dataset: Pick<LiveDataset, 'bounds' | 'rowCount'>, column: Column): boolean =>
  isExactlySummable(dataset, column) && totalBound(dataset, column) <= BigInt(Number.MAX_SAFE_INTEGER)

/** What all cells of a column may add up to at most, in its storage units. */
function totalBound(dataset: Pick<LiveDataset, 'bounds' | 'rowCount'>, { key }: Column): bigint {
  const { min, max } = dataset.bounds[key] ?? { min: null, max: null }
  return BigInt(Math.max(Math.abs(min ?? 0), Math.abs(max ?? 0))) * BigInt(Math.max(dataset.rowCount, 1))
}

/** What an expression may come to over all rows at once: a rollup's row is calculated with as one. */
interface Linear {
  fields: Field[]
  scale: number
  most: bigint
}

/**
 * Columns of a sum of columns, each at most multiplied by a number: what is added up row by row or all at once alike,
 * as long as the whole of it stays within 64 bits.
 */
function linearFields(dataset: LiveDataset, expr: Expr): Field[] {
  const { fields, most } = linear(dataset, expr)
  // The same half that the compiler leaves free: past it, it goes on in floating point.
  if (most > INT64_MAX / 2n) throw new NeedsRows()
  return fields
}

function linear(dataset: LiveDataset, expr: Expr): Linear {
  if (expr.kind === 'field') {
    const column = exactColumn(dataset, expr.field)
    return {
      fields: [expr.field],
      scale: column.type === 'integer' ? 0 : (column.scale ?? 0),
      most: totalBound(dataset, column),
    }
  }
  if (expr.kind !== 'binary') throw new NeedsRows()
  const { op, left, right } = expr
  if (op === 'add' || op === 'subtract') {
    const [a, b] = [linear(dataset, left), linear(dataset, right)]
    const scale = Math.max(a.scale, b.scale)
    const most = a.most * pow10(scale - a.scale) + b.most * pow10(scale - b.scale)
    return { fields: [...a.fields, ...b.fields], scale, most }
  }
  if (op === 'multiply' && left.kind === 'number') return scaledBy(linear(dataset, right), left.value)
  if (op === 'multiply' && right.kind === 'number') return scaledBy(linear(dataset, left), right.value)
  throw new NeedsRows()
}

function scaledBy({ fields, scale, most }: Linear, factor: number): Linear {
  const exact = exactOf(factor)
  if (!exact || scale + exact.scale > SCALE_MAX) throw new NeedsRows()
  const by = magnitude(exact.n)
  // Nothing times a sum is nothing, but the sum is worked out before.
  return { fields, scale: scale + exact.scale, most: most * (by > 1n ? by : 1n) }
}
