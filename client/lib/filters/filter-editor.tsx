import { ActionIcon, Group, Select, Stack, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './filters.module.css'
import { ColumnSelect } from './column-select'
import { choicesFor, columnOf, readable } from './fields'
import { operatorWords, operatorsOf } from './filter-draft'
import type { FilterDraft } from './filter-draft'
import type { FilterEditorProps } from './filter-props'
import { FilterValue } from './filter-value'
import { RelatedFilter, relatedChoices } from './related-filter'

/** One filter: column, condition, value; or whether related rows are there. */
export function FilterEditor(props: FilterEditorProps) {
  const { filter, dataset, onRemove } = props
  const column = filter.kind === 'edit' ? columnOf(dataset, filter.column) : null
  const remove = (
    <ActionIcon
      variant="subtle"
      color="gray"
      onClick={onRemove}
      aria-label={`Remove filter${column ? ` on ${readable(column.label)}` : ''}`}
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
      <RelatedFilter
        filter={filter}
        dataset={dataset}
        onChange={props.onChange}
        remove={remove}
        Editor={FilterEditor}
      />
    )
  return <ColumnFilter {...props} filter={filter} remove={remove} />
}

function ColumnFilter(props: FilterEditorProps & { filter: FilterDraft & { kind: 'edit' }; remove: ReactNode }) {
  const { filter, dataset, onChange, remove } = props
  const column = columnOf(dataset, filter.column)
  return (
    <Stack gap={6} className={classes.nested}>
      <Group gap="xs" wrap="nowrap">
        <ColumnSelect
          label="Filter column"
          hideLabel
          choices={choicesFor(dataset, 'splits')}
          own={dataset.name}
          value={filter.column}
          onChange={(key) => onChange({ ...filter, column: key, values: [], from: '', to: '' })}
          extra={relatedChoices(dataset, onChange)}
        />
        {remove}
      </Group>
      {column && (
        <Select
          aria-label="Condition"
          data={operatorsOf(column).map((op) => ({ value: op, label: operatorWords(op, column) }))}
          value={filter.op}
          allowDeselect={false}
          onChange={(value) => {
            const op = operatorsOf(column).find((one) => one === value)
            if (op) onChange({ ...filter, op })
          }}
        />
      )}
      {column && <FilterValue filter={filter} dataset={dataset} onChange={onChange} />}
    </Stack>
  )
}
