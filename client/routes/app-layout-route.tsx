import { Outlet } from '@tanstack/react-router'
import { SearchDialog } from '../features/search/search-dialog'
import { AppLayout } from '../features/workspace/app-layout'

export function AppLayoutRoute() {
  return (
    <>
      <AppLayout>
        <Outlet />
      </AppLayout>
      <SearchDialog />
    </>
  )
}
