import { isCountMeasure, isLeafMeasure, isWindowMeasure } from '../../../../src/shared/query/plan-fields'
import type { Measure } from '../../../../src/shared/query/plan'
import type { Aggregate } from '../../../../src/shared/query/functions'
import type { Column } from '../../../../src/shared/data-sources/data-sources'
import type { MeasureDraft, ColumnAggregate } from './draft'
import { toFormulaMeasure, toFormulaText, withRowFilters } from './measure-formula'
import { humanizeLabel } from '../../../../src/shared/text'
import {
  findColumn,
  datasetIdOfKey,
  toField,
  isNumeric,
  fieldKeyOf,
  measureDatasetById,
  findMetric,
} from '../../../lib/query-builder/catalogue'
import type { BuilderDataset, FieldKey } from '../../../lib/query-builder/catalogue'
import { toFilterDraft, toFilter } from '../../../lib/query-builder/filter-draft'

export const aggregatesFor = (column: Column | null): Aggregate[] =>
  column && isNumeric(column)
    ? ['sum', 'avg', 'median', 'min', 'max', 'count', 'countDistinct']
    : ['countDistinct', 'count', 'min', 'max']

function toColumnAggregateMeasure(simple: ColumnAggregate, dataset: BuilderDataset): Measure | string {
  if (simple.column === null)
    return simple.agg === 'count' ? { kind: 'column', agg: 'count' } : 'Choose a numerator and a denominator.'
  const field = toField(dataset, simple.column)
  if (!field || !aggregatesFor(findColumn(dataset, simple.column)).includes(simple.agg))
    return 'Choose a numerator and a denominator.'
  return { kind: 'column', agg: simple.agg, field }
}

/** What is shown of the row where a column is least (`first`) or largest (`last`). */
function toShownMeasure(draft: MeasureDraft & { kind: 'column' }, dataset: BuilderDataset): Measure | string {
  const by = toField(dataset, draft.column)
  const field = toField(datasetOfMeasure(draft, dataset), draft.shown ?? null)
  return by && field ? { kind: 'column', agg: draft.agg, field, by } : 'Choose the column to show.'
}

function toColumnMeasure(draft: MeasureDraft & { kind: 'column' }, dataset: BuilderDataset): Measure | string {
  if (draft.shown !== undefined) return toShownMeasure(draft, dataset)
  const measure = toColumnAggregateMeasure(draft, dataset)
  if (typeof measure === 'string') return 'Choose another aggregation.'
  const isPercentile = draft.percentile !== undefined && measure.kind === 'column' && measure.agg === 'median'
  return isPercentile ? { ...measure, percent: draft.percentile } : measure
}

function toMeasureWithoutFilters(draft: MeasureDraft, dataset: BuilderDataset): Measure | string {
  switch (draft.kind) {
    case 'count':
      return { kind: 'column', agg: 'count', ...(draft.dataset === null ? {} : { dataset: draft.dataset }) }
    case 'column':
      return findColumn(dataset, draft.column) === null ? 'Choose a column.' : toColumnMeasure(draft, dataset)
    case 'expression':
      return toFormulaMeasure(draft.formula, dataset)
    case 'ratio': {
      const over = toColumnAggregateMeasure(draft.over, dataset)
      const under = toColumnAggregateMeasure(draft.under, dataset)
      if (typeof over === 'string') return over
      return typeof under === 'string' ? under : { kind: 'ratio', over, under }
    }
    case 'metric':
      return toMetricMeasure(draft.id, dataset)
    case 'kept':
      return draft.measure
  }
}

function toMetricMeasure(id: string | null, { catalogue }: BuilderDataset): Measure | string {
  if (id === null) return 'Choose a metric.'
  return catalogue && !findMetric(catalogue, id) ? 'Metric deleted. Choose another.' : { kind: 'metric', id }
}

/** A sum is called as its column is: "Net amount". Anything else keeps the words that say how it is computed. */
function autoLabel(draft: Pick<MeasureDraft, 'kind'>, measure: Measure, dataset: BuilderDataset): string {
  if (draft.kind !== 'column' || measure.kind !== 'column' || measure.agg !== 'sum') return ''
  const key = measure.field ? fieldKeyOf(dataset, measure.field) : null
  return humanizeLabel(findColumn(dataset, key)?.label ?? '').slice(0, 80)
}

/** Whose rows a measure is about: filters of a measure are asked of them. */
export function datasetOfMeasure(draft: MeasureDraft, dataset: BuilderDataset): BuilderDataset {
  if (draft.kind === 'count') return measureDatasetById(dataset, draft.dataset)
  if (draft.kind === 'column') return measureDatasetById(dataset, datasetIdOfKey(draft.column))
  return draft.kind === 'ratio' ? measureDatasetById(dataset, datasetIdOfKey(draft.over.column)) : dataset
}

