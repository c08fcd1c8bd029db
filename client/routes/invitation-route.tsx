import { useNavigate } from '@tanstack/react-router'
import { AuthLayout } from '../features/identity/auth-layout'
import { InvitationScreen } from '../features/invites/invitation-screen'

export function InvitationRoute() {
  const navigate = useNavigate()
  return (
    <InvitationScreen
      frame={(page) => <AuthLayout {...page} />}
      onEnter={(w, path) => {
        const address = new URL(path, window.location.origin)
        address.searchParams.set('w', w)
        void navigate({ href: `${address.pathname}${address.search}`, replace: true })
      }}
    />
  )
}
