import {
  createRootRoute,
  redirect,
  retainSearchParams,
  Outlet,
  useRouterState,
  useRouter,
} from '@tanstack/react-router'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { Button, Container } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { workspaceSearch } from './search-params'
import { enterWorkspace } from '../lib/session-actions'
import { session, useSession } from '../lib/session'
import { OfflineBanner, RouteAnnouncer, RouteProgress } from './page-status'
import { EmptyState } from '../ui/empty-state'
import { ErrorState } from '../ui/error-state'

/** Everything. The address names the tab's workspace, as soon as a person has more than one. */
export const rootRoute = createRootRoute({
  validateSearch: workspaceSearch,
  search: { middlewares: [retainSearchParams(['w'])] },
  beforeLoad: async ({ search, location, preload }) => {
    if (preload) return
    await enterWorkspace(search.w)
    const { workspace, workspaces } = session()
    if (!workspace || search.w === workspace.id || (search.w === undefined && workspaces.length < 2)) return
    const address = new URL(location.href, window.location.origin)
    address.searchParams.set('w', workspace.id)
    throw redirect({ href: `${address.pathname}${address.search}${address.hash}`, replace: true })
  },
  component: RootLayout,
  notFoundComponent: NotFoundScreen,
})

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

export function NotFoundScreen() {
  useDocumentTitle('Page not found · Insikt')
  return (
    <Container component="main" id="main" size="sm" py={64} tabIndex={-1}>
      <h1 className="only-reader">Page not found</h1>
      <EmptyState
        picture="lost"
        title="Page not found"
        sentence="It was moved or deleted, or you don’t have access."
        action={
          <Button component="a" href="/data-sources">
            Go to data sources
          </Button>
        }
      />
    </Container>
  )
}

/** A screen that could not be shown: words, and another try. */
export function ErrorScreen({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const retry = () => {
    reset()
    void router.invalidate()
  }
  return <ErrorState error={error} onRetry={retry} />
}
