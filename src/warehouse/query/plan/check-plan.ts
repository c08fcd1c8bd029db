import { checkAlike, checkNoPart, checkPart, isSearch, NUMERIC, TEMPORAL } from './filter-fit'
import { factDatasetsOf, type FactDatasets } from './fact-datasets'
import { existsJoinOf, pathToField, type RelationGraph, type RelationPath } from './relation-graph'
import { invalidPlan, queryTooComplex, unknownField } from './plan-errors'
import { maskedRefusal } from './masked-refusal'
import { ProductError } from '../../../shared/errors'
import { AGGREGATES_MAX } from '../../../shared/limits'
import {
  datasetIdsOf,
  groupedMeasuresOf,
  hasWindow,
  readsOutsideGroup,
  isCountMeasure,
  isLeafMeasure,
  isPlainSplit,
  leafMeasuresOf,
  metricIdsOf,
  operandsOf,
  planFieldsOf,
} from '../../../shared/query/plan-fields'
import { expressionMistake, typeOfExpression, type ValueType } from '../../../shared/query/expression-types'
import { figureMistake } from '../../../shared/query/figure-functions'
import { isExistsFilter } from '../../../shared/query/plan'
import type {
  CalcOperand,
  Condition,
  Dimension,
  FieldFilter,
  Filter,
  AggregateMeasure,
  GroupedMeasure,
  Measure,
  QueryPlan,
} from '../../../shared/query/plan'
import type { Expr } from '../../../shared/query/expression'
import type { Field } from '../../../shared/query/field'
import type { Aggregate } from '../../../shared/query/functions'
import type { Column } from '../../../shared/data-sources/data-sources'
import type { CatalogueDataset } from '../../contract'

const EXPRESSION_DEPTH_MAX = 16
const EXPRESSION_NODES_MAX = 100
const MEASURE_DEPTH_MAX = 20
/** Figures and numbers that all measures are worked out from: each costs something for every group of an answer. */
const MEASURE_NODES_MAX = 200

type ColumnResolver = (field: Field, path: string) => Column
const NUMERIC_AGGREGATES: ReadonlySet<Aggregate> = new Set(['sum', 'avg', 'median'])

/** What a plan may name: datasets that exist for the asker, and the relations that can be used between them. */
export interface PlanSchema<D extends CatalogueDataset = CatalogueDataset> {
  find(datasetId: string): D | null
  graph: RelationGraph
}
/** A plan that can be answered, and what it reads. */
export interface PlanAnalysis extends FactDatasets {
  /** Every dataset it reads, facts first, those that only lie on the way included. */
  datasets: string[]
  /** Ids of the relations it goes along. */
  relations: string[]
}

/** What of the catalogue a plan turned out to read. */
interface PlanReads {
  datasets: Set<string>
  relations: Set<string>
}

/**
 * That a plan can be answered: its datasets and columns exist for the asker, relations lead from the rows that are
 * measured to every field, and aggregates and grains fit the types.
 * @throws ProductError `not_found`, `unknown_field`, `invalid_input`, `query_too_complex`
 */
export function checkPlan(plan: QueryPlan, planSchema: PlanSchema): PlanAnalysis {
  try {
    return analyzePlan(plan, planSchema)
  } catch (error) {
    throw (
      maskedRefusal(
        error,
        planFieldsOf(plan).flatMap((field) => columnIn(planSchema, field) ?? []),
      ) ?? error
    )
  }
}

