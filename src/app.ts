import { Hono } from 'hono'
import type { RouterRoute } from 'hono/types'
import { accountFiles, credentialRoutes, accountDeletion, emailChange, signInLinks } from './features/account/routes'
import { accountClasses } from './features/account-classes/routes'
import { admin } from './features/admin/routes'
import { alerts } from './features/alerts/routes'
import { audit, auditFiles } from './features/audit/routes'
import {
  retainedItems,
  subscriptionChanges,
  stripeRedirects,
  subscriptionViews,
  stripeWebhook,
} from './features/billing/routes'
import { currencies } from './features/currencies/routes'
import { dataSources, datasets, runFiles, runs } from './features/data-sources/routes'
import { findings, insightFindingsRoutes } from './features/findings/routes'
import { groupingFiles, groupings } from './features/groupings/routes'
import { digest } from './features/digest/routes'
import { forecastFiles, forecasts } from './features/forecasts/routes'
import { groups } from './features/groups/routes'
import { deleted } from './features/deleted/routes'
import { categories } from './features/insights/category-routes'
import { insightCuration, insightFiles, insights, starters } from './features/insights/routes'
import { invites } from './features/invites/routes'
import { live } from './features/live/routes'
import { members } from './features/members/routes'
import { insightNotes, notes } from './features/notes/routes'
import { ownership } from './features/ownership/routes'
import { query } from './features/query/routes'
import { relations } from './features/relations/routes'
import { registration, session as sessions } from './features/identity/routes'
import { monitoring } from './features/monitoring/routes'
import { pictures, profileFiles } from './features/pictures/routes'
import { oauthReturn, oauthStart, signIns } from './features/oauth/routes'
import { onboarding, profile } from './features/profile/routes'
import { sample } from './features/sample/routes'
import { metrics } from './features/metrics/routes'
import { insightTargets, metricTargets } from './features/targets/routes'
import { uploadFiles, uploads } from './features/uploads/routes'
import { workspace, workspaceFiles, workspaces } from './features/workspaces/routes'
import { demo } from './flows/sample/demo'
import { workspaceExport } from './flows/export/workspace-archive'
import { protectApi } from './http/csrf'
import { initializeRequest } from './http/initialize-request'
import { onError, notFoundJson } from './http/errors'
import type { AppEnv } from './http/context'
import type { Deps } from './deps'
import { devMailRoutes } from './http/dev-mail'
import { guardGatedPaths, notFound } from './http/not-found'
import { healthRoutes } from './http/health'
import { pageRoutes } from './http/page'
import { securityHeaders } from './http/security-headers'
import { loadSession } from './http/session'

/** The table of contents: middleware, one `.route()` per feature, the page. */
export function createApp(overrides: Partial<Deps> = {}) {
  const routes: RouterRoute[] = []
  const app = new Hono<AppEnv>()
    .use(securityHeaders())
    .onError(onError)
    .use(initializeRequest(overrides))
    .use(loadSession())
    .use('/api/*', protectApi())
    .use('/files/*', protectApi())
    .route('/health', healthRoutes)
    .route('/monitoring', monitoring)
    .route('/live', live)
    .route('/api/account', registration)
    .route('/api/account', credentialRoutes)
    .route('/api/account', accountDeletion)
    .route('/files/account', accountFiles)
    .route('/api/account/email', emailChange)
    .route('/api/session/link', signInLinks)
    .route('/api/session', sessions)
    .route('/api/session', demo)
    .route('/api/session', oauthStart)
    .route('/api/auth', oauthReturn)
    .route('/api/account/sign-ins', signIns)
    .route('/api/workspaces', workspaces)
    .route('/api/workspace', workspace)
    .route('/api/workspace/ownership', ownership)
    .route('/files/workspace', workspaceFiles)
    .route('/files/workspace', workspaceExport)
    .route('/api/deleted', deleted)
    .route('/api/profile', profile)
    .route('/api/onboarding', onboarding)
    .route('/api/uploads', uploads)
    .route('/files/uploads', uploadFiles)
    .route('/api/data-sources', dataSources)
    .route('/api/datasets', datasets)
    .route('/api/runs', runs)
    .route('/files/runs', runFiles)
    .route('/api/sample', sample)
    .route('/api/query', query)
    .route('/api/relations', relations)
    .route('/api/invites', invites)
    .route('/api/members', members)
    .route('/api/account-classes', accountClasses)
    .route('/api/insights', insights)
    .route('/api/insights', insightFindingsRoutes)
    .route('/api/findings', findings)
    .route('/api/insights', insightCuration)
    .route('/api/insights', insightNotes)
    .route('/api/notes', notes)
    .route('/api/categories', categories)
    .route('/api/starters', starters)
    .route('/files/insights', insightFiles)
    .route('/files/profile', profileFiles)
    .route('/files/pictures', pictures)
    .route('/api/groupings', groupings)
    .route('/files/groupings', groupingFiles)
    .route('/api/currencies', currencies)
    .route('/api/groups', groups)
    .route('/api/alerts', alerts)
    .route('/api/forecasts', forecasts)
    .route('/files/forecasts', forecastFiles)
    .route('/api/digest', digest)
    .route('/api/insights', insightTargets)
    .route('/api/metrics', metrics)
    .route('/api/metrics', metricTargets)
    .route('/api/audit', audit)
    .route('/files/audit', auditFiles)
    .route('/api/subscription', subscriptionViews)
    .route('/api/subscription', subscriptionChanges)
    .route('/api/stripe', stripeRedirects)
    .route('/api/subscription', retainedItems)
    .route('/api/stripe', stripeWebhook)
    .route('/api/admin', admin)
    .use('/api/*', guardGatedPaths())
    .all('/api/*', notFound(routes))
    .all('/files/*', notFound(routes))
    .all('/assets/*', notFoundJson)
    .route('/dev/mail', devMailRoutes)
    .route('/', pageRoutes)
  routes.push(...app.routes)
  return app
}

export type AppType = ReturnType<typeof createApp>
