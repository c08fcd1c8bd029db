import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { createApp } from '../app'
import { databaseDump, untilWritten } from '../../test/worker/test-database'
import { aMember, expiredTrial, signedIn, visitor, type Caller } from '../../test/worker/factories'
import { aRowOfEach, ID_OF, newIdOf, pathWith, type ResourceIds } from '../../test/worker/resources'
import { routeTable } from '../../test/worker/http/route-table'
import { systemIds } from '../deps'

/** Accepts jobs and does none: what they would write on and on is not an answer of the call. */
const loadSample = new Proxy(env.LOAD_SAMPLE, { get: () => () => Promise.resolve({ id: 'none' }) })
const app = createApp({ loadSample })
const routes = routeTable(app).filter(({ path }) => /^\/((api|files)\/|live$)/.test(path))
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

/** Who asks. Everyone but `anon` names the same workspace in `x-workspace`; `lapsed` owns one whose trial is over. */
const ACTORS = ['anon', 'stranger', 'suspended', 'client', 'viewer', 'analyst', 'admin', 'owner', 'lapsed'] as const
type ActorName = (typeof ACTORS)[number]

// What each actor gets before anything is looked up: a refusal, or `in` (the call itself answers, an unknown id by 404).
const OPEN = 'in  in  in  in  in  in  in  in  in'
const SIGNED_IN = '401 in  in  in  in  in  in  in  in'
/** One's own thing by its id: another person's is unknown. */
const OWN_BY_ID = '401 404 404 in  in  in  in  in  in'
const MEMBERS_READ = '401 404 404 403 in  in  in  in  in'
const MEMBERS_WRITE = '401 404 404 403 in  in  in  in  402'
const ANALYSTS_WRITE = '401 404 404 403 403 in  in  in  402'
/** Whoever knows the key of a picture may see it; an unknown one is nobody's. */
const BY_KEY = '404 404 404 in  in  in  in  in  in'
const ANALYSTS_READ = '401 404 404 403 403 in  in  in  in'
/** Whatever the person: the signature decides, and without keys of billing there is none. */
const SIGNED_ONLY = '403 403 403 403 403 403 403 403 403'
/** Whatever the person: the token of a source decides. */
const PUSH_TOKEN_ONLY = '401 401 401 401 401 401 401 401 401'
const STAFF_ONLY = '401 404 404 404 404 404 404 404 404'
const ADMINS_SET = '401 404 404 403 403 403 in  in  in'
const OWNERS_SET = '401 404 404 403 403 403 403 in  in'
const ADMINS_WRITE = '401 404 404 403 403 403 in  in  402'

/** Whoever looks as somebody else may end it, whatever that one may. */
const OWN_VIEW = '401 404 404 in  in  in  in  in  in'

