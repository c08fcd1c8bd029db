import { Group, Select, Stack, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { humanizeLabel } from '../../../src/shared/text'
import { fieldOptions, findColumn, type BuilderDataset, type FieldKey } from '../../lib/query-builder/catalogue'
import { ColumnSelect } from '../../lib/query-builder/column-select'
import { newFilterDraft, operatorLabel, type FilterDraft } from '../../lib/query-builder/filter-draft'
import { FilterValueInput } from '../../lib/query-builder/filter-editor'
import filterClasses from '../../lib/query-builder/filter-editor.module.css'
import { GroupsFilterFields } from '../../lib/query-builder/grouping-fields'
import { AddButton } from '../../ui/buttons/add-button'
import { IconButton } from '../../ui/buttons/icon-button'
import type { AccessNames } from './access-names'
import { canAskAttribute, newRuleFilter, ruleOperatorsFor, type RuleFilterDraft } from './rule-filter-draft'

/** So many conditions a rule may have. */
const CONDITIONS_MAX = 10

export interface RuleConditionsProps {
  filters: readonly RuleFilterDraft[]
  dataset: BuilderDataset
  names: AccessNames
  error: string | undefined
  onChange: (filters: RuleFilterDraft[]) => void
}

/** Which rows a rule is about: those that meet all of these conditions. */
export function RuleConditions({ filters, dataset, names, error, onChange }: RuleConditionsProps) {
  return (
    <Stack gap="sm">
      {filters.map((filter, at) => (
        <RuleCondition
          key={at}
          {...{ filter, dataset, names }}
          onChange={(next) => onChange(filters.with(at, next))}
          onRemove={() => onChange(filters.filter((_, other) => other !== at))}
        />
      ))}
      {error !== undefined && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {error}
        </Text>
      )}
      {filters.length < CONDITIONS_MAX && (
        <AddButton label="Add condition" onClick={() => onChange([...filters, newRuleFilter()])} />
      )}
    </Stack>
  )
}

interface RuleConditionProps {
  filter: RuleFilterDraft
  dataset: BuilderDataset
  names: AccessNames
  onChange: (filter: RuleFilterDraft) => void
  onRemove: () => void
}

function RuleCondition({ filter, dataset, names, onChange, onRemove }: RuleConditionProps) {
  if (filter.kind === 'kept')
    return (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">Saved condition</Text>
        <IconButton icon={IconTrash} label="Remove condition" onClick={onRemove} />
      </Group>
    )
  const { draft, attribute } = filter
  const column = findColumn(dataset, draft.column)
  const setDraft = (next: FilterDraft): void => {
    if (next.kind === 'edit' || next.kind === 'groups') onChange({ ...filter, draft: next })
  }
  const setColumn = (key: FieldKey | null): void => {
    const [op = 'in'] = ruleOperatorsFor(findColumn(dataset, key), null)
    onChange({ kind: 'edit', draft: { ...newFilterDraft(), column: key, op }, attribute: null })
  }
  return (
    <Stack gap={6} className={filterClasses.nested}>
      <Group gap="xs" wrap="nowrap">
        <ColumnSelect
          label="Condition column"
          hideLabel
          choices={fieldOptions(dataset, 'splits')}
          ownLabel={dataset.name}
          value={draft.column}
          onChange={setColumn}
          groups={{
            dataset,
            chosen: draft.kind === 'groups' ? draft.grouping : null,
            onChoose: (key, id) =>
              onChange({
                kind: 'edit',
                draft: { kind: 'groups', column: key, grouping: { id }, op: 'in', groups: [] },
                attribute: null,
              }),
          }}
        />
        <IconButton
          icon={IconTrash}
          label={`Remove condition${column ? ` on ${humanizeLabel(column.label)}` : ''}`}
          onClick={onRemove}
        />
      </Group>
      {draft.kind === 'groups' && <GroupsFilterFields filter={draft} dataset={dataset} onChange={setDraft} />}
      {draft.kind === 'edit' && column && (
        <>
          <Group gap="xs" grow>
            <Select
              aria-label="Condition"
              data={ruleOperatorsFor(column, attribute).map((op) => ({ value: op, label: operatorLabel(op, column) }))}
              value={draft.op}
              onChange={(op) => op && setDraft({ ...draft, op })}
            />
            {canAskAttribute(column) && <AttributeSelect {...{ filter, column, names }} onChange={onChange} />}
          </Group>
          {attribute === null && <FilterValueInput filter={draft} dataset={dataset} onChange={setDraft} />}
        </>
      )}
    </Stack>
  )
}

const TYPED_VALUES = ''

interface AttributeSelectProps {
  filter: Extract<RuleFilterDraft, { kind: 'edit' }>
  column: NonNullable<ReturnType<typeof findColumn>>
  names: AccessNames
  onChange: (filter: RuleFilterDraft) => void
}

/** Whether typed values count, or those that the person's attribute has. */
function AttributeSelect({ filter, column, names, onChange }: AttributeSelectProps) {
  const choose = (value: string | null): void => {
    const attribute = value === null || value === TYPED_VALUES ? null : value
    const ops = ruleOperatorsFor(column, attribute)
    const [first = 'in'] = ops
    const { draft } = filter
    const op = draft.kind === 'edit' && ops.includes(draft.op) ? draft.op : first
    onChange({ ...filter, attribute, draft: draft.kind === 'edit' ? { ...draft, op, values: [] } : draft })
  }
  return (
    <Select
      aria-label="Compare with"
      data={[
        { value: TYPED_VALUES, label: 'Values' },
        {
          group: 'Attribute of the person',
          items: names.choices.attribute.map(({ value, label }) => ({ value, label: `{${label}}` })),
        },
      ]}
      value={filter.attribute ?? TYPED_VALUES}
      onChange={choose}
    />
  )
}
