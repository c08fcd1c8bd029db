import { Hono } from 'hono'
import type { HonoBase } from 'hono/hono-base'
import type { RouterRoute } from 'hono/types'
import type { Deps } from './deps'
import { accessTokenRoutes } from './features/programs/access-tokens/routes'
import { accountClassRoutes } from './features/account-classes/routes'
import { accountRoutes } from './features/account/routes'
import { adminRoutes } from './features/admin/routes'
import { alertRoutes } from './features/alerts/routes'
import { auditRoutes } from './features/audit/routes'
import { billingRoutes } from './features/billing/routes'
import { oauthServerRoutes } from './features/programs/connected-apps/oauth-routes'
import { connectedAppRoutes } from './features/programs/connected-apps/routes'
import { languageModelRoutes } from './features/bot/language-model/routes'
import { botRoutes } from './features/bot/routes'
import { currencyRoutes } from './features/currencies/routes'
import { dataAccessRoutes } from './features/data-access/routes'
import { dataSourceRoutes } from './features/data-sources/mount'
import { deletedRoutes } from './features/deleted/routes'
import { digestRoutes } from './features/digest/routes'
import { findingRoutes } from './features/findings/routes'
import { forecastRoutes } from './features/forecasts/routes'
import { groupingRoutes } from './features/groupings/routes'
import { groupRoutes } from './features/groups/routes'
import { identityRoutes } from './features/identity/routes'
import { insightRoutes } from './features/insights/mount'
import { inviteRoutes } from './features/invites/routes'
import { liveRoutes } from './features/live/routes'
import { memberRoutes } from './features/members/routes'
import { metricRoutes } from './features/metrics/routes'
import { monitoringRoutes } from './features/monitoring/routes'
import { noteRoutes } from './features/notes/routes'
import { oauthRoutes } from './features/oauth/routes'
import { ownershipRoutes } from './features/ownership/routes'
import { briefingRoutes } from './flows/briefing/routes'
import { pilotRoutes } from './features/pilot/routes'
import { pictureRoutes } from './features/pictures/routes'
import { profileRoutes } from './features/profile/routes'
import { queryRoutes } from './features/query/routes'
import { relationRoutes } from './features/relations/routes'
import { reportLinkRoutes } from './features/reports/links/routes'
import { reportCommentRoutes } from './features/reports/comments/routes'
import { reportRoutes } from './features/reports/routes'
import { oneClickUnsubscribeRoutes } from './features/reports/schedules/one-click'
import { blockSubscriptionRoutes } from './features/reports/subscriptions/routes'
import { sampleRoutes } from './features/sample/routes'
import { statementRoutes } from './features/statements/routes'
import { targetRoutes } from './features/targets/routes'
import { uploadRoutes } from './features/uploads/mount'
import { workspaceRoutes } from './features/workspaces/routes'
import { ingestRoutes } from './flows/connections/ingest-routes'
import { connectionRoutes } from './flows/connections/routes'
import { exportRoutes } from './flows/export/workspace-archive'
import { botFlowRoutes } from './flows/bot/routes'
import { reportFlowRoutes } from './flows/reports/routes'
import { reportEditionRoutes } from './flows/reports/edition-routes'
import { sharedPageRoutes } from './flows/reports/shared/shared-pages'
import { sharedReportRoutes } from './flows/reports/shared/shared-routes'
import { reportScheduleRoutes } from './flows/reports/schedules/routes'
import { mcpRoutes } from './flows/mcp/routes'
import { demoRoutes } from './flows/sample/demo'
import type { AppEnv } from './http/context'
import { protectApi } from './http/csrf'
import { devMailRoutes } from './http/dev-mail'
import { notFoundJson, onError } from './http/errors'
import { healthRoutes } from './http/health'
import { initializeRequest } from './http/initialize-request'
import { guardGatedPaths, notFound, refuseLiteralParameters } from './http/not-found'
import { pageRoutes } from './http/page'
import { PathRouter } from './http/path-router'
import { securityHeaders } from './http/security-headers'
import { securityTxtRoutes } from './http/security-txt'
import { loadSession } from './http/session'

// The table of contents: one line a noun with its paths. In parts, each with a type that the compiler can write down.

/** People, their workspaces, and who may do what there. */
const people = new Hono<AppEnv>()
  .route('/', accountRoutes) // /api/account, /api/account/email, /api/session/link, /files/account
  .route('/', identityRoutes) // /api/account/register, /api/session
  .route('/', oauthRoutes) // /api/session/oauth, /api/auth, /api/account/sign-ins
  .route('/', accessTokenRoutes) // /api/access-tokens
  .route('/', connectedAppRoutes) // /api/connected-apps
  .route('/', profileRoutes) // /api/profile, /api/onboarding
  .route('/', pictureRoutes) // /files/profile, /files/pictures
  .route('/', workspaceRoutes) // /api/workspaces, /api/workspace, /files/workspace
  .route('/', ownershipRoutes) // /api/workspace/ownership
  .route('/', memberRoutes) // /api/members
  .route('/', inviteRoutes) // /api/invites
  .route('/', groupRoutes) // /api/groups
  .route('/', dataAccessRoutes) // /api/data-access
  .route('/', auditRoutes) // /api/audit, /files/audit
  .route('/', deletedRoutes) // /api/deleted
  .route('/', billingRoutes) // /api/subscription, /api/stripe
  .route('/', adminRoutes) // /api/admin

