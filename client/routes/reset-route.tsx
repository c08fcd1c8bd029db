import { useNavigate } from '@tanstack/react-router'
import { ResetScreen } from '../features/auth/reset-screen'

export function ResetRoute() {
  const navigate = useNavigate()
  return <ResetScreen onSignedIn={() => void navigate({ to: '/data-sources', replace: true })} />
}
