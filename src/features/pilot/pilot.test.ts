import { env } from 'cloudflare:test'
import { beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../../app'
import { isEnrolled } from '../../entitlements/early-access-store'
import { computeEntitlements, NO_SUBSCRIPTION } from '../../shared/billing/entitlements'
import { isPilotOn, pilotStatus, type PilotFeature } from '../../shared/pilot/features'
import type { PilotItem, PilotList, PilotOverview } from '../../shared/pilot/pilot'
import { depsAt } from '../../../test/worker/deps'
import { otherWorkspace, signedIn, type SignedIn } from '../../../test/worker/factories'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 10, 28)
/** Of then: what is tried has its days. */
const app = createApp({ clock: { now: () => NOW } })
const ENTITLED = computeEntitlements({ ...NO_SUBSCRIPTION, state: 'active', planId: 'standard' }, NOW)
const FEATURE: PilotFeature = {
  ...{ key: 'mcp', title: 'Trial', summary: 'Tries.', stage: 'beta', scope: 'user', risk: 'view', changes: '' },
  ...{ limits: [], startsAt: '2026-11-01', endsAt: '2026-12-31', docs: null },
}
type RefusedCall = { code: string; fields?: Record<string, string> }
const put = async (who: SignedIn, json: object, key = 'mcp') =>
  (await who.fetch(`/api/pilot/${key}`, { method: 'PUT', json })).json<PilotItem & RefusedCall>()
const items = async (who: SignedIn) => (await (await who.fetch('/api/pilot')).json<PilotList>()).items
const isOn = (who: SignedIn) =>
  isEnrolled(depsAt(NOW), { workspaceId: who.workspaceId, userId: who.userId, entitlements: ENTITLED }, 'mcp')

beforeEach(async () => {
  await env.DB.prepare('DELETE FROM pilot_switches').run()
})

describe('what a feature is at a time', () => {
  const at = (day: string) => Date.parse(day)
  it.each<[string, Partial<PilotFeature>, string, string]>([
    ['before it begins', {}, '2026-10-31', 'soon'],
    ['on its last day', {}, '2026-12-31', 'open'],
    ['after it', {}, '2027-01-01', 'withdrawn'],
    ['30 days later', {}, '2027-02-05', 'gone'],
    ['while it is an idea', { stage: 'concept' }, '2026-11-10', 'concept'],
    ['for 30 days once it is for everybody', { stage: 'general' }, '2026-11-30', 'graduated'],
    ['then', { stage: 'general' }, '2026-12-02', 'general'],
    ['once it is taken back', { withdrawn: { on: '2026-11-20', reason: 'Slow.' } }, '2026-11-21', 'withdrawn'],
  ])('%s', (_when, over, day, kind) => {
    expect(pilotStatus({ ...FEATURE, ...over }, null, at(day)).kind).toBe(kind)
  })

  it('is on by one’s own word before the workspace’s, and never beyond plan, switch and time', () => {
    const on = (own: 'on' | 'off' | null, workspace: 'on' | null, over: Partial<PilotFeature> = {}) =>
      isPilotOn(
        { ...FEATURE, ...over },
        { enrolments: { own, workspace }, stopped: null, entitlements: ENTITLED, now: NOW },
      )
    expect([on('on', null), on(null, 'on'), on('off', 'on'), on(null, null)]).toEqual([true, true, false, false])
    expect(on('on', null, { scope: 'workspace' })).toBe(false)
    expect(on('on', null, { minPlan: 'professional' })).toBe(false)
    expect(on('on', null, { endsAt: '2026-11-10' })).toBe(false)
    expect(on(null, null, { stage: 'general' })).toBe(true)
    const stopped = { reason: 'Slow.', stoppedAt: NOW - DAY }
    const enrolments = { own: 'on' as const, workspace: null }
    expect(isPilotOn(FEATURE, { enrolments, stopped, entitlements: ENTITLED, now: NOW })).toBe(false)
  })
})

