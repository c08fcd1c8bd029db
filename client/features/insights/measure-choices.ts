import type { Metric } from '../../../src/shared/metrics'
import { choicesFor, columnOf, readable } from '../../lib/filters/fields'
import type { DraftDataset, FieldKey } from '../../lib/filters/fields'
import type { MeasureDraft, SimpleMeasure } from './draft'
import { firstMeasure } from './draft-defaults'
import { aggregatesOf, rowsOf } from './draft-measures'

export interface MeasureChoice {
  value: string
  label: string
  metric?: Metric
}
export interface MeasureGroup {
  group: string
  items: MeasureChoice[]
}

const CALCULATIONS: MeasureChoice[] = [
  { value: 'count', label: 'Number of rows' },
  { value: 'expression', label: 'A calculation per row' },
  { value: 'ratio', label: 'A ratio' },
]
const METRIC = 'metric:'
const COLUMN = 'column:'
const metricChoice = (metric: Metric): MeasureChoice => ({ value: `${METRIC}${metric.id}`, label: metric.name, metric })

/** Whose metrics can stand beside this data: its own, and those of data that shares something to split by. */
const measurable = (dataset: DraftDataset): Set<string> =>
  new Set([dataset.id, ...(dataset.linked ?? []).filter(({ use }) => use === 'measures').map(({ id }) => id)])

/** What can be measured: what has a name first, then columns, then calculations. */
export function measureChoices(dataset: DraftDataset, measure: MeasureDraft): MeasureGroup[] {
  const here = measurable(dataset)
  const metrics = (dataset.catalogue?.metrics ?? []).filter((one) => here.has(one.dataset)).map(metricChoice)
  const columns = new Map<string, MeasureChoice[]>()
  for (const { key, column, group } of choicesFor(dataset, 'measures')) {
    const name = group ?? `Columns of ${dataset.name}`
    columns.set(name, [...(columns.get(name) ?? []), { value: `${COLUMN}${key}`, label: readable(column.label) }])
  }
  const kept = measure.kind === 'kept' ? [{ group: 'As saved', items: [{ value: 'kept', label: 'As saved' }] }] : []
  const gone = goneChoice(measure, metrics)
  return [
    ...kept,
    { group: 'Metrics', items: [...metrics, ...(gone ? [gone] : [])] },
    ...[...columns].map(([group, items]) => ({ group, items })),
    { group: 'Calculations', items: CALCULATIONS },
  ].filter(({ items }) => items.length > 0)
}

/** A metric that the measure names and the list lacks: deleted, or of data that does not join any more. */
function goneChoice(measure: MeasureDraft, metrics: readonly MeasureChoice[]): MeasureChoice | null {
  if (measure.kind !== 'metric' || measure.id === null) return null
  const value = `${METRIC}${measure.id}`
  return metrics.some((one) => one.value === value) ? null : { value, label: 'A metric that is not here' }
}

/** Metrics of data that does not join to this: to look at them is to look at that data. */
export const metricsElsewhere = (dataset: DraftDataset): Metric[] => {
  const here = measurable(dataset)
  return (dataset.catalogue?.metrics ?? []).filter((one) => !here.has(one.dataset))
}

export function chosenValue(measure: MeasureDraft): string | null {
  if (measure.kind === 'metric') return measure.id === null ? null : `${METRIC}${measure.id}`
  if (measure.kind === 'column') return measure.column === null ? null : `${COLUMN}${measure.column}`
  return measure.kind
}

type Base = Pick<MeasureDraft, 'along' | 'label' | 'filters'>

function columnMeasure(key: FieldKey, { measure, dataset, base }: Changing): MeasureDraft {
  const known = aggregatesOf(columnOf(dataset, key))
  const [first = 'count'] = known
  const agg = measure.kind === 'column' && known.includes(measure.agg) ? measure.agg : first
  return ofRows({ ...base, kind: 'column', agg, column: key }, measure, dataset)
}

interface Changing {
  measure: MeasureDraft
  dataset: DraftDataset
  base: Base
}

/** Filters are asked of the rows that are measured: with other rows they begin anew. */
export const ofRows = (next: MeasureDraft, old: MeasureDraft, dataset: DraftDataset): MeasureDraft =>
  rowsOf(next, dataset).id === rowsOf(old, dataset).id ? next : { ...next, filters: [] }

/** The measure that a choice stands for; how it runs over time and which rows it is of stay as far as they can. */
export function choose(value: string, measure: MeasureDraft, dataset: DraftDataset): MeasureDraft {
  const { along } = measure
  const base: Base = { label: '', filters: measure.filters, ...(along ? { along: { ...along, label: '' } } : {}) }
  if (value.startsWith(METRIC)) return { ...base, kind: 'metric', id: value.slice(METRIC.length), filters: [] }
  const found = choicesFor(dataset, 'measures').find(({ key }) => `${COLUMN}${key}` === value)
  if (found) return columnMeasure(found.key, { measure, dataset, base })
  const first = firstMeasure(dataset)
  const column = first.kind === 'column' ? first.column : null
  switch (value) {
    case 'count':
      return ofRows({ ...base, kind: 'count', dataset: null }, measure, dataset)
    case 'expression':
      return { ...base, kind: 'expression', agg: 'sum', first: column, terms: [{ op: 'multiply', operand: null }] }
    case 'ratio': {
      const over: SimpleMeasure = column === null ? { agg: 'count', column: null } : { agg: 'sum', column }
      return { ...base, kind: 'ratio', over, under: { agg: 'count', column: null }, percent: false }
    }
  }
  return measure
}
