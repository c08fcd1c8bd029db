import { isLeaf } from '../../../src/shared/plan-fields'
import type { Aggregate, Expr, Measure } from '../../../src/shared/query'
import type { Column } from '../../../src/shared/sources'
import type { MeasureDraft, Operator, SimpleMeasure, Term } from './draft'
import {
  columnOf,
  datasetOfKey,
  fieldOf,
  isNumeric,
  keyOfField,
  measuredDataset,
  readable,
} from '../../lib/filters/fields'
import type { DraftDataset, FieldKey } from '../../lib/filters/fields'
import { metricOf } from '../../lib/filters/catalogue'
import { filterDraft, filterOf } from '../../lib/filters/filter-draft'

export const AGGREGATE_WORDS: Record<Aggregate, string> = {
  sum: 'Sum',
  avg: 'Average',
  median: 'Median',
  min: 'Smallest',
  max: 'Largest',
  count: 'Number of values',
  countDistinct: 'Number of different values',
  first: 'First',
  last: 'Last',
}
export const SIGNS: Record<Operator, string> = { add: '+', subtract: '−', multiply: '×', divide: '÷' }

/** The aggregates that make sense for a column. */
export const aggregatesOf = (column: Column | null): Aggregate[] =>
  column && isNumeric(column)
    ? ['sum', 'avg', 'median', 'min', 'max', 'count', 'countDistinct']
    : ['countDistinct', 'count', 'min', 'max']

function exprOf(draft: MeasureDraft & { kind: 'expression' }, dataset: DraftDataset): Expr | string {
  const operandOf = (key: FieldKey | number | null): Expr | null => {
    if (typeof key === 'number') return { kind: 'number', value: key }
    const field = fieldOf(dataset, key)
    return field && { kind: 'field', field }
  }
  const first = operandOf(draft.first)
  const terms = draft.terms.map(({ op, operand }) => ({ op, right: operandOf(operand) }))
  if (!first || terms.length === 0) return 'Choose the columns to calculate with.'
  let expr = first
  for (const { op, right } of terms) {
    if (!right) return 'Choose the columns to calculate with.'
    expr = { kind: 'binary', op, left: expr, right }
  }
  return expr
}

function simpleOf(simple: SimpleMeasure, dataset: DraftDataset): Measure | string {
  if (simple.column === null)
    return simple.agg === 'count' ? { kind: 'column', agg: 'count' } : 'Choose what is divided, and by what.'
  const field = fieldOf(dataset, simple.column)
  if (!field || !aggregatesOf(columnOf(dataset, simple.column)).includes(simple.agg))
    return 'Choose what is divided, and by what.'
  return { kind: 'column', agg: simple.agg, field }
}

function bareMeasure(draft: MeasureDraft, dataset: DraftDataset): Measure | string {
  switch (draft.kind) {
    case 'count':
      return { kind: 'column', agg: 'count', ...(draft.dataset === null ? {} : { dataset: draft.dataset }) }
    case 'column':
      return columnOf(dataset, draft.column) === null
        ? 'Choose the column to measure.'
        : typeof simpleOf(draft, dataset) === 'string'
          ? 'Choose another way to measure this column.'
          : simpleOf(draft, dataset)
    case 'expression': {
      const row = exprOf(draft, dataset)
      return typeof row === 'string' ? row : { kind: 'expression', agg: draft.agg, row }
    }
    case 'ratio': {
      const over = simpleOf(draft.over, dataset)
      const under = simpleOf(draft.under, dataset)
      if (typeof over === 'string') return over
      return typeof under === 'string' ? under : { kind: 'ratio', over, under }
    }
    case 'metric':
      return metricMeasureOf(draft.id, dataset)
    case 'kept':
      return draft.measure
  }
}

function metricMeasureOf(id: string | null, { catalogue }: DraftDataset): Measure | string {
  if (id === null) return 'Choose the metric.'
  return catalogue && !metricOf(catalogue, id) ? 'This metric was deleted: choose another.' : { kind: 'metric', id }
}

/** A sum is called as its column is: "Net amount". Anything else keeps the words that say how it is computed. */
function autoLabel(draft: Pick<MeasureDraft, 'kind'>, measure: Measure, dataset: DraftDataset): string {
  if (draft.kind !== 'column' || measure.kind !== 'column' || measure.agg !== 'sum') return ''
  const key = measure.field ? keyOfField(dataset, measure.field) : null
  return readable(columnOf(dataset, key)?.label ?? '').slice(0, 80)
}

/** Whose rows a measure is about: filters of a measure are asked of them. */
export function rowsOf(draft: MeasureDraft, dataset: DraftDataset): DraftDataset {
  if (draft.kind === 'count') return measuredDataset(dataset, draft.dataset)
  if (draft.kind === 'column') return measuredDataset(dataset, datasetOfKey(draft.column))
  return draft.kind === 'ratio' ? measuredDataset(dataset, datasetOfKey(draft.over.column)) : dataset
}

/** The plan's measure, or the sentence that says what is missing. */
export function measureOf(draft: MeasureDraft, dataset: DraftDataset): Measure | string {
  const { along } = draft
  const of = figureOf(draft, dataset)
  if (!along || typeof of === 'string') return of
  const label = along.label.trim().slice(0, 80)
  const named = { ...(label === '' ? {} : { label }), ...(along.format ? { format: along.format } : {}) }
  return along.kind === 'prev'
    ? { kind: 'prev', of, steps: along.steps, ...named }
    : { kind: 'cumulative', of, restart: along.restart, ...named }
}

