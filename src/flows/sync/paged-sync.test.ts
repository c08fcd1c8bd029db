import { env } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { startDueSyncs } from './due-syncs'
import { runSync } from './run-sync'
import { createShopify, type ShopifyEmulator } from '../../../emulators/shopify/app.ts'
import { smallCompany } from '../../../emulators/vendors/company.ts'
import { SHOPIFY_TEST_TOKEN } from '../../../emulators/vendors/test-keys.ts'
import { LONG } from '../../../test/long'
import { signedIn, type SignedIn } from '../../../test/worker/factories'
import { findConnector } from '../../connectors/registry'
import { createDeps, type Deps } from '../../deps'
import { readSettings } from '../../settings'
import type { SyncSourceParams } from '../../shared/data-sources/connections'
import { contextFor, sealCredentials } from '../../sync/credentials'
import { connectionStore } from '../../sync/connection-store'
import type { DurableSteps } from '../../sync/durable-steps'
import { startSync } from '../../sync/start-sync'

const SOURCES = LONG ? 100 : 6
/** Of one workspace: its plan has room for them. */
const OF_ONE = 2
const FINAL_MS = 120_000
const STEPS: DurableSteps = { do: (_name, work) => work(), sleep: () => Promise.resolve() }

type Answer = (request: Request) => Promise<Response>
const shop = (orders = 130): ShopifyEmulator => {
  let at = Date.now()
  // Points have come back whenever it is asked.
  const now = (): number => (at += 10_000)
  return createShopify({ origin: 'https://x.example', company: smallCompany('2026-06-15', { orders }), now })
}

function depsTo(answer: Answer, started: (params: SyncSourceParams) => void = () => undefined): Deps {
  const parsed = readSettings(env)
  if (!parsed.ok) throw new Error(parsed.problem)
  const create = ({ params }: { params: SyncSourceParams }) => Promise.resolve(started(params))
  return createDeps(
    env,
    parsed.settings,
    { waitUntil: () => undefined },
    {
      resolve: () => Promise.resolve(['93.184.216.34']),
      targetFetcher: answer,
      syncSource: { create } as never,
      reporter: { report: () => undefined } as never,
    },
  )
}

/** A store of its own, of which orders are read. */
async function connect(deps: Deps, person: SignedIn, name: string): Promise<string> {
  const { workspaceId, userId } = person
  const sourceId = deps.ids.next('source')
  const settings = { shop: `${name}.myshopify.com`, access: 'token' }
  const secrets = { token: SHOPIFY_TEST_TOKEN }
  const sealed = await sealCredentials(deps, { workspaceId, sourceId }, secrets)
  const registered = findConnector('shopify')
  if (!registered || !sealed) throw new Error('There is no such kind.')
  const context = contextFor(deps, registered, { connection: { settings, secrets }, budgetOf: sourceId })
  const [stream] = await registered.connector.discover(context)
  if (!stream) throw new Error('There is no stream.')
  const store = connectionStore(deps.db, workspaceId)
  const row = { sourceId, kind: 'shopify' as const, settings, frequencyHours: 24, nextAt: 0, pushTokenHash: null }
  const { d1 } = deps.db
  await d1.batch([
    d1
      .prepare(
        `INSERT INTO data_sources (id, workspace_id, type, name, name_key, state, owner_id, created_at, updated_at) VALUES (?, ?, 'shopify', ?, ?, 'draft', ?, 0, 0)`,
      )
      .bind(sourceId, workspaceId, name, name, userId),
    store.insert({ ...row, secrets: sealed.sealed }, sealed.keyId),
    ...store.replaceStreams(sourceId, [{ key: stream.key, stream, mode: 'upsert' }]),
  ])
  return sourceId
}

async function sync(deps: Deps, of: { sourceId: string; workspaceId: string }, slot: string): Promise<void> {
  const row = { ...of, frequencyHours: 24 }
  const syncId = await startSync(deps, { row, slot, trigger: 'schedule', actorId: null, planHours: 6 })
  if (syncId === null) throw new Error('not started')
  await runSync(STEPS, () => deps, { syncId, ...of })
}
const rowsOf = (sourceId: string) =>
  env.DB.prepare('SELECT row_count AS n FROM datasets WHERE source_id = ?').bind(sourceId).first<number>('n')
const statesOf = async (ids: readonly string[]): Promise<string[]> => {
  const sql = 'SELECT state FROM syncs WHERE source_id IN (SELECT value FROM json_each(?)) ORDER BY state'
  const { results } = await env.DB.prepare(sql).bind(JSON.stringify(ids)).all<{ state: string }>()
  return results.map(({ state }) => state)
}

it('keeps one row of each key where rows and pages come twice or shift, and ends where pages go round (SYN-3)', async () => {
  const store = shop()
  const deps = depsTo((request) => store.fetch(request))
  const person = await signedIn()
  const { workspaceId } = person
  const sourceId = await connect(deps, person, 'shifting')
  const of = { sourceId, workspaceId }
  const orders = store.store.orders.length
  await sync(deps, of, 'a')
  expect(await rowsOf(sourceId)).toBe(orders)
  // Everything is told again, in another order, and one order comes in between the pages.
  for (const order of store.store.orders) order.updatedAt = new Date().toISOString()
  store.store.order(new Date().toISOString())
  await sync(deps, of, 'b')
  expect(await rowsOf(sourceId)).toBe(orders + 1)
  for (const order of store.store.orders) order.updatedAt = new Date(Date.now() + 60_000).toISOString()
  store.world.order('repeat-page', { after: 1, times: 50 })
  await sync(deps, of, 'c')
  const { failure } = (await connectionStore(deps.db, workspaceId).get(sourceId)) ?? {}
  expect(failure?.reason).toMatch(/down|drift/)
  expect(await rowsOf(sourceId)).toBe(orders + 1)
})

it(`brings in ${SOURCES - 1} of ${SOURCES} sources that are due at once, while one hangs (SYN-7)`, async () => {
  const store = shop(20)
  const { promise: forever, resolve: release } = Promise.withResolvers<Response>()
  let isHanging = false
  const answer: Answer = (request) =>
    isHanging && new URL(request.url).hostname.startsWith('hangs') ? forever : store.fetch(request)
  const running: Promise<void>[] = []
  const deps = depsTo(answer, (params) => running.push(runSync(STEPS, () => deps, params)))
  const ids: string[] = []
  for (let n = 0; n < SOURCES; n += OF_ONE) {
    const person = await signedIn()
    for (let i = 0; i < OF_ONE; i += 1)
      ids.push(await connect(deps, person, ids.length === 0 ? 'hangs' : `shop-${n}-${i}`))
  }
  isHanging = true
  const began = Date.now()
  await startDueSyncs(deps)
  expect(running.length).toBeGreaterThanOrEqual(SOURCES)
  const others = ids.slice(1)
  await expect
    .poll(async () => (await statesOf(others)).filter((state) => state === 'succeeded').length, { timeout: FINAL_MS })
    .toBe(SOURCES - 1)
  expect(Date.now() - began).toBeLessThan(FINAL_MS)
  expect(await statesOf(ids.slice(0, 1))).toEqual(['running'])
  const counts = await Promise.all(others.map(rowsOf))
  expect(new Set(counts)).toEqual(new Set([store.store.orders.length]))
  release(new Response('', { status: 500 }))
  isHanging = false
  await Promise.all(running)
  expect((await statesOf(ids.slice(0, 1)))[0]).not.toBe('running')
})
