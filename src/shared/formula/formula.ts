import {
  allColumnNames,
  inBrackets,
  fieldsByName,
  closestName,
  aggregateByName,
  ROW_FUNCTIONS,
  metricByName,
  AGGREGATE_FUNCTIONS,
  MEASURE_FUNCTIONS,
  RESTARTS,
} from './names'
import type { FormulaNames } from './names'
import { parseSyntax, type FormulaNode, type FormulaError } from './parse'
import { PREV_STEPS_MAX } from '../query/plan'
import type { Expr, Field, Aggregate, CalcOperand, AggregateMeasure, Measure } from '../query/plan'

/** What is wrong with a formula is gathered; null stands for what could not be understood. */
interface FormulaContext {
  names: FormulaNames
  errors: FormulaError[]
}
const reportError = (context: FormulaContext, at: { from: number; to: number }, message: string): null => {
  context.errors.push({ from: at.from, to: at.to, message })
  return null
}
const CONCAT_MAX = 10

/** The inside of an aggregate: what is worked out for each row. */
function toRowExpr(formulaNode: FormulaNode, context: FormulaContext): Expr | null {
  switch (formulaNode.kind) {
    case 'number':
      return { kind: 'number', value: formulaNode.value }
    case 'text':
      return formulaNode.value.length <= 200
        ? { kind: 'text', value: formulaNode.value }
        : reportError(context, formulaNode, 'Enter at most 200 characters of text.')
    case 'name': {
      const field = resolveField(formulaNode, context)
      return field && { kind: 'field', field }
    }
    case 'negative': {
      const right = toRowExpr(formulaNode.of, context)
      return right && { kind: 'binary', op: 'subtract', left: { kind: 'number', value: 0 }, right }
    }
    case 'binary': {
      const [left, right] = [toRowExpr(formulaNode.left, context), toRowExpr(formulaNode.right, context)]
      return left && right && { kind: 'binary', op: formulaNode.op, left, right }
    }
    case 'word':
      return reportError(context, formulaNode, `Enter column names in brackets: ${inBrackets(formulaNode.value)}.`)
    case 'star':
      return reportError(context, formulaNode, 'Enter a number on both sides of *. Only count(*) has none.')
    case 'call':
      return toRowCall(formulaNode, context)
  }
}

function toRowCall(tree: Extract<FormulaNode, { kind: 'call' }>, context: FormulaContext): Expr | null {
  const { args } = tree
  const called = { from: tree.from, to: tree.nameTo }
  switch (tree.name.toLowerCase()) {
    case 'coalesce':
    case 'concat': {
      if (args.length === 0 || args.length > CONCAT_MAX)
        return reportError(context, called, `Enter 1–${CONCAT_MAX} values.`)
      const items = args.map((arg) => toRowExpr(arg, context))
      const found = items.flatMap((item) => item ?? [])
      if (found.length < items.length) return null
      return { kind: tree.name.toLowerCase() === 'concat' ? 'concat' : 'coalesce', items: found }
    }
    case 'days': {
      const [first, second, third] = args
      if (first?.kind !== 'name' || second?.kind !== 'name' || third)
        return reportError(context, called, 'Enter two date columns: days([From], [To]).')
      const [from, to] = [resolveField(first, context), resolveField(second, context)]
      return from && to && { kind: 'dateDiff', unit: 'day', from, to }
    }
    default:
      return reportUnknownRowFunction(tree, context)
  }
}

function reportUnknownRowFunction(
  { name, from, nameTo }: Extract<FormulaNode, { kind: 'call' }>,
  context: FormulaContext,
): null {
  const called = { from, to: nameTo }
  if (aggregateByName(name))
    return reportError(context, called, 'Aggregates can’t be nested. Save the inner one as a metric.')
  const suggestion = closestName(name, ROW_FUNCTIONS)
  context.errors.push({
    ...called,
    message:
      suggestion === undefined
        ? `${name} not found. Within an aggregate use + − × ÷, ${ROW_FUNCTIONS.join(', ')}.`
        : `${name} not found. Did you mean ${suggestion}?`,
    ...(suggestion === undefined ? {} : { suggestion }),
  })
  return null
}

