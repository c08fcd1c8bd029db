import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ProfileStep } from '../features/onboarding/profile-step'
import { ProfileForm } from '../features/account/profile-form'
import { profileQuery } from '../features/account/queries'
import { ErrorState } from '../ui/error-state'
import { FormSkeleton } from '../ui/skeletons'

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
