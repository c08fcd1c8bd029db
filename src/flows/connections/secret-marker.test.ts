import { env, runInDurableObject } from 'cloudflare:test'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { casesOf } from '../../../test/long'
import { signedIn, type SignedIn } from '../../../test/worker/factories'
import { INSTANT_STEPS } from '../../../test/worker/syncs/file-source'
import { createApp } from '../../app'
import { listConnectors } from '../../connectors/registry'
import { createDeps, systemIds, type Deps } from '../../deps'
import { createReporter } from '../../monitoring/reporter'
import { readSettings } from '../../settings'
import type { ConnectorDescription, SourceStream } from '../../shared/data-sources/connectors'
import { connectionStore } from '../../sync/connection-store'
import { sealCredentials } from '../../sync/credentials'
import { rotateSecrets } from '../../sync/rotate-secrets'
import { startSync } from '../../sync/start-sync'
import { runSync } from '../sync/run-sync'

const KEYS = { first: `first:${btoa('1'.repeat(32))}`, second: `second:${btoa('2'.repeat(32))}` }
const VENDOR_KEYS = Object.fromEntries(
  ['FORTNOX', 'SHEETS', 'VISMA'].flatMap((vendor) => [
    [`${vendor}_CLIENT_ID`, 'id'],
    [`${vendor}_CLIENT_SECRET`, 'secret-of-the-installation'],
  ]),
)
const NO_SERVER = 'db-without-address.example.com'
const DSN = 'https://abc123@o77.ingest.example.com/42'

/** Everything that somebody may get to see, as one text each. */
const seen = new Map<string, string>()
const note = (where: string, text: string): void => void seen.set(where, (seen.get(where) ?? '') + text)

/** A text as it is, and as it looks in base64 at any place of it, and in hexadecimal. */
function spellings(text: string): string[] {
  const inner = [0, 1, 2].map((shift) => btoa(`${'x'.repeat(shift)}${text}`).slice(shift === 0 ? 0 : 4, -4))
  const hex = Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return [text, encodeURIComponent(text), ...inner, hex]
}
const holdersOf = (secrets: readonly string[]): string[] =>
  [...seen].flatMap(([where, text]) =>
    secrets.some((secret) => spellings(secret).some((spelled) => text.includes(spelled))) ? [where] : [],
  )

async function noteTables(where: string, sql: SqlStorage): Promise<void> {
  const query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'"
  for (const { name } of sql.exec<{ name: string }>(query).toArray())
    note(where, JSON.stringify(sql.exec(`SELECT * FROM "${name}"`).toArray(), asText))
}
/** Bytes are read as the texts that they may hold. */
const asText = (_key: string, value: unknown): unknown =>
  value instanceof ArrayBuffer ? new TextDecoder().decode(value) : value

/** What lies in the stores of the platform now. */
async function noteStores(workspaceId: string, inboxes: readonly string[]): Promise<void> {
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite%'",
  ).all<{ name: string }>()
  for (const { name } of results)
    note('the database', JSON.stringify((await env.DB.prepare(`SELECT * FROM "${name}"`).all()).results))
  for (const { name } of (await env.SESSIONS.list()).keys)
    note('the session store', name + ((await env.SESSIONS.get(name)) ?? ''))
  for (const { key } of (await env.FILES.list()).objects)
    note('the bucket', key + ((await (await env.FILES.get(key))?.text()) ?? ''))
  const objects = [
    { where: 'the rows', stub: env.WAREHOUSE.get(env.WAREHOUSE.idFromName(workspaceId)) },
    { where: 'the hub', stub: env.WORKSPACE_HUB.get(env.WORKSPACE_HUB.idFromName(workspaceId)) },
    ...inboxes.map((id) => ({ where: 'the inbox', stub: env.PUSH_INBOX.getByName(id) })),
  ]
  for (const { where, stub } of objects)
    await runInDurableObject<Rpc.DurableObjectBranded, void>(stub, async (_object, { storage }) => {
      await noteTables(where, storage.sql)
      note(where, JSON.stringify([...(await storage.list())], asText))
    })
}

