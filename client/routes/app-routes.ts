import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from './root'
import { detailSearch, listSearch, newInsightSearch, sourceSearch } from './search'
import { needsWorkspace } from './session-rules'

export const appLayout = createRoute({
  getParentRoute: () => rootRoute,
  id: 'app',
  beforeLoad: needsWorkspace,
  component: lazyRouteComponent(() => import('./app-layout-route'), 'AppLayoutRoute'),
})
const child = { getParentRoute: () => appLayout }

export const sourcesRoute = createRoute({
  ...child,
  path: '/data-sources',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./sources-route'), 'SourcesRoute'),
})

export const newSourceRoute = createRoute({
  ...child,
  path: '/data-sources/new',
  component: lazyRouteComponent(() => import('./new-source-route'), 'NewSourceRoute'),
})

export const sourceRoute = createRoute({
  ...child,
  path: '/data-sources/$id',
  validateSearch: sourceSearch,
  component: lazyRouteComponent(() => import('./source-route'), 'SourceRoute'),
})

export const insightsRoute = createRoute({
  ...child,
  path: '/insights',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./insights-route'), 'InsightsRoute'),
})

export const newInsightRoute = createRoute({
  ...child,
  path: '/insights/new',
  validateSearch: newInsightSearch,
  component: lazyRouteComponent(() => import('../features/insights/insight-new-screen'), 'InsightNewScreen'),
})

export const insightRoute = createRoute({
  ...child,
  path: '/insights/$id',
  validateSearch: detailSearch,
  component: lazyRouteComponent(() => import('./insight-route'), 'InsightRoute'),
})

export const workspaceSettingsRoute = createRoute({
  ...child,
  path: '/settings/workspace',
  component: lazyRouteComponent(() => import('../features/workspace/workspace-screen'), 'WorkspaceScreen'),
})

export const profileSettingsRoute = createRoute({
  ...child,
  path: '/settings/profile',
  component: lazyRouteComponent(() => import('../features/workspace/profile-screen'), 'ProfileScreen'),
})
