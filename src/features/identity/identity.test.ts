import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { casesOf } from '../../../test/long'
import { cookiesOf, unique, visitor } from '../../../test/worker/factories'
import { spendTries } from '../../../test/worker/http/rate-limits'
import { createPasswords, type Passwords } from '../../identity/passwords'
import type { PageData } from '../../shared/session'

const MINUTE_MS = 60_000
const PASSWORD = 'a sentence nobody guesses'
const person = (over: object = {}) => ({
  name: 'Anna Lind',
  email: `${unique('anna')}@example.com`,
  password: PASSWORD,
  acceptTerms: true,
  ...over,
})
type Visitor = Awaited<ReturnType<typeof visitor>>
const register = (who: Visitor, json: unknown, headers = {}) =>
  who.fetch('/api/account/register', { method: 'POST', json, headers })
const signIn = (who: Visitor, email: unknown, password: unknown, headers = {}) =>
  who.fetch('/api/session/sign-in', { method: 'POST', json: { email, password }, headers })
const hashOf = (email: string) =>
  env.DB.prepare('SELECT password_hash FROM users WHERE email = ?').bind(email).first<string>('password_hash')
const usersCount = () => env.DB.prepare('SELECT count(*) AS n FROM users').first<number>('n')

/** Passwords that cost nothing, and a count of what was asked of them. */
function cheapPasswords() {
  const asked: { hashed: number; verified: (string | null)[] } = { hashed: 0, verified: [] }
  const passwords: Passwords = {
    hash: async (password) => `cheap:${(asked.hashed += 1)}:${password}`,
    verify: async (password, stored) => {
      asked.verified.push(stored)
      return { ok: stored?.endsWith(`:${password}`) ?? false, outdated: false }
    },
  }
  return { passwords, asked }
}

