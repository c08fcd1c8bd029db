import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { failSync } from './end-sync'
import { runSync } from './run-sync'
import { createFileServer, type FileServer } from '../../../emulators/files/file-server.ts'
import { LONG } from '../../../test/long'
import { signedIn, type SignedIn } from '../../../test/worker/factories'
import { queuedMailsTo } from '../../../test/worker/mails'
import { emailOf } from '../../../test/worker/people'
import { createDeps, type Deps } from '../../deps'
import { readSettings } from '../../settings'
import type { SourceSync, SyncSourceParams } from '../../shared/data-sources/connections'
import type { ListPage } from '../../shared/field-schemas'
import { sealCredentials } from '../../sync/credentials'
import { connectionStore } from '../../sync/connection-store'
import { DEAD_AFTER } from '../../sync/schedule'
import type { DurableSteps } from '../../sync/durable-steps'
import { startSync } from '../../sync/start-sync'
import { purgeSyncObjects } from '../../sync/sweep'

const FILE_URL = 'https://files.example.com/orders.csv'
const STREAM = {
  key: 'file',
  label: 'orders.csv',
  columns: null,
  keyColumns: [],
  incrementalColumn: null,
  modes: ['replace'] as const,
  proposed: true,
}

class Killed extends Error {}

/** Steps that remember what they answered; the process may be killed before or after any of them. */
function memorySteps() {
  const answers = new Map<string, string>()
  let left = Infinity
  const steps: DurableSteps = {
    async do<T>(name: string, work: () => Promise<T>): Promise<T> {
      const known = answers.get(name)
      if (known === undefined) {
        if (left-- <= 0) throw new Killed('before')
        answers.set(name, JSON.stringify({ answer: await work() }))
      }
      const { answer }: { answer: T } = JSON.parse(answers.get(name) ?? '')
      return answer
    },
    sleep: () => Promise.resolve(),
  }
  return { steps, killAfter: (count: number) => void (left = count), names: () => [...answers.keys()] }
}

interface Place {
  person: SignedIn
  server: FileServer
  sourceId: string
  deps: (now?: number) => Deps
  sync: (slot: string, acceptDrift?: boolean) => Promise<SyncSourceParams | null>
  run: (params: SyncSourceParams) => Promise<void>
  rows: () => Promise<{ rowCount: number; dataVersion: number } | null>
  connection: () => Promise<NonNullable<Awaited<ReturnType<ReturnType<typeof connectionStore>['get']>>>>
}

async function place(): Promise<Place> {
  const person = await signedIn()
  const workspaceId = person.workspaceId
  const server = createFileServer({ key: 'marker-of-a-secret' })
  server.put('/orders.csv', 'id,amount\n1,10\n2,20\n3,30\n')
  const parsed = readSettings(env)
  if (!parsed.ok) throw new Error(parsed.problem)
  const { settings } = parsed
  const deps = (now = Date.now()) =>
    createDeps(
      env,
      settings,
      { waitUntil: () => undefined },
      {
        clock: { now: () => now },
        resolve: () => Promise.resolve(['93.184.216.34']),
        targetFetcher: (request) => server.answer(request),
        syncSource: { create: () => Promise.reject(new Error('not here')) } as never,
        reporter: { report: () => undefined } as never,
      },
    )
  const sourceId = deps().ids.next('source')
  const store = connectionStore(deps().db, workspaceId)
  const sealed = await sealCredentials(deps(), { workspaceId, sourceId }, { headers: 'X-Api-Key: marker-of-a-secret' })
  const { d1 } = deps().db
  await d1.batch([
    d1
      .prepare(
        `INSERT INTO data_sources (id, workspace_id, type, name, name_key, state, owner_id, created_at, updated_at) VALUES (?, ?, 'url', ?, ?, 'draft', ?, 0, 0)`,
      )
      .bind(sourceId, workspaceId, `Orders ${sourceId}`, `orders ${sourceId}`, person.userId),
    store.insert(
      {
        sourceId,
        kind: 'url',
        settings: { url: FILE_URL },
        secrets: sealed?.sealed ?? null,
        frequencyHours: 24,
        nextAt: 0,
        pushTokenHash: null,
      },
      sealed?.keyId ?? null,
    ),
    ...store.replaceStreams(sourceId, [{ key: 'file', stream: { ...STREAM, modes: ['replace'] }, mode: 'replace' }]),
  ])
  return {
    person,
    server,
    sourceId,
    deps,
    async sync(slot, acceptDrift = false) {
      const row = { sourceId, workspaceId, frequencyHours: 24 }
      const start = { row, slot, trigger: 'schedule' as const, actorId: null, planHours: 6, acceptDrift }
      const syncId = await startSync(deps(), start)
      return syncId === null ? null : { syncId, sourceId, workspaceId }
    },
    run: (params) => runSync(memorySteps().steps, () => deps(), params),
    rows: () =>
      d1
        .prepare('SELECT row_count AS rowCount, data_version AS dataVersion FROM datasets WHERE source_id = ?')
        .bind(sourceId)
        .first<{ rowCount: number; dataVersion: number }>(),
    async connection() {
      const row = await store.get(sourceId)
      if (!row) throw new Error('no connection')
      return row
    },
  }
}

