import { checkNumbers, checkWindows } from './check-windows'
import { isText } from './expr-type'
import { factsOf } from './facts'
import type { Facts } from './facts'
import { meetingOf, pathTo } from './graph'
import type { Graph, Path } from './graph'
import { invalid, tooComplex, unknownField } from './refuse'
import { ProductError } from '../../shared/errors'
import { AGGREGATES_MAX } from '../../shared/limits'
import { datasetsOf, isLeaf, leavesOf, metricsOf, partsOf } from '../../shared/plan-fields'
import { isExists } from '../../shared/query'
import type {
  Aggregate,
  CalcOperand,
  Dimension,
  Expr,
  Field,
  Filter,
  LeafMeasure,
  Measure,
  QueryPlan,
} from '../../shared/query'
import type { Column } from '../../shared/sources'
import type { CatalogueDataset } from '../contract'

const EXPRESSION_DEPTH_MAX = 16
const EXPRESSION_NODES_MAX = 100
const MEASURE_DEPTH_MAX = 20
/** Figures and numbers that all measures are worked out from: each costs something for every group of an answer. */
const MEASURE_NODES_MAX = 200

type ColumnOf = (field: Field, path: string) => Column
const NUMERIC: ReadonlySet<Column['type']> = new Set(['integer', 'number'])
const TEMPORAL: ReadonlySet<Column['type']> = new Set(['date', 'datetime'])
const WRITTEN: ReadonlySet<Column['type']> = new Set(['text', 'integer', 'date'])
const FOR_NUMBERS: ReadonlySet<Aggregate> = new Set(['sum', 'avg', 'median'])

/** What a plan may name: datasets that exist for the asker, and the relations that can be used between them. */
export interface View<D extends CatalogueDataset = CatalogueDataset> {
  find(datasetId: string): D | null
  graph: Graph
}
/** A plan that can be answered, and what it reads. */
export interface Checked extends Facts {
  /** Every dataset it reads, facts first, those that only lie on the way included. */
  datasets: string[]
  /** Ids of the relations it goes along. */
  relations: string[]
}

/** What of the catalogue a plan turned out to read. */
interface Trail {
  datasets: Set<string>
  relations: Set<string>
}

/**
 * That a plan can be answered: its datasets and columns exist for the asker, relations lead from the rows that are
 * measured to every field, and aggregates and grains fit the types.
 * @throws ProductError `not_found`, `unknown_field`, `invalid_input`, `query_too_complex`
 */
export function checkPlan(plan: QueryPlan, view: View): Checked {
  const missing = datasetsOf(plan).find((id) => !view.find(id))
  if (missing !== undefined) throw new ProductError('not_found')
  checkShape(plan)
  checkDepth(plan.measures)
  const facts = factsOf(plan, view.graph)
  const trail: Trail = { datasets: new Set(facts.facts), relations: new Set() }
  for (const fact of facts.facts) checkShared(plan, { view, trail, here: fact })
  plan.measures.forEach((measure, i) => {
    for (const leaf of leavesOf(measure)) checkLeaf(leaf, `measures.${i}`, { view, trail, here: facts.factOf(leaf) })
    checkNumbers(measure, `measures.${i}`, view)
  })
  checkWindows(plan, view)
  return { ...facts, datasets: [...trail.datasets], relations: [...trail.relations] }
}

/** Where a part of the plan stands: its fields are looked for from these rows. */
interface Place {
  view: View
  trail: Trail
  here: string
}

function follow({ trail }: Place, path: Path): void {
  for (const { id, to } of path) {
    trail.relations.add(id)
    trail.datasets.add(to.dataset)
  }
}

function columnsFrom(place: Place): ColumnOf {
  return (field, at) => {
    const path = pathTo(place.view.graph, place.here, { field, at })
    const column = place.view.find(field.dataset)?.columns.find((each) => each.key === field.column)
    if (!column || column.hidden) throw unknownField(field)
    follow(place, path)
    return column
  }
}