describe('early access', () => {
  it('is turned on for oneself, and told by the page and to the server’s check', async () => {
    const me = await signedIn({ app })
    const other = await signedIn({ app, workspaceId: me.workspaceId, role: 'viewer' })
    expect(await isOn(me)).toBe(false)
    expect(await put(me, { state: 'on' })).toMatchObject({ on: true, own: 'on', workspace: null })
    expect((await items(me))[0]).toMatchObject({ key: 'mcp', on: true })
    const page = await (await me.fetch('/api/session')).json<{ workspace: { earlyAccess: string[] } }>()
    expect(page.workspace.earlyAccess).toEqual(['mcp'])
    expect([await isOn(me), await isOn(other)]).toEqual([true, false])
    expect(await put(me, { state: 'off' })).toMatchObject({ on: false })
    expect(await isOn(me)).toBe(false)
  })

  it('is turned on for everybody by administrators alone; each may leave it', async () => {
    const owner = await signedIn({ app })
    const viewer = await signedIn({ app, workspaceId: owner.workspaceId, role: 'viewer' })
    expect((await put(viewer, { state: 'on', for: 'workspace' })).code).toBe('forbidden')
    expect(await put(owner, { state: 'on', for: 'workspace' })).toMatchObject({ on: true, workspace: 'on' })
    expect(await isOn(viewer)).toBe(true)
    await put(viewer, { state: 'off' })
    expect([await isOn(viewer), await isOn(owner)]).toEqual([false, true])
    expect(await isOn(await otherWorkspace(app))).toBe(false)
  })

  it('refuses what it does not know, wrong states, and everything while nothing may be written', async () => {
    const me = await signedIn({ app })
    expect((await put(me, { state: 'on' }, 'nothing')).code).toBe('not_found')
    expect((await put(me, { state: 'maybe' })).code).toBe('invalid_input')
    expect((await put(me, { state: 'interested' })).fields).toHaveProperty('state')
    await env.DB.prepare("UPDATE subscriptions SET state = 'restricted' WHERE workspace_id = ?")
      .bind(me.workspaceId)
      .run()
    expect((await put(me, { state: 'on' })).code).toBe('read_only')
  })

  it('keeps one feedback of each person, their last', async () => {
    const me = await signedIn({ app })
    const say = async (json: object) =>
      (await me.fetch('/api/pilot/mcp/feedback', { method: 'POST', json })).json<PilotItem & RefusedCall>()
    expect((await say({ score: 6 })).code).toBe('invalid_input')
    expect((await say({ score: 3, text: 'x'.repeat(2001) })).code).toBe('invalid_input')
    await say({ score: 2, text: ' Slow ' })
    expect((await say({ score: 4, text: 'Better' })).feedback).toEqual({ score: 4, text: 'Better' })
    expect((await items(me)).find(({ key }) => key === 'mcp')?.feedback).toEqual({ score: 4, text: 'Better' })
  })

  it('ends everywhere with the next question once the operator stops it, and says why', async () => {
    const [me, operator] = [await signedIn({ app }), await signedIn({ app, staff: true })]
    await put(me, { state: 'on' })
    const set = (json: object) => operator.fetch('/api/admin/pilot/mcp', { method: 'PUT', json })
    expect((await set({ stopped: true })).status).toBe(422)
    expect((await me.fetch('/api/admin/pilot')).status).toBe(404)
    const overview = await (await set({ stopped: true, reason: 'Too slow.' })).json<PilotOverview>()
    expect(overview.items[0]).toMatchObject({ key: 'mcp', stopped: { reason: 'Too slow.' } })
    expect(await isOn(me)).toBe(false)
    expect((await items(me)).find(({ key }) => key === 'mcp')).toMatchObject({
      ...{ on: false, status: 'withdrawn', reason: 'Too slow.', own: 'on' },
    })
    expect((await put(me, { state: 'on' })).code).toBe('not_enabled')
    await set({ stopped: false })
    expect(await isOn(me)).toBe(true)
  })
})
