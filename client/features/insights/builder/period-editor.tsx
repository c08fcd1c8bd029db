import { DateField } from '../../../ui/forms/date-field'
import { Checkbox, Group, SegmentedControl, Select, Stack, Text } from '@mantine/core'
import type { SegmentedControlItem } from '@mantine/core'
import type { PeriodDraft } from './draft'
import { PERIOD_PRESET_IDS, PERIOD_PRESETS } from '../../../lib/query-builder/period-presets'
import type { DataRange } from '../../../lib/query-builder/time-column'
import { ColumnSelect } from '../../../lib/query-builder/column-select'
import { fieldOptions, isTemporal, type BuilderDataset } from '../../../lib/query-builder/catalogue'

type CompareMode = PeriodDraft['compare']
const COMPARE_OPTIONS: SegmentedControlItem<CompareMode>[] = [
  { value: 'previous', label: 'Previous period' },
  { value: 'year', label: 'Previous year' },
  { value: 'none', label: 'None' },
]

interface PeriodEditorProps {
  period: PeriodDraft
  dataset: BuilderDataset
  dataRange: DataRange | null
  onChange: (change: Partial<PeriodDraft>) => void
}

export function PeriodEditor({ period, dataset, dataRange, onChange }: PeriodEditorProps) {
  const dates = fieldOptions(dataset, 'splits', isTemporal)
  const { range } = period
  const chosen = [
    ...(range.preset === 'kept' ? [{ value: 'kept', label: 'As saved' }] : []),
    ...PERIOD_PRESET_IDS.map((id) => ({ value: id, label: PERIOD_PRESETS[id].label })),
    { value: 'dates', label: 'Choose dates' },
  ]
  const choosePreset = (value: string | null): void => {
    const preset = PERIOD_PRESET_IDS.find((id) => id === value)
    if (preset) onChange({ range: { preset } })
    if (value === 'dates')
      onChange({ range: { preset: 'dates', from: dataRange?.from ?? '', to: dataRange?.to ?? '' } })
  }
  return (
    <Stack gap="xs">
      {dates.length > 1 && (
        <ColumnSelect
          label="Date"
          choices={dates}
          ownLabel={dataset.name}
          value={period.column}
          onChange={(column) => onChange({ column })}
        />
      )}
      <Select aria-label="Period" data={chosen} value={range.preset} onChange={choosePreset} />
      {range.preset === 'dates' && <DatesEditor range={range} onChange={(next) => onChange({ range: next })} />}
      {range.preset !== 'all' && <ComparePicker value={period.compare} onChange={(compare) => onChange({ compare })} />}
      <Checkbox
        label="Complete periods only"
        checked={period.completeOnly}
        onChange={(event) => onChange({ completeOnly: event.currentTarget.checked })}
      />
    </Stack>
  )
}

type CustomDates = Extract<PeriodDraft['range'], { preset: 'dates' }>

function DatesEditor({ range, onChange }: { range: CustomDates; onChange: (range: CustomDates) => void }) {
  return (
    <Group gap="xs">
      {(['from', 'to'] as const).map((end) => (
        <DateField
          key={end}
          aria-label={end === 'from' ? 'First day' : 'Last day'}
          value={range[end]}
          onChange={(day) => onChange({ ...range, [end]: day })}
          style={{ flex: '1 1 8.5rem' }}
        />
      ))}
    </Group>
  )
}

function ComparePicker({ value, onChange }: { value: CompareMode; onChange: (compareMode: CompareMode) => void }) {
  return (
    <div>
      <Text size="sm" fw={500} mb={4} id="compare-with">
        Compare with
      </Text>
      <SegmentedControl
        aria-labelledby="compare-with"
        fullWidth
        size="xs"
        data={COMPARE_OPTIONS}
        value={value}
        onChange={onChange}
      />
    </div>
  )
}
