import { FULL_RIGHTS } from '../scope'
import { Hono } from 'hono'
import type { RouterRoute } from 'hono/types'
import { describe, expect, it } from 'vitest'
import type { Actor } from '../scope'
import { createApp } from '../app'
import { signedIn, visitor } from '../../test/worker/factories'
import type { AppEnv } from '../http/context'
import { GATED_PATHS } from '../http/not-found'
import type { Guard } from '../http/guard'
import { ERRORS, ProductError } from '../shared/errors'
import { computeEntitlements, NO_SUBSCRIPTION, SUBSCRIPTION_STATES } from '../shared/billing/entitlements'
import type { Subscription, SubscriptionState } from '../shared/billing/entitlements'
import { GATE_NAMES, type GateName, type LimitName, type PlanId } from '../shared/billing/plans'

/** The facts, in words of their own: what a plan lacks, when nothing may be written, and what may be even then. */
const PLANS = ['trial', 'personal', 'standard', 'professional', 'enterprise', 'legacy'] as const
type PlanName = (typeof PLANS)[number]
const PROFESSIONAL_UP: GateName[] = ['dataAccessManagement', 'fileAnalysis', 'multiCurrency']
const STANDARD_UP: GateName[] = ['userGrouping', 'clientPortal', 'externalBI', 'reportSharing']
const LACKS: Partial<Record<PlanName, GateName[]>> = {
  personal: [...PROFESSIONAL_UP, ...STANDARD_UP],
  standard: PROFESSIONAL_UP,
}
const offeredFor = (gate: GateName): PlanId =>
  PROFESSIONAL_UP.includes(gate) ? 'professional' : STANDARD_UP.includes(gate) ? 'standard' : 'personal'
/** Limits that are nought, so that there is nothing to count. */
const NOUGHT: Partial<Record<PlanName, LimitName[]>> = { personal: ['feeds'] }
const READ_ONLY: SubscriptionState[] = ['trial_expired', 'awaiting_checkout', 'restricted', 'canceled']
/** The calls of what a plan may lack or limit, as the features name them. */
const ASKS: [calls: RegExp, ...asked: (GateName | LimitName)[]][] = [
  [/^(POST|PUT|DELETE) \/api\/groups/, 'userGrouping'],
  [/^\S+ \/api\/file-analyses/, 'fileAnalysis'],
  [/^(PUT|POST) \/api\/data-access(?!\/(inspect|view-as))/, 'dataAccessManagement'],
  [/^\S+ \/api\/currencies/, 'multiCurrency'],
  [/^\S+ \/api\/clients/, 'clientPortal'],
  [/^\S+ \/api\/bi/, 'externalBI', 'feeds'],
  [/^(POST|PUT) \/api\/reports\/:id\/links/, 'reporting', 'reportSharing'],
  [/^POST \/api\/reports(\/:id\/(publish|duplicate|convert|editions|publications\/:n\/restore))?$/, 'reporting'],
  [
    /^(POST \/api\/reports\/:id\/schedules(\/:schedule\/test)?|PUT \/api\/reports\/:id\/schedules\/:schedule)$/,
    'reporting',
  ],
  [/^(PUT \/api\/reports\/:id|POST \/files\/reports\/:id\/pictures)$/, 'reporting'],
  [/^(POST|PUT|DELETE) \/api\/groupings/, 'dataGrouping'],
  [/^POST \/api\/groupings$/, 'groupings'],
  [/^(POST|PUT|DELETE) \/api\/forecasts/, 'forecasting'],
  [/^POST \/api\/forecasts$/, 'activeForecasts'],
  [/^(?!GET \/api\/bot\/model$)\S+ \/api\/bot/, 'aiAssistant'],
  [/^\S+ \/api\/pilot/, 'aiAssistant'],
  [/^POST \/api\/(access-tokens|connected-apps)$/, 'aiAssistant'],
  [/^POST \/api\/(data-sources(\/:id\/restore)?|connectors\/sources)$/, 'dataSources'],
  [/^POST \/api\/insights(\/:id\/duplicate)?$/, 'customInsights'],
  [/^POST \/api\/invites$/, 'users'],
]
/** Setting up, paying, handing over, ending it and leaving go on while nothing else may be written; asking is no write. */
const GO_ON = [
  ...['edit:workspace', 'transfer:workspace', 'delete:workspace', 'edit:subscription'],
  ...['view:', 'export:', 'revoke:'],
]

