import { Alert, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconEye } from '@tabler/icons-react'
import { workspaceQuery } from './queries'
import { DeleteWorkspaceCard } from './workspace-delete'
import { WorkspaceSettingsForm } from './workspace-edit-form'
import { ExportWorkspaceCard } from './workspace-export'
import { Gate, useMay } from '../../lib/gate'
import { ErrorState } from '../../ui/error-state'
import { PageHeader } from '../../ui/page-header'
import { FormSkeleton } from '../../ui/skeletons'

export function WorkspaceScreen() {
  const query = useQuery(workspaceQuery())
  const mayEdit = useMay('edit:workspace')
  return (
    <div style={{ maxWidth: 720 }}>
      <PageHeader title="Workspace" description="What every figure, period and amount in this workspace is shown by." />
      {!mayEdit && (
        <Alert color="gray" icon={<IconEye aria-hidden />} mb="md">
          You can look at these settings. An owner or administrator can change them.
        </Alert>
      )}
      {query.data ? (
        <Stack gap="lg">
          <WorkspaceSettingsForm key={query.data.id} stored={query.data} readOnly={!mayEdit} />
          <Gate may="export:workspace">
            <ExportWorkspaceCard workspace={query.data} />
          </Gate>
          <Gate may="delete:workspace">
            <DeleteWorkspaceCard workspace={query.data} />
          </Gate>
        </Stack>
      ) : query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <FormSkeleton />
      )}
    </div>
  )
}