function analyzePlan(plan: QueryPlan, planSchema: PlanSchema): PlanAnalysis {
  const missing = datasetIdsOf(plan).find((id) => !planSchema.find(id))
  if (missing !== undefined) throw new ProductError('not_found')
  checkShape(plan)
  checkDepth(plan.measures)
  const facts = factDatasetsOf(plan, planSchema.graph)
  const planReads: PlanReads = { datasets: new Set(facts.facts), relations: new Set() }
  for (const fact of facts.facts) checkSharedParts(plan, { view: planSchema, trail: planReads, here: fact })
  plan.measures.forEach((measure, i) => {
    for (const leaf of leafMeasuresOf(measure))
      checkLeaf(leaf, `measures.${i}`, { view: planSchema, trail: planReads, here: facts.factOf(leaf) })
    checkNumbers(measure, `measures.${i}`, planSchema)
    const mistake = figureMistake(measure)
    if (mistake) throw invalidPlan(`measures.${i}`, mistake.message)
  })
  plan.measures.forEach((measure, i) => {
    for (const grouped of groupedMeasuresOf(measure))
      checkGroups(grouped, `measures.${i}`, {
        view: planSchema,
        trail: planReads,
        factOf: (leaf) => facts.factOf(leaf),
      })
  })
  checkWindows(plan, planSchema)
  return { ...facts, datasets: [...planReads.datasets], relations: [...planReads.relations] }
}

/** Where a part of the plan stands: its fields are looked for from these rows. */
interface PlanPosition {
  view: PlanSchema
  trail: PlanReads
  here: string
}

function recordPath({ trail }: PlanPosition, path: RelationPath): void {
  for (const { id, to } of path) {
    trail.relations.add(id)
    trail.datasets.add(to.dataset)
  }
}

function columnResolver(position: PlanPosition): ColumnResolver {
  return (field, at) => {
    const path = pathToField(position.view.graph, position.here, { field, at })
    const column = position.view.find(field.dataset)?.columns.find((each) => each.key === field.column)
    if (!column || column.hidden) throw unknownField(field)
    recordPath(position, path)
    return column
  }
}

/** What every fact must be able to answer: splits, filters, period, and for records the columns shown. */
function checkSharedParts(plan: QueryPlan, position: PlanPosition): void {
  const columnOf = columnResolver(position)
  plan.dimensions.forEach((each, i) => checkDimension(each, `dimensions.${i}`, columnOf))
  checkFilters(plan.filters, 'filters', position)
  const shown = new Set<string>()
  for (const [i, field] of (plan.columns ?? []).entries()) {
    columnOf(field, `columns.${i}`)
    const key = JSON.stringify([field.dataset, field.column, field.via ?? []])
    if (shown.has(key)) throw invalidPlan(`columns.${i}`, 'Column already shown.')
    shown.add(key)
  }
  if (plan.period && !TEMPORAL.has(columnOf(plan.period.field, 'period.field').type))
    throw invalidPlan('period.field', 'A period needs a date column.')
}

function checkShape(plan: QueryPlan): void {
  const { kind, measures, dimensions, columns = [], having = [], sort = [] } = plan
  if (kind === 'aggregate' && measures.length === 0 && dimensions.length === 0)
    throw invalidPlan('measures', 'Choose at least one measure.')
  const top = measures.length === 0 ? dimensions.findIndex(({ topN }) => topN !== undefined) : -1
  if (top >= 0) throw invalidPlan(`dimensions.${top}.topN`, 'A list of values has no top N.')
  if (kind === 'rows' && (measures.length > 0 || dimensions.length > 0 || having.length > 0))
    throw invalidPlan('measures', 'Records have no measures, dimensions or measure filters.')
  for (const [i, { measure }] of having.entries())
    if (measure >= measures.length) throw invalidPlan(`having.${i}.measure`, 'Measure not found.')
  for (const [i, { by }] of sort.entries()) {
    const exists =
      'measure' in by
        ? by.measure < measures.length
        : 'dimension' in by
          ? by.dimension < dimensions.length
          : kind === 'rows' && (columns.length === 0 || by.column < columns.length)
    if (!exists) throw invalidPlan(`sort.${i}.by`, 'Nothing to sort by.')
  }
}

