import { env } from 'cloudflare:test'
import { beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../app'
import { systemIds } from '../deps'
import { sha256Hex } from '../lib/hash'
import { readSettings } from '../settings'
import { fakePasswords } from '../../test/worker/accounts'
import { signedIn, unique, visitor, type CallInit, type Caller } from '../../test/worker/factories'

const MINUTES = 60
const HOUR = 60 * MINUTES
const LONG = env['LONG'] === '1'
/** In the short run a burst goes so far beyond what is allowed, at most; in the long one to ten times that. */
const MORE = 10

/** In the short run so many of the calls that get through are made, at most; what they would count before is counted at once. */
const MADE = 50

/** What is asked for again and again, and by whom nobody else may be disturbed. */
interface Rate {
  what: string
  /** Calls that get through, and the seconds after which as many do again. */
  max: number
  seconds: number
  /** `again`: the n-th call that counts against the limit. */
  begin: () => Promise<{ again: SendAttempt; neighbours: SendAttempt[] }>
}
type SendAttempt = (n: number) => Promise<Response>

let now: number
beforeEach(() => {
  now = Date.now()
  asked.clear()
})
const clock = { now: () => now }
/** Names of the counters that the calls of a test asked. */
const asked = new Set<string>()
const rateLimiter = new Proxy(env.RATE_LIMITER, {
  get: (counters, key) =>
    key === 'getByName'
      ? (name: string) => {
          asked.add(name)
          return counters.getByName(name)
        }
      : Reflect.get(counters, key),
})
const app = createApp({ clock, rateLimiter, passwords: fakePasswords(), onOutbox: () => undefined })
/** An app that takes events of billing. */
const told = (() => {
  const parsed = readSettings({ ...env, STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' })
  if (!parsed.ok) throw new Error(parsed.problem)
  return createApp({ clock, rateLimiter, settings: parsed.settings })
})()

const hex = (n: number): string => n.toString(16)
/** A network of one subscriber that no other test has. */
const aNetwork = (): string => `2001:db8:${systemIds.token(2)}:${systemIds.token(2)}`.replace(/[^0-9a-f:]/g, 'a')
const NETWORKS = Array.from({ length: 10 }, aNetwork)
/** The n-th machine of a network, which claims to be somebody else in every header that anybody can write. */
const from = (network: string, n: number): Record<string, string> => ({
  'cf-connecting-ip': `${network}::${hex(n + 1)}`,
  'x-forwarded-for': `198.51.100.${n % 250}, 203.0.113.${n % 250}`,
  'x-real-ip': `198.51.100.${n % 250}`,
  'true-client-ip': `198.51.100.${n % 250}`,
  forwarded: `for=198.51.100.${n % 250}`,
})
/** From one network after the other: only who or what is asked for is the same. */
const anywhere = (n: number): Record<string, string> => from(NETWORKS[n % NETWORKS.length] ?? '', n)
const post = (who: Caller, path: string, { json, ...init }: CallInit) =>
  who.fetch(path, { method: 'POST', json, ...init })
const mailbox = (): string => `${unique('mail')}@example.com`

const signIn = (who: Caller, email: string, headers: Record<string, string>) =>
  post(who, '/api/session/sign-in', { json: { email, password: 'not the right one' }, headers })
const reset = (who: Caller, email: string, headers: Record<string, string>) =>
  post(who, '/api/account/reset', { json: { email }, headers })
const invite = (who: Caller, emails: string[], headers: Record<string, string>) =>
  post(who, '/api/invites', { json: { emails, role: 'viewer' }, headers })

/** By the mailbox that is named, wherever the call comes from; or by the network, whatever is named. */
const byMailbox = (ask: typeof signIn) => async () => {
  const who = await visitor({ app })
  const [one, other] = [mailbox(), mailbox()]
  const to = (email: string) => (n: number) => ask(who, email, anywhere(n))
  return { again: to(one), neighbours: [to(other)] }
}
const byNetwork = (ask: typeof signIn) => async () => {
  const who = await visitor({ app })
  const [one, other] = [aNetwork(), aNetwork()]
  const named = Array.from({ length: 10 }, mailbox)
  const of = (network: string) => (n: number) => ask(who, named[n % named.length] ?? '', from(network, n))
  return { again: of(one), neighbours: [of(other)] }
}
/** By the workspace: a second owner of it is refused with the first, the owner of another is not. */
const byWorkspace = (ask: (who: Caller, headers: Record<string, string>) => Promise<Response>) => async () => {
  const owner = await signedIn({ app })
  const [second, other] = [await signedIn({ app, workspaceId: owner.workspaceId }), await signedIn({ app })]
  return {
    again: (n: number) => ask(n % 2 === 0 ? owner : second, anywhere(n)),
    neighbours: [(n: number) => ask(other, anywhere(n))],
  }
}
/** By the person: colleagues in the same workspace are not refused. */
const byPerson = (ask: (who: Caller, headers: Record<string, string>) => Promise<Response>) => async () => {
  const me = await signedIn({ app })
  const colleague = await signedIn({ app, workspaceId: me.workspaceId })
  return {
    again: (n: number) => ask(me, anywhere(n)),
    neighbours: [(n: number) => ask(colleague, anywhere(n))],
  }
}
const AT_ONCE = 50
/** Each line counts, also one that is no address. */
const LINES = Array.from({ length: AT_ONCE }, (_, n) => `line ${n}`)
const CHOICE = { planId: 'standard', interval: 'monthly', addOns: [], method: 'card' }
const read = (path: string) => async (who: Caller, headers: Record<string, string>) => {
  const answer = await who.fetch(path, { headers })
  // A file that nobody reads to its end is not closed.
  return new Response(await answer.arrayBuffer(), answer)
}

const RATES: Rate[] = [
  { what: 'wrong passwords of one account', max: 10, seconds: 15 * MINUTES, begin: byMailbox(signIn) },
  { what: 'wrong passwords from one network', max: 50, seconds: 15 * MINUTES, begin: byNetwork(signIn) },
  { what: 'resets of one account', max: 5, seconds: HOUR, begin: byMailbox(reset) },
  { what: 'resets from one network', max: 30, seconds: HOUR, begin: byNetwork(reset) },
  {
    ...{ what: 'invitations to one address', max: 20, seconds: HOUR },
    async begin() {
      const [me, they] = [await signedIn({ app }), await signedIn({ app })]
      const [one, other] = [mailbox(), mailbox()]
      const to = (email: string) => (n: number) => invite(n % 2 === 0 ? me : they, [email], anywhere(n))
      return { again: to(one), neighbours: [to(other)] }
    },
  },
  {
    ...{ what: `invitations of one workspace, ${AT_ONCE} in a call`, max: 300 / AT_ONCE, seconds: HOUR },
    begin: byWorkspace((who, headers) => invite(who, LINES, headers)),
  },
  { what: 'exports of one workspace', max: 10, seconds: HOUR, begin: byWorkspace(read('/files/workspace/export')) },
  { what: 'exports of one audit log', max: 20, seconds: HOUR, begin: byWorkspace(read('/files/audit')) },
  { what: 'exports of one account', max: 20, seconds: HOUR, begin: byPerson(read('/files/account/export')) },
  {
    ...{ what: 'exports of insights by one person', max: 120, seconds: HOUR },
    begin: byPerson(read(`/files/insights/${systemIds.next('insight')}/export?format=csv`)),
  },
  {
    ...{ what: 'alerts that one person saves or lets speak again', max: 240, seconds: HOUR },
    begin: byPerson((who, headers) =>
      post(who, `/api/alerts/${systemIds.next('alert')}/mute`, { json: { days: null }, headers }),
    ),
  },
  {
    ...{ what: 'alerts that one person tries on the past', max: 240, seconds: HOUR },
    begin: byPerson((who, headers) => post(who, `/api/alerts/${systemIds.next('alert')}/test`, { headers })),
  },
  {
    ...{ what: 'checkouts of one workspace', max: 60, seconds: HOUR },
    begin: byWorkspace((who, headers) => post(who, '/api/stripe/checkout', { json: CHOICE, headers })),
  },
  {
    ...{ what: 'wrongly signed events from one network', max: 300, seconds: MINUTES },
    async begin() {
      const who = await visitor({ app: told })
      const [one, other] = [aNetwork(), aNetwork()]
      const send = (network: string) => (n: number) =>
        post(who, '/api/stripe/webhook', { json: {}, headers: { ...from(network, n), 'stripe-signature': `v1=${n}` } })
      return { again: send(one), neighbours: [send(other)] }
    },
  },
]

/**
 * Makes the calls that get through. The first says which counter they ask; in the short run it is then told of all but
 * the last {@link MADE} by one try that counts for them.
 */
async function callUntilSpent(again: SendAttempt, { max, seconds }: Rate): Promise<void> {
  const skipped = LONG ? 0 : Math.max(0, max - MADE)
  for (let n = 0; n < max; n = n === 0 ? 1 + skipped : n + 1) {
    expect([n, (await again(n)).status]).not.toEqual([n, 429])
    if (n > 0 || skipped === 0) continue
    const [counter = '', ...others] = asked
    expect(others).toEqual([])
    expect(await env.RATE_LIMITER.getByName(counter).take(now, max, seconds * 1000, skipped)).toEqual({
      retryAfterMs: null,
    })
  }
}

describe('a burst of ten times what is allowed (RATE-1)', () => {
  it.each(RATES)('$what: $max get through in $seconds s, and nobody else is refused', async (rate) => {
    const { again, neighbours } = await rate.begin()
    await callUntilSpent(again, rate)
    const more = Math.min(9 * rate.max, LONG ? Infinity : MORE)
    const rest = Array.from({ length: more }, (_, n) => again(rate.max + n))
    const waits = new Set<string>()
    for (const answer of await Promise.all(rest))
      waits.add(`${answer.status} ${answer.headers.get('retry-after')} ${(await answer.json<{ code: string }>()).code}`)
    expect([...waits]).toEqual([`429 ${rate.seconds} rate_limited`])
    for (const neighbour of neighbours) expect((await neighbour(0)).status).not.toBe(429)
    now += rate.seconds * 1000 - 1
    const last = await again(1)
    expect([last.status, last.headers.get('retry-after')]).toEqual([429, '1'])
    now += 1
    expect((await again(2)).status).not.toBe(429)
  })
})

/** Calls that ask many questions, or work long for one: how many an hour, and by whom they are counted. */
const CALLS = [
  ['askDrivers', 1200, 'person', '/api/findings/drivers'],
  ['previewForecast', 1200, 'person', '/api/forecasts/preview'],
  ['testAlert', 240, 'person', `/api/alerts/${systemIds.next('alert')}/test`],
  ['suggestGroups', 240, 'person', `/api/groupings/${systemIds.next('grouping')}/suggest`],
  ['refreshFindings', 30, 'workspace', '/api/findings/refresh'],
  ['runForecast', 300, 'workspace', `/api/forecasts/${systemIds.next('forecast')}/run`],
] as const

const DATASET = systemIds.next('dataset')
const BODIES: Partial<Record<(typeof CALLS)[number][0], object>> = {
  askDrivers: {
    plan: {
      v: 2,
      kind: 'aggregate',
      measures: [{ kind: 'column', agg: 'count', dataset: DATASET }],
      dimensions: [],
      filters: [],
    },
  },
  previewForecast: { subject: { kind: 'insight', id: systemIds.next('insight'), measure: 0 } },
  suggestGroups: {},
  refreshFindings: {},
}

it.each(CALLS)('refuses for a while who does it too often: %s, %i an hour and %s', async (rate, max, by, path) => {
  const [me, other] = [await signedIn(), await signedIn()]
  const counted = env.RATE_LIMITER.getByName(await sha256Hex(`${rate} ${by === 'person' ? me.userId : me.workspaceId}`))
  await counted.take(Date.now(), max, 3_600_000, max - 1)
  const ask = (who: typeof me) => who.fetch(path, { method: 'POST', json: BODIES[rate] })
  const first = await ask(me)
  expect([await first.clone().text(), first.status]).not.toEqual([expect.anything(), 429])
  const answer = await ask(me)
  expect([await answer.clone().text(), answer.status]).toEqual([expect.anything(), 429])
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(3_500)
  expect((await ask(other)).status).not.toBe(429)
})
