import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { rowsText } from './amounts'
import { FaultNotice } from './fault-notice'
import { sourcesQuery, useRestoreSource } from './queries'
import { rowCount } from './run-words'
import { useFormat } from '../../lib/format'
import { useMay } from '../../lib/gate'
import { EmptyState } from '../../ui/empty-state'
import { ErrorState } from '../../ui/error-state'
import { TableSkeleton } from '../../ui/skeletons'

/** What was deleted in the last 30 days, each with the way back. */
export function DeletedSources() {
  const { data, error, refetch } = useQuery(sourcesQuery({ search: '', deleted: true }))
  const restore = useRestoreSource()
  const mayRestore = useMay('delete:source')
  const format = useFormat()
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <TableSkeleton count={3} />
  if (data.items.length === 0)
    return (
      <EmptyState
        picture="sources"
        title="Nothing was deleted lately"
        sentence="A deleted source stays here for 30 days and can be brought back with all its rows."
      />
    )
  return (
    <Stack gap="sm">
      {restore.error && <FaultNotice error={restore.error} />}
      <Stack gap={0} className="surface" role="list">
        {data.items.map((source) => (
          <Group key={source.id} role="listitem" justify="space-between" p="md" gap="sm">
            <div>
              <Text fw={600}>{source.name}</Text>
              <Text size="sm" c="dimmed">
                {rowsText(format, rowCount(source))} · deleted {format.dateTime(source.deletedAt)}
              </Text>
            </div>
            {mayRestore && (
              <Button
                variant="default"
                loading={restore.isPending && restore.variables === source.id}
                onClick={() => restore.mutate(source.id)}
                aria-label={`Restore ${source.name}`}
              >
                Restore
              </Button>
            )}
          </Group>
        ))}
      </Stack>
    </Stack>
  )
}
