import { shapeOfExpression } from './number-shape'
import { columnShape, REAL, type NumberShape } from '../vector-number'
import { SAFE_MAX } from '../../query/expressions/decimal'
import { computedDays } from '../../query/time/computed-days'
import type { LiveDataset } from '../../physical-layout'
import type { Column } from '../../../shared/data-sources/data-sources'
import { typeOfExpression } from '../../../shared/query/expression-types'
import type { Expr } from '../../../shared/query/expression'

/**
 * A dataset whose computed columns say what they come out as: their type, scale and bounds follow those of the columns
 * they are made of, which loads may widen.
 */
export function withComputed(dataset: LiveDataset): LiveDataset {
  if (!dataset.columns.some(({ computed }) => computed)) return dataset
  const bounds: LiveDataset['bounds'] = { ...dataset.bounds }
  const columns = dataset.columns.map((column): Column => {
    if (!column.computed) return column
    const { scale: _scale, zoned: _zoned, ...rest } = column
    const type = typeIn(dataset, column.computed)
    if (type === 'date') bounds[column.key] = computedDays(dataset, column.computed)
    if (type === 'text' || type === 'date' || type === 'boolean') return { ...rest, type }
    const { kind, scale, bound } = shapeIn(dataset, column.computed)
    if (kind === 'real' || bound > SAFE_MAX) return { ...rest, type: 'number' }
    bounds[column.key] = { min: -Number(bound), max: Number(bound) }
    return scale === 0 ? { ...rest, type: 'integer' } : { ...rest, type: 'number', scale }
  })
  return { ...dataset, columns, bounds }
}

const typeIn = ({ columns }: LiveDataset, expr: Expr) =>
  typeOfExpression(expr, (field) => columns.find(({ key }) => key === field.column)?.type)

/** Computed columns within one are taken as they are before they get a type. */
const shapeIn = (dataset: LiveDataset, expr: Expr): NumberShape =>
  shapeOfExpression(expr, (field) => {
    const column = dataset.columns.find(({ key }) => key === field.column)
    if (!column) return REAL
    return column.computed ? shapeIn(dataset, column.computed) : columnShape(column, dataset.bounds)
  })