describe('register and sign in (AUTH-1)', () => {
  it('registers, is signed in at once, and signs in again with the same password', async () => {
    const anon = await visitor()
    const input = person()
    const made = await register(anon, input)
    expect(made.status).toBe(201)
    const page: PageData = await made.json()
    expect(page.user).toMatchObject({ name: 'Anna Lind', email: input.email, onboarding: 'workspace' })
    const me = await anon.fetch('/api/session', { headers: { cookie: cookiesOf(made) } })
    expect(await me.json()).toMatchObject({ user: { email: input.email }, csrfToken: page.csrfToken })
    expect((await signIn(anon, input.email, PASSWORD)).status).toBe(200)
    expect(await hashOf(input.email)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  it('answers the same words for a wrong password and an unknown address, and hashes for both', async () => {
    const { passwords, asked } = cheapPasswords()
    const anon = await visitor({ deps: { passwords } })
    const input = person()
    await register(anon, input)
    const wrong = await signIn(anon, input.email, 'not the sentence')
    const unknown = await signIn(anon, `${unique('nobody')}@example.com`, PASSWORD)
    const bodies = [await wrong.json<object>(), await unknown.json<object>()].map((body) => ({
      ...body,
      requestId: '',
    }))
    expect([wrong.status, unknown.status]).toEqual([401, 401])
    expect(bodies[0]).toEqual(bodies[1])
    expect(bodies[0]).toMatchObject({ code: 'invalid_credentials' })
    expect(asked.verified).toEqual([expect.any(String), null])
  })

  it('opens nothing with the password that is hashed for nobody', async () => {
    const passwords = createPasswords((length) => new Uint8Array(length).fill(7))
    expect(await passwords.verify('nobody-has-this', null)).toEqual({ ok: false, outdated: false })
    const stored = await passwords.hash('nobody-has-this')
    expect(await passwords.verify('short', stored)).toEqual({ ok: false, outdated: false })
  })

  it('refuses a known address with account_exists, in any case of letters, and keeps the first account', async () => {
    const anon = await visitor({ deps: { passwords: cheapPasswords().passwords } })
    const input = person()
    await register(anon, input)
    const before = await hashOf(input.email)
    const again = await register(anon, {
      ...input,
      email: input.email.toUpperCase(),
      password: 'another long sentence',
    })
    expect([again.status, await again.json()]).toMatchObject([409, { code: 'account_exists' }])
    expect(again.headers.getSetCookie().join()).not.toContain('insikt_session')
    expect(await hashOf(input.email)).toBe(before)
  })

  it('replaces a hash made with older parameters at the next sign-in', async () => {
    const anon = await visitor()
    const input = person()
    await register(anon, input)
    const weaker = { memorySize: 1024, passes: 1, parallelism: 1 }
    const old = await createPasswords((length) => new Uint8Array(length).fill(7), weaker).hash(PASSWORD)
    await env.DB.prepare('UPDATE users SET password_hash = ? WHERE email = ?').bind(old, input.email).run()
    expect((await signIn(anon, input.email, `${PASSWORD}!`)).status).toBe(401)
    expect(await hashOf(input.email)).toBe(old)
    expect((await signIn(anon, input.email, PASSWORD)).status).toBe(200)
    expect(await hashOf(input.email)).toMatch(/m=19456,t=2,p=1/)
    expect((await signIn(anon, input.email, PASSWORD)).status).toBe(200)
  })

  it('lets nobody in to an account without a password, or to a disabled one', async () => {
    const anon = await visitor()
    const input = person()
    await register(anon, input)
    await env.DB.prepare('UPDATE users SET disabled_at = 1 WHERE email = ?').bind(input.email).run()
    expect((await signIn(anon, input.email, PASSWORD)).status).toBe(401)
    await env.DB.prepare('UPDATE users SET disabled_at = NULL, password_hash = NULL WHERE email = ?')
      .bind(input.email)
      .run()
    expect((await signIn(anon, input.email, 'nobody-has-this')).status).toBe(401)
  })
})

describe('guessing passwords (AUTH-2)', () => {
  async function target() {
    let now = Date.now()
    const { passwords } = cheapPasswords()
    const anon = await visitor({ deps: { passwords, clock: { now: () => now } } })
    const input = person()
    await register(anon, input)
    return { anon, email: input.email, pass: (ms: number) => (now += ms), now: () => now }
  }

  it('stops after 10 wrong passwords of one account from 100 addresses, and lets the person in after the window', async () => {
    const { anon, email, pass } = await target()
    const statuses: number[] = []
    for (let i = 0; i < 12; i++) {
      const answer = await signIn(anon, email, 'wrong wrong wrong', { 'cf-connecting-ip': `203.0.113.${i}` })
      statuses.push(answer.status)
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429])
    const victim = await signIn(anon, email, PASSWORD)
    expect([victim.status, await victim.json()]).toMatchObject([429, { code: 'rate_limited' }])
    expect(Number(victim.headers.get('retry-after'))).toBeGreaterThan(0)
    pass(15 * MINUTE_MS)
    expect((await signIn(anon, email, PASSWORD)).status).toBe(200)
  })

  it('lets no more than 10 of 40 parallel guesses through', async () => {
    const { anon, email } = await target()
    const answers = await Promise.all(Array.from({ length: 40 }, () => signIn(anon, email, 'wrong wrong wrong')))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10)
  })

  it('stops after 50 wrong passwords from one address, over many accounts, and leaves other addresses alone', async () => {
    const { anon, email } = await target()
    const from = { 'cf-connecting-ip': '198.51.100.7' }
    await spendTries('wrongPasswordFromAddress', '198.51.100.7', { left: 3 })
    const statuses: number[] = []
    for (let i = 0; i < 4; i++) {
      statuses.push((await signIn(anon, `${unique('guess')}@example.com`, 'wrong wrong wrong', from)).status)
    }
    expect(statuses).toEqual([401, 401, 401, 429])
    expect((await signIn(anon, email, PASSWORD, from)).status).toBe(429)
    expect((await signIn(anon, email, PASSWORD, { 'cf-connecting-ip': '198.51.100.8' })).status).toBe(200)
  })

  it('counts no right passwords: signing in goes on working with one try left', async () => {
    const { anon, email } = await target()
    await spendTries('wrongPasswordOfAccount', email, { left: 1 })
    for (let i = 0; i < 3; i++) expect((await signIn(anon, email, PASSWORD)).status).toBe(200)
  })

  it('believes no address that the caller wrote', async () => {
    const { anon, email } = await target()
    for (let i = 0; i < 10; i++) await signIn(anon, email, 'wrong wrong wrong', { 'x-forwarded-for': `203.0.113.${i}` })
    expect((await signIn(anon, email, PASSWORD, { 'x-forwarded-for': '192.0.2.1' })).status).toBe(429)
  })

  it('refuses the 21st registration of an hour from one address', async () => {
    const { anon, pass, now } = await target()
    const from = { 'cf-connecting-ip': '2001:db8:1:2::9' }
    await spendTries('registerFromAddress', '2001:db8:1:2', { left: 2, now: now() })
    for (let i = 0; i < 2; i++) expect((await register(anon, person(), from)).status).toBe(201)
    expect((await register(anon, person(), { 'cf-connecting-ip': '2001:db8:1:2:ffff::1' })).status).toBe(429)
    pass(60 * MINUTE_MS)
    expect((await register(anon, person(), from)).status).toBe(201)
  })
})

describe('passwords (AUTH-3)', () => {
  it.each(casesOf([64, 128, 1024], 1024))('takes %i characters', async (length) => {
    const anon = await visitor()
    const input = person({ password: 'correct horse battery '.repeat(50).slice(0, length) })
    expect((await register(anon, input)).status).toBe(201)
    expect((await signIn(anon, input.email, input.password)).status).toBe(200)
    expect((await signIn(anon, input.email, input.password.slice(1))).status).toBe(401)
  })

  it('takes emoji', async () => {
    const anon = await visitor()
    const input = person({ password: '🐳🦊🍎🚲🎻🌲'.repeat(2) })
    await register(anon, input)
    expect((await signIn(anon, input.email, input.password)).status).toBe(200)
  })

  it.each([
    ['more than 1024 characters', 'x'.repeat(1025)],
    ['a NUL', `${PASSWORD}\u0000`],
    ['fewer than 12 characters', 'short'],
    ['an object', { $ne: '' }],
  ])('refuses %s before any hashing', async (_what, password) => {
    const { passwords, asked } = cheapPasswords()
    const anon = await visitor({ deps: { passwords } })
    expect((await register(anon, person({ password }))).status).toBe(422)
    expect(asked).toEqual({ hashed: 0, verified: [] })
  })

  it('refuses a sign-in with 1025 characters before any hashing, and survives one with a single character', async () => {
    const { passwords, asked } = cheapPasswords()
    expect((await signIn(await visitor({ deps: { passwords } }), 'a@example.com', 'x'.repeat(1025))).status).toBe(422)
    expect(asked.verified).toEqual([])
    expect((await signIn(await visitor(), `${unique('x')}@example.com`, 'x')).status).toBe(401)
  })

  it('treats composed and decomposed letters as the same password', async () => {
    const anon = await visitor()
    const composed = 'Räksmörgås på Åland'.normalize('NFC')
    const input = person({ password: composed })
    await register(anon, input)
    expect((await signIn(anon, input.email, composed.normalize('NFD'))).status).toBe(200)
  })
})

describe('addresses (AUTH-4)', () => {
  const cheap = cheapPasswords().passwords

  it.each([
    '"e@evil.com"@v.com',
    'anna＠example.com',
    'anna@example.com\r\nBcc: x@evil.com',
    'anna@example.com.',
    `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`,
    'änna@example.com',
    'anna@@example.com',
    'anna@localhost',
    ' ',
    '',
    { $gt: '' },
    ['anna@example.com'],
    null,
    7,
  ])('refuses %j with 422 and stores nothing', async (email) => {
    const anon = await visitor({ deps: { passwords: cheap } })
    const before = await usersCount()
    for (const answer of [await register(anon, person({ email })), await signIn(anon, email, PASSWORD)]) {
      expect(answer.status).toBe(422)
      expect(await answer.json()).toMatchObject({ code: 'invalid_input', fields: { email: expect.any(String) } })
    }
    expect(await usersCount()).toBe(before)
  })

  it('keeps one canonical form of any address it takes, so that no spelling makes a second account', async () => {
    const anon = await visitor({ deps: { passwords: cheap } })
    const runs = env.LONG === '1' ? 1000 : 5
    await fc.assert(
      fc.asyncProperty(fc.emailAddress(), fc.array(fc.boolean(), { minLength: 1 }), async (generated, upper) => {
        const email = `${systemSerial()}.${generated}`
        const spelled = Array.from(email, (char, i) => (upper[i % upper.length] ? char.toUpperCase() : char)).join('')
        const first = await register(anon, person({ email }), { 'cf-connecting-ip': '127.0.0.1' })
        if (first.status === 422) return
        expect(first.status).toBe(201)
        expect((await register(anon, person({ email: spelled }))).status).toBe(409)
        const page = await first.json<PageData>()
        expect(page.user?.email).toMatch(/^[\x21-\x7e]{3,254}$/)
        expect(page.user?.email).toBe(page.user?.email?.toLowerCase())
      }),
      { numRuns: runs },
    )
  })
})

let serial = 0
const systemSerial = () => (serial += 1)