/** The figure of each unit of time itself. */
function figureOf(draft: MeasureDraft, dataset: DraftDataset): Measure | string {
  const measure = bareMeasure(draft, dataset)
  if (typeof measure === 'string' || draft.kind === 'kept') return measure
  const rows = rowsOf(draft, dataset)
  const filters = draft.filters.map((filter) => filterOf(filter, rows))
  const missing = filters.find((filter) => typeof filter === 'string')
  if (missing !== undefined) return missing
  const set = filters.filter((filter) => typeof filter !== 'string')
  const name = draft.label.trim().slice(0, 80) || (set.length === 0 ? autoLabel(draft, measure, dataset) : '')
  const label = { ...(name === '' ? {} : { label: name }), ...(draft.format ? { format: draft.format } : {}) }
  if (measure.kind === 'metric') return { ...measure, ...label }
  if (measure.kind !== 'ratio') return { ...measure, ...(set.length > 0 ? { filter: set } : {}), ...label }
  // A filtered share compares the filtered rows with all of them.
  const over = isLeaf(measure.over) && set.length > 0 ? { ...measure.over, filter: set } : measure.over
  return { ...measure, over, ...label }
}

/** A left-to-right chain of terms, or null when the expression is another shape. */
function chainOf(expr: Expr, dataset: DraftDataset): { first: FieldKey; terms: Term[] } | null {
  if (expr.kind === 'field') return { first: keyOfField(dataset, expr.field), terms: [] }
  if (expr.kind !== 'binary' || (expr.right.kind !== 'field' && expr.right.kind !== 'number')) return null
  const left = chainOf(expr.left, dataset)
  const operand = expr.right.kind === 'field' ? keyOfField(dataset, expr.right.field) : expr.right.value
  return left && { first: left.first, terms: [...left.terms, { op: expr.op, operand }] }
}

const simpleDraft = (measure: Measure, dataset: DraftDataset): SimpleMeasure | null =>
  measure.kind === 'column' &&
  measure.label === undefined &&
  measure.format === undefined &&
  measure.dataset === undefined
    ? { agg: measure.agg, column: measure.field ? keyOfField(dataset, measure.field) : null }
    : null

/** Null when its rows are of another dataset than its column: the builder has no words for that. */
function columnDraft(measure: Measure & { kind: 'column' }, dataset: DraftDataset): MeasureDraft | null {
  const own = measure.dataset === undefined || measure.dataset === dataset.id ? null : measure.dataset
  const label = measure.label ?? ''
  const key = measure.field ? keyOfField(dataset, measure.field) : null
  if (key !== null && (own !== null || (measure.field?.via ?? []).length > 0)) return null
  const draft: MeasureDraft =
    key === null
      ? { kind: 'count', dataset: own, label, filters: [] }
      : { kind: 'column', agg: measure.agg, column: key, label, filters: [] }
  const rows = rowsOf(draft, dataset)
  const filters = (measure.filter ?? []).map((filter) => filterDraft(filter, rows))
  return { ...draft, filters, label: label === autoLabel(draft, measure, dataset) ? '' : label }
}

/** A stored measure in the builder's form; what the builder cannot show is kept as it is. */
export function measureDraft(measure: Measure, dataset: DraftDataset): MeasureDraft {
  if (measure.kind !== 'prev' && measure.kind !== 'cumulative') return figureDraft(measure, dataset)
  const of = figureDraft(measure.of, dataset)
  const { label = '', format } = measure
  const named = { label, ...(format ? { format } : {}) }
  return measure.kind === 'prev'
    ? { ...of, along: { kind: 'prev', steps: measure.steps, ...named } }
    : { ...of, along: { kind: 'cumulative', restart: measure.restart, ...named } }
}

function figureDraft(measure: Measure, dataset: DraftDataset): MeasureDraft {
  const found = shapedDraft(measure, dataset)
  return measure.format && found.kind !== 'kept' ? { ...found, format: measure.format } : found
}

function shapedDraft(measure: Measure, dataset: DraftDataset): MeasureDraft {
  const label = measure.label ?? ''
  const kept: MeasureDraft = { kind: 'kept', measure, percent: false, label, filters: [] }
  if (measure.kind === 'metric') return { kind: 'metric', id: measure.id, label, filters: [] }
  // Which rates a single figure is converted by is said by metrics, not here.
  if (isLeaf(measure) && measure.mode !== undefined) return kept
  if (measure.kind === 'ratio') {
    const over = simpleDraft(measure.over, dataset)
    const under = simpleDraft(measure.under, dataset)
    if (!over || !under || (isLeaf(measure.under) && measure.under.filter)) return kept
    const filters = isLeaf(measure.over) ? (measure.over.filter ?? []) : []
    return {
      kind: 'ratio',
      over,
      under,
      percent: false,
      label,
      filters: filters.map((filter) => filterDraft(filter, dataset)),
    }
  }
  if (!isLeaf(measure)) return kept
  if (measure.kind === 'column') return columnDraft(measure, dataset) ?? kept
  const filters = (measure.filter ?? []).map((filter) => filterDraft(filter, dataset))
  const chain = chainOf(measure.row, dataset)
  return chain && chain.terms.length > 0 ? { kind: 'expression', agg: measure.agg, ...chain, label, filters } : kept
}

const isCount = ({ agg }: SimpleMeasure): boolean => agg === 'count' || agg === 'countDistinct'

/** Only a ratio of two like things is a share: of counts, or of figures of the same format. */
export function mayBePercent({ over, under }: MeasureDraft & { kind: 'ratio' }, dataset: DraftDataset): boolean {
  if (isCount(over) || isCount(under)) return isCount(over) && isCount(under)
  const [a, b] = [columnOf(dataset, over.column), columnOf(dataset, under.column)]
  if (!a || !b || !isNumeric(a) || !isNumeric(b)) return false
  return JSON.stringify(a.format) === JSON.stringify(b.format)
}
