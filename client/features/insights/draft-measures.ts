import type { Aggregate, Expr, Measure } from '../../../src/shared/query'
import type { Column, ColumnKey } from '../../../src/shared/sources'
import { columnOf, isNumeric } from './draft'
import type { DraftDataset, MeasureDraft, Operator, SimpleMeasure, Term } from './draft'
import { filterDraft, filterOf } from './draft-filters'

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
  const field = (key: ColumnKey): Expr => ({ kind: 'field', field: { dataset: dataset.id, column: key } })
  const first = columnOf(dataset, draft.first)
  if (!first || draft.terms.length === 0) return 'Choose the columns to calculate with.'
  let expr = field(first.key)
  for (const { op, operand } of draft.terms) {
    const column = typeof operand === 'number' ? null : columnOf(dataset, operand)
    if (typeof operand !== 'number' && !column) return 'Choose the columns to calculate with.'
    const right: Expr =
      typeof operand === 'number' ? { kind: 'number', value: operand } : field(column?.key ?? first.key)
    expr = { kind: 'binary', op, left: expr, right }
  }
  return expr
}

function simpleOf(simple: SimpleMeasure, dataset: DraftDataset): Measure | string {
  if (simple.column === null)
    return simple.agg === 'count' ? { kind: 'column', agg: 'count' } : 'Choose what is divided, and by what.'
  const column = columnOf(dataset, simple.column)
  if (!column || !aggregatesOf(column).includes(simple.agg)) return 'Choose what is divided, and by what.'
  return { kind: 'column', agg: simple.agg, field: { dataset: dataset.id, column: column.key } }
}

function bareMeasure(draft: MeasureDraft, dataset: DraftDataset): Measure | string {
  switch (draft.kind) {
    case 'count':
      return { kind: 'column', agg: 'count' }
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
    case 'kept':
      return draft.measure
  }
}

/** A sum is called as its column is: "Net amount". Anything else keeps the words that say how it is computed. */
function autoLabel(draft: Pick<MeasureDraft, 'kind'>, measure: Measure, dataset: DraftDataset): string {
  if (draft.kind !== 'column' || measure.kind !== 'column' || measure.agg !== 'sum') return ''
  return readable(columnOf(dataset, measure.field?.column ?? null)?.label ?? '').slice(0, 80)
}

/** A header of a file as a person would write it: `net_amount` → `Net amount`. */
export function readable(label: string): string {
  const words = label.replace(/[_\s]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The plan's measure, or the sentence that says what is missing. */
export function measureOf(draft: MeasureDraft, dataset: DraftDataset): Measure | string {
  const measure = bareMeasure(draft, dataset)
  if (typeof measure === 'string' || draft.kind === 'kept') return measure
  const filters = draft.filters.map((filter) => filterOf(filter, dataset))
  const missing = filters.find((filter) => typeof filter === 'string')
  if (missing !== undefined) return missing
  const set = filters.filter((filter) => typeof filter !== 'string')
  const name = draft.label.trim().slice(0, 80) || (set.length === 0 ? autoLabel(draft, measure, dataset) : '')
  const label = name === '' ? {} : { label: name }
  if (measure.kind !== 'ratio') return { ...measure, ...(set.length > 0 ? { filter: set } : {}), ...label }
  // A filtered share compares the filtered rows with all of them.
  const over = measure.over.kind === 'ratio' || set.length === 0 ? measure.over : { ...measure.over, filter: set }
  return { ...measure, over, ...label }
}

/** A left-to-right chain of terms, or null when the expression is another shape. */
function chainOf(expr: Expr): { first: ColumnKey; terms: Term[] } | null {
  if (expr.kind === 'field') return { first: expr.field.column, terms: [] }
  if (expr.kind !== 'binary' || (expr.right.kind !== 'field' && expr.right.kind !== 'number')) return null
  const left = chainOf(expr.left)
  const operand = expr.right.kind === 'field' ? expr.right.field.column : expr.right.value
  return left && { first: left.first, terms: [...left.terms, { op: expr.op, operand }] }
}

const simpleDraft = (measure: Measure): SimpleMeasure | null =>
  measure.kind === 'column' && measure.label === undefined
    ? { agg: measure.agg, column: measure.field?.column ?? null }
    : null

/** A stored measure in the builder's form; what the builder cannot show is kept as it is. */
export function measureDraft(measure: Measure, dataset: DraftDataset): MeasureDraft {
  const label = measure.label ?? ''
  const kept: MeasureDraft = { kind: 'kept', measure, label, filters: [] }
  if (measure.kind === 'ratio') {
    const over = simpleDraft(measure.over)
    const under = simpleDraft(measure.under)
    if (!over || !under || (measure.under.kind !== 'ratio' && measure.under.filter)) return kept
    const filters = measure.over.kind === 'ratio' ? [] : (measure.over.filter ?? [])
    return {
      kind: 'ratio',
      over,
      under,
      percent: false,
      label,
      filters: filters.map((filter) => filterDraft(filter, dataset)),
    }
  }
  const filters = (measure.filter ?? []).map((filter) => filterDraft(filter, dataset))
  if (measure.kind === 'column')
    return measure.field
      ? {
          kind: 'column',
          agg: measure.agg,
          column: measure.field.column,
          label: label === autoLabel({ kind: 'column' }, measure, dataset) ? '' : label,
          filters,
        }
      : { kind: 'count', label, filters }
  const chain = chainOf(measure.row)
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
