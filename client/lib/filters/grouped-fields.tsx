import { Anchor, Group, Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { GroupingFallback } from '../../../src/shared/groupings'
import type { GroupingReference } from '../../../src/shared/query'
import { LinkAnchor } from '../../ui/links'
import { findGrouping, groupingQuery } from './catalogue'
import type { BuilderDataset } from './fields'
import { groupingDepth } from './group-levels'

interface GroupingFieldsProps {
  grouping: GroupingReference
  dataset: BuilderDataset
  onChange: (grouping: GroupingReference) => void
  /** Whether values without a group are told of: they matter to splits. */
  showFallback?: boolean
}

const FALLBACK_TEXTS: Record<GroupingFallback['kind'], (name: string) => string> = {
  ungrouped: (name) => `Values without a group come together as “${name}”.`,
  exclude: () => 'Values without a group are left out.',
  asIs: () => 'Values without a group stand for themselves.',
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
        This grouping was deleted. Choose another, or the column itself.
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
              aria-label="Level of the groups"
              data={[
                ...LEVEL_LABELS.slice(0, depth - 1).map((label, at) => ({ value: String(at + 1), label })),
                { value: INNERMOST, label: 'Innermost groups' },
              ]}
              value={grouping.level === undefined || grouping.level >= depth ? INNERMOST : String(grouping.level)}
              allowDeselect={false}
              onChange={(level) => onChange(level === INNERMOST ? rest : { ...rest, level: Number(level) })}
            />
          )}
          {(known?.eraCount ?? 1) > 1 && (
            <Select
              aria-label="Groups of which time"
              data={[
                { value: 'current', label: 'As grouped today' },
                { value: 'then', label: 'As grouped then' },
              ]}
              value={grouping.as ?? 'current'}
              allowDeselect={false}
              onChange={(as) => onChange(as === 'then' ? { ...today, as } : today)}
            />
          )}
        </Group>
      )}
      {known && (
        <Text size="xs" c="dimmed">
          {known.frozen && 'It is frozen: it answers as it stands. '}
          {showFallback &&
            `${FALLBACK_TEXTS[known.fallback.kind](known.fallback.kind === 'ungrouped' ? known.fallback.name : '')} `}
          <Anchor component="span" size="xs">
            <LinkAnchor to="/data-grouping/$id" params={{ id: known.id }}>
              Open {known.name}
            </LinkAnchor>
          </Anchor>
        </Text>
      )}
    </>
  )
}
