import { getRouteApi, useRouter } from '@tanstack/react-router'
import { SignInLinkScreen } from '../features/identity/sign-in-link-screen'
import { safeReturnPath } from '../../src/shared/session'

const route = getRouteApi('/custom/auth/link')

export function SignInLinkRoute() {
  const search = route.useSearch()
  const router = useRouter()
  return (
    <SignInLinkScreen
      returnTo={search.return}
      onSignedIn={() => void router.navigate({ href: safeReturnPath(search.return), replace: true })}
    />
  )
}
