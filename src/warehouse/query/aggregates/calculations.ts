import { divide, isExact, numberOf, type Amount } from './amount'
import { exactOf, INT64_MAX, magnitude, pow10, subtract } from '../expressions/decimal'
import { asReal, SCALE_MAX } from '../expressions/row-number'
import { calcFormat } from './format'
import type { AggregateReading, MeasureOutput } from './aggregation'
import { bind, int, sql, type Sql } from '../sources/sql'
import type { AggregateMeasure, CalcMeasure, CalcOperand, GroupedMeasure } from '../../../shared/query/plan'

/** Figures that are worked out from other figures of the same group. */
type CalcOperator = CalcMeasure['op']

/** How a figure is shown, and what it means when there is none. */
export interface MeasureTraits extends Pick<MeasureOutput, 'type' | 'format' | 'scale' | 'numeric' | 'additive'> {
  /** A number of the plan: what it is added to must be there. */
  constant?: true
}
/** A side of a calculation in SQL: an aggregate, a number, or a calculation. */
export interface MeasureSide extends MeasureTraits, Pick<MeasureOutput, 'read' | 'decode'> {
  /** Aggregates over the rows of a group for which `when` holds. */
  pieces(when: readonly Sql[]): FactAggregate[]
}
/** An aggregate over the rows of one fact. */
export interface FactAggregate {
  sql: Sql
  /** Index of the fact whose rows it is over. */
  fact: number
  /** A count: nothing there counts as 0. */
  zero: boolean
}
type Zeroed = NonNullable<AggregateReading['zeroed']>
type ScaledSql = NonNullable<AggregateReading['exact']>

const PLAIN = { style: 'plain' } as const
const NOTHING = sql`NULL`
const isSum = (operator: CalcOperator): boolean => operator === 'add' || operator === 'subtract'

export const RATIO_FACE: MeasureTraits = { type: 'number', format: PLAIN, scale: undefined, numeric: true }

const literalOf = (value: number) => {
  const exact = exactOf(value)
  return exact && exact.scale <= SCALE_MAX && magnitude(exact.n) <= INT64_MAX / 2n ? exact : null
}
export const constantAmount = (value: number): Amount => literalOf(value) ?? value
export const constantFace = (value: number): MeasureTraits => ({
  type: 'number',
  format: PLAIN,
  scale: literalOf(value)?.scale,
  numeric: true,
  constant: true,
})

/** @throws ProductError `mixed_currency` when amounts of two currencies are added */
export function calcFace(operator: CalcOperator, left: MeasureTraits, right: MeasureTraits): MeasureTraits {
  const additive = isSum(operator) && left.additive === true && right.additive === true
  const isWhole = operator !== 'divide' && left.type === 'integer' && right.type === 'integer'
  return {
    type: isWhole ? 'integer' : 'number',
    format: calcFormat(operator, left.format, right.format),
    scale: scaleOf(operator, left.scale, right.scale),
    numeric: true,
    ...(additive ? { additive } : {}),
  }
}
function scaleOf(operator: CalcOperator, left: number | undefined, right: number | undefined): number | undefined {
  if (left === undefined || right === undefined || operator === 'divide') return undefined
  return isSum(operator) ? Math.max(left, right) : Math.min(left + right, SCALE_MAX)
}

/**
 * How a figure is shown.
 * @param leafOf how an aggregate is
 * @throws ProductError `mixed_currency` when amounts of two currencies are added
 */
export function measureTraits(
  measure: CalcOperand,
  leafOf: (measure: AggregateMeasure) => MeasureTraits,
  groupedOf: (measure: GroupedMeasure) => MeasureTraits = refuseGrouped,
): MeasureTraits {
  const made = (side: CalcOperand): MeasureTraits => measureTraits(side, leafOf, groupedOf)
  switch (measure.kind) {
    case 'number':
      return constantFace(measure.value)
    case 'column':
    case 'expression':
      return leafOf(measure)
    case 'ratio':
      // A share speaks of no currency; each of its sides may speak of one only.
      made(measure.over)
      made(measure.under)
      return RATIO_FACE
    case 'calc':
      return calcFace(measure.op, made(measure.left), made(measure.right))
    case 'grouped':
      return groupedOf(measure)
    case 'prev':
    case 'cumulative':
    case 'moving':
    case 'metric':
      throw new TypeError('A checked plan holds no such figure.')
  }
}

function refuseGrouped(): never {
  throw new TypeError('A group has no groups of its own.')
}

/** One figure out of two. Nothing comes of nothing, but for sums: what adds up no rows is 0 beside what is there. */
export function combine(
  operator: CalcOperator,
  left: { face: MeasureTraits; value: Amount },
  right: { face: MeasureTraits; value: Amount },
): Amount {
  if (operator === 'divide') return divide(left.value, right.value)
  if (!isSum(operator)) return product(left.value, right.value)
  const zero = { n: 0n, scale: 0 }
  if (left.value === null && left.face.additive && right.value !== null && !right.face.constant)
    return sumOf(operator, zero, right.value)
  if (right.value === null && right.face.additive && left.value !== null && !left.face.constant)
    return sumOf(operator, left.value, zero)
  return sumOf(operator, left.value, right.value)
}