const started = async (at: Place, slot: string, acceptDrift = false): Promise<SyncSourceParams> => {
  const params = await at.sync(slot, acceptDrift)
  if (!params) throw new Error('not started')
  return params
}

describe('a sync of a file at an address', () => {
  it('brings its rows, sees that nothing changed, and brings what changed', async () => {
    const at = await place()
    await at.run(await started(at, 'a'))
    expect(await at.connection()).toMatchObject({ failure: null, failures: 0 })
    expect(await at.rows()).toEqual({ rowCount: 3, dataVersion: 1 })
    const { items } = await (
      await at.person.fetch(`/api/data-sources/${at.sourceId}/syncs`)
    ).json<ListPage<SourceSync>>()
    expect(items).toMatchObject([{ state: 'succeeded', rowsRead: 3, rowsWritten: 3, rowsRejected: 0 }])
    expect(items[0]?.bytesRead).toBeGreaterThan(20)
    await at.run(await started(at, 'b'))
    expect(at.server.calls.at(-1)?.status).toBe(304)
    expect(await at.rows()).toEqual({ rowCount: 3, dataVersion: 1 })
    at.server.put('/orders.csv', 'id,amount\n1,10\n2,25\n3,30\n4,40\n')
    await at.run(await started(at, 'c'))
    expect(await at.rows()).toEqual({ rowCount: 4, dataVersion: 2 })
  })

  it('leaves nothing in the bucket that no load was made from (STO-1)', async () => {
    const at = await place()
    const loaded = await started(at, 'a')
    await at.run(loaded)
    at.server.put('/orders.csv', 'other,columns\n1,2\n')
    const refused = await started(at, 'b')
    await at.run(refused)
    const kept = async ({ syncId }: SyncSourceParams) =>
      (await env.FILES.list({ prefix: `syncs/${at.person.workspaceId}/${syncId}/` })).objects.length
    expect([await kept(loaded), await kept(refused)]).toEqual([1, 1])
    for (const hours of [0, 2]) await purgeSyncObjects(at.deps(Date.now() + hours * 60 * 60 * 1000))
    expect([await kept(loaded), await kept(refused)]).toEqual([1, 0])
  })

  it('runs a slot once, and one sync at a time', async () => {
    const at = await place()
    const params = await started(at, 'a')
    expect(await at.sync('b')).toBeNull()
    await at.run(params)
    expect(await at.sync('a')).toBeNull()
  })

  it.each(['down', 'auth', 'cut'] as const)(
    'keeps the last good rows where the source is broken: %s',
    async (fault) => {
      const at = await place()
      await at.run(await started(at, 'a'))
      at.server.breakAs(fault)
      at.server.put('/orders.csv', 'id,amount\n1,1\n2,2\n')
      await at.run(await started(at, 'b'))
      const { failure, nextAt } = await at.connection()
      expect(failure?.reason).toBe(fault === 'auth' ? 'auth' : 'down')
      expect(JSON.stringify(failure)).not.toMatch(/internal|marker-of-a-secret|no such key/i)
      expect(nextAt === null).toBe(fault === 'auth')
      expect(await at.rows()).toEqual({ rowCount: 3, dataVersion: 1 })
      at.server.breakAs(null)
      await at.run(await started(at, 'c'))
      expect(await at.connection()).toMatchObject({ failure: null, failures: 0, failedSince: null })
      expect(await at.rows()).toEqual({ rowCount: 2, dataVersion: 2 })
    },
  )

  it('keeps the rows where the source has none any more, until somebody accepts that', async () => {
    const at = await place()
    await at.run(await started(at, 'a'))
    at.server.put('/orders.csv', 'id,amount\n')
    await at.run(await started(at, 'b'))
    expect((await at.connection()).failure).toMatchObject({ reason: 'drift', acceptable: 'empty' })
    expect(await at.rows()).toEqual({ rowCount: 3, dataVersion: 1 })
    await at.run(await started(at, 'c', true))
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
    await at.run(await started(at, 'd'))
    expect([await at.rows(), await types()]).toEqual([{ rowCount: 1, dataVersion: 3 }, 'integer'])
  })

  it('is started by people every 15 minutes, failing or not, and at once to accept what it stopped at', async () => {
    const at = await place()
    const path = `/api/data-sources/${at.sourceId}/sync`
    const ask = async (acceptDrift = false) => {
      const { status } = await at.person.fetch(path, { method: 'POST', json: { acceptDrift } })
      return status
    }
    await at.run(await started(at, 'a'))
    expect(await ask()).toBe(429)
    at.server.breakAs('down')
    await at.run(await started(at, 'b'))
    expect([await ask(), await ask(true)]).toEqual([429, 429])
    at.server.breakAs(null)
    at.server.put('/orders.csv', 'id,amount\n')
    await at.run(await started(at, 'c'))
    expect([await ask(), await ask(true)]).toEqual([429, 200])
  })

  it('is given up after ten failures in a row, told once, and comes back by itself when it is well (SYN-6)', async () => {
    const at = await place()
    const store = connectionStore(at.deps().db, at.person.workspaceId)
    const seen: (number | null)[] = []
    for (let n = 1; n <= 11; n += 1) {
      const params = await started(at, `poison ${n}`)
      const failure = { code: 'source_failed', reason: 'down', message: 'Down.', mend: 'Wait.' } as const
      await failSync(at.deps(), params, failure)
      // Told twice of the same end, it stays one.
      await failSync(at.deps(), params, failure)
      seen.push((await at.connection()).nextAt)
    }
    expect(seen.map((next) => next !== null)).toEqual([...Array.from({ length: 9 }, () => true), false, false])
    expect(await at.connection()).toMatchObject({ failures: 11 })
    const mails = (await queuedMailsTo(await emailOf(at.person.userId))).map(({ template }) => template)
    const letters = await env.DB.prepare('SELECT count(*) AS n FROM sync_dead_letters WHERE source_id = ?')
      .bind(at.sourceId)
      .first<number>('n')
    expect([letters, mails]).toEqual([1, ['sourceFailed']])
    await at.run(await started(at, 'mended'))
    expect([
      await at.connection(),
      (await store.syncs(at.sourceId, { before: null, limit: 1 }))[0]?.state,
    ]).toMatchObject([{ failures: 0, failure: null }, 'succeeded'])
  })

  it('of a source that is deleted or paused meanwhile stops, and nothing comes back (SYN-8)', async () => {
    const at = await place()
    const memory = memorySteps()
    const params = await started(at, 'a')
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
    const at = await place()
    await at.run(await started(at, 'a'))
    at.server.put('/orders.csv', 'id,amount\n1,10\n2,20\n3,30\n4,40\n5,50\n')
    const params = await started(at, 'b')
    const memory = memorySteps()
    for (let turn = 0; turn < 20; turn += 1) {
      memory.killAfter(1)
      await runSync(memory.steps, () => at.deps(), params).catch(() => undefined)
      expect([3, 5]).toContain((await at.rows())?.rowCount)
    }
    expect(await at.rows()).toEqual({ rowCount: 5, dataVersion: 2 })
  })

  it('tells its owner once, and after ten failures in a row is left until somebody does something', async () => {
    const at = await place()
    await at.run(await started(at, 'a'))
    at.server.breakAs('down')
    const states: [number, boolean][] = []
    for (let n = 1; n <= DEAD_AFTER; n += 1) {
      await at.run(await started(at, `failing ${n}`))
      const { failures, nextAt } = await at.connection()
      states.push([failures, nextAt !== null])
    }
    expect(states).toEqual(Array.from({ length: DEAD_AFTER }, (_, n) => [n + 1, n + 1 < DEAD_AFTER]))
    const { d1 } = at.deps().db
    const letters = await d1
      .prepare('SELECT failures, error FROM sync_dead_letters WHERE source_id = ?')
      .bind(at.sourceId)
      .all<{ failures: number; error: string }>()
    expect(letters.results).toMatchObject([{ failures: DEAD_AFTER, error: expect.stringContaining('"reason":"down"') }])
    const mails = await d1
      .prepare("SELECT COUNT(*) AS n FROM outbox WHERE kind = 'mail' AND key LIKE ?")
      .bind(`%sourceFailed:${at.sourceId}:%`)
      .first<{ n: number }>()
    expect(mails?.n).toBe(1)
    expect(await at.rows()).toEqual({ rowCount: 3, dataVersion: 1 })
    at.server.breakAs(null)
    await at.run(await started(at, 'mended'))
    expect(await at.connection()).toMatchObject({ failures: 0, failure: null })
  })
})

describe('sources that are due in the same minute', () => {
  it('come to their rows whatever one of them does that hangs', async () => {
    const [hanging, ...others] = await Promise.all(Array.from({ length: LONG ? 100 : 8 }, () => place()))
    if (!hanging) throw new Error('There is no source.')
    hanging.server.breakAs('hang')
    others.forEach(({ server }, n) => server.put('/orders.csv', `id,amount\n1,${n}\n2,${n * n}\n`))
    // What never ends is ended by nobody here: the deadlines of doors and steps are proven beside it.
    void hanging.run(await started(hanging, 'same')).catch(() => undefined)
    const begun = Date.now()
    await Promise.all(others.map(async (at) => at.run(await started(at, 'same'))))
    expect(Date.now() - begun).toBeLessThan(120_000)
    expect(await hanging.rows()).toBeNull()
    expect(await Promise.all(others.map((at) => at.rows()))).toEqual(
      others.map(() => ({ rowCount: 2, dataVersion: 1 })),
    )
  })
})
