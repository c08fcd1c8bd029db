import { allColumnNames, inBrackets, fieldsByName } from './names'
import type { FormulaNames } from './names'
import type { FormulaNode } from './parse'
import { closestName } from './suggest'
import type { FormulaError } from './tokens'
import { aggregateByName, ROW_FUNCTIONS } from './words'
import type { Expr, Field } from '../query'

/** What is wrong with a formula is gathered; null stands for what could not be understood. */
export interface FormulaContext {
  names: FormulaNames
  errors: FormulaError[]
}
export const reportError = (
  formulaContext: FormulaContext,
  at: { from: number; to: number },
  message: string,
): null => {
  formulaContext.errors.push({ from: at.from, to: at.to, message })
  return null
}
const CONCAT_MAX = 10

/** The inside of an aggregate: what is worked out for each row. */
export function toRowExpr(formulaNode: FormulaNode, formulaContext: FormulaContext): Expr | null {
  switch (formulaNode.kind) {
    case 'number':
      return { kind: 'number', value: formulaNode.value }
    case 'text':
      return formulaNode.value.length <= 200
        ? { kind: 'text', value: formulaNode.value }
        : reportError(formulaContext, formulaNode, 'A text has at most 200 characters.')
    case 'name': {
      const field = resolveField(formulaNode, formulaContext)
      return field && { kind: 'field', field }
    }
    case 'negative': {
      const right = toRowExpr(formulaNode.of, formulaContext)
      return right && { kind: 'binary', op: 'subtract', left: { kind: 'number', value: 0 }, right }
    }
    case 'binary': {
      const [left, right] = [toRowExpr(formulaNode.left, formulaContext), toRowExpr(formulaNode.right, formulaContext)]
      return left && right && { kind: 'binary', op: formulaNode.op, left, right }
    }
    case 'word':
      return reportError(
        formulaContext,
        formulaNode,
        `Put the name of a column in brackets: ${inBrackets(formulaNode.value)}.`,
      )
    case 'star':
      return reportError(formulaContext, formulaNode, 'A sign (*) without its numbers: only count(*) is written so.')
    case 'call':
      return toRowCall(formulaNode, formulaContext)
  }
}

function toRowCall(tree: Extract<FormulaNode, { kind: 'call' }>, formulaContext: FormulaContext): Expr | null {
  const { args } = tree
  const called = { from: tree.from, to: tree.nameTo }
  switch (tree.name.toLowerCase()) {
    case 'coalesce':
    case 'concat': {
      if (args.length === 0 || args.length > CONCAT_MAX)
        return reportError(formulaContext, called, `Give it between one and ${CONCAT_MAX} values.`)
      const items = args.map((arg) => toRowExpr(arg, formulaContext))
      const found = items.flatMap((item) => item ?? [])
      if (found.length < items.length) return null
      return { kind: tree.name.toLowerCase() === 'concat' ? 'concat' : 'coalesce', items: found }
    }
    case 'days': {
      const [first, second, third] = args
      if (first?.kind !== 'name' || second?.kind !== 'name' || third)
        return reportError(formulaContext, called, 'Give it two columns of dates: days([From], [To]).')
      const [from, to] = [resolveField(first, formulaContext), resolveField(second, formulaContext)]
      return from && to && { kind: 'dateDiff', unit: 'day', from, to }
    }
    default:
      return reportUnknownRowFunction(tree, formulaContext)
  }
}

function reportUnknownRowFunction(
  { name, from, nameTo }: Extract<FormulaNode, { kind: 'call' }>,
  formulaContext: FormulaContext,
): null {
  const called = { from, to: nameTo }
  if (aggregateByName(name))
    return reportError(
      formulaContext,
      called,
      'One aggregate cannot stand within another: save the inner one as a metric.',
    )
  const suggestion = closestName(name, ROW_FUNCTIONS)
  formulaContext.errors.push({
    ...called,
    message:
      suggestion === undefined
        ? `There is no ${name} within an aggregate: use + − × ÷, ${ROW_FUNCTIONS.join(', ')}.`
        : `There is no ${name}. Did you mean ${suggestion}?`,
    ...(suggestion === undefined ? {} : { suggestion }),
  })
  return null
}

export function resolveField(
  tree: Extract<FormulaNode, { kind: 'name' }>,
  formulaContext: FormulaContext,
): Field | null {
  const { names, errors } = formulaContext
  const [field, second] = fieldsByName(names, tree.value)
  if (field && !second) return field
  if (field && second) {
    const keys = `${tree.value}#${field.column}`
    errors.push({
      from: tree.from,
      to: tree.to,
      message: `Several columns are called ${tree.value}: add the key of the one you mean, such as ${inBrackets(keys)}.`,
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
        : `There is no column ${tree.value}. Did you mean ${meant}?`,
    ...(meant === undefined ? {} : { suggestion: inBrackets(meant) }),
  })
  return null
}
