import { createExecutionContext, env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { runSync } from '../sync/run-sync'
import { signedIn, type SignedIn } from '../../../test/worker/factories'
import { createFortnox, FORTNOX_TENANT, type FortnoxEmulator } from '../../../emulators/fortnox/app.ts'
import { smallCompany } from '../../../emulators/vendors/company.ts'
import { FORTNOX_TEST_KEYS } from '../../../emulators/vendors/test-keys.ts'
import { createDeps, systemIds, type Deps } from '../../deps'
import { readSettings } from '../../settings'
import { connectionStore } from '../../sync/connection-store'
import type { DurableSteps } from '../../sync/durable-steps'
import type { ConnectionDetails, TestedSource } from '../../shared/data-sources/connections'
import type { DataSource } from '../../shared/data-sources/data-sources'
import type { Statement } from '../../shared/statements/statements'

const VENDOR = 'https://fortnox.example'
const TODAY = '2026-06-15'
const CALL_MS = 250
const AT_ONCE: DurableSteps = { do: (_name, work) => work(), sleep: () => Promise.resolve() }
/** Syncs are run by the test itself. */
const syncSource = new Proxy(env.SYNC_SOURCE, { get: () => () => Promise.resolve({ id: 'none' }) })

/** An installation with keys at Fortnox, which a stand-in of it answers. */
function installation() {
  // Its calls are far enough apart to stay below its limit.
  let at = Date.now()
  const company = smallCompany(TODAY, { vouchers: 40 })
  const emulator = createFortnox({ origin: VENDOR, company, now: () => (at += CALL_MS) })
  const parsed = readSettings({
    ...env,
    FORTNOX_CLIENT_ID: FORTNOX_TEST_KEYS.clientId,
    FORTNOX_CLIENT_SECRET: FORTNOX_TEST_KEYS.clientSecret,
    FORTNOX_API_URL: VENDOR,
    FORTNOX_ACCOUNTS_URL: VENDOR,
  })
  if (!parsed.ok) throw new Error(parsed.problem)
  const { settings } = parsed
  const overrides: Partial<Deps> = {
    ...{ settings, syncSource, onOutbox: () => undefined },
    targetFetcher: (request) => emulator.fetch(request),
  }
  return { emulator, overrides, deps: createDeps(env, settings, createExecutionContext(), overrides) }
}

/** Where the vendor's page leads back to. */
async function vendorAnswer(
  me: SignedIn,
  emulator: FortnoxEmulator,
  { decision = 'allow', sourceId }: { decision?: 'allow' | 'deny'; sourceId?: string } = {},
): Promise<string> {
  const json = { kind: 'fortnox', settings: {}, ...(sourceId === undefined ? {} : { sourceId }) }
  const started = await me.fetch('/api/connectors/consent', { method: 'POST', json })
  expect([started.status, await started.clone().text()]).toEqual([200, expect.anything()])
  const url = new URL((await started.json<{ url: string }>()).url)
  url.searchParams.set('decision', decision)
  const back = new URL((await emulator.fetch(new Request(url))).headers.get('location') ?? '')
  return back.pathname + back.search
}
const placeOf = async (me: SignedIn, path: string): Promise<URL> =>
  new URL((await me.fetch(path)).headers.get('location') ?? '', 'http://localhost')

describe('consent', () => {
  it('leads back into the wizard of its kind, kept for its person alone and sealed', async () => {
    const { emulator, overrides } = installation()
    const me = await signedIn({ deps: overrides })
    const place = await placeOf(me, await vendorAnswer(me, emulator))
    expect([place.pathname, place.searchParams.get('w')]).toEqual(['/data-sources/new/fortnox', me.workspaceId])
    const draftId = place.searchParams.get('draft') ?? ''
    const row = await env.DB.prepare('SELECT * FROM connection_drafts WHERE id = ?').bind(draftId).first()
    expect(JSON.stringify(row)).toContain('555001')
    expect(JSON.stringify(row)).not.toContain('access-0')
    const json = { kind: 'fortnox', settings: {}, draftId }
    const test = (who: SignedIn) => who.fetch('/api/connectors/test', { method: 'POST', json })
    expect(await (await test(me)).json<TestedSource>()).toMatchObject({ account: expect.stringContaining('Nordviks') })
    expect((await test(await signedIn({ deps: overrides }))).ok).toBe(false)
  })

  it('that was refused, or led to nothing, is told where it goes on', async () => {
    const { emulator, overrides } = installation()
    const me = await signedIn({ deps: overrides })
    const problemOf = async (path: string) => (await placeOf(me, path)).searchParams.get('problem')
    expect(await problemOf(await vendorAnswer(me, emulator, { decision: 'deny' }))).toBe('denied')
    const answer = await vendorAnswer(me, emulator)
    expect(await problemOf(answer.replace(/code=[^&]+/, 'code=made-up'))).toBe('failed')
    expect(emulator.desk.issued.code).toBe(0)
  })

  it('that somebody else brings back is none', async () => {
    const { emulator, overrides } = installation()
    const me = await signedIn({ deps: overrides })
    const place = await placeOf(await signedIn({ deps: overrides }), await vendorAnswer(me, emulator))
    expect([place.pathname, place.search]).toEqual(['/data-sources/new', ''])
    expect(emulator.desk.issued.code).toBe(0)
  })
})

/** A source of Fortnox with a consent's access; `sync` runs one and answers how it ended. */
async function connectedSource({ deps, me, draftId }: { deps: Deps; me: SignedIn; draftId: string }) {
  const tested = await me.fetch('/api/connectors/test', {
    ...{ method: 'POST', json: { kind: 'fortnox', settings: {}, draftId } },
  })
  const { streams } = await tested.json<TestedSource>()
  const chosen = streams
    .filter(({ key }) => /^ledger\.(companies|accounts|entries)$/.test(key))
    .map(({ key }) => ({ key, mode: 'replace' }))
  const json = { name: 'Books', kind: 'fortnox', settings: {}, draftId, streams: chosen, frequencyHours: 24 }
  const made = await me.fetch('/api/connectors/sources', { method: 'POST', json })
  expect([made.status, await made.clone().text()]).toEqual([201, expect.anything()])
  const { id: sourceId } = (await made.json<{ source: DataSource }>()).source
  const { workspaceId } = me
  const store = connectionStore(deps.db, workspaceId)
  const run = async (syncId: string) => {
    await runSync(AT_ONCE, () => deps, { syncId, sourceId, workspaceId })
    return store.sync(syncId)
  }
  const sync = async (slot: string) => {
    const id = systemIds.next('sync')
    const row = { id, sourceId, slot, trigger: 'schedule' as const, actorId: null, acceptDrift: false }
    await store.insertSync({ ...row, startedAt: Date.now() }, null).run()
    return run(id)
  }
  const [first] = await store.syncs(sourceId, { before: null, limit: 1 })
  return { sourceId, sync, first: await run(first?.id ?? '') }
}

describe('books of Fortnox', () => {
  it('make a profit and loss, from consent to the last öre, and again after access was lost', async () => {
    const { emulator, overrides, deps } = installation()
    const me = await signedIn({ deps: overrides })
    const draftId = (await placeOf(me, await vendorAnswer(me, emulator))).searchParams.get('draft') ?? ''
    const { sourceId, sync, first } = await connectedSource({ deps, me, draftId })
    expect(first).toMatchObject({ state: 'succeeded', error: null, rowsRejected: 0 })

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
    const details = async () => (await me.fetch(`/api/data-sources/${sourceId}/connection`)).json<ConnectionDetails>()
    expect(await details()).toMatchObject({
      state: 'failed',
      failure: { reason: 'auth', message: 'Fortnox no longer accepts our access.', mend: 'Reconnect.' },
    })
    const place = await placeOf(me, await vendorAnswer(me, emulator, { sourceId }))
    expect([place.pathname, place.searchParams.get('problem')]).toEqual([`/data-sources/${sourceId}`, null])
    emulator.books.postRent()
    expect(await sync('third')).toMatchObject({ state: 'succeeded' })
    expect(await details()).toMatchObject({ state: 'ready', failure: null })
  })
})
