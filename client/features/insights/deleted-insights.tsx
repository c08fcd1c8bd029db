import { Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import type { Insight } from '../../../src/shared/insights'
import { useFormat } from '../../lib/format'
import { useMay } from '../../lib/gate'
import { EmptyState } from '../../ui/empty-state'
import { FormError } from '../../ui/form-error'
import { restoreInsight } from './queries'

/** What was deleted in the last 30 days and can still come back. */
export function DeletedInsights({ items }: { items: Insight[] }) {
  if (items.length === 0)
    return (
      <EmptyState
        picture="insights"
        title="Nothing was deleted lately"
        sentence="Deleted insights stay here for 30 days and can be restored."
      />
    )
  return (
    <Stack gap="xs">
      {items.map((insight) => (
        <DeletedInsight key={insight.id} insight={insight} />
      ))}
    </Stack>
  )
}

function DeletedInsight({ insight }: { insight: Insight }) {
  const format = useFormat()
  const may = useMay('delete:insight')
  const restore = useMutation({
    mutationFn: () => restoreInsight(insight.id),
    onSuccess: () => notifications.show({ message: `“${insight.name}” is back.` }),
  })
  return (
    <div className="surface">
      <Group justify="space-between" p="sm" px="md">
        <div>
          <Text fw={550}>{insight.name}</Text>
          <Text size="xs" c="dimmed">
            Deleted {format.dateTime(insight.deletedAt)}
          </Text>
        </div>
        {may && (
          <Button variant="default" loading={restore.isPending} onClick={() => restore.mutate()}>
            Restore<span className="only-reader"> {insight.name}</span>
          </Button>
        )}
      </Group>
      <FormError error={restore.error} />
    </div>
  )
}