function resolveField(tree: Extract<FormulaNode, { kind: 'name' }>, context: FormulaContext): Field | null {
  const { names, errors } = context
  const [field, second] = fieldsByName(names, tree.value)
  if (field && !second) return field
  if (field && second) {
    const keys = `${tree.value}#${field.column}`
    errors.push({
      from: tree.from,
      to: tree.to,
      message: `Several columns are named ${tree.value}. Add the key, e.g. ${inBrackets(keys)}.`,
      suggestion: inBrackets(keys),
    })
    return null
  }
  const meant = closestName(tree.value, allColumnNames(names))
  errors.push({
    from: tree.from,
    to: tree.to,
    message:
      meant === undefined
        ? `${names.dataset.name} has no column ${tree.value}. A column of related data is written with its dataset: [Customers.Region].`
        : `Column ${tree.value} not found. Did you mean ${meant}?`,
    ...(meant === undefined ? {} : { suggestion: inBrackets(meant) }),
  })
  return null
}

export type ParsedFormula = { ok: true; measure: Measure } | { ok: false; errors: FormulaError[] }

/**
 * What a formula measures: `sum([Amount] * [Price]) / [Orders]`. Inside an aggregate a name in brackets is a column,
 * outside it is a metric. Every mistake is told with its place.
 */
export function parseFormula(text: string, names: FormulaNames): ParsedFormula {
  const parsed = parseSyntax(text)
  if ('errors' in parsed) return { ok: false, errors: parsed.errors }
  const context: FormulaContext = { names, errors: [] }
  const measure = toMeasure(parsed.tree, context)
  return measure && context.errors.length === 0 ? { ok: true, measure } : { ok: false, errors: context.errors }
}

/** A figure; a number alone is none. */
function toMeasure(formulaNode: FormulaNode, context: FormulaContext): Measure | null {
  const operand = toOperand(formulaNode, context)
  if (operand?.kind !== 'number') return operand
  return reportError(context, formulaNode, 'Aggregate a column, e.g. sum([Amount])')
}

function toOperand(formulaNode: FormulaNode, context: FormulaContext): CalcOperand | null {
  switch (formulaNode.kind) {
    case 'number':
      return { kind: 'number', value: formulaNode.value }
    case 'name':
      return toMetric(formulaNode, context)
    case 'negative': {
      const right = toOperand(formulaNode.of, context)
      return right && { kind: 'calc', op: 'subtract', left: { kind: 'number', value: 0 }, right }
    }
    case 'binary': {
      const [left, right] = [toOperand(formulaNode.left, context), toOperand(formulaNode.right, context)]
      if (left?.kind === 'number' && right?.kind === 'number')
        return reportError(context, formulaNode, 'Enter the result instead: this part has only numbers.')
      return left && right && { kind: 'calc', op: formulaNode.op, left, right }
    }
    case 'text':
      return reportError(context, formulaNode, 'Use text within an aggregate only.')
    case 'word':
      return reportError(context, formulaNode, `Enter metric names in brackets: ${inBrackets(formulaNode.value)}.`)
    case 'star':
      return reportError(context, formulaNode, 'Enter a number on both sides of *. Only count(*) has none.')
    case 'call':
      return toCall(formulaNode, context)
  }
}

function toMetric(tree: Extract<FormulaNode, { kind: 'name' }>, context: FormulaContext): Measure | null {
  const { names, errors } = context
  const found = metricByName(names, tree.value)
  if (found) return { kind: 'metric', id: found.id }
  const { from, to } = tree
  if (fieldsByName(names, tree.value).length > 0) {
    const suggestion = `sum(${inBrackets(tree.value)})`
    const message = `${tree.value} is a column. Aggregate it, e.g. ${suggestion}.`
    errors.push({ from, to, message, suggestion })
    return null
  }
  const meant = closestName(
    tree.value,
    names.metrics.flatMap(({ name, synonyms }) => [name, ...synonyms]),
  )
  errors.push({
    from,
    to,
    message:
      meant === undefined
        ? `Metric ${tree.value} not found. Aggregate columns, e.g. sum([Amount]).`
        : `Metric ${tree.value} not found. Did you mean ${meant}?`,
    ...(meant === undefined ? {} : { suggestion: inBrackets(meant) }),
  })
  return null
}

