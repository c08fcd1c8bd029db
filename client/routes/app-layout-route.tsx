import { Outlet, useRouterState } from '@tanstack/react-router'
import { Fragment } from 'react'
import { SearchDialog } from '../features/search/search-dialog'
import { AppLayout } from '../features/workspaces/app-layout'
import { NoSeatScreen } from '../features/workspaces/no-seat-screen'
import { useSession } from '../lib/session'

/** Drawn anew for every workspace: nothing that one of them showed can stay on screen in another. */
export function AppLayoutRoute() {
  const { workspace } = useSession()
  const path = useRouterState({ select: (state) => state.location.pathname })
  // Signed out in another tab: the way to the sign-in page is already taken.
  if (!workspace) return null
  // A person's own settings are of no workspace.
  if (workspace.seat === 'none' && !path.startsWith('/settings/profile')) return <NoSeatScreen key={workspace.id} />
  return (
    <Fragment key={workspace.id}>
      <AppLayout>
        <Outlet />
      </AppLayout>
      <SearchDialog />
    </Fragment>
  )
}
