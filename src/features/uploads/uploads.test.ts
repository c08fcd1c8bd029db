import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { deleteExpiredUploads } from './service'
import { expiredTrial, otherWorkspace, signedIn, visitor, type SignedIn } from '../../../test/worker/factories'
import { createDeps, systemIds } from '../../deps'
import { readObject } from '../../lib/compressed-object'
import { sha256Hex } from '../../lib/hash'
import { readSettings } from '../../settings'
import type { Upload } from '../../shared/data-sources/files'
import {
  EXTRACTED_FILE_MAX_BYTES,
  FILE_MAX_BYTES,
  UNFINISHED_UPLOAD_COUNTS_MS,
  UNFINISHED_UPLOADS_MAX,
  UPLOAD_PART_BYTES,
  UPLOAD_TTL_MS,
  WORKSPACE_STORED_MAX_BYTES,
} from '../../shared/limits'

const BYTES = { 'content-type': 'application/octet-stream' }
function bytes(length: number, seed = 1): Uint8Array {
  const all = new Uint8Array(length)
  for (let at = 0; at < length; at += 1) all[at] = (at * 31 + seed * 7 + (at >> 8)) & 255
  return all
}

const announce = (me: SignedIn, size: number, fileName = 'sales.csv') =>
  me.fetch('/api/uploads', { method: 'POST', json: { fileName, size } })
async function announced(me: SignedIn, size: number): Promise<Upload> {
  const answer = await announce(me, size)
  expect(answer.status).toBe(201)
  return answer.json<Upload>()
}
const put = (
  me: SignedIn,
  id: string,
  n: number | string,
  body: BodyInit | null,
  headers: Record<string, string> = {},
) => me.fetch(`/files/uploads/${id}/parts/${n}`, { method: 'PUT', body, headers: { ...BYTES, ...headers } })
const complete = (me: SignedIn, id: string) => me.fetch(`/api/uploads/${id}/complete`, { method: 'POST' })
const keyOf = (id: string) =>
  env.DB.prepare('SELECT object_key FROM uploads WHERE id = ?').bind(id).first<string>('object_key')
const objects = async () => (await env.FILES.list()).objects.map(({ key }) => key)
const code = async (answer: Response) => [answer.status, (await answer.json<{ code: string }>()).code]

function depsAt(now: number) {
  const parsed = readSettings(env)
  if (!parsed.ok) throw new Error(parsed.problem)
  return createDeps(env, parsed.settings, { waitUntil: () => undefined }, { clock: { now: () => now } })
}

describe('uploading a file', () => {
  it('joins parts, sent in any order and again, into the very bytes that were sent', async () => {
    const me = await signedIn()
    const file = bytes(UPLOAD_PART_BYTES + 1000)
    const upload = await announced(me, file.length)
    expect(upload).toMatchObject({ partCount: 2, partBytes: UPLOAD_PART_BYTES, received: [], state: 'receiving' })
    expect((await put(me, upload.id, 2, file.slice(UPLOAD_PART_BYTES))).status).toBe(200)
    const half = await (await me.fetch(`/api/uploads/${upload.id}`)).json<Upload>()
    expect(half.received).toEqual([2])
    expect((await put(me, upload.id, 1, bytes(UPLOAD_PART_BYTES, 9))).status).toBe(200)
    expect((await put(me, upload.id, 1, file.slice(0, UPLOAD_PART_BYTES))).status).toBe(200)
    const done = await complete(me, upload.id)
    expect([done.status, await done.json()]).toMatchObject([200, { state: 'complete', received: [1, 2] }])
    const key = (await keyOf(upload.id)) ?? ''
    const object = await readObject(env.FILES, key)
    const stored = new Uint8Array(await new Response(object?.body).arrayBuffer())
    expect([object?.size, stored.length]).toEqual([file.length, file.length])
    // Value by value: a comparison of two such arrays takes ten seconds.
    expect(stored.every((byte, at) => byte === file[at])).toBe(true)
    expect((await me.fetch(`/api/uploads/${upload.id}`, { method: 'DELETE' })).status).toBe(200)
    expect((await objects()).filter((each) => each.startsWith(key))).toEqual([])
  })

  it('answers the same when completed twice', async () => {
    const me = await signedIn()
    const upload = await announced(me, 3)
    await put(me, upload.id, 1, 'a,b')
    const [one, two] = [await complete(me, upload.id), await complete(me, upload.id)]
    expect(await two.json()).toEqual(await one.json())
  })

  it('becomes one whole file when completed twice and sent again at once (UPL-5)', async () => {
    const me = await signedIn()
    const before = new Set(await objects())
    const upload = await announced(me, 3)
    await put(me, upload.id, 1, 'a,b')
    const [one, two, again] = await Promise.all([
      complete(me, upload.id),
      complete(me, upload.id),
      put(me, upload.id, 1, 'a,b'),
    ])
    // Whoever sends a part again while joining may be asked to send it once more: never half a file, never a fault.
    for (const { status } of [one, two, again]) expect([200, 400, 404]).toContain(status)
    const { state } = await (await me.fetch(`/api/uploads/${upload.id}`)).json<Upload>()
    if (state === 'receiving') expect((await put(me, upload.id, 1, 'a,b')).status).toBe(200)
    expect((await complete(me, upload.id)).status).toBe(200)
    const key = (await keyOf(upload.id)) ?? ''
    expect(await (await env.FILES.get(key))?.text()).toBe('a,b')
    expect((await objects()).filter((each) => !before.has(each))).toEqual([key])
  })

  it('stores under a random key that says nothing of the name', async () => {
    const me = await signedIn()
    const answer = await announce(me, 3, '../../etc/passwd\u202e.csv')
    expect(answer.status).toBe(201)
    expect(await keyOf((await answer.json<Upload>()).id)).toMatch(/^uploads\/[0-9a-f]{40}$/)
  })

  it('gives equal files equal digests and others another', async () => {
    const me = await signedIn()
    const digest = async (text: string) => {
      const upload = await announced(me, text.length)
      await put(me, upload.id, 1, text)
      await complete(me, upload.id)
      return env.DB.prepare('SELECT content_hash FROM uploads WHERE id = ?').bind(upload.id).first('content_hash')
    }
    const [one, same, other] = [await digest('a,b\n1,2'), await digest('a,b\n1,2'), await digest('a,b\n1,3')]
    expect(one).toBe(same)
    expect(one).not.toBe(other)
  })
})

