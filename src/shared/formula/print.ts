import { bracketed, nameOfField } from './names'
import type { FormulaNames } from './names'
import { AGGREGATE_WORDS } from './words'
import type { CalcMeasure, CalcOperand, Expr, Field, LeafMeasure, Measure } from '../query'

/** Thrown within this file only: the language has no words for it. */
class Unprintable extends Error {}

/** A text with how tightly its outermost sign binds. */
interface Piece {
  text: string
  power: number
}
const SIGNS = { add: ' + ', subtract: ' - ', multiply: ' * ', divide: ' / ' } as const
const POWERS = { add: 1, subtract: 1, multiply: 2, divide: 2 } as const
const WHOLE = 3
const whole = (text: string): Piece => ({ text, power: WHOLE })

/**
 * The formula of a figure, that reads back as the same figure; null when something in it (conditions of its own, rows of
 * another dataset, a column that is gone) cannot be said in a formula.
 */
export function printFormula(measure: Measure, names: FormulaNames): string | null {
  try {
    return operandText(measure, names).text
  } catch (error) {
    if (error instanceof Unprintable) return null
    throw error
  }
}

function joined(op: CalcMeasure['op'], left: Piece, right: Piece): Piece {
  const power = POWERS[op]
  const within = ({ text, power: own }: Piece, least: number): string => (own < least ? `(${text})` : text)
  return { text: `${within(left, power)}${SIGNS[op]}${within(right, power + 1)}`, power }
}

function operandText(operand: CalcOperand, names: FormulaNames): Piece {
  const inner = (each: CalcOperand): string => operandText(each, names).text
  switch (operand.kind) {
    case 'number':
      return numberText(operand.value)
    case 'column':
    case 'expression':
      return whole(leafText(operand, names))
    case 'metric': {
      const found = names.metrics.find(({ id }) => id === operand.id)
      if (!found) throw new Unprintable()
      return whole(bracketed(found.name))
    }
    case 'calc':
      return joined(operand.op, operandText(operand.left, names), operandText(operand.right, names))
    case 'ratio':
      return whole(`safe_divide(${inner(operand.over)}, ${inner(operand.under)})`)
    case 'prev':
      return whole(`prev(${inner(operand.of)}${operand.steps === 1 ? '' : `, ${operand.steps}`})`)
    case 'cumulative': {
      const { restart } = operand
      return whole(`cumulative(${inner(operand.of)}${restart === 'never' ? '' : `, ${restart.toLowerCase()}`})`)
    }
  }
}

const numberText = (value: number): Piece => {
  if (!Number.isFinite(value)) throw new Unprintable()
  return whole(String(value))
}

function leafText(leaf: LeafMeasure, names: FormulaNames): string {
  if (leaf.filter?.length) throw new Unprintable()
  const word = AGGREGATE_WORDS[leaf.agg]
  if (leaf.kind === 'expression') return `${word}(${rowText(leaf.row, names).text})`
  const home = names.dataset.id
  if (!leaf.field) {
    if (leaf.agg !== 'count' || (leaf.dataset ?? home) !== home) throw new Unprintable()
    return `${word}(*)`
  }
  if ((leaf.dataset ?? leaf.field.dataset) !== home) throw new Unprintable()
  return `${word}(${fieldText(leaf.field, names)})`
}

function fieldText(field: Field, names: FormulaNames): string {
  const name = field.via?.length ? null : nameOfField(names, field)
  if (name === null) throw new Unprintable()
  return bracketed(name)
}

function rowText(expr: Expr, names: FormulaNames): Piece {
  const inner = (each: Expr): string => rowText(each, names).text
  switch (expr.kind) {
    case 'field':
      return whole(fieldText(expr.field, names))
    case 'number':
      return numberText(expr.value)
    case 'text':
      return whole(`"${expr.value.replaceAll('"', '""')}"`)
    case 'binary':
      return joined(expr.op, rowText(expr.left, names), rowText(expr.right, names))
    case 'coalesce':
    case 'concat':
      return whole(`${expr.kind}(${expr.items.map(inner).join(', ')})`)
    case 'dateDiff':
      return whole(`days(${fieldText(expr.from, names)}, ${fieldText(expr.to, names)})`)
  }
}
