import { QueryView } from '../../ui/query-view'
import { Button, List, Text, Stack, Alert } from '@mantine/core'
import { IconDownload, IconEye } from '@tabler/icons-react'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { SectionCard } from '../../ui/section-card'
import type { Workspace } from '../../../src/shared/workspaces/workspaces'
import { DeleteWorkspaceDialog } from './delete-workspace-dialog'
import { LanguageModelCard } from './language-model-card'
import { workspaceQuery } from './queries'
import { loadOtherSession } from '../../lib/session-actions'
import { WorkspaceSettingsForm } from './workspace-settings-form'
import { Gate, useMay } from '../../lib/gate'
import { PageHeader } from '../../ui/page-header'
import { FormSkeleton } from '../../ui/skeletons'

/** Leaving with everything: one archive, and what is in it. */
export function ExportWorkspaceCard({ workspace }: { workspace: Workspace }) {
  return (
    <SectionCard title="Export workspace" description="One zip file">
      <List size="sm" spacing={2}>
        <List.Item>All datasets as CSV</List.Item>
        <List.Item>Original files of the latest imports</List.Item>
        <List.Item>Insights, data sources and relationships</List.Item>
        <List.Item>Settings, members, groups and invitations</List.Item>
      </List>
      <Text size="sm" c="dimmed">
        Passwords and sign-ins aren’t included. The export is logged.
      </Text>
      <div>
        <Button
          component="a"
          href={`/files/workspace/export?w=${workspace.id}`}
          download
          variant="default"
          leftSection={<IconDownload size={17} aria-hidden />}
        >
          Export workspace
        </Button>
      </div>
    </SectionCard>
  )
}

/** The end of a workspace, for owners: behind a dialog in which its name is typed. */
export function DeleteWorkspaceCard({ workspace }: { workspace: Workspace }) {
  const [open, setOpen] = useState(false)
  const leave = useLeaveDeletedWorkspace(workspace.name)
  return (
    <SectionCard
      title="Delete workspace"
      description="Owners can restore it for 30 days; then it’s permanently deleted."
    >
      <div>
        <Button variant="outline" color="red" onClick={() => setOpen(true)}>
          Delete workspace
        </Button>
      </div>
      {open && <DeleteWorkspaceDialog workspace={workspace} onDeleted={leave} onClose={() => setOpen(false)} />}
    </SectionCard>
  )
}

/** To another workspace of the person, or to where one is made or brought back. */
function useLeaveDeletedWorkspace(name: string): () => Promise<void> {
  const navigate = useNavigate()
  return async () => {
    const { workspace } = await loadOtherSession()
    notifications.show({ color: 'green', message: `${name} deleted` })
    await navigate(
      workspace
        ? { to: '/data-sources', search: { w: workspace.id }, replace: true }
        : { to: '/no-workspace', replace: true },
    )
  }
}

export function WorkspaceScreen() {
  const query = useQuery(workspaceQuery())
  const mayEdit = useMay('edit:workspace')
  return (
    <>
      <PageHeader title="Workspace" />
      {!mayEdit && (
        <Alert color="gray" icon={<IconEye aria-hidden />} mb="md">
          Only owners and admins can change these settings.
        </Alert>
      )}
      <QueryView query={query} skeleton={<FormSkeleton />}>
        {(workspace) => (
          <Stack gap="lg">
            <WorkspaceSettingsForm key={workspace.id} stored={workspace} readOnly={!mayEdit} />
            <Gate may="edit:workspace">
              <LanguageModelCard />
            </Gate>
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
