import { IconButton } from '../../../ui/buttons/icon-button'
import { Group, NumberInput, Select, Stack } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { DATE_PARTS, GRAINS } from '../../../../src/shared/query/date-range'
import { BINS_MAX } from '../../../../src/shared/limits'
import type { DimensionDraft } from './draft'
import { GroupingFields } from '../../../lib/query-builder/grouping-fields'
import { DATE_PART_LABELS, GRAIN_LABELS } from '../../../../src/shared/query/plan-labels'
import { ColumnSelect } from '../../../lib/query-builder/column-select'
import { TERMS } from '../../../../src/shared/terms'
import { keyOptions } from '../../../lib/query-builder/name-keys'
import { humanizeLabel } from '../../../../src/shared/text'
import {
  fieldOptions,
  findColumn,
  isNumeric,
  isTemporal,
  type BuilderDataset,
} from '../../../lib/query-builder/catalogue'

interface DimensionEditorProps {
  dimension: DimensionDraft
  dataset: BuilderDataset
  onChange: (change: Partial<DimensionDraft>) => void
  onRemove: () => void
}

export function DimensionEditor({ dimension, dataset, onChange, onRemove }: DimensionEditorProps) {
  const column = findColumn(dataset, dimension.column)
  return (
    <Stack gap={6}>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Group gap="xs" flex={1}>
          <ColumnSelect
            label={TERMS.dimension}
            hideLabel
            minWidth={150}
            choices={fieldOptions(dataset, 'splits')}
            ownLabel={dataset.name}
            value={dimension.column}
            onChange={(key) => onChange({ column: key })}
            groups={{
              dataset,
              chosen: dimension.grouping,
              onChoose: (key, id) => onChange({ column: key, grouping: { id }, topN: null }),
            }}
          />
          {column && isTemporal(column) && !dimension.grouping && (
            <DateUnitSelect dimension={dimension} hasTime={column.type === 'datetime'} onChange={onChange} />
          )}
          {column && !isTemporal(column) && !dimension.grouping && !dimension.bins && (
            <TopNInput dimension={dimension} onChange={onChange} width={92} />
          )}
        </Group>
        <IconButton icon={IconTrash} label="Remove dimension" onClick={onRemove} />
      </Group>
      {!dimension.grouping && <KeySelect dimension={dimension} dataset={dataset} onChange={onChange} />}
      {column && isNumeric(column) && !dimension.grouping && <BinFields dimension={dimension} onChange={onChange} />}
      {dimension.grouping && (
        <>
          <GroupingFields
            grouping={dimension.grouping}
            dataset={dataset}
            onChange={(grouping) => onChange({ grouping })}
            showFallback
          />
          <TopNInput dimension={dimension} onChange={onChange} width={120} />
        </>
      )}
    </Stack>
  )
}

const NO_KEY = ''

/** Whether equal names are one row, or one for each key; nothing where there is no key beside them. */
function KeySelect({ dimension, dataset, onChange }: Omit<DimensionEditorProps, 'onRemove'>) {
  const column = findColumn(dataset, dimension.column)
  const key = dimension.key ?? null
  const options = keyOptions(dataset, dimension.column)
  const kept = key !== null && !options.some((option) => option.key === key) ? findColumn(dataset, key) : null
  if (!column || (options.length === 0 && !kept)) return null
  const choices = kept && key !== null ? [...options, { key, column: kept }] : options
  return (
    <Select
      aria-label="One row per"
      data={[
        { value: NO_KEY, label: `One row per ${humanizeLabel(column.label)}` },
        ...choices.map((choice) => ({ value: choice.key, label: `One row per ${humanizeLabel(choice.column.label)}` })),
      ]}
      value={key ?? NO_KEY}
      allowDeselect={false}
      onChange={(value) => onChange({ key: choices.find((choice) => choice.key === value)?.key ?? null })}
    />
  )
}

/** Units of time one after the other, or what every day, week, month or year has again. */
function DateUnitSelect(props: Pick<DimensionEditorProps, 'dimension' | 'onChange'> & { hasTime: boolean }) {
  const { dimension, hasTime, onChange } = props
  const grains = GRAINS.filter((grain) => hasTime || grain !== 'hour')
  const parts = DATE_PARTS.filter((part) => hasTime || part !== 'hourOfDay')
  return (
    <Select
      aria-label="By"
      data={[
        { group: 'Over time', items: grains.map((value) => ({ value, label: `by ${GRAIN_LABELS[value]}` })) },
        { group: 'Recurring', items: parts.map((value) => ({ value, label: `by ${DATE_PART_LABELS[value]}` })) },
      ]}
      value={dimension.part ?? dimension.grain}
      allowDeselect={false}
      style={{ flex: '1 1 130px' }}
      onChange={(value) => {
        const part = DATE_PARTS.find((one) => one === value) ?? null
        onChange({ part, grain: GRAINS.find((one) => one === value) ?? null })
      }}
    />
  )
}

const BIN_OPTIONS = [
  { value: 'each', label: 'Each value' },
  { value: 'count', label: 'Number of steps' },
  { value: 'width', label: 'Step width' },
] as const

/** Numbers one by one, or in steps: about so many round ones, or of a width. */
function BinFields({ dimension, onChange }: Pick<DimensionEditorProps, 'dimension' | 'onChange'>) {
  const { bins } = dimension
  const chosen = !bins ? 'each' : 'width' in bins ? 'width' : 'count'
  return (
    <Group gap="xs" wrap="nowrap">
      <Select
        aria-label="Steps"
        data={BIN_OPTIONS}
        value={chosen}
        allowDeselect={false}
        style={{ flex: 1, minWidth: 0 }}
        onChange={(value) =>
          onChange({ bins: value === 'count' ? { count: 10 } : value === 'width' ? { width: 100 } : null })
        }
      />
      {bins && (
        <NumberInput
          key={chosen}
          aria-label={chosen === 'width' ? 'Step width' : 'Number of steps'}
          value={'width' in bins ? bins.width : bins.count}
          allowDecimal={chosen === 'width'}
          allowNegative={false}
          w={108}
          style={{ flex: 'none' }}
          onChange={(value) => {
            if (typeof value !== 'number' || value <= 0) return
            if (chosen === 'width') onChange({ bins: { width: value } })
            else if (value >= 2 && value <= BINS_MAX) onChange({ bins: { count: value } })
          }}
        />
      )}
    </Group>
  )
}

interface TopNInputProps extends Pick<DimensionEditorProps, 'dimension' | 'onChange'> {
  width: number
}

function TopNInput({ dimension, onChange, width }: TopNInputProps) {
  return (
    <NumberInput
      aria-label="Groups shown"
      prefix="top "
      placeholder={dimension.grouping ? 'all groups' : 'all'}
      value={dimension.topN ?? ''}
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
