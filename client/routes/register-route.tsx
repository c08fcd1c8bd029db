import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { RegisterScreen } from '../features/auth/register-screen'

const route = getRouteApi('/custom/register')

export function RegisterRoute() {
  const search = route.useSearch()
  const navigate = useNavigate()
  return (
    <RegisterScreen
      returnTo={search.return}
      onRegistered={() => void navigate({ to: '/onboarding/workspace', replace: true })}
    />
  )
}