describe('what is refused', () => {
  it('refuses an empty file and one over the cap, and stores nothing', async () => {
    const me = await signedIn()
    expect(await code(await announce(me, 0))).toEqual([422, 'file_unreadable'])
    const large = await announce(me, FILE_MAX_BYTES + 1)
    expect([large.status, await large.json()]).toMatchObject([
      413,
      { code: 'too_large', what: 'file', max: FILE_MAX_BYTES },
    ])
    const workbook = await announce(me, EXTRACTED_FILE_MAX_BYTES + 1, 'sales.xlsx')
    expect([workbook.status, await workbook.json()]).toMatchObject([
      413,
      { code: 'too_large', max: EXTRACTED_FILE_MAX_BYTES, message: expect.stringMatching(/Save the table as CSV/) },
    ])
    const count = env.DB.prepare('SELECT count(*) AS n FROM uploads WHERE workspace_id = ?').bind(me.workspaceId)
    expect(await count.first('n')).toBe(0)
    expect((await announce(me, FILE_MAX_BYTES)).status).toBe(201)
  })

  it('refuses a part longer or shorter than agreed, declared or streamed, and keeps none of it', async () => {
    const me = await signedIn()
    const upload = await announced(me, 1000)
    expect(await code(await put(me, upload.id, 1, bytes(1001)))).toEqual([413, 'too_large'])
    expect(await code(await put(me, upload.id, 1, bytes(999)))).toEqual([400, 'bad_request'])
    expect(await code(await put(me, upload.id, 1, streamed(bytes(5000), 100)))).toEqual([413, 'too_large'])
    expect(await code(await put(me, upload.id, 1, streamed(bytes(500), 100)))).toEqual([400, 'bad_request'])
    expect(await code(await put(me, upload.id, 1, null))).toEqual([400, 'bad_request'])
    expect(await code(await complete(me, upload.id))).toEqual([400, 'bad_request'])
    expect((await (await me.fetch(`/api/uploads/${upload.id}`)).json<Upload>()).received).toEqual([])
    expect(await objects()).not.toContain(await keyOf(upload.id))
    expect((await put(me, upload.id, 1, bytes(1000))).status).toBe(200)
    expect(await code(await put(me, upload.id, 1, streamed(bytes(5000, 2), 1000)))).toEqual([413, 'too_large'])
    const kept = await env.FILES.get((await keyOf(upload.id)) ?? '')
    expect([...new Uint8Array((await kept?.arrayBuffer()) ?? new ArrayBuffer(0))]).toEqual([...bytes(1000)])
  })

  it('keeps nothing of a part whose sender gives up at half, and no orphan when the upload is cancelled', async () => {
    const me = await signedIn()
    const upload = await announced(me, 2000)
    const key = (await keyOf(upload.id)) ?? ''
    expect(await code(await put(me, upload.id, 1, streamed(bytes(1000), 250, true)))).toEqual([400, 'bad_request'])
    expect((await me.fetch(`/api/uploads/${upload.id}`, { method: 'DELETE' })).status).toBe(200)
    expect((await me.fetch(`/api/uploads/${upload.id}`)).status).toBe(404)
    expect(await objects()).not.toContain(key)
    const left = env.DB.prepare('SELECT count(*) AS n FROM upload_parts WHERE upload_id = ?').bind(upload.id)
    expect(await left.first('n')).toBe(0)
  })

  it('keeps nothing of a part that comes after its upload was cancelled', async () => {
    const me = await signedIn()
    const upload = await announced(me, 2000)
    const key = (await keyOf(upload.id)) ?? ''
    const late = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await me.fetch(`/api/uploads/${upload.id}`, { method: 'DELETE' })
        controller.enqueue(bytes(2000))
        controller.close()
      },
    })
    expect(await code(await put(me, upload.id, 1, late))).toEqual([404, 'not_found'])
    expect(await objects()).not.toContain(key)
  })

  it('asks for a file again whose parts an earlier release was to join', async () => {
    const me = await signedIn()
    const upload = await announced(me, 3)
    await put(me, upload.id, 1, 'a,b')
    await env.FILES.delete((await keyOf(upload.id)) ?? '')
    expect(await code(await complete(me, upload.id))).toEqual([400, 'bad_request'])
  })

  it('answers 404 for part numbers that do not exist', async () => {
    const me = await signedIn()
    const upload = await announced(me, 10)
    for (const n of ['0', '2', '-1', '1e0', '01', 'x', '99999999999999999999'])
      expect([n, (await put(me, upload.id, n, bytes(10))).status]).toEqual([n, 404])
  })

  it('takes no more parts once complete', async () => {
    const me = await signedIn()
    const upload = await announced(me, 3)
    await put(me, upload.id, 1, 'a,b')
    await complete(me, upload.id)
    expect(await code(await put(me, upload.id, 1, 'c,d'))).toEqual([400, 'bad_request'])
  })

  it('refuses a file that would take the workspace past its bytes', async () => {
    const me = await signedIn()
    await announced(me, 10)
    await env.DB.prepare('UPDATE uploads SET size = ? WHERE workspace_id = ?')
      .bind(WORKSPACE_STORED_MAX_BYTES - 5, me.workspaceId)
      .run()
    const answer = await announce(me, 6)
    expect([answer.status, await answer.json()]).toMatchObject([413, { code: 'too_large', what: 'workspace' }])
    expect((await announce(me, 5)).status).toBe(201)
  })

  it('lets twenty files of a workspace be on their way, however many are announced at once', async () => {
    const me = await signedIn()
    const all = await Promise.all(Array.from({ length: UNFINISHED_UPLOADS_MAX + 4 }, () => announce(me, 3)))
    const refused = all.filter(({ status }) => status !== 201)
    expect(refused).toHaveLength(4)
    const limit = { code: 'limit_reached', limit: 'uploads', used: UNFINISHED_UPLOADS_MAX, max: UNFINISHED_UPLOADS_MAX }
    for (const answer of refused) expect([answer.status, await answer.json()]).toMatchObject([409, limit])
    expect((await announce(await signedIn(), 3)).status).toBe(201)
    const [one] = await Promise.all(all.filter(({ status }) => status === 201).map((answer) => answer.json<Upload>()))
    await put(me, one?.id ?? '', 1, 'a,b')
    await complete(me, one?.id ?? '')
    expect((await announce(me, 3)).status).toBe(201)
    expect(await code(await announce(me, 3))).toEqual([409, 'limit_reached'])
    const left = 'UPDATE uploads SET created_at = created_at - ? WHERE workspace_id = ?'
    await env.DB.prepare(left).bind(UNFINISHED_UPLOAD_COUNTS_MS, me.workspaceId).run()
    expect((await announce(me, 3)).status).toBe(201)
  })

  it.each([
    ['createUpload', 300, (me: SignedIn) => announce(me, 3)],
    [
      'openUpload',
      600,
      (me: SignedIn) => me.fetch(`/api/uploads/${systemIds.next('upload')}/open`, { method: 'POST' }),
    ],
    [
      'inspectUpload',
      3_000,
      (me: SignedIn) => me.fetch(`/api/uploads/${systemIds.next('upload')}/inspect`, { method: 'POST', json: {} }),
    ],
  ] as const)('refuses for a while who does it too often: %s, %i in an hour', async (rate, max, ask) => {
    const [me, other] = [await signedIn(), await signedIn()]
    const taken = env.RATE_LIMITER.getByName(await sha256Hex(`${rate} ${me.userId}`))
    await taken.take(Date.now(), max, 3_600_000, max - 1)
    expect((await ask(me)).status).not.toBe(429)
    const answer = await ask(me)
    expect([answer.status, Number(answer.headers.get('retry-after')) > 3_500]).toEqual([429, true])
    expect((await ask(other)).status).not.toBe(429)
  })
})

