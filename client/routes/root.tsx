import { createRootRoute, redirect, retainSearchParams } from '@tanstack/react-router'
import { NotFoundScreen } from './not-found-screen'
import { RootLayout } from './root-layout'
import { workspaceSearch } from './search'
import { enterWorkspace } from '../lib/enter-workspace'
import { session } from '../lib/session'

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
