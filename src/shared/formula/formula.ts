import { bracketed, fieldsNamed, metricNamed } from './names'
import type { FormulaNames } from './names'
import { parseTree } from './parse'
import type { Tree } from './parse'
import { rowOf, wrong } from './row'
import type { Context } from './row'
import { nearest } from './suggest'
import type { FormulaError } from './tokens'
import { AGGREGATE_WORDS, aggregateNamed, FIGURE_FUNCTIONS, RESTARTS, ROW_FUNCTIONS } from './words'
import { PREV_STEPS_MAX } from '../query'
import type { Aggregate, CalcOperand, Expr, LeafMeasure, Measure } from '../query'

export type ParsedFormula = { ok: true; measure: Measure } | { ok: false; errors: FormulaError[] }

/**
 * What a formula measures: `sum([Amount] * [Price]) / [Orders]`. Inside an aggregate a name in brackets is a column,
 * outside it is a metric. Every mistake is told with its place.
 */
export function parseFormula(text: string, names: FormulaNames): ParsedFormula {
  const parsed = parseTree(text)
  if ('errors' in parsed) return { ok: false, errors: parsed.errors }
  const context: Context = { names, errors: [] }
  const measure = figureOf(parsed.tree, context)
  return measure && context.errors.length === 0 ? { ok: true, measure } : { ok: false, errors: context.errors }
}

/** A figure; a number alone is none. */
function figureOf(tree: Tree, context: Context): Measure | null {
  const operand = operandOf(tree, context)
  if (operand?.kind !== 'number') return operand
  return wrong(context, tree, 'A number alone measures nothing: add up a column, such as sum([Amount]).')
}

function operandOf(tree: Tree, context: Context): CalcOperand | null {
  switch (tree.kind) {
    case 'number':
      return { kind: 'number', value: tree.value }
    case 'name':
      return metricOf(tree, context)
    case 'negative': {
      const right = operandOf(tree.of, context)
      return right && { kind: 'calc', op: 'subtract', left: { kind: 'number', value: 0 }, right }
    }
    case 'binary': {
      const [left, right] = [operandOf(tree.left, context), operandOf(tree.right, context)]
      if (left?.kind === 'number' && right?.kind === 'number')
        return wrong(context, tree, 'Work this out beforehand: there are only numbers here.')
      return left && right && { kind: 'calc', op: tree.op, left, right }
    }
    case 'text':
      return wrong(context, tree, 'A text can stand only within an aggregate.')
    case 'word':
      return wrong(context, tree, `Put the name of a metric in brackets: ${bracketed(tree.value)}.`)
    case 'star':
      return wrong(context, tree, 'A sign (*) without its numbers: only count(*) is written so.')
    case 'call':
      return callOf(tree, context)
  }
}

function metricOf(tree: Extract<Tree, { kind: 'name' }>, context: Context): Measure | null {
  const { names, errors } = context
  const found = metricNamed(names, tree.value)
  if (found) return { kind: 'metric', id: found.id }
  const { from, to } = tree
  if (fieldsNamed(names, tree.value).length > 0) {
    const suggestion = `sum(${bracketed(tree.value)})`
    const message = `${tree.value} is a column: say how its values become one figure, such as ${suggestion}.`
    errors.push({ from, to, message, suggestion })
    return null
  }
  const meant = nearest(
    tree.value,
    names.metrics.flatMap(({ name, synonyms }) => [name, ...synonyms]),
  )
  errors.push({
    from,
    to,
    message:
      meant === undefined
        ? `There is no metric ${tree.value}. Columns stand within an aggregate, such as sum([Amount]).`
        : `There is no metric ${tree.value}. Did you mean ${meant}?`,
    ...(meant === undefined ? {} : { suggestion: bracketed(meant) }),
  })
  return null
}

type Call = Extract<Tree, { kind: 'call' }>

