import { DATE_PART_BOUNDS } from '../date-vectors'
import { alike, vectorNumber, type ExpressionSource } from '../number-expressions'
import { CONDITION, DAYS_BOUND, exactShape, REAL, type NumberShape, type VectorNumber } from '../vector-number'
import type { Numbers } from '../vectors'
import { pow10, SAFE_MAX } from '../../query/expressions/decimal'
import type { Expr } from '../../../shared/query/expression'
import type { Field } from '../../../shared/query/field'

const unread: Numbers = () => {
  throw new TypeError('Numbers that only have a shape are not read.')
}
const unreadNumber = ({ kind, scale, bound }: NumberShape): VectorNumber => ({
  ...{ kind, scale, bound, numbers: unread },
  parts: kind === 'exact' && bound > SAFE_MAX ? [unread, unread] : null,
})

/** What the numbers of an expression come out as. @param shapeOf of its fields */
export function shapeOfExpression(expr: Expr, shapeOf: (field: Field) => NumberShape): NumberShape {
  const source: ExpressionSource = {
    number: (field) => unreadNumber(shapeOf(field)),
    days: () => unread,
    special: (special) => unreadNumber(specialShape(special, (item) => vectorNumber(item, source))),
  }
  return vectorNumber(expr, source)
}

/** Decimals that a number comes out with at most; undefined when it is floating point. */
export function scaleOfExpression(expr: Expr, scaleOf: (field: Field) => number | undefined): number | undefined {
  const { kind, scale } = shapeOfExpression(expr, (field) => {
    const own = scaleOf(field)
    return own === undefined ? REAL : exactShape(own, 0n)
  })
  return kind === 'exact' ? scale : undefined
}

function specialShape(
  expr: Parameters<ExpressionSource['special']>[0],
  numberOf: (expr: Expr) => VectorNumber,
): NumberShape {
  if (expr.kind === 'compare') return CONDITION
  if (expr.kind === 'dateDiff') return expr.unit === 'day' || expr.unit === 'weekday' ? exactShape(0, DAYS_BOUND) : REAL
  const { fn, items } = expr
  const [first, second] = items
  if (!first) throw new TypeError('A checked function has values.')
  const oneOf = (choices: readonly Expr[]): NumberShape => {
    const { parts, chosen } = alike(choices.map(numberOf))
    return chosen(parts.map(() => unread))
  }
  switch (fn) {
    case 'if':
      return oneOf(items.slice(1))
    case 'least':
    case 'greatest':
      return oneOf(items)
    case 'and':
    case 'or':
    case 'not':
    case 'isEmpty':
      return CONDITION
    case 'abs':
      return numberOf(first)
    case 'round':
      return roundedShape(numberOf(first), second?.kind === 'number' ? second.value : 0)
    case 'hour':
      return exactShape(0, 23n)
    case 'date':
      return exactShape(0, DAYS_BOUND)
    case 'year':
    case 'quarter':
    case 'month':
    case 'week':
    case 'day':
    case 'weekday':
      return exactShape(0, DATE_PART_BOUNDS[fn])
  }
}

export const roundedShape = (value: NumberShape, decimals: number): NumberShape =>
  value.kind === 'real' || value.scale <= decimals
    ? value
    : exactShape(decimals, value.bound / pow10(value.scale - decimals) + 1n)
