import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { aPerson, aWorkspace, callApp, expiredTrial, otherWorkspace, signedIn } from '../../../test/worker/factories'
import type { SignedIn } from '../../../test/worker/factories'
import { loadedDataset } from '../../../test/worker/loaded-dataset'
import { spendTries } from '../../../test/worker/http/rate-limits'
import type { QueryResult } from '../../shared/query/result'

const SETTINGS = {
  country: 'SE',
  currency: 'SEK',
  numberLocale: 'sv-SE',
  timeZone: 'Europe/Stockholm',
  fiscalYearStart: 1,
  weekStart: 'monday',
}
const input = (name: string) => ({ ...SETTINGS, name })
const countMine = (userId: string) =>
  env.DB.prepare('SELECT count(*) AS n FROM members WHERE user_id = ?').bind(userId).first('n')

describe('creating a workspace', () => {
  it('makes its creator the owner, starts seven days of trial and moves onboarding on', async () => {
    const me = await signedIn()
    await env.DB.prepare("UPDATE users SET onboarding = 'workspace' WHERE id = ?").bind(me.userId).run()
    const made = await me.fetch('/api/workspaces', { method: 'POST', json: input('Bygg & Bo') })
    expect(made.status).toBe(201)
    const { id } = await made.json<{ id: string }>()
    const page = await (await me.fetch('/api/session', { headers: { 'x-workspace': id } })).json()
    expect(page).toMatchObject({
      user: { onboarding: 'profile' },
      workspace: {
        id,
        name: 'Bygg & Bo',
        role: 'owner',
        settings: SETTINGS,
        entitlements: { state: 'trialing', readOnly: null },
      },
    })
    const row = await env.DB.prepare(
      'SELECT trial_ends_at - created_at AS ms FROM subscriptions JOIN workspaces ON id = workspace_id WHERE id = ?',
    )
      .bind(id)
      .first('ms')
    expect(row).toBe(7 * 24 * 3600 * 1000)
  })

  it('writes once for a repeated idempotency key and answers the same both times', async () => {
    const me = await signedIn()
    const call = () =>
      me.fetch('/api/workspaces', { method: 'POST', json: input('Once'), headers: { 'idempotency-key': 'k-1' } })
    const [first, second] = [await call(), await call()]
    expect([first.status, second.status]).toEqual([201, 201])
    expect(await second.json()).toEqual(await first.json())
    expect(await countMine(me.userId)).toBe(2)
  })

  it('writes once when the same call comes twenty times at once', async () => {
    const me = await signedIn()
    const calls = Array.from({ length: 20 }, () =>
      me.fetch('/api/workspaces', { method: 'POST', json: input('Once'), headers: { 'idempotency-key': 'k-2' } }),
    )
    const answers = await Promise.all(calls)
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201))
    expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1)
    expect(await countMine(me.userId)).toBe(2)
  })

  it('refuses a used key with another body, and a key that is no key', async () => {
    const me = await signedIn()
    const call = (name: string, key: string) =>
      me.fetch('/api/workspaces', { method: 'POST', json: input(name), headers: { 'idempotency-key': key } })
    await call('One', 'k-3')
    const other = await call('Two', 'k-3')
    expect([other.status, await other.json()]).toMatchObject([422, { code: 'invalid_input' }])
    expect((await call('Three', 'x'.repeat(101))).status).toBe(422)
    expect(await countMine(me.userId)).toBe(2)
  })

  it('refuses a 31st workspace in an hour', async () => {
    const me = await signedIn()
    await spendTries('createWorkspace', me.userId, { left: 2 })
    const statuses: number[] = []
    for (let i = 0; i < 3; i++)
      statuses.push((await me.fetch('/api/workspaces', { method: 'POST', json: input(`No ${i}`) })).status)
    expect(statuses).toEqual([201, 201, 429])
  })

  it('keeps the keys of two people apart', async () => {
    const [one, two] = [await signedIn(), await signedIn()]
    const call = (who: typeof one) =>
      who.fetch('/api/workspaces', {
        method: 'POST',
        json: input('Same'),
        headers: { 'idempotency-key': 'shared', 'x-workspace': one.workspaceId },
      })
    const [a, b] = [await (await call(one)).json<{ id: string }>(), await (await call(two)).json<{ id: string }>()]
    expect(a.id).not.toBe(b.id)
  })
})

