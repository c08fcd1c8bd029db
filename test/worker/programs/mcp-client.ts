import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect } from 'vitest'
import { z } from 'zod'
import { callApp, ORIGIN, type SignedIn } from '../factories'
import type { createApp } from '../../../src/app'
import type { CreatedAccessToken, TokenScope } from '../../../src/shared/programs/access-tokens'

type App = ReturnType<typeof createApp>

/** The server is in early access: somebody takes part in it. */
export async function enrolled(who: SignedIn): Promise<SignedIn> {
  expect((await who.fetch('/api/pilot/mcp', { method: 'PUT', json: { state: 'on' } })).status).toBe(200)
  return who
}

/** A token that somebody makes for their workspace, who may use it. */
export async function accessToken(who: SignedIn, scopes: TokenScope[] = ['read', 'ask'], json: object = {}) {
  await enrolled(who)
  const answer = await who.fetch('/api/access-tokens', { method: 'POST', json: { name: 'Assistant', scopes, ...json } })
  expect([answer.status, await answer.clone().text()]).toEqual([201, expect.anything()])
  return answer.json<CreatedAccessToken>()
}

/** The network as the protocol's client sees it: this app alone. */
export const appFetch =
  (app: App, headers: Record<string, string> = {}) =>
  async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const { pathname, search } = new URL(url)
    const all = new Headers(init.headers)
    for (const [name, value] of Object.entries(headers)) all.set(name, value)
    return callApp(app, `${pathname}${search}`, { ...init, headers: all })
  }

/** The protocol's official client, connected over HTTP. `era`: which of its two generations it speaks. */
export async function mcpClient(app: App, token: string, era: 'modern' | 'legacy' = 'modern'): Promise<Client> {
  const mode = era === 'modern' ? 'auto' : 'legacy'
  const client = new Client({ name: 'Test client', version: '1' }, { versionNegotiation: { mode } })
  const transport = new StreamableHTTPClientTransport(new URL(`${ORIGIN}/mcp`), {
    fetch: appFetch(app),
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  })
  await client.connect(transport)
  return client
}

/** What a tool answers, as data. */
export async function toolAnswer(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { structuredContent, isError = false } = await client.callTool({ name, arguments: args })
  return { isError, data: z.record(z.string(), z.unknown()).parse(structuredContent) }
}
