import { Outlet } from '@tanstack/react-router'
import { AdminLayout } from '../features/admin/admin-layout'
import { PersonMenu } from '../features/workspaces/person-menu'
import { useSession } from '../lib/session'

export function AdminLayoutRoute() {
  // Signed out in another tab: the way to the sign-in page is already taken.
  if (!useSession().user) return null
  return (
    <AdminLayout person={<PersonMenu />}>
      <Outlet />
    </AdminLayout>
  )
}
