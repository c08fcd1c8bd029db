import { env } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { signedIn, type SignedIn } from '../../../test/worker/factories'
import { createApp } from '../../app'
import type { DataSource } from '../../shared/data-sources/data-sources'
import { drainPushed } from '../sync/drain-pushed'
import { createDeps } from '../../deps'
import { readSettings } from '../../settings'

const app = createApp()
async function pushSource(me: SignedIn): Promise<{ source: DataSource; token: string }> {
  const body = {
    kind: 'push',
    name: `Events ${me.userId}`,
    settings: { key: 'id' },
    secrets: {},
    streams: [],
    frequencyHours: 24,
  }
  const response = await me.fetch('/api/connectors/sources', { method: 'POST', json: body })
  expect(response.status).toBe(201)
  return response.json()
}
const send = async (
  sourceId: string,
  token: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<Response> => {
  const waiting: Promise<unknown>[] = []
  const context = {
    waitUntil: (work: Promise<unknown>) => void waiting.push(work),
    passThroughOnException: () => undefined,
    props: {},
  }
  const request = new Request(`http://localhost:8787/api/ingest/${sourceId}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body,
  })
  const response = await app.fetch(request, env, context)
  await Promise.all(waiting)
  return response
}
const rowCount = async (sourceId: string): Promise<number> =>
  (await env.DB.prepare('SELECT row_count AS n FROM datasets WHERE source_id = ?').bind(sourceId).first<number>('n')) ??
  0

it('takes rows by token, updates them by key, counts a repeated batch once, and takes new fields', async () => {
  const me = await signedIn()
  const { source, token } = await pushSource(me)
  expect(
    (await send(source.id, token, '[{"id":"1","amount":10},{"id":"2","amount":20}]', { 'idempotency-key': 'a' }))
      .status,
  ).toBe(202)
  expect(await rowCount(source.id)).toBe(2)
  expect(
    (await send(source.id, token, '[{"id":"1","amount":10},{"id":"2","amount":20}]', { 'idempotency-key': 'a' }))
      .status,
  ).toBe(202)
  expect((await send(source.id, token, '[{"id":"9"}]', { 'idempotency-key': 'a' })).status).toBe(422)
  expect(
    (
      await send(source.id, token, '{"id":"2","amount":25,"day":"2026-01-31"}\n{"id":"3"}', {
        'content-type': 'application/x-ndjson',
      })
    ).status,
  ).toBe(202)
  expect(await rowCount(source.id)).toBe(3)
})

it('refuses a wrong token, a value of another type and a row without its key, and keeps nothing of them', async () => {
  const me = await signedIn()
  const { source, token } = await pushSource(me)
  expect((await send(source.id, 'f'.repeat(64), '[{"id":"1"}]')).status).toBe(401)
  expect((await send('src_unknown', token, '[{"id":"1"}]')).status).toBe(401)
  await send(source.id, token, '[{"id":"1","amount":1}]')
  expect((await send(source.id, token, '[{"id":"2","amount":"many"}]')).status).toBe(422)
  expect((await send(source.id, token, '[{"amount":2}]')).status).toBe(422)
  expect((await send(source.id, token, 'no json')).status).toBe(400)
  expect(await rowCount(source.id)).toBe(1)
})

it('loses and doubles nothing of many batches from several clients at once', async () => {
  const me = await signedIn()
  const { source, token } = await pushSource(me)
  const batch = (n: number) =>
    JSON.stringify([
      { id: `k${n}`, amount: n },
      { id: 'shared', amount: n },
    ])
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => send(source.id, token, batch(n))))
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 202))
  const parsed = readSettings(env)
  if (!parsed.ok) throw new Error(parsed.problem)
  await drainPushed(createDeps(env, parsed.settings, { waitUntil: () => undefined }), {
    sourceId: source.id,
    workspaceId: me.workspaceId,
  })
  expect(await rowCount(source.id)).toBe(21)
})
