import { ActionIcon, Group, NumberInput, Select, Stack } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { GRAINS } from '../../../src/shared/query'
import type { SplitDraft } from './draft'
import { GroupedFields } from '../../lib/filters/grouped-fields'
import { GRAIN_WORDS } from './draft-words'
import { ColumnSelect } from '../../lib/filters/column-select'
import { choicesFor, columnOf, isTemporal } from '../../lib/filters/fields'
import type { DraftDataset } from '../../lib/filters/fields'

interface SplitEditorProps {
  split: SplitDraft
  dataset: DraftDataset
  onChange: (change: Partial<SplitDraft>) => void
  onRemove: () => void
}

/** One split: a date by its grain, anything else by its largest groups. */
export function SplitEditor({ split, dataset, onChange, onRemove }: SplitEditorProps) {
  const column = columnOf(dataset, split.column)
  return (
    <Stack gap={6}>
      <Group gap="xs" wrap="nowrap" align="flex-end">
        <ColumnSelect
          label="Column to split by"
          hideLabel
          choices={choicesFor(dataset, 'splits')}
          own={dataset.name}
          value={split.column}
          onChange={(key) => onChange({ column: key })}
          groups={{
            dataset,
            chosen: split.grouping,
            onChoose: (key, id) => onChange({ column: key, grouping: { id }, topN: null }),
          }}
        />
        {column && isTemporal(column) && !split.grouping && (
          <Select
            aria-label="By"
            data={GRAINS.filter((grain) => grain !== 'hour' || column.type === 'datetime').map((grain) => ({
              value: grain,
              label: `by ${GRAIN_WORDS[grain]}`,
            }))}
            value={split.grain}
            allowDeselect={false}
            w={124}
            style={{ flex: 'none' }}
            onChange={(value) => onChange({ grain: GRAINS.find((grain) => grain === value) ?? 'month' })}
          />
        )}
        {column && !isTemporal(column) && !split.grouping && <TopN split={split} onChange={onChange} width={92} />}
        <ActionIcon variant="subtle" color="gray" onClick={onRemove} aria-label="Remove split">
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </Group>
      {split.grouping && (
        <>
          <GroupedFields
            grouping={split.grouping}
            dataset={dataset}
            onChange={(grouping) => onChange({ grouping })}
            fallback
          />
          <TopN split={split} onChange={onChange} width={120} />
        </>
      )}
    </Stack>
  )
}

/** How many of the largest groups show; all of them when nothing is said. */
function TopN({ split, onChange, width }: Pick<SplitEditorProps, 'split' | 'onChange'> & { width: number }) {
  return (
    <NumberInput
      aria-label="Largest groups to show"
      prefix="top "
      placeholder={split.grouping ? 'all groups' : 'all'}
      value={split.topN ?? ''}
      min={1}
      max={1000}
      allowDecimal={false}
      allowNegative={false}
      w={width}
      style={{ flex: 'none' }}
      onChange={(value) => onChange({ topN: typeof value === 'number' && value >= 1 ? Math.min(value, 1000) : null })}
    />
  )
}
