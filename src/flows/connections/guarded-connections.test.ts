import { env } from 'cloudflare:test'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  guardedWorkspace,
  onlyRegion,
  savePolicy,
  type GuardedWorkspace,
} from '../../../test/worker/access/guarded-workspace'
import type { SignedIn } from '../../../test/worker/factories'
import { createApp } from '../../app'
import { createDeps } from '../../deps'
import { readSettings } from '../../settings'
import type { ConnectionFailure } from '../../shared/data-sources/connections'
import type { SourceStream } from '../../shared/data-sources/connectors'
import { connectionStore } from '../../sync/connection-store'
import { sealCredentials } from '../../sync/credentials'

const MARKER = 'marker-of-a-secret'
const ADDRESS = 'https://files.example.com/pay.csv?sig=marker-in-the-address'
const heard: { url: string; key: string | null }[] = []
const app = createApp({
  resolve: () => Promise.resolve(['93.184.216.34']),
  targetFetcher: (request) => {
    heard.push({ url: request.url, key: request.headers.get('x-api-key') })
    return Promise.resolve(new Response('day,person,pay,region,email\n'))
  },
})
const STREAM: SourceStream = {
  ...{ key: 'file', label: 'pay.csv', columns: null, keyColumns: [], incrementalColumn: null },
  ...{ modes: ['replace'], proposed: true },
}

const FAILURE: ConnectionFailure = {
  ...{ code: 'source_failed', reason: 'drift', message: 'pay.csv: column “email” is gone.', mend: 'Restore it.' },
}

let at: GuardedWorkspace
let limited: SignedIn
let viewer: SignedIn
beforeAll(async () => {
  at = await guardedWorkspace(app)
  const { workspaceId } = at.owner
  const parsed = readSettings(env)
  if (!parsed.ok) throw new Error(parsed.problem)
  const deps = createDeps(env, parsed.settings, { waitUntil: () => undefined })
  const { sourceId } = at
  const sealed = await sealCredentials(deps, { workspaceId, sourceId }, { headers: `X-Api-Key: ${MARKER}` })
  const store = connectionStore(deps.db, workspaceId)
  const settings = { url: ADDRESS }
  await env.DB.batch([
    env.DB.prepare("UPDATE data_sources SET type = 'url' WHERE id = ?").bind(sourceId),
    store.insert(
      {
        ...{ sourceId, kind: 'url', settings, secrets: sealed?.sealed ?? null, frequencyHours: 24 },
        ...{ nextAt: null, pushTokenHash: null },
      },
      sealed?.keyId ?? null,
    ),
    ...store.replaceStreams(sourceId, [{ key: 'file', stream: STREAM, mode: 'replace' }]),
    store.saveTable(sourceId, { streamKey: 'file', name: '', datasetId: at.datasetId, columns: { email: 'c4' } }),
    store.insertSync(
      {
        ...{ id: 'syn_00000000000000000001', sourceId, slot: 'a', trigger: 'schedule', actorId: null },
        ...{ acceptDrift: false, startedAt: Date.now() },
      },
      null,
    ),
    env.DB.prepare("UPDATE syncs SET rows_read = 77, state = 'failed', error = ? WHERE source_id = ?").bind(
      JSON.stringify(FAILURE),
      sourceId,
    ),
    store.recordFailure(sourceId, {
      failure: FAILURE,
      ...{ failures: 1, nextAt: null, now: Date.now() },
    }),
    env.DB.prepare('UPDATE connections SET notices = ? WHERE source_id = ?').bind(
      JSON.stringify([{ stream: 'pay.csv', kind: 'gone', columns: ['email'], at: '2026-01-01T00:00:00Z' }]),
      sourceId,
    ),
  ])
  limited = await at.join('analyst')
  viewer = await at.join('viewer')
  await savePolicy(at.owner, {
    rules: [
      {
        ...onlyRegion(at.datasetId, 'North', { kind: 'member', id: limited.userId }),
        columns: [{ key: 'c4', grant: 'hide' }],
      },
    ],
  })
})

