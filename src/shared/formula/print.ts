import { inBrackets, formulaNameOf, AGGREGATE_FUNCTIONS, type FormulaNames } from './names'
import { DIFFERENCE_WORDS, wordOfFunction } from './functions'
import { isComparison } from '../query/figure-functions'
import { ARITHMETIC_SIGNS } from '../query/plan-labels'
import type { AggregateMeasure, CalcMeasure, CalcOperand, FunctionMeasure, Measure } from '../query/plan'
import type { Expr } from '../query/expression'
import type { Field } from '../query/field'
import type { ComparisonOperator, FigureFunction } from '../query/functions'

/** Thrown within this file only: the language has no words for it. */
class UnprintableMeasure extends Error {}

/** A text with how tightly its outermost sign binds. */
interface PrintedPart {
  text: string
  power: number
}
/** As it is typed, and as it is read in a sentence. */
const TYPED_SIGNS = {
  ...({ add: '+', subtract: '-', multiply: '*', divide: '/' } as const),
  ...({ eq: '=', ne: '<>', lt: '<', le: '<=', gt: '>', ge: '>=' } as const),
}
const READ_SIGNS: Signs = { ...ARITHMETIC_SIGNS, eq: '=', ne: '≠', lt: '<', le: '≤', gt: '>', ge: '≥' }
type Signs = Readonly<Record<CalcMeasure['op'] | ComparisonOperator, string>>
const POWERS = { or: 1, and: 2, compare: 4, add: 5, subtract: 5, multiply: 6, divide: 6 } as const
const ATOM_POWER = 8
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
    return printRowExpr(expr, typedFields(names)).text
  } catch (error) {
    if (error instanceof UnprintableMeasure) return null
    throw error
  }
}

/** A row's formula in a sentence: in the same language, columns by the names that are given. */
export const describeRowFormula = (expr: Expr, nameOf: (field: Field) => string): string =>
  printRowExpr(expr, { signs: READ_SIGNS, field: nameOf }).text

/** A function of figures in a sentence: in the same language, figures by the words that are given. */
export const describeFigureFunction = (measure: FunctionMeasure, describe: (figure: Measure) => string): string => {
  const part = (operand: CalcOperand): PrintedPart => {
    if (operand.kind === 'number') return printNumber(operand.value)
    if (operand.kind !== 'function' || operand.label !== undefined) return atom(describe(operand))
    return printFunction(operand.fn, operand.items.map(part), READ_SIGNS)
  }
  return part({ ...measure, label: undefined }).text
}

const within = ({ text, power }: PrintedPart, least: number): string => (power < least ? `(${text})` : text)
function printBinary(op: CalcMeasure['op'], [left, right]: [PrintedPart, PrintedPart], signs: Signs): PrintedPart {
  const power = POWERS[op]
  return { text: `${within(left, power)} ${signs[op]} ${within(right, power + 1)}`, power }
}

function printComparison(op: ComparisonOperator, sides: readonly PrintedPart[], signs: Signs): PrintedPart {
  const text = sides.map((side) => within(side, POWERS.compare + 1)).join(` ${signs[op]} `)
  return { text, power: POWERS.compare }
}
const logicOf = (fn: string): 'and' | 'or' | undefined => (fn === 'and' || fn === 'or' ? fn : undefined)
/** `and` and `or` of several stand between them. */
function printCall(
  { word, logic }: { word: string; logic?: 'and' | 'or' | undefined },
  parts: readonly PrintedPart[],
): PrintedPart {
  if (!logic || parts.length < 2) return atom(`${word}(${parts.map(({ text }) => text).join(', ')})`)
  const power = POWERS[logic]
  return { text: parts.map((part) => within(part, power + 1)).join(` ${logic} `), power }
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
      return printBinary(
        operand.op,
        [printOperand(operand.left, names), printOperand(operand.right, names)],
        TYPED_SIGNS,
      )
    case 'function':
      return printFunction(
        operand.fn,
        operand.items.map((item) => printOperand(item, names)),
        TYPED_SIGNS,
      )
    case 'ratio':
      return atom(`safe_divide(${inner(operand.over)}, ${inner(operand.under)})`)
    case 'prev':
      return atom(`prev(${inner(operand.of)}${operand.steps === 1 ? '' : `, ${operand.steps}`})`)
    case 'moving':
    case 'whole':
    case 'grouped':
      throw new UnprintableMeasure()
    case 'cumulative': {
      const { restart } = operand
      return atom(`cumulative(${inner(operand.of)}${restart === 'never' ? '' : `, ${restart.toLowerCase()}`})`)
    }
  }
}

function printFunction(fn: FigureFunction, parts: readonly PrintedPart[], signs: Signs): PrintedPart {
  if (isComparison(fn)) return printComparison(fn, parts, signs)
  return printCall(fn === 'coalesce' ? { word: fn } : { word: wordOfFunction(fn), logic: logicOf(fn) }, parts)
}

const printNumber = (value: number): PrintedPart => {
  if (!Number.isFinite(value)) throw new UnprintableMeasure()
  return atom(String(value))
}

function printAggregate(leaf: AggregateMeasure, names: FormulaNames): string {
  if (leaf.filter?.length || leaf.percent !== undefined || leaf.by) throw new UnprintableMeasure()
  const word = AGGREGATE_FUNCTIONS[leaf.agg]
  if (leaf.kind === 'expression') return `${word}(${printRowExpr(leaf.row, typedFields(names)).text})`
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

/** How signs and columns are written. */
interface RowNaming {
  signs: Signs
  field(field: Field): string
}
const typedFields = (names: FormulaNames): RowNaming => ({
  signs: TYPED_SIGNS,
  field: (field) => printField(field, names),
})

function printRowExpr(expr: Expr, naming: RowNaming): PrintedPart {
  const part = (each: Expr): PrintedPart => printRowExpr(each, naming)
  const list = (items: readonly Expr[]): string => items.map((item) => part(item).text).join(', ')
  switch (expr.kind) {
    case 'field':
      return atom(naming.field(expr.field))
    case 'number':
      return printNumber(expr.value)
    case 'text':
      return atom(`"${expr.value.replaceAll('"', '""')}"`)
    case 'binary':
      return printBinary(expr.op, [part(expr.left), part(expr.right)], naming.signs)
    case 'compare': {
      return printComparison(expr.op, [part(expr.left), part(expr.right)], naming.signs)
    }
    case 'coalesce':
    case 'concat':
      return atom(`${expr.kind}(${list(expr.items)})`)
    case 'dateDiff':
      return atom(`${DIFFERENCE_WORDS[expr.unit]}(${naming.field(expr.from)}, ${naming.field(expr.to)})`)
    case 'function':
      return printCall({ word: wordOfFunction(expr.fn), logic: logicOf(expr.fn) }, expr.items.map(part))
  }
}