function checkDepth(measures: readonly Measure[]): void {
  const depthOf = (measure: Measure): number =>
    isLeafMeasure(measure) ? 0 : 1 + Math.max(0, ...operandsOf(measure).map(depthOf))
  for (const [i, measure] of measures.entries()) {
    if (metricIdsOf([measure]).length > 0) throw invalidPlan(`measures.${i}`, 'Measure not found.')
    if (leafMeasuresOf(measure).length === 0) throw invalidPlan(`measures.${i}`, 'Choose at least one column.')
  }
  if (measures.some((measure) => depthOf(measure) > MEASURE_DEPTH_MAX))
    throw queryTooComplex('nested measures', MEASURE_DEPTH_MAX)
  if (measures.flatMap(leafMeasuresOf).length > AGGREGATES_MAX) throw queryTooComplex('measures', AGGREGATES_MAX)
  if (measures.reduce((size, measure) => size + operandSize(measure), 0) > MEASURE_NODES_MAX)
    throw queryTooComplex('measure terms', MEASURE_NODES_MAX)
}

/** Figures and numbers that one is worked out from, itself included. */
export function operandSize(operand: CalcOperand): number {
  if (operand.kind === 'number') return 1
  const parts =
    operand.kind === 'calc'
      ? [operand.left, operand.right]
      : operand.kind === 'function'
        ? operand.items
        : operandsOf(operand)
  return parts.reduce((size, part) => size + operandSize(part), 1)
}

function checkLeaf(leaf: AggregateMeasure, path: string, position: PlanPosition): void {
  checkMeasure(leaf, path, columnResolver(position))
  checkFilters(leaf.filter ?? [], `${path}.filter`, position)
}

function checkMeasure(measure: AggregateMeasure, path: string, resolver: ColumnResolver): void {
  const { agg } = measure
  if (measure.percent !== undefined && agg !== 'median')
    throw invalidPlan(`${path}.percent`, 'Only percentiles have a share.')
  if (measure.by) {
    if (agg !== 'first' && agg !== 'last') throw invalidPlan(`${path}.by`, 'Only a first or last value has an order.')
    resolver(measure.by, `${path}.by`)
  }
  if (measure.kind === 'expression') {
    const type = checkExpr(measure.row, `${path}.row`, resolver)
    if (type !== 'number' && NUMERIC_AGGREGATES.has(agg)) throw invalidPlan(`${path}.agg`, 'Works on numbers only.')
    return
  }
  if (!measure.field) {
    if (agg !== 'count') throw invalidPlan(`${path}.field`, 'Choose a column.')
    return
  }
  const column = resolver(measure.field, `${path}.field`)
  if (NUMERIC_AGGREGATES.has(agg) && !NUMERIC.has(column.type))
    throw invalidPlan(`${path}.agg`, 'Works on numbers only.')
}

/** @throws ProductError when an expression mixes what cannot be mixed, or is too large; answers what comes out */
export function checkExpr(root: Expr, path: string, resolver: ColumnResolver): ValueType {
  let nodes = 0
  const walk = (expr: Expr, depth: number): void => {
    nodes += 1
    if (depth > EXPRESSION_DEPTH_MAX) throw queryTooComplex('depth', EXPRESSION_DEPTH_MAX)
    if (nodes > EXPRESSION_NODES_MAX) throw queryTooComplex('terms', EXPRESSION_NODES_MAX)
    if (expr.kind === 'binary' || expr.kind === 'compare')
      [expr.left, expr.right].forEach((each) => walk(each, depth + 1))
    if ('items' in expr) expr.items.forEach((each) => walk(each, depth + 1))
  }
  walk(root, 1)
  const typeOf = (field: Field): Column['type'] => resolver(field, path).type
  const mistake = expressionMistake(root, typeOf)
  if (mistake) throw invalidPlan(path, mistake.message)
  return typeOfExpression(root, typeOf)
}

