import { useRouter } from '@tanstack/react-router'
import { EarlierUseScreen } from '../features/account/earlier-use-screen'
import { AuthLayout } from '../features/identity/auth-layout'

export function EarlierUseRoute() {
  const router = useRouter()
  return (
    <EarlierUseScreen
      frame={(page) => <AuthLayout {...page} />}
      onDone={() => void router.navigate({ to: '/data-sources', replace: true })}
    />
  )
}
