import { createExecutionContext, env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { openConsent } from './consent-service'
import { runSync } from '../sync/run-sync'
import { signedIn, type SignedIn } from '../../../test/worker/factories'
import { createFortnox, type FortnoxEmulator } from '../../../emulators/fortnox/app.ts'
import { vendorCompany } from '../../../emulators/vendors/company.ts'
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
  const emulator = createFortnox({ origin: VENDOR, company: vendorCompany(TODAY) })
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
async function consent(me: SignedIn, emulator: FortnoxEmulator, decision = 'allow'): Promise<Response> {
  const started = await me.fetch('/api/connectors/consents', { method: 'POST', json: { kind: 'fortnox' } })
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
    expect(placeOf(await consent(me, emulator, 'deny')).searchParams.get('problem')).toBe('denied')
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

describe('books of Fortnox', () => {
  it('make a profit and loss, from consent to the last krona', { timeout: 60_000 }, async () => {
    const { emulator, overrides, deps } = installation()
    const me = await signedIn({ deps: overrides })
    const id = placeOf(await consent(me, emulator)).searchParams.get('consent') ?? ''
    const { workspaceId, userId } = me
    const given = await openConsent(deps, Scope.forJob({ workspaceId, userId, epoch: '' }), { id, kind: 'fortnox' })
    const [sourceId, syncId] = [systemIds.next('source'), systemIds.next('sync')]
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
    const books = streams.filter(({ key }) => key.startsWith('ledger.') || key === 'customers')
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
      store.insertSync(
        {
          id: syncId,
          sourceId,
          slot: 'first',
          trigger: 'first',
          actorId: null,
          acceptDrift: false,
          startedAt: Date.now(),
        },
        null,
      ),
    ])
    await runSync(AT_ONCE, () => deps, { syncId, sourceId, workspaceId })
    const sync = await store.sync(syncId)
    expect([sync?.state, sync?.error, sync?.rowsRejected]).toEqual(['succeeded', null, 0])

    const answer = await me.fetch(`/api/statements/${sourceId}?statement=income&view=years`)
    expect(answer.status).toBe(200)
    const { columns, rows } = await answer.json<Statement>()
    const at = columns.findIndex(({ kind, span }) => kind === 'actual' && span.from === '2025-01-01')
    const shown = new Map(
      rows.flatMap(({ accounts = [] }) => accounts.map(({ account, values }) => [account, values[at]])),
    )
    const results = emulator.books.company.years[1]?.results ?? new Map()
    for (const account of [3001, 4010, 5010, 7210, 8410] as const)
      expect([account, Math.abs(Number(shown.get(String(account))))]).toEqual([
        account,
        Math.abs(results.get(account) ?? 0) / 100,
      ])
  })
})
