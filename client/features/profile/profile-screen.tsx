import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { AvatarCard } from './avatar-card'
import { ProfileSettingsForm } from './profile-settings-form'
import { ErrorState } from '../../ui/error-state'
import { PageHeader } from '../../ui/page-header'
import { FormSkeleton } from '../../ui/skeletons'
import { profileQuery } from './queries'

export function ProfileScreen() {
  const { data, isError, error, refetch } = useQuery(profileQuery())
  return (
    <div style={{ maxWidth: 720 }}>
      <PageHeader
        title="Your profile"
        description="How others see you, and how we write to you. It goes with you to every workspace."
      />
      {data ? (
        <Stack gap="lg">
          <AvatarCard stored={data} />
          <ProfileSettingsForm stored={data} />
        </Stack>
      ) : isError ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <FormSkeleton fields={3} />
      )}
    </div>
  )
}
