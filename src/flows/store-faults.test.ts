import { env, runInDurableObject } from 'cloudflare:test'
import { beforeEach, expect, it } from 'vitest'
import { drainPushed } from './sync/drain-pushed'
import { reconcileSyncs, startDueSyncs } from './sync/due-syncs'
import { runSync } from './sync/run-sync'
import { LONG } from '../../test/long'
import { callApp, signedIn, type CallInit, type SignedIn } from '../../test/worker/factories'
import { createLoadedSource, createSource, sales, sourceInput, uploadText } from '../../test/worker/loads'
import { faultyStores, STORE_FAULTS, type FaultyStores } from '../../test/worker/syncs/faulty-stores'
import { FILE_KEY, FILE_URL, fileSource, ORDERS } from '../../test/worker/syncs/file-source'
import { shownRows } from '../../test/worker/syncs/shown-rows'
import { createFileServer } from '../../emulators/files/file-server.ts'
import { createApp } from '../app'
import { createDeps, type Deps } from '../deps'
import { deleteExpiredUploads } from '../features/uploads/service'
import { readSettings } from '../settings'
import type { SyncSourceParams } from '../shared/data-sources/connections'
import type { LoadFileParams } from '../shared/data-sources/data-sources'
import type { ErrorBody } from '../shared/errors'
import { DELETED_RETENTION_MS } from '../shared/limits'
import { endRun } from '../sync/end-run'
import type { DurableSteps } from '../sync/durable-steps'
import { inboxStore } from '../sync/inbox-store'
import { loadInSteps } from '../sync/load-in-steps'
import type { Warehouse } from '../warehouse/warehouse'
import { purgeDeletedDatasets, purgeSyncObjects, reconcileRuns } from '../sync/sweep'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** As the platform does: a step that fails is done again. */
const STEP_TRIES = 5

/** Something that is done with stores of which one call fails. */
interface Deed {
  /** What a person, a program or the scheduler does once. */
  act: () => Promise<void>
  /** What holds at any moment after that. */
  never: () => Promise<void>
  /** What happens afterwards by itself, and whoever was refused tries again. */
  recover: () => Promise<void>
  /** How it ends, whatever failed. */
  end: () => Promise<void>
}

const steps: DurableSteps = {
  async do<T>(_name: string, work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1)
      try {
        return await work()
      } catch (error) {
        if (tries === STEP_TRIES) throw error
      }
  },
  sleep: () => Promise.resolve(),
}
/** A workflow that the platform starts when the test says so. */
function workflow<Params>() {
  const started: Params[] = []
  const stand = {
    create: ({ params }: { params: Params }) => Promise.resolve(void started.push(params)),
    get: () => Promise.reject(new Error('no such instance')),
  }
  return { take: () => started.splice(0), binding: stand as never }
}

function depsOver(stores: FaultyStores, now = Date.now(), overrides: Partial<Deps> = {}): Deps {
  const parsed = readSettings(env)
  if (!parsed.ok) throw new Error(parsed.problem)
  const own = { clock: { now: () => now }, onOutbox: () => undefined, onCommit: () => undefined }
  const tasks = { waitUntil: (work: Promise<unknown>) => void work.catch(() => undefined) }
  return createDeps(stores.bindings, parsed.settings, tasks, { ...own, ...overrides })
}
const count = (sql: string, ...values: string[]) =>
  env.DB.prepare(`SELECT count(*) AS n FROM ${sql}`)
    .bind(...values)
    .first<number>('n')
const keysUnder = async (prefix: string): Promise<string[]> =>
  (await env.FILES.list({ prefix })).objects.map(({ key }) => key)
const loadedKeys = async (workspaceId: string): Promise<string[]> =>
  (
    await env.DB.prepare(
      'SELECT DISTINCT object_key AS key FROM runs WHERE workspace_id = ? AND object_key IS NOT NULL',
    )
      .bind(workspaceId)
      .all<{ key: string }>()
  ).results.map(({ key }) => key)

/** The object that holds a workspace's rows is so much later: leases of whoever is gone run out by its clock. */
const letPass = (workspaceId: string, minutes: number): Promise<void> =>
  runInDurableObject(env.WAREHOUSE.get(env.WAREHOUSE.idFromName(workspaceId)), ({ context }: Warehouse) => {
    context.clock = { now: () => Date.now() + minutes * MINUTE_MS }
  })

