import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ProfileStep } from '../features/profile/onboarding'
import { ProfileForm } from '../features/profile/profile-form'
import { ErrorState } from '../ui/error-state'
import { FormSkeleton } from '../ui/skeletons'
import { profileQuery } from '../lib/queries/profile-query'

export function ProfileStepRoute() {
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery(profileQuery())
  return (
    <ProfileStep onReached={() => void navigate({ to: '/onboarding/source', replace: true })}>
      {(finish, skip) => {
        if (data) return <ProfileForm stored={data} submit="Continue" onSaved={finish} secondaryAction={skip} />
        return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <FormSkeleton fields={3} />
      }}
    </ProfileStep>
  )
}
