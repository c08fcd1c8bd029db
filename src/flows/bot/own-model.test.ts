import { env } from 'cloudflare:test'
import { beforeEach, describe, expect, it } from 'vitest'
import { answerChat } from '../../../emulators/model/chat'
import { signedIn, type SignedIn } from '../../../test/worker/factories'
import { amountColumn, createLoadedSource, dayColumn } from '../../../test/worker/loads'
import { accessToken, mcpClient, toolAnswer } from '../../../test/worker/programs/mcp-client'
import { spendTries } from '../../../test/worker/http/rate-limits'
import { createApp } from '../../app'
import { createDeps } from '../../deps'
import { rotateModelKeys } from '../../features/bot/language-model/own-model'
import { keyIdOf } from '../../secrets/secret-box'
import { readSettings } from '../../settings'
import type { ModelSettings } from '../../shared/bot/language-model'

const KEY = 'sk-own-0123456789'
const OWN = { baseUrl: 'https://own.example/v1', model: 'good', apiKey: KEY }
const keyOf = (id: string): string => `${id}:${btoa(id.padEnd(32, '.'))}`
const settingsWith = (...keys: string[]) => {
  const parsed = readSettings({
    ...env,
    SECRETS_KEYS: keys.map(keyOf).join(','),
    TEST_ALLOWED_TARGETS: 'own.example:443,other.example:443',
  })
  if (!parsed.ok) throw new Error(parsed.problem)
  return parsed.settings
}

/** Calls that left the house, by address and key. */
let calls: { url: string; key: string | null }[] = []
/** What the endpoint answers instead of a completion. */
let instead: (() => Response) | null = null
const targetFetcher = (request: Request): Promise<Response> => {
  calls.push({ url: request.url, key: request.headers.get('authorization') })
  return instead ? Promise.resolve(instead()) : answerChat(request)
}
const app = createApp({ settings: settingsWith('old'), targetFetcher })
beforeEach(() => {
  calls = []
  instead = null
})

const put = (who: SignedIn, json: object): Promise<Response> => who.fetch('/api/bot/model', { method: 'PUT', json })
const on = { model: true, rowValues: false }
async function withOwn(): Promise<SignedIn> {
  const me = await signedIn({ app })
  expect((await put(me, { ...on, version: 0, own: OWN })).status).toBe(200)
  calls = []
  return me
}
const stored = (who: SignedIn) =>
  env.DB.prepare('SELECT endpoint, api_key AS key FROM ai_settings WHERE workspace_id = ?')
    .bind(who.workspaceId)
    .first<{ endpoint: string; key: string }>()