/** The plan's measure, or the sentence that says what is missing. */
export function toMeasure(draft: MeasureDraft, dataset: BuilderDataset): Measure | string {
  const { timeCalculation } = draft
  const baseMeasure = toGroupedMeasure(toBaseMeasure(draft, dataset), draft, dataset)
  if (!timeCalculation || typeof baseMeasure === 'string') return baseMeasure
  const label = timeCalculation.label.trim().slice(0, 80)
  const named = {
    ...(label === '' ? {} : { label }),
    ...(timeCalculation.format ? { format: timeCalculation.format } : {}),
  }
  if (timeCalculation.kind === 'moving')
    return { kind: 'moving', of: baseMeasure, agg: timeCalculation.agg, units: timeCalculation.units, ...named }
  return timeCalculation.kind === 'prev'
    ? { kind: 'prev', of: baseMeasure, steps: timeCalculation.steps, ...named }
    : { kind: 'cumulative', of: baseMeasure, restart: timeCalculation.restart, ...named }
}

/** The figures of groups put together; without groups the figure itself. */
function toGroupedMeasure(of: Measure | string, { groups }: MeasureDraft, dataset: BuilderDataset): Measure | string {
  if (!groups || typeof of === 'string') return of
  const { agg, by, grain, having, largest, format } = groups
  const field = toField(dataset, by)
  if (!field) return 'Choose a column to group by.'
  if (agg === 'share' && !having && largest === null) return 'Set a limit or the largest groups for a share.'
  const label = groups.label.trim().slice(0, 80)
  return {
    ...{ kind: 'grouped', agg, of, by: [grain === null ? { field } : { field, grain }] },
    ...(having ? { having } : {}),
    ...(largest === null ? {} : { largest }),
    ...(label === '' ? {} : { label }),
    ...(format ? { format } : {}),
  }
}

/** The figure of all rows of each unit of time. */
function toBaseMeasure(draft: MeasureDraft, dataset: BuilderDataset): Measure | string {
  const measure = toMeasureWithoutFilters(draft, dataset)
  if (typeof measure === 'string' || draft.kind === 'kept') return measure
  const rows = datasetOfMeasure(draft, dataset)
  const filters = draft.filters.map((filter) => toFilter(filter, rows))
  const missing = filters.find((filter) => typeof filter === 'string')
  if (missing !== undefined) return missing
  const set = filters.filter((filter) => typeof filter !== 'string')
  const name = draft.label.trim().slice(0, 80) || (set.length === 0 ? autoLabel(draft, measure, dataset) : '')
  const label = { ...(name === '' ? {} : { label: name }), ...(draft.format ? { format: draft.format } : {}) }
  if (draft.kind === 'metric') return { ...measure, ...label }
  if (draft.kind !== 'ratio' || measure.kind !== 'ratio') {
    const filtered = set.length > 0 ? withRowFilters(measure, set) : measure
    return typeof filtered === 'string' ? filtered : { ...filtered, ...label }
  }
  // A filtered share compares the filtered rows with all of them.
  const over = isLeafMeasure(measure.over) && set.length > 0 ? { ...measure.over, filter: set } : measure.over
  return { ...measure, over, ...label }
}

const toColumnAggregate = (measure: Measure, dataset: BuilderDataset): ColumnAggregate | null =>
  measure.kind === 'column' &&
  measure.label === undefined &&
  measure.format === undefined &&
  measure.percent === undefined &&
  measure.by === undefined &&
  measure.dataset === undefined
    ? { agg: measure.agg, column: measure.field ? fieldKeyOf(dataset, measure.field) : null }
    : null

const percentOf = ({ percent }: { percent?: number | undefined }): { percentile?: number } =>
  percent === undefined ? {} : { percentile: percent }

const shownOf = ({ by, field }: Measure & { kind: 'column' }, rows: BuilderDataset): { shown?: FieldKey } =>
  by && field ? { shown: fieldKeyOf(rows, field) } : {}

/** Null when its rows are of another dataset than its column: the builder has no words for that. */
function toColumnMeasureDraft(measure: Measure & { kind: 'column' }, dataset: BuilderDataset): MeasureDraft | null {
  const own = measure.dataset === undefined || measure.dataset === dataset.id ? null : measure.dataset
  const label = measure.label ?? ''
  const field = measure.by ?? measure.field
  const key = field ? fieldKeyOf(dataset, field) : null
  if (key !== null && (own !== null || (field?.via ?? []).length > 0)) return null
  const draft: MeasureDraft =
    key === null
      ? { kind: 'count', dataset: own, label, filters: [] }
      : {
          ...{ kind: 'column', agg: measure.agg, column: key, label, filters: [], ...percentOf(measure) },
          ...shownOf(measure, measureDatasetById(dataset, datasetIdOfKey(key))),
        }
  const rows = datasetOfMeasure(draft, dataset)
  const filters = (measure.filter ?? []).map((filter) => toFilterDraft(filter, rows))
  return { ...draft, filters, label: label === autoLabel(draft, measure, dataset) ? '' : label }
}

