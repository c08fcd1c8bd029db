import { LayoutSkeleton } from '../ui/layout-skeleton'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from './root'
import { searchOnly } from './search-params'
import { requireStaff } from './route-guards'

export const adminLayout = createRoute({
  getParentRoute: () => rootRoute,
  id: 'admin',
  beforeLoad: requireStaff,
  component: lazyRouteComponent(() => import('./admin-layout-route'), 'AdminLayoutRoute'),
  // Over a slow line its code is on its way for seconds: the first paint stays as it is.
  pendingComponent: LayoutSkeleton,
  pendingMs: 0,
})

export const adminWorkspacesRoute = createRoute({
  getParentRoute: () => adminLayout,
  path: '/admin/workspaces',
  validateSearch: searchOnly,
  component: lazyRouteComponent(() => import('../features/admin/workspaces-screen'), 'WorkspacesScreen'),
})
