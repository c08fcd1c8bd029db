import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { withResponseSession, PASSWORD, registerUser, signInAs } from '../../../test/worker/accounts'
import type { RegisteredUser } from '../../../test/worker/accounts'
import { aSession, signedIn, type Caller } from '../../../test/worker/factories'
import { queuedMailsTo, templatesTo } from '../../../test/worker/mails'
import { RECENT_SIGN_IN_MS, type SessionItem } from '../../shared/account'
import { SESSION_IDLE_MS } from '../../shared/limits'

const NEXT = 'another long sentence'
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
const sessionsOf = async (who: Caller) => (await who.fetch('/api/account/sessions')).json<SessionItem[]>()
const change = (who: Caller, json: object) => who.fetch('/api/account/password', { method: 'PUT', json })
const second = async ({ anon, email }: RegisteredUser, headers = {}) =>
  withResponseSession(anon, await signInAs(anon, email, PASSWORD, headers))

describe('changing the password (SES-2)', () => {
  it('ends every other session on the very next request; the one that asked goes on under a new cookie', async () => {
    const person = await registerUser()
    const other = await second(person)
    const answer = await change(person.me, { current: PASSWORD, next: NEXT })
    expect([answer.status, await answer.clone().json()]).toMatchObject([200, { user: { email: person.email } }])
    expect((await other.fetch('/api/profile')).status).toBe(401)
    expect((await person.me.fetch('/api/profile')).status).toBe(401)
    const now = await withResponseSession(person.me, answer)
    expect((await now.fetch('/api/profile')).status).toBe(200)
    expect(await sessionsOf(now)).toMatchObject([{ current: true }])
    expect((await signInAs(person.anon, person.email, PASSWORD)).status).toBe(401)
    expect((await signInAs(person.anon, person.email, NEXT)).status).toBe(200)
    expect(await templatesTo(person.email)).toContain('passwordChanged')
  })

  it('asks for the password of now, and changes nothing without it', async () => {
    const { me, anon, email } = await registerUser()
    const wrong = await change(me, { current: 'not the sentence', next: NEXT })
    expect([wrong.status, await wrong.json()]).toMatchObject([401, { code: 'invalid_credentials' }])
    const none = await change(me, { next: NEXT })
    expect([none.status, await none.json()]).toMatchObject([422, { fields: { current: expect.any(String) } }])
    expect((await change(me, { current: PASSWORD, next: 'short' })).status).toBe(422)
    expect((await me.fetch('/api/profile')).status).toBe(200)
    expect((await signInAs(anon, email)).status).toBe(200)
    expect(await templatesTo(email)).toEqual([])
  })

  it('counts wrong passwords with those of the sign-in (AUTH-2)', async () => {
    const { me, anon, email } = await registerUser()
    const statuses: number[] = []
    for (let i = 0; i < 11; i++) statuses.push((await change(me, { current: 'not the sentence', next: NEXT })).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429])
    expect((await signInAs(anon, email)).status).toBe(429)
  })

  it('is done 10 times an hour: each writes to an address that may be somebody else’s', async () => {
    const { me, anon, email } = await registerUser()
    const browser = { now: me, password: PASSWORD }
    const statuses: number[] = []
    for (let n = 0; n < 11; n++) {
      const next = `sentence number ${n} of many`
      const answer = await change(browser.now, { current: browser.password, next })
      statuses.push(answer.status)
      if (answer.status === 200)
        Object.assign(browser, { now: await withResponseSession(browser.now, answer), password: next })
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429])
    expect((await templatesTo(email)).filter((name) => name === 'passwordChanged')).toHaveLength(10)
    expect((await signInAs(anon, email, browser.password)).status).toBe(200)
  })

  it('is won by one of two at once', async () => {
    const { me } = await registerUser()
    const answers = await Promise.all(
      [NEXT, 'a third long sentence'].map((next) => change(me, { current: PASSWORD, next })),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401])
  })

  it('needs a sign-in of the last 10 minutes from people without a password', async () => {
    const start = Date.now()
    for (const [at, status] of [
      [RECENT_SIGN_IN_MS - 1, 200],
      [RECENT_SIGN_IN_MS, 401],
    ] as const) {
      const me = await signedIn({ session: { createdAt: start }, deps: { clock: { now: () => start + at } } })
      expect((await change(me, { next: NEXT })).status).toBe(status)
    }
  })
})

describe('the list of sessions', () => {
  it('says device, country and which is the own one, the newest first, and nothing that opens any', async () => {
    let now = Date.now()
    const person = await registerUser({
      deps: { clock: { now: () => now } },
      headers: { 'user-agent': FIREFOX, 'cf-ipcountry': 'SE' },
    })
    now += 1000
    const phone = await second(person, { 'user-agent': SAFARI, 'cf-ipcountry': 'NO' })
    const text = await (await phone.fetch('/api/account/sessions')).text()
    const items: SessionItem[] = JSON.parse(text)
    expect(items).toMatchObject([
      { current: true, device: 'Safari on iPhone', country: 'NO', signedInAt: new Date(now).toISOString() },
      { current: false, device: 'Firefox on Windows', country: 'SE' },
    ])
    const { results } = await env.DB.prepare('SELECT hash FROM sessions WHERE user_id = ?').bind(person.userId).all<{
      hash: string
    }>()
    for (const { hash } of results) expect(text).not.toContain(hash)
  })

  it('leaves out sessions that let nobody in any more', async () => {
    const me = await signedIn()
    await aSession(me.userId, { createdAt: Date.now() - SESSION_IDLE_MS })
    const dead = await aSession(me.userId)
    await env.DB.prepare('UPDATE sessions SET epoch = 0 WHERE hash = ?').bind(dead.hash).run()
    expect(await sessionsOf(me)).toHaveLength(1)
  })
})

