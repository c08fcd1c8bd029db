import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { OAuthClientProvider, StoredOAuthClientInformation, StoredOAuthTokens } from '@modelcontextprotocol/client'
import { env } from 'cloudflare:test'
import { beforeEach, describe, expect, it } from 'vitest'
import { fakePasswords } from '../../../test/worker/accounts'
import { callApp, ORIGIN, otherWorkspace, signedIn, type SignedIn } from '../../../test/worker/factories'
import { appFetch, enrolled, toolAnswer } from '../../../test/worker/programs/mcp-client'
import { createApp } from '../../app'
import { sha256Hex } from '../../lib/hash'
import { DAY_MS } from '../../shared/dates'
import type { ConnectedApp, ConsentQuestion } from '../../shared/programs/connected-apps'

let shift = 0
const clock = { now: () => Date.now() + shift }
const app = createApp({ clock, passwords: fakePasswords() })
beforeEach(() => {
  shift = 0
})
const REDIRECT = 'http://127.0.0.1:4911/callback'
const VERIFIER = 'v'.repeat(64)
const challengeOf = async (verifier: string): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return btoa(String.fromCharCode(...new Uint8Array(digest)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}

let networks = 0
const form = async (path: string, fields: Record<string, string>) => {
  const answer = await callApp(app, path, {
    method: 'POST',
    body: new URLSearchParams(fields).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'cf-connecting-ip': `2001:db8:c:${(++networks).toString(16)}::1`,
    },
  })
  return { status: answer.status, body: await answer.json<Record<string, string>>() }
}
const register = async (metadata: object) => {
  const answer = await callApp(app, '/oauth/register', { method: 'POST', body: JSON.stringify(metadata) })
  return { status: answer.status, body: await answer.json<Record<string, string>>() }
}
const aClient = async (): Promise<string> =>
  (await register({ client_name: 'Desk', redirect_uris: [REDIRECT] })).body['client_id'] ?? ''

const requestOf = async (clientId: string, more: object = {}) => ({
  ...{ clientId, redirectUri: REDIRECT, responseType: 'code', codeChallenge: await challengeOf(VERIFIER) },
  ...{ codeChallengeMethod: 'S256', scope: 'read ask', state: 'st', resource: `${ORIGIN}/mcp`, ...more },
})
const agree = async (who: SignedIn, clientId: string, json: object = {}) => {
  const request = await requestOf(clientId)
  const answer = await who.fetch('/api/connected-apps', {
    method: 'POST',
    json: { request, scopes: ['read'], ...json },
  })
  return { status: answer.status, body: await answer.json<{ redirectTo?: string; code?: string }>() }
}
const codeOf = async (who: SignedIn, clientId: string): Promise<string> =>
  new URL((await agree(who, clientId)).body.redirectTo ?? '').searchParams.get('code') ?? ''
const exchange = (clientId: string, code: string, more: Record<string, string> = {}) =>
  form('/oauth/token', {
    ...{ grant_type: 'authorization_code', client_id: clientId, code, redirect_uri: REDIRECT, code_verifier: VERIFIER },
    ...more,
  })
const refresh = (clientId: string, token = '') =>
  form('/oauth/token', { grant_type: 'refresh_token', client_id: clientId, refresh_token: token })
const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
const isIn = async (token = ''): Promise<boolean> => {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  return (await callApp(app, '/mcp', { method: 'POST', body: PING, headers })).status === 200
}
const appsOf = async (who: SignedIn): Promise<ConnectedApp[]> =>
  (await (await who.fetch('/api/connected-apps')).json<{ items: ConnectedApp[] }>()).items

/** What a program keeps between the steps of being connected. */
function aProvider() {
  const kept: {
    client?: StoredOAuthClientInformation
    tokens?: StoredOAuthTokens
    verifier?: string
  } = {}
  let at: URL | null = null
  const provider: OAuthClientProvider = {
    redirectUrl: REDIRECT,
    clientMetadata: { client_name: 'Desk assistant', redirect_uris: [REDIRECT], scope: 'read ask' },
    state: () => 'state-1',
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    redirectToAuthorization: (url) => void (at = url),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier ?? '',
  }
  return { provider, sentTo: () => at }
}

