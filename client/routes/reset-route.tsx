import { useNavigate } from '@tanstack/react-router'
import { ResetPasswordScreen } from '../features/identity/reset-password-screen'

export function ResetRoute() {
  const navigate = useNavigate()
  return <ResetPasswordScreen onSignedIn={() => void navigate({ to: '/data-sources', replace: true })} />
}
