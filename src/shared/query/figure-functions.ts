import { COMPARISON_OPERATORS, ROUND_DECIMALS_MAX } from './functions'
import type { CalcOperand, FunctionMeasure } from './plan'
import type { ComparisonOperator, FigureFunction } from './functions'

const COMPARISONS: ReadonlySet<string> = new Set(COMPARISON_OPERATORS)
export const isComparison = (fn: FigureFunction): fn is ComparisonOperator => COMPARISONS.has(fn)
const CONDITIONS: ReadonlySet<FigureFunction> = new Set(['and', 'or', 'not', 'isEmpty', ...COMPARISON_OPERATORS])
/** Whether an operand is true or false, not a figure. */
export const isCondition = (operand: CalcOperand): operand is FunctionMeasure =>
  operand.kind === 'function' && CONDITIONS.has(operand.fn)

/** The figures of which one comes out: as it is, rounded or without its sign. */
export function figuresThrough<Operand>(fn: FigureFunction, items: readonly Operand[]): readonly Operand[] {
  if (fn === 'if') return items.slice(1)
  return fn === 'round' ? items.slice(0, 1) : items
}

/** What is wrong with a function of figures, and which of its operands. */
export interface FigureMistake {
  operand: CalcOperand
  message: string
}
const NEEDS_CONDITION = 'Enter a condition, e.g. [Revenue] > 1000.'
const NEEDS_FIGURE = 'A condition isn’t a number. Use if(condition, 1, 0).'

/** The first condition where a figure belongs, or the other way round; null when all of it can be worked out. */
export function figureMistake(root: CalcOperand): FigureMistake | null {
  return isCondition(root) ? { operand: root, message: NEEDS_FIGURE } : mistakeWithin(root)
}
function mistakeWithin(operand: CalcOperand): FigureMistake | null {
  switch (operand.kind) {
    case 'number':
    case 'column':
    case 'expression':
    case 'metric':
      return null
    case 'ratio':
      return figures([operand.over, operand.under])
    case 'calc':
      return figures([operand.left, operand.right])
    case 'prev':
    case 'cumulative':
    case 'moving':
    case 'whole':
    case 'grouped':
      return figures([operand.of])
    case 'function':
      return functionMistake(operand)
  }
}
function figures(operands: readonly CalcOperand[]): FigureMistake | null {
  for (const operand of operands) {
    const mistake = figureMistake(operand)
    if (mistake) return mistake
  }
  return null
}
function conditions(operands: readonly CalcOperand[]): FigureMistake | null {
  for (const operand of operands) {
    const mistake = isCondition(operand) ? mistakeWithin(operand) : { operand, message: NEEDS_CONDITION }
    if (mistake) return mistake
  }
  return null
}

function functionMistake(measure: FunctionMeasure): FigureMistake | null {
  const { fn, items } = measure
  const refused = (message: string): FigureMistake => ({ operand: measure, message })
  switch (fn) {
    case 'if':
      return items.length === 2 || items.length === 3
        ? (conditions(items.slice(0, 1)) ?? figures(items.slice(1)))
        : refused('Enter a condition and two values: if(condition, a, b).')
    case 'and':
    case 'or':
      return conditions(items)
    case 'not':
      return items.length === 1 ? conditions(items) : refused('Enter one condition: not(condition).')
    case 'isEmpty':
      return items.length === 1 ? figures(items) : refused('Enter one value: isempty(a).')
    case 'abs':
      return items.length === 1 ? figures(items) : refused('Enter one number: abs(a).')
    case 'round':
      return items.length <= 2 ? (decimalsMistake(items[1]) ?? figures(items)) : refused(ROUND_USAGE)
    case 'coalesce':
    case 'least':
    case 'greatest':
      return figures(items)
    case 'eq':
    case 'ne':
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge':
      return items.length === 2 ? figures(items) : refused('Compare two values.')
  }
}
const ROUND_USAGE = 'Enter a number and its decimals: round(a, 2).'
function decimalsMistake(decimals: CalcOperand | undefined): FigureMistake | null {
  if (!decimals) return null
  const places = decimals.kind === 'number' ? decimals.value : -1
  const isFine = Number.isInteger(places) && places >= 0 && places <= ROUND_DECIMALS_MAX
  return isFine ? null : { operand: decimals, message: `Enter 0–${ROUND_DECIMALS_MAX} decimals.` }
}
