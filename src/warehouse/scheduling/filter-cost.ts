import type { LiveDataset } from '../physical-layout'
import { isExistsFilter, type Condition, type FieldFilter, type Filter } from '../../shared/query/plan'
import { type Expr } from '../../shared/query/expression'

/**
 * Microseconds per row and condition. A text is searched (`instr`) in about 0.1 where cells are short; twice that is
 * charged, as long ones take longer. Numbers and days are compared in a tenth of it.
 */
const CONDITION_MICROS = { search: 0.2, text: 0.1, typed: 0.04, list: 0.1, grouping: 0.6 }
/** A list of values is looked through as a tree: for each doubling. */
const LIST_DOUBLING_MICROS = 0.01
/** Per row: of the dataset asked for, to read it and keep its key; of the asking one, to find its key there. */
const KEY_MICROS = { collect: 0.6, find: 0.6 }
/** Per row and operation of a calculated expression. */
const OPERATION_MICROS = 0.1

type FindDataset = (datasetId: string) => LiveDataset | null

/** Microseconds that conditions take which are asked of so many rows, were every one of them asked of every row. */
export function filtersMicros(filters: readonly Filter[], on: { find: FindDataset; rows: number }): number {
  return filters.reduce((sum, filter) => {
    if (!isExistsFilter(filter)) return sum + on.rows * fieldFilterMicros(filter, on.find)
    const rows = on.find(filter.dataset)?.rowCount ?? 0
    const inner = filtersMicros(filter.filters, { find: on.find, rows })
    return sum + on.rows * KEY_MICROS.find + rows * KEY_MICROS.collect + inner
  }, 0)
}

function fieldFilterMicros({ field, any, grouping }: FieldFilter, find: FindDataset): number {
  const type = find(field.dataset)?.columns.find(({ key }) => key === field.column)?.type
  const compared = type === undefined || type === 'text' ? CONDITION_MICROS.text : CONDITION_MICROS.typed
  const own = any.reduce((sum, condition) => sum + conditionMicros(condition, compared), 0)
  return own + (grouping ? CONDITION_MICROS.grouping : 0)
}

function conditionMicros(condition: Condition, compared: number): number {
  switch (condition.op) {
    case 'contains':
    case 'startsWith':
    case 'notContains':
    case 'notStartsWith':
      return CONDITION_MICROS.search
    case 'in':
    case 'notIn':
      return CONDITION_MICROS.list + LIST_DOUBLING_MICROS * Math.log2(Math.max(1, condition.values.length))
    case 'between':
    case 'column':
      return 2 * compared
    case 'eq':
    case 'ne':
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge':
    case 'empty':
    case 'notEmpty':
      return compared
  }
}

/** Microseconds per row of an expression. */
export const expressionMicros = (expr: Expr): number => OPERATION_MICROS * operationsOf(expr)

function operationsOf(expr: Expr): number {
  switch (expr.kind) {
    case 'field':
    case 'number':
    case 'text':
      return 0
    case 'dateDiff':
      return 1
    case 'binary':
    case 'compare':
      return 1 + operationsOf(expr.left) + operationsOf(expr.right)
    case 'coalesce':
    case 'concat':
    case 'function':
      return expr.items.reduce((sum, item) => sum + 1 + operationsOf(item), 0)
  }
}
