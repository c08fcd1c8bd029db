import { env } from 'cloudflare:test'
import { beforeEach, describe, expect, it } from 'vitest'
import { reconcileSyncs, startDueSyncs } from './due-syncs'
import { runSync } from './run-sync'
import { aMember, aPerson, callApp, type SignedIn } from '../../../test/worker/factories'
import {
  FILE_KEY,
  fileSource,
  INSTANT_STEPS,
  memorySteps,
  type FileSource,
} from '../../../test/worker/syncs/file-source'
import { queuedMailsTo } from '../../../test/worker/mails'
import { emailOf } from '../../../test/worker/people'
import { createApp } from '../../app'
import type { SyncSourceParams } from '../../shared/data-sources/connections'

const DAY_MS = 24 * 60 * 60 * 1000

/** What other tests left behind is not due. */
beforeEach(async () => {
  await env.DB.prepare('UPDATE connections SET paused = 1').run()
})

/** Rounds of the scheduler over some days. Answers how many syncs of the source they started. */
async function days(at: FileSource, first: number, last: number): Promise<number> {
  let count = 0
  for (let day = first; day <= last; day += 1) {
    const now = Date.now() + day * DAY_MS
    const started: SyncSourceParams[] = []
    const create = ({ params }: { params: SyncSourceParams }) => Promise.resolve(void started.push(params))
    const deps = at.deps({ now, overrides: { syncSource: { create } as never } })
    await startDueSyncs(deps)
    await reconcileSyncs(deps)
    const own = started.filter(({ sourceId }) => sourceId === at.sourceId)
    for (const params of own) await runSync(INSTANT_STEPS, () => at.deps({ now }), params)
    count += own.length
  }
  return count
}
const sealedOf = (sourceId: string) =>
  env.DB.prepare('SELECT secrets FROM connections WHERE source_id = ?').bind(sourceId).first<string>('secrets')
const setSealed = (sourceId: string, secrets: string) =>
  env.DB.prepare('UPDATE connections SET secrets = ? WHERE source_id = ?').bind(secrets, sourceId).run()
const statesOf = async (sourceId: string): Promise<string[]> =>
  (
    await env.DB.prepare('SELECT state FROM syncs WHERE source_id = ? ORDER BY rowid')
      .bind(sourceId)
      .all<{ state: string }>()
  ).results.map(({ state }) => state)

describe('a source whose credentials cannot be read (CONN-3)', () => {
  const flipAt = (text: string, at: number): string =>
    text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)
  it.each<[what: string, change: (sealed: string, at: FileSource) => string | Promise<string>]>([
    [
      'those of another source of the workspace',
      async (_sealed, { person }) => (await sealedOf((await fileSource({ person })).sourceId)) ?? '',
    ],
    ['those of another workspace', async () => (await sealedOf((await fileSource()).sourceId)) ?? ''],
    ['one letter is another', (sealed) => flipAt(sealed, sealed.length - 5)],
    ['cut off', (sealed) => sealed.slice(0, -6)],
    ['of a key that nobody has', (sealed) => sealed.replace(/^(v\d+)\.[^.]+/, '$1.gone')],
    ['nothing of the kind', () => 'v1'],
  ])(
    'is left until somebody enters them again, tells its owner once, and keeps its rows: %s',
    async (_what, change) => {
      const at = await fileSource()
      await at.run(await at.started('well'))
      const rows = await at.table()
      const heard = at.server.calls.length
      await setSealed(at.sourceId, await change((await sealedOf(at.sourceId)) ?? '', at))
      await env.DB.prepare('UPDATE connections SET paused = 1 WHERE source_id <> ?').bind(at.sourceId).run()
      await at.run(await at.started('unreadable'))
      expect(await at.connection()).toMatchObject({
        ...{ failures: 1, nextAt: null, failure: { code: 'credential_unreadable', reason: 'credential' } },
      })
      // Nobody was called, with these credentials or without.
      expect([await days(at, 1, 7), at.server.calls.length, await at.table()]).toEqual([0, heard, rows])
      const told = await queuedMailsTo(await emailOf(at.person.userId))
      expect(told.map(({ template }) => template)).toEqual(['sourceFailed'])
      const app = createApp({
        resolve: () => Promise.resolve(['93.184.216.34']),
        targetFetcher: (request) => at.server.answer(request),
        syncSource: new Proxy(env.SYNC_SOURCE, { get: () => () => Promise.resolve({ id: 'none' }) }),
      })
      const entered = { secrets: { headers: `X-Api-Key: ${FILE_KEY}` } }
      const path = `/api/data-sources/${at.sourceId}/connection`
      const init = { method: 'PUT', headers: at.person.headers, body: JSON.stringify(entered) }
      expect((await callApp(app, path, init)).status).toBe(200)
      await env.DB.prepare("UPDATE syncs SET state = 'cancelled' WHERE source_id = ? AND state = 'running'")
        .bind(at.sourceId)
        .run()
      at.server.put('/orders.csv', 'id,amount\n1,10\n')
      await at.run(await at.started('entered'))
      expect(await at.connection()).toMatchObject({ failures: 0, failure: null, nextAt: expect.any(Number) })
      expect(await at.table()).toHaveLength(1)
    },
  )
})

