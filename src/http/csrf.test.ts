import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { createApp } from '../app'
import { casesOf, LONG } from '../../test/long'
import { databaseDump } from '../../test/worker/test-database'
import { callApp, cookiesOf, ORIGIN, signedIn, unique, visitor } from '../../test/worker/factories'
import { aRowOfEach, pathWith } from '../../test/worker/resources'
import { callablePath, routeTable } from '../../test/worker/http/route-table'
import type { PageData } from '../shared/session'

const app = createApp()
const calls = routeTable(app).filter(({ path }) => /^\/(api|files)\//.test(path))
/** What a machine sends is refused by its signature or its token alone: webhook.test.ts, ingest.test.ts. */
const isSigned = ({ schemas }: { schemas: { target: string }[] }) => schemas.some(({ target }) => target === 'signed')
/** Links to reports: a header that no other page can send says who asks, and no cookie does: shared-links.test.ts. */
const isByHeader = ({ path }: { path: string }) => path.startsWith('/api/shared/')
const writes = calls.filter((call) => call.method !== 'GET' && !isSigned(call) && !isByHeader(call))
const without = (headers: Record<string, string>, name: string) =>
  Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name))
/** Whether an address is one of a route's: `import` also stands where an id may stand. */
const fits = (pattern: string, path: string) => new RegExp(`^${pattern.replace(/:[A-Za-z]+/g, '[^/]+')}$`).test(path)
const bodyFor = (method: string) => (/POST|PUT/.test(method) ? { body: '{}' } : {})

describe('every write (CSRF-1)', () => {
  it('is refused without, with a wrong, with another session’s and with a stale token, and changes nothing', async () => {
    const [me, other, anon] = [await signedIn({ app }), await signedIn({ app }), await visitor({ app })]
    const before = await databaseDump()
    const wrong = [null, '', 'ab'.repeat(32), `${me.csrf}0`, other.csrf, anon.csrf]
    for (const [nth, { method, path }] of writes.entries())
      // In the short run each write gets two of them, by turns.
      for (const token of LONG ? wrong : [wrong[nth % 6] ?? null, wrong[(nth + 3) % 6] ?? null]) {
        const headers = { ...without(me.headers, 'x-csrf-token'), ...(token === null ? {} : { 'x-csrf-token': token }) }
        const answer = await callApp(app, callablePath(path), { method, headers, ...bodyFor(method) })
        expect([method, path, token, answer.status]).toEqual([method, path, token, 403])
        expect(await answer.json()).toMatchObject({ code: 'csrf_invalid' })
      }
    expect(await databaseDump()).toBe(before)
  })

  it('is refused with the token of a visitor cookie that we did not sign', async () => {
    const anon = await visitor({ app })
    const forged = anon.cookie.replace(/\.(.)/, (_all, char: string) => `.${char === '0' ? '1' : '0'}`)
    const answer = await anon.fetch('/api/session/sign-out', { method: 'POST', headers: { cookie: forged } })
    expect(answer.status).toBe(403)
  })
})

it('but for two calls, which a signature or a token vouches for instead, and for those of people without a session', () => {
  expect(calls.filter(isByHeader).flatMap(({ guards }) => guards.map(({ kind }) => kind))).toEqual(
    Array(5).fill('open'),
  )
  expect(calls.filter(isSigned).map(({ method, path }) => `${method} ${path}`)).toEqual([
    ...['POST /api/stripe/webhook', 'POST /api/ingest/:sourceKey'],
  ])
})

describe('bodies that a form can send (CSRF-2)', () => {
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    '',
  ])('are refused with 415 when they come as "%s"', async (type) => {
    const me = await signedIn({ app })
    const before = await databaseDump()
    for (const { method, path } of writes.filter(
      (one) => one.path.startsWith('/api/') && /POST|PUT/.test(one.method),
    )) {
      const headers = { ...without(me.headers, 'content-type'), ...(type === '' ? {} : { 'content-type': type }) }
      const init = { method, headers, body: new TextEncoder().encode('{"name":"x"}') }
      const answer = await callApp(app, callablePath(path), init)
      expect([method, path, answer.status]).toEqual([method, path, 415])
    }
    expect(await databaseDump()).toBe(before)
  })

  it('are taken with a charset beside the type', async () => {
    const me = await signedIn({ app })
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    expect((await me.fetch('/api/onboarding', { method: 'PUT', json: { step: 'done' }, headers })).status).toBe(200)
  })

  it('override no method, and HEAD runs no write', async () => {
    const me = await signedIn({ app })
    const before = await databaseDump()
    for (const [nth, { method, path }] of writes.entries()) {
      const taken = new Set(calls.filter((one) => fits(one.path, callablePath(path))).map((one) => one.method))
      const override = `${callablePath(path)}?_method=${method}`
      const head = await me.fetch(override, { method: 'HEAD', headers: { 'x-http-method-override': method } })
      if (!taken.has('GET')) expect([path, head.status]).toEqual([path, 405])
      const others = ['GET', 'PATCH', 'PUT', 'DELETE', 'POST'].filter((name) => !taken.has(name))
      // In the short run each path gets one of them, by turns.
      for (const wrong of casesOf(others, others[nth % others.length] ?? 'PATCH')) {
        const answer = await me.fetch(override, { method: wrong, ...(/GET/.test(wrong) ? {} : { json: {} }) })
        expect([wrong, path, answer.status]).toEqual([wrong, path, 405])
        expect(answer.headers.get('allow')?.split(', ')).toEqual([...taken].toSorted())
      }
    }
    expect(await databaseDump()).toBe(before)
  })
})