/** Rounds of the scheduler from now on, and what they start. */
async function rounds(
  at: { deps: (now: number) => Deps; syncs: () => SyncSourceParams[] },
  minutes: readonly number[],
): Promise<void> {
  for (const minute of minutes) {
    const now = Date.now() + minute * MINUTE_MS
    for (const chore of [startDueSyncs, reconcileSyncs, reconcileRuns, purgeSyncObjects])
      await chore(at.deps(now)).catch(() => undefined)
    for (const params of at.syncs()) await runSync(steps, () => at.deps(now), params).catch(() => undefined)
  }
}
/** The first round wakes what was silent, the second gives up what is lost, the others begin anew. */
const AFTERWARDS = [6, 70, 80, 26 * 60]

async function aSync(stores: FaultyStores, syncs: ReturnType<typeof workflow<SyncSourceParams>>): Promise<Deed> {
  const at = await fileSource({ frequencyHours: 24 })
  await at.run(await at.started('before'))
  await env.DB.prepare('UPDATE connections SET next_at = 0 WHERE source_id = ?').bind(at.sourceId).run()
  const old = await at.table()
  const fresh = ['[7,70]', '[8,80]', '[9,90]', '[10,100]'].toSorted()
  at.server.put('/orders.csv', `id,amount\n${fresh.map((row) => row.slice(1, -1)).join('\n')}\n`)
  const overrides = { syncSource: stores.bindings.SYNC_SOURCE }
  const deps = (now: number) => at.deps({ bindings: stores.bindings, now, overrides })
  const world = { deps, syncs: syncs.take }
  return {
    act: () => rounds(world, [0]),
    never: async () => expect([old, fresh]).toContainEqual(await at.table()),
    recover: () => rounds(world, AFTERWARDS),
    async end() {
      expect(await at.table()).toEqual(fresh)
      expect(await at.connection()).toMatchObject({ failures: 0, failure: null })
      expect(await count("syncs WHERE source_id = ? AND state = 'running'", at.sourceId)).toBe(0)
      expect(await count("runs WHERE source_id = ? AND state IN ('queued', 'running')", at.sourceId)).toBe(0)
      expect(await count("runs WHERE source_id = ? AND state = 'succeeded'", at.sourceId)).toBe(2)
      expect(await count("audit WHERE workspace_id = ? AND action = 'dataset.load'", at.workspaceId)).toBe(2)
      expect(await loadedKeys(at.workspaceId)).toEqual(
        expect.arrayContaining(await keysUnder(`syncs/${at.workspaceId}/`)),
      )
    },
  }
}

/** A call that was refused says so in a way that a page can show. */
async function assertClear(answer: Response): Promise<void> {
  if (answer.status < 500) return
  const { code, message, requestId } = await answer.clone().json<ErrorBody>()
  expect([code, message.length > 5, requestId.length > 5]).toEqual([
    answer.status === 503 ? 'busy' : 'internal',
    true,
    true,
  ])
}
/** Calls as a page makes them: what failed on our side is asked again, as the same call. */
function persistent(me: SignedIn, stores: FaultyStores, keyed: string): SignedIn {
  let calls = 0
  return {
    ...me,
    async fetch(path: string, init: CallInit = {}) {
      calls += 1
      const headers = { ...init.headers, 'idempotency-key': `${keyed}-${calls}` }
      for (;;) {
        const answer = await me.fetch(path, { ...init, headers, bindings: stores.bindings })
        await assertClear(answer)
        if (answer.status < 500) return answer
      }
    },
  }
}

async function aConnection(stores: FaultyStores, syncs: ReturnType<typeof workflow<SyncSourceParams>>): Promise<Deed> {
  const server = createFileServer({ key: FILE_KEY })
  server.put('/orders.csv', ORDERS)
  const outside: Partial<Deps> = {
    resolve: () => Promise.resolve(['93.184.216.34']),
    targetFetcher: (request) => server.answer(request),
    onOutbox: () => undefined,
    onCommit: () => undefined,
  }
  const me = await signedIn({ app: createApp(outside) })
  const json = {
    ...{ kind: 'url', name: 'Orders', settings: { url: FILE_URL }, secrets: { headers: `X-Api-Key: ${FILE_KEY}` } },
    ...{ streams: [{ key: 'file', mode: 'replace' }], frequencyHours: 24 },
  }
  const connect = () => me.fetch('/api/connectors/sources', { method: 'POST', json, bindings: stores.bindings })
  const known = ['data_sources', 'connections', 'connection_streams']
  const counts = () => Promise.all(known.map((table) => count(`${table} WHERE workspace_id = ?`, me.workspaceId)))
  const world = { deps: (now: number) => depsOver(stores, now, outside), syncs: syncs.take }
  return {
    act: async () => assertClear(await connect()),
    never: async () =>
      expect([
        [0, 0, 0],
        [1, 1, 1],
      ]).toContainEqual(await counts()),
    async recover() {
      // Its credentials are kept nowhere but in the source: the same call again is another one, whose name is taken.
      if ((await counts())[0] === 0) expect((await connect()).status).toBe(201)
      else expect((await connect()).status).toBe(409)
      await rounds(world, [0, ...AFTERWARDS])
    },
    async end() {
      expect(await counts()).toEqual([1, 1, 1])
      const sql = 'SELECT id FROM datasets WHERE workspace_id = ?'
      const datasetId = await env.DB.prepare(sql).bind(me.workspaceId).first<string>('id')
      expect(await shownRows(depsOver(faultyStores()), me, datasetId)).toEqual(['[1,10]', '[2,20]', '[3,30]'])
      expect(await count("syncs WHERE workspace_id = ? AND state = 'running'", me.workspaceId)).toBe(0)
    },
  }
}

