import { getRouteApi, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { LoginScreen } from '../features/identity/login-screen'
import { invitedEmailFor } from '../features/invites/pending-invitation'
import { safeReturnPath } from '../../src/shared/session'

const route = getRouteApi('/custom/login')

export function LoginRoute() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const router = useRouter()
  const [{ problem, provider }] = useState(search)
  // Said once: a page that is loaded again, or a link that is passed on, tells of no old problem.
  useEffect(() => {
    if (problem !== undefined)
      void navigate({ search: (now) => ({ ...now, problem: undefined, provider: undefined }), replace: true })
  }, [problem, navigate])
  return (
    <LoginScreen
      returnTo={search.return}
      problem={problem}
      provider={provider}
      email={invitedEmailFor(search.return)}
      onSignedIn={() => void router.navigate({ href: safeReturnPath(search.return), replace: true })}
    />
  )
}
