import { createExecutionContext, env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { openConsent } from './consent-service'
import { runSync } from '../sync/run-sync'
import { signedIn, type SignedIn } from '../../../test/worker/factories'
import { createFortnox, FORTNOX_TENANT, type FortnoxEmulator } from '../../../emulators/fortnox/app.ts'
import { smallCompany } from '../../../emulators/vendors/company.ts'
import { FORTNOX_TEST_KEYS } from '../../../emulators/vendors/test-keys.ts'
import { fortnoxConnector } from '../../connectors/fortnox/fortnox-connector'
import { createDeps, systemIds, type Deps } from '../../deps'
import { Scope } from '../../identity/scope'
import { readSettings } from '../../settings'
import { connectionStore } from '../../sync/connection-store'
import { contextFor, requireConnector, sealCredentials } from '../../sync/credentials'
import type { DurableSteps } from '../../sync/durable-steps'
import type { Statement } from '../../shared/statements/statements'

const VENDOR = 'https://fortnox.example'
const TODAY = '2026-06-15'

/** An installation with keys at Fortnox, which a stand-in of it answers. */
function installation() {
  const emulator = createFortnox({ origin: VENDOR, company: smallCompany(TODAY, { vouchers: 60 }) })
  const parsed = readSettings({
    ...env,
    FORTNOX_CLIENT_ID: FORTNOX_TEST_KEYS.clientId,
    FORTNOX_CLIENT_SECRET: FORTNOX_TEST_KEYS.clientSecret,
    FORTNOX_API_URL: VENDOR,
    FORTNOX_ACCOUNTS_URL: VENDOR,
  })
  if (!parsed.ok) throw new Error(parsed.problem)
  const overrides: Partial<Deps> = {
    settings: parsed.settings,
    targetFetcher: (request) => emulator.fetch(request),
    onOutbox: () => undefined,
  }
  return { emulator, overrides, deps: createDeps(env, parsed.settings, createExecutionContext(), overrides) }
}

/** The consent's way through the vendor's page and back. */
async function consent(
  me: SignedIn,
  emulator: FortnoxEmulator,
  { decision = 'allow', sourceId }: { decision?: 'allow' | 'deny'; sourceId?: string } = {},
): Promise<Response> {
  const json = { kind: 'fortnox', ...(sourceId === undefined ? {} : { sourceId }) }
  const started = await me.fetch('/api/connectors/consents', { method: 'POST', json })
  expect(started.status).toBe(201)
  const url = new URL((await started.json<{ url: string }>()).url)
  url.searchParams.set('decision', decision)
  const back = new URL((await emulator.fetch(new Request(url))).headers.get('location') ?? '')
  return me.fetch(back.pathname + back.search)
}
const placeOf = (answer: Response): URL => new URL(answer.headers.get('location') ?? '', 'http://localhost')

const AT_ONCE: DurableSteps = { do: (_name, work) => work(), sleep: () => Promise.resolve() }

describe('consent', () => {
  it('leads back into the wizard of its kind, with what it gave kept for its person alone', async () => {
    const { emulator, overrides, deps } = installation()
    const me = await signedIn({ deps: overrides })
    const place = placeOf(await consent(me, emulator))
    expect([place.pathname, place.searchParams.get('w')]).toEqual(['/data-sources/new/fortnox', me.workspaceId])
    const id = place.searchParams.get('consent') ?? ''
    const scopeOf = (userId: string) => Scope.forJob({ workspaceId: me.workspaceId, userId, epoch: '' })
    const given = await openConsent(deps, scopeOf(me.userId), { id, kind: 'fortnox' })
    expect(given.settings).toMatchObject({ tenant: '555001' })
    const rows = await env.DB.prepare('SELECT * FROM consents WHERE id = ?').bind(id).first()
    expect(JSON.stringify(rows)).not.toContain(given.secrets['accessToken'])
    await expect(openConsent(deps, scopeOf('usr_other'), { id, kind: 'fortnox' })).rejects.toThrow('too old')
    await expect(openConsent(deps, scopeOf(me.userId), { id, kind: 'visma' })).rejects.toThrow('too old')
  })

  it('that was refused says so, and one that comes back twice, late or elsewhere is none', async () => {
    const { emulator, overrides } = installation()
    const me = await signedIn({ deps: overrides })
    expect(placeOf(await consent(me, emulator, { decision: 'deny' })).searchParams.get('problem')).toBe('denied')
    const started = await me.fetch('/api/connectors/consents', { method: 'POST', json: { kind: 'fortnox' } })
    const url = new URL((await started.json<{ url: string }>()).url)
    url.searchParams.set('decision', 'allow')
    const back = new URL((await emulator.fetch(new Request(url))).headers.get('location') ?? '')
    const other = await signedIn({ deps: overrides })
    const problem = async (who: SignedIn) =>
      placeOf(await who.fetch(back.pathname + back.search)).searchParams.get('problem')
    expect(await problem(other)).toBe('expired')
    // Whoever brought it here first has used it up.
    expect(await problem(me)).toBe('expired')
    expect(emulator.desk.issued.code).toBe(0)
  })

  it('is begun by who may connect sources, for a kind that has it', async () => {
    const { overrides } = installation()
    const me = await signedIn({ deps: overrides, role: 'viewer' })
    const start = (who: SignedIn, kind: string) =>
      who.fetch('/api/connectors/consents', { method: 'POST', json: { kind } }).then(({ status }) => status)
    expect(await start(me, 'fortnox')).toBe(403)
    const owner = await signedIn({ deps: overrides })
    expect([await start(owner, 'stripe'), await start(owner, 'visma'), await start(owner, 'abacus')]).toEqual([
      404, 403, 422,
    ])
  })
})

/** A source of Fortnox with a consent's access, and its first sync; answers the outcome of a sync. */
async function connectedSource({ deps, me, consentId }: { deps: Deps; me: SignedIn; consentId: string }) {
  const { workspaceId, userId } = me
  const given = await openConsent(deps, Scope.forJob({ workspaceId, userId, epoch: '' }), {
    id: consentId,
    kind: 'fortnox',
  })
  const sourceId = systemIds.next('source')
  await env.DB.prepare(
    `INSERT INTO data_sources (id, workspace_id, type, name, name_key, state, owner_id, created_at, updated_at)
     VALUES (?1, ?2, 'fortnox', 'Fortnox', 'fortnox', 'ready', ?3, ?4, ?4)`,
  )
    .bind(sourceId, workspaceId, userId, Date.now())
    .run()
  const store = connectionStore(deps.db, workspaceId)
  const sealed = await sealCredentials(deps, { workspaceId, sourceId }, given.secrets)
  const registered = requireConnector(deps, 'fortnox')
  const streams = await fortnoxConnector.discover(
    contextFor(deps, registered, { connection: given, budgetOf: sourceId }),
  )
  const books = streams.filter(({ key }) => key.startsWith('ledger.'))
  await env.DB.batch([
    store.insert(
      {
        ...{ sourceId, kind: 'fortnox', settings: { ...given.settings }, secrets: sealed?.sealed ?? null },
        ...{ frequencyHours: 24, nextAt: null, pushTokenHash: null },
      },
      sealed?.keyId ?? null,
    ),
    ...store.replaceStreams(
      sourceId,
      books.map((stream) => ({ key: stream.key, stream, mode: 'replace' as const })),
    ),
  ])
  const sync = async (slot: string) => {
    const syncId = systemIds.next('sync')
    const row = { id: syncId, sourceId, slot, trigger: 'schedule' as const, actorId: null, acceptDrift: false }
    await store.insertSync({ ...row, startedAt: Date.now() }, null).run()
    await runSync(AT_ONCE, () => deps, { syncId, sourceId, workspaceId })
    return store.sync(syncId)
  }
  return { sourceId, store, sync }
}

describe('books of Fortnox', () => {
  it('make a profit and loss, from consent to the last krona, and again after access was lost', async () => {
    const { emulator, overrides, deps } = installation()
    const me = await signedIn({ deps: overrides })
    const consentId = placeOf(await consent(me, emulator)).searchParams.get('consent') ?? ''
    const { sourceId, store, sync } = await connectedSource({ deps, me, consentId })
    expect(await sync('first')).toMatchObject({ state: 'succeeded', error: null, rowsRejected: 0 })

    const answer = await me.fetch(`/api/statements/${sourceId}?statement=income&view=years`)
    expect(answer.status).toBe(200)
    const { columns, rows } = await answer.json<Statement>()
    const at = columns.findIndex(({ kind, span }) => kind === 'actual' && span.from.startsWith('2025-01'))
    const shown = rows.flatMap(({ accounts = [] }) => accounts.map(({ account, values }) => [account, values[at]]))
    const results = [...(emulator.books.years[0]?.year.results ?? [])].filter(([, amount]) => amount !== 0)
    expect(results.length).toBeGreaterThan(3)
    const sizeOf = (amount: unknown): number => Math.abs(Math.round(Number(amount) * 100))
    const known = new Map(shown.map(([account, value]) => [Number(account), sizeOf(value)]))
    for (const [account, amount] of results) expect([account, known.get(account)]).toEqual([account, Math.abs(amount)])

    emulator.desk.revoke(FORTNOX_TENANT)
    expect(await sync('second')).toMatchObject({ state: 'failed' })
    const failed = await store.get(sourceId)
    expect(failed).toMatchObject({
      failure: { reason: 'auth', message: 'Fortnox no longer accepts our access.', mend: 'Reconnect.' },
      nextAt: null,
    })
    const place = placeOf(await consent(me, emulator, { sourceId }))
    expect(place.pathname).toBe(`/data-sources/${sourceId}`)
    const json = { consent: place.searchParams.get('consent') }
    const reconnect = (who: SignedIn) => who.fetch(`/api/data-sources/${sourceId}/reconnect`, { method: 'POST', json })
    expect((await reconnect(await signedIn({ deps: overrides }))).status).toBe(404)
    expect((await reconnect(me)).status).toBe(200)
    // It is worth nothing twice.
    expect((await reconnect(me)).status).toBe(404)
    emulator.books.postRent()
    expect(await sync('third')).toMatchObject({ state: 'succeeded' })
    expect(await store.get(sourceId)).toMatchObject({ failure: null, failures: 0 })
  })
})
