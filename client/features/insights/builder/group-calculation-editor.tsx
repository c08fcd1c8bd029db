import { Group, NumberInput, Select, Stack } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { LARGEST_GROUPS_MAX } from '../../../../src/shared/limits'
import { GRAINS } from '../../../../src/shared/query/date-range'
import { COMPARISON_OPERATORS, GROUP_AGGREGATES, type GroupAggregate } from '../../../../src/shared/query/functions'
import { GRAIN_LABELS, LIMIT_LABELS } from '../../../../src/shared/query/plan-labels'
import { fieldOptions, findColumn, isTemporal, type BuilderDataset } from '../../../lib/query-builder/catalogue'
import { ColumnSelect } from '../../../lib/query-builder/column-select'
import { IconButton } from '../../../ui/buttons/icon-button'
import classes from '../insights.module.css'
import { describeMeasureDraft } from './describe-draft'
import type { MeasureDraft } from './draft'

const GROUP_AGGREGATE_OPTIONS: Record<GroupAggregate, string> = {
  count: 'Number of groups',
  avg: 'Average per group',
  median: 'Median per group',
  sum: 'Total of groups',
  min: 'Minimum per group',
  max: 'Maximum per group',
  share: 'Share of total',
}
/** A share of everything says nothing: it begins with so many of the largest. */
const SHARE_LARGEST = 10
const ANY_FIGURE = 'any'

type Groups = NonNullable<MeasureDraft['groups']>
interface GroupCalculationEditorProps {
  measure: MeasureDraft
  dataset: BuilderDataset
  onChange: (measure: MeasureDraft) => void
}

/** The groups that a figure is worked out for, which of them count, and how their figures are put together. */
export function GroupCalculationEditor({ measure, dataset, onChange }: GroupCalculationEditorProps) {
  const { groups, ...plain } = measure
  if (!groups) return null
  const change = (next: Partial<Groups>): void => onChange({ ...measure, groups: { ...groups, ...next } })
  return (
    <Stack
      gap="xs"
      className={classes.nested}
      role="group"
      aria-label={`Groups of ${describeMeasureDraft(plain, dataset)}`}
    >
      <Group gap="xs" wrap="nowrap">
        <Select
          aria-label="Aggregate of groups"
          data={GROUP_AGGREGATES.map((value) => ({ value, label: GROUP_AGGREGATE_OPTIONS[value] }))}
          value={groups.agg}
          allowDeselect={false}
          style={{ flex: 1, minWidth: 0 }}
          onChange={(value) => {
            const isBareShare = value === 'share' && !groups.having && groups.largest === null
            if (value) change({ agg: value, ...(isBareShare ? { largest: SHARE_LARGEST } : {}) })
          }}
        />
        <IconButton icon={IconTrash} label="Remove groups" onClick={() => onChange(plain)} />
      </Group>
      <GroupKeyFields groups={groups} dataset={dataset} onChange={change} />
      <GroupLimits groups={groups} onChange={change} />
    </Stack>
  )
}

interface GroupFieldsProps {
  groups: Groups
  onChange: (next: Partial<Groups>) => void
}

/** What the groups are of: the values of a column, or units of a date. */
function GroupKeyFields({ groups, dataset, onChange }: GroupFieldsProps & { dataset: BuilderDataset }) {
  const column = findColumn(dataset, groups.by)
  const grains = GRAINS.filter((grain) => column?.type === 'datetime' || grain !== 'hour')
  return (
    <Group gap="xs" wrap="nowrap">
      <ColumnSelect
        label="Group by"
        hideLabel
        choices={fieldOptions(dataset, 'splits')}
        ownLabel={dataset.name}
        value={groups.by}
        placeholder="Group by"
        onChange={(by) => {
          const chosen = findColumn(dataset, by)
          onChange({ by, grain: chosen && isTemporal(chosen) ? 'day' : null })
        }}
      />
      {column && isTemporal(column) && (
        <Select
          aria-label="By"
          data={grains.map((value) => ({ value, label: `by ${GRAIN_LABELS[value]}` }))}
          value={groups.grain}
          allowDeselect={false}
          w={132}
          style={{ flex: 'none' }}
          onChange={(grain) => onChange({ grain })}
        />
      )}
    </Group>
  )
}

/** Which groups count: those within a limit, and of these the largest. */
function GroupLimits({ groups, onChange }: GroupFieldsProps) {
  const { having, largest } = groups
  return (
    <Group gap="xs">
      <Select
        aria-label="Groups that count"
        data={[
          { value: ANY_FIGURE, label: 'All groups' },
          ...COMPARISON_OPERATORS.map((value) => ({ value, label: `Measure ${LIMIT_LABELS[value]}` })),
        ]}
        value={having?.op ?? ANY_FIGURE}
        allowDeselect={false}
        style={{ flex: 1, minWidth: 150 }}
        onChange={(value) => {
          const op = COMPARISON_OPERATORS.find((one) => one === value)
          onChange({ having: op ? { op, value: having?.value ?? 0 } : null })
        }}
      />
      {having && (
        <NumberInput
          aria-label="Threshold"
          value={having.value}
          w={116}
          style={{ flex: 'none' }}
          onChange={(value) => {
            if (typeof value === 'number') onChange({ having: { ...having, value } })
          }}
        />
      )}
      <NumberInput
        aria-label="Largest groups"
        prefix="largest "
        placeholder="all sizes"
        value={largest ?? ''}
        min={1}
        max={LARGEST_GROUPS_MAX}
        allowDecimal={false}
        allowNegative={false}
        w={116}
        style={{ flex: 'none' }}
        onChange={(value) =>
          onChange({ largest: typeof value === 'number' && value >= 1 ? Math.min(value, LARGEST_GROUPS_MAX) : null })
        }
      />
    </Group>
  )
}