/** The checked-in expectation: a route without its line here fails, and so does a line without its route. */
const EXPECTED: Record<string, string> = {
  'GET /live': MEMBERS_READ,
  'POST /api/account/register': OPEN,
  'POST /api/account/reset': OPEN,
  'POST /api/account/reset/confirm': OPEN,
  'PUT /api/account/password': SIGNED_IN,
  'GET /api/account/sessions': SIGNED_IN,
  'DELETE /api/account/sessions': SIGNED_IN,
  'DELETE /api/account/sessions/:id': OWN_BY_ID,
  'GET /api/access-tokens': SIGNED_IN,
  'POST /api/access-tokens': MEMBERS_READ,
  'DELETE /api/access-tokens/:id': OWN_BY_ID,
  'GET /api/connected-apps': SIGNED_IN,
  'POST /api/connected-apps/check': SIGNED_IN,
  'POST /api/connected-apps': MEMBERS_READ,
  'DELETE /api/connected-apps/:id': OWN_BY_ID,
  'GET /api/account/deletion': SIGNED_IN,
  'POST /api/account/delete': SIGNED_IN,
  'POST /api/account/undelete': OPEN,
  'POST /api/account/links/check': OPEN,
  'GET /files/account/export': SIGNED_IN,
  'GET /api/account/email': SIGNED_IN,
  'PUT /api/account/email': SIGNED_IN,
  'DELETE /api/account/email': SIGNED_IN,
  'POST /api/account/email/confirm': OPEN,
  'POST /api/account/email/proof': SIGNED_IN,
  'POST /api/account/email/proof/confirm': SIGNED_IN,
  'GET /api/account/earlier-use': OWN_BY_ID,
  'POST /api/account/earlier-use': OWN_BY_ID,
  'POST /api/session/link': OPEN,
  'POST /api/session/link/confirm': OPEN,
  'GET /api/session': OPEN,
  'POST /api/session/sign-in': OPEN,
  'POST /api/session/sign-out': OPEN,
  'POST /api/session/demo': OPEN,
  'POST /api/session/oauth': OPEN,
  'GET /api/auth/callback/:provider': OPEN,
  'GET /api/account/sign-ins': SIGNED_IN,
  'POST /api/account/sign-ins/:id/remove': OWN_BY_ID,
  'GET /api/workspaces': SIGNED_IN,
  'POST /api/workspaces': SIGNED_IN,
  'GET /api/workspace': MEMBERS_READ,
  'GET /api/workspaces/deleted': SIGNED_IN,
  'GET /api/workspaces/ended': SIGNED_IN,
  'POST /api/workspaces/:id/restore': OWN_BY_ID,
  'PUT /api/workspace': ADMINS_SET,
  'POST /api/workspace/delete': OWNERS_SET,
  'PUT /files/workspace/logo': ADMINS_SET,
  'DELETE /files/workspace/logo': ADMINS_SET,
  'GET /files/workspace/export': ADMINS_SET,
  'GET /api/deleted': ANALYSTS_READ,
  'GET /api/deleted/:id': MEMBERS_READ,
  'GET /api/profile': SIGNED_IN,
  'PUT /api/profile': SIGNED_IN,
  'PUT /api/onboarding': SIGNED_IN,
  'PUT /files/profile/avatar': SIGNED_IN,
  'DELETE /files/profile/avatar': SIGNED_IN,
  'GET /files/pictures/:key': BY_KEY,
  'GET /api/admin/workspaces': STAFF_ONLY,
  'GET /api/admin/workspaces/:id/terms': STAFF_ONLY,
  'PUT /api/admin/workspaces/:id/terms': STAFF_ONLY,
  'GET /api/bot/model': ADMINS_SET,
  'PUT /api/bot/model': ADMINS_SET,
  'GET /api/bot/conversations': MEMBERS_READ,
  'POST /api/bot/conversations': MEMBERS_WRITE,
  'GET /api/bot/conversations/:id': MEMBERS_READ,
  'PUT /api/bot/conversations/:id': MEMBERS_READ,
  'DELETE /api/bot/conversations/:id': MEMBERS_READ,
  'POST /api/bot/conversations/:id/share': MEMBERS_READ,
  'DELETE /api/bot/conversations/:id/share': MEMBERS_READ,
  'POST /api/bot/conversations/:id/messages': MEMBERS_READ,
  'GET /api/bot/shared/:id': MEMBERS_READ,
  'POST /api/bot/messages/:id/feedback': MEMBERS_READ,
  'POST /api/bot/messages/:id/verify': ADMINS_WRITE,
  'GET /api/bot/feedback': ANALYSTS_READ,
  'GET /api/bot/suggestions': MEMBERS_READ,
  'GET /api/bot/usage': MEMBERS_READ,
  'GET /api/bot/glossary': MEMBERS_READ,
  'POST /api/bot/glossary': ANALYSTS_WRITE,
  'PUT /api/bot/glossary/:id': ANALYSTS_WRITE,
  'DELETE /api/bot/glossary/:id': ANALYSTS_WRITE,
  'GET /api/bot/verified-answers': MEMBERS_READ,
  'POST /api/bot/verified-answers': ADMINS_WRITE,
  'PUT /api/bot/verified-answers/:id': ADMINS_WRITE,
  'DELETE /api/bot/verified-answers/:id': ADMINS_WRITE,
  'GET /api/bot/settings': MEMBERS_READ,
  'PUT /api/bot/settings': ADMINS_SET,
  'POST /api/uploads': ANALYSTS_WRITE,
  'GET /api/uploads/:id': ANALYSTS_READ,
  'DELETE /api/uploads/:id': ANALYSTS_WRITE,
  'POST /api/uploads/:id/complete': ANALYSTS_WRITE,
  'POST /api/uploads/:id/open': ANALYSTS_WRITE,
  'POST /api/uploads/:id/inspect': ANALYSTS_WRITE,
  'PUT /files/uploads/:id/parts/:number': ANALYSTS_WRITE,
  'GET /api/data-sources': MEMBERS_READ,
  'POST /api/data-sources': ANALYSTS_WRITE,
  'GET /api/data-sources/:id': MEMBERS_READ,
  'PUT /api/data-sources/:id': ANALYSTS_WRITE,
  'DELETE /api/data-sources/:id': ANALYSTS_WRITE,
  'POST /api/data-sources/:id/restore': ANALYSTS_WRITE,
  'POST /api/data-sources/:id/datasets': ANALYSTS_WRITE,
  'GET /api/data-sources/:id/runs': MEMBERS_READ,
  'GET /api/data-sources/:id/connection': MEMBERS_READ,
  'PUT /api/data-sources/:id/connection': ANALYSTS_WRITE,
  'GET /api/data-sources/:id/syncs': MEMBERS_READ,
  'POST /api/data-sources/:id/test': ANALYSTS_WRITE,
  'POST /api/data-sources/:id/sync': ANALYSTS_WRITE,
  'POST /api/data-sources/:id/pause': ANALYSTS_WRITE,
  'POST /api/data-sources/:id/resume': ANALYSTS_WRITE,
  'POST /api/data-sources/:id/push-token': ANALYSTS_WRITE,
  'GET /api/connectors': MEMBERS_READ,
  'POST /api/connectors/consent': ANALYSTS_WRITE,
  'POST /api/connectors/test': ANALYSTS_WRITE,
  'POST /api/connectors/preview': ANALYSTS_WRITE,
  'POST /api/connectors/sources': ANALYSTS_WRITE,
  'POST /api/ingest/:sourceKey': PUSH_TOKEN_ONLY,
  'GET /files/connectors/callback': SIGNED_IN,
  'GET /api/datasets/:id': MEMBERS_READ,
  'PUT /api/datasets/:id': ANALYSTS_WRITE,
  'GET /api/datasets/:id/preview': MEMBERS_READ,
  'GET /api/datasets/:id/versions': MEMBERS_READ,
  'GET /api/datasets/:id/cleaning': MEMBERS_READ,
  'POST /api/datasets/:id/reopen': ANALYSTS_WRITE,
  'POST /api/datasets/:id/rollback': ANALYSTS_WRITE,
  'POST /api/datasets/:id/loads': ANALYSTS_WRITE,
  'POST /api/datasets/:id/computed': ANALYSTS_WRITE,
  'PUT /api/datasets/:id/computed/:key': ANALYSTS_WRITE,
  'DELETE /api/datasets/:id/computed/:key': ANALYSTS_WRITE,
  'GET /api/runs/:id': MEMBERS_READ,
  'POST /api/runs/:id/cancel': ANALYSTS_WRITE,
  'POST /api/runs/:id/retry': ANALYSTS_WRITE,
  'GET /files/runs/:id/rejects': MEMBERS_READ,
  'GET /files/insights/:id/export': MEMBERS_READ,
  'GET /api/sample': MEMBERS_READ,
  'POST /api/sample': ANALYSTS_WRITE,
  'DELETE /api/sample': ANALYSTS_WRITE,
  'POST /api/query': MEMBERS_READ,
  'POST /api/query/export': MEMBERS_READ,
  'GET /api/statements/:id': MEMBERS_READ,
  'GET /files/statements/:id': MEMBERS_READ,
  'GET /api/relations': MEMBERS_READ,
  'POST /api/relations': ANALYSTS_WRITE,
  'PUT /api/relations/:id': ANALYSTS_WRITE,
  'DELETE /api/relations/:id': ANALYSTS_WRITE,
  'GET /api/workspace/ownership': MEMBERS_READ,
  'PUT /api/workspace/ownership': OWNERS_SET,
  'DELETE /api/workspace/ownership': MEMBERS_READ,
  'POST /api/workspace/ownership/accept': MEMBERS_READ,
  'GET /api/invites': ADMINS_SET,
  'POST /api/invites': ADMINS_WRITE,
  'POST /api/invites/look': OPEN,
  'POST /api/invites/report': OPEN,
  'POST /api/invites/report/check': OPEN,
  'POST /api/invites/accept': SIGNED_IN,
  'POST /api/invites/:id/resend': ADMINS_WRITE,
  'POST /api/invites/:id/revoke': ADMINS_WRITE,
  'GET /api/members': MEMBERS_READ,
  'GET /api/members/seats': ADMINS_SET,
  'GET /api/members/:id/belongings': ADMINS_SET,
  'PUT /api/members/:id': ADMINS_WRITE,
  'DELETE /api/members/:id': MEMBERS_READ,
  'GET /api/account-classes': MEMBERS_READ,
  'PUT /api/account-classes': ANALYSTS_WRITE,
  'GET /api/insights': MEMBERS_READ,
  'POST /api/insights': ANALYSTS_WRITE,
  'GET /api/starters': MEMBERS_READ,
  'POST /api/starters': ANALYSTS_WRITE,
  'GET /api/insights/:id': MEMBERS_READ,
  'PUT /api/insights/:id': ANALYSTS_WRITE,
  'DELETE /api/insights/:id': ANALYSTS_WRITE,
  'POST /api/insights/:id/restore': ANALYSTS_WRITE,
  'POST /api/insights/:id/verify': ADMINS_WRITE,
  'DELETE /api/insights/:id/verify': ADMINS_WRITE,
  'POST /api/insights/:id/follow': MEMBERS_WRITE,
  'DELETE /api/insights/:id/follow': MEMBERS_READ,
  'PUT /api/insights/:id/settings': ANALYSTS_WRITE,
  'POST /api/insights/:id/duplicate': ANALYSTS_WRITE,
  'GET /api/insights/:id/versions': MEMBERS_READ,
  'POST /api/insights/:id/versions/:version/restore': ANALYSTS_WRITE,
  'GET /api/insights/:id/notes': MEMBERS_READ,
  'POST /api/insights/:id/notes': MEMBERS_WRITE,
  'PUT /api/notes/:id': MEMBERS_WRITE,
  'DELETE /api/notes/:id': MEMBERS_WRITE,
  'GET /api/categories': MEMBERS_READ,
  'POST /api/categories': ANALYSTS_WRITE,
  'PUT /api/categories': ANALYSTS_WRITE,
  'PUT /api/categories/:id': ANALYSTS_WRITE,
  'DELETE /api/categories/:id': ANALYSTS_WRITE,
  'GET /api/insights/:id/findings': MEMBERS_READ,
  'GET /api/findings': MEMBERS_READ,
  'POST /api/findings/refresh': MEMBERS_READ,
  'POST /api/findings/drivers': MEMBERS_READ,
  'POST /api/findings/:id/pin': MEMBERS_READ,
  'POST /api/findings/:id/hide': MEMBERS_READ,
  'POST /api/findings/:id/rate': MEMBERS_READ,
  'GET /api/insights/:id/targets': MEMBERS_READ,
  'PUT /api/insights/:id/targets': ANALYSTS_WRITE,
  'GET /api/insights/:id/progress': MEMBERS_READ,
  'GET /api/metrics': MEMBERS_READ,
  'POST /api/metrics': ANALYSTS_WRITE,
  'GET /api/metrics/suggestions': MEMBERS_READ,
  'POST /api/metrics/formula': MEMBERS_READ,
  'GET /api/metrics/:id': MEMBERS_READ,
  'PUT /api/metrics/:id': ANALYSTS_WRITE,
  'DELETE /api/metrics/:id': ANALYSTS_WRITE,
  'GET /api/metrics/:id/dependents': MEMBERS_READ,
  'POST /api/metrics/:id/verify': ADMINS_WRITE,
  'DELETE /api/metrics/:id/verify': ADMINS_WRITE,
  'GET /api/metrics/:id/targets': MEMBERS_READ,
  'PUT /api/metrics/:id/targets': ANALYSTS_WRITE,
  'GET /api/metrics/:id/progress': MEMBERS_READ,
  'GET /api/digest': MEMBERS_READ,
  'PUT /api/digest': MEMBERS_READ,
  'GET /api/forecasts': MEMBERS_READ,
  'POST /api/forecasts': ANALYSTS_WRITE,
  'POST /api/forecasts/preview': MEMBERS_READ,
  'GET /api/forecasts/:id': MEMBERS_READ,
  'PUT /api/forecasts/:id': ANALYSTS_WRITE,
  'DELETE /api/forecasts/:id': ANALYSTS_WRITE,
  'PUT /api/forecasts/:id/scenarios': ANALYSTS_WRITE,
  'POST /api/forecasts/:id/run': ANALYSTS_WRITE,
  'GET /api/forecasts/:id/runs': MEMBERS_READ,
  'GET /api/forecasts/:id/runs/:runId': MEMBERS_READ,
  'GET /api/forecasts/:id/accuracy': MEMBERS_READ,
  'GET /files/forecasts/:id/export': MEMBERS_READ,
  'GET /api/alerts': MEMBERS_READ,
  'POST /api/alerts': ANALYSTS_WRITE,
  'POST /api/alerts/test': ANALYSTS_WRITE,
  'GET /api/alerts/:id': MEMBERS_READ,
  'PUT /api/alerts/:id': ANALYSTS_WRITE,
  'DELETE /api/alerts/:id': ANALYSTS_WRITE,
  'POST /api/alerts/:id/acknowledge': ANALYSTS_WRITE,
  'POST /api/alerts/:id/mute': ANALYSTS_WRITE,
  'POST /api/alerts/:id/test': ANALYSTS_WRITE,
  'GET /api/alerts/:id/events': MEMBERS_READ,
  'GET /api/reports': MEMBERS_READ,
  'POST /api/reports': ANALYSTS_WRITE,
  'GET /api/reports/:id': MEMBERS_READ,
  'PUT /api/reports/:id': ANALYSTS_WRITE,
  'DELETE /api/reports/:id': ANALYSTS_WRITE,
  'POST /api/reports/:id/restore': ANALYSTS_WRITE,
  'POST /api/reports/:id/publish': ANALYSTS_WRITE,
  'POST /api/reports/:id/duplicate': ANALYSTS_WRITE,
  'POST /api/reports/:id/convert': ANALYSTS_WRITE,
  'PUT /api/reports/:id/archive': ANALYSTS_WRITE,
  'GET /api/reports/:id/publications': MEMBERS_READ,
  'POST /api/reports/:id/publications/:n/restore': ANALYSTS_WRITE,
  'GET /api/reports/:id/bookmarks': MEMBERS_READ,
  'POST /api/reports/:id/bookmarks': MEMBERS_READ,
  'DELETE /api/reports/:id/bookmarks/:bookmarkId': MEMBERS_WRITE,
  'POST /api/reports/:id/tiles': MEMBERS_READ,
  'GET /api/block-subscriptions': MEMBERS_READ,
  'POST /api/reports/:id/observation-preview': ANALYSTS_WRITE,
  'PUT /api/reports/:id/subscriptions': MEMBERS_READ,
  'GET /api/reports/:id/comments': MEMBERS_READ,
  'POST /api/reports/:id/comments': MEMBERS_WRITE,
  'PUT /api/reports/:id/comments': MEMBERS_WRITE,
  'PUT /api/comments/:id': MEMBERS_WRITE,
  'DELETE /api/comments/:id': MEMBERS_WRITE,
  'POST /files/reports/:id/pictures': ANALYSTS_WRITE,
  'GET /api/reports/:id/editions': MEMBERS_READ,
  'POST /api/reports/:id/editions': ANALYSTS_WRITE,
  'GET /api/reports/:id/editions/:n': MEMBERS_READ,
  'GET /api/reports/:id/editions/:n/differences': MEMBERS_READ,
  'POST /api/reports/:id/editions/:n/sign': MEMBERS_WRITE,
  'POST /api/reports/:id/export': MEMBERS_READ,
  'GET /api/reports/:id/schedules': ANALYSTS_READ,
  'POST /api/reports/:id/schedules': ANALYSTS_WRITE,
  'GET /api/reports/:id/schedules/:schedule': ANALYSTS_READ,
  'PUT /api/reports/:id/schedules/:schedule': ANALYSTS_WRITE,
  'DELETE /api/reports/:id/schedules/:schedule': ANALYSTS_WRITE,
  'POST /api/reports/:id/schedules/:schedule/test': ANALYSTS_WRITE,
  'PUT /api/reports/:id/schedules/:schedule/subscription': MEMBERS_READ,
  'GET /api/reports/:id/schedules/:schedule/deliveries': ANALYSTS_READ,
  'POST /api/reports/:id/schedules/:schedule/deliveries/:delivery/retry': ANALYSTS_WRITE,
  'GET /files/reports/:id/deliveries/:delivery': MEMBERS_READ,
  'POST /api/report-subscriptions': OPEN,
  'POST /api/report-subscriptions/check': OPEN,
  'GET /files/reports/:id/editions/:n': MEMBERS_READ,
  'GET /api/reports/:id/links': ANALYSTS_READ,
  'POST /api/reports/:id/links': ANALYSTS_WRITE,
  'PUT /api/reports/:id/links/:linkId/content': ANALYSTS_WRITE,
  'DELETE /api/reports/:id/links/:linkId': ANALYSTS_READ,
  'GET /api/report-links': ADMINS_SET,
  'POST /api/shared/report': BY_KEY,
  'POST /api/shared/passcode': OPEN,
  'POST /api/shared/tiles': OPEN,
  'POST /api/shared/values': OPEN,
  'POST /api/shared/document': BY_KEY,
  'GET /api/pilot': MEMBERS_READ,
  'GET /api/pilot/briefing': MEMBERS_READ,
  'PUT /api/pilot/briefing/:id': MEMBERS_READ,
  'PUT /api/pilot/:key': MEMBERS_READ,
  'POST /api/pilot/:key/feedback': MEMBERS_READ,
  'GET /api/admin/pilot': STAFF_ONLY,
  'PUT /api/admin/pilot/:key': STAFF_ONLY,
  'GET /api/groupings': MEMBERS_READ,
  'POST /api/groupings': ANALYSTS_WRITE,
  'GET /api/groupings/:id': MEMBERS_READ,
  'PUT /api/groupings/:id': ANALYSTS_WRITE,
  'DELETE /api/groupings/:id': ANALYSTS_WRITE,
  'POST /api/groupings/:id/restore': ANALYSTS_WRITE,
  'GET /api/groupings/:id/values': MEMBERS_READ,
  'GET /api/groupings/:id/unmatched': MEMBERS_READ,
  'POST /api/groupings/:id/preview': ANALYSTS_WRITE,
  'POST /api/groupings/:id/suggest': ANALYSTS_WRITE,
  'POST /api/groupings/:id/members-move': ANALYSTS_WRITE,
  'POST /api/groupings/:id/import': ANALYSTS_WRITE,
  'GET /files/groupings/:id/export': MEMBERS_READ,
  'GET /api/currencies': MEMBERS_READ,
  'GET /api/currencies/days': MEMBERS_READ,
  'PUT /api/currencies/settings': ADMINS_WRITE,
  'POST /api/currencies/rates': ADMINS_WRITE,
  'PUT /api/currencies/rates/:id': ADMINS_WRITE,
  'DELETE /api/currencies/rates/:id': ADMINS_WRITE,
  'GET /api/groups': MEMBERS_READ,
  'POST /api/groups': ADMINS_WRITE,
  'POST /api/groups/import': ADMINS_WRITE,
  'GET /api/groups/:id': MEMBERS_READ,
  'PUT /api/groups/:id': ADMINS_WRITE,
  'DELETE /api/groups/:id': ADMINS_WRITE,
  'PUT /api/groups/:id/members': MEMBERS_READ,
  'POST /api/groups/:id/restore': ADMINS_WRITE,
  'GET /api/subscription': ADMINS_SET,
  'GET /api/subscription/upcoming': ADMINS_SET,
  'GET /api/subscription/invoices': ADMINS_SET,
  'POST /api/subscription/refresh': ADMINS_SET,
  'PUT /api/subscription/keep': ADMINS_SET,
  'POST /api/stripe/webhook': SIGNED_ONLY,
  'POST /api/stripe/checkout': ADMINS_SET,
  'POST /api/stripe/portal': ADMINS_SET,
  'POST /api/subscription/preview': ADMINS_SET,
  'PUT /api/subscription': ADMINS_SET,
  'POST /api/subscription/cancel': ADMINS_SET,
  'POST /api/subscription/resume': ADMINS_SET,
  'PUT /api/subscription/details': ADMINS_SET,
  'POST /api/subscription/contact': ADMINS_SET,
  'GET /api/data-access': ADMINS_SET,
  'PUT /api/data-access': ADMINS_WRITE,
  'POST /api/data-access/impact': ADMINS_WRITE,
  'GET /api/data-access/people': ADMINS_SET,
  'POST /api/data-access/inspect': ADMINS_SET,
  'GET /api/data-access/history': ADMINS_SET,
  'POST /api/data-access/restore': ADMINS_WRITE,
  'PUT /api/data-access/attributes/:id/values': ADMINS_WRITE,
  'GET /api/data-access/suggestions': ADMINS_SET,
  'POST /api/data-access/view-as': ADMINS_SET,
  'DELETE /api/data-access/view-as': OWN_VIEW,
  'GET /api/audit': ADMINS_SET,
  'GET /files/audit': ADMINS_SET,
}