describe('apps connected by OAuth 2.1', () => {
  it('are taken by the protocol’s own client from the first 401 to a tool’s answer', async () => {
    const me = await enrolled(await signedIn({ app }))
    const { provider, sentTo } = aProvider()
    const transportOf = () =>
      new StreamableHTTPClientTransport(new URL(`${ORIGIN}/mcp`), { authProvider: provider, fetch: appFetch(app) })
    const first = transportOf()
    await expect(new Client({ name: 'Test', version: '1' }).connect(first)).rejects.toThrow(/unauthorized/i)
    const url = sentTo()
    expect([url?.origin, url?.pathname]).toEqual([ORIGIN, '/oauth/authorize'])
    const of = (name: string): string => url?.searchParams.get(name) ?? ''
    const request = {
      ...{ clientId: of('client_id'), redirectUri: of('redirect_uri'), responseType: of('response_type') },
      ...{ codeChallenge: of('code_challenge'), codeChallengeMethod: of('code_challenge_method') },
      ...{ scope: of('scope'), state: of('state'), resource: of('resource') },
    }
    const asked = await (
      await me.fetch('/api/connected-apps/check', { method: 'POST', json: request })
    ).json<ConsentQuestion>()
    expect(asked).toMatchObject({
      name: 'Desk assistant',
      host: '127.0.0.1:4911',
      local: true,
      scopes: ['read', 'ask'],
    })
    expect(new URL(asked.denyUrl).searchParams.get('error')).toBe('access_denied')
    const answer = await me.fetch('/api/connected-apps', { method: 'POST', json: { request, scopes: ['read'] } })
    const back = new URL((await answer.json<{ redirectTo: string }>()).redirectTo)
    expect(back.href).toMatch(/^http:\/\/127\.0\.0\.1:4911\/callback\?code=insikt_code_/)
    expect([back.searchParams.get('state'), back.searchParams.get('iss')]).toEqual(['state-1', ORIGIN])
    await first.finishAuth(back.searchParams)
    const client = new Client({ name: 'Test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
    await client.connect(transportOf())
    expect(await toolAnswer(client, 'describe_data')).toMatchObject({ isError: false, data: { datasets: [] } })
    expect(await appsOf(me)).toMatchObject([{ name: 'Desk assistant', scopes: ['read'], state: 'live' }])
  })

  it('are told where to ask, for exactly this server', async () => {
    const read = async (path: string) => (await callApp(app, path)).json<Record<string, unknown>>()
    expect(await read('/.well-known/oauth-protected-resource/mcp')).toMatchObject({
      ...{ resource: `${ORIGIN}/mcp`, authorization_servers: [ORIGIN] },
    })
    expect(await read('/.well-known/oauth-authorization-server')).toMatchObject({
      ...{
        issuer: ORIGIN,
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
      },
    })
  })

  it('get a code that works once, within a minute, with its verifier, for its app and address; twice ends all', async () => {
    const [me, clientId, other] = [await enrolled(await signedIn({ app })), await aClient(), await aClient()]
    const wrong: [string, Record<string, string>][] = [
      ['verifier', { code_verifier: 'w'.repeat(64) }],
      ['no verifier', { code_verifier: '' }],
      ['address', { redirect_uri: 'http://127.0.0.1:4912/callback' }],
      ['app', { client_id: other }],
      ['resource', { resource: 'https://elsewhere.example/mcp' }],
    ]
    for (const [name, more] of wrong) {
      const { status } = await exchange(clientId, await codeOf(me, clientId), more)
      expect([name, status]).toEqual([name, 400])
    }
    const late = await codeOf(me, clientId)
    shift = 60_000
    expect((await exchange(clientId, late)).body).toEqual({ error: 'invalid_grant' })
    shift = 0
    const code = await codeOf(me, clientId)
    const { status, body } = await exchange(clientId, code)
    expect([status, body['token_type'], body['scope'], await isIn(body['access_token'])]).toEqual([
      200,
      'Bearer',
      'read',
      true,
    ])
    expect((await exchange(clientId, code)).body).toEqual({ error: 'invalid_grant' })
    expect([await isIn(body['access_token']), (await refresh(clientId, body['refresh_token'])).status]).toEqual([
      false,
      400,
    ])
  })

  it('renew their tokens, each once: a copy that is shown later ends the connection', async () => {
    const [me, clientId] = [await enrolled(await signedIn({ app })), await aClient()]
    const first = (await exchange(clientId, await codeOf(me, clientId))).body
    const second = await refresh(clientId, first['refresh_token'])
    expect(second.status).toBe(200)
    expect([await isIn(first['access_token']), await isIn(second.body['access_token'])]).toEqual([false, true])
    expect((await refresh(await aClient(), second.body['refresh_token'])).status).toBe(400)
    expect((await refresh(clientId, first['refresh_token'])).body).toEqual({ error: 'invalid_grant' })
    expect(await isIn(second.body['access_token'])).toBe(false)
    expect(await appsOf(me)).toEqual([])
    const third = (await exchange(clientId, await codeOf(me, clientId))).body
    shift = 61 * 60_000
    expect(await isIn(third['access_token'])).toBe(false)
    const races = await Promise.all([1, 2, 3].map(() => refresh(clientId, third['refresh_token'])))
    expect(races.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    shift = 91 * DAY_MS
    expect((await refresh(clientId, third['refresh_token'])).status).toBe(400)
  })

  it('end when they are disconnected, give their token back, or their person’s rights end', async () => {
    const [me, clientId] = [await enrolled(await signedIn({ app })), await aClient()]
    const connect = async () => (await exchange(clientId, await codeOf(me, clientId))).body
    const one = await connect()
    const [listed] = await appsOf(me)
    const stranger = await otherWorkspace(app)
    expect((await stranger.fetch(`/api/connected-apps/${listed?.id}`, { method: 'DELETE' })).status).toBe(404)
    expect((await me.fetch(`/api/connected-apps/${listed?.id}`, { method: 'DELETE' })).status).toBe(200)
    expect([await isIn(one['access_token']), (await refresh(clientId, one['refresh_token'])).status]).toEqual([
      false,
      400,
    ])
    const two = await connect()
    expect((await form('/oauth/revoke', { token: two['access_token'] ?? '', client_id: 'ocl_other' })).status).toBe(200)
    expect(await isIn(two['access_token'])).toBe(true)
    expect((await form('/oauth/revoke', { token: two['access_token'] ?? '', client_id: clientId })).status).toBe(200)
    expect(await isIn(two['access_token'])).toBe(false)
    const three = await connect()
    await env.DB.prepare('UPDATE users SET epoch = epoch + 1 WHERE id = ?').bind(me.userId).run()
    expect([await isIn(three['access_token']), (await refresh(clientId, three['refresh_token'])).status]).toEqual([
      false,
      400,
    ])
  })

  it('are refused without a code for unknown apps and addresses, without S256, and for more than they asked', async () => {
    const [me, clientId] = [await enrolled(await signedIn({ app })), await aClient()]
    const wrong: object[] = [
      { clientId: 'ocl_00000000000000000000' },
      { redirectUri: 'https://evil.example/cb' },
      { redirectUri: `${REDIRECT}/more` },
      { responseType: 'token' },
      { codeChallengeMethod: 'plain' },
      { codeChallenge: '' },
      { resource: 'https://elsewhere.example/mcp' },
    ]
    for (const more of wrong) {
      const request = await requestOf(clientId, more)
      for (const [path, json] of [
        ['/check', request],
        ['', { request, scopes: ['read'] }],
      ] as const)
        expect([more, (await me.fetch(`/api/connected-apps${path}`, { method: 'POST', json })).status]).toEqual([
          more,
          422,
        ])
    }
    const narrow = { request: await requestOf(clientId, { scope: 'read' }), scopes: ['read', 'ask'] }
    expect((await agree(me, clientId, narrow)).status).toBe(422)
    const late = await enrolled(await signedIn({ app, session: { createdAt: Date.now() - 11 * 60_000 } }))
    expect((await agree(late, clientId)).body.code).toBe('unauthenticated')
    for (const uri of ['javascript:alert(1)', 'http://evil.example/cb', 'https://a.example/#x'])
      expect([uri, (await register({ redirect_uris: [uri] })).status]).toEqual([uri, 400])
    expect((await register({})).status).toBe(400)
    expect((await exchange(clientId, 'insikt_code_none', { grant_type: 'password' })).body).toEqual({
      error: 'unsupported_grant_type',
    })
  })

  it('keep no secret readable, and their names from being markup', async () => {
    const [me, clientId] = [await enrolled(await signedIn({ app })), await aClient()]
    const code = await codeOf(me, clientId)
    const { body } = await exchange(clientId, code)
    const tables = ['access_tokens', 'connected_apps', 'audit', 'outbox', 'idempotency']
    const rows = await Promise.all(
      tables.map(async (one) => (await env.DB.prepare(`SELECT * FROM ${one}`).all()).results),
    )
    for (const secret of [code, body['access_token'] ?? '', body['refresh_token'] ?? ''])
      expect(JSON.stringify(rows)).not.toContain(secret.slice(-40))
    expect(JSON.stringify(rows)).toContain(await sha256Hex(body['refresh_token'] ?? ''))
    const { body: odd } = await register({ client_name: 'a\u202eb\n<b>', redirect_uris: [REDIRECT] })
    expect(odd['client_name']).toBe('Unnamed app')
  })
})