function checkDimension(dimension: Dimension, path: string, resolver: ColumnResolver): void {
  const { field, grain, part, grouping, bins } = dimension
  const { type } = resolver(field, `${path}.field`)
  if (dimension.label) checkLabel(dimension, type, { path, resolver })
  if (bins) {
    if (!NUMERIC.has(type)) throw invalidPlan(`${path}.bins`, 'Bins need a number.')
    if (grouping) throw invalidPlan(`${path}.bins`, 'Choose bins or groups.')
    if (dimension.topN !== undefined) throw invalidPlan(`${path}.topN`, 'Bins have no top N.')
  }
  if (part !== undefined) {
    if (grain !== undefined || grouping)
      throw invalidPlan(`${path}.part`, 'Choose date units, parts of dates or groups.')
    checkPart(part, type, `${path}.part`)
  }
  if (grouping) checkGrouped(type, `${path}.grouping`)
  if (grouping && grain !== undefined) throw invalidPlan(`${path}.grain`, 'Groups have no date units.')
  if (grain !== undefined && !TEMPORAL.has(type)) throw invalidPlan(`${path}.grain`, 'Date units need a date.')
  if (grain === 'hour' && type !== 'datetime') throw invalidPlan(`${path}.grain`, 'Hours need a date and time.')
}

/** A key is a text or a whole number; what it is called is a text. */
function checkLabel(
  dimension: Dimension,
  type: Column['type'],
  { path, resolver }: { path: string; resolver: ColumnResolver },
): void {
  if (!isPlainSplit(dimension)) throw invalidPlan(`${path}.label`, 'Date units, steps and groups have no label column.')
  if (type !== 'text' && type !== 'integer') throw invalidPlan(`${path}.field`, 'A key is a text or a whole number.')
  if (dimension.label && resolver(dimension.label, `${path}.label`).type !== 'text')
    throw invalidPlan(`${path}.label`, 'Labels are texts.')
}

function checkGrouped(type: Column['type'], path: string): void {
  if (type === 'datetime') throw invalidPlan(path, 'Times can’t be grouped. Break down by day or month.')
}

function checkFilters(filters: readonly Filter[], path: string, position: PlanPosition): void {
  const columnOf = columnResolver(position)
  for (const [i, filter] of filters.entries()) {
    const at = `${path}.${i}`
    if (isExistsFilter(filter)) {
      const { inner, outer } = existsJoinOf(position.view.graph, position.here, { filter, at })
      position.trail.datasets.add(filter.dataset)
      recordPath(position, [...inner, ...outer])
      checkFilters(filter.filters, `${at}.filters`, { ...position, here: filter.dataset })
      continue
    }
    const { type, mask } = columnOf(filter.field, `${at}.field`)
    // What is left of numbers is text: said here, and not when the first rows are compared.
    if (mask && filter.any.some(asksNumber)) throw invalidPlan(at, 'The value doesn’t match the column type.')
    if (filter.grouping) {
      checkGrouped(type, at)
      continue
    }
    if (filter.part !== undefined) checkPart(filter.part, type, `${at}.part`)
    for (const condition of filter.any) checkCompared(condition, { filter, type, at }, columnOf)
    for (const { op } of filter.any)
      if (isSearch(op) && (type !== 'text' || filter.part)) throw invalidPlan(at, 'Search works on text only.')
  }
}

function asksNumber(condition: Condition): boolean {
  if (condition.op === 'between') return typeof condition.from === 'number' || typeof condition.to === 'number'
  if ('values' in condition) return condition.values.some((value) => typeof value === 'number')
  return 'value' in condition && typeof condition.value === 'number'
}

function checkCompared(
  condition: Condition,
  { filter, type, at }: { filter: FieldFilter; type: Column['type']; at: string },
  columnOf: ColumnResolver,
): void {
  if (condition.op !== 'column') return
  const path = `${at}.any`
  checkNoPart(filter.part, path)
  const other = columnOf(condition.field, path)
  checkAlike(type, other.type, path)
  const own = columnOf(filter.field, path)
  const [one, two] = [own.format, other.format]
  if (one.style === 'currency' && two.style === 'currency' && one.currency !== two.currency)
    throw invalidPlan(path, 'These columns are in different currencies.')
}

