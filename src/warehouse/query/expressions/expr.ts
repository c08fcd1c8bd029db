import { exactOf, INT64_MAX, magnitude, pow10 } from './decimal'
import { columnOf, dayNumberOf, refOf, type QuerySource, type SourceColumn } from '../sources/source'
import { invalidPlan } from '../plan/plan-errors'
import { bind, int, join, sql, type Sql, type RowNumber } from '../sources/sql'
import type { Expr, Field } from '../../../shared/query/plan'
import { isText } from './expr-type'

/** Decimals that a product keeps; one with more is floating point. */
export const SCALE_MAX = 12
/** Half of what SQLite's integers hold: one addition can never leave them. */
const BOUND_MAX = INT64_MAX / 2n
const COLUMN_BOUND = 2n ** 53n - 1n

const exact = (piece: Sql, scale: number, bound: bigint): RowNumber => ({ kind: 'exact', sql: piece, scale, bound })
const real = (piece: Sql): RowNumber => ({ kind: 'real', sql: piece })

/** The number as floating point, in its natural size. */
export const asReal = (value: RowNumber): Sql =>
  value.kind === 'real'
    ? value.sql
    : value.scale === 0
      ? sql`CAST(${value.sql} AS REAL)`
      : sql`(CAST(${value.sql} AS REAL) / ${powerSql(value.scale)})`
/** 10^scale as a floating-point literal. */
export const powerSql = (scale: number): Sql => sql`CAST(${int(pow10(scale))} AS REAL)`

/** A column's number; an amount as the question wants it: as it lies, or in one currency. */
export function columnNumber(querySource: QuerySource, column: SourceColumn): RowNumber {
  const stored = storedNumber(querySource, column)
  const factor = querySource.inline ? null : (querySource.world.money?.factor(querySource, column) ?? null)
  return factor ? product(stored, factor) : stored
}

function storedNumber(querySource: QuerySource, column: SourceColumn): RowNumber {
  if (column.computed && querySource.inline) return exprNumber(querySource, column.computed)
  const ref = refOf(column)
  const scale = column.type === 'integer' ? 0 : column.scale
  if (scale === undefined) return real(sql`CAST(${ref} AS REAL)`)
  const { min, max } = column.node.dataset.bounds[column.key] ?? {
    min: -Number(COLUMN_BOUND),
    max: Number(COLUMN_BOUND),
  }
  const known = [min ?? 0, max ?? 0].every((value) => Number.isSafeInteger(value))
  const bound = known ? Math.max(Math.abs(min ?? 0), Math.abs(max ?? 0)) : Number(COLUMN_BOUND)
  return exact(ref, scale, BigInt(bound))
}

/** Arithmetic stays exact as long as it provably fits; division is always floating point and gives nothing for 0. */
export function exprNumber(querySource: QuerySource, expr: Expr): RowNumber {
  switch (expr.kind) {
    case 'field':
      return columnNumber(querySource, columnOf(querySource, expr.field))
    case 'number':
      return literal(expr.value)
    case 'text':
    case 'concat':
      throw invalidPlan('measures', 'Calculations need numbers.')
    case 'dateDiff': {
      const [from, to] = [columnOf(querySource, expr.from), columnOf(querySource, expr.to)]
      return exact(sql`(${dayNumberOf(to)} - ${dayNumberOf(from)})`, 0, 4_000_000n)
    }
    case 'coalesce':
      return coalesce(expr.items.map((item) => exprNumber(querySource, item)))
    case 'binary':
      return binary(expr.op, exprNumber(querySource, expr.left), exprNumber(querySource, expr.right))
  }
}

function literal(value: number): RowNumber {
  const found = exactOf(value)
  if (found && found.scale <= SCALE_MAX && magnitude(found.n) <= BOUND_MAX)
    return exact(int(found.n), found.scale, magnitude(found.n))
  return real(sql`CAST(${bind(value)} AS REAL)`)
}

type ExactNumber = Extract<RowNumber, { kind: 'exact' }>