async function aFile(stores: FaultyStores, loads: ReturnType<typeof workflow<LoadFileParams>>): Promise<Deed> {
  const me = await signedIn()
  const page = persistent(me, stores, 'file')
  const run = async (): Promise<void> => {
    for (const params of loads.take()) {
      const deps = () => depsOver(stores)
      const end = await loadInSteps(steps, deps, { params }).catch(() => null)
      if (end && end.kind !== 'loaded' && end.kind !== 'unchanged')
        await endRun(deps(), params, end.kind === 'refused' ? end.refusal : end.halt)
    }
  }
  const rows = async (): Promise<string[] | null> => {
    const sql = 'SELECT id FROM datasets WHERE workspace_id = ?'
    return shownRows(depsOver(faultyStores()), me, await env.DB.prepare(sql).bind(me.workspaceId).first<string>('id'))
  }
  return {
    async act() {
      const uploadId = await uploadText(
        page,
        sales([
          ['Åsa', 1],
          ['Bo', 2],
        ]),
      )
      const made = await createSource(page, sourceInput(uploadId, { name: 'Sales' }), stores.bindings)
      expect(made.status).toBe(201)
      await run()
    },
    never: async () => expect([null, 0, 2]).toContain((await rows())?.length ?? null),
    async recover() {
      // A load that could not be started is shown as interrupted once nobody is at it, and is tried again.
      const later = Date.now() + 10 * MINUTE_MS
      await reconcileRuns(depsOver(stores, later))
      const sql = "SELECT id FROM runs WHERE workspace_id = ? AND state = 'interrupted'"
      const lost = await env.DB.prepare(sql).bind(me.workspaceId).first<string>('id')
      if (lost !== null) expect((await page.fetch(`/api/runs/${lost}/retry`, { method: 'POST' })).status).toBe(201)
      await run()
      await deleteExpiredUploads(depsOver(stores, Date.now() + 48 * HOUR_MS))
    },
    async end() {
      expect(await rows()).toHaveLength(2)
      expect(await count("runs WHERE workspace_id = ? AND state = 'succeeded'", me.workspaceId)).toBe(1)
      expect(await count('data_sources WHERE workspace_id = ?', me.workspaceId)).toBe(1)
      expect(await count('uploads WHERE workspace_id = ?', me.workspaceId)).toBe(0)
      expect(await loadedKeys(me.workspaceId)).toHaveLength(1)
    },
  }
}

async function aDeletion(stores: FaultyStores): Promise<Deed> {
  const me = await signedIn()
  const { source, datasetId } = await createLoadedSource(me, sales([['Åsa', 1]]))
  const page = persistent(me, stores, 'delete')
  const [key] = await loadedKeys(me.workspaceId)
  const purge = (days: number) =>
    purgeDeletedDatasets(depsOver(stores, Date.now() + DELETED_RETENTION_MS + days * 24 * HOUR_MS))
  return {
    async act() {
      const path = `/api/data-sources/${source.id}?version=${source.version}`
      expect((await page.fetch(path, { method: 'DELETE' })).status).toBe(200)
      await purge(1).catch(() => undefined)
    },
    never: () => Promise.resolve(),
    recover: () => purge(2),
    async end() {
      expect(await shownRows(depsOver(faultyStores()), me, datasetId)).toBeNull()
      for (const table of ['data_sources', 'datasets', 'runs'])
        expect([table, await count(`${table} WHERE workspace_id = ?`, me.workspaceId)]).toEqual([table, 0])
      expect(await env.FILES.head(key ?? '')).toBeNull()
    },
  }
}