describe('ending sessions (SES-1)', () => {
  it('ends one on the very next request, and the others go on', async () => {
    const person = await registerUser()
    const [other, third] = [await second(person), await second(person)]
    const { id } = (await sessionsOf(other)).find(({ current }) => current) ?? { id: '' }
    const ended = await person.me.fetch(`/api/account/sessions/${id}`, { method: 'DELETE' })
    expect(await ended.json()).toEqual({ id, current: false })
    expect((await other.fetch('/api/profile')).status).toBe(401)
    expect((await third.fetch('/api/profile')).status).toBe(200)
    expect((await person.me.fetch(`/api/account/sessions/${id}`, { method: 'DELETE' })).status).toBe(404)
  })

  it('ends the own one as sign-out does', async () => {
    const { me } = await registerUser()
    const [{ id } = { id: '' }] = await sessionsOf(me)
    const ended = await me.fetch(`/api/account/sessions/${id}`, { method: 'DELETE' })
    expect(await ended.json()).toEqual({ id, current: true })
    expect(ended.headers.getSetCookie().join('\n')).toMatch(/insikt_session=; Max-Age=0/)
    expect((await me.fetch('/api/profile')).status).toBe(401)
  })

  it('ends all others at once, however many', async () => {
    const person = await registerUser()
    const others = [await second(person), await second(person), await second(person)]
    const ended = await person.me.fetch('/api/account/sessions', { method: 'DELETE' })
    expect(await ended.json()).toEqual({ ended: 3 })
    for (const other of others) expect((await other.fetch('/api/profile')).status).toBe(401)
    expect(await sessionsOf(person.me)).toMatchObject([{ current: true }])
  })

  it('touches no session of anybody else', async () => {
    const [me, other] = [await signedIn(), await signedIn()]
    const id = other.sessionHash.slice(0, 32)
    expect((await me.fetch(`/api/account/sessions/${id}`, { method: 'DELETE' })).status).toBe(404)
    await me.fetch('/api/account/sessions', { method: 'DELETE' })
    expect((await other.fetch('/api/profile')).status).toBe(200)
  })
})

describe('a sign-in from something new', () => {
  const news = async (email: string) => (await queuedMailsTo(email)).filter(({ template }) => template === 'newSignIn')
  const from = (userAgent: string, country: string) => ({ 'user-agent': userAgent, 'cf-ipcountry': country })

  it('is told by mail, once for each device and country, and not at the first entry', async () => {
    const person = await registerUser({ headers: from(FIREFOX, 'SE'), proven: true })
    const enter = (headers: Record<string, string>) => signInAs(person.anon, person.email, PASSWORD, headers)
    await enter(from(FIREFOX, 'SE'))
    expect(await news(person.email)).toEqual([])
    await enter(from(SAFARI, 'SE'))
    await enter(from(SAFARI, 'SE'))
    expect(await news(person.email)).toMatchObject([{ device: 'Safari on iPhone', country: 'SE' }])
    await enter(from(FIREFOX.replaceAll('140', '141'), 'SE'))
    await enter(from(FIREFOX, 'DE'))
    expect(await news(person.email)).toMatchObject([{ country: 'SE' }, { device: 'Firefox on Windows', country: 'DE' }])
  })

  it('stays known after the session ended, for 30 days', async () => {
    let now = Date.now()
    const person = await registerUser({
      deps: { clock: { now: () => now } },
      headers: from(FIREFOX, 'SE'),
      proven: true,
    })
    await person.me.fetch('/api/session/sign-out', { method: 'POST' })
    now += 30 * 24 * 3_600_000 - 1
    await signInAs(person.anon, person.email, PASSWORD, from(FIREFOX, 'SE'))
    expect(await news(person.email)).toEqual([])
    now += 30 * 24 * 3_600_000
    await signInAs(person.anon, person.email, PASSWORD, from(FIREFOX, 'SE'))
    expect(await news(person.email)).toHaveLength(1)
  })

  it('is not told to an address that nobody has proven', async () => {
    const person = await registerUser({ headers: from(FIREFOX, 'SE') })
    await signInAs(person.anon, person.email, PASSWORD, from(SAFARI, 'NO'))
    expect(await news(person.email)).toEqual([])
  })

  it('is not told to those who do not want it', async () => {
    const person = await registerUser({ headers: from(FIREFOX, 'SE'), proven: true })
    await env.DB.prepare(`UPDATE users SET notifications = '{"newSignIn":false}' WHERE id = ?`)
      .bind(person.userId)
      .run()
    await signInAs(person.anon, person.email, PASSWORD, from(SAFARI, 'NO'))
    expect(await news(person.email)).toEqual([])
  })
})
