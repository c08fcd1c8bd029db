import { Button, Group, List, Modal, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { deleteWorkspace } from './queries'
import { useFormat } from '../../lib/format'
import { queryClient } from '../../lib/query-client'
import { loadSession } from '../../lib/session-calls'
import { fieldErrors, FormError } from '../../ui/form-error'
import { SectionCard } from '../../ui/section-card'
import { DELETED_RETENTION_MS } from '../../../src/shared/limits'
import { nameKey } from '../../../src/shared/names'
import type { Workspace } from '../../../src/shared/workspaces'

/** The end of a workspace, for owners: behind a dialog in which its name is typed. */
export function DeleteWorkspaceCard({ workspace }: { workspace: Workspace }) {
  const [open, setOpen] = useState(false)
  return (
    <SectionCard
      title="Delete workspace"
      description="Closes it for everybody. For 30 days an owner can bring it back; after that it is gone for good."
    >
      <div>
        <Button variant="outline" color="red" onClick={() => setOpen(true)}>
          Delete workspace
        </Button>
      </div>
      {open && <DeleteWorkspaceDialog workspace={workspace} onClose={() => setOpen(false)} />}
    </SectionCard>
  )
}

function DeleteWorkspaceDialog({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  const { name, version } = workspace
  const format = useFormat()
  const leave = useLeaveDeletedWorkspace(name)
  const [typed, setTyped] = useState('')
  const [until] = useState(() => new Date(Date.now() + DELETED_RETENTION_MS).toISOString())
  const deletion = useMutation({
    mutationFn: () => deleteWorkspace({ name: typed, version: String(version) }),
    onSuccess: leave,
  })
  const matches = nameKey(typed) === nameKey(name)
  const fields = fieldErrors(deletion.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (matches) deletion.mutate()
  }
  return (
    <Modal opened onClose={onClose} title="Delete this workspace?">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <List size="sm" spacing={4}>
            <List.Item>Nobody can enter it any more, and loads under way end.</List.Item>
            <List.Item>
              Data sources with their rows and files, insights, members, groups and settings go with it.
            </List.Item>
            <List.Item>Owners and administrators are told by mail.</List.Item>
          </List>
          <Text size="sm">
            Until {format.date(until)} you find it under “Deleted workspaces” and can bring it back as it is now. To
            keep a copy, download everything first.
          </Text>
          {fields === null && <FormError error={deletion.error} />}
          <TextInput
            label={
              <>
                Type <b style={{ overflowWrap: 'anywhere' }}>{name}</b> to confirm
              </>
            }
            autoComplete="off"
            spellCheck={false}
            data-autofocus
            value={typed}
            error={fields?.['name']}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Keep it
            </Button>
            <Button type="submit" color="red" disabled={!matches} loading={deletion.isPending}>
              Delete workspace
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

/** To another workspace of the person, or to where one is made or brought back. */
function useLeaveDeletedWorkspace(name: string): () => Promise<void> {
  const navigate = useNavigate()
  return async () => {
    queryClient.clear()
    const { workspace } = await loadSession()
    notifications.show({ color: 'green', message: `“${name}” is deleted.` })
    await navigate(
      workspace
        ? { to: '/data-sources', search: { w: workspace.id }, replace: true }
        : { to: '/onboarding/workspace', replace: true },
    )
  }
}