describe('a source whose owner may not sync any more', () => {
  interface Right {
    what: string
    take: (me: SignedIn) => Promise<unknown>
    giveBack: (me: SignedIn) => Promise<unknown>
  }
  const set = (table: string, column: string, value: string | number | null) => (me: SignedIn) =>
    env.DB.prepare(`UPDATE ${table} SET ${column} = ?3 WHERE workspace_id = ?1 AND (?2 IS NULL OR user_id = ?2)`)
      .bind(me.workspaceId, me.userId, value)
      .run()
  /** Another source, which a smaller plan keeps instead. */
  const keptBefore = ({ workspaceId, userId }: SignedIn) =>
    env.DB.prepare(
      `INSERT OR IGNORE INTO data_sources (id, workspace_id, type, name, name_key, state, owner_id, created_at, updated_at)
       VALUES (?1, ?2, 'url', ?1, ?1, 'draft', ?3, -1, 0)`,
    )
      .bind(`src_kept_${workspaceId}`, workspaceId, userId)
      .run()
  const workspace = (column: string, value: number | null) => (me: SignedIn) =>
    env.DB.prepare(`UPDATE workspaces SET ${column} = ? WHERE id = ?`).bind(value, me.workspaceId).run()
  const trialEnds = (at: number) => (me: SignedIn) =>
    env.DB.prepare('UPDATE subscriptions SET trial_ends_at = ? WHERE workspace_id = ?').bind(at, me.workspaceId).run()
  const override = (features: string | null) => (me: SignedIn) =>
    env.DB.prepare('UPDATE subscriptions SET override = ? WHERE workspace_id = ?').bind(features, me.workspaceId).run()
  const disabled = (at: number | null) => (me: SignedIn) =>
    env.DB.prepare('UPDATE users SET disabled_at = ? WHERE id = ?').bind(at, me.userId).run()
  const RIGHTS: Right[] = [
    { what: 'their role', take: set('members', 'role', 'viewer'), giveBack: set('members', 'role', 'owner') },
    {
      what: 'their membership',
      take: set('members', 'status', 'suspended'),
      giveBack: set('members', 'status', 'active'),
    },
    { what: 'their account', take: disabled(1), giveBack: disabled(null) },
    { what: 'the workspace’s plan', take: trialEnds(1), giveBack: trialEnds(Date.now() + 365 * DAY_MS) },
    {
      what: 'its place in a smaller plan (SYN-8)',
      take: async (me) => {
        await keptBefore(me)
        await override('{"dataSources":1}')(me)
      },
      giveBack: override(null),
    },
    { what: 'the workspace', take: workspace('deleted_at', 1), giveBack: workspace('deleted_at', null) },
  ]

  it.each(RIGHTS)(
    'rests before and amid a sync, which is no failure, and goes on once it may: $what',
    async ({ take, giveBack }) => {
      const at = await fileSource()
      // Somebody keeps the workspace, whatever becomes of this person.
      await aMember(at.workspaceId, await aPerson(), 'owner')
      await trialEnds(Date.now() + 365 * DAY_MS)(at.person)
      await at.run(await at.started('well'))
      const rows = await at.table()
      at.server.put('/orders.csv', 'id,amount\n7,70\n')
      // After each step of a sync that is under way.
      for (let step = 0; step < 6; step += 1) {
        const params = await at.started(`amid ${step}`)
        const memory = memorySteps()
        memory.killAfter(step)
        await runSync(memory.steps, () => at.deps(), params).catch(() => undefined)
        await env.DB.prepare("UPDATE syncs SET state = 'running', error = NULL WHERE id = ?").bind(params.syncId).run()
        await take(at.person)
        memory.killAfter(Infinity)
        await runSync(memory.steps, () => at.deps(), params)
        await giveBack(at.person)
        expect([step, (await statesOf(at.sourceId)).at(-1), await at.table()]).toEqual([step, 'cancelled', rows])
      }
      await take(at.person)
      await days(at, 1, 4)
      await giveBack(at.person)
      expect([...new Set((await statesOf(at.sourceId)).slice(1))]).toEqual(['cancelled'])
      expect([await at.connection(), await at.table()]).toMatchObject([{ failures: 0, failure: null }, rows ?? []])
      expect(await days(at, 6, 8)).toBeGreaterThan(0)
      expect(await at.table()).toEqual(['[7,70]'])
    },
  )
})
