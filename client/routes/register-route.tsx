import { getRouteApi, useRouter } from '@tanstack/react-router'
import { RegisterScreen } from '../features/identity/register-screen'
import { invitedEmailFor } from '../features/invites/pending-invitation'
import { safeReturnPath } from '../../src/shared/session'

const route = getRouteApi('/custom/register')

export function RegisterRoute() {
  const search = route.useSearch()
  const router = useRouter()
  // Pages of the product lead to the first steps by themselves; an invitation comes before them.
  const next = search.return === undefined ? '/onboarding/workspace' : safeReturnPath(search.return)
  return (
    <RegisterScreen
      returnTo={search.return}
      email={invitedEmailFor(search.return)}
      onRegistered={() => void router.navigate({ href: next, replace: true })}
    />
  )
}
