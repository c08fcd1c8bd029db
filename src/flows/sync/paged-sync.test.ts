import { env } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { runSync } from './run-sync'
import { createShopify, type ShopifyEmulator } from '../../../emulators/shopify/app.ts'
import { smallCompany } from '../../../emulators/vendors/company.ts'
import { SHOPIFY_TEST_TOKEN } from '../../../emulators/vendors/test-keys.ts'
import { casesOf, LONG } from '../../../test/long'
import { signedIn, type SignedIn } from '../../../test/worker/factories'
import { INSTANT_STEPS } from '../../../test/worker/syncs/file-source'
import { shownRows } from '../../../test/worker/syncs/shown-rows'
import { findConnector } from '../../connectors/registry'
import { createDeps, type Deps } from '../../deps'
import { readSettings } from '../../settings'
import { contextFor, sealCredentials } from '../../sync/credentials'
import { connectionStore } from '../../sync/connection-store'
import { startSync } from '../../sync/start-sync'

type Answer = (request: Request) => Promise<Response>
const shop = (orders = 130): ShopifyEmulator => {
  let at = Date.now()
  // Points have come back whenever it is asked.
  const now = (): number => (at += 10_000)
  return createShopify({ origin: 'https://x.example', company: smallCompany('2026-06-15', { orders }), now })
}

function depsTo(answer: Answer): Deps {
  const parsed = readSettings(env)
  if (!parsed.ok) throw new Error(parsed.problem)
  const create = () => Promise.resolve()
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
  await runSync(INSTANT_STEPS, () => deps, { syncId, ...of })
}
const rowsOf = (sourceId: string) =>
  env.DB.prepare('SELECT row_count AS n FROM datasets WHERE source_id = ?').bind(sourceId).first<number>('n')
const datasetOf = (sourceId: string) =>
  env.DB.prepare('SELECT id FROM datasets WHERE source_id = ?').bind(sourceId).first<string>('id')

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

const FAULTS = ['error', 'cut-off'] as const
/** Calls of a sync that go well before the source breaks off. */
const CALLS = casesOf(
  Array.from({ length: 40 }, (_, n) => n),
  ...[0, 1, 2],
)

it.each(FAULTS)('keeps the rows of before where a source breaks off at any of its pages: %s (SYN-1)', async (fault) => {
  const store = shop(LONG ? 2_000 : 130)
  const deps = depsTo((request) => store.fetch(request))
  const person = await signedIn()
  const of = { sourceId: await connect(deps, person, 'breaking'), workspaceId: person.workspaceId }
  await sync(deps, of, 'first')
  const shown = async () => shownRows(deps, person, await datasetOf(of.sourceId))
  const before = await shown()
  expect(before).toHaveLength(store.store.orders.length)
  const soon = new Date(Date.now() + 60_000).toISOString()
  for (const order of store.store.orders) order.updatedAt = soon
  store.store.order(soon)
  let brokenOff = 0
  for (const after of CALLS) {
    store.world.order(fault, { after, times: 20 })
    await sync(deps, of, `after ${after}`)
    const { failure } = (await connectionStore(deps.db, of.workspaceId).get(of.sourceId)) ?? {}
    // One that has fewer pages than these came to its end.
    if (failure === null) break
    brokenOff += 1
    expect([after, failure?.reason]).toEqual([after, 'down'])
    expect(await shown()).toEqual(before)
    store.world.order(fault, { times: 0 })
  }
  expect(brokenOff).toBeGreaterThanOrEqual(3)
  store.world.order(fault, { after: 10_000 })
  await sync(deps, of, 'mended')
  expect(await shown()).toHaveLength(store.store.orders.length)
})