const actors = untilWritten(async (): Promise<Record<ActorName, Caller>> => {
  const owner = await signedIn({ app })
  const { workspaceId } = owner
  const member = (role: 'client' | 'viewer' | 'analyst' | 'admin') => signedIn({ app, workspaceId, role })
  const suspended = await member('analyst')
  await env.DB.prepare("UPDATE members SET status = 'suspended' WHERE user_id = ?").bind(suspended.userId).run()
  const outsider = await signedIn({ app })
  outsider.headers['x-workspace'] = workspaceId
  const anon = await visitor({ app })
  anon.headers['x-workspace'] = workspaceId
  return {
    anon,
    stranger: outsider,
    suspended,
    client: await member('client'),
    viewer: await member('viewer'),
    analyst: await member('analyst'),
    admin: await member('admin'),
    owner,
    lapsed: await expiredTrial({ app }),
  }
})

const randomIds = (): ResourceIds =>
  Object.fromEntries(Object.entries(ID_OF).map(([part, kind]) => [part, newIdOf(kind)]))

const call = (who: Caller, { method, path }: { method: string; path: string }, json: unknown = {}) =>
  who.fetch(path, { method, ...(/POST|PUT/.test(method) ? { json } : {}) })

/** A member is told 404 by no guard but that of staff, so a member's 404 elsewhere comes from the call itself. */
const isMember = (actor: ActorName) => !['anon', 'stranger', 'suspended'].includes(actor)

