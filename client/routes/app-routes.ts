import { LayoutSkeleton } from '../ui/layout-skeleton'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from './root'
import {
  auditSearch,
  botSearch,
  checkoutSearch,
  detailSearch,
  forecastSearch,
  membersSearch,
  newForecastSearch,
  newInsightSearch,
  newMetricSearch,
  pilotSearch,
  problemSearch,
  insightsSearch,
  reportSearch,
  reportsSearch,
  searchOnly,
  draftSearch,
  sourceSearch,
  subscriptionSearch,
} from './search-params'
import { requireWorkspace } from './route-guards'
import { PLANNED_FEATURES } from '../../src/shared/planned-features'

export const appLayout = createRoute({
  getParentRoute: () => rootRoute,
  id: 'app',
  beforeLoad: requireWorkspace,
  component: lazyRouteComponent(() => import('./app-layout-route'), 'AppLayoutRoute'),
  // Over a slow line its code is on its way for seconds: the first paint stays as it is.
  pendingComponent: LayoutSkeleton,
  pendingMs: 0,
})
const child = { getParentRoute: () => appLayout }

export const sourcesRoute = createRoute({
  ...child,
  path: '/data-sources',
  validateSearch: searchOnly,
  component: lazyRouteComponent(() => import('./sources/sources-route'), 'SourcesRoute'),
})

export const newSourceRoute = createRoute({
  ...child,
  path: '/data-sources/new',
  component: lazyRouteComponent(() => import('./sources/new-source-route'), 'NewSourceRoute'),
})

export const connectSourceRoute = createRoute({
  ...child,
  path: '/data-sources/new/$kind',
  validateSearch: draftSearch,
  component: lazyRouteComponent(() => import('./sources/connect-source-route'), 'ConnectSourceRoute'),
})

export const sourceRoute = createRoute({
  ...child,
  path: '/data-sources/$id',
  validateSearch: sourceSearch,
  component: lazyRouteComponent(() => import('./sources/source-route'), 'SourceRoute'),
})

export const groupingsRoute = createRoute({
  ...child,
  path: '/data-grouping',
  component: lazyRouteComponent(() => import('../features/groupings/groupings-screen'), 'GroupingsScreen'),
})

export const groupingRoute = createRoute({
  ...child,
  path: '/data-grouping/$id',
  component: lazyRouteComponent(() => import('./grouping-route'), 'GroupingRoute'),
})

export const insightsRoute = createRoute({
  ...child,
  path: '/insights',
  validateSearch: insightsSearch,
  component: lazyRouteComponent(() => import('./insights-route'), 'InsightsRoute'),
})

export const newInsightRoute = createRoute({
  ...child,
  path: '/insights/new',
  validateSearch: newInsightSearch,
  component: lazyRouteComponent(() => import('../features/insights/builder/insight-new-screen'), 'InsightNewScreen'),
})

export const insightRoute = createRoute({
  ...child,
  path: '/insights/$id',
  validateSearch: detailSearch,
  component: lazyRouteComponent(() => import('./insight-route'), 'InsightRoute'),
})

export const pilotRoute = createRoute({
  ...child,
  path: '/pilot',
  validateSearch: pilotSearch,
  component: lazyRouteComponent(() => import('./pilot/pilot-route'), 'PilotRoute'),
})

export const metricsRoute = createRoute({
  ...child,
  path: '/metrics',
  component: lazyRouteComponent(() => import('../features/metrics/metrics-screen'), 'MetricsScreen'),
})

/** `/metrics/new` makes one. */
export const metricRoute = createRoute({
  ...child,
  path: '/metrics/$id',
  validateSearch: newMetricSearch,
  component: lazyRouteComponent(() => import('./metric-route'), 'MetricRoute'),
})

export const alertsRoute = createRoute({
  ...child,
  path: '/alerts',
  component: lazyRouteComponent(() => import('./alert-route'), 'AlertsRoute'),
})

export const alertRoute = createRoute({
  ...child,
  path: '/alerts/$id',
  component: lazyRouteComponent(() => import('./alert-route'), 'AlertRoute'),
})

export const forecastsRoute = createRoute({
  ...child,
  path: '/forecasts',
  component: lazyRouteComponent(() => import('../features/forecasts/forecasts-screen'), 'ForecastsScreen'),
})

export const newForecastRoute = createRoute({
  ...child,
  path: '/forecasts/new',
  validateSearch: newForecastSearch,
  component: lazyRouteComponent(() => import('./forecast-new-route'), 'ForecastNewRoute'),
})

export const forecastRoute = createRoute({
  ...child,
  path: '/forecasts/$id',
  validateSearch: forecastSearch,
  component: lazyRouteComponent(() => import('./forecast-route'), 'ForecastRoute'),
})

