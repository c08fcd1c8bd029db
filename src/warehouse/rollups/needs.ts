import type { Question } from '../query/aggregate'
import type { ScopeWire } from '../../access/scope'
import { INT64_MAX } from '../query/decimal'
import type { LiveDataset } from '../physical'
import { leavesOf } from '../../shared/plan-fields'
import { isExists } from '../../shared/query'
import type { Expr, Field, Filter, Grain } from '../../shared/query'
import type { Column, ColumnKey } from '../../shared/sources'

/** What a rollup must hold to answer a question exactly. */
export interface Needs {
  /** Columns that rows are told apart by, in key order; moments by their day. */
  dims: ColumnKey[]
  /** Columns that are counted, added up, or asked for their least and most. */
  measures: ColumnKey[]
  /** Of these, those that may have no empty cell: they are calculated with, row by row. */
  whole: ColumnKey[]
}

/** Thrown within this file only: the question needs the rows themselves. */
class NeedsRows extends Error {}

/**
 * What would answer this question from one dataset's rollup; null when only the rows can: relations, computed columns,
 * middle, first and last values, hours, floating point, or rules of access along a column that is added up.
 */
export function needsOf({ plan, facts }: Question, dataset: LiveDataset, scope: ScopeWire): Needs | null {
  const [fact, second] = facts.facts
  if (fact !== dataset.id || second !== undefined) return null
  const found = { dims: new Set<ColumnKey>(), measures: new Set<ColumnKey>(), whole: new Set<ColumnKey>() }
  const dimension = (field: Field, as: Grain | 'day' | 'value'): void => {
    const column = ownColumn(dataset, field)
    if (column.type === 'datetime' && (as === 'hour' || as === 'value')) throw new NeedsRows()
    found.dims.add(column.key)
  }
  const filtered = (filters: readonly Filter[] = []): void => {
    for (const filter of filters) {
      if (isExists(filter)) throw new NeedsRows()
      dimension(filter.field, 'value')
    }
  }
  const added = (field: Field): void => void found.measures.add(exactColumn(dataset, field).key)
  try {
    for (const { field, grain } of plan.dimensions) dimension(field, grain ?? 'value')
    if (plan.period) dimension(plan.period.field, 'day')
    filtered(plan.filters)
    for (const rule of scope.rowFilters) if (rule.dataset === dataset.id) filtered(rule.filters)
    for (const leaf of plan.measures.flatMap(leavesOf)) {
      filtered(leaf.filter)
      if (leaf.kind === 'expression') {
        if (leaf.agg !== 'sum' && leaf.agg !== 'avg') throw new NeedsRows()
        for (const field of linearFields(leaf.row)) {
          added(field)
          found.whole.add(field.column)
        }
      } else if (leaf.field) measured(leaf.agg, leaf.field, { dimension, added })
    }
  } catch (error) {
    if (error instanceof NeedsRows) return null
    throw error
  }
  // What rows are told apart by is not added up as well: the column would have to mean both.
  if ([...found.measures].some((key) => found.dims.has(key))) return null
  const sorted = (keys: Set<ColumnKey>): ColumnKey[] => [...keys].toSorted((a, b) => a.localeCompare(b, 'en'))
  return { dims: sorted(found.dims), measures: sorted(found.measures), whole: sorted(found.whole) }
}

function measured(
  agg: string,
  field: Field,
  to: { dimension: (field: Field, as: 'value') => void; added: (field: Field) => void },
): void {
  if (agg === 'countDistinct') return to.dimension(field, 'value')
  if (agg === 'median' || agg === 'first' || agg === 'last') throw new NeedsRows()
  to.added(field)
}

function ownColumn(dataset: LiveDataset, field: Field): Column {
  const column = dataset.columns.find(({ key }) => key === field.column)
  if (!column || column.computed || field.dataset !== dataset.id || field.via?.length) throw new NeedsRows()
  return column
}

/** A column of whole or scaled numbers whose total fits SQLite's integers. */
function exactColumn(dataset: LiveDataset, field: Field): Column {
  const column = ownColumn(dataset, field)
  if (!isAddable(dataset, column)) throw new NeedsRows()
  return column
}

/** Whether a column's values can be added up exactly, in any order, without leaving 64 bits. */
export function isAddable(dataset: Pick<LiveDataset, 'bounds' | 'rowCount'>, column: Column): boolean {
  if (column.computed || !(column.type === 'integer' || (column.type === 'number' && column.scale !== undefined)))
    return false
  const { min, max } = dataset.bounds[column.key] ?? { min: null, max: null }
  if (![min ?? 0, max ?? 0].every(Number.isSafeInteger)) return false
  const most = BigInt(Math.max(Math.abs(min ?? 0), Math.abs(max ?? 0)))
  return most * BigInt(Math.max(dataset.rowCount, 1)) <= INT64_MAX
}

/** Columns of a sum of columns, each at most multiplied by a number: what is added up row by row or all at once alike. */
function linearFields(expr: Expr): Field[] {
  if (expr.kind === 'field') return [expr.field]
  if (expr.kind !== 'binary') throw new NeedsRows()
  if (expr.op === 'add' || expr.op === 'subtract') return [...linearFields(expr.left), ...linearFields(expr.right)]
  if (expr.op === 'multiply' && expr.left.kind === 'number') return linearFields(expr.right)
  if (expr.op === 'multiply' && expr.right.kind === 'number') return linearFields(expr.left)
  throw new NeedsRows()
}
