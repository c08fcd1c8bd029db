import { createRouter } from '@tanstack/react-router'
import * as admin from './admin-routes'
import * as app from './app-routes'
import { ErrorScreen, rootRoute } from './root'
import * as open from './public-routes'
import { ScreenSkeleton } from '../ui/skeletons'

const routeTree = rootRoute.addChildren([
  open.indexRoute,
  open.noWorkspaceRoute,
  open.customLayout.addChildren([
    open.loginRoute,
    open.registerRoute,
    open.termsRoute,
    open.resetRoute,
    open.signInLinkRoute,
    open.confirmEmailRoute,
    open.confirmAddressRoute,
    open.earlierUseRoute,
    open.consentRoute,
    open.undeleteRoute,
    open.invitationRoute,
    open.reportInvitationRoute,
    open.unsubscribeRoute,
    open.workspaceStepRoute,
    open.profileStepRoute,
    open.sourceStepRoute,
  ]),
  app.appLayout.addChildren([
    app.sourcesRoute,
    app.newSourceRoute,
    app.connectSourceRoute,
    app.sourceRoute,
    app.groupingsRoute,
    app.groupingRoute,
    app.insightsRoute,
    app.newInsightRoute,
    app.insightRoute,
    app.metricsRoute,
    app.metricRoute,
    app.pilotRoute,
    app.alertsRoute,
    app.alertRoute,
    app.forecastsRoute,
    app.newForecastRoute,
    app.forecastRoute,
    app.botRoute,
    app.reportsRoute,
    app.interactiveReportsRoute,
    app.reportRoute,
    app.legacyReportsRoute,
    app.legacyReportRoute,
    app.editionRoute,
    ...app.plannedRoutes,
    app.settingsLayout.addChildren([
      app.workspaceSettingsRoute,
      app.membersRoute,
      app.inviteRoute,
      app.subscriptionRoute,
      app.checkoutRoute,
      app.deletedRoute,
      app.accountsRoute,
      app.currencyRoute,
      app.auditRoute,
      app.dataAccessRoute,
      app.profileSettingsRoute,
      app.authenticationRoute,
    ]),
  ]),
  admin.adminLayout.addChildren([admin.adminWorkspacesRoute]),
])

/** Every page of the product. `src/shared/pages.ts` names the same paths for the server. */
export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPendingMs: 200,
  defaultPendingMinMs: 250,
  defaultPendingComponent: ScreenSkeleton,
  defaultErrorComponent: ErrorScreen,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
