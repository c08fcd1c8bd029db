import { allFieldNames, bracketed, fieldsNamed } from './names'
import type { FormulaNames } from './names'
import type { Tree } from './parse'
import { nearest } from './suggest'
import type { FormulaError } from './tokens'
import { aggregateNamed, ROW_FUNCTIONS } from './words'
import type { Expr, Field } from '../query'

/** What is wrong with a formula is gathered; null stands for what could not be understood. */
export interface Context {
  names: FormulaNames
  errors: FormulaError[]
}
export const wrong = (context: Context, at: { from: number; to: number }, message: string): null => {
  context.errors.push({ from: at.from, to: at.to, message })
  return null
}
const CONCAT_MAX = 10

/** The inside of an aggregate: what is worked out for each row. */
export function rowOf(tree: Tree, context: Context): Expr | null {
  switch (tree.kind) {
    case 'number':
      return { kind: 'number', value: tree.value }
    case 'text':
      return tree.value.length <= 200
        ? { kind: 'text', value: tree.value }
        : wrong(context, tree, 'A text has at most 200 characters.')
    case 'name': {
      const field = fieldOf(tree, context)
      return field && { kind: 'field', field }
    }
    case 'negative': {
      const right = rowOf(tree.of, context)
      return right && { kind: 'binary', op: 'subtract', left: { kind: 'number', value: 0 }, right }
    }
    case 'binary': {
      const [left, right] = [rowOf(tree.left, context), rowOf(tree.right, context)]
      return left && right && { kind: 'binary', op: tree.op, left, right }
    }
    case 'word':
      return wrong(context, tree, `Put the name of a column in brackets: ${bracketed(tree.value)}.`)
    case 'star':
      return wrong(context, tree, 'A sign (*) without its numbers: only count(*) is written so.')
    case 'call':
      return rowCall(tree, context)
  }
}

function rowCall(tree: Extract<Tree, { kind: 'call' }>, context: Context): Expr | null {
  const { args } = tree
  const called = { from: tree.from, to: tree.nameTo }
  switch (tree.name.toLowerCase()) {
    case 'coalesce':
    case 'concat': {
      if (args.length === 0 || args.length > CONCAT_MAX)
        return wrong(context, called, `Give it between one and ${CONCAT_MAX} values.`)
      const items = args.map((arg) => rowOf(arg, context))
      const found = items.flatMap((item) => item ?? [])
      if (found.length < items.length) return null
      return { kind: tree.name.toLowerCase() === 'concat' ? 'concat' : 'coalesce', items: found }
    }
    case 'days': {
      const [first, second, third] = args
      if (first?.kind !== 'name' || second?.kind !== 'name' || third)
        return wrong(context, called, 'Give it two columns of dates: days([From], [To]).')
      const [from, to] = [fieldOf(first, context), fieldOf(second, context)]
      return from && to && { kind: 'dateDiff', unit: 'day', from, to }
    }
    default:
      return unknownRowCall(tree, context)
  }
}

function unknownRowCall({ name, from, nameTo }: Extract<Tree, { kind: 'call' }>, context: Context): null {
  const called = { from, to: nameTo }
  if (aggregateNamed(name))
    return wrong(context, called, 'One aggregate cannot stand within another: save the inner one as a metric.')
  const suggestion = nearest(name, ROW_FUNCTIONS)
  context.errors.push({
    ...called,
    message:
      suggestion === undefined
        ? `There is no ${name} within an aggregate: use + − × ÷, ${ROW_FUNCTIONS.join(', ')}.`
        : `There is no ${name}. Did you mean ${suggestion}?`,
    ...(suggestion === undefined ? {} : { suggestion }),
  })
  return null
}

export function fieldOf(tree: Extract<Tree, { kind: 'name' }>, context: Context): Field | null {
  const { names, errors } = context
  const [field, second] = fieldsNamed(names, tree.value)
  if (field && !second) return field
  if (field && second) {
    const keys = `${tree.value}#${field.column}`
    errors.push({
      from: tree.from,
      to: tree.to,
      message: `Several columns are called ${tree.value}: add the key of the one you mean, such as ${bracketed(keys)}.`,
      suggestion: bracketed(keys),
    })
    return null
  }
  const meant = nearest(tree.value, allFieldNames(names))
  errors.push({
    from: tree.from,
    to: tree.to,
    message:
      meant === undefined
        ? `${names.dataset.name} has no column ${tree.value}. A column of related data is written with its dataset: [Customers.Region].`
        : `There is no column ${tree.value}. Did you mean ${meant}?`,
    ...(meant === undefined ? {} : { suggestion: bracketed(meant) }),
  })
  return null
}