/** The same numbers with one scale; null when that would leave SQLite's integers. */
function aligned(values: readonly RowNumber[]): ExactNumber[] | null {
  const exacts = values.filter((value): value is ExactNumber => value.kind === 'exact')
  if (exacts.length < values.length) return null
  const scale = Math.max(...exacts.map((value) => value.scale))
  const scaled = exacts.map((value): ExactNumber => {
    const factor = pow10(scale - value.scale)
    const piece = factor === 1n ? value.sql : sql`(${value.sql} * ${int(factor)})`
    return { kind: 'exact', sql: piece, scale, bound: value.bound * factor }
  })
  return scaled.every((value) => value.bound <= BOUND_MAX) ? scaled : null
}

function coalesce(items: readonly RowNumber[]): RowNumber {
  const [only, second] = items
  if (only && !second) return only
  const same = aligned(items)
  if (!same) return real(sql`coalesce(${join(items.map(asReal), ', ')})`)
  const bound = same.reduce((most, { bound: each }) => (each > most ? each : most), 0n)
  return exact(
    sql`coalesce(${join(
      same.map((each) => each.sql),
      ', ',
    )})`,
    same[0]?.scale ?? 0,
    bound,
  )
}

function binary(op: Extract<Expr, { kind: 'binary' }>['op'], left: RowNumber, right: RowNumber): RowNumber {
  if (op === 'divide') return real(sql`(${asReal(left)} / ${asReal(right)})`)
  if (op === 'multiply') return product(left, right)
  const [a, b] = aligned([left, right]) ?? []
  const sign = op === 'add' ? sql`+` : sql`-`
  if (a && b && a.bound + b.bound <= BOUND_MAX)
    return exact(sql`(${a.sql} ${sign} ${b.sql})`, a.scale, a.bound + b.bound)
  return real(sql`(${asReal(left)} ${sign} ${asReal(right)})`)
}

function product(left: RowNumber, right: RowNumber): RowNumber {
  if (left.kind === 'exact' && right.kind === 'exact') {
    const [scale, bound] = [left.scale + right.scale, left.bound * right.bound]
    if (scale <= SCALE_MAX && bound <= BOUND_MAX) return exact(sql`(${left.sql} * ${right.sql})`, scale, bound)
  }
  return real(sql`(${asReal(left)} * ${asReal(right)})`)
}

/** A text per row. Whole numbers are written as they are, days as ISO text. */
export function textSql(querySource: QuerySource, expr: Expr): Sql {
  switch (expr.kind) {
    case 'field':
      return fieldText(querySource, expr.field)
    case 'text':
      return bind(expr.value.normalize('NFC'))
    case 'concat':
      return concatSql(querySource, expr.items)
    case 'coalesce':
      return expr.items.length === 1
        ? join(
            expr.items.map((item) => textSql(querySource, item)),
            ', ',
          )
        : sql`coalesce(${join(
            expr.items.map((item) => textSql(querySource, item)),
            ', ',
          )})`
    case 'number':
      return bind(String(expr.value))
    case 'binary':
    case 'dateDiff':
      return sql`CAST(${exprNumber(querySource, expr).sql} AS TEXT)`
  }
}

function fieldText(querySource: QuerySource, field: Field): Sql {
  const column = columnOf(querySource, field)
  if (column.computed && querySource.inline) {
    const text = isText(column.computed, (inner) => columnOf(querySource, inner).type)
    return text
      ? textSql(querySource, column.computed)
      : sql`CAST(${exprNumber(querySource, column.computed).sql} AS TEXT)`
  }
  if (column.type === 'text') return refOf(column)
  if (column.type === 'date') return sql`date(${refOf(column)} * 86400, 'unixepoch')`
  return sql`CAST(${refOf(column)} AS TEXT)`
}

/** Empty items count as nothing; when nothing but literals is left, there is no text. */
function concatSql(querySource: QuerySource, items: readonly Expr[]): Sql {
  const texts = items.map((item) => textSql(querySource, item))
  const asked = texts.filter((_, i) => items[i]?.kind !== 'text' && items[i]?.kind !== 'number')
  const filled = texts.map((text) => sql`ifnull(${text}, '')`)
  const whole = filled.reduce((done, next) => sql`${done} || ${next}`)
  if (asked.length === 0) return sql`(${whole})`
  const empty = join(
    asked.map((text) => sql`${text} IS NULL`),
    ' AND ',
  )
  return sql`CASE WHEN ${empty} THEN NULL ELSE ${whole} END`
}