describe('a workspace’s own language model', () => {
  it('reads its questions with its own key, where the installation has no model', async () => {
    const me = await withOwn()
    await createLoadedSource(me, 'day,pay\n2026-01-05,41.5\n', {
      ...{ columns: [dayColumn(0), amountColumn(1, 'pay')], name: 'Pay' },
    })
    const plan = { kind: 'plan', measures: [{ agg: 'sum', column: 'Pay.pay' }] }
    const client = await mcpClient(app, (await accessToken(me)).token)
    const question = { question: `zorgle blint quaff plan: ${JSON.stringify(plan)}` }
    const { data } = await toolAnswer(client, 'ask', question)
    expect(data).toMatchObject({ kind: 'answer', engine: 'llm', answer: { rows: [[41.5]] } })
    expect(calls).toEqual([{ url: 'https://own.example/v1/chat/completions', key: `Bearer ${KEY}` }])
    instead = () => new Response('no', { status: 500 })
    expect((await toolAnswer(client, 'ask', question)).data).toMatchObject({ kind: 'refuse', code: 'provider_down' })
  })

  it('keeps its key to itself: it is sealed, and no answer tells it', async () => {
    const me = await withOwn()
    const settings = await me.fetch('/api/bot/model')
    const text = await settings.clone().text()
    expect(await settings.json<ModelSettings>()).toMatchObject({
      own: { baseUrl: OWN.baseUrl, model: 'good', hasKey: true },
      configured: null,
    })
    const audit = await (await me.fetch('/api/audit')).text()
    expect([text, audit, JSON.stringify(await stored(me))].join()).not.toContain(KEY)
  })

  it('goes to no other address with a stored key, and keeps it for another model of the same one', async () => {
    const me = await withOwn()
    const { apiKey: _entered, ...without } = OWN
    const moved = await put(me, { ...on, version: 1, own: { ...without, baseUrl: 'https://other.example/v1' } })
    expect(moved.status).toBe(422)
    expect(await moved.json()).toMatchObject({ fields: { 'own.apiKey': expect.stringContaining('again') } })
    expect(calls).toEqual([])
    expect((await put(me, { ...on, version: 1, own: { ...without, model: 'mends' } })).status).toBe(200)
    expect(calls).toEqual([{ url: 'https://own.example/v1/chat/completions', key: `Bearer ${KEY}` }])
  })

  it('stays when only a switch changes, and goes with its key when it is removed', async () => {
    const me = await withOwn()
    expect((await put(me, { model: true, rowValues: true, version: 1 })).status).toBe(200)
    expect(await stored(me)).toMatchObject({ endpoint: expect.stringContaining('own.example') })
    expect((await put(me, { ...on, version: 2, own: null })).status).toBe(403)
    expect((await put(me, { model: false, rowValues: false, version: 2, own: null })).status).toBe(200)
    expect(await stored(me)).toEqual({ endpoint: null, key: null })
    expect(calls).toEqual([])
  })

  it.each([
    ['refuses the key', 'own.apiKey', () => new Response(null, { status: 401 })],
    ['does not know the model', 'own.model', () => new Response(null, { status: 404 })],
    ['is no such endpoint', 'own.baseUrl', () => new Response('<html>')],
    ['leads elsewhere', 'own.baseUrl', () => Response.redirect('https://10.0.0.1/', 307)],
  ] as const)('that %s is not stored, and the field is named', async (_how, field, answer) => {
    const me = await signedIn({ app })
    instead = answer
    const refused = await put(me, { ...on, version: 0, own: OWN })
    expect([refused.status, Object.keys((await refused.json<{ fields: object }>()).fields)]).toEqual([422, [field]])
    expect([await stored(me), calls.length]).toEqual([null, 1])
  })

  it('is called at public https addresses only (SSRF-1)', async () => {
    const me = await signedIn({ app })
    const targets = [
      'http://own.example/v1',
      'https://127.0.0.1/v1',
      'https://[::1]/v1',
      'https://169.254.169.254/latest',
    ]
    const more = [
      'https://localhost/v1',
      'https://2130706433/v1',
      'https://u:p@own.example/v1',
      'https://api.test:22/v1',
    ]
    for (const baseUrl of [...targets, ...more]) {
      const refused = await put(me, { ...on, version: 0, own: { ...OWN, baseUrl } })
      expect([baseUrl, refused.status]).toEqual([baseUrl, 422])
    }
    expect(calls).toEqual([])
  })

  it('has no server called more often than other servers that people name', async () => {
    const me = await withOwn()
    await spendTries('askSource', me.userId, { left: 2 })
    const save = (version: number) => put(me, { ...on, version, own: OWN })
    expect([(await save(1)).status, (await save(2)).status, calls.length]).toEqual([200, 429, 1])
    // Switches ask nobody.
    expect((await put(me, { ...on, version: 2 })).status).toBe(200)
  })

  it('gets its key sealed anew with the keyring, and one that no key opens stops nobody', async () => {
    const [me, lost] = [await withOwn(), await withOwn()]
    await env.DB.prepare("UPDATE ai_settings SET api_key = 'v1.old.AAAA.AAAA' WHERE workspace_id = ?")
      .bind(lost.workspaceId)
      .run()
    const deps = createDeps(env, settingsWith('new', 'old'), { waitUntil: () => undefined })
    await rotateModelKeys(deps)
    expect(keyIdOf((await stored(me))?.key ?? '')).toBe('new')
    expect(await rotateModelKeys(deps)).toBe(0)
    const newApp = createApp({ settings: settingsWith('new'), targetFetcher })
    const { apiKey: _entered, ...same } = OWN
    const save = async ({ workspaceId }: SignedIn) =>
      put(await signedIn({ app: newApp, workspaceId }), { ...on, version: 1, own: same })
    expect((await save(me)).status).toBe(200)
    expect(calls.at(-1)?.key).toBe(`Bearer ${KEY}`)
    expect(await (await save(lost)).json()).toMatchObject({ fields: { 'own.apiKey': expect.any(String) } })
  })
})