describe('route × actor (IDOR-1)', () => {
  it('lists every route, and no route that is gone', () => {
    expect(routes.map(nameOf).toSorted()).toEqual(Object.keys(EXPECTED).toSorted())
  })

  it.each(routes.map((route) => ({ ...route, name: nameOf(route) })))(
    '$name answers each actor as the table says',
    async (route) => {
      const all = await actors()
      const path = pathWith(route.path, randomIds())
      const got: string[] = []
      for (const actor of ACTORS) {
        const { status } = await call(all[actor], { method: route.method, path })
        const unknown = route.guards.some(({ kind }) => kind === 'staff') || !isMember(actor)
        const refused = [401, 402, 403].includes(status) || (status === 404 && unknown)
        const own = route.path.startsWith('/api/session/sign-in') && status === 422
        got.push(refused && !own ? String(status) : 'in')
      }
      expect(
        got
          .map((code) => code.padEnd(3))
          .join(' ')
          .trimEnd(),
      ).toBe(EXPECTED[route.name]?.trimEnd())
    },
  )
})

const CSV = {
  encoding: 'utf-8',
  delimiter: ',',
  quote: '"',
  escape: '"',
  header: true,
  skipLines: 0,
  decimalMark: '.',
  dateOrder: 'ymd',
}
const COLUMN = { index: 0, label: 'a', type: 'text', role: 'dimension', format: { style: 'plain' }, include: true }
const COMPUTED = {
  label: 'Twice',
  expr: { kind: 'number', value: 2 },
  format: { style: 'plain' },
  role: 'measure',
  version: 1,
}
const GROUPING = { fallback: { kind: 'exclude' }, eras: [{ from: null, groups: [] }] }
const SCHEDULE = {
  timing: { kind: 'weekly', weekday: 1, hour: 7 },
  format: 'link',
  recipients: [{ kind: 'member', id: systemIds.next('user') }],
}
/** Bodies that pass their schema, so that the id is what decides. */
const BODIES: Record<string, unknown> = {
  'POST /api/account/sign-ins/:id/remove': {},
  'PUT /api/account-classes': { ranges: [], version: 0 },
  'PUT /api/forecasts/:id': {
    name: 'Mine now',
    subject: { kind: 'metric', id: systemIds.next('metric') },
    version: 1,
  },
  'PUT /api/forecasts/:id/scenarios': { scenarios: [], thresholds: [], version: 1 },
  'PUT /api/admin/workspaces/:id/terms': {
    planId: 'enterprise',
    override: null,
    trialEndsAt: null,
    reason: 'Mine now',
    version: 1,
  },
  'POST /api/uploads/:id/inspect': {},
  'PUT /api/data-sources/:id': { name: 'Mine now', version: 1 },
  'PUT /api/data-sources/:id/connection': { frequencyHours: 24 },
  'POST /api/data-sources/:id/sync': {},
  'POST /api/data-sources/:id/datasets': {
    tables: [{ name: 'More', uploadId: systemIds.next('upload'), settings: CSV, columns: [COLUMN] }],
  },
  'PUT /api/datasets/:id': { name: 'Mine now', version: 1, columns: [] },
  'POST /api/datasets/:id/rollback': { dataVersion: 1 },
  'POST /api/datasets/:id/loads': {
    uploadId: systemIds.next('upload'),
    mode: 'replace',
    settings: CSV,
    columns: [COLUMN],
    mapping: [],
  },
  'POST /api/datasets/:id/computed': COMPUTED,
  'PUT /api/datasets/:id/computed/:key': COMPUTED,
  'PUT /api/relations/:id': { state: 'confirmed', version: 1 },
  'PUT /api/metrics/:id': {
    name: 'Mine now',
    dataset: systemIds.next('dataset'),
    formula: 'count(*)',
    version: 1,
  },
  'POST /api/metrics/:id/verify': { version: 1 },
  'POST /api/findings/:id/pin': { on: true },
  'POST /api/findings/:id/hide': { on: true },
  'POST /api/findings/:id/rate': { rating: 'useful' },
  'PUT /api/groupings/:id': { ...GROUPING, name: 'Mine now', target: { kind: 'account' }, kind: 'rules', version: 1 },
  'POST /api/groupings/:id/preview': GROUPING,
  'POST /api/groupings/:id/suggest': {},
  'POST /api/groupings/:id/members-move': { values: ['a'], to: null, version: 1 },
  'POST /api/groupings/:id/import': { csv: 'a;b', dryRun: false, version: 1 },
  'PUT /api/currencies/rates/:id': {
    ...{ kind: 'override', base: 'EUR', quote: 'SEK', from: '2026-01-01', to: '2026-01-31', rate: '1' },
    reason: 'Mine now',
    version: 1,
  },
  'PUT /api/data-access/attributes/:id/values': {
    values: [{ holder: { kind: 'member', id: systemIds.next('user') }, values: [] }],
  },
  'PUT /api/reports/:id': {
    name: 'Mine now',
    content: {
      ...{ v: 1, period: {}, filters: [] },
      pages: [{ id: 'page01', name: 'Mine now', blocks: [] }],
    },
    version: 1,
  },
  'POST /api/reports/:id/publish': { version: 1 },
  'PUT /api/reports/:id/archive': { version: 1, archived: true },
  'POST /api/reports/:id/publications/:n/restore': { version: 1 },
  'POST /api/reports/:id/observation-preview': {
    block: {
      ...{ id: 'block1', kind: 'observation', place: { x: 0, y: 0, w: 6, h: 4 }, of: 'value', op: 'gt', value: 1 },
      ...{ subject: { kind: 'metric', id: systemIds.next('metric') }, then: 'Up' },
    },
  },
  'PUT /api/reports/:id/subscriptions': { block: 'block1', cadence: 'daily' },
  'POST /api/reports/:id/comments': { block: 'block1', body: 'Mine now' },
  'PUT /api/reports/:id/comments': { block: 'block1', resolved: true },
  'PUT /api/comments/:id': { body: 'Mine now', version: 1 },
  'POST /api/reports/:id/bookmarks': { name: 'Mine now', search: '' },
  'POST /api/reports/:id/editions': { publication: 1 },
  'POST /api/reports/:id/links': { days: 1 },
  'POST /api/reports/:id/export': { format: 'pdf' },
  'POST /api/reports/:id/schedules': SCHEDULE,
  'PUT /api/reports/:id/schedules/:schedule': { ...SCHEDULE, active: true, version: 1 },
  'PUT /api/reports/:id/schedules/:schedule/subscription': { subscribed: true },
  'POST /api/reports/:id/tiles': { of: 'published', page: 'page01', filters: [] },
  'PUT /api/pilot/briefing/:id': { read: true },
  'PUT /api/pilot/:key': { state: 'off' },
  'POST /api/pilot/:key/feedback': { score: 3 },
  'PUT /api/admin/pilot/:key': { stopped: false },
  'PUT /api/groups/:id': { name: 'Mine now', version: 1 },
  'PUT /api/groups/:id/members': { memberIds: [], managerIds: [], version: 1 },
  'PUT /api/insights/:id/targets': { grain: 'month', lines: [], version: 0 },
  'PUT /api/metrics/:id/targets': { grain: 'month', lines: [], version: 0 },
  'POST /api/alerts/:id/mute': { days: 1 },
  'PUT /api/alerts/:id': {
    name: 'Mine now',
    subject: { kind: 'insight', id: systemIds.next('insight') },
    condition: { kind: 'value', op: 'above', limit: 1 },
    receivers: [],
    version: 1,
  },
  'PUT /api/members/:id': { role: 'viewer', status: 'active', version: 1 },
  'PUT /api/bot/conversations/:id': { title: 'Mine now', archived: false, version: 1 },
  'POST /api/bot/conversations/:id/share': { version: 1 },
  'POST /api/bot/conversations/:id/messages': { kind: 'text', text: 'How much?' },
  'POST /api/bot/messages/:id/feedback': { kind: 'other' },
  'POST /api/bot/messages/:id/verify': {},
  'PUT /api/bot/glossary/:id': { term: 'Mine now', version: 1 },
  'PUT /api/bot/verified-answers/:id': {
    ...{ question: 'Mine now', viz: { chart: 'number' }, version: 1 },
    plan: { v: 2, kind: 'aggregate', measures: [{ kind: 'column', agg: 'count' }], dimensions: [], filters: [] },
  },
  'POST /api/insights/:id/verify': { version: 1 },
  'PUT /api/insights/:id/settings': { categoryId: null, findings: 'off' },
  'POST /api/insights/:id/versions/:version/restore': { version: 1 },
  'POST /api/insights/:id/notes': { body: 'Mine now' },
  'PUT /api/notes/:id': { body: 'Mine now', version: 1 },
  'PUT /api/categories/:id': { name: 'Mine now', icon: 'star', version: 1 },
  'PUT /api/insights/:id': {
    name: 'Mine now',
    plan: {
      v: 1,
      kind: 'aggregate',
      dataset: systemIds.next('dataset'),
      measures: [{ kind: 'column', agg: 'count' }],
      dimensions: [],
      filters: [],
    },
    viz: { chart: 'number' },
    version: 1,
  },
}