/** What every fact must be able to answer: splits, filters, period, and for records the columns shown. */
function checkShared(plan: QueryPlan, place: Place): void {
  const columnOf = columnsFrom(place)
  plan.dimensions.forEach((each, i) => checkDimension(each, `dimensions.${i}`, columnOf))
  checkFilters(plan.filters, 'filters', place)
  const shown = new Set<string>()
  for (const [i, field] of (plan.columns ?? []).entries()) {
    columnOf(field, `columns.${i}`)
    const key = JSON.stringify([field.dataset, field.column, field.via ?? []])
    if (shown.has(key)) throw invalid(`columns.${i}`, 'This column is already shown.')
    shown.add(key)
  }
  if (plan.period && !TEMPORAL.has(columnOf(plan.period.field, 'period.field').type))
    throw invalid('period.field', 'A period needs a column of dates.')
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

function checkDepth(measures: readonly Measure[]): void {
  const depthOf = (measure: Measure): number =>
    isLeaf(measure) ? 0 : 1 + Math.max(0, ...partsOf(measure).map(depthOf))
  for (const [i, measure] of measures.entries()) {
    if (metricsOf([measure]).length > 0) throw invalid(`measures.${i}`, 'There is no such figure.')
    if (leavesOf(measure).length === 0) throw invalid(`measures.${i}`, 'Choose at least one column to calculate with.')
  }
  if (measures.some((measure) => depthOf(measure) > MEASURE_DEPTH_MAX))
    throw tooComplex('figures in figures', MEASURE_DEPTH_MAX)
  if (measures.flatMap(leavesOf).length > AGGREGATES_MAX) throw tooComplex('measures', AGGREGATES_MAX)
  if (measures.reduce((size, measure) => size + sizeOf(measure), 0) > MEASURE_NODES_MAX)
    throw tooComplex('terms of figures', MEASURE_NODES_MAX)
}

function sizeOf(operand: CalcOperand): number {
  if (operand.kind === 'number') return 1
  const parts = operand.kind === 'calc' ? [operand.left, operand.right] : partsOf(operand)
  return parts.reduce((size, part) => size + sizeOf(part), 1)
}

function checkLeaf(leaf: LeafMeasure, path: string, place: Place): void {
  checkMeasure(leaf, path, columnsFrom(place))
  checkFilters(leaf.filter ?? [], `${path}.filter`, place)
}

function checkMeasure(measure: LeafMeasure, path: string, columnOf: ColumnOf): void {
  const { agg } = measure
  if (measure.kind === 'expression') {
    const text = checkExpr(measure.row, `${path}.row`, columnOf) === 'text'
    if (text && FOR_NUMBERS.has(agg)) throw invalid(`${path}.agg`, 'This can be computed from numbers only.')
    return
  }
  if (!measure.field) {
    if (agg !== 'count') throw invalid(`${path}.field`, 'Choose a column.')
    return
  }
  const column = columnOf(measure.field, `${path}.field`)
  if (FOR_NUMBERS.has(agg) && !NUMERIC.has(column.type))
    throw invalid(`${path}.agg`, 'This can be computed from numbers only.')
}

/** @throws ProductError when an expression mixes what cannot be mixed, or is too large; answers what comes out */
export function checkExpr(root: Expr, path: string, columnOf: ColumnOf): 'number' | 'text' {
  let nodes = 0
  const walk = (expr: Expr, depth: number): void => {
    nodes += 1
    if (depth > EXPRESSION_DEPTH_MAX) throw tooComplex('depth', EXPRESSION_DEPTH_MAX)
    if (nodes > EXPRESSION_NODES_MAX) throw tooComplex('terms', EXPRESSION_NODES_MAX)
    if (expr.kind === 'binary') [expr.left, expr.right].forEach((each) => walk(each, depth + 1))
    if (expr.kind === 'coalesce' || expr.kind === 'concat') expr.items.forEach((each) => walk(each, depth + 1))
  }
  walk(root, 1)
  const text = isText(root, (field) => columnOf(field, path).type)
  checkOperands(root, text ? 'text' : 'number', { path, columnOf })
  return text ? 'text' : 'number'
}

function checkOperands(expr: Expr, wanted: 'number' | 'text', at: { path: string; columnOf: ColumnOf }): void {
  const { path, columnOf } = at
  switch (expr.kind) {
    case 'field': {
      const fits = wanted === 'number' ? NUMERIC : WRITTEN
      if (!fits.has(columnOf(expr.field, path).type))
        throw invalid(
          path,
          wanted === 'number'
            ? 'Only numbers can be calculated with.'
            : 'Only texts, whole numbers and days can be joined into a text.',
        )
      return
    }
    case 'text':
      if (wanted === 'number') throw invalid(path, 'Only numbers can be calculated with.')
      return
    case 'number':
      return
    case 'concat':
      if (wanted === 'number') throw invalid(path, 'Only numbers can be calculated with.')
      return expr.items.forEach((item) => checkOperands(item, 'text', at))
    case 'coalesce':
      return expr.items.forEach((item) => checkOperands(item, wanted, at))
    case 'binary':
      if (wanted === 'text') throw invalid(path, 'Calculate in a column of its own before it becomes text.')
      return [expr.left, expr.right].forEach((side) => checkOperands(side, 'number', at))
    case 'dateDiff':
      if (wanted === 'text') throw invalid(path, 'Calculate in a column of its own before it becomes text.')
      for (const field of [expr.from, expr.to])
        if (!TEMPORAL.has(columnOf(field, path).type)) throw invalid(path, 'Days lie between dates only.')
  }
}

function checkDimension({ field, grain, grouping }: Dimension, path: string, columnOf: ColumnOf): void {
  const { type } = columnOf(field, `${path}.field`)
  if (grouping) checkGrouped(type, `${path}.grouping`)
  if (grouping && grain !== undefined) throw invalid(`${path}.grain`, 'Groups have no days and months.')
  if (grain !== undefined && !TEMPORAL.has(type)) throw invalid(`${path}.grain`, 'Only dates have days and months.')
  if (grain === 'hour' && type !== 'datetime') throw invalid(`${path}.grain`, 'Only times have hours.')
}

function checkGrouped(type: Column['type'], path: string): void {
  if (type === 'datetime') throw invalid(path, 'Times cannot be put into groups: split them by day or month.')
}

function checkFilters(filters: readonly Filter[], path: string, place: Place): void {
  const columnOf = columnsFrom(place)
  for (const [i, filter] of filters.entries()) {
    const at = `${path}.${i}`
    if (isExists(filter)) {
      const { inner, outer } = meetingOf(place.view.graph, place.here, { filter, at })
      place.trail.datasets.add(filter.dataset)
      follow(place, [...inner, ...outer])
      checkFilters(filter.filters, `${at}.filters`, { ...place, here: filter.dataset })
      continue
    }
    const { type } = columnOf(filter.field, `${at}.field`)
    if (filter.grouping) {
      checkGrouped(type, at)
      continue
    }
    for (const { op } of filter.any)
      if ((op === 'contains' || op === 'startsWith') && type !== 'text')
        throw invalid(at, 'Only texts can be searched.')
  }
}