describe('two workspaces of one name (IDOR-6)', () => {
  const count = async (who: SignedIn, dataset: string) => {
    const measures = [{ kind: 'column', agg: 'count' }]
    const plan = { v: 1, kind: 'aggregate', dataset, measures, dimensions: [], filters: [] }
    const answer = await who.fetch('/api/query', { method: 'POST', json: { plan } })
    return answer.status === 200 ? (await answer.json<QueryResult>()).rows[0]?.[0] : answer.status
  }

  it('keep their rows apart, whatever they are called later', async () => {
    const [one, two] = [await signedIn(), await signedIn()]
    const rename = (who: SignedIn, name: string, version: number) =>
      who.fetch('/api/workspace', { method: 'PUT', json: { ...input(name), version } })
    for (const who of [one, two]) expect((await rename(who, 'Same', 1)).status).toBe(200)
    const [mine, theirs] = [
      await loadedDataset(one.workspaceId, [['SE', 1]]),
      await loadedDataset(two.workspaceId, [
        ['SE', 1],
        ['NO', 2],
      ]),
    ]
    const seen = async () => [
      ...[await count(one, mine), await count(one, theirs)],
      ...[await count(two, mine), await count(two, theirs)],
    ]
    const apart = await seen()
    expect(apart).toEqual([1, 404, 404, 2])
    expect((await rename(one, two.workspaceId, 2)).status).toBe(200)
    expect(await seen()).toEqual(apart)
  })
})

describe('editing the workspace', () => {
  it('is refused to an analyst, answers 404 to a stranger and 409 with the current one to the slower of two', async () => {
    const owner = await signedIn()
    const analyst = await signedIn({ workspaceId: owner.workspaceId, role: 'analyst' })
    const stranger = await otherWorkspace()
    const put = (who: typeof owner, version = 1) =>
      who.fetch('/api/workspace', {
        method: 'PUT',
        json: { ...input('Renamed'), version },
        headers: { 'x-workspace': owner.workspaceId },
      })
    expect((await put(analyst)).status).toBe(403)
    expect((await put(stranger)).status).toBe(404)
    const saved = await put(owner)
    expect([saved.status, await saved.json()]).toMatchObject([200, { name: 'Renamed', version: 2 }])
    const late = await put(owner)
    expect([late.status, await late.json()]).toMatchObject([
      409,
      { code: 'version_conflict', current: { name: 'Renamed', version: 2 } },
    ])
  })

  it('stays possible after the trial: settings are no data', async () => {
    const owner = await expiredTrial()
    const saved = await owner.fetch('/api/workspace', { method: 'PUT', json: { ...input('Late'), version: 1 } })
    expect(saved.status).toBe(200)
  })

  it('answers 404 for a workspace named by nobody, by a stranger, or deleted', async () => {
    const owner = await signedIn()
    const get = (id: string) => owner.fetch('/api/workspace', { headers: { 'x-workspace': id } })
    expect((await get((await aWorkspace()).id)).status).toBe(404)
    expect((await get('ws_nonsense')).status).toBe(404)
    await env.DB.prepare('UPDATE workspaces SET deleted_at = 1 WHERE id = ?').bind(owner.workspaceId).run()
    expect((await get(owner.workspaceId)).status).toBe(404)
  })

  it('shows everyone only the workspaces they are active in', async () => {
    const owner = await signedIn()
    await aPerson()
    await env.DB.prepare("UPDATE members SET status = 'suspended' WHERE user_id = ?").bind(owner.userId).run()
    const list = await (await owner.fetch('/api/workspaces')).json()
    expect(list).toEqual({ items: [], nextCursor: null })
    const page = await callApp(owner.app, '/api/session', { headers: { cookie: owner.cookie } })
    expect(await page.json()).toMatchObject({ workspace: null, workspaces: [] })
  })
})
