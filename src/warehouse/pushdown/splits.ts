import { alignToComparison, partOrdinal, unitKey } from './date-splits'
import type { Dialect } from './dialect'
import type { ForeignRows } from './foreign-rows'
import { notLive } from './refusals'
import { anyOf, parameter, sql, type Sql } from './sql'
import { RowValues } from './values'
import type { ComparisonSide, KeyValue } from '../columns/splits'
import { exactOf, pow10, rescale } from '../query/expressions/decimal'
import type { PlanSplit } from '../query/aggregates/plan-splits'
import type { AbsolutePeriod } from '../query/time/resolve-period'
import { firstOfMonth, monthIndexOf } from '../../shared/dates'
import type { Column } from '../../shared/data-sources/data-sources'

/** What rows are told apart by in a statement. */
export interface SplitKey {
  key: Sql
  /** Rows that have a place in it; null: all. */
  placed: Sql | null
  kind: 'text' | 'number'
  /** What travelled back as the value of the answer. */
  valueOf: (cell: string | null) => KeyValue
  /** A value of the answer as the key it comes from. */
  keyOf: (value: Exclude<KeyValue, null>) => Sql
}

export function splitKey(
  rows: ForeignRows,
  split: PlanSplit,
  at: { side: ComparisonSide; period: AbsolutePeriod | null },
): SplitKey {
  if (split.grouped) throw notLive('Groupings')
  const values = new RowValues(rows)
  const placed = rows.field(split.field)
  const { grain, part, bins } = split
  if (bins) return wholeKey(binKey(rows, values.column(placed), split))
  if (part) return wholeKey(partOrdinal(values, placed, part))
  if (grain === undefined) return plainKey(values.column(placed), placed.column)
  const { key, bucketOf } = unitKey(values, placed, grain)
  const { calendar } = rows.planContext
  const laid =
    at.side === 1 && split.ofPeriod && at.period
      ? alignToComparison(rows.dialect, key, { grain, calendar, period: at.period })
      : null
  const own = laid ? wholeKey(laid.key) : wholeKey(key)
  const isOfMonths = bucketOf === firstOfMonth
  return {
    ...own,
    placed: laid ? anyOf([sql`${laid.key} <= ${laid.last}`, sql`${laid.key} IS NULL`]) : null,
    valueOf(cell) {
      const value = own.valueOf(cell)
      return typeof value === 'number' ? bucketOf(value) : null
    },
    keyOf: (value) => sql`${isOfMonths ? monthIndexOf(Number(value)) : Number(value)}`,
  }
}

const wholeKey = (key: Sql): SplitKey => ({
  ...{ key, placed: null, kind: 'number' },
  valueOf: (cell) => (cell === null ? null : Number(cell) + 0),
  keyOf: (value) => sql`${Number(value)}`,
})

/** The number of the step: exact where numbers are. */
function binKey({ dialect }: ForeignRows, value: Sql, { bins, column }: PlanSplit): Sql {
  if (!bins) throw new TypeError('A split by steps has a width.')
  const { width, exact } = bins
  if (!exact) return dialect.floorReal(sql`(${dialect.real(value)} / ${parameter(String(width), 'real')})`)
  const scale = column.type === 'integer' ? 0 : (column.scale ?? 0)
  return dialect.floorOf(sql`(${value} * ${Number(pow10(scale) * exact.factor)})`, sql`${Number(exact.width)}`)
}

function plainKey(key: Sql, column: Column): SplitKey {
  const { type, scale } = column
  if (type === 'text')
    return {
      ...{ key, placed: null, kind: 'text' },
      valueOf: (cell) => cell,
      keyOf: (value) => parameter(String(value), 'text'),
    }
  if (type === 'number' && scale !== undefined)
    return {
      ...{ key, placed: null, kind: 'number' },
      valueOf: (cell) => scaledNumber(cell, scale),
      keyOf: (value) => parameter(scaledText(Number(value), scale), 'decimal'),
    }
  if (type === 'number') return { ...wholeKey(key), keyOf: (value) => parameter(String(value), 'real') }
  return wholeKey(key)
}

/** A decimal as it would be stored: a whole number of its scale. Decimals beyond are cut, as none are expected. */
function scaledNumber(cell: string | null, scale: number): number | null {
  const exact = cell === null ? null : exactOf(cell)
  if (!exact) return null
  return Number(rescale(exact, scale) ?? exact.n / pow10(exact.scale - scale))
}
function scaledText(value: number, scale: number): string {
  const digits = String(Math.abs(value)).padStart(scale + 1, '0')
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`
  return value < 0 ? `-${text}` : text
}

/** The same with all values but these folded into *Other*; `other` tells it apart from the empty value. */
export interface TopNKey extends SplitKey {
  other: Sql | null
}
export function topNKey(dialect: Dialect, split: SplitKey, kept: ReadonlySet<KeyValue> | null): TopNKey {
  if (!kept) return { ...split, other: null }
  const values = [...kept].filter((value) => value !== null)
  const keys = values.map((value) =>
    split.kind === 'text' ? dialect.textCell(split.keyOf(value)) : split.keyOf(value),
  )
  const isKept = anyOf([
    ...(keys.length > 0 ? [dialect.isOneOf(split.key, keys)] : []),
    ...(kept.has(null) ? [sql`${split.key} IS NULL`] : []),
  ])
  return {
    ...split,
    key: sql`CASE WHEN ${isKept} THEN ${split.key} END`,
    other: sql`CASE WHEN ${isKept} THEN 0 ELSE 1 END`,
  }
}
