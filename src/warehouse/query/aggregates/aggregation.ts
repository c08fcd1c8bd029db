import { divide, exactFrom, isExact, realFrom, valueFrom, type Amount } from './amount'
import { INT64_MAX, pow10, quotient, SAFE_MAX } from '../expressions/decimal'
import { asReal, powerSql } from '../expressions/row-number'
import type { QuerySource } from '../sources/source'
import { all, int, join, sql, type Sql, type RowNumber } from '../sources/sql'
import type { ColumnFormat, ColumnType } from '../../../shared/data-sources/files'
import type { Column } from '../../../shared/data-sources/data-sources'

/** Where a measure puts what it needs per row: a named column of the base, or one computed over a window. */
export interface BaseTable {
  column(piece: Sql): Sql
  window(over: (keys: readonly Sql[]) => Sql): Sql
  /** What orders rows in time for first and last; null when the dataset has no time. */
  time: Sql | null
}

/** How finished aggregates are read: as outputs to decode, for sorting, and as a number for conditions. */
export interface AggregateReading {
  outputs: Sql[]
  orders: Sql[]
  real: Sql | null
  exact: { sql: Sql; scale: number } | null
  /** Of a sum of figures that count as 0 where they are missing: that sum, and whether all of them are. */
  zeroed?: { real: Sql; exact: AggregateReading['exact']; missing: Sql }
}
/** How a finished measure is shown and decoded. */
export interface MeasureOutput {
  read(pieces: readonly Sql[]): AggregateReading
  decode(cells: readonly SqlStorageValue[]): Amount
  type: ColumnType
  format: ColumnFormat
  scale: number | undefined
  numeric: boolean
  /** Added up from rows: where there are none, it counts as 0 beside what it is added to. */
  additive?: boolean
}
/** One aggregate over the rows of one dataset. `zero`: a count, so that nothing there is 0. */
export interface AggregationSql extends MeasureOutput {
  pieces(when: readonly Sql[]): Sql[]
  zero?: true
}

const PLAIN: ColumnFormat = { style: 'plain' }
export const filterOf = (when: readonly Sql[]): Sql => (when.length === 0 ? sql`` : sql` FILTER (WHERE ${all(when)})`)
const at = (pieces: readonly Sql[], index: number): Sql => pieces[index] ?? sql`NULL`

export interface Aggregation {
  source: QuerySource
  base: BaseTable
  when: readonly Sql[]
  format: ColumnFormat
}
export interface AggregateOperand {
  value: Sql
  numeric: RowNumber | null
  /** What it is shown as; null: a plain number or text. */
  column: Pick<Column, 'type' | 'scale' | 'zoned'> | null
}

/** Sums and the like over a value that the check has let through. */
export const nothing = (): never => {
  throw new TypeError('Only numbers are added up: the check lets nothing else through.')
}
export const numbersOf = (numeric: RowNumber, value: Sql): RowNumber => ({ ...numeric, sql: value })

export const counting = (aggregation: Aggregation, aggregate: (filter: Sql) => Sql): AggregationSql => ({
  zero: true,
  additive: true,
  pieces: (when) => [aggregate(filterOf([...aggregation.when, ...when]))],
  read: (pieces) => ({
    outputs: [...pieces],
    orders: [...pieces],
    real: asReal({ kind: 'exact', sql: at(pieces, 0), scale: 0, bound: 0n }),
    exact: { sql: at(pieces, 0), scale: 0 },
  }),
  decode: (cells) => exactFrom(cells[0], 0),
  type: 'integer',
  format: PLAIN,
  scale: 0,
  numeric: true,
})

/** An integer as it can be handed to JavaScript without loss. */
export const carried = (piece: Sql, bound: bigint): Sql => (bound > SAFE_MAX ? sql`CAST(${piece} AS TEXT)` : piece)
const typeOf = (value: RowNumber): ColumnType => (value.kind === 'exact' && value.scale === 0 ? 'integer' : 'number')
const scaleOf = (value: RowNumber): number | undefined => (value.kind === 'exact' ? value.scale : undefined)

const LOW_BITS = 30
const LOW = int((1n << BigInt(LOW_BITS)) - 1n)
const TWO_30 = int(1n << BigInt(LOW_BITS))

