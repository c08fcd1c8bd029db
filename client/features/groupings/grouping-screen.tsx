import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { GroupingEditor } from './grouping-editor'
import { groupingQuery } from './queries'
import { loadedDatasetsQuery } from '../../lib/loaded-datasets'
import { describeTarget } from './grouping-words'
import { ErrorState } from '../../ui/error-state'
import { LinkAnchor } from '../../ui/links'
import { ScreenSkeleton } from '../../ui/skeletons'

/** One grouping: its values on one side, its groups on the other. */
export function GroupingScreen({ id }: { id: string }) {
  const grouping = useQuery(groupingQuery(id))
  const datasets = useQuery(loadedDatasetsQuery())
  if (grouping.isPending) return <ScreenSkeleton />
  if (!grouping.data) return <ErrorState error={grouping.error} onRetry={() => void grouping.refetch()} />
  return (
    <GroupingEditor
      key={id}
      grouping={grouping.data}
      target={datasets.data ? describeTarget(grouping.data.target, datasets.data) : ''}
      above={
        <Anchor component="span" size="sm">
          <LinkAnchor to="/data-grouping">Data grouping</LinkAnchor>
        </Anchor>
      }
    />
  )
}
