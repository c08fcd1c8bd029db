import { ActionIcon, Group, Select, Stack, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './filters.module.css'
import { ColumnSelect } from './column-select'
import { fieldOptions, findColumn, humanizeLabel } from './fields'
import type { FieldKey } from './fields'
import { newFilterDraft, operatorLabel, operatorsFor } from './filter-draft'
import type { FilterDraft } from './filter-draft'
import type { FilterEditorProps } from './filter-props'
import { FilterValueInput } from './filter-value'
import { GroupsFilterFields } from './groups-filter'
import { RelatedFilterFields, relatedRowOptions } from './related-filter'

/** One filter: column, condition, value; or whether related rows are there. */
export function FilterEditor(props: FilterEditorProps) {
  const { filter, dataset, onRemove } = props
  const column = filter.kind === 'edit' || filter.kind === 'groups' ? findColumn(dataset, filter.column) : null
  const remove = (
    <ActionIcon
      variant="subtle"
      color="gray"
      onClick={onRemove}
      aria-label={`Remove filter${column ? ` on ${humanizeLabel(column.label)}` : ''}`}
    >
      <IconTrash size={16} aria-hidden />
    </ActionIcon>
  )
  if (filter.kind === 'kept')
    return (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">A filter as saved</Text>
        {remove}
      </Group>
    )
  if (filter.kind === 'related')
    return (
      <RelatedFilterFields
        filter={filter}
        dataset={dataset}
        onChange={props.onChange}
        remove={remove}
        Editor={FilterEditor}
      />
    )
  return <ColumnFilter {...props} filter={filter} remove={remove} />
}

type ColumnFilterDraft = FilterDraft & { kind: 'edit' | 'groups' }

/** Another column is filtered by other values. */
function withColumn(filter: ColumnFilterDraft, column: FieldKey | null): FilterDraft {
  const base = filter.kind === 'edit' ? filter : newFilterDraft()
  return base.kind === 'edit' ? { ...base, column, values: [], from: '', to: '' } : base
}

function ColumnFilter(props: FilterEditorProps & { filter: ColumnFilterDraft; remove: ReactNode }) {
  const { filter, dataset, onChange, remove } = props
  const column = findColumn(dataset, filter.column)
  return (
    <Stack gap={6} className={classes.nested}>
      <Group gap="xs" wrap="nowrap">
        <ColumnSelect
          label="Filter column"
          hideLabel
          choices={fieldOptions(dataset, 'splits')}
          ownLabel={dataset.name}
          value={filter.column}
          onChange={(key) => onChange(withColumn(filter, key))}
          groups={{
            dataset,
            chosen: filter.kind === 'groups' ? filter.grouping : null,
            onChoose: (key, id) => onChange({ kind: 'groups', column: key, grouping: { id }, op: 'in', groups: [] }),
          }}
          extra={relatedRowOptions(dataset, onChange)}
        />
        {remove}
      </Group>
      {filter.kind === 'groups' && <GroupsFilterFields filter={filter} dataset={dataset} onChange={onChange} />}
      {column && filter.kind === 'edit' && (
        <Select
          aria-label="Condition"
          data={operatorsFor(column).map((op) => ({ value: op, label: operatorLabel(op, column) }))}
          value={filter.op}
          allowDeselect={false}
          onChange={(value) => {
            const op = operatorsFor(column).find((one) => one === value)
            if (op) onChange({ ...filter, op })
          }}
        />
      )}
      {column && filter.kind === 'edit' && <FilterValueInput filter={filter} dataset={dataset} onChange={onChange} />}
    </Stack>
  )
}
