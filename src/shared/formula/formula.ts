import {
  allColumnNames,
  inBrackets,
  fieldsByName,
  closestName,
  aggregateByName,
  metricByName,
  proposedAggregate,
  AGGREGATE_FUNCTIONS,
  RESTARTS,
} from './names'
import {
  DIFFERENCE_WORDS,
  FIGURE_FUNCTION_NAMES,
  figureFunctionByWord,
  ROW_FUNCTION_NAMES,
  rowFunctionByWord,
} from './functions'
import type { FormulaNames } from './names'
import { FUNCTION_VALUES_MAX, parseSyntax, type FormulaNode, type FormulaError } from './parse'
import { expressionMistake } from '../query/expression-types'
import { figureMistake } from '../query/figure-functions'
import { expressionFieldsOf, isLeafMeasure, operandsOf } from '../query/plan-fields'
import { PREV_STEPS_MAX } from '../limits'
import { DATE_DIFFERENCE_UNITS } from '../query/functions'
import type { CalcOperand, AggregateMeasure, Measure } from '../query/plan'
import type { Expr } from '../query/expression'
import type { Field } from '../query/field'
import type { Aggregate, FigureFunction } from '../query/functions'

/** What is wrong with a formula is gathered; null stands for what could not be understood. */
interface FormulaContext {
  names: FormulaNames
  errors: FormulaError[]
  /** Where each part of a row's formula is written. */
  places: Map<Expr | CalcOperand, { from: number; to: number }>
}
const reportError = (context: FormulaContext, at: { from: number; to: number }, message: string): null => {
  context.errors.push({ from: at.from, to: at.to, message })
  return null
}

/** The inside of an aggregate: what is worked out for each row. */
function toRowExpr(formulaNode: FormulaNode, context: FormulaContext): Expr | null {
  const expr = toPlacedExpr(formulaNode, context)
  if (expr) context.places.set(expr, formulaNode)
  return expr
}

/** That a row's formula can be worked out, as far as the types of its columns are known. */
function checkTypes(row: Expr, context: FormulaContext): void {
  const typeOf = (field: Field) =>
    [context.names.dataset, ...context.names.related]
      .find(({ id }) => id === field.dataset)
      ?.columns.find(({ key }) => key === field.column)?.type
  if (expressionFieldsOf(row).some((field) => typeOf(field) === undefined)) return
  const mistake = expressionMistake(row, typeOf)
  const place = mistake && (context.places.get(mistake.expr) ?? context.places.get(row))
  if (mistake && place) reportError(context, place, mistake.message)
}

function toPlacedExpr(formulaNode: FormulaNode, context: FormulaContext): Expr | null {
  switch (formulaNode.kind) {
    case 'number':
      return { kind: 'number', value: formulaNode.value }
    case 'text':
      return formulaNode.value.length <= 200
        ? { kind: 'text', value: formulaNode.value }
        : reportError(context, formulaNode, 'Max 200 characters of text.')
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
    case 'compare': {
      const [left, right] = [toRowExpr(formulaNode.left, context), toRowExpr(formulaNode.right, context)]
      return left && right && { kind: 'compare', op: formulaNode.op, left, right }
    }
    case 'word':
      return reportError(context, formulaNode, `Enter column names in brackets: ${inBrackets(formulaNode.value)}.`)
    case 'star':
      return reportError(context, formulaNode, 'Use * alone only in count(*).')
    case 'call':
      return toRowCall(formulaNode, context)
  }
}

function toRowCall(tree: FunctionCall, context: FormulaContext): Expr | null {
  const { args } = tree
  const called = { from: tree.from, to: tree.nameTo }
  const word = tree.name.toLowerCase()
  const unit = DATE_DIFFERENCE_UNITS.find((each) => DIFFERENCE_WORDS[each] === word)
  if (unit) {
    const [first, second, third] = args
    if (first?.kind !== 'name' || second?.kind !== 'name' || third)
      return reportError(context, called, `Enter two date columns: ${word}([From], [To]).`)
    const [from, to] = [resolveField(first, context), resolveField(second, context)]
    return from && to && { kind: 'dateDiff', unit, from, to }
  }
  const isAggregate = args.length === 1 && (word === 'min' || word === 'max')
  const fn = isAggregate ? undefined : rowFunctionByWord(word)
  const isList = word === 'concat' || word === 'coalesce' || word === 'ifempty'
  if (!fn && !isList) return reportUnknownRowFunction(tree, context)
  if (args.length === 0 || args.length > FUNCTION_VALUES_MAX)
    return reportError(context, called, `Enter 1–${FUNCTION_VALUES_MAX} values.`)
  const items = args.map((arg) => toRowExpr(arg, context))
  const found = items.flatMap((item) => item ?? [])
  if (found.length < items.length) return null
  if (fn) return { kind: 'function', fn, items: found }
  return { kind: word === 'concat' ? 'concat' : 'coalesce', items: found }
}

