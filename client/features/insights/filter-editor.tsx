import { isExists } from '../../../src/shared/query'
import { ActionIcon, Group, Select, Stack, TagsInput, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconTrash } from '@tabler/icons-react'
import { columnOf, isNumeric, isTemporal, visible } from './draft'
import type { DraftDataset, FilterDraft } from './draft'
import { operatorsOf, operatorWords } from './draft-filters'
import { readable } from './draft-measures'
import { ColumnSelect } from './column-select'
import classes from './insights.module.css'
import { figuresQuery, valuesPlan } from './queries'

type Editable = FilterDraft & { kind: 'edit' }
interface FilterEditorProps {
  filter: FilterDraft
  dataset: DraftDataset
  onChange: (filter: FilterDraft) => void
  onRemove: () => void
}

const columnName = (filter: FilterDraft) =>
  filter.kind === 'edit' ? filter.column : isExists(filter.filter) ? null : filter.filter.field.column

/** One filter: column, condition, value. */
export function FilterEditor({ filter, dataset, onChange, onRemove }: FilterEditorProps) {
  const related = filter.kind === 'kept' && isExists(filter.filter)
  const name = columnName(filter)
  const column = columnOf(dataset, name)
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
        <Text size="sm">
          {column
            ? `${readable(column.label)}: as saved`
            : related
              ? 'Related rows: as saved'
              : 'A filter on a column that is gone'}
        </Text>
        {remove}
      </Group>
    )
  return (
    <Stack gap={6} className={classes.nested}>
      <Group gap="xs" wrap="nowrap">
        <ColumnSelect
          label="Filter column"
          hideLabel
          columns={visible(dataset)}
          value={filter.column}
          onChange={(key) => onChange({ ...filter, column: key, values: [], from: '', to: '' })}
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

function FilterValue({ filter, dataset, onChange }: Omit<FilterEditorProps, 'onRemove'> & { filter: Editable }) {
  const column = columnOf(dataset, filter.column)
  if (!column || filter.op === 'empty' || filter.op === 'notEmpty') return null
  const type = isTemporal(column) ? 'date' : 'text'
  const mode = isNumeric(column) ? { inputMode: 'decimal' as const } : {}
  if (filter.op === 'between')
    return (
      <Group gap="xs">
        {(['from', 'to'] as const).map((end) => (
          <TextInput
            key={end}
            type={type}
            {...mode}
            aria-label={end === 'from' ? 'From' : 'To'}
            value={filter[end]}
            onChange={(event) => onChange({ ...filter, [end]: event.currentTarget.value })}
            style={{ flex: '1 1 8.5rem' }}
          />
        ))}
      </Group>
    )
  if (filter.op === 'in' || filter.op === 'notIn')
    return <FilterValues filter={filter} dataset={dataset} onChange={onChange} />
  const [value = ''] = filter.values
  if (column.type === 'boolean')
    return (
      <Select
        aria-label="Value"
        data={[
          { value: 'true', label: 'Yes' },
          { value: 'false', label: 'No' },
        ]}
        value={value === '' ? null : value}
        onChange={(next) => onChange({ ...filter, values: next === null ? [] : [next] })}
      />
    )
  return (
    <TextInput
      type={type}
      {...mode}
      aria-label="Value"
      value={value}
      onChange={(event) => onChange({ ...filter, values: [event.currentTarget.value] })}
    />
  )
}

/** Values of the column, the most frequent first; others can be typed. */
function FilterValues({ filter, dataset, onChange }: Omit<FilterEditorProps, 'onRemove'> & { filter: Editable }) {
  const plan = valuesPlan(dataset.id, filter.column ?? 'c0')
  const known = useQuery({ ...figuresQuery(plan), enabled: filter.column !== null })
  const values = known.data?.rows.flatMap(([value]) => (value === null || value === undefined ? [] : [String(value)]))
  return (
    <TagsInput
      aria-label="Values"
      placeholder={filter.values.length === 0 ? 'Choose or type values' : ''}
      data={[...new Set(values ?? [])]}
      value={filter.values}
      onChange={(next) => onChange({ ...filter, values: next })}
      limit={30}
    />
  )
}
