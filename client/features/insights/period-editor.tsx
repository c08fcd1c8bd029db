import { Checkbox, Group, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core'
import type { PeriodDraft } from './draft'
import type { History } from './draft-defaults'
import { PRESET_IDS, PRESETS } from './draft-presets'
import { ColumnSelect } from '../../lib/filters/column-select'
import { choicesFor, isTemporal } from '../../lib/filters/fields'
import type { DraftDataset } from '../../lib/filters/fields'

const COMPARES = [
  { value: 'previous', label: 'Period before' },
  { value: 'year', label: 'Year before' },
  { value: 'none', label: 'Nothing' },
] as const

interface PeriodEditorProps {
  period: PeriodDraft
  dataset: DraftDataset
  history: History | null
  onChange: (change: Partial<PeriodDraft>) => void
}

/** Which days count, and what they are compared with. */
export function PeriodEditor({ period, dataset, history, onChange }: PeriodEditorProps) {
  const dates = choicesFor(dataset, 'splits', isTemporal)
  const { range } = period
  const chosen = [
    ...(range.preset === 'kept' ? [{ value: 'kept', label: 'As saved' }] : []),
    ...PRESET_IDS.map((id) => ({ value: id, label: PRESETS[id].label })),
    { value: 'dates', label: 'Choose dates' },
  ]
  const choose = (value: string | null): void => {
    const preset = PRESET_IDS.find((id) => id === value)
    if (preset) onChange({ range: { preset } })
    if (value === 'dates') onChange({ range: { preset: 'dates', from: history?.from ?? '', to: history?.to ?? '' } })
  }
  return (
    <Stack gap="xs">
      {dates.length > 1 && (
        <ColumnSelect
          label="Date"
          choices={dates}
          own={dataset.name}
          value={period.column}
          onChange={(column) => onChange({ column })}
        />
      )}
      <Select aria-label="Period" data={chosen} value={range.preset} allowDeselect={false} onChange={choose} />
      {range.preset === 'dates' && <DatesEditor range={range} onChange={(next) => onChange({ range: next })} />}
      {range.preset !== 'all' && <CompareChoice value={period.compare} onChange={(compare) => onChange({ compare })} />}
      <Checkbox
        label="Complete periods only"
        checked={period.completeOnly}
        onChange={(event) => onChange({ completeOnly: event.currentTarget.checked })}
      />
    </Stack>
  )
}

type Dates = Extract<PeriodDraft['range'], { preset: 'dates' }>

function DatesEditor({ range, onChange }: { range: Dates; onChange: (range: Dates) => void }) {
  return (
    <Group gap="xs">
      {(['from', 'to'] as const).map((end) => (
        <TextInput
          key={end}
          type="date"
          aria-label={end === 'from' ? 'First day' : 'Last day'}
          value={range[end]}
          onChange={(event) => onChange({ ...range, [end]: event.currentTarget.value })}
          style={{ flex: '1 1 8.5rem' }}
        />
      ))}
    </Group>
  )
}

type Compare = PeriodDraft['compare']

function CompareChoice({ value, onChange }: { value: Compare; onChange: (compare: Compare) => void }) {
  return (
    <div>
      <Text size="sm" fw={500} mb={4} id="compare-with">
        Compare with
      </Text>
      <SegmentedControl
        aria-labelledby="compare-with"
        fullWidth
        size="xs"
        data={COMPARES.map((one) => ({ value: one.value, label: one.label }))}
        value={value}
        onChange={(next) => onChange(COMPARES.find((one) => one.value === next)?.value ?? 'none')}
      />
    </div>
  )
}
