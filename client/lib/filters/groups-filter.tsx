import { MultiSelect, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { GroupingReference } from '../../../src/shared/query'
import { findGrouping, groupingQuery } from './catalogue'
import type { BuilderDataset } from './fields'
import type { FilterDraft, GroupsFilterDraft } from './filter-draft'
import { groupOptionsAtLevel } from './group-levels'
import { GroupingFields } from './grouped-fields'

interface GroupsFilterFieldsProps {
  filter: GroupsFilterDraft
  dataset: BuilderDataset
  onChange: (filter: FilterDraft) => void
}
/** Stands for null among the choices: no id of a group. */
const NO_GROUP = 'none'

/** In which groups of a grouping the values are. */
export function GroupsFilterFields({ filter, dataset, onChange }: GroupsFilterFieldsProps) {
  const { grouping, groups } = filter
  const known = findGrouping(dataset.catalogue, grouping.id)
  const fullGrouping = useQuery({ ...groupingQuery(grouping.id), enabled: known !== null })
  const choices = fullGrouping.data ? groupOptionsAtLevel(fullGrouping.data, grouping.level) : []
  const data = [
    ...choices.map(({ id, label }) => ({ value: id, label })),
    { value: NO_GROUP, label: 'Without a group' },
    // A group that is gone is still named by the plan: it can only be taken out.
    ...groups
      .filter((id) => id !== null && !choices.some((one) => one.id === id))
      .map((id) => ({ value: id ?? NO_GROUP, label: fullGrouping.data ? 'A group that is gone' : '…' })),
  ]
  /** Other levels have other groups. */
  const changeGrouping = (next: GroupingReference): void => {
    const there = fullGrouping.data ? groupOptionsAtLevel(fullGrouping.data, next.level).map(({ id }) => id) : []
    onChange({ ...filter, grouping: next, groups: groups.filter((id) => id === null || there.includes(id)) })
  }
  return (
    <>
      <Select
        aria-label="Condition"
        data={[
          { value: 'in', label: 'is in' },
          { value: 'notIn', label: 'is not in' },
        ]}
        value={filter.op}
        allowDeselect={false}
        onChange={(op) => onChange({ ...filter, op: op === 'notIn' ? 'notIn' : 'in' })}
      />
      {known && (
        <MultiSelect
          aria-label={`Groups of ${known.name}`}
          placeholder={groups.length === 0 ? 'Choose groups' : ''}
          data={data}
          value={groups.map((id) => id ?? NO_GROUP)}
          searchable
          nothingFoundMessage="No such group"
          onChange={(next) => onChange({ ...filter, groups: next.map((id) => (id === NO_GROUP ? null : id)) })}
        />
      )}
      <GroupingFields grouping={grouping} dataset={dataset} onChange={changeGrouping} />
    </>
  )
}
