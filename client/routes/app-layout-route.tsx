import { Outlet, useRouterState } from '@tanstack/react-router'
import { Fragment } from 'react'
import { SearchDialog } from '../features/search/search-dialog'
import { AccountLayout } from '../features/workspaces/account-layout'
import { AppLayout } from '../features/workspaces/app-layout'
import { NoSeatScreen } from '../features/workspaces/no-seat-screen'
import { useSession } from '../lib/session'
import { isPersonalPage } from './route-guards'

/** Drawn anew for every workspace: nothing that one of them showed can stay on screen in another. */
export function AppLayoutRoute() {
  const { user, workspace } = useSession()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const isPersonal = isPersonalPage(path)
  if (user && !workspace && isPersonal)
    return (
      <AccountLayout>
        <Outlet />
      </AccountLayout>
    )
  // Signed out in another tab: the way to the sign-in page is already taken.
  if (!workspace) return null
  if (workspace.seat === 'none' && !isPersonal) return <NoSeatScreen key={workspace.id} />
  return (
    <Fragment key={workspace.id}>
      <AppLayout>
        <Outlet />
      </AppLayout>
      <SearchDialog />
    </Fragment>
  )
}
