import { createRootRoute, retainSearchParams } from '@tanstack/react-router'
import { workspaceSearch } from './search'
import { RootLayout } from './root-layout'
import { NotFoundScreen } from './not-found-screen'
import { enterWorkspace } from '../lib/enter-workspace'

/** Everything: the tab's workspace is the one its address names. */
export const rootRoute = createRootRoute({
  validateSearch: workspaceSearch,
  search: { middlewares: [retainSearchParams(['w'])] },
  beforeLoad: ({ search }) => enterWorkspace(search.w),
  component: RootLayout,
  notFoundComponent: NotFoundScreen,
})
