import { inBrackets, formulaNameOf, AGGREGATE_FUNCTIONS, type FormulaNames } from './names'
import type { CalcMeasure, CalcOperand, Expr, Field, AggregateMeasure, Measure } from '../query/plan'

/** Thrown within this file only: the language has no words for it. */
class UnprintableMeasure extends Error {}

/** A text with how tightly its outermost sign binds. */
interface PrintedPart {
  text: string
  power: number
}
const SIGNS = { add: ' + ', subtract: ' - ', multiply: ' * ', divide: ' / ' } as const
const POWERS = { add: 1, subtract: 1, multiply: 2, divide: 2 } as const
const ATOM_POWER = 3
const atom = (text: string): PrintedPart => ({ text, power: ATOM_POWER })

/**
 * The formula of a figure, that reads back as the same figure; null when something in it (conditions of its own, rows of
 * another dataset, a column that is gone) cannot be said in a formula.
 */
export function printFormula(measure: Measure, names: FormulaNames): string | null {
  try {
    return printOperand(measure, names).text
  } catch (error) {
    if (error instanceof UnprintableMeasure) return null
    throw error
  }
}

/** The formula of what is worked out for each row; null when something in it cannot be said in a formula. */
export function printRowFormula(expr: Expr, names: FormulaNames): string | null {
  try {
    return printRowExpr(expr, names).text
  } catch (error) {
    if (error instanceof UnprintableMeasure) return null
    throw error
  }
}

function printBinary(op: CalcMeasure['op'], left: PrintedPart, right: PrintedPart): PrintedPart {
  const power = POWERS[op]
  const within = ({ text, power: own }: PrintedPart, least: number): string => (own < least ? `(${text})` : text)
  return { text: `${within(left, power)}${SIGNS[op]}${within(right, power + 1)}`, power }
}

function printOperand(operand: CalcOperand, names: FormulaNames): PrintedPart {
  const inner = (each: CalcOperand): string => printOperand(each, names).text
  switch (operand.kind) {
    case 'number':
      return printNumber(operand.value)
    case 'column':
    case 'expression':
      return atom(printAggregate(operand, names))
    case 'metric': {
      const found = names.metrics.find(({ id }) => id === operand.id)
      if (!found) throw new UnprintableMeasure()
      return atom(inBrackets(found.name))
    }
    case 'calc':
      return printBinary(operand.op, printOperand(operand.left, names), printOperand(operand.right, names))
    case 'ratio':
      return atom(`safe_divide(${inner(operand.over)}, ${inner(operand.under)})`)
    case 'prev':
      return atom(`prev(${inner(operand.of)}${operand.steps === 1 ? '' : `, ${operand.steps}`})`)
    case 'moving':
      throw new UnprintableMeasure()
    case 'cumulative': {
      const { restart } = operand
      return atom(`cumulative(${inner(operand.of)}${restart === 'never' ? '' : `, ${restart.toLowerCase()}`})`)
    }
  }
}

const printNumber = (value: number): PrintedPart => {
  if (!Number.isFinite(value)) throw new UnprintableMeasure()
  return atom(String(value))
}

function printAggregate(leaf: AggregateMeasure, names: FormulaNames): string {
  if (leaf.filter?.length || leaf.percent !== undefined) throw new UnprintableMeasure()
  const word = AGGREGATE_FUNCTIONS[leaf.agg]
  if (leaf.kind === 'expression') return `${word}(${printRowExpr(leaf.row, names).text})`
  const home = names.dataset.id
  if (!leaf.field) {
    if (leaf.agg !== 'count' || (leaf.dataset ?? home) !== home) throw new UnprintableMeasure()
    return `${word}(*)`
  }
  if ((leaf.dataset ?? leaf.field.dataset) !== home) throw new UnprintableMeasure()
  return `${word}(${printField(leaf.field, names)})`
}

function printField(field: Field, names: FormulaNames): string {
  const name = field.via?.length ? null : formulaNameOf(names, field)
  if (name === null) throw new UnprintableMeasure()
  return inBrackets(name)
}

function printRowExpr(expr: Expr, names: FormulaNames): PrintedPart {
  const inner = (each: Expr): string => printRowExpr(each, names).text
  switch (expr.kind) {
    case 'field':
      return atom(printField(expr.field, names))
    case 'number':
      return printNumber(expr.value)
    case 'text':
      return atom(`"${expr.value.replaceAll('"', '""')}"`)
    case 'binary':
      return printBinary(expr.op, printRowExpr(expr.left, names), printRowExpr(expr.right, names))
    case 'coalesce':
    case 'concat':
      return atom(`${expr.kind}(${expr.items.map(inner).join(', ')})`)
    case 'dateDiff':
      return atom(`days(${printField(expr.from, names)}, ${printField(expr.to, names)})`)
  }
}