it('looks into one file of a workspace at a time, and into those of two workspaces at once', async () => {
  const held = { now: 0, most: 0 }
  const get = async (...range: Parameters<R2Bucket['get']>) => {
    held.most = Math.max(held.most, ++held.now)
    await scheduler.wait(5)
    held.now--
    return env.FILES.get(...range)
  }
  const files: R2Bucket = new Proxy(env.FILES, {
    get: (bucket, name) => {
      if (name === 'get') return get
      const value: unknown = Reflect.get(bucket, name)
      return typeof value === 'function' ? value.bind(bucket) : value
    },
  })
  const whole = async () => {
    const me = await signedIn({ deps: { files } })
    const { id } = await announced(me, 8)
    await put(me, id, 1, 'a;b\n1;2\n')
    await complete(me, id)
    return () => me.fetch(`/api/uploads/${id}/inspect`, { method: 'POST', json: {} })
  }
  const [mine, theirs, others] = [await whole(), await whole(), await whole()]
  const all = await Promise.all([mine(), mine(), mine(), mine()])
  expect([held.most, ...all.map(({ status }) => status)]).toEqual([1, 200, 200, 200, 200])
  const mixed = await Promise.all([mine(), mine(), theirs(), theirs(), others(), others()])
  expect([held.most, new Set(mixed.map(({ status }) => status))]).toEqual([2, new Set([200])])
})

