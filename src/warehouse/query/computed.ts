import { SAFE_MAX } from './decimal'
import { asReal, exprNumber } from './expr'
import type { RowNumber } from './expr'
import { isText } from './expr-type'
import { localSource, nodeOf } from './source'
import type { JoinNode, QuerySource, CompileContext } from './source'
import type { Sql } from './sql'
import { textSql } from './text'
import type { Expr } from '../../shared/query'
import type { Column } from '../../shared/sources'
import type { LiveDataset } from '../physical'

const isTextOf = (dataset: LiveDataset, expr: Expr): boolean =>
  isText(expr, (field) => dataset.columns.find(({ key }) => key === field.column)?.type)

/** A computed column as SQL over the plain names of its node's stored columns. */
export function computedSql(querySource: QuerySource, joinNode: JoinNode, expr: Expr): Sql {
  const local = localSource(querySource, joinNode, true)
  if (isTextOf(joinNode.dataset, expr)) return textSql(local, expr)
  const value = exprNumber(local, expr)
  return isKept(value) ? value.sql : asReal(value)
}

/** Whether it stays exact: bounds of columns reach to 2^53. */
const isKept = (value: RowNumber): value is Extract<RowNumber, { kind: 'exact' }> =>
  value.kind === 'exact' && value.bound <= SAFE_MAX

/**
 * A dataset whose computed columns say what they come out as: their type, scale and bounds follow those of the columns
 * they are made of, which loads may widen.
 */
export function withComputed(world: Omit<CompileContext, 'find'>, dataset: LiveDataset): LiveDataset {
  if (!dataset.columns.some(({ computed }) => computed)) return dataset
  const root = nodeOf(dataset, { alias: 0, link: null })
  const inside = {
    world: { ...world, find: () => null },
    calendar: world.calendar,
    root,
    nodes: new Map<string, JoinNode>(),
  }
  const local = localSource({ ...inside, inline: true }, root, true)
  const bounds: LiveDataset['bounds'] = { ...dataset.bounds }
  const columns = dataset.columns.map((column): Column => {
    if (!column.computed) return column
    const { scale: _scale, zoned: _zoned, ...rest } = column
    if (isTextOf(dataset, column.computed)) return { ...rest, type: 'text' }
    const value = exprNumber(local, column.computed)
    if (!isKept(value)) return { ...rest, type: 'number' }
    const limit = Number(value.bound)
    bounds[column.key] = { min: -limit, max: limit }
    return value.scale === 0 ? { ...rest, type: 'integer' } : { ...rest, type: 'number', scale: value.scale }
  })
  return { ...dataset, columns, bounds }
}
