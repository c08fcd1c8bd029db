import { Group, Select, Stack, Text } from '@mantine/core'
import type { ComboboxItem, ComboboxParsedItem, OptionsFilter } from '@mantine/core'
import { IconRosetteDiscountCheck } from '@tabler/icons-react'
import type { Metric } from '../../../src/shared/metrics'
import type { BuilderDataset } from '../../lib/filters/fields'
import type { MeasureDraft } from './draft'
import { applyMeasureOption, selectedMeasureValue, measureOptions, unjoinedMetrics } from './measure-choices'
import type { MeasureOptionGroup } from './measure-choices'

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
      placeholder="Choose what to measure"
      searchable
      allowDeselect={false}
      nothingFoundMessage="Nothing is called so"
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
        <Text size="xs" c="dimmed" lineClamp={2}>
          {details}
        </Text>
      )}
    </Stack>
  )
}
