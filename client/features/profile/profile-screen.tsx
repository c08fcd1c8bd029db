import { QueryView } from '../../ui/query-view'
import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { AvatarCard } from './avatar-card'
import { ProfileSettingsForm } from './profile-settings-form'
import { PageHeader } from '../../ui/page-header'
import { FormSkeleton } from '../../ui/skeletons'
import { profileQuery } from '../../lib/queries/profile-query'

export function ProfileScreen() {
  const profile = useQuery(profileQuery())
  return (
    <>
      <PageHeader title="Your profile" description="Applies in all your workspaces" />
      <QueryView query={profile} skeleton={<FormSkeleton fields={3} />}>
        {(stored) => (
          <Stack gap="lg">
            <AvatarCard stored={stored} />
            <ProfileSettingsForm stored={stored} />
          </Stack>
        )}
      </QueryView>
    </>
  )
}
