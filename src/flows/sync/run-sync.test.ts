import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { runSync } from './run-sync'
import { casesOf } from '../../../test/long'
import { fileSource, memorySteps } from '../../../test/worker/syncs/file-source'
import type { SourceSync, SyncSourceParams } from '../../shared/data-sources/connections'
import type { ListPage } from '../../shared/field-schemas'
import { connectionStore } from '../../sync/connection-store'
import { purgeSyncObjects } from '../../sync/sweep'

describe('a sync of a file at an address', () => {
  it('brings its rows, sees that nothing changed, and brings what changed', async () => {
    const at = await fileSource()
    await at.run(await at.started('a'))
    expect(await at.connection()).toMatchObject({ failure: null, failures: 0 })
    expect(await at.rows()).toEqual({ rowCount: 3, dataVersion: 1 })
    const { items } = await (
      await at.person.fetch(`/api/data-sources/${at.sourceId}/syncs`)
    ).json<ListPage<SourceSync>>()
    expect(items).toMatchObject([{ state: 'succeeded', rowsRead: 3, rowsWritten: 3, rowsRejected: 0 }])
    expect(items[0]?.bytesRead).toBeGreaterThan(20)
    await at.run(await at.started('b'))
    expect(at.server.calls.at(-1)?.status).toBe(304)
    expect(await at.rows()).toEqual({ rowCount: 3, dataVersion: 1 })
    at.server.put('/orders.csv', 'id,amount\n1,10\n2,25\n3,30\n4,40\n')
    await at.run(await at.started('c'))
    expect(await at.rows()).toEqual({ rowCount: 4, dataVersion: 2 })
  })

  it('leaves nothing in the bucket that no load was made from (STO-1)', async () => {
    const at = await fileSource()
    const loaded = await at.started('a')
    await at.run(loaded)
    at.server.put('/orders.csv', 'other,columns\n1,2\n')
    const refused = await at.started('b')
    await at.run(refused)
    const kept = async ({ syncId }: SyncSourceParams) =>
      (await env.FILES.list({ prefix: `syncs/${at.person.workspaceId}/${syncId}/` })).objects.length
    expect([await kept(loaded), await kept(refused)]).toEqual([1, 1])
    for (const hours of [0, 2]) await purgeSyncObjects(at.deps({ now: Date.now() + hours * 60 * 60 * 1000 }))
    expect([await kept(loaded), await kept(refused)]).toEqual([1, 0])
  })

  it('runs a slot once, and one sync at a time', async () => {
    const at = await fileSource()
    const params = await at.started('a')
    expect(await at.sync('b')).toBeNull()
    await at.run(params)
    expect(await at.sync('a')).toBeNull()
  })

  it.each(['down', 'auth', 'cut'] as const)(
    'keeps the last good rows where the source is broken: %s',
    async (fault) => {
      const at = await fileSource()
      await at.run(await at.started('a'))
      at.server.breakAs(fault)
      at.server.put('/orders.csv', 'id,amount\n1,1\n2,2\n')
      await at.run(await at.started('b'))
      const { failure, nextAt } = await at.connection()
      expect(failure?.reason).toBe(fault === 'auth' ? 'auth' : 'down')
      expect(JSON.stringify(failure)).not.toMatch(/internal|marker-of-a-secret|no such key/i)
      expect(nextAt === null).toBe(fault === 'auth')
      expect(await at.rows()).toEqual({ rowCount: 3, dataVersion: 1 })
      at.server.breakAs(null)
      await at.run(await at.started('c'))
      expect(await at.connection()).toMatchObject({ failure: null, failures: 0, failedSince: null })
      expect(await at.rows()).toEqual({ rowCount: 2, dataVersion: 2 })
    },
  )

  it('keeps the rows where the source has none any more, until somebody accepts that', async () => {
    const at = await fileSource()
    await at.run(await at.started('a'))
    at.server.put('/orders.csv', 'id,amount\n')
    await at.run(await at.started('b'))
    expect((await at.connection()).failure).toMatchObject({ reason: 'drift', acceptable: 'empty' })
    expect(await at.rows()).toEqual({ rowCount: 3, dataVersion: 1 })
    await at.run(await at.started('c', true))
    expect(await at.connection()).toMatchObject({ failure: null, failures: 0 })
    expect(await at.rows()).toEqual({ rowCount: 0, dataVersion: 2 })
    const types = () =>
      at
        .deps()
        .db.d1.prepare("SELECT columns ->> '$[1].type' FROM datasets WHERE source_id = ?")
        .bind(at.sourceId)
        .first<string>("columns ->> '$[1].type'")
    expect(await types()).toBe('integer')
    at.server.put('/orders.csv', 'id,amount\n1,10\n')
    await at.run(await at.started('d'))
    expect([await at.rows(), await types()]).toEqual([{ rowCount: 1, dataVersion: 3 }, 'integer'])
  })

  it('is started by people every 15 minutes, failing or not, and at once to accept what it stopped at', async () => {
    const at = await fileSource()
    const path = `/api/data-sources/${at.sourceId}/sync`
    const ask = async (acceptDrift = false) => {
      const { status } = await at.person.fetch(path, { method: 'POST', json: { acceptDrift } })
      return status
    }
    await at.run(await at.started('a'))
    expect(await ask()).toBe(429)
    at.server.breakAs('down')
    await at.run(await at.started('b'))
    expect([await ask(), await ask(true)]).toEqual([429, 429])
    at.server.breakAs(null)
    at.server.put('/orders.csv', 'id,amount\n')
    await at.run(await at.started('c'))
    expect([await ask(), await ask(true)]).toEqual([429, 200])
  })

  it('of a source that is deleted or paused meanwhile stops, and nothing comes back (SYN-8)', async () => {
    const at = await fileSource()
    const memory = memorySteps()
    const params = await at.started('a')
    memory.killAfter(2)
    await runSync(memory.steps, () => at.deps(), params).catch(() => undefined)
    await env.DB.prepare('UPDATE data_sources SET deleted_at = 1 WHERE id = ?').bind(at.sourceId).run()
    memory.killAfter(Infinity)
    await runSync(memory.steps, () => at.deps(), params)
    expect((await at.rows())?.rowCount ?? 0).toBe(0)
    const { state } = (await connectionStore(at.deps().db, at.person.workspaceId).sync(params.syncId)) ?? {}
    expect([state, await at.sync('b')]).toEqual(['cancelled', null])
  })

  it('never shows a part of a new file, wherever it is killed', async () => {
    const at = await fileSource()
    await at.run(await at.started('a'))
    at.server.put('/orders.csv', 'id,amount\n1,10\n2,20\n3,30\n4,40\n5,50\n')
    const params = await at.started('b')
    const memory = memorySteps()
    for (let turn = 0; turn < 20; turn += 1) {
      memory.killAfter(1)
      await runSync(memory.steps, () => at.deps(), params).catch(() => undefined)
      expect([3, 5]).toContain((await at.rows())?.rowCount)
    }
    expect(await at.rows()).toEqual({ rowCount: 5, dataVersion: 2 })
  })

  it('shows the old rows or the new ones, wherever its file breaks off (SYN-1)', async () => {
    const at = await fileSource()
    await at.run(await at.started('old'))
    const old = await at.table()
    const fresh = `id,amount\n${Array.from({ length: 20 }, (_, n) => `${n},${n * n}`).join('\n')}\n`
    at.server.put('/orders.csv', fresh)
    const bytes = Array.from({ length: fresh.length }, (_, n) => n)
    expect(bytes.length).toBeGreaterThan(100)
    // Before the heading, at the end of a line, and one before the last.
    for (const after of casesOf(bytes, 0, 14, fresh.length - 1)) {
      at.server.breakAs('cut', after)
      await at.run(await at.started(`after ${after}`))
      const { failure } = await at.connection()
      expect([after, failure?.reason, await at.table()]).toEqual([after, 'down', old])
    }
    at.server.breakAs(null)
    await at.run(await at.started('new'))
    expect([await at.rows(), (await at.table())?.length]).toEqual([{ rowCount: 20, dataVersion: 2 }, 20])
  })

  it('is done once, delivered five times, one after the other and at once (SYN-5)', async () => {
    for (const inTurn of [true, false]) {
      const at = await fileSource()
      const params = await at.started('redelivered')
      // Each as if it were the first: none remembers what another did.
      if (inTurn) for (let n = 0; n < 5; n += 1) await at.run(params)
      else await Promise.all(Array.from({ length: 5 }, () => at.run(params)))
      const state = async () => (await connectionStore(at.deps().db, at.workspaceId).sync(params.syncId))?.state
      expect([inTurn, await state(), await at.rows()]).toEqual([inTurn, 'succeeded', { rowCount: 3, dataVersion: 1 }])
      expect(await at.connection()).toMatchObject({ failure: null, failures: 0 })
      const { results } = await env.DB.prepare('SELECT state FROM runs WHERE workspace_id = ?')
        .bind(at.workspaceId)
        .all()
      expect(results).toEqual([{ state: 'succeeded' }])
      const audited = env.DB.prepare(
        "SELECT count(*) AS n FROM audit WHERE workspace_id = ? AND action = 'dataset.load'",
      )
      expect(await audited.bind(at.workspaceId).first('n')).toBe(1)
    }
  })
})