const answerOf = async (answer: Response): Promise<[status: number, text: string]> => [
  answer.status,
  await answer.text(),
]
const post = (who: SignedIn, path: string, json?: object) => who.fetch(path, { method: 'POST', json })
const connection = (path = '') => `/api/data-sources/${at.sourceId}${path}`
const testAs = (who: SignedIn, input: { kind?: string; settings: object }) =>
  post(who, '/api/connectors/test', { kind: 'url', sourceId: at.sourceId, ...input })
const changeTo = (who: SignedIn, json: object) => who.fetch(connection('/connection'), { method: 'PUT', json })

describe('stored credentials (CONN-1)', () => {
  it('go nowhere but where they were entered for: another address wants them again', async () => {
    heard.length = 0
    const settings = { url: 'https://evil.example.com/pay.csv' }
    const answers = [
      await answerOf(await testAs(at.owner, { settings })),
      await answerOf(await changeTo(at.owner, { settings })),
      await answerOf(
        await testAs(at.owner, {
          kind: 's3',
          settings: { endpoint: 'https://evil.example.com', bucket: 'abc', pattern: '*', region: 'auto' },
        }),
      ),
    ]
    expect(answers.map(([status]) => status)).toEqual([422, 422, 404])
    expect(answers[1]?.[1]).toContain('"headers":')
    expect(heard).toEqual([])
    // The same place by another path is the same server.
    expect((await testAs(at.owner, { settings: { url: 'https://files.example.com/other.csv' } })).status).toBe(200)
    expect(heard).toEqual([{ url: 'https://files.example.com/other.csv', key: MARKER }])
    const secrets = { headers: 'X-Api-Key: fresh' }
    expect((await post(at.owner, '/api/connectors/test', { kind: 'url', settings, secrets })).status).toBe(200)
    expect(heard.at(-1)?.key).toBe('fresh')
  })

  it('open a source for nobody who sees it in part: what is read by them is whole (RLS-3)', async () => {
    heard.length = 0
    const asked = [
      testAs(limited, { settings: { url: ADDRESS } }),
      changeTo(limited, { frequencyHours: 24 }),
      ...['/test', '/pause', '/resume', '/push-token'].map((path) => post(limited, connection(path))),
      post(limited, connection('/sync'), { acceptDrift: true }),
      post(limited, '/api/connectors/consent', { kind: 'url', settings: {}, sourceId: at.sourceId }),
    ]
    const answers = await Promise.all(asked)
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403, 403, 404])
    expect(heard).toEqual([])
  })
})

describe('what is told of a connection', () => {
  it('leaves out counts, columns and settings where somebody sees its data in part (RLS-3, RLS-6)', async () => {
    const paths = ['', '/connection', '/syncs']
    const whole = (await Promise.all(paths.map(async (path) => (await at.owner.fetch(connection(path))).text()))).join()
    for (const told of ['email', 'marker-in-the-address', '"rowsRead":77']) expect(whole).toContain(told)
    for (const path of paths) {
      const [status, text] = await answerOf(await limited.fetch(connection(path)))
      expect([path, status, text]).toEqual([path, 200, expect.not.stringMatching(/email|marker|"rowsRead":77/)])
    }
    const listed = await (await limited.fetch('/api/data-sources')).text()
    expect(listed).not.toMatch(/email|marker/)
  })

  it('has addresses for those who may change them: one may hold a key', async () => {
    const [status, text] = await answerOf(await viewer.fetch(connection('/connection')))
    expect([status, text]).toEqual([200, expect.not.stringContaining('marker')])
  })
})

it('is not read more often than the plan has it by whoever pauses and resumes it', async () => {
  const now = Date.now()
  await env.DB.prepare('UPDATE connections SET failure = NULL, synced_at = ? WHERE source_id = ?')
    .bind(now, at.sourceId)
    .run()
  for (const path of ['/pause', '/resume']) expect((await post(at.owner, connection(path))).status).toBe(200)
  const next = await env.DB.prepare('SELECT next_at AS n FROM connections WHERE source_id = ?')
    .bind(at.sourceId)
    .first<number>('n')
  expect(next).toBeGreaterThanOrEqual(now + 24 * 60 * 60 * 1000)
})
