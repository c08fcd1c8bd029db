import { env } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { signedIn } from '../../../test/worker/factories'
import { createApp } from '../../app'
import { sha256Hex } from '../../lib/hash'
import type { DataSource } from '../../shared/data-sources/data-sources'

const MARKER = 'marker-of-a-secret'
const app = createApp({
  resolve: () => Promise.resolve(['93.184.216.34']),
  targetFetcher: () => Promise.resolve(new Response('no;amount\n1;10\n')),
  syncSource: new Proxy(env.SYNC_SOURCE, { get: () => () => Promise.resolve({ id: 'none' }) }),
})
const INPUT = {
  ...{ kind: 'url', name: 'Orders', settings: { url: 'https://files.example.com/orders.csv' } },
  ...{ secrets: { headers: `X-Api-Key: ${MARKER}` }, streams: [{ key: 'file', mode: 'replace' }], frequencyHours: 24 },
}
type Connected = { source: DataSource; token: string | null }

it('is connected once by the same call again, with nothing kept that its credentials could be tried against', async () => {
  const me = await signedIn({ app })
  const connect = (key: string, json: object) =>
    me.fetch('/api/connectors/sources', { method: 'POST', json, headers: { 'idempotency-key': key } })
  const first = await connect('once', INPUT)
  expect(first.status).toBe(201)
  const { source } = await first.json<Connected>()
  const again = await connect('once', INPUT)
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
  expect((await again.json<Connected>()).source).toMatchObject({ id: source.id, name: 'Orders', type: 'url' })
  const other = await connect('once', { ...INPUT, secrets: { headers: 'X-Api-Key: another' } })
  expect([other.status, await other.json()]).toMatchObject([422, { code: 'invalid_input' }])
  const { items } = await (await me.fetch('/api/data-sources')).json<{ items: DataSource[] }>()
  expect(items.map(({ id }) => id)).toEqual([source.id])
  const { results } = await env.DB.prepare('SELECT * FROM idempotency WHERE key = ?').bind('once').all()
  expect(results).toHaveLength(1)
  const kept = JSON.stringify(results)
  expect(kept).not.toContain(MARKER)
  for (const text of [JSON.stringify(INPUT), `\n${JSON.stringify(INPUT)}`])
    expect(kept).not.toContain(await sha256Hex(text))
})

it('that programs send to keeps no token for a repetition', async () => {
  const me = await signedIn({ app })
  const json = { kind: 'push', name: 'Events', settings: { key: 'id' }, secrets: {}, streams: [], frequencyHours: 24 }
  const connect = () =>
    me.fetch('/api/connectors/sources', { method: 'POST', json, headers: { 'idempotency-key': 'pushed' } })
  const { token } = await (await connect()).json<Connected>()
  expect(token).toMatch(/^[0-9a-f]{64}$/)
  expect([(await connect()).status]).toEqual([409])
  const { results } = await env.DB.prepare('SELECT * FROM idempotency WHERE key = ?').bind('pushed').all()
  expect(results).toEqual([])
})