function reportUnknownRowFunction(
  { name, from, nameTo }: Extract<FormulaNode, { kind: 'call' }>,
  context: FormulaContext,
): null {
  const called = { from, to: nameTo }
  if (aggregateByName(name))
    return reportError(context, called, 'Aggregates can’t be nested. Save the inner one as a metric.')
  const suggestion = closestName(name, ROW_FUNCTION_NAMES)
  context.errors.push({
    ...called,
    message:
      suggestion === undefined
        ? `Function ${name} not found.`
        : `Function ${name} not found. Did you mean ${suggestion}?`,
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
      message: `Several columns are named ${tree.value}. Add a key, e.g. ${inBrackets(keys)}.`,
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
        ? `Column ${tree.value} not found in ${names.dataset.name}. For related data, enter [Customers.Region].`
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
  const context: FormulaContext = { names, errors: [], places: new Map() }
  const measure = toMeasure(parsed.tree, context)
  if (measure && context.errors.length === 0) checkFigures(measure, context)
  return measure && context.errors.length === 0 ? { ok: true, measure } : { ok: false, errors: context.errors }
}

export type ParsedRowFormula = { ok: true; expr: Expr } | { ok: false; errors: FormulaError[] }

/** What a formula works out for each row, without an aggregate: `[Quantity] * [Price]`. Names are columns. */
export function parseRowFormula(text: string, names: FormulaNames): ParsedRowFormula {
  const parsed = parseSyntax(text)
  if ('errors' in parsed) return { ok: false, errors: parsed.errors }
  const context: FormulaContext = { names, errors: [], places: new Map() }
  const expr = toRowExpr(parsed.tree, context)
  if (expr && expressionFieldsOf(expr).length === 0)
    reportError(context, parsed.tree, 'Enter at least one column, e.g. [Amount].')
  if (expr && context.errors.length === 0) checkTypes(expr, context)
  return expr && context.errors.length === 0 ? { ok: true, expr } : { ok: false, errors: context.errors }
}

/** A figure; a number alone is none. */
function toMeasure(formulaNode: FormulaNode, context: FormulaContext): Measure | null {
  const operand = toOperand(formulaNode, context)
  if (operand?.kind !== 'number') return operand
  return reportError(context, formulaNode, 'Aggregate a column, e.g. sum([Amount]).')
}

function toOperand(formulaNode: FormulaNode, context: FormulaContext): CalcOperand | null {
  const operand = toPlacedOperand(formulaNode, context)
  if (operand) context.places.set(operand, formulaNode)
  return operand
}

function toPlacedOperand(formulaNode: FormulaNode, context: FormulaContext): CalcOperand | null {
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
        return reportError(context, formulaNode, 'Add a measure; this has only numbers.')
      return left && right && { kind: 'calc', op: formulaNode.op, left, right }
    }
    case 'text':
      return reportError(context, formulaNode, 'Text works only inside an aggregate.')
    case 'compare':
      return toFunction(formulaNode.op, [formulaNode.left, formulaNode.right], context)
    case 'word':
      return reportError(context, formulaNode, `Enter metric names in brackets: ${inBrackets(formulaNode.value)}.`)
    case 'star':
      return reportError(context, formulaNode, 'Use * alone only in count(*).')
    case 'call':
      return toCall(formulaNode, context)
  }
}

function toMetric(tree: Extract<FormulaNode, { kind: 'name' }>, context: FormulaContext): Measure | null {
  const { names, errors } = context
  const found = metricByName(names, tree.value)
  if (found) return { kind: 'metric', id: found.id }
  const { from, to } = tree
  const [column] = fieldsByName(names, tree.value)
  if (column) {
    const aggregate = AGGREGATE_FUNCTIONS[proposedAggregate(names, column)]
    const suggestion = `${aggregate}(${inBrackets(tree.value)})`
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
        ? `Metric ${tree.value} not found. Use columns inside an aggregate, e.g. sum([Amount]).`
        : `Metric ${tree.value} not found. Did you mean ${meant}?`,
    ...(meant === undefined ? {} : { suggestion: inBrackets(meant) }),
  })
  return null
}

