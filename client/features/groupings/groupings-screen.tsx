import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import classes from './groupings.module.css'
import { pluralize, describeTarget } from './grouping-words'
import { NewGroupingDialog } from './new-grouping'
import { groupingsQuery } from './queries'
import { loadedDatasetsQuery } from '../../lib/loaded-datasets'
import type { DatasetWithSource } from '../../lib/loaded-datasets'
import { useFormat } from '../../lib/format'
import { useMayWrite } from '../../lib/gate'
import { EmptyState } from '../../ui/empty-state'
import { ErrorState } from '../../ui/error-state'
import { LinkAnchor } from '../../ui/links'
import { PageHeader } from '../../ui/page-header'
import { TableSkeleton } from '../../ui/skeletons'
import type { GroupingSummary } from '../../../src/shared/groupings'

const NO_DATASETS: readonly DatasetWithSource[] = []

/** Every grouping of the workspace. */
export function GroupingsScreen() {
  const [isCreating, setCreating] = useState(false)
  const may = useMayWrite('edit:grouping')
  const list = useQuery(groupingsQuery())
  const datasets = useQuery(loadedDatasetsQuery())
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      New grouping
    </Button>
  )
  return (
    <>
      <PageHeader
        title="Data grouping"
        description="Put values together under names of your own, and see any figure by them."
        actions={may && (list.data?.length ?? 0) > 0 ? add : undefined}
      />
      {list.isPending && <TableSkeleton count={3} />}
      {list.error && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {list.data?.length === 0 && (
        <EmptyState
          picture="sources"
          title="Nothing is grouped yet"
          sentence="Group countries into regions, spellings into one customer, or accounts into classes. The rows stay as they are."
          action={may ? add : undefined}
        />
      )}
      {list.data && list.data.length > 0 && (
        <ul className={`surface ${classes.list}`} aria-label="Groupings">
          {list.data.map((grouping) => (
            <GroupingListItem key={grouping.id} grouping={grouping} datasets={datasets.data ?? NO_DATASETS} />
          ))}
        </ul>
      )}
      {isCreating && <NewGroupingDialog datasets={datasets.data ?? null} onClose={() => setCreating(false)} />}
    </>
  )
}

function GroupingListItem({
  grouping,
  datasets,
}: {
  grouping: GroupingSummary
  datasets: readonly DatasetWithSource[]
}) {
  const format = useFormat()
  const { id, name, target, groupCount, unmatched, frozen, ownerName, updatedAt } = grouping
  return (
    <li className={classes.item}>
      <Stack gap={2} style={{ minWidth: 0 }}>
        <LinkAnchor to="/data-grouping/$id" params={{ id }} fw={600}>
          {name}
        </LinkAnchor>
        <Text size="sm" c="dimmed">
          {describeTarget(target, datasets)} · {pluralize(groupCount, 'group', 'groups')}
        </Text>
      </Stack>
      <Group gap="md" ml="auto" justify="flex-end">
        {frozen && (
          <Badge variant="light" color="blue" style={{ textTransform: 'none' }}>
            Frozen
          </Badge>
        )}
        {!frozen && unmatched !== null && unmatched.values > 0 && (
          <Badge variant="light" color="yellow" style={{ textTransform: 'none' }}>
            {format.count(unmatched.values)} without a group
          </Badge>
        )}
        <Text size="sm" c="dimmed" visibleFrom="sm">
          {ownerName}, {format.day(updatedAt)}
        </Text>
      </Group>
    </li>
  )
}