type Answer = { status: number; code?: string; [detail: string]: unknown }
function expected(guards: readonly Guard[], method: string, at: { plan: PlanName; state: SubscriptionState }): Answer {
  for (const { guard } of guards) {
    if (guard.kind === 'may' && method !== 'GET' && READ_ONLY.includes(at.state))
      if (!GO_ON.some((start) => guard.permission.startsWith(start)))
        return { status: 402, code: 'read_only', reason: at.state }
    if (guard.kind === 'needs' && LACKS[at.plan]?.includes(guard.gate))
      return { status: 402, code: 'plan_required', feature: guard.gate, requiredPlan: offeredFor(guard.gate) }
    if (guard.kind === 'within' && NOUGHT[at.plan]?.includes(guard.limit))
      return { status: 409, code: 'limit_reached', limit: guard.limit, used: 0, max: 0 }
  }
  return { status: 200 }
}

interface GuardedRoute {
  method: string
  path: string
  guards: Guard[]
}
const isGuard = (handler: object): handler is Guard => 'guard' in handler
/** Every call of a member: its guards as they are mounted. */
function guardedRoutes(routes: RouterRoute[]): GuardedRoute[] {
  const found = new Map<string, GuardedRoute>()
  for (const { method, path, handler } of routes) {
    if (!/^\/(api|files)\//.test(path) || !isGuard(handler)) continue
    const route = found.get(`${method} ${path}`) ?? { method, path, guards: [] }
    found.set(`${method} ${path}`, { ...route, guards: [...route.guards, handler] })
  }
  return [...found.values()].filter(({ guards }) => guards.some(({ guard }) => guard.kind === 'may'))
}

const app = createApp()
const CALLS: GuardedRoute[] = [
  ...guardedRoutes(app.routes),
  ...GATED_PATHS.map(({ prefix, guards }) => ({ method: 'POST', path: prefix, guards: [...guards] })),
]

/** The guards alone, in front of nothing: what they let through answers 200. */
let actor: Actor | null = null
const probe = new Hono<AppEnv>()
  .use(async (c, next) => {
    c.set('actor', actor)
    await next()
  })
  .onError((error, c) => {
    if (!(error instanceof ProductError)) throw error
    return c.json({ code: error.code, ...error.details }, ERRORS[error.code].status)
  })
for (const { method, path, guards } of CALLS) {
  for (const guard of guards) probe.on(method, path, guard)
  probe.on(method, path, (c) => c.json({}, 200))
}

function owner(subscription: Subscription): Actor {
  const settings = {
    ...{ country: 'SE', currency: 'SEK', numberLocale: 'sv-SE', timeZone: 'Europe/Stockholm' },
    ...{ fiscalYearStart: 1, weekStart: 'monday' as const },
  }
  return {
    ...{
      userId: 'usr_1',
      name: 'Anna',
      email: null,
      emailProven: true,
      earlierUse: false,
      avatarKey: null,
      locale: null,
      onboarding: 'done',
    },
    ...{ sessionHash: '', sessionExpiresAt: 1, epoch: 1, staff: false, signedInAt: 0, workspaces: [] },
    membership: {
      ...{ workspaceId: 'ws_1', workspaceName: 'One', workspaceVersion: 1, logoKey: null, epoch: 1 },
      ...{
        role: 'owner',
        givenRole: 'owner',
        seat: 'held',
        settings,
        entitlements: computeEntitlements(subscription, 1),
        rights: FULL_RIGHTS,
        viewAs: null,
      },
    },
  }
}
const bought = (plan: PlanName, more: Partial<Subscription>): Subscription => ({
  ...NO_SUBSCRIPTION,
  planId: plan === 'trial' ? null : plan,
  trialEndsAt: 2,
  invoiceDueAt: 2,
  pastDueSince: 1,
  ...more,
})

async function answerOf({ method, path }: GuardedRoute, who: Actor): Promise<Answer> {
  actor = who
  const response = await probe.request(path.replace(/:[A-Za-z]+/g, 'x'), { method })
  return { status: response.status, ...(await response.json<object>()) }
}

describe('call × plan × state (BIL-5)', () => {
  it('knows the calls that write, and every gate that a plan lacks', () => {
    expect(CALLS.filter(({ method }) => method !== 'GET').length).toBeGreaterThan(40)
    const gates = CALLS.flatMap(({ guards }) =>
      guards.flatMap(({ guard }) => (guard.kind === 'needs' ? [guard.gate] : [])),
    )
    expect([...new Set(gates)].toSorted()).toEqual([...GATE_NAMES].toSorted())
  })

  it('asks for each gate and limit on the calls of its feature, and on no other', () => {
    for (const { method, path, guards } of CALLS) {
      const asked = guards.flatMap(({ guard }) =>
        guard.kind === 'needs' ? [guard.gate] : guard.kind === 'within' ? [guard.limit] : [],
      )
      const call = `${method} ${path}`
      expect([call, ...asked]).toEqual([
        call,
        ...ASKS.filter(([calls]) => calls.test(call)).flatMap(([, ...all]) => all),
      ])
    }
    for (const [calls] of ASKS)
      expect([calls, CALLS.some(({ method, path }) => calls.test(`${method} ${path}`))]).toEqual([calls, true])
  })

  it.each(PLANS)('answers as the facts say: %s', async (plan) => {
    const wrong: unknown[] = []
    for (const state of SUBSCRIPTION_STATES) {
      const who = owner(bought(plan, { state }))
      for (const call of CALLS) {
        const [got, wanted] = [await answerOf(call, who), expected(call.guards, call.method, { plan, state })]
        if (JSON.stringify(got) !== JSON.stringify(wanted)) wrong.push({ ...call, state, got, wanted })
      }
    }
    expect(wrong).toEqual([])
  })

  it.each(GATE_NAMES)('answers as the administrator of a custom plan says: %s', async (gate) => {
    for (const planId of ['enterprise', 'legacy'] as const)
      for (const isOpen of [true, false]) {
        const who = owner(bought(planId, { state: 'active', override: { [gate]: isOpen } }))
        for (const call of CALLS) {
          const asks = call.guards.some(({ guard }) => guard.kind === 'needs' && guard.gate === gate)
          const { status } = await answerOf(call, who)
          expect([call.path, status]).toEqual([call.path, asks && !isOpen ? 402 : 200])
        }
      }
  })
})

describe('what a plan lacks, over the whole app', () => {
  it('answers 402 where its routes will be, and 404 to whoever has it, and to strangers', async () => {
    const personal = await signedIn({ app, subscription: { state: 'active', planId: 'personal', trialEndsAt: null } })
    const trial = await signedIn({ app })
    const nobody = await visitor({ app })
    const client = await signedIn({ app, workspaceId: personal.workspaceId, role: 'client' })
    for (const { prefix, guards } of GATED_PATHS) {
      const wanted = expected(guards, 'GET', { plan: 'personal', state: 'active' })
      const path = prefix.replace(':id', 'x')
      const answer = await personal.fetch(`${path}/x`)
      const { code } = await answer.json<{ code: string }>()
      expect([prefix, answer.status, code]).toEqual(
        wanted.status === 200 ? [prefix, 404, 'not_found'] : [prefix, wanted.status, wanted.code],
      )
      for (const who of [trial, nobody, client]) expect([prefix, (await who.fetch(path)).status]).toEqual([prefix, 404])
    }
    expect((await personal.fetch('/api/file-analysis')).status).toBe(404)
  })
})