async function aPush(stores: FaultyStores): Promise<Deed> {
  const me = await signedIn()
  const json = { kind: 'push', name: 'Events', settings: { key: 'id' }, secrets: {}, streams: [], frequencyHours: 24 }
  const made = await me.fetch('/api/connectors/sources', { method: 'POST', json })
  const { source, token } = await made.json<{ source: { id: string }; token: string }>()
  const of = { sourceId: source.id, workspaceId: me.workspaceId }
  const inbox = () => env.PUSH_INBOX.getByName(source.id)
  const rows = async (): Promise<string[]> => {
    const sql = 'SELECT id FROM datasets WHERE source_id = ?'
    const datasetId = await env.DB.prepare(sql).bind(source.id).first<string>('id')
    return (await shownRows(depsOver(faultyStores()), me, datasetId)) ?? []
  }
  const send = async (key: string, bindings: object): Promise<Response> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key }
    const body = `[{"id":"${key}1","n":1},{"id":"${key}2","n":2}]`
    const answer = await callApp(me.app, `/api/ingest/${source.id}`, { method: 'POST', headers, body }, bindings)
    await assertClear(answer)
    return answer
  }
  const applied = async (all: number): Promise<void> => {
    await expect.poll(async () => (await rows()).length).toBe(all)
    await expect.poll(() => count("syncs WHERE source_id = ? AND state = 'running'", source.id)).toBe(0)
  }
  const drain = async (minutes: number): Promise<void> => {
    const deps = depsOver(stores, Date.now() + minutes * MINUTE_MS)
    for (const chore of [reconcileSyncs, reconcileRuns]) await chore(deps).catch(() => undefined)
    await drainPushed(deps, of).catch(() => undefined)
  }
  expect((await send('a', env)).status).toBe(202)
  await applied(2)
  return {
    async act() {
      // One that waits, which nobody but this is at.
      await runInDurableObject(inbox(), (_inbox, { storage }) => {
        const batch = { key: 'c', bodyHash: 'c', body: '"c1",1\n"c2",2\n', rowCount: 2, now: Date.now() }
        inboxStore(storage.sql).insert(batch)
      })
      await drain(0)
      await send('b', stores.bindings)
    },
    never: async () => expect([2, 4, 6]).toContain((await rows()).length),
    async recover() {
      expect((await send('b', stores.bindings)).status).toBe(202)
      await letPass(me.workspaceId, 3)
      for (const minutes of [3, 3 * 60]) await drain(minutes)
    },
    async end() {
      await applied(6)
      expect(await inbox().hasWaiting()).toBe(false)
    },
  }
}

const DEEDS: { name: string; sites: number; begin: (stores: FaultyStores, started: never) => Promise<Deed> }[] = [
  { name: 'a sync', sites: 40, begin: aSync },
  { name: 'a source that is connected', sites: 6, begin: aConnection },
  { name: 'a file that is sent and loaded', sites: 30, begin: aFile },
  { name: 'a source that is deleted for good', sites: 10, begin: aDeletion },
  { name: 'rows that programs send', sites: 20, begin: aPush },
]

/** What other tests left behind is not due. */
beforeEach(async () => {
  await env.DB.prepare('UPDATE connections SET paused = 1').run()
})

it.each(DEEDS)(
  '$name comes to its end whichever one call of a store fails, and is never there in part (STO-1)',
  async (deed) => {
    const prepare = async () => {
      const started = workflow<SyncSourceParams & LoadFileParams>()
      const stores = faultyStores({ SYNC_SOURCE: started.binding, LOAD_FILE: started.binding })
      return { stores, ...(await deed.begin(stores, started as never)) }
    }
    const whole = await prepare()
    await whole.act()
    const sites = whole.stores.calls.slice()
    expect(sites.length).toBeGreaterThanOrEqual(deed.sites)
    await whole.recover()
    await whole.end()
    const every = sites.flatMap((site, n) => STORE_FAULTS.map((kind) => ({ site, nth: n + 1, kind })))
    // In the short run some of each kind, spread over all of it.
    const apart = Math.ceil(every.length / 5)
    const tried = LONG ? every : every.filter((_, n) => n % apart === Math.floor(apart / 2))
    for (const { site, nth, kind } of tried) {
      const at = await prepare()
      at.stores.breakAt(nth, kind)
      try {
        await at.act()
        expect(at.stores.hasBroken()).toBe(true)
        await at.never()
        await at.recover()
        await at.end()
      } catch (cause) {
        throw new Error(`${site} failed, ${kind} it was done`, { cause })
      }
    }
    if (LONG) console.info(`${deed.name}: ${tried.length} faults at ${new Set(sites).size} kinds of calls`)
  },
)
