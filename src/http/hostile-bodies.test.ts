import { env } from 'cloudflare:test'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readBodyBytes } from './validate'
import { createApp } from '../app'
import { databaseDump, untilWritten } from '../../test/worker/test-database'
import { signedIn, type SignedIn } from '../../test/worker/factories'
import { callablePath, routeTable } from '../../test/worker/http/route-table'
import { replaceAt, sampleOf, valueAt, type Sample } from '../../test/worker/schema-samples'

const app = createApp()
const routes = routeTable(app).filter(({ path }) => path.startsWith('/api/'))
const withBody = routes.flatMap(({ method, path, schemas }) =>
  schemas.flatMap(({ target, schema }) =>
    target === 'json' && schema ? [{ method, path, sample: sampleOf(schema) }] : [],
  ),
)
/** Someone whom the call answers. */
const callerOf = (path: string) => (path.startsWith('/api/admin/') ? ofStaff() : anOwner())
const anOwner = untilWritten(() => signedIn({ app }))
const ofStaff = untilWritten(() => signedIn({ app, staff: true }))
const bodiless = routes.filter(({ schemas }) => schemas.some(({ target }) => target === 'none'))
const withQuery = routes.filter(({ schemas }) => schemas.some(({ target }) => target === 'query'))

const LONG = env.LONG === '1'
/** What a person might add to a body in order to get more than their due: each is refused by its name, all at once or alone. */
const FOREIGN_KEYS = [
  'role',
  'workspaceId',
  'plan_id',
  'ownerId',
  'isAdmin',
  'userId',
  'epoch',
  '__proto__',
  'constructor',
]
const NO_SCALARS: unknown[] = [{ $gt: '' }, { toString: 'x' }, [], ['text'], [{ $ne: null }]]
/** In the short run each field is given one of them, and the next field the one after; in the long run all of them. */
const noScalarsOf = (field: number): unknown[] => (LONG ? NO_SCALARS : [NO_SCALARS[field % NO_SCALARS.length]])

let logged: ReturnType<typeof vi.spyOn>
beforeEach(() => {
  logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
})
afterEach(() => {
  // A statement that failed, or any other surprise, would have been logged.
  expect(logged.mock.calls).toEqual([])
  logged.mockRestore()
})

/** JSON text in which even `__proto__` is an own key. */
const withKeys = (value: unknown, keys: string[]): string =>
  JSON.stringify(value)
    .replace(/^\{/, `{${keys.map((key) => `${JSON.stringify(key)}:"owner",`).join('')}`)
    .replace(/,\}$/, '}')

async function send(me: SignedIn, call: { method: string; path: string }, body: string) {
  const answer = await me.fetch(callablePath(call.path), { method: call.method, body })
  const refused = await answer.json<{ code: string; fields?: Record<string, string> }>()
  return { status: answer.status, ...refused }
}

describe('keys that a route does not know (IDOR-4)', () => {
  it.each(withBody)('$method $path refuses them by name and stores nothing', async ({ method, path, sample }) => {
    const me = await callerOf(path)
    const before = await databaseDump()
    const known = Object.keys(Object(sample.value))
    const foreign = FOREIGN_KEYS.filter((one) => !known.includes(one))
    for (const keys of LONG ? [foreign, ...foreign.map((key) => [key])] : [foreign]) {
      const answer = await send(me, { method, path }, withKeys(sample.value, keys))
      expect([keys, answer.status, answer.code]).toEqual([keys, 422, 'invalid_input'])
      expect(Object.keys(answer.fields ?? {})).toEqual(expect.arrayContaining(keys))
    }
    expect(await databaseDump()).toBe(before)
  })

  it.each(bodiless)('$method $path takes no body at all', async ({ method, path }) => {
    const me = await callerOf(path)
    const before = await databaseDump()
    for (const body of ['{"role":"owner"}', '[]', '[1]', 'null', '7', '"x"', 'true'])
      expect([body, (await send(me, { method, path }, body)).status]).toEqual([body, 422])
    expect(await databaseDump()).toBe(before)
  })

  it.each(withQuery)('$method $path refuses unknown and repeated keys of the query', async ({ method, path }) => {
    const me = await callerOf(path)
    for (const search of ['?isAdmin=1', '?__proto__=1', '?role[$gt]=', '?role=a&role=b']) {
      const answer = await me.fetch(`${callablePath(path)}${search}`, { method })
      expect([search, answer.status]).toEqual([search, 422])
    }
  })
})

/** Objects inside the body refuse unknown keys too: nothing travels along unnoticed. */
const inner = ({ objects }: Sample) => objects.filter((path) => path.length > 0)

describe('objects and lists where scalars belong (INJ-3)', () => {
  it.each(withBody)('$method $path refuses them in every field', async ({ method, path, sample }) => {
    const me = await callerOf(path)
    const before = await databaseDump()
    for (const [field, at] of sample.scalars.entries())
      for (const wrong of noScalarsOf(field)) {
        const answer = await send(me, { method, path }, JSON.stringify(replaceAt(sample.value, at, wrong)))
        expect([at.join('.'), wrong, answer.status, answer.code]).toEqual([at.join('.'), wrong, 422, 'invalid_input'])
      }
    for (const at of inner(sample)) {
      const grown = { ...Object(valueAt(sample.value, at)), isAdmin: true }
      const answer = await send(me, { method, path }, JSON.stringify(replaceAt(sample.value, at, grown)))
      expect([at.join('.'), answer.status]).toEqual([at.join('.'), 422])
    }
    for (const whole of ['null', '[]', '"text"', '7', 'true', ''])
      expect([whole, (await send(me, { method, path }, whole)).status]).toEqual([whole, 422])
    expect(await databaseDump()).toBe(before)
  })

  it.each(withBody)(
    '$method $path answers 400 to what is no JSON, and 422 to a thousand nested lists',
    async ({ method, path }) => {
      const me = await callerOf(path)
      for (const text of ['{', '{"a":}', "{'a':1}", '\u0000', 'undefined', '{"name":"x"'])
        expect([text, (await send(me, { method, path }, text)).status]).toEqual([text, 400])
      const deep = `{"name":${'['.repeat(1000)}${']'.repeat(1000)}}`
      expect((await send(me, { method, path }, deep)).status).toBe(422)
    },
  )
})

const posted = (body: ReadableStream<Uint8Array>) => new Request('https://insikt.test/', { method: 'POST', body })

describe('a body that arrives slowly', () => {
  it('that does not end is given up at its deadline', async () => {
    const held = new ReadableStream<Uint8Array>({ start: (to) => to.enqueue(new TextEncoder().encode('{"a"')) })
    await expect(readBodyBytes(posted(held), { maxBytes: 100, what: 'body', deadlineMs: 20 })).rejects.toMatchObject({
      code: 'bad_request',
    })
  })

  it('in time is read as it came', async () => {
    const whole = new Blob(['{"a":1}']).stream()
    const bytes = await readBodyBytes(posted(whole), { maxBytes: 100, what: 'body', deadlineMs: 5000 })
    expect(new TextDecoder().decode(bytes)).toBe('{"a":1}')
  })
})