/** How the other side behaves: what it is sent, it says back wherever nobody should listen. */
type Manner = 'well' | 'echoes' | 'refuses' | 'redirects' | 'breaks'
function world(given: { manner: Manner; rows: string }) {
  const echoOf = async (request: Request): Promise<string> =>
    `${JSON.stringify([...request.headers])} ${request.url} ${await request.text()}`
  const answer = async (request: Request): Promise<Response> => {
    const echo = await echoOf(request)
    const headers = { 'x-echo': echo.slice(0, 2_000).replaceAll(/[^\x20-\x7e]/g, '') }
    if (given.manner === 'breaks') throw new Error(`cannot reach the server with ${echo}`)
    if (given.manner === 'refuses') return new Response(echo, { status: 401, headers })
    if (given.manner === 'redirects') return Response.redirect(`https://127.0.0.1/?${encodeURIComponent(echo)}`, 302)
    if (given.manner === 'echoes') return new Response(echo, { status: 500, headers })
    return new Response(given.rows, { headers: { etag: '"v1"' } })
  }
  const parsed = readSettings({ ...env, ...VENDOR_KEYS, SENTRY_DSN: DSN, SECRETS_KEYS: KEYS.first })
  if (!parsed.ok) throw new Error(parsed.problem)
  const waiting: Promise<unknown>[] = []
  const tasks = { waitUntil: (work: Promise<unknown>) => void waiting.push(work) }
  const overrides: Partial<Deps> = {
    settings: parsed.settings,
    // A name without an address: nobody is called over a socket, and no test waits for a server of the world.
    resolve: (name) => Promise.resolve(name === NO_SERVER ? [] : ['93.184.216.34']),
    targetFetcher: answer,
    operatorFetcher: answer,
    syncSource: new Proxy(env.SYNC_SOURCE, { get: () => () => Promise.resolve({ id: 'none' }) }),
    reporter: createReporter({ ...parsed.settings, BASE_URL: 'https://app.example.com' }, tasks, async (request) => {
      note('reports', await request.text())
      return new Response('{}')
    }),
  }
  const deps = (keys = KEYS.first): Deps => {
    const settings = { ...parsed.settings, SECRETS_KEYS: keys }
    return createDeps(env, settings, tasks, { ...overrides, settings })
  }
  return { overrides, deps, settled: () => Promise.allSettled(waiting) }
}

/** A person whose every answer is noted, with its headers. */
const noted = (me: SignedIn): SignedIn => ({
  ...me,
  async fetch(path, init) {
    const answer = await me.fetch(path, init)
    const text = await answer.clone().text()
    note('answers', `${answer.status} ${JSON.stringify([...answer.headers])} ${text}`)
    return answer
  },
})

const STREAM: SourceStream = {
  ...{ key: 'file', label: 'orders.csv', columns: null, keyColumns: [], incrementalColumn: null },
  ...{ modes: ['replace'], proposed: true },
}
/** Settings under which a kind calls somebody. */
function settingsOf({ kind, fields }: ConnectorDescription): Record<string, string> {
  const known: Record<string, string> = {
    ...{ url: 'https://files.example.com/marker-of-settings.csv', endpoint: 'https://s3.example.com' },
    ...{
      shop: 'orders.myshopify.com',
      access: 'app',
      clientId: 'id',
      host: kind === 'clickhouse' ? 'db.example.com' : NO_SERVER,
      port: '8443',
    },
    ...{ database: 'plans', user: 'reader', bucket: 'orders', pattern: '*.csv', region: 'auto', what: 'tables' },
  }
  return Object.fromEntries(
    fields.flatMap(({ key, secret, initial }) => (secret ? [] : [[key, known[key] ?? initial ?? 'x'] as const])),
  )
}
const FIELDS_OF_CONSENT = ['accessToken', 'refreshToken']
const pulled = listConnectors()
  .map(({ connector }) => connector.describe())
  .filter(({ delivery }) => delivery === 'pull')
const MANNERS: readonly Manner[] = ['well', 'echoes', 'refuses', 'redirects', 'breaks']

beforeEach(() => {
  seen.clear()
  for (const level of ['info', 'warn', 'error', 'debug', 'log'] as const)
    vi.spyOn(console, level).mockImplementation((...line: unknown[]) => note('logs', line.map(String).join(' ')))
})
afterEach(() => {
  vi.restoreAllMocks()
})

