import { Group, Select, TagsInput, TextInput, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { humanizeLabel } from '../../../src/shared/text'
import { topValuesPlan, findColumn, toField, isNumeric, isTemporal, fieldOptions } from './catalogue'
import type { BuilderDataset, FieldKey } from './catalogue'
import {
  comparisonsFor,
  isColumnComparison,
  isComparable,
  newFilterDraft,
  normalizeFilter,
  relatedDataset,
  operatorLabel,
  operatorsFor,
} from './filter-draft'
import type {
  ColumnFilterDraft,
  FilterDraft,
  FilterOperator,
  GroupsFilterDraft,
  RelatedFilterDraft,
} from './filter-draft'
import { AddButton } from '../../ui/buttons/add-button'
import { IconButton } from '../../ui/buttons/icon-button'
import { planResultQuery } from '../plan-result'
import classes from './filter-editor.module.css'
import { ColumnSelect } from './column-select'
import { GroupsFilterFields } from './grouping-fields'

export interface FilterEditorProps {
  filter: FilterDraft
  dataset: BuilderDataset
  onChange: (filter: FilterDraft) => void
  onRemove: () => void
}

interface FilterValueInputProps {
  filter: ColumnFilterDraft
  dataset: BuilderDataset
  onChange: (filter: FilterDraft) => void
}

/** The column that is compared with: of the same kind. */
function OtherColumnSelect({ filter, dataset, onChange }: FilterValueInputProps) {
  const column = findColumn(dataset, filter.column)
  return (
    <ColumnSelect
      label="Column to compare with"
      hideLabel
      placeholder="Choose a column"
      choices={fieldOptions(dataset, 'splits', (other) => column !== null && isComparable(column, other)).filter(
        ({ key }) => key !== filter.column,
      )}
      ownLabel={dataset.name}
      value={filter.other ?? null}
      onChange={(other) => onChange({ ...filter, other })}
    />
  )
}

/** What a column is compared with: typed, or chosen from its values. */
export function FilterValueInput({ filter, dataset, onChange }: FilterValueInputProps) {
  const column = findColumn(dataset, filter.column)
  if (!column || filter.op === 'empty' || filter.op === 'notEmpty') return null
  if (isColumnComparison(filter.op)) return <OtherColumnSelect filter={filter} dataset={dataset} onChange={onChange} />
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
        allowDeselect
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

const relatedOptionKey = (dataset: string, relation: string | null): string => `has:${dataset}:${relation ?? ''}`
const RELATED_FILTERS_MAX = 10

/** "Has rows in Orders" beside the columns to filter by; absent where no rows point here. */
function relatedRowOptions(dataset: BuilderDataset, onChange: (filter: FilterDraft) => void) {
  const referencing = (dataset.linked ?? []).filter((one) => one.use === 'exists')
  return {
    group: 'Related rows',
    items: referencing.map((one) => ({
      value: relatedOptionKey(one.id, one.via[0] ?? null),
      label: `Rows in ${one.heading}`,
    })),
    onChoose: (key: string) => {
      const found = referencing.find((one) => relatedOptionKey(one.id, one.via[0] ?? null) === key)
      if (found)
        onChange({ kind: 'related', op: 'exists', dataset: found.id, relation: found.via[0] ?? null, filters: [] })
    },
  }
}

interface RelatedFilterFieldsProps {
  filter: RelatedFilterDraft
  dataset: BuilderDataset
  onChange: (filter: FilterDraft) => void
  remove: ReactNode
}

/** Whether rows of another dataset point here, and which of them count. */
function RelatedFilterFields({ filter, dataset, onChange, remove }: RelatedFilterFieldsProps) {
  const related = relatedDataset(filter, dataset)
  const set = (filters: FilterDraft[]): void => onChange({ ...filter, filters })
  return (
    <Stack gap={6} className={classes.nested}>
      <Group gap="xs" wrap="nowrap">
        <Select
          aria-label="Related rows"
          data={[
            { value: 'exists', label: `has rows in ${related?.name ?? 'deleted data'}` },
            { value: 'notExists', label: `has no rows in ${related?.name ?? 'deleted data'}` },
          ]}
          value={filter.op}
          style={{ flexGrow: 1, minWidth: 0 }}
          onChange={(op) => op && onChange({ ...filter, op })}
        />
        {remove}
      </Group>
      {related && <FilterList filters={filter.filters} dataset={related} onChange={set} />}
      {related && filter.filters.length < RELATED_FILTERS_MAX && (
        <AddButton label="Add filter" onClick={() => set([...filter.filters, newFilterDraft()])} />
      )}
    </Stack>
  )
}

/** One filter: column, condition, value; or whether related rows are there. */
export function FilterEditor(props: FilterEditorProps) {
  const { filter, dataset, onRemove } = props
  const column = filter.kind === 'edit' || filter.kind === 'groups' ? findColumn(dataset, filter.column) : null
  const remove = (
    <IconButton
      icon={IconTrash}
      label={`Remove filter${column ? ` on ${humanizeLabel(column.label)}` : ''}`}
      onClick={onRemove}
    />
  )
  if (filter.kind === 'kept')
    return (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">Saved filter</Text>
        {remove}
      </Group>
    )
  if (filter.kind === 'related')
    return <RelatedFilterFields filter={filter} dataset={dataset} onChange={props.onChange} remove={remove} />
  return <ColumnFilter filter={filter} dataset={dataset} onChange={props.onChange} remove={remove} />
}

interface FilterListProps {
  filters: readonly FilterDraft[]
  dataset: BuilderDataset
  onChange: (filters: FilterDraft[]) => void
}

export const FilterList = ({ filters, dataset, onChange }: FilterListProps) =>
  filters.map((filter, at) => (
    <FilterEditor
      key={at}
      filter={filter}
      dataset={dataset}
      onChange={(next) => onChange(filters.with(at, normalizeFilter(dataset, next)))}
      onRemove={() => onChange(filters.filter((_, i) => i !== at))}
    />
  ))

/** Another column is filtered by other values. */
const withColumn = (filter: ColumnFilterProps['filter'], column: FieldKey | null): FilterDraft => ({
  ...(filter.kind === 'edit' ? filter : newFilterDraft()),
  column,
  values: [],
  from: '',
  to: '',
  other: null,
})

interface ColumnFilterProps extends Omit<FilterEditorProps, 'onRemove'> {
  filter: ColumnFilterDraft | GroupsFilterDraft
  remove: ReactNode
}

function ColumnFilter({ filter, dataset, onChange, remove }: ColumnFilterProps) {
  const column = findColumn(dataset, filter.column)
  const options = (ops: readonly FilterOperator[]) => ops.map((op) => ({ value: op, label: operatorLabel(op, column) }))
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
          data={[
            { group: 'Value', items: options(operatorsFor(column)) },
            { group: 'Another column', items: options(comparisonsFor(column)) },
          ]}
          value={filter.op}
          onChange={(op) => op && onChange({ ...filter, op })}
        />
      )}
      {column && filter.kind === 'edit' && <FilterValueInput filter={filter} dataset={dataset} onChange={onChange} />}
    </Stack>
  )
}