/** a + b or a − b; nothing when either is missing. */
export function sumOf(op: 'add' | 'subtract' | CalcOperator, a: Amount, b: Amount): Amount {
  if (isExact(a) && isExact(b)) return subtract(a, op === 'subtract' ? b : { n: -b.n, scale: b.scale })
  const [left, right] = [numberOf(a), numberOf(b)]
  if (left === null || right === null) return null
  return finite(op === 'subtract' ? left - right : left + right)
}
function product(a: Amount, b: Amount): Amount {
  if (isExact(a) && isExact(b) && a.scale + b.scale <= SCALE_MAX) return { n: a.n * b.n, scale: a.scale + b.scale }
  const [left, right] = [numberOf(a), numberOf(b)]
  return left === null || right === null ? null : finite(left * right)
}
const finite = (value: number): number | null => (Number.isFinite(value) ? value : null)

export function constantSide(value: number): MeasureSide {
  const exact = literalOf(value)
  const real = exact
    ? asReal({ kind: 'exact', sql: int(exact.n), scale: exact.scale, bound: 0n })
    : sql`CAST(${bind(value)} AS REAL)`
  const found = exact && { sql: int(exact.n), scale: exact.scale }
  return {
    ...constantFace(value),
    pieces: () => [],
    read: () => ({ outputs: [], orders: [real], real, exact: found }),
    decode: () => constantAmount(value),
  }
}

/** Aggregates of a side, and the cells of the answer that they take. */
export const widthOf = (measureSide: MeasureSide): { pieces: number; outputs: number } => {
  const pieces = measureSide.pieces([]).map((piece) => piece.sql)
  return { pieces: pieces.length, outputs: measureSide.read(pieces).outputs.length }
}

export function ratioSide(over: MeasureSide, under: MeasureSide): MeasureSide {
  return twoSided(over, under, {
    face: RATIO_FACE,
    make: (a, b) => worked('divide', a, b),
    combined: divide,
  })
}
export function calcSide(operator: CalcOperator, left: MeasureSide, right: MeasureSide): MeasureSide {
  return twoSided(left, right, {
    face: calcFace(operator, left, right),
    make: (a, b) =>
      isSum(operator) ? summed(operator, { ...a, face: left }, { ...b, face: right }) : worked(operator, a, b),
    combined: (a, b) => combine(operator, { face: left, value: a }, { face: right, value: b }),
  })
}

function twoSided(
  left: MeasureSide,
  right: MeasureSide,
  how: {
    face: MeasureTraits
    make: (a: AggregateReading, b: AggregateReading) => CombinedReading
    combined: (a: Amount, b: Amount) => Amount
  },
): MeasureSide {
  const { pieces, outputs } = widthOf(left)
  return {
    ...how.face,
    pieces: (when) => [...left.pieces(when), ...right.pieces(when)],
    read: (all) => {
      const [a, b] = [left.read(all.slice(0, pieces)), right.read(all.slice(pieces))]
      const made = how.make(a, b)
      return { outputs: [...a.outputs, ...b.outputs], orders: [made.exact?.sql ?? made.real], ...made }
    },
    decode: (cells) => how.combined(left.decode(cells.slice(0, outputs)), right.decode(cells.slice(outputs))),
  }
}

type SideReading = AggregateReading & { face: MeasureTraits }
interface CombinedReading {
  real: Sql
  exact: AggregateReading['exact']
  zeroed?: Zeroed
}

function worked(
  operator: CalcOperator,
  a: Pick<AggregateReading, 'real'>,
  b: Pick<AggregateReading, 'real'>,
): CombinedReading {
  const [left, right] = [a.real ?? NOTHING, b.real ?? NOTHING]
  return { real: operator === 'divide' ? sql`(${left} / ${right})` : sql`(${left} * ${right})`, exact: null }
}

function summed(operator: CalcOperator, a: SideReading, b: SideReading): CombinedReading {
  const lone = (sideReading: SideReading, other: SideReading): Zeroed =>
    sideReading.face.additive && !other.face.constant
      ? zeroedOf(sideReading)
      : { real: sideReading.real ?? NOTHING, exact: sideReading.exact, missing: int(0) }
  const [left, right] = [lone(a, b), lone(b, a)]
  const sign = operator === 'add' ? sql`+` : sql`-`
  const real = sql`(${left.real} ${sign} ${right.real})`
  const [one, two] = aligned(left.exact, right.exact) ?? []
  const exact = one && two ? { sql: sql`(${one.sql} ${sign} ${two.sql})`, scale: one.scale } : null
  if (!a.face.additive || !b.face.additive) return { real, exact }
  const missing = sql`(${left.missing} AND ${right.missing})`
  const there = (piece: Sql): Sql => sql`CASE WHEN ${missing} THEN NULL ELSE ${piece} END`
  return {
    real: there(real),
    exact: exact && { sql: there(exact.sql), scale: exact.scale },
    zeroed: { real, exact, missing },
  }
}

function zeroedOf({ zeroed, real, exact }: SideReading): Zeroed {
  if (zeroed) return zeroed
  const plain = real ?? NOTHING
  return {
    real: sql`coalesce(${plain}, 0.0)`,
    exact: exact && { sql: sql`coalesce(${exact.sql}, 0)`, scale: exact.scale },
    missing: sql`(${plain} IS NULL)`,
  }
}

/** Two exact numbers with one scale. Past 64 bits SQLite goes on in floating point, which only orders and limits see. */
function aligned(a: AggregateReading['exact'], b: AggregateReading['exact']): [ScaledSql, ScaledSql] | null {
  if (!a || !b) return null
  const scale = Math.max(a.scale, b.scale)
  const scaled = ({ sql: piece, scale: own }: ScaledSql): ScaledSql =>
    own === scale ? { sql: piece, scale } : { sql: sql`(${piece} * ${int(pow10(scale - own))})`, scale }
  return [scaled(a), scaled(b)]
}
