import { invalid, tooComplex, unknownField } from './refuse'
import { ProductError } from '../../shared/errors'
import { datasetsOf, isExists } from '../../shared/query'
import type { Aggregate, Dimension, Expr, Field, Filter, Measure, QueryPlan } from '../../shared/query'
import type { Column } from '../../shared/sources'
import type { CatalogueDataset } from '../contract'

const EXPRESSION_DEPTH_MAX = 16
const EXPRESSION_NODES_MAX = 100
const RATIO_DEPTH_MAX = 3
export const AGGREGATES_MAX = 20

type ColumnOf = (field: Field, path: string) => Column
const NUMERIC: ReadonlySet<Column['type']> = new Set(['integer', 'number'])
const TEMPORAL: ReadonlySet<Column['type']> = new Set(['date', 'datetime'])
const FOR_NUMBERS: ReadonlySet<Aggregate> = new Set(['sum', 'avg', 'median'])

/**
 * That a plan can be answered: of one dataset that exists for the asker, with columns that exist, and aggregates
 * and grains that fit their types.
 * @throws ProductError `not_found`, `unknown_field`, `invalid_input`, `query_too_complex`
 */
export function checkPlan<D extends CatalogueDataset>(plan: QueryPlan, find: (datasetId: string) => D | null): D {
  const [id, other] = datasetsOf(plan)
  if (id === undefined) throw invalid('dataset', 'Say which data is meant.')
  const dataset = find(id)
  if (!dataset) throw new ProductError('not_found')
  if (other !== undefined) {
    if (!find(other)) throw new ProductError('not_found')
    throw invalid('dataset', 'A question can be about one set of data at a time.')
  }
  const columnOf: ColumnOf = (field) => {
    const column = dataset.columns.find((each) => each.key === field.column)
    if (!column || column.hidden || (field.via?.length ?? 0) > 0) throw unknownField(field)
    return column
  }
  checkShape(plan)
  let leaves = 0
  const measure = (each: Measure, path: string, depth: number): void => {
    if (each.kind === 'ratio') {
      if (depth >= RATIO_DEPTH_MAX) throw tooComplex('ratios in ratios', RATIO_DEPTH_MAX)
      measure(each.over, `${path}.over`, depth + 1)
      return measure(each.under, `${path}.under`, depth + 1)
    }
    leaves += 1
    if (leaves > AGGREGATES_MAX) throw tooComplex('measures', AGGREGATES_MAX)
    checkMeasure(each, path, columnOf)
    checkFilters(each.filter ?? [], `${path}.filter`, columnOf)
  }
  plan.measures.forEach((each, i) => measure(each, `measures.${i}`, 0))
  plan.dimensions.forEach((each, i) => checkDimension(each, `dimensions.${i}`, columnOf))
  checkFilters(plan.filters, 'filters', columnOf)
  const shown = new Set<string>()
  for (const [i, field] of (plan.columns ?? []).entries()) {
    const { key } = columnOf(field, `columns.${i}`)
    if (shown.has(key)) throw invalid(`columns.${i}`, 'This column is already shown.')
    shown.add(key)
  }
  if (plan.period && !TEMPORAL.has(columnOf(plan.period.field, 'period.field').type))
    throw invalid('period.field', 'A period needs a column of dates.')
  return dataset
}

function checkShape(plan: QueryPlan): void {
  const { kind, measures, dimensions, columns = [], having = [], sort = [] } = plan
  if (kind === 'aggregate' && measures.length === 0) throw invalid('measures', 'Choose at least one figure.')
  if (kind === 'rows' && (measures.length > 0 || dimensions.length > 0 || having.length > 0))
    throw invalid('measures', 'Rows have no figures, splits or limits on figures.')
  for (const [i, { measure }] of having.entries())
    if (measure >= measures.length) throw invalid(`having.${i}.measure`, 'There is no such figure.')
  for (const [i, { by }] of sort.entries()) {
    const exists =
      'measure' in by
        ? by.measure < measures.length
        : 'dimension' in by
          ? by.dimension < dimensions.length
          : kind === 'rows' && (columns.length === 0 || by.column < columns.length)
    if (!exists) throw invalid(`sort.${i}.by`, 'There is nothing to sort by there.')
  }
}

function checkMeasure(measure: Exclude<Measure, { kind: 'ratio' }>, path: string, columnOf: ColumnOf): void {
  const { agg } = measure
  if (measure.kind === 'expression') return checkExpr(measure.row, `${path}.row`, columnOf)
  if (!measure.field) {
    if (agg !== 'count') throw invalid(`${path}.field`, 'Choose a column.')
    return
  }
  const column = columnOf(measure.field, `${path}.field`)
  if (FOR_NUMBERS.has(agg) && !NUMERIC.has(column.type))
    throw invalid(`${path}.agg`, 'This can be computed from numbers only.')
}

function checkExpr(root: Expr, path: string, columnOf: ColumnOf): void {
  let nodes = 0
  const walk = (expr: Expr, depth: number): void => {
    nodes += 1
    if (depth > EXPRESSION_DEPTH_MAX) throw tooComplex('depth', EXPRESSION_DEPTH_MAX)
    if (nodes > EXPRESSION_NODES_MAX) throw tooComplex('terms', EXPRESSION_NODES_MAX)
    if (expr.kind === 'field' && !NUMERIC.has(columnOf(expr.field, path).type))
      throw invalid(path, 'Only numbers can be calculated with.')
    if (expr.kind === 'binary') [expr.left, expr.right].forEach((each) => walk(each, depth + 1))
    if (expr.kind === 'coalesce') expr.items.forEach((each) => walk(each, depth + 1))
    if (expr.kind === 'dateDiff')
      for (const field of [expr.from, expr.to])
        if (!TEMPORAL.has(columnOf(field, path).type)) throw invalid(path, 'Days lie between dates only.')
  }
  walk(root, 1)
}

function checkDimension({ field, grain }: Dimension, path: string, columnOf: ColumnOf): void {
  const { type } = columnOf(field, `${path}.field`)
  if (grain !== undefined && !TEMPORAL.has(type)) throw invalid(`${path}.grain`, 'Only dates have days and months.')
  if (grain === 'hour' && type !== 'datetime') throw invalid(`${path}.grain`, 'Only times have hours.')
}

function checkFilters(filters: readonly Filter[], path: string, columnOf: ColumnOf): void {
  for (const [i, filter] of filters.entries()) {
    if (isExists(filter)) throw invalid(`${path}.${i}`, 'A question can be about one set of data at a time.')
    const { type } = columnOf(filter.field, `${path}.${i}.field`)
    for (const { op } of filter.any)
      if ((op === 'contains' || op === 'startsWith') && type !== 'text')
        throw invalid(`${path}.${i}`, 'Only texts can be searched.')
  }
}