/** What of the catalogue this looks at. */
interface ColumnSchema {
  find(datasetId: string): { columns: Column[] } | null
}
const columnIn = (view: ColumnSchema, field: Field): Column | undefined =>
  view.find(field.dataset)?.columns.find(({ key }) => key === field.column)

/** That groups have figures that can be put together, of the rows of one table. */
function checkGroups(
  { agg, percent, of, by, having, largest }: GroupedMeasure,
  path: string,
  { factOf, ...at }: Omit<PlanPosition, 'here'> & { factOf: (leaf: AggregateMeasure) => string },
): void {
  if (readsOutsideGroup(of)) throw invalidPlan(path, 'Groups have no earlier periods, running totals or totals of all.')
  if (groupedMeasuresOf(of).length > 0) throw invalidPlan(path, 'Groups can’t have groups of their own.')
  const [here, second] = [...new Set(leafMeasuresOf(of).map(factOf))]
  if (here === undefined || second !== undefined) throw invalidPlan(path, 'A figure per group needs one table.')
  if (!isNumber(of, at.view)) throw invalidPlan(path, 'Calculations need numbers.')
  if (percent !== undefined && agg !== 'median') throw invalidPlan(path, 'Only a median has a percentile.')
  if (agg === 'share' && !having && largest === undefined)
    throw invalidPlan(path, 'A share needs a condition or the largest groups.')
  const columnOf = columnResolver({ ...at, here })
  for (const key of by) checkDimension(key, `${path}.by`, columnOf)
}

/** That only numbers are calculated with and added up over time; a ratio of anything else is nothing. */
function checkNumbers(measure: Measure, path: string, view: ColumnSchema): void {
  if (measure.kind === 'whole' && readsOutsideGroup(measure.of))
    throw invalidPlan(path, 'A figure of all rows can’t look at earlier periods or running totals.')
  for (const part of operandsOf(measure)) {
    if (needsNumbers(measure) && !isNumber(part, view)) throw invalidPlan(path, 'Calculations need numbers.')
    checkNumbers(part, path, view)
  }
}

const needsNumbers = (measure: Measure): boolean =>
  measure.kind === 'calc' ||
  measure.kind === 'cumulative' ||
  measure.kind === 'moving' ||
  measure.kind === 'whole' ||
  (measure.kind === 'function' && measure.fn !== 'isEmpty')

function isNumber(measure: Measure, view: ColumnSchema): boolean {
  if (measure.kind === 'prev' || measure.kind === 'whole') return isNumber(measure.of, view)
  if (!isLeafMeasure(measure) || isCountMeasure(measure)) return true
  if (measure.kind === 'expression')
    return typeOfExpression(measure.row, (field) => columnIn(view, field)?.type) === 'number'
  const type = measure.field ? columnIn(view, measure.field)?.type : 'integer'
  return type === 'integer' || type === 'number'
}

/** Whether a split is by units of time, one after the other. */
const isTimeDimension = ({ field, grain, part, grouping }: Dimension, view: ColumnSchema): boolean =>
  grouping === undefined && part === undefined && (grain !== undefined || columnIn(view, field)?.type === 'date')

/** Earlier units and running totals need one line of units to run over. */
function checkWindows(plan: QueryPlan, view: ColumnSchema): void {
  if (!plan.measures.some(hasWindow)) return
  const times = plan.dimensions.flatMap((dimension, i) => (isTimeDimension(dimension, view) ? [{ dimension, i }] : []))
  const [only, second] = times
  if (!only || second)
    throw invalidPlan('dimensions', 'Earlier periods, running totals and moving averages need one breakdown by date.')
  if (only.dimension.topN !== undefined)
    throw invalidPlan(
      `dimensions.${only.i}.topN`,
      'Earlier periods, running totals and moving averages need all periods. Remove the top N.',
    )
}