describe('where a write comes from (CSRF-3)', () => {
  it.each([
    { origin: 'null' },
    { origin: 'https://evil.example' },
    { origin: 'http://app.localhost:8787' },
    { origin: 'http://localhost:8788' },
    { origin: 'https://localhost:8787' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: ORIGIN, 'sec-fetch-site': 'cross-site' },
  ])('is refused from %j, even with the right token', async (headers) => {
    const me = await signedIn({ app })
    const answer = await me.fetch('/api/onboarding', { method: 'PUT', json: { step: 'done' }, headers })
    expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'csrf_invalid' }])
  })

  it('is taken from our own pages, and from a program without a browser', async () => {
    const me = await signedIn({ app })
    for (const headers of [{ origin: ORIGIN, 'sec-fetch-site': 'same-origin' }, {}])
      expect((await me.fetch('/api/onboarding', { method: 'PUT', json: { step: 'done' }, headers })).status).toBe(200)
  })
})

describe('signing in and out for somebody else (CSRF-4)', () => {
  it('is refused without the visitor’s or the session’s own token', async () => {
    const [me, anon, attacker] = [await signedIn({ app }), await visitor({ app }), await visitor({ app })]
    const credentials = { email: 'a@example.com', password: 'a sentence nobody guesses' }
    const headers = { 'x-csrf-token': attacker.csrf }
    expect((await anon.fetch('/api/session/sign-in', { method: 'POST', json: credentials, headers })).status).toBe(403)
    expect((await me.fetch('/api/session/sign-out', { method: 'POST', headers })).status).toBe(403)
    expect((await me.fetch('/api/profile')).status).toBe(200)
  })

  it('changes the token at sign-in: the one from before is refused afterwards', async () => {
    const page = await callApp(app, '/api/session')
    const { csrfToken } = await page.json<PageData>()
    const input = {
      name: 'A',
      email: `${unique('rot')}@example.com`,
      password: 'a sentence nobody guesses',
      acceptTerms: true,
    }
    const post = (path: string, cookie: string, token: string, json: unknown) =>
      callApp(app, path, {
        method: 'POST',
        headers: { cookie, 'x-csrf-token': token, 'content-type': 'application/json' },
        body: JSON.stringify(json),
      })
    const made = await post('/api/account/register', cookiesOf(page), csrfToken, input)
    expect(made.status).toBe(201)
    const after = await made.json<PageData>()
    expect(after.csrfToken).not.toBe(csrfToken)
    const cookie = `${cookiesOf(page)}; ${cookiesOf(made)}`
    expect((await post('/api/session/sign-out', cookie, csrfToken, {})).status).toBe(403)
    expect((await post('/api/session/sign-out', cookie, after.csrfToken, {})).status).toBe(200)
  })
})

/** Log entries; and since when a person's briefing counts what is new, which is told to nobody else. */
const NOTED_BY_READS = ['audit', 'briefing_visits']

describe('every read (CSRF-5)', () => {
  it('changes nothing, crawled as an owner over everything there is', async () => {
    const me = await signedIn({ app })
    const ids = await aRowOfEach(me.workspaceId, me.userId)
    const logged = () => env.DB.prepare('SELECT id, action FROM audit').all<{ id: string; action: string }>()
    const [before, lines] = [await databaseDump(NOTED_BY_READS), await logged()]
    const pages = ['/', '/login', '/data-sources', '/insights', '/insights/new', '/settings/workspace', '/nothing']
    const reads = calls.filter(({ method }) => method === 'GET')
    const statuses: number[] = []
    const named = reads.filter(({ path }) => !path.startsWith('/files/insights/')).map((one) => pathWith(one.path, ids))
    for (const path of [...reads.map((one) => callablePath(one.path)), ...named, ...pages]) {
      const answer = await me.fetch(path)
      // The rows stand for themselves: what would be read behind them breaks off.
      await answer.arrayBuffer().catch(() => null)
      statuses.push(answer.status)
    }
    expect(statuses.filter((status) => status >= 500)).toEqual([])
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(reads.length / 3)
    expect(await databaseDump(NOTED_BY_READS)).toBe(before)
    // Taking data along is logged; nothing else is written by a read.
    const known = new Set(lines.results.map(({ id }) => id))
    const added = (await logged()).results.filter(({ id }) => !known.has(id))
    expect(added.filter(({ action }) => !action.endsWith('.export'))).toEqual([])
  })
})
