import { QueryView } from '../../ui/query-view'
import { Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { deletedWorkspacesQuery, restoreWorkspace } from './queries'
import { useFormat } from '../../lib/format'
import { loadOtherSession } from '../../lib/session-actions'
import { FormError } from '../../ui/forms/form-error'
import { FormSkeleton } from '../../ui/skeletons'
import type { DeletedWorkspace } from '../../../src/shared/workspaces/workspaces'
import { Dialog } from '../../ui/dialog'

/** The workspaces a person can restore, in a dialog of the switcher. */
export function DeletedWorkspacesDialog({ onClose }: { onClose: () => void }) {
  const deleted = useQuery(deletedWorkspacesQuery())
  return (
    <Dialog opened onClose={onClose} title="Deleted workspaces">
      <QueryView query={deleted} skeleton={<FormSkeleton fields={2} />}>
        {({ items }) =>
          items.length > 0 ? (
            <DeletedWorkspaceList items={items} onBack={onClose} />
          ) : (
            <Text size="sm">No workspaces deleted in the last 30 days</Text>
          )
        }
      </QueryView>
    </Dialog>
  )
}

/**
 * On the page where a workspace is made: the way back to one that was deleted. Nothing where there is none. What stands below it
 * (`children`) is drawn once that is known, and stays where it is.
 */
export function DeletedWorkspacesCard({ children }: { children: ReactNode }) {
  const { data, isLoading, failureCount } = useQuery(deletedWorkspacesQuery())
  if (isLoading && failureCount === 0) return <FormSkeleton fields={2} />
  return (
    <>
      {data && data.items.length > 0 && (
        <Stack component="section" gap="sm" className="surface" p="md" mb="md" aria-label="Deleted workspaces">
          <Text fw={600}>Restore a deleted workspace</Text>
          <DeletedWorkspaceList items={data.items} onBack={() => undefined} />
        </Stack>
      )}
      {children}
    </>
  )
}

function DeletedWorkspaceList({ items, onBack }: { items: DeletedWorkspace[]; onBack: () => void }) {
  const format = useFormat()
  const navigate = useNavigate()
  const restore = useMutation({
    mutationFn: async (id: string) => {
      const back = await restoreWorkspace(id)
      await loadOtherSession(id)
      return back
    },
    onSuccess: async ({ id, name }) => {
      onBack()
      notifications.show({ color: 'green', message: `${name} restored` })
      await navigate({ to: '/data-sources', search: { w: id } })
    },
  })
  return (
    <Stack gap="sm">
      <FormError error={restore.error} />
      <Stack gap="sm" role="list">
        {items.map(({ id, name, deletedAt, until }) => (
          <Group key={id} role="listitem" justify="space-between" gap="sm">
            <div style={{ minWidth: 0, flex: '1 1 12rem' }}>
              <Text fw={550} style={{ overflowWrap: 'anywhere' }}>
                {name}
              </Text>
              <Text size="xs" c="dimmed">
                Deleted {format.day(deletedAt)}, restorable until {format.day(until)}
              </Text>
            </div>
            <Button
              variant="default"
              loading={restore.isPending && restore.variables === id}
              onClick={() => restore.mutate(id)}
            >
              Restore<span className="only-reader"> {name}</span>
            </Button>
          </Group>
        ))}
      </Stack>
    </Stack>
  )
}
