import { env } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { runSync } from './run-sync'
import { createBucketServer } from '../../../emulators/files/bucket-server.ts'
import { signedIn } from '../../../test/worker/factories'
import { createDeps } from '../../deps'
import { readSettings } from '../../settings'
import { connectionStore } from '../../sync/connection-store'
import { sealCredentials } from '../../sync/credentials'
import { startSync } from '../../sync/start-sync'

const BUCKET = { bucket: 'orders', region: 'eu-north-1', accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'of-the-bucket' }
const [KIND, STREAM] = ['s3' as const, 'files']

async function bucketSource() {
  const { userId, workspaceId } = await signedIn()
  const server = createBucketServer(BUCKET)
  const parsed = readSettings(env)
  if (!parsed.ok) throw new Error(parsed.problem)
  const syncSource = new Proxy(env.SYNC_SOURCE, { get: () => () => Promise.resolve({ id: 'none' }) })
  const waits = { waitUntil: () => undefined }
  const deps = createDeps(env, parsed.settings, waits, {
    ...{ resolve: () => Promise.resolve(['93.184.216.34']), syncSource },
    targetFetcher: (request) => server.answer(request),
  })
  const store = connectionStore(deps.db, workspaceId)
  const sourceId = deps.ids.next('source')
  const { accessKeyId, secretAccessKey, bucket, region } = BUCKET
  const sealed = await sealCredentials(deps, { workspaceId, sourceId }, { accessKeyId, secretAccessKey })
  const settings = { endpoint: 'https://s3.example.com', region, bucket, pattern: '*.csv' }
  const stream = { key: STREAM, label: '*.csv', columns: null, keyColumns: [], incrementalColumn: null, proposed: true }
  await deps.db.d1.batch([
    deps.db.d1
      .prepare(
        `INSERT INTO data_sources (id, workspace_id, type, name, name_key, state, owner_id, created_at, updated_at)
         VALUES (?1, ?2, 's3', ?1, ?1, 'draft', ?3, 0, 0)`,
      )
      .bind(sourceId, workspaceId, userId),
    store.insert(
      {
        ...{ sourceId, kind: KIND, settings, secrets: sealed?.sealed ?? null, frequencyHours: 24 },
        ...{ nextAt: 0, pushTokenHash: null },
      },
      sealed?.keyId ?? null,
    ),
    ...store.replaceStreams(sourceId, [{ key: STREAM, stream: { ...stream, modes: ['append'] }, mode: 'append' }]),
  ])
  let slot = 0
  return {
    server,
    /** Rows after one more sync, and how it ended. */
    async sync() {
      const row = { sourceId, workspaceId, frequencyHours: 24 }
      const start = { row, slot: `${(slot += 1)}`, trigger: 'schedule' as const, actorId: null, planHours: 6 }
      const syncId = await startSync(deps, start)
      if (syncId === null) throw new Error('not started')
      const steps = { do: <T>(_name: string, work: () => Promise<T>) => work(), sleep: () => Promise.resolve() }
      await runSync(steps, () => deps, { syncId, sourceId, workspaceId })
      const sql = 'SELECT sum(row_count) AS n FROM datasets WHERE source_id = ?'
      const rows = await deps.db.d1.prepare(sql).bind(sourceId).first<number>('n')
      return { rows, state: (await store.sync(syncId))?.state }
    },
  }
}

it('appends new files of a bucket, and reads all of them again when one has changed', async () => {
  const { server, ...source } = await bucketSource()
  server.put('a.csv', 'id,amount\n1,10\n2,20\n', '2026-01-01T10:00:00.000Z')
  server.put('b.csv', 'id,amount\n3,30\n', '2026-01-02T10:00:00.000Z')
  expect(await source.sync()).toEqual({ rows: 3, state: 'succeeded' })
  expect(await source.sync()).toEqual({ rows: 3, state: 'unchanged' })
  server.put('c.csv', 'id,amount\n4,40\n', '2026-01-03T10:00:00.000Z')
  expect(await source.sync()).toEqual({ rows: 4, state: 'succeeded' })
  server.put('a.csv', 'id,amount\n1,11\n2,20\n5,50\n', '2026-01-04T10:00:00.000Z')
  expect(await source.sync()).toEqual({ rows: 5, state: 'succeeded' })
  expect(await source.sync()).toEqual({ rows: 5, state: 'unchanged' })
})
