import { getRouteApi, useRouter } from '@tanstack/react-router'
import { LoginScreen } from '../features/auth/login-screen'
import { invitedAddress } from '../features/invitation/kept-invitation'
import { safeReturnPath } from '../../src/shared/session'

const route = getRouteApi('/custom/login')

export function LoginRoute() {
  const search = route.useSearch()
  const router = useRouter()
  return (
    <LoginScreen
      returnTo={search.return}
      problem={search.problem}
      email={invitedAddress(search.return)}
      onSignedIn={() => void router.navigate({ href: safeReturnPath(search.return), replace: true })}
    />
  )
}