/** A stored measure in the builder's form; what the builder cannot show is kept as it is. */
export function toMeasureDraft(measure: Measure, dataset: BuilderDataset): MeasureDraft {
  if (!isWindowMeasure(measure)) return toGroupedDraft(measure, dataset)
  const of = toGroupedDraft(measure.of, dataset)
  const { label = '', format } = measure
  const named = { label, ...(format ? { format } : {}) }
  if (measure.kind === 'moving')
    return { ...of, timeCalculation: { kind: 'moving', agg: measure.agg, units: measure.units, ...named } }
  return measure.kind === 'prev'
    ? { ...of, timeCalculation: { kind: 'prev', steps: measure.steps, ...named } }
    : { ...of, timeCalculation: { kind: 'cumulative', restart: measure.restart, ...named } }
}

function toGroupedDraft(measure: Measure, dataset: BuilderDataset): MeasureDraft {
  if (measure.kind !== 'grouped') return toBaseMeasureDraft(measure, dataset)
  const [key, second] = measure.by
  if (!key || second || measure.percent !== undefined)
    return { kind: 'kept', measure, percent: false, label: measure.label ?? '', filters: [] }
  const { agg, having = null, largest = null, label = '', format } = measure
  const by = { by: fieldKeyOf(dataset, key.field), grain: key.grain ?? null }
  const groups = { agg, ...by, having, largest, label, ...(format ? { format } : {}) }
  return { ...toBaseMeasureDraft(measure.of, dataset), groups }
}

function toBaseMeasureDraft(measure: Measure, dataset: BuilderDataset): MeasureDraft {
  const found = toUnformattedMeasureDraft(measure, dataset)
  return measure.format && found.kind !== 'kept' ? { ...found, format: measure.format } : found
}

function toUnformattedMeasureDraft(measure: Measure, dataset: BuilderDataset): MeasureDraft {
  const label = measure.label ?? ''
  const kept: MeasureDraft = { kind: 'kept', measure, percent: false, label, filters: [] }
  if (measure.kind === 'metric') return { kind: 'metric', id: measure.id, label, filters: [] }
  // Which rates a single figure is converted by is said by metrics, not here.
  if (isLeafMeasure(measure) && measure.mode !== undefined) return kept
  if (measure.kind === 'expression' && measure.percent !== undefined) return kept
  if (measure.kind === 'ratio') {
    const over = toColumnAggregate(measure.over, dataset)
    const under = toColumnAggregate(measure.under, dataset)
    if (!over || !under || (isLeafMeasure(measure.under) && measure.under.filter)) return kept
    const filters = isLeafMeasure(measure.over) ? (measure.over.filter ?? []) : []
    return {
      kind: 'ratio',
      over,
      under,
      percent: false,
      label,
      filters: filters.map((filter) => toFilterDraft(filter, dataset)),
    }
  }
  if (measure.kind === 'column') return toColumnMeasureDraft(measure, dataset) ?? kept
  if (measure.kind !== 'expression' && measure.kind !== 'calc') return kept
  const found = toFormulaText(measure, dataset)
  if (!found) return kept
  const filters = found.filters.map((filter) => toFilterDraft(filter, dataset))
  return { kind: 'expression', formula: found.formula, label, filters }
}

/** Whether a measure answers numbers; others are texts, dates and yes or no. */
export function answersNumbers(draft: MeasureDraft, dataset: BuilderDataset | null): boolean {
  if (!dataset || draft.kind !== 'column' || isCountMeasure(draft)) return true
  const column =
    draft.shown === undefined
      ? findColumn(dataset, draft.column)
      : findColumn(datasetOfMeasure(draft, dataset), draft.shown)
  return column === null || isNumeric(column)
}

/** Whether a figure is written as per cent: 0.25 is 25 %. */
export function isShownAsPercent(draft: MeasureDraft, dataset: BuilderDataset | null): boolean {
  if (draft.kind === 'metric') return findMetric(dataset?.catalogue, draft.id)?.format?.style === 'percent'
  const column = draft.kind === 'column' ? findColumn(dataset, draft.column) : null
  const format = draft.format ?? (draft.kind === 'column' && draft.shown === undefined ? column?.format : undefined)
  return ('percent' in draft && draft.percent) || (!isCountDraft(draft) && format?.style === 'percent')
}
const isCountDraft = (draft: MeasureDraft): boolean =>
  draft.kind === 'count' || (draft.kind === 'column' && isCountMeasure(draft))

/** Only a ratio of two like things is a share: of counts, or of figures of the same format. */
export function canShowAsPercent({ over, under }: MeasureDraft & { kind: 'ratio' }, dataset: BuilderDataset): boolean {
  if (isCountMeasure(over) || isCountMeasure(under)) return isCountMeasure(over) && isCountMeasure(under)
  const [a, b] = [findColumn(dataset, over.column), findColumn(dataset, under.column)]
  if (!a || !b || !isNumeric(a) || !isNumeric(b)) return false
  return JSON.stringify(a.format) === JSON.stringify(b.format)
}
