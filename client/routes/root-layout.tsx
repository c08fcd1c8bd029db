import { Outlet, useRouterState } from '@tanstack/react-router'
import { SignInSheet } from '../features/auth/sign-in-sheet'
import { OfflineBanner } from '../ui/offline-banner'
import { RouteAnnouncer } from '../ui/route-announcer'
import { RouteProgress } from '../ui/route-progress'

export function RootLayout() {
  const pending = useRouterState({ select: (state) => state.status === 'pending' })
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname ?? '' })
  return (
    <>
      <RouteProgress active={pending} />
      <OfflineBanner />
      <Outlet />
      <RouteAnnouncer path={path} />
      <SignInSheet />
    </>
  )
}