/** Sources and their tables. */
const data = new Hono<AppEnv>()
  .route('/', uploadRoutes) // /api/uploads, /files/uploads
  .route('/', dataSourceRoutes) // /api/data-sources, /api/datasets, /api/runs, /files/runs
  .route('/', ingestRoutes) // /api/ingest, /files/connectors/callback
  .route('/', connectionRoutes) // /api/connectors, /api/data-sources/:id/connection
  .route('/', relationRoutes) // /api/relations
  .route('/', groupingRoutes) // /api/groupings, /files/groupings
  .route('/', accountClassRoutes) // /api/account-classes
  .route('/', currencyRoutes) // /api/currencies
  .route('/', sampleRoutes) // /api/sample
  .route('/', demoRoutes) // /api/session/demo
  .route('/', exportRoutes) // /files/workspace/export

/** What is asked of the data. */
const figures = new Hono<AppEnv>()
  .route('/', queryRoutes) // /api/query
  .route('/', statementRoutes) // /api/statements, /files/statements
  .route('/', metricRoutes) // /api/metrics
  .route('/', insightRoutes) // /api/insights, /api/categories, /api/starters, /files/insights
  .route('/', findingRoutes) // /api/findings, /api/insights/:id/findings
  .route('/', noteRoutes) // /api/notes, /api/insights/:id/notes

/** What looks after figures, and ahead. */
const watching = new Hono<AppEnv>()
  .route('/', targetRoutes) // /api/insights/:id/targets, /api/metrics/:id/targets
  .route('/', alertRoutes) // /api/alerts
  .route('/', digestRoutes) // /api/digest
  .route('/', forecastRoutes) // /api/forecasts, /files/forecasts

/** What is asked in words, and what is told. */
const assistant = new Hono<AppEnv>()
  .route('/', languageModelRoutes) // /api/bot/model
  .route('/', botRoutes) // /api/bot
  .route('/', botFlowRoutes) // /api/bot/conversations/:id/messages, /api/bot/suggestions
  .route('/', briefingRoutes) // /api/pilot/briefing
  .route('/', pilotRoutes) // /api/pilot, /api/admin/pilot

/** Reports, on screen, on paper and on their way. */
const reports = new Hono<AppEnv>()
  .route('/', reportRoutes) // /api/reports, /files/reports
  .route('/', blockSubscriptionRoutes) // /api/block-subscriptions, /api/reports/:id/subscriptions
  .route('/', reportCommentRoutes) // /api/comments, /api/reports/:id/comments
  .route('/', reportFlowRoutes) // /api/reports, /api/reports/:id/tiles
  .route('/', reportEditionRoutes) // /api/reports/:id/editions, /api/reports/:id/export, /files/reports
  .route('/', reportLinkRoutes) // /api/reports/:id/links, /api/report-links
  .route('/', sharedReportRoutes) // /api/shared
  .route('/', reportScheduleRoutes) // /api/reports/:id/schedules, /api/report-subscriptions, /files/reports

/** Middleware, the table of contents, the page. */
export function createApp(overrides: Partial<Deps> = {}): Hono<AppEnv> {
  const routes: RouterRoute[] = []
  const app = new Hono<AppEnv>({ router: new PathRouter() })
  app
    .use(securityHeaders())
    .onError(onError)
    .use(initializeRequest(overrides))
    .use('/api/*', refuseLiteralParameters())
    .use('/files/*', refuseLiteralParameters())
    .use(loadSession())
    .use('/api/*', protectApi())
    .use('/files/*', protectApi())
  for (const part of [people, data, figures, watching, assistant, reports]) app.route('/', part)
  app
    .route('/', liveRoutes) // /live
    .route('/', monitoringRoutes) // /monitoring
    .use('/api/*', guardGatedPaths())
    .all('/api/*', notFound(routes))
    .all('/files/*', notFound(routes))
    .all('/assets/*', notFoundJson)
    .route('/', oauthServerRoutes) // /oauth, /.well-known/oauth-*
    .route('/', mcpRoutes) // /mcp
    .route('/health', healthRoutes)
    .route('/.well-known/security.txt', securityTxtRoutes)
    .route('/dev/mail', devMailRoutes)
    .route('/', oneClickUnsubscribeRoutes) // /unsubscribe/:token
    .route('/', sharedPageRoutes) // /shared/:token, /embed/:token
    .route('/', pageRoutes)
  routes.push(...app.routes)
  return app
}

type SchemaOf<T> = T extends HonoBase<infer _Env, infer S, infer _Path> ? S : never
/** Every call of the product's own API, for its client. */
export type AppType = HonoBase<
  AppEnv,
  SchemaOf<typeof people | typeof data | typeof figures | typeof watching | typeof assistant | typeof reports>,
  '/'
>