describe('ids of another workspace (IDOR-1, IDOR-2)', () => {
  const searchOf = ({ method, schemas }: (typeof routes)[number]) =>
    schemas.some(({ target }) => target === 'query') && method === 'DELETE' ? '?version=1' : ''
  const withId = routes.filter(({ path }) => path.includes(':id')).map((route) => ({ ...route, name: nameOf(route) }))

  const both = untilWritten(async () => {
    const [me, other] = [await signedIn({ app }), await signedIn({ app })]
    return { me, foreign: await aRowOfEach(other.workspaceId, other.userId) }
  })

  it.each(withId)('$name tells a foreign id from a random one in nothing, and changes nothing', async (route) => {
    const takesJson = route.schemas.some(({ target }) => target === 'json')
    expect(takesJson ? Object.keys(BODIES) : [route.name], 'a body that passes the schema').toContain(route.name)
    const { me, foreign } = await both()
    const search = searchOf(route)
    const before = await databaseDump()
    const ask = async (ids: ResourceIds) => {
      const path = `${pathWith(route.path, ids)}${search}`
      const answer = await call(me, { method: route.method, path }, BODIES[route.name])
      const body = await answer.json<object>()
      return { status: answer.status, ...body, requestId: '' }
    }
    const answers = [
      await ask(foreign),
      await ask(randomIds()),
      await ask(Object.fromEntries(Object.keys(ID_OF).map((part) => [part, "x' OR 1=1--"]))),
    ]
    expect(answers[0]).toMatchObject({ status: 404, code: 'not_found' })
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
    expect(await databaseDump()).toBe(before)
  })

  const deletable = withId.filter(
    ({ path }) =>
      /^\/(api|files)\/(data-sources|datasets|insights|groupings|groups)\//.test(path) && !path.endsWith('/restore'),
  )
  const withDeleted = untilWritten(async () => {
    const me = await signedIn({ app })
    const ids = await aRowOfEach(me.workspaceId, me.userId)
    await env.DB.batch(
      ['data_sources', 'insights', 'groupings', 'user_groups'].map((table) =>
        env.DB.prepare(`UPDATE ${table} SET deleted_at = ? WHERE workspace_id = ?`).bind(Date.now(), me.workspaceId),
      ),
    )
    return { me, ids }
  })
  it.each(deletable)('$name knows nothing of what was deleted, and changes nothing', async (route) => {
    const { me, ids } = await withDeleted()
    const before = await databaseDump()
    const search = searchOf(route)
    const answer = await call(
      me,
      { method: route.method, path: `${pathWith(route.path, ids)}${search}` },
      BODIES[route.name],
    )
    expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'not_found' }])
    expect(await databaseDump()).toBe(before)
  })

  it('stays foreign to a member of both who names the wrong workspace', async () => {
    const [me, other] = [await signedIn({ app }), await signedIn({ app })]
    const foreign = await aRowOfEach(other.workspaceId, other.userId)
    await aMember(other.workspaceId, me.userId, 'owner')
    expect((await me.fetch(pathWith('/api/data-sources/:id', foreign))).status).toBe(404)
    const named = await me.fetch(pathWith('/api/data-sources/:id', foreign), {
      headers: { 'x-workspace': other.workspaceId },
    })
    expect(named.status).toBe(200)
  })
})