function callOf(tree: Call, context: Context): Measure | null {
  const agg = aggregateNamed(tree.name)
  if (agg) return aggregateOf(agg, tree, context)
  const called = { from: tree.from, to: tree.nameTo }
  const [first, second, third] = tree.args
  switch (tree.name.toLowerCase()) {
    case 'safe_divide': {
      if (!first || !second || third) return wrong(context, called, 'Give it two figures: safe_divide(a, b).')
      const [over, under] = [figureOf(first, context), figureOf(second, context)]
      return over && under && { kind: 'ratio', over, under }
    }
    case 'prev':
      return prevOf(tree, context)
    case 'cumulative':
      return cumulativeOf(tree, context)
    default:
      return unknownCall(tree, context)
  }
}

function prevOf({ from, nameTo, args }: Call, context: Context): Measure | null {
  const [first, second, third] = args
  if (!first || third)
    return wrong(context, { from, to: nameTo }, 'Give it a figure, and how many units back: prev(a, 1).')
  const of = figureOf(first, context)
  if (!second) return of && { kind: 'prev', of, steps: 1 }
  const isCount = second.kind === 'number' && Number.isInteger(second.value)
  if (!isCount || second.value < 1 || second.value > PREV_STEPS_MAX)
    return wrong(context, second, `Write a whole number from 1 to ${PREV_STEPS_MAX}.`)
  return of && { kind: 'prev', of, steps: second.value }
}

function cumulativeOf({ from, nameTo, args }: Call, context: Context): Measure | null {
  const [first, second, third] = args
  if (!first || third)
    return wrong(context, { from, to: nameTo }, 'Give it a figure, and when it begins anew: cumulative(a, year).')
  const of = figureOf(first, context)
  if (!second) return of && { kind: 'cumulative', of, restart: 'never' }
  const word = second.kind === 'word' ? second.value.toLowerCase() : ''
  const restart = Object.entries(RESTARTS).find(([each]) => each === word)?.[1]
  if (restart === undefined) return wrong(context, second, 'Write year or fiscalyear.')
  return of && { kind: 'cumulative', of, restart }
}

function aggregateOf(agg: Aggregate, { from, nameTo, args }: Call, context: Context): Measure | null {
  const { dataset } = context.names
  const [first, second] = args
  if (agg === 'count' && (!first || first.kind === 'star') && !second)
    return { kind: 'column', agg, dataset: dataset.id }
  if (!first || second)
    return wrong(context, { from, to: nameTo }, `Give it one column: ${AGGREGATE_WORDS[agg]}([Amount]).`)
  const row = rowOf(first, context)
  if (!row) return null
  if (row.kind === 'field') return columnMeasure(agg, row.field, dataset.id)
  if (!namesColumn(row)) return wrong(context, first, 'Name at least one column within the aggregate.')
  return { kind: 'expression', agg, row }
}

/** A column of a related dataset is asked for by the rows that are measured. */
const columnMeasure = (
  agg: Aggregate,
  field: Extract<Expr, { kind: 'field' }>['field'],
  dataset: string,
): LeafMeasure => (field.dataset === dataset ? { kind: 'column', agg, field } : { kind: 'column', agg, field, dataset })

function namesColumn(expr: Expr): boolean {
  switch (expr.kind) {
    case 'field':
    case 'dateDiff':
      return true
    case 'number':
    case 'text':
      return false
    case 'binary':
      return namesColumn(expr.left) || namesColumn(expr.right)
    case 'coalesce':
    case 'concat':
      return expr.items.some(namesColumn)
  }
}

function unknownCall({ name, from, nameTo }: Call, context: Context): null {
  const called = { from, to: nameTo }
  if (ROW_FUNCTIONS.some((each) => each === name.toLowerCase()))
    return wrong(context, called, `${name} works row by row: put it within an aggregate, such as sum(${name}(…)).`)
  const known = [...Object.values(AGGREGATE_WORDS), ...FIGURE_FUNCTIONS]
  const suggestion = nearest(name, known)
  context.errors.push({
    ...called,
    message:
      suggestion === undefined
        ? `There is no function ${name}. There are ${known.join(', ')}.`
        : `There is no function ${name}. Did you mean ${suggestion}?`,
    ...(suggestion === undefined ? {} : { suggestion }),
  })
  return null
}
