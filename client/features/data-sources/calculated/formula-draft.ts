import type { Expr, Field } from '../../../../src/shared/query/plan'
import { COLUMN_TYPES, type ColumnType, type ColumnKey } from '../../../../src/shared/data-sources/files'
import type { Column } from '../../../../src/shared/data-sources/data-sources'

export const OPERATORS = ['add', 'subtract', 'multiply', 'divide'] as const
export type Operator = (typeof OPERATORS)[number]
/** A column, a number, or not chosen yet. */
export type Operand = { kind: 'column'; key: ColumnKey } | { kind: 'number'; value: number } | null
export interface CalculationStep {
  op: Operator
  operand: Operand
}
/** A piece of a joined text: a column, fixed letters, or not chosen yet. */
export type TextPart = { kind: 'column'; key: ColumnKey } | { kind: 'text'; value: string } | null

/** A formula while it is being written. A calculation is worked from top to bottom. */
export type FormulaDraft =
  | { kind: 'calculation'; first: Operand; steps: CalculationStep[] }
  | { kind: 'text'; pieces: TextPart[] }
  | { kind: 'days'; from: ColumnKey | null; to: ColumnKey | null }
  /** As it is typed, and what it says once it can be read. */
  | { kind: 'formula'; text: string; expr: Expr | null }

export const STEPS_MAX = 8
export const TEXT_PARTS_MAX = 10

export const emptyFormulaDraft = (kind: FormulaDraft['kind']): FormulaDraft => {
  switch (kind) {
    case 'calculation':
      return { kind, first: null, steps: [{ op: 'multiply', operand: null }] }
    case 'text':
      return { kind, pieces: [null, { kind: 'text', value: ' ' }, null] }
    case 'days':
      return { kind, from: null, to: null }
    case 'formula':
      return { kind, text: '', expr: null }
  }
}

const TYPES_BY_KIND: Record<FormulaDraft['kind'], readonly ColumnType[]> = {
  calculation: ['number', 'integer'],
  text: ['text', 'integer', 'date'],
  days: ['date', 'datetime'],
  formula: COLUMN_TYPES,
}
/** The columns a formula of this kind can be made of; not the one being edited. */
export const usableColumns = (columns: readonly Column[], kind: FormulaDraft['kind'], self?: ColumnKey): Column[] =>
  columns.filter(({ key, type, hidden }) => !hidden && key !== self && TYPES_BY_KIND[kind].includes(type))

const fieldOf = (dataset: string, column: ColumnKey): Field => ({ dataset, column })
const operandExpr = (dataset: string, operand: Operand): Expr | null => {
  if (operand === null) return null
  return operand.kind === 'number' ? operand : { kind: 'field', field: fieldOf(dataset, operand.key) }
}

function calculationExpr(dataset: string, draft: FormulaDraft & { kind: 'calculation' }): Expr | null {
  return draft.steps.reduce<Expr | null>(
    (left, { op, operand }) => {
      const right = operandExpr(dataset, operand)
      return left && right && { kind: 'binary', op, left, right }
    },
    operandExpr(dataset, draft.first),
  )
}

function textExpr(dataset: string, pieces: readonly TextPart[]): Expr | null {
  const items = pieces.flatMap((piece): Expr[] => {
    if (piece === null) return []
    return [piece.kind === 'text' ? piece : { kind: 'field', field: fieldOf(dataset, piece.key) }]
  })
  const complete = items.length === pieces.length && items.some(({ kind }) => kind === 'field')
  return complete ? { kind: 'concat', items } : null
}

/** The formula; null while something of it is not chosen yet. */
export function toFormulaExpression(dataset: string, draft: FormulaDraft): Expr | null {
  switch (draft.kind) {
    case 'calculation':
      return calculationExpr(dataset, draft)
    case 'text':
      return textExpr(dataset, draft.pieces)
    case 'days':
      return draft.from === null || draft.to === null
        ? null
        : { kind: 'dateDiff', unit: 'day', from: fieldOf(dataset, draft.from), to: fieldOf(dataset, draft.to) }
    case 'formula':
      return draft.expr
  }
}

function toOperand(expr: Expr): Operand {
  if (expr.kind === 'number') return expr
  return expr.kind === 'field' ? { kind: 'column', key: expr.field.column } : null
}

function toCalculation(expr: Expr): FormulaDraft | null {
  const steps: CalculationStep[] = []
  let left = expr
  while (left.kind === 'binary') {
    const operand = toOperand(left.right)
    if (operand === null) return null
    steps.unshift({ op: left.op, operand })
    left = left.left
  }
  const first = toOperand(left)
  return first === null ? null : { kind: 'calculation', first, steps }
}

/** A stored formula for the editor; null when it was made elsewhere and says more than the editor can. */
export function toFormulaDraft(expr: Expr): FormulaDraft | null {
  if (expr.kind === 'dateDiff') return { kind: 'days', from: expr.from.column, to: expr.to.column }
  if (expr.kind !== 'concat') return toCalculation(expr)
  const pieces = expr.items.flatMap((item): TextPart[] => {
    if (item.kind === 'text') return [item]
    return item.kind === 'field' ? [{ kind: 'column', key: item.field.column }] : []
  })
  return pieces.length === expr.items.length ? { kind: 'text', pieces } : null
}

export const OPERATOR_SIGNS: Record<Operator, string> = { add: '+', subtract: '−', multiply: '×', divide: '÷' }

/** Times and divided bind closer than plus and minus. */
const precedence = (expr: Expr): number =>
  expr.kind !== 'binary' ? 3 : expr.op === 'multiply' || expr.op === 'divide' ? 2 : 1

/** A formula as it is written on paper: "(Price − Cost) × Quantity". */
export function describeFormula(expr: Expr, columns: readonly Column[]): string {
  const name = ({ column }: Field): string => columns.find(({ key }) => key === column)?.label ?? 'deleted column'
  const describe = (one: Expr): string => {
    switch (one.kind) {
      case 'field':
        return name(one.field)
      case 'number':
        return String(one.value).replace('-', '−')
      case 'text':
        return `“${one.value}”`
      case 'concat':
        return one.items.map(describe).join(' & ')
      case 'coalesce':
        return `first non-empty of ${one.items.map(describe).join(', ')}`
      case 'dateDiff':
        return `days from ${name(one.from)} to ${name(one.to)}`
      case 'binary':
        return `${parenthesize(one.left, precedence(one))} ${OPERATOR_SIGNS[one.op]} ${parenthesize(one.right, precedence(one) + 1)}`
    }
  }
  const parenthesize = (one: Expr, least: number): string =>
    precedence(one) < least ? `(${describe(one)})` : describe(one)
  return describe(expr)
}

/** Whether a number comes out of a formula, which can be shown as an amount or in per cent. */
export function producesNumber(expr: Expr, columns: readonly Column[]): boolean {
  switch (expr.kind) {
    case 'number':
    case 'binary':
    case 'dateDiff':
      return true
    case 'text':
    case 'concat':
      return false
    case 'field': {
      const type = columns.find(({ key }) => key === expr.field.column)?.type
      return type === 'number' || type === 'integer'
    }
    case 'coalesce':
      return expr.items.every((item) => producesNumber(item, columns))
  }
}