type FunctionCall = Extract<FormulaNode, { kind: 'call' }>

function toCall(tree: FunctionCall, context: FormulaContext): Measure | null {
  const word = tree.name.toLowerCase()
  const agg = aggregateByName(tree.name)
  const fn = agg && tree.args.length < 2 ? undefined : figureFunctionByWord(word)
  if (fn) return toFunction(fn, tree.args, context, { from: tree.from, to: tree.nameTo })
  if (agg) return toAggregate(agg, tree, context)
  const called = { from: tree.from, to: tree.nameTo }
  const [first, second, third] = tree.args
  switch (word) {
    case 'safe_divide': {
      if (!first || !second || third) return reportError(context, called, 'Enter two measures: safe_divide(a, b).')
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

function toFunction(
  fn: FigureFunction,
  args: readonly FormulaNode[],
  context: FormulaContext,
  called?: { from: number; to: number },
): Measure | null {
  if (called && (args.length === 0 || args.length > FUNCTION_VALUES_MAX))
    return reportError(context, called, `Enter 1–${FUNCTION_VALUES_MAX} values.`)
  const items = args.map((arg) => toOperand(arg, context))
  const found = items.flatMap((item) => item ?? [])
  return found.length < items.length ? null : { kind: 'function', fn, items: found }
}

/** That conditions stand only where functions take them, and that something is aggregated. */
function checkFigures(measure: Measure, context: FormulaContext): void {
  const mistake = figureMistake(measure)
  const place = context.places.get(mistake?.operand ?? measure)
  if (mistake && place) reportError(context, place, mistake.message)
  else if (place && !namesAny(measure)) reportError(context, place, 'Add a measure; this has only numbers.')
}
const namesAny = (measure: Measure): boolean =>
  isLeafMeasure(measure) || measure.kind === 'metric' || operandsOf(measure).some(namesAny)

function toPrevious({ from, nameTo, args }: FunctionCall, context: FormulaContext): Measure | null {
  const [first, second, third] = args
  if (!first || third)
    return reportError(context, { from, to: nameTo }, 'Enter a measure and a number of periods: prev(a, 1).')
  const of = toMeasure(first, context)
  if (!second) return of && { kind: 'prev', of, steps: 1 }
  const isCount = second.kind === 'number' && Number.isInteger(second.value)
  if (!isCount || second.value < 1 || second.value > PREV_STEPS_MAX)
    return reportError(context, second, `Enter a whole number from 1 to ${PREV_STEPS_MAX}.`)
  return of && { kind: 'prev', of, steps: second.value }
}

function toCumulative({ from, nameTo, args }: FunctionCall, context: FormulaContext): Measure | null {
  const [first, second, third] = args
  if (!first || third)
    return reportError(context, { from, to: nameTo }, 'Enter a measure and a restart: cumulative(a, year).')
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
  if (expressionFieldsOf(row).length === 0)
    return reportError(context, first, 'Add at least one column to the aggregate.')
  checkTypes(row, context)
  return { kind: 'expression', agg, row }
}

/** A column of a related dataset is asked for by the rows that are measured. */
const columnMeasure = (
  agg: Aggregate,
  field: Extract<Expr, { kind: 'field' }>['field'],
  dataset: string,
): AggregateMeasure =>
  field.dataset === dataset ? { kind: 'column', agg, field } : { kind: 'column', agg, field, dataset }

function reportUnknownFunction({ name, from, nameTo }: FunctionCall, context: FormulaContext): null {
  const called = { from, to: nameTo }
  if (ROW_FUNCTION_NAMES.includes(name.toLowerCase()))
    return reportError(context, called, `Use ${name} inside an aggregate, e.g. sum(${name}(…)).`)
  const known = [...Object.values(AGGREGATE_FUNCTIONS), ...FIGURE_FUNCTION_NAMES]
  const suggestion = closestName(name, known)
  context.errors.push({
    ...called,
    message:
      suggestion === undefined
        ? `Function ${name} not found. Use ${known.join(', ')}.`
        : `Function ${name} not found. Did you mean ${suggestion}?`,
    ...(suggestion === undefined ? {} : { suggestion }),
  })
  return null
}