export const botRoute = createRoute({
  ...child,
  path: '/insight-bot',
  validateSearch: botSearch,
  component: lazyRouteComponent(() => import('./bot/bot-route'), 'BotRoute'),
})

export const reportsRoute = createRoute({
  ...child,
  path: '/reports',
  validateSearch: reportsSearch,
  component: lazyRouteComponent(() => import('../features/reports/list/reports-screen'), 'ReportsScreen'),
})

export const interactiveReportsRoute = createRoute({
  ...child,
  path: '/reports/interactive',
  validateSearch: reportsSearch,
  component: lazyRouteComponent(() => import('../features/reports/list/reports-screen'), 'InteractiveReportsScreen'),
})

export const reportRoute = createRoute({
  ...child,
  path: '/reports/interactive/$id',
  validateSearch: reportSearch,
  component: lazyRouteComponent(() => import('./reports/report-route'), 'ReportRoute'),
})

export const legacyReportsRoute = createRoute({
  ...child,
  path: '/reports/legacy',
  validateSearch: reportsSearch,
  component: lazyRouteComponent(() => import('../features/reports/list/reports-screen'), 'LegacyReportsScreen'),
})

export const legacyReportRoute = createRoute({
  ...child,
  path: '/reports/legacy/$id',
  validateSearch: reportSearch,
  component: lazyRouteComponent(() => import('./reports/report-route'), 'LegacyReportRoute'),
})

export const editionRoute = createRoute({
  ...child,
  path: '/reports/legacy/$id/editions/$n',
  component: lazyRouteComponent(() => import('./reports/edition-route'), 'EditionRoute'),
})

/** A page of the settings: child of this, and an entry in `settings-layout-route.tsx`. */
export const settingsLayout = createRoute({
  ...child,
  id: 'settings',
  component: lazyRouteComponent(() => import('./settings-layout-route'), 'SettingsLayout'),
})
const setting = { getParentRoute: () => settingsLayout }

export const workspaceSettingsRoute = createRoute({
  ...setting,
  path: '/settings/workspace',
  component: lazyRouteComponent(() => import('../features/workspaces/workspace-screen'), 'WorkspaceScreen'),
})

export const membersRoute = createRoute({
  ...setting,
  path: '/settings/workspace/members',
  validateSearch: membersSearch,
  component: lazyRouteComponent(() => import('./members-route'), 'MembersRoute'),
})

export const inviteRoute = createRoute({
  ...setting,
  path: '/settings/workspace/members/invite',
  component: lazyRouteComponent(() => import('../features/members/invite-screen'), 'InviteScreen'),
})

export const subscriptionRoute = createRoute({
  ...setting,
  path: '/settings/workspace/subscription',
  validateSearch: subscriptionSearch,
  component: lazyRouteComponent(
    () => import('../features/billing/subscription/subscription-screen'),
    'SubscriptionScreen',
  ),
})

export const checkoutRoute = createRoute({
  ...setting,
  path: '/settings/workspace/subscription/checkout',
  validateSearch: checkoutSearch,
  component: lazyRouteComponent(() => import('./checkout-route'), 'CheckoutRoute'),
})

export const deletedRoute = createRoute({
  ...setting,
  path: '/settings/workspace/deleted',
  component: lazyRouteComponent(() => import('../features/deleted/deleted-screen'), 'DeletedScreen'),
})

export const accountsRoute = createRoute({
  ...setting,
  path: '/settings/workspace/accounts',
  component: lazyRouteComponent(() => import('../features/account-classes/account-classes-screen'), 'AccountsScreen'),
})

export const currencyRoute = createRoute({
  ...setting,
  path: '/settings/workspace/currency',
  component: lazyRouteComponent(() => import('../features/currencies/currency-screen'), 'CurrencyScreen'),
})

export const auditRoute = createRoute({
  ...setting,
  path: '/settings/workspace/audit',
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import('../features/audit/audit-screen'), 'AuditScreen'),
})

export const dataAccessRoute = createRoute({
  ...setting,
  path: '/settings/workspace/data-access',
  validateSearch: detailSearch,
  component: lazyRouteComponent(() => import('../features/data-access/data-access-screen'), 'DataAccessScreen'),
})

export const profileSettingsRoute = createRoute({
  ...setting,
  path: '/settings/profile',
  component: lazyRouteComponent(() => import('../features/profile/profile-screen'), 'ProfileScreen'),
})

export const authenticationRoute = createRoute({
  ...setting,
  path: '/settings/profile/authentication',
  validateSearch: problemSearch,
  component: lazyRouteComponent(() => import('./authentication-route'), 'AuthenticationRoute'),
})

/** Features that have an address and no screen yet, all by one page. */
export const plannedRoutes = PLANNED_FEATURES.map(({ path }) =>
  createRoute({
    ...child,
    path,
    component: lazyRouteComponent(() => import('./planned-feature-route'), 'PlannedFeatureRoute'),
  }),
)
