import { exactOf, INT64_MAX, magnitude, pow10 } from './decimal'
import { bind, int, join, sql, type RowNumber, type Sql } from '../sources/sql'
import type { Expr } from '../../../shared/query/plan'

/** Decimals that a product keeps; one with more is floating point. */
export const SCALE_MAX = 12
/** Half of what SQLite's integers hold: one addition can never leave them. */
const BOUND_MAX = INT64_MAX / 2n

export const exact = (piece: Sql, scale: number, bound: bigint): ExactNumber => ({
  ...{ kind: 'exact', sql: piece, scale, bound },
})
export const real = (piece: Sql): RowNumber => ({ kind: 'real', sql: piece })
type ExactNumber = Extract<RowNumber, { kind: 'exact' }>

/** The number as floating point, in its natural size. */
export const asReal = (value: RowNumber): Sql =>
  value.kind === 'real'
    ? value.sql
    : value.scale === 0
      ? sql`CAST(${value.sql} AS REAL)`
      : sql`(CAST(${value.sql} AS REAL) / ${powerSql(value.scale)})`
/** 10^scale as a floating-point literal. */
export const powerSql = (scale: number): Sql => sql`CAST(${int(pow10(scale))} AS REAL)`

export function literal(value: number): RowNumber {
  const found = exactOf(value)
  if (found && found.scale <= SCALE_MAX && magnitude(found.n) <= BOUND_MAX)
    return exact(int(found.n), found.scale, magnitude(found.n))
  return real(sql`CAST(${bind(value)} AS REAL)`)
}

/** The same numbers with one scale; null when that would leave SQLite's integers. */
function aligned(values: readonly RowNumber[]): ExactNumber[] | null {
  const exacts = values.filter((value): value is ExactNumber => value.kind === 'exact')
  if (exacts.length < values.length) return null
  const scale = Math.max(...exacts.map((value) => value.scale))
  const scaled = exacts.map((value): ExactNumber => {
    const factor = pow10(scale - value.scale)
    const piece = factor === 1n ? value.sql : sql`(${value.sql} * ${int(factor)})`
    return exact(piece, scale, value.bound * factor)
  })
  return scaled.every((value) => value.bound <= BOUND_MAX) ? scaled : null
}

/** Numbers that can stand for each other: all exact with one scale, or all floating point. */
export interface AlikeNumbers {
  kind: RowNumber['kind']
  pieces: Sql[]
  /** One of them, chosen by SQL. */
  chosen: (piece: Sql) => RowNumber
}
export function alike(items: readonly RowNumber[]): AlikeNumbers {
  const same = aligned(items)
  if (!same) return { kind: 'real', pieces: items.map(asReal), chosen: real }
  const bound = same.reduce((most, { bound: each }) => (each > most ? each : most), 0n)
  const scale = same[0]?.scale ?? 0
  return { kind: 'exact', pieces: same.map((each) => each.sql), chosen: (piece) => exact(piece, scale, bound) }
}

export function coalesce(items: readonly RowNumber[]): RowNumber {
  const [only, second] = items
  if (only && !second) return only
  const { pieces, chosen } = alike(items)
  return chosen(sql`coalesce(${join(pieces, ', ')})`)
}

export function binary(op: Extract<Expr, { kind: 'binary' }>['op'], left: RowNumber, right: RowNumber): RowNumber {
  if (op === 'divide') return real(sql`(${asReal(left)} / ${asReal(right)})`)
  if (op === 'multiply') return product(left, right)
  const [a, b] = aligned([left, right]) ?? []
  const sign = op === 'add' ? sql`+` : sql`-`
  if (a && b && a.bound + b.bound <= BOUND_MAX)
    return exact(sql`(${a.sql} ${sign} ${b.sql})`, a.scale, a.bound + b.bound)
  return real(sql`(${asReal(left)} ${sign} ${asReal(right)})`)
}

export function product(left: RowNumber, right: RowNumber): RowNumber {
  if (left.kind === 'exact' && right.kind === 'exact') {
    const [scale, bound] = [left.scale + right.scale, left.bound * right.bound]
    if (scale <= SCALE_MAX && bound <= BOUND_MAX) return exact(sql`(${left.sql} * ${right.sql})`, scale, bound)
  }
  return real(sql`(${asReal(left)} * ${asReal(right)})`)
}
