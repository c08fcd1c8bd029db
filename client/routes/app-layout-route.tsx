import { Outlet } from '@tanstack/react-router'
import { Fragment } from 'react'
import { SearchDialog } from '../features/search/search-dialog'
import { AppLayout } from '../features/workspace/app-layout'
import { useSession } from '../lib/session'

/** Drawn anew for every workspace: nothing that one of them showed can stay on screen in another. */
export function AppLayoutRoute() {
  const { workspace } = useSession()
  // Signed out in another tab: the way to the sign-in page is already taken.
  if (!workspace) return null
  return (
    <Fragment key={workspace.id}>
      <AppLayout>
        <Outlet />
      </AppLayout>
      <SearchDialog />
    </Fragment>
  )
}