it.each(casesOf(pulled, ...pulled.filter(({ kind }) => ['url', 's3', 'shopify', 'visma'].includes(kind))))(
  'secrets of $kind stand nowhere that anybody may see, however its server behaves (CONN-1, CONN-2)',
  async (description) => {
    const { kind, fields, auth } = description
    const given: { manner: Manner; rows: string } = { manner: 'well', rows: 'id,word\n1,marker-of-rows\n' }
    const { overrides, deps, settled } = world(given)
    const person = await signedIn({ app: createApp(overrides) })
    const { workspaceId, userId } = person
    const me = noted(person)
    const names = auth === 'oauth' ? FIELDS_OF_CONSENT : fields.flatMap(({ key, secret }) => (secret ? [key] : []))
    const markers = names.map((name) => `marker${name}${systemIds.token(8)}`)
    const secrets = Object.fromEntries(
      names.map((name, n) => [name, name === 'headers' ? `X-Api-Key: ${markers[n]}` : (markers[n] ?? '')]),
    )
    const settings = settingsOf(description)
    const sourceId = systemIds.next('source')
    const store = connectionStore(deps().db, workspaceId)
    const stored = { ...secrets, ...(auth === 'oauth' ? { expiresAt: '0' } : {}) }
    const sealed = await sealCredentials(deps(), { workspaceId, sourceId }, stored)
    const row = { sourceId, kind, settings, secrets: sealed?.sealed ?? null, frequencyHours: 24, nextAt: 0 }
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO data_sources (id, workspace_id, type, name, name_key, state, owner_id, created_at, updated_at)
         VALUES (?1, ?2, ?4, ?1, ?1, 'draft', ?3, 0, 0)`,
      ).bind(sourceId, workspaceId, userId, kind),
      store.insert({ ...row, pushTokenHash: null }, sealed?.keyId ?? null),
      ...store.replaceStreams(sourceId, [{ key: 'file', stream: STREAM, mode: 'replace' }]),
    ])
    const due = { sourceId, workspaceId, frequencyHours: 24 }
    const start = { row: due, trigger: 'schedule' as const, actorId: userId, planHours: 6 }
    for (const manner of MANNERS) {
      given.manner = manner
      const entered = { kind, settings, secrets: auth === 'oauth' ? {} : secrets }
      await me.fetch('/api/connectors/test', { method: 'POST', json: entered })
      await me.fetch('/api/connectors/preview', { method: 'POST', json: { ...entered, stream: 'file' } })
      const json = {
        ...entered,
        name: `Mine ${manner}`,
        streams: [{ key: 'file', mode: 'replace' }],
        frequencyHours: 24,
      }
      await me.fetch('/api/connectors/sources', { method: 'POST', json })
      await me.fetch('/api/connectors/test', { method: 'POST', json: { kind, settings, sourceId } })
      await me.fetch(`/api/data-sources/${sourceId}/test`, { method: 'POST' })
      await me.fetch(`/api/data-sources/${sourceId}/connection`, { method: 'PUT', json: { secrets: entered.secrets } })
      const syncId = await startSync(deps(), { ...start, slot: manner })
      if (syncId !== null) await runSync(INSTANT_STEPS, () => deps(), { syncId, sourceId, workspaceId })
    }
    // A fault of our own is logged and reported.
    given.manner = 'well'
    const broken = new Proxy(env.FILES, { get: () => () => Promise.reject(new TypeError('broken')) })
    const last = await startSync(deps(), { ...start, slot: 'broken' })
    const params = { syncId: last ?? '', sourceId, workspaceId }
    await runSync(INSTANT_STEPS, () => ({ ...deps(), files: broken }), params)
    await rotateSecrets(deps(`${KEYS.second},${KEYS.first}`))
    await settled()
    for (const path of ['', '/connection', '/syncs']) await me.fetch(`/api/data-sources/${sourceId}${path}`)
    for (const path of ['/api/data-sources', '/api/audit', '/api/connectors']) await me.fetch(path)
    note('exports', await (await person.fetch('/files/workspace/export')).text())
    await noteStores(workspaceId, [])
    expect(holdersOf(markers)).toEqual([])
    // What is no secret is found where it lies: the search sees all of these.
    if (kind === 'url') {
      expect(holdersOf(['marker-of-settings'])).toEqual(expect.arrayContaining(['answers', 'the database']))
      expect(holdersOf(['marker-of-rows'])).toEqual(
        expect.arrayContaining(['answers', 'exports', 'the bucket', 'the rows']),
      )
      expect(holdersOf([params.syncId])).toContain('logs')
      expect([...seen.keys()]).toEqual(expect.arrayContaining(['reports', 'the session store', 'the hub']))
    }
  },
)

it('the token of a source that programs send to is shown once and stands nowhere (CONN-1, CONN-2)', async () => {
  const { overrides } = world({ manner: 'well', rows: '' })
  const person = await signedIn({ app: createApp(overrides) })
  const input = { kind: 'push', name: 'Events', settings: { key: 'id' }, secrets: {}, streams: [], frequencyHours: 24 }
  const made = await person.fetch('/api/connectors/sources', { method: 'POST', json: input })
  const { source, token } = await made.json<{ source: { id: string }; token: string }>()
  expect(token).toMatch(/^[0-9a-f]{64}$/)
  const me = noted(person)
  const send = (headers: Record<string, string>, body = '[{"id":"1"}]') =>
    me.fetch(`/api/ingest/${source.id}`, { method: 'POST', body, headers })
  const authorization = `Bearer ${token}`
  expect((await send({ authorization })).status).toBe(202)
  expect((await send({ authorization, 'idempotency-key': 'once' }, 'no json')).status).toBe(400)
  expect((await send({ authorization: `Basic ${token}` })).status).toBe(401)
  await expect.poll(() => env.PUSH_INBOX.getByName(source.id).hasWaiting()).toBe(false)
  for (const path of ['', '/connection', '/syncs']) await me.fetch(`/api/data-sources/${source.id}${path}`)
  await me.fetch('/api/audit')
  note('exports', await (await person.fetch('/files/workspace/export')).text())
  await noteStores(person.workspaceId, [source.id])
  expect(holdersOf([token])).toEqual([])
  expect(holdersOf([source.id])).toEqual(expect.arrayContaining(['answers', 'the database', 'the inbox']))
})
