import { env } from 'cloudflare:test'
import { expect } from 'vitest'
import { callApp, signedIn } from '../factories'
import { shownRows } from '../syncs/shown-rows'
import { createApp } from '../../../src/app'
import { depsFor } from '../../../src/deps'
import type { SourceStream } from '../../../src/shared/data-sources/connectors'

/** A call of a program. */
export interface SentCall {
  /** As it stands in the header; absent: the source's own. */
  authorization?: string
  /** Tells a batch that is sent again. */
  key?: string
  type?: string
  /** In place of the platform's own stores. */
  bindings?: object
}

/** A kind that programs send to, as the contract tests use it: a source of its own. */
export interface SentFixture {
  token: string
  send: (body: string, call?: SentCall) => Promise<Response>
  /** What it knows of its rows. */
  stream: () => Promise<SourceStream>
  /** Every row of its table as text, sorted, once all that was sent is there. */
  rows: () => Promise<string[]>
}

/** A source whose rows are told apart by `id`. */
export async function pushFixture(): Promise<SentFixture> {
  const app = createApp()
  const me = await signedIn({ app })
  const json = { kind: 'push', name: 'Events', settings: { key: 'id' }, secrets: {}, streams: [], frequencyHours: 24 }
  const made = await me.fetch('/api/connectors/sources', { method: 'POST', json })
  expect(made.status).toBe(201)
  const { source, token } = await made.json<{ source: { id: string }; token: string }>()
  const isRunning = () =>
    env.DB.prepare("SELECT count(*) AS n FROM syncs WHERE source_id = ? AND state = 'running'")
      .bind(source.id)
      .first('n')
  return {
    token,
    send: (body, { authorization = `Bearer ${token}`, key, type = 'application/json', bindings = env } = {}) => {
      const headers = { authorization, 'content-type': type, ...(key === undefined ? {} : { 'idempotency-key': key }) }
      return callApp(app, `/api/ingest/${source.id}`, { method: 'POST', headers, body }, bindings)
    },
    async stream() {
      const sql = 'SELECT stream FROM connection_streams WHERE source_id = ?'
      const stream: SourceStream = JSON.parse((await env.DB.prepare(sql).bind(source.id).first<string>('stream')) ?? '')
      return stream
    },
    async rows() {
      const waiting = async () => [await env.PUSH_INBOX.getByName(source.id).hasWaiting(), await isRunning()]
      await expect.poll(waiting, { timeout: 20_000 }).toEqual([false, 0])
      const sql = 'SELECT id FROM datasets WHERE source_id = ?'
      const datasetId = await env.DB.prepare(sql).bind(source.id).first<string>('id')
      return (await shownRows(depsFor(env, { waitUntil: () => undefined }), me, datasetId)) ?? []
    },
  }
}
