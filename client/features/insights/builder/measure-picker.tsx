import { Group, Select, Stack, type ComboboxItem, type ComboboxParsedItem, type OptionsFilter } from '@mantine/core'
import { IconRosetteDiscountCheck } from '@tabler/icons-react'
import { additiveMeasureColumns } from '../../../../src/shared/data-sources/key-columns'
import type { Metric } from '../../../../src/shared/metrics'
import { humanizeLabel } from '../../../../src/shared/text'
import { fieldOptions, findColumn, visibleColumns } from '../../../lib/query-builder/catalogue'
import type { BuilderDataset, FieldKey } from '../../../lib/query-builder/catalogue'
import type { MeasureDraft, ColumnAggregate } from './draft'
import { defaultMeasure } from './default-draft'
import { aggregatesFor, datasetOfMeasure } from './measure-draft'
import { columnInFormula } from './measure-formula'
import { MutedText } from '../../../ui/muted-text'
import { TERMS } from '../../../../src/shared/terms'

interface MeasureOption {
  value: string
  label: string
  metric?: Metric
}
export interface MeasureOptionGroup {
  group: string
  items: MeasureOption[]
}

const CALCULATION_OPTIONS: MeasureOption[] = [
  { value: 'count', label: 'Number of rows' },
  { value: 'expression', label: TERMS.customFormula },
  { value: 'ratio', label: 'A ratio' },
]
const METRIC_PREFIX = 'metric:'
const COLUMN_PREFIX = 'column:'
const metricOption = (metric: Metric): MeasureOption => ({
  value: `${METRIC_PREFIX}${metric.id}`,
  label: metric.name,
  metric,
})

/** Whose metrics can stand beside this data: its own, and those of data that shares something to split by. */
const measurableDatasetIds = (dataset: BuilderDataset): Set<string> =>
  new Set([dataset.id, ...(dataset.linked ?? []).filter(({ use }) => use === 'measures').map(({ id }) => id)])

/** What can be measured: what has a name first, then columns, then calculations. */
export function measureOptions(dataset: BuilderDataset, measure: MeasureDraft): MeasureOptionGroup[] {
  const here = measurableDatasetIds(dataset)
  const metrics = (dataset.catalogue?.metrics ?? []).filter((one) => here.has(one.dataset)).map(metricOption)
  const columns = new Map<string, MeasureOption[]>()
  for (const { key, column, group } of fieldOptions(dataset, 'measures')) {
    const name = group ?? `Columns of ${dataset.name}`
    columns.set(name, [
      ...(columns.get(name) ?? []),
      { value: `${COLUMN_PREFIX}${key}`, label: humanizeLabel(column.label) },
    ])
  }
  const kept = measure.kind === 'kept' ? [{ group: 'As saved', items: [{ value: 'kept', label: 'As saved' }] }] : []
  const gone = missingMetricOption(measure, metrics)
  return [
    ...kept,
    { group: 'Metrics', items: [...metrics, ...(gone ? [gone] : [])] },
    ...[...columns].map(([group, items]) => ({ group, items })),
    { group: 'Calculations', items: CALCULATION_OPTIONS },
  ].filter(({ items }) => items.length > 0)
}

/** A metric that the measure names and the list lacks: deleted, or of data that does not join any more. */
function missingMetricOption(measure: MeasureDraft, metrics: readonly MeasureOption[]): MeasureOption | null {
  if (measure.kind !== 'metric' || measure.id === null) return null
  const value = `${METRIC_PREFIX}${measure.id}`
  return metrics.some((one) => one.value === value) ? null : { value, label: 'Metric not available' }
}

/** Metrics of data that does not join to this: to look at them is to look at that data. */
export const unjoinedMetrics = (dataset: BuilderDataset): Metric[] => {
  const here = measurableDatasetIds(dataset)
  return (dataset.catalogue?.metrics ?? []).filter((one) => !here.has(one.dataset))
}

function selectedMeasureValue(measure: MeasureDraft): string | null {
  if (measure.kind === 'metric') return measure.id === null ? null : `${METRIC_PREFIX}${measure.id}`
  if (measure.kind === 'column') return measure.column === null ? null : `${COLUMN_PREFIX}${measure.column}`
  return measure.kind
}

type SharedMeasureFields = Pick<MeasureDraft, 'groups' | 'timeCalculation' | 'label' | 'filters'>

function columnMeasure(key: FieldKey, { measure, dataset, base }: MeasureChangeContext): MeasureDraft {
  const known = aggregatesFor(findColumn(dataset, key))
  const [first = 'count'] = known
  const isKept = measure.kind === 'column' && (known.includes(measure.agg) || measure.shown !== undefined)
  const next: MeasureDraft = { ...base, kind: 'column', agg: isKept ? measure.agg : first, column: key }
  if (!isKept || measure.shown === undefined) return withFiltersForDataset(next, measure, dataset)
  // Of other rows there are other columns to show.
  const isSame = datasetOfMeasure(next, dataset).id === datasetOfMeasure(measure, dataset).id
  return withFiltersForDataset({ ...next, shown: isSame ? measure.shown : null }, measure, dataset)
}

interface MeasureChangeContext {
  measure: MeasureDraft
  dataset: BuilderDataset
  base: SharedMeasureFields
}

/** Filters are asked of the rows that are measured: with other rows they begin anew. */
export const withFiltersForDataset = (next: MeasureDraft, old: MeasureDraft, dataset: BuilderDataset): MeasureDraft =>
  datasetOfMeasure(next, dataset).id === datasetOfMeasure(old, dataset).id ? next : { ...next, filters: [] }