export function sum(aggregation: Aggregation, value: RowNumber): AggregationSql {
  const shown = {
    type: typeOf(value),
    format: aggregation.format,
    scale: scaleOf(value),
    numeric: true,
    additive: true,
  } as const
  const filter = (when: readonly Sql[]): Sql => filterOf([...aggregation.when, ...when])
  if (value.kind === 'real')
    return {
      ...shown,
      pieces: (when) => [sql`sum(${value.sql})${filter(when)}`],
      read: (pieces) => ({ outputs: [...pieces], orders: [...pieces], real: at(pieces, 0), exact: null }),
      decode: (cells) => realFrom(cells[0]),
    }
  const { scale } = value
  const bound = value.bound * BigInt(Math.max(aggregation.source.root.dataset.rowCount, 1))
  if (bound <= INT64_MAX)
    return {
      ...shown,
      pieces: (when) => [sql`sum(${value.sql})${filter(when)}`],
      read: (pieces) => {
        const total = at(pieces, 0)
        return {
          outputs: [carried(total, bound)],
          orders: [total],
          real: asReal({ ...value, sql: total }),
          exact: { sql: total, scale },
        }
      },
      decode: (cells) => exactFrom(cells[0], scale),
    }
  // sum() stops at 2^63: the high and the low bits are added up apart.
  return {
    ...shown,
    pieces: (when) => [
      sql`sum(${value.sql} >> ${int(LOW_BITS)})${filter(when)}`,
      sql`sum(${value.sql} & ${LOW})${filter(when)}`,
    ],
    read: (pieces) => {
      const [high, low] = [at(pieces, 0), at(pieces, 1)]
      return {
        outputs: [sql`CAST(${high} AS TEXT)`, sql`CAST(${low} AS TEXT)`],
        orders: [sql`(${high} + (${low} >> ${int(LOW_BITS)}))`, sql`(${low} & ${LOW})`],
        real: sql`((CAST(${high} AS REAL) * ${TWO_30} + ${low}) / ${powerSql(scale)})`,
        exact: null,
      }
    },
    decode: (cells) => {
      const [high, low] = [exactFrom(cells[0], scale), exactFrom(cells[1], scale)]
      return high && low ? { n: (high.n << BigInt(LOW_BITS)) + low.n, scale } : null
    },
  }
}

export function average(
  aggregation: Aggregation,
  value: RowNumber,
  count = counting(aggregation, (filter) => sql`count(${value.sql})${filter}`),
): AggregationSql {
  const total = sum(aggregation, value)
  return {
    ...total,
    additive: false,
    type: 'number',
    scale: value.kind === 'exact' ? value.scale + 2 : undefined,
    pieces: (when) => [...count.pieces(when), ...total.pieces(when)],
    read: (pieces) => {
      const added = total.read(pieces.slice(1))
      // One division, so that equal averages are equal numbers.
      const real =
        added.exact && value.kind === 'exact'
          ? sql`(CAST(${added.exact.sql} AS REAL) / (${at(pieces, 0)} * ${powerSql(value.scale)}))`
          : sql`(${added.real ?? sql`NULL`} / ${at(pieces, 0)})`
      return { outputs: [at(pieces, 0), ...added.outputs], orders: [real], real, exact: null }
    },
    decode: (cells) => {
      const [n, added] = [exactFrom(cells[0], 0), total.decode(cells.slice(1))]
      if (!n || n.n === 0n) return null
      return isExact(added) ? quotient(added.n, n.n * pow10(added.scale)) : divide(added, n)
    },
  }
}

/** A measure that is one of its column's own values. */
export function pickedValue(
  aggregation: Aggregation,
  { numeric, column }: AggregateOperand,
  aggregate: (when: readonly Sql[]) => Sql,
): AggregationSql {
  const bound = numeric?.kind === 'exact' ? numeric.bound : 0n
  const type = column?.type ?? (numeric ? typeOf(numeric) : 'text')
  return {
    type,
    format: aggregation.format,
    scale: numeric ? scaleOf(numeric) : undefined,
    numeric: numeric !== null,
    pieces: (when) => [aggregate([...aggregation.when, ...when])],
    read: (pieces) => {
      const piece = at(pieces, 0)
      const real = numeric ? asReal({ ...numeric, sql: piece }) : null
      const exact = numeric?.kind === 'exact' ? { sql: piece, scale: numeric.scale } : null
      return { outputs: [carried(piece, bound)], orders: [piece], real, exact }
    },
    decode: (cells) => {
      if (numeric?.kind === 'exact') return exactFrom(cells[0], numeric.scale)
      if (numeric) return realFrom(cells[0])
      return valueFrom(column ?? { type: 'text' }, cells[0])
    },
  }
}

/** The first or last value in time; rows without a value or without a time do not count, ties go by load order. */
export function firstOrLast(
  aggregation: Aggregation,
  operand: AggregateOperand,
  which: 'first' | 'last',
): AggregationSql {
  const { base } = aggregation
  const known = [sql`${operand.value} IS NOT NULL`, ...(base.time ? [sql`${base.time} IS NOT NULL`] : [])]
  const ok = sql`CASE WHEN ${all([...aggregation.when, ...known])} THEN 1 ELSE 0 END`
  const order = [...(base.time ? [base.time] : []), sql`rid`]
  const sorted = join(
    order.map((each) => (which === 'first' ? sql`${each} ASC` : sql`${each} DESC`)),
    ', ',
  )
  const rank = base.window(
    (keys) => sql`row_number() OVER (PARTITION BY ${join([...keys, ok], ', ')} ORDER BY ${sorted})`,
  )
  return pickedValue(
    { ...aggregation, when: [] },
    operand,
    (when) => sql`max(${operand.value})${filterOf([...when, sql`${ok} = 1`, sql`${rank} = 1`])}`,
  )
}
