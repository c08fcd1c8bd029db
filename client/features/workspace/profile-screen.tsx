import { Paper } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { ProfileForm } from './profile-form'
import { profileQuery } from './queries'
import { ErrorState } from '../../ui/error-state'
import { PageHeader } from '../../ui/page-header'
import { FormSkeleton } from '../../ui/skeletons'

export function ProfileScreen() {
  const query = useQuery(profileQuery())
  const saved = () => notifications.show({ color: 'green', message: 'Profile saved.' })
  return (
    <div style={{ maxWidth: 720 }}>
      <PageHeader title="Your profile" description={query.data?.email ?? 'How others in your workspaces see you.'} />
      {query.data ? (
        <Paper p="lg" className="surface">
          <ProfileForm stored={query.data} submit="Save profile" onSaved={saved} />
        </Paper>
      ) : query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <FormSkeleton fields={3} />
      )}
    </div>
  )
}
