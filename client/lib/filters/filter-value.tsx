import { Group, Select, TagsInput, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { planResultQuery } from '../figures'
import { topValuesPlan } from './calls'
import { findColumn, toField, isNumeric, isTemporal } from './fields'
import type { BuilderDataset } from './fields'
import type { FilterDraft } from './filter-draft'

interface FilterValueInputProps {
  filter: FilterDraft & { kind: 'edit' }
  dataset: BuilderDataset
  onChange: (filter: FilterDraft) => void
}

/** What a column is compared with. */
export function FilterValueInput({ filter, dataset, onChange }: FilterValueInputProps) {
  const column = findColumn(dataset, filter.column)
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
    return <FilterValuesInput filter={filter} dataset={dataset} onChange={onChange} />
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
function FilterValuesInput({ filter, dataset, onChange }: FilterValueInputProps) {
  const field = toField(dataset, filter.column)
  const plan = topValuesPlan(field?.dataset ?? dataset.id, field?.column ?? 'c0')
  const known = useQuery({ ...planResultQuery(plan), enabled: field !== null })
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
