import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { createApp } from '../../app'
import { readSettings } from '../../settings'
import { signedIn, type SignedIn } from '../../../test/worker/factories'
import { purgeWorkspaces } from '../../flows/purge-workspace'
import { depsAt } from '../../../test/worker/deps'
import type { Clock } from '../../shared/ids'
import type { WorkspaceSummary } from '../../shared/session'

const ROUNDS = env['LONG'] === '1' ? 200 : 2

/** An app with something to buy. */
function selling(clock: Clock = { now: () => Date.now() }) {
  const parsed = readSettings({ ...env, STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' })
  if (!parsed.ok) throw new Error(parsed.problem)
  return createApp({ settings: parsed.settings, clock, onOutbox: () => undefined })
}
const NEW = {
  ...{ name: 'Another', country: 'SE', currency: 'SEK', numberLocale: 'sv-SE', timeZone: 'Europe/Stockholm' },
  ...{ fiscalYearStart: 1, weekStart: 'monday' },
}
async function made(me: SignedIn): Promise<{ id: string; state: string }> {
  const { id } = await (await me.fetch('/api/workspaces', { method: 'POST', json: NEW })).json<WorkspaceSummary>()
  const row = await env.DB.prepare('SELECT state, trial_ends_at FROM subscriptions WHERE workspace_id = ?')
    .bind(id)
    .first<{ state: string; trial_ends_at: number | null }>()
  expect(row?.trial_ends_at === null).toBe(row?.state !== 'trialing')
  return { id, state: row?.state ?? '' }
}
const stateOfNew = async (me: SignedIn): Promise<string> => (await made(me)).state

describe('the trial of a person', () => {
  it('is one: a further workspace awaits its checkout, and is read-only until then', async () => {
    const me = await signedIn({ app: selling(), role: 'viewer' })
    expect([await stateOfNew(me), await stateOfNew(me)]).toEqual(['trialing', 'awaiting_checkout'])
  })

  it('is one of several workspaces that are made at once', async () => {
    const app = selling()
    for (let round = 0; round < ROUNDS; round++) {
      const me = await signedIn({ app })
      const states = await Promise.all(Array.from({ length: 4 }, () => stateOfNew(me)))
      expect(states.filter((state) => state === 'trialing')).toHaveLength(1)
    }
  })

  it('comes back neither with a workspace that is deleted nor with one that is gone for good', async () => {
    const me = await signedIn({ app: selling(), role: 'viewer' })
    const first = await made(me)
    expect(first.state).toBe('trialing')
    const headers = { 'x-workspace': first.id }
    const gone = await me.fetch('/api/workspace/delete', {
      method: 'POST',
      headers,
      json: { name: NEW.name, version: 1 },
    })
    expect([gone.status, await stateOfNew(me)]).toEqual([200, 'awaiting_checkout'])
    // Before whatever other tests have left to be removed.
    await env.DB.prepare('UPDATE workspaces SET deleted_at = -1 WHERE id = ?').bind(first.id).run()
    await purgeWorkspaces(depsAt(Date.now()))
    expect(await env.DB.prepare('SELECT 1 FROM workspaces WHERE id = ?').bind(first.id).first()).toBeNull()
    expect(await stateOfNew(me)).toBe('awaiting_checkout')
  })

  it('is left to whoever was only invited, and to whoever took over a workspace', async () => {
    const app = selling()
    const owner = await signedIn({ app, role: 'viewer' })
    const { id } = await made(owner)
    for (const role of ['viewer', 'owner'] as const) {
      const other = await signedIn({ app, workspaceId: id, role })
      expect([await stateOfNew(other), await stateOfNew(other)]).toEqual(['trialing', 'awaiting_checkout'])
    }
  })

  it('lasts 7 × 24 hours to the millisecond, also where the clocks are changed in between (TIME-3)', async () => {
    for (const at of ['2026-03-27T09:30:00.123Z', '2026-10-23T22:15:00.999Z', '2028-02-26T12:00:00Z']) {
      let now = Date.parse(at)
      const app = selling({ now: () => now })
      const me = await signedIn({ app, session: { createdAt: now } })
      const { id } = await made(me)
      const writes = async (): Promise<unknown> => {
        await env.DB.prepare('UPDATE sessions SET last_seen_at = ? WHERE user_id = ?').bind(now, me.userId).run()
        const json = { name: `G ${now}` }
        const answer = await me.fetch('/api/groups', { method: 'POST', json, headers: { 'x-workspace': id } })
        return [answer.status, (await answer.json<{ reason?: string }>()).reason]
      }
      now += 7 * 24 * 3_600_000 - 1
      expect([at, await writes()]).toEqual([at, [201, undefined]])
      now += 1
      expect([at, await writes()]).toEqual([at, [402, 'trial_expired']])
    }
  })

  it('is given with every workspace where there is nothing to buy', async () => {
    const me = await signedIn({ app: createApp() })
    expect([await stateOfNew(me), await stateOfNew(me)]).toEqual(['trialing', 'trialing'])
  })
})
