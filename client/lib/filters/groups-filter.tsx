import { MultiSelect, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Grouped } from '../../../src/shared/query'
import { groupingOf, groupingQuery } from './catalogue'
import type { DraftDataset } from './fields'
import type { FilterDraft, GroupsFilterDraft } from './filter-draft'
import { groupsAtLevel } from './group-levels'
import { GroupedFields } from './grouped-fields'

interface GroupsFilterProps {
  filter: GroupsFilterDraft
  dataset: DraftDataset
  onChange: (filter: FilterDraft) => void
}
/** Stands for null among the choices: no id of a group. */
const NONE = 'none'

/** In which groups of a grouping the values are. */
export function GroupsFilter({ filter, dataset, onChange }: GroupsFilterProps) {
  const { grouping, groups } = filter
  const known = groupingOf(dataset.catalogue, grouping.id)
  const whole = useQuery({ ...groupingQuery(grouping.id), enabled: known !== null })
  const choices = whole.data ? groupsAtLevel(whole.data, grouping.level) : []
  const data = [
    ...choices.map(({ id, label }) => ({ value: id, label })),
    { value: NONE, label: 'Without a group' },
    // A group that is gone is still named by the plan: it can only be taken out.
    ...groups
      .filter((id) => id !== null && !choices.some((one) => one.id === id))
      .map((id) => ({ value: id ?? NONE, label: whole.data ? 'A group that is gone' : '…' })),
  ]
  /** Other levels have other groups. */
  const see = (next: Grouped): void => {
    const there = whole.data ? groupsAtLevel(whole.data, next.level).map(({ id }) => id) : []
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
          value={groups.map((id) => id ?? NONE)}
          searchable
          nothingFoundMessage="No such group"
          onChange={(next) => onChange({ ...filter, groups: next.map((id) => (id === NONE ? null : id)) })}
        />
      )}
      <GroupedFields grouping={grouping} dataset={dataset} onChange={see} />
    </>
  )
}
