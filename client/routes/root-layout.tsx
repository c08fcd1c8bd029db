import { Outlet, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useSession } from '../lib/session'
import { OfflineBanner } from '../ui/offline-banner'
import { RouteAnnouncer } from '../ui/route-announcer'
import { RouteProgress } from '../ui/route-progress'

const SignedInParts = lazy(async () => ({ default: (await import('./signed-in-parts')).SignedInParts }))

export function RootLayout() {
  const pending = useRouterState({ select: (state) => state.status === 'pending' })
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname ?? '' })
  const { user } = useSession()
  return (
    <>
      <RouteProgress active={pending} />
      <OfflineBanner />
      <Outlet />
      <RouteAnnouncer path={path} />
      {user && (
        <Suspense fallback={null}>
          <SignedInParts />
        </Suspense>
      )}
    </>
  )
}