type FunctionCall = Extract<FormulaNode, { kind: 'call' }>

function toCall(tree: FunctionCall, context: FormulaContext): Measure | null {
  const agg = aggregateByName(tree.name)
  if (agg) return toAggregate(agg, tree, context)
  const called = { from: tree.from, to: tree.nameTo }
  const [first, second, third] = tree.args
  switch (tree.name.toLowerCase()) {
    case 'safe_divide': {
      if (!first || !second || third) return reportError(context, called, 'Enter two values: safe_divide(a, b).')
      const [over, under] = [toMeasure(first, context), toMeasure(second, context)]
      return over && under && { kind: 'ratio', over, under }
    }
    case 'prev':
      return toPrevious(tree, context)
    case 'cumulative':
      return toCumulative(tree, context)
    default:
      return reportUnknownFunction(tree, context)
  }
}

function toPrevious({ from, nameTo, args }: FunctionCall, context: FormulaContext): Measure | null {
  const [first, second, third] = args
  if (!first || third)
    return reportError(context, { from, to: nameTo }, 'Enter a value and the periods back: prev(a, 1).')
  const of = toMeasure(first, context)
  if (!second) return of && { kind: 'prev', of, steps: 1 }
  const isCount = second.kind === 'number' && Number.isInteger(second.value)
  if (!isCount || second.value < 1 || second.value > PREV_STEPS_MAX)
    return reportError(context, second, `Enter a whole number, 1–${PREV_STEPS_MAX}.`)
  return of && { kind: 'prev', of, steps: second.value }
}

function toCumulative({ from, nameTo, args }: FunctionCall, context: FormulaContext): Measure | null {
  const [first, second, third] = args
  if (!first || third)
    return reportError(context, { from, to: nameTo }, 'Enter a value and when it restarts: cumulative(a, year).')
  const of = toMeasure(first, context)
  if (!second) return of && { kind: 'cumulative', of, restart: 'never' }
  const word = second.kind === 'word' ? second.value.toLowerCase() : ''
  const restart = Object.entries(RESTARTS).find(([each]) => each === word)?.[1]
  if (restart === undefined) return reportError(context, second, 'Enter year or fiscalyear.')
  return of && { kind: 'cumulative', of, restart }
}

function toAggregate(agg: Aggregate, { from, nameTo, args }: FunctionCall, context: FormulaContext): Measure | null {
  const { dataset } = context.names
  const [first, second] = args
  if (agg === 'count' && (!first || first.kind === 'star') && !second)
    return { kind: 'column', agg, dataset: dataset.id }
  if (!first || second)
    return reportError(context, { from, to: nameTo }, `Enter one column: ${AGGREGATE_FUNCTIONS[agg]}([Amount]).`)
  const row = toRowExpr(first, context)
  if (!row) return null
  if (row.kind === 'field') return columnMeasure(agg, row.field, dataset.id)
  if (!namesColumn(row)) return reportError(context, first, 'Enter at least one column within the aggregate.')
  return { kind: 'expression', agg, row }
}

/** A column of a related dataset is asked for by the rows that are measured. */
const columnMeasure = (
  agg: Aggregate,
  field: Extract<Expr, { kind: 'field' }>['field'],
  dataset: string,
): AggregateMeasure =>
  field.dataset === dataset ? { kind: 'column', agg, field } : { kind: 'column', agg, field, dataset }

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

function reportUnknownFunction({ name, from, nameTo }: FunctionCall, context: FormulaContext): null {
  const called = { from, to: nameTo }
  if (ROW_FUNCTIONS.some((each) => each === name.toLowerCase()))
    return reportError(context, called, `${name} works per row. Use it within an aggregate, e.g. sum(${name}(…)).`)
  const known = [...Object.values(AGGREGATE_FUNCTIONS), ...MEASURE_FUNCTIONS]
  const suggestion = closestName(name, known)
  context.errors.push({
    ...called,
    message:
      suggestion === undefined
        ? `Function ${name} not found. Available: ${known.join(', ')}.`
        : `Function ${name} not found. Did you mean ${suggestion}?`,
    ...(suggestion === undefined ? {} : { suggestion }),
  })
  return null
}
