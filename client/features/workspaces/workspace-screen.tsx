import { QueryView } from '../../ui/query-view'
import { FormDialog } from '../../ui/forms/form-dialog'
import { Button, List, Text, Stack, TextInput, Alert } from '@mantine/core'
import { IconDownload, IconEye } from '@tabler/icons-react'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { SectionCard } from '../../ui/section-card'
import type { Workspace } from '../../../src/shared/workspaces'
import { deleteWorkspace, workspaceQuery } from './queries'
import { useFormat } from '../../lib/format'
import { queryClient } from '../../lib/queries/query-client'
import { loadSession } from '../../lib/session-actions'
import { fieldErrors, FormError } from '../../ui/forms/form-error'
import { DELETED_RETENTION_MS } from '../../../src/shared/limits'
import { nameKey } from '../../../src/shared/field-schemas'
import { WorkspaceSettingsForm } from './workspace-settings-form'
import { Gate, useMay } from '../../lib/gate'
import { PageHeader } from '../../ui/page-header'
import { FormSkeleton } from '../../ui/skeletons'

/** Leaving with everything: one archive, and what is in it. */
export function ExportWorkspaceCard({ workspace }: { workspace: Workspace }) {
  return (
    <SectionCard title="Export everything" description="One zip file with all that this workspace holds.">
      <List size="sm" spacing={2}>
        <List.Item>Every dataset with all its rows, as CSV</List.Item>
        <List.Item>The files your newest loads were made from, while they are kept</List.Item>
        <List.Item>Insights, data sources and relations</List.Item>
        <List.Item>Settings, members, groups and invitations</List.Item>
      </List>
      <Text size="sm" c="dimmed">
        A file inside says what is what. Passwords and sign-ins are not in it. The download is noted in the audit log.
      </Text>
      <div>
        <Button
          component="a"
          href={`/files/workspace/export?w=${workspace.id}`}
          download
          variant="default"
          leftSection={<IconDownload size={17} aria-hidden />}
        >
          Download everything
        </Button>
      </div>
    </SectionCard>
  )
}

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
  const submit = () => {
    if (matches) deletion.mutate()
  }
  return (
    <FormDialog
      title="Delete this workspace?"
      submit="Delete workspace"
      cancel="Keep it"
      danger
      pending={deletion.isPending}
      disabled={!matches}
      onSubmit={submit}
      onClose={onClose}
    >
      <List size="sm" spacing={4}>
        <List.Item>Nobody can enter it any more, and loads under way end.</List.Item>
        <List.Item>
          Data sources with their rows and files, insights, members, groups and settings go with it.
        </List.Item>
        <List.Item>Owners and administrators are told by mail.</List.Item>
      </List>
      <Text size="sm">
        Until {format.date(until)} you find it under “Deleted workspaces” and can bring it back as it is now. To keep a
        copy, download everything first.
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
    </FormDialog>
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

export function WorkspaceScreen() {
  const query = useQuery(workspaceQuery())
  const mayEdit = useMay('edit:workspace')
  return (
    <>
      <PageHeader title="Workspace" description="What every figure, period and amount in this workspace is shown by." />
      {!mayEdit && (
        <Alert color="gray" icon={<IconEye aria-hidden />} mb="md">
          You can look at these settings. An owner or administrator can change them.
        </Alert>
      )}
      <QueryView query={query} skeleton={<FormSkeleton />}>
        {(workspace) => (
          <Stack gap="lg">
            <WorkspaceSettingsForm key={workspace.id} stored={workspace} readOnly={!mayEdit} />
            <Gate may="export:workspace">
              <ExportWorkspaceCard workspace={workspace} />
            </Gate>
            <Gate may="delete:workspace">
              <DeleteWorkspaceCard workspace={workspace} />
            </Gate>
          </Stack>
        )}
      </QueryView>
    </>
  )
}
