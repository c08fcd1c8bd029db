import { Anchor, Group, Select, Text } from '@mantine/core'
import { MultiSelect } from '../../ui/forms/multi-select'
import { useQuery } from '@tanstack/react-query'
import type { GroupingFallback } from '../../../src/shared/groupings/groupings'
import type { GroupingReference } from '../../../src/shared/query/plan'
import { LinkAnchor } from '../../ui/buttons/links'
import { findGrouping, groupingQuery, type BuilderDataset } from './catalogue'
import { groupingDepth, groupOptionsAtLevel } from './grouping-levels'
import type { FilterDraft, GroupsFilterDraft } from './filter-draft'
import { MutedText } from '../../ui/muted-text'

interface GroupingFieldsProps {
  grouping: GroupingReference
  dataset: BuilderDataset
  onChange: (grouping: GroupingReference) => void
  /** Whether values without a group are told of: they matter to splits. */
  showFallback?: boolean
}

const FALLBACK_TEXTS: Record<GroupingFallback['kind'], (name: string) => string> = {
  ungrouped: (name) => `Values without a group are grouped as “${name}”.`,
  exclude: () => 'Values without a group are excluded.',
  asIs: () => 'Values without a group are shown individually.',
}
const INNERMOST = '0'
const LEVEL_LABELS = ['Outermost groups', 'Second level', 'Third level', 'Fourth level']

/** How a column is seen through a grouping: at which level, by the groups of which time. */
export function GroupingFields({ grouping, dataset, onChange, showFallback = false }: GroupingFieldsProps) {
  const { catalogue } = dataset
  const known = findGrouping(catalogue, grouping.id)
  const fullGrouping = useQuery({ ...groupingQuery(grouping.id), enabled: known !== null })
  if (catalogue && !known)
    return (
      <Text size="xs" c="red" role="status">
        Grouping deleted. Choose another, or the column.
      </Text>
    )
  const depth = fullGrouping.data ? groupingDepth(fullGrouping.data) : 1
  const { level: _level, ...rest } = grouping
  const { as: _as, ...today } = grouping
  return (
    <>
      {(depth > 1 || (known?.eraCount ?? 1) > 1) && (
        <Group gap="xs" grow>
          {depth > 1 && (
            <Select
              aria-label="Group level"
              data={[
                ...LEVEL_LABELS.slice(0, depth - 1).map((label, at) => ({ value: String(at + 1), label })),
                { value: INNERMOST, label: 'Innermost groups' },
              ]}
              value={grouping.level === undefined || grouping.level >= depth ? INNERMOST : String(grouping.level)}
              onChange={(level) => onChange(level === INNERMOST ? rest : { ...rest, level: Number(level) })}
            />
          )}
          {(known?.eraCount ?? 1) > 1 && (
            <Select
              aria-label="Groups as of"
              data={[
                { value: 'current', label: 'As grouped today' },
                { value: 'then', label: 'As grouped then' },
              ]}
              value={grouping.as ?? 'current'}
              onChange={(as) => onChange(as === 'then' ? { ...today, as } : today)}
            />
          )}
        </Group>
      )}
      {known && (
        <MutedText size="xs">
          {known.frozen && 'Over plan limit: read-only. '}
          {showFallback &&
            `${FALLBACK_TEXTS[known.fallback.kind](known.fallback.kind === 'ungrouped' ? known.fallback.name : '')} `}
          <Anchor component="span" size="xs">
            <LinkAnchor to="/data-grouping/$id" params={{ id: known.id }}>
              Open {known.name}
            </LinkAnchor>
          </Anchor>
        </MutedText>
      )}
    </>
  )
}

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
    // Deleted group is still named by the plan: it can only be taken out.
    ...groups
      .filter((id) => id !== null && !choices.some((one) => one.id === id))
      .map((id) => ({ value: id ?? NO_GROUP, label: fullGrouping.data ? 'Deleted group' : '…' })),
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
        onChange={(op) => op && onChange({ ...filter, op })}
      />
      {known && (
        <MultiSelect
          aria-label={`Groups of ${known.name}`}
          placeholder={groups.length === 0 ? 'Choose groups' : ''}
          data={data}
          value={groups.map((id) => id ?? NO_GROUP)}
          searchable
          nothingFoundMessage="No match"
          onChange={(next) => onChange({ ...filter, groups: next.map((id) => (id === NO_GROUP ? null : id)) })}
        />
      )}
      <GroupingFields grouping={grouping} dataset={dataset} onChange={changeGrouping} />
    </>
  )
}
