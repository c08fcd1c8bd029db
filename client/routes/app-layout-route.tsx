import { Outlet } from '@tanstack/react-router'
import { Fragment } from 'react'
import { SearchDialog } from '../features/search/search-dialog'
import { AppLayout } from '../features/workspace/app-layout'
import { useSession } from '../lib/session'

/** Drawn anew for every workspace: nothing that one of them showed can stay on screen in another. */
export function AppLayoutRoute() {
  const { workspace } = useSession()
  return (
    <Fragment key={workspace?.id ?? ''}>
      <AppLayout>
        <Outlet />
      </AppLayout>
      <SearchDialog />
    </Fragment>
  )
}