describe('an upload whose time is over', () => {
  it('is not found any more, and is swept with its bytes; a younger one stays', async () => {
    const me = await signedIn()
    const [old, begun, young] = [await announced(me, 3), await announced(me, 3), await announced(me, 3)]
    await put(me, old.id, 1, 'a,b')
    await complete(me, old.id)
    const [oldKey, youngKey] = [(await keyOf(old.id)) ?? '', await keyOf(young.id)]
    await put(me, young.id, 1, 'a,b')
    await complete(me, young.id)
    const past = Date.now() - UPLOAD_TTL_MS
    await env.DB.prepare('UPDATE uploads SET expires_at = ? WHERE id IN (?, ?)').bind(past, old.id, begun.id).run()
    expect((await me.fetch(`/api/uploads/${old.id}`)).status).toBe(404)
    await deleteExpiredUploads(depsAt(Date.now()))
    expect(await objects()).not.toContain(oldKey)
    expect(await objects()).toContain(youngKey)
    const { results } = await env.DB.prepare('SELECT id FROM uploads WHERE workspace_id = ?').bind(me.workspaceId).all()
    expect(results).toEqual([{ id: young.id }])
  })
})

describe('who may upload', () => {
  const calls = (id: string): [string, string, unknown][] => [
    ['POST', '/api/uploads', { fileName: 'a.csv', size: 3 }],
    ['GET', `/api/uploads/${id}`, undefined],
    ['DELETE', `/api/uploads/${id}`, undefined],
    ['POST', `/api/uploads/${id}/complete`, {}],
    ['POST', `/api/uploads/${id}/inspect`, {}],
    ['PUT', `/files/uploads/${id}/parts/1`, {}],
  ]

  it('refuses a visitor, a viewer and a workspace whose trial has ended, and hides foreign uploads', async () => {
    const me = await signedIn()
    const upload = await announced(me, 3)
    const viewer = await signedIn({ workspaceId: me.workspaceId, role: 'viewer' })
    const ended = await expiredTrial()
    const stranger = await otherWorkspace()
    const nobody = await visitor()
    for (const [method, path, json] of calls(upload.id)) {
      const init = { method, ...(json === undefined ? {} : { json }) }
      const ask = async (who: { fetch: SignedIn['fetch'] }) => (await who.fetch(path, init)).status
      expect([method, path, await ask(nobody)]).toEqual([method, path, 401])
      expect([method, path, await ask(viewer)]).toEqual([method, path, 403])
      // To look stays possible; there this upload is another workspace's.
      expect([method, path, await ask(ended)]).toEqual([method, path, method === 'GET' ? 404 : 402])
      if (path !== '/api/uploads') expect([method, path, await ask(stranger)]).toEqual([method, path, 404])
    }
    expect((await me.fetch(`/api/uploads/${upload.id}`)).status).toBe(200)
  })
})

/** A body without a declared length, in pieces; with `breaks` its sender goes away at the end. */
function streamed(data: Uint8Array, piece: number, breaks = false): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at < data.length) controller.enqueue(data.slice(at, (at += piece)))
      else if (breaks) controller.error(new Error('gone'))
      else controller.close()
    },
  })
}