/** What a figure is divided by at first: something of its own kind, an amount by another amount; else the rows. */
function defaultDivisor(over: ColumnAggregate, dataset: BuilderDataset): ColumnAggregate {
  const columns = visibleColumns(dataset)
  const divided = columns.find(({ key }) => key === over.column)
  const others = additiveMeasureColumns(columns).filter(({ key }) => key !== over.column)
  const alike = others.find(({ format }) => format.style === divided?.format.style) ?? others[0]
  return divided && alike ? { agg: over.agg, column: alike.key } : { agg: 'count', column: null }
}

/** The measure that a choice stands for; how it runs over time and which rows it is of stay as far as they can. */
export function applyMeasureOption(value: string, measure: MeasureDraft, dataset: BuilderDataset): MeasureDraft {
  const { groups, timeCalculation } = measure
  const fields: SharedMeasureFields = {
    label: '',
    filters: measure.filters,
    ...(groups ? { groups: { ...groups, label: '' } } : {}),
    ...(timeCalculation ? { timeCalculation: { ...timeCalculation, label: '' } } : {}),
  }
  if (value.startsWith(METRIC_PREFIX))
    return { ...fields, kind: 'metric', id: value.slice(METRIC_PREFIX.length), filters: [] }
  const found = fieldOptions(dataset, 'measures').find(({ key }) => `${COLUMN_PREFIX}${key}` === value)
  if (found) return columnMeasure(found.key, { measure, dataset, base: fields })
  const first = defaultMeasure(dataset)
  const column = first.kind === 'column' ? first.column : null
  switch (value) {
    case 'count':
      return withFiltersForDataset({ ...fields, kind: 'count', dataset: null }, measure, dataset)
    case 'expression': {
      const summed = columnInFormula(dataset, column)
      return { ...fields, kind: 'expression', formula: summed === null ? '' : `sum(${summed})` }
    }
    case 'ratio': {
      const over: ColumnAggregate = column === null ? { agg: 'count', column: null } : { agg: 'sum', column }
      return { ...fields, kind: 'ratio', over, under: defaultDivisor(over, dataset), percent: false }
    }
  }
  return measure
}

interface MeasurePickerProps {
  measure: MeasureDraft
  dataset: BuilderDataset
  onChange: (measure: MeasureDraft) => void
  /** Looks at the data of a metric that does not join to this; absent where the data is fixed. */
  onSwitchDataset?: ((metric: Metric) => void) | undefined
}

/** What to measure: metrics of the catalogue first, found by their other names too, then columns and calculations. */
export function MeasurePicker({ measure, dataset, onChange, onSwitchDataset }: MeasurePickerProps) {
  const groups = measureOptions(dataset, measure)
  const otherMetrics = onSwitchDataset ? unjoinedMetrics(dataset) : []
  const otherOptions = otherMetrics.map((metric) => ({ value: `elsewhere:${metric.id}`, label: metric.name, metric }))
  const data: MeasureOptionGroup[] =
    otherOptions.length > 0 ? [...groups, { group: 'Metrics of other data', items: otherOptions }] : groups
  const metrics = new Map(
    data.flatMap(({ items }) => items.flatMap((one) => (one.metric ? [[one.value, one.metric]] : []))),
  )
  return (
    <Select
      aria-label="What to measure"
      data={data.map(({ group, items }) => ({ group, items: items.map(({ value, label }) => ({ value, label })) }))}
      value={selectedMeasureValue(measure)}
      placeholder="Choose measure"
      searchable
      nothingFoundMessage="No match"
      maxDropdownHeight={320}
      filter={filterByNames(metrics)}
      renderOption={({ option }) => <MeasureOptionItem label={option.label} metric={metrics.get(option.value)} />}
      onChange={(value) => {
        if (value === null) return
        const other = otherOptions.find((one) => one.value === value)
        if (other) onSwitchDataset?.(other.metric)
        else onChange(applyMeasureOption(value, measure, dataset))
      }}
      style={{ flex: 1, minWidth: 0 }}
    />
  )
}

/** By what a choice is called, and by the other names of a metric. */
const filterByNames =
  (metrics: ReadonlyMap<string, Metric>): OptionsFilter =>
  ({ options, search }) => {
    const wanted = search.trim().toLocaleLowerCase()
    const names = ({ value, label }: ComboboxItem): string[] => [label, ...(metrics.get(value)?.synonyms ?? [])]
    const fits = (item: ComboboxItem): boolean => names(item).some((name) => name.toLocaleLowerCase().includes(wanted))
    return options.flatMap((option): ComboboxParsedItem[] => {
      if (!('group' in option)) return fits(option) ? [option] : []
      const items = option.items.filter(fits)
      return items.length > 0 ? [{ group: option.group, items }] : []
    })
  }

function MeasureOptionItem({ label, metric }: { label: string; metric: Metric | undefined }) {
  if (!metric) return label
  const about = [...(metric.synonyms.length > 0 ? [`also ${metric.synonyms.join(', ')}`] : []), metric.description]
  const details = about.filter((part) => part !== '').join(' · ')
  return (
    <Stack gap={0} style={{ minWidth: 0 }}>
      <Group gap={4} wrap="nowrap">
        <span>{label}</span>
        {metric.verified && (
          <IconRosetteDiscountCheck
            size={14}
            role="img"
            aria-label="Verified"
            style={{ flex: 'none', color: 'var(--good)' }}
          />
        )}
      </Group>
      {details !== '' && (
        <MutedText size="xs" lineClamp={2}>
          {details}
        </MutedText>
      )}
    </Stack>
  )
}
