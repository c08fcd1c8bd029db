import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { databaseDump } from '../../../test/worker/test-database'
import { depsAt } from '../../../test/worker/deps'
import { aMember, aWorkspace, ORIGIN, signedIn, unique, visitor, type SignedIn } from '../../../test/worker/factories'
import { appWithProviders, OauthBrowser } from '../../../test/worker/http/oauth-browser'
import { spendTries } from '../../../test/worker/http/rate-limits'
import { RECENT_SIGN_IN_MS } from '../../shared/account'
import type { PageData } from '../../shared/session'

const LANDING = '/data-sources'
const accounts = async () => {
  const { results } = await env.DB.prepare('SELECT * FROM accounts').all<Record<string, string | number | null>>()
  return results
}
const userOf = (id: unknown) =>
  env.DB.prepare('SELECT * FROM users WHERE id = ?').bind(id).first<Record<string, string | number | null>>()
const who = async (browser: OauthBrowser) => (await (await browser.get('/api/session')).json<PageData>()).user
const usersAndSessions = async () =>
  JSON.stringify([
    await env.DB.prepare('SELECT id FROM users ORDER BY id')
      .all()
      .then(({ results }) => results),
    await env.DB.prepare('SELECT hash FROM sessions ORDER BY hash')
      .all()
      .then(({ results }) => results),
    await accounts(),
  ])

/** Everybody of the test before is a stranger, whose address is free. */
beforeEach(async () => {
  const tables = ['accounts', 'outbox', 'audit', 'sessions']
  await env.DB.batch(tables.map((table) => env.DB.prepare(`DELETE FROM ${table}`)))
  await env.DB.prepare('UPDATE users SET email = NULL').run()
})

describe('a sign-in with a provider', () => {
  it('makes the account of somebody new, with the proven address, and signs the same person in again', async () => {
    const app = await appWithProviders()
    const browser = await OauthBrowser.visiting(app)
    expect(await browser.signIn('google', 'anna')).toBe(LANDING)
    const first = await who(browser)
    expect(first).toMatchObject({ name: 'Anna Lind', email: 'anna.lind@example.com', onboarding: 'workspace' })
    expect(await userOf(first?.id)).toMatchObject({ password_hash: null, email_proven_at: expect.any(Number) })
    const other = await OauthBrowser.visiting(app)
    expect(await other.signIn('google', 'anna')).toBe(LANDING)
    expect((await who(other))?.id).toBe(first?.id)
    expect(await accounts()).toHaveLength(1)
  })

  it('keys accounts by the issuer of the token and its subject', async () => {
    const browser = await OauthBrowser.visiting(await appWithProviders())
    await browser.signIn('microsoft', 'mia')
    const [account] = await accounts()
    expect(account).toMatchObject({
      provider: 'microsoft',
      issuer: expect.stringMatching(/\/microsoft\/33333333-cccc-4ccc-8ccc-000000000003\/v2\.0$/),
      subject: 'mia-pairwise',
    })
    expect(await who(browser)).toMatchObject({ email: 'mia@gamma.example' })
  })

  it('keeps two tenants with one unproven address apart, and the address out of the way (AUTH-10)', async () => {
    const app = await appWithProviders()
    const [alfa, beta] = [await OauthBrowser.visiting(app), await OauthBrowser.visiting(app)]
    expect([await alfa.signIn('microsoft', 'lo-alfa'), await beta.signIn('microsoft', 'lo-beta')]).toEqual([
      LANDING,
      LANDING,
    ])
    const [one, two] = [await who(alfa), await who(beta)]
    expect(one?.id).not.toBe(two?.id)
    expect([one?.email, two?.email]).toEqual([null, null])
    expect((await accounts()).map(({ email, email_proven }) => ({ email, email_proven }))).toEqual([
      { email: 'lo@consult.example', email_proven: 0 },
      { email: 'lo@consult.example', email_proven: 0 },
    ])
  })

  it('counts an address of Google only when it is verified', async () => {
    const browser = await OauthBrowser.visiting(await appWithProviders())
    await browser.signIn('google', 'unproven')
    expect(await who(browser)).toMatchObject({ name: 'Ulla Berg', email: null })
  })

  it('ends the session that the browser came with (SES-3)', async () => {
    const app = await appWithProviders()
    const planted = await signedIn({ app })
    const browser = new OauthBrowser(planted)
    await browser.signIn('google', 'anna')
    expect((await who(browser))?.name).toBe('Anna Lind')
    expect((await planted.fetch('/api/profile')).status).toBe(401)
  })

  it('makes one account of two returns of the same new person at once', async () => {
    const app = await appWithProviders()
    const [one, two] = [await OauthBrowser.visiting(app), await OauthBrowser.visiting(app)]
    const backs = await Promise.all(
      [one, two].map(async (browser) => browser.choose(await browser.start('google'), 'anna')),
    )
    const ends = await Promise.all([one.get(backs[0] ?? ''), two.get(backs[1] ?? '')])
    expect(ends.map((answer) => answer.headers.get('location'))).toEqual([LANDING, LANDING])
    expect((await who(one))?.id).toBe((await who(two))?.id)
  })

  it('lets nobody in to an account that was switched off', async () => {
    const app = await appWithProviders()
    const browser = await OauthBrowser.visiting(app)
    await browser.signIn('google', 'anna')
    await env.DB.prepare('UPDATE users SET disabled_at = 1').run()
    const again = await OauthBrowser.visiting(app)
    expect(await again.signIn('google', 'anna')).toBe('/login?problem=disabled&provider=google')
    expect(await who(again)).toBeNull()
  })

  it('opens no door for a password (AUTH-9)', async () => {
    const app = await appWithProviders()
    await (await OauthBrowser.visiting(app)).signIn('google', 'anna')
    const anon = await visitor({ app })
    for (const password of ['', 'null', 'a sentence nobody guesses']) {
      const json = { email: 'anna.lind@example.com', password }
      expect((await anon.fetch('/api/session/sign-in', { method: 'POST', json })).status).toBe(401)
    }
    const register = { name: 'X', email: 'anna.lind@example.com', password: 'another long sentence', acceptTerms: true }
    expect((await anon.fetch('/api/account/register', { method: 'POST', json: register })).status).toBe(409)
  })
})

describe('the start', () => {
  it('sets cookies that no script reads, that end by themselves, and that the browser sends on the way back', async () => {
    const browser = await OauthBrowser.visiting(await appWithProviders())
    const answer = await browser.ask({ provider: 'google', acceptTerms: true })
    const lines = answer.headers.getSetCookie()
    expect(new Set(lines.map((line) => line.split('=')[0]))).toEqual(
      new Set(['insikt_oauth', 'insikt_oauth_nonce', 'insikt_oauth_pkce', 'insikt_oauth_state']),
    )
    for (const line of lines) expect(line).toMatch(/; Max-Age=900; Path=\/; HttpOnly; SameSite=Lax$/)
    const { searchParams } = new URL((await answer.json<{ url: string }>()).url)
    expect(searchParams.get('code_challenge_method')).toBe('S256')
    expect(searchParams.get('redirect_uri')).toBe(`${ORIGIN}/api/auth/callback/google`)
    for (const name of ['state', 'nonce', 'code_challenge']) expect(searchParams.get(name)).toMatch(/.{20,}/)
  })

  it('uses host-bound, secure cookies over https', async () => {
    const app = await appWithProviders()
    const anon = await visitor({ app })
    const request = new Request(`https://localhost/api/session/oauth`, {
      method: 'POST',
      headers: { ...anon.headers, cookie: anon.cookie.replace('insikt_visitor', '__Host-insikt_visitor') },
      body: JSON.stringify({ provider: 'microsoft', acceptTerms: true }),
    })
    const answer = await app.fetch(request, env, {
      waitUntil: () => undefined,
      passThroughOnException: () => undefined,
      props: {},
    })
    expect(answer.status).toBe(200)
    const lines = answer.headers.getSetCookie()
    expect(lines).toHaveLength(4)
    for (const line of lines)
      expect(line).toMatch(/^__Host-insikt_oauth\w*=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  })

  it('is refused without the token of our own pages, without terms, and for a provider that is not configured', async () => {
    const app = await appWithProviders()
    const anon = await visitor({ app })
    const json = { provider: 'google', acceptTerms: true }
    const forged = await anon.fetch('/api/session/oauth', { method: 'POST', json, headers: { 'x-csrf-token': 'x' } })
    expect([forged.status, await forged.json()]).toMatchObject([403, { code: 'csrf_invalid' }])
    const silent = await anon.fetch('/api/session/oauth', { method: 'POST', json: { provider: 'google' } })
    expect([silent.status, await silent.json()]).toMatchObject([422, { fields: { acceptTerms: expect.any(String) } }])
    const bare = await (await visitor()).fetch('/api/session/oauth', { method: 'POST', json })
    expect([bare.status, await bare.json()]).toMatchObject([403, { code: 'not_enabled', feature: 'google' }])
  })

  it('says that the provider does not answer, and calls no other host than the configured one', async () => {
    const called: string[] = []
    const down = await appWithProviders({
      operatorFetcher: (request) => {
        called.push(new URL(request.url).host)
        return Promise.reject(new Error('connection refused'))
      },
    })
    const answer = await (await OauthBrowser.visiting(down)).ask({ provider: 'google', acceptTerms: true })
    expect([answer.status, await answer.json()]).toMatchObject([503, { code: 'busy' }])
    const evil = await appWithProviders({
      operatorFetcher: async (request) => {
        called.push(new URL(request.url).host)
        const text = await (await env.OIDC.fetch(request)).text()
        return new Response(text.replace(/"token_endpoint":"[^"]*"/, '"token_endpoint":"https://evil.example/token"'), {
          headers: { 'content-type': 'application/json' },
        })
      },
    })
    expect(await (await OauthBrowser.visiting(evil)).signIn('google', 'anna')).toMatch(/^\/login\?problem=refused/)
    expect(called.filter((host) => !host.startsWith('127.0.0.1:'))).toEqual([])
  })

  it('is counted by the network address', async () => {
    const app = await appWithProviders()
    const anon = await visitor({ app })
    const headers = { 'cf-connecting-ip': '203.0.113.77' }
    const json = { provider: 'google' }
    const start = async () => (await anon.fetch('/api/session/oauth', { method: 'POST', json, headers })).status
    await spendTries('oauthFromAddress', '203.0.113.77', { left: 2 })
    expect([await start(), await start(), await start()]).toEqual([422, 422, 429])
  })
})

describe('answers that are wrong (AUTH-7)', () => {
  it.each([
    ['google', 'nonce', 'refused'],
    ['google', 'iss', 'refused'],
    ['google', 'aud', 'refused'],
    ['google', 'expired', 'refused'],
    ['google', 'alg-none', 'refused'],
    ['google', 'down', 'unavailable'],
    ['microsoft', 'nonce', 'refused'],
    ['microsoft', 'iss', 'refused'],
    ['microsoft', 'tid', 'refused'],
    ['microsoft', 'alg-none', 'refused'],
  ] as const)(
    '%s: %s leads to a page that says so, with no session and no account',
    async (provider, fault, problem) => {
      const browser = await OauthBrowser.visiting(await appWithProviders())
      const before = await usersAndSessions()
      const end = await browser.signIn(provider, provider === 'google' ? 'anna' : 'mia', { fault })
      expect(end).toBe(`/login?problem=${problem}&provider=${provider}`)
      expect(await usersAndSessions()).toBe(before)
      expect(await who(browser)).toBeNull()
    },
  )

  it('takes no return without its state, with another one, from another browser, or to another provider', async () => {
    const app = await appWithProviders()
    const browser = await OauthBrowser.visiting(app)
    const back = await browser.choose(await browser.start('google'), 'anna')
    const stranger = await OauthBrowser.visiting(app)
    const before = await usersAndSessions()
    const ends = [
      await stranger.get(back),
      await browser.get(back.replace(/[?&]state=[^&]*/, '')),
      await browser.get(back.replace(/state=[^&]*/, 'state=another')),
      await browser.get(back.replace('/google', '/microsoft-entra-id')),
      await browser.get(back.replace('/google', '/credentials')),
    ]
    for (const end of ends) {
      expect(end.status).toBe(302)
      expect(end.headers.get('location')).toMatch(/^\/login\?problem=expired/)
    }
    expect(await usersAndSessions()).toBe(before)
  })

  it('takes no code of one start with the cookies of another (PKCE, nonce)', async () => {
    const app = await appWithProviders()
    const [thief, victim] = [await OauthBrowser.visiting(app), await OauthBrowser.visiting(app)]
    const stolen = new URL(await victim.choose(await victim.start('google'), 'anna'), ORIGIN).searchParams.get('code')
    const own = new URL(await thief.choose(await thief.start('google'), 'erik'), ORIGIN)
    own.searchParams.set('code', stolen ?? '')
    const before = await usersAndSessions()
    const end = await thief.get(`${own.pathname}${own.search}`)
    expect(end.headers.get('location')).toMatch(/^\/login\?problem=refused/)
    expect(await usersAndSessions()).toBe(before)
  })

  it('takes a return once: not again in the same browser, nor with the cookies kept', async () => {
    const browser = await OauthBrowser.visiting(await appWithProviders())
    const back = await browser.choose(await browser.start('google'), 'anna')
    const kept = browser.cookie
    expect((await browser.get(back)).headers.get('location')).toBe(LANDING)
    const before = await usersAndSessions()
    expect((await browser.get(back)).headers.get('location')).toMatch(/^\/login\?problem=expired/)
    expect((await browser.get(back, { cookie: kept })).headers.get('location')).toMatch(/^\/login\?problem=refused/)
    expect(await usersAndSessions()).toBe(before)
  })

  it('asks the provider for no more than 60 returns of one network address in 15 minutes (RATE-1)', async () => {
    let asked = 0
    const operatorFetcher = (request: Request) => {
      if (new URL(request.url).pathname.endsWith('/token')) asked++
      return env.OIDC.fetch(request)
    }
    const browser = await OauthBrowser.visiting(await appWithProviders({ operatorFetcher }))
    const back = await browser.choose(await browser.start('google'), 'anna')
    const kept = { cookie: browser.cookie, 'cf-connecting-ip': '203.0.113.78' }
    const wrong = back.replace(/code=[^&]+/, 'code=guess')
    await spendTries('oauthReturnFromAddress', '203.0.113.78', { left: 2 })
    for (let n = 0; n < 4; n++)
      expect((await browser.get(wrong, kept)).headers.get('location')).toMatch(/^\/login\?problem=/)
    expect(asked).toBe(2)
  })

  it('says that a person did not go on at the provider', async () => {
    const browser = await OauthBrowser.visiting(await appWithProviders())
    const back = await browser.choose(await browser.start('google', { return: '/insights' }), '', { cancel: '1' })
    expect((await browser.get(back)).headers.get('location')).toBe(
      '/login?problem=refused&provider=google&return=%2Finsights',
    )
  })

  it('changes nothing when it is opened without a start (CSRF-5)', async () => {
    const me = await signedIn({ app: await appWithProviders() })
    const before = await databaseDump()
    const answer = await me.fetch('/api/auth/callback/google?code=x&state=y')
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/login?problem=expired'])
    expect(await databaseDump()).toBe(before)
  })
})

describe('an address that somebody has (AUTH-8)', () => {
  it.each(['proven', 'unproven'])('opens nothing and links nothing when it is %s', async (state) => {
    const app = await appWithProviders()
    const owner = await signedIn({ app })
    await env.DB.prepare('UPDATE users SET email = ?, email_proven_at = ? WHERE id = ?')
      .bind('anna.lind@example.com', state === 'proven' ? 1 : null, owner.userId)
      .run()
    const browser = await OauthBrowser.visiting(app)
    expect(await browser.signIn('google', 'anna')).toBe('/login?problem=account_exists&provider=google')
    expect(await who(browser)).toBeNull()
    expect(await accounts()).toEqual([])
  })
})

describe('where the browser goes afterwards (AUTH-11)', () => {
  it.each([
    ['/insights/new?dataset=ds_1#top', '/insights/new?dataset=ds_1#top'],
    ['//evil.example', LANDING],
    ['https://evil.example/x', LANDING],
    ['javascript:alert(1)', LANDING],
    ['/\\evil.example', LANDING],
    ['%2f%2fevil.example', LANDING],
    ['/%2fevil.example', LANDING],
    ['/%5cevil.example', LANDING],
    ['/\tevil', LANDING],
    ['/a\r\nset-cookie: x=1', LANDING],
  ])('%j leads to %s', async (asked, end) => {
    const browser = await OauthBrowser.visiting(await appWithProviders())
    expect(await browser.signIn('google', 'anna', {}, { return: asked })).toBe(end)
  })

  it('stays on our own origin whatever was asked for', async () => {
    const app = await appWithProviders()
    const parts = ['/', '\\', '%2f', '%5C', '%252f', '.', '..', '@', ':', '?', '#', 'evil.example', 'https:', '\t', ' ']
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...parts), { maxLength: 8 }), async (asked) => {
        const browser = await OauthBrowser.visiting(app)
        const end = await browser.signIn('google', 'anna', {}, { return: asked.join('') })
        expect(new URL(end ?? '', ORIGIN).origin).toBe(ORIGIN)
      }),
      { numRuns: env.LONG === '1' ? 500 : 6 },
    )
  })
})

describe('connecting a provider', () => {
  /** A person who came by a password that the tests know nothing of: the proof is the young sign-in. */
  const me = (app: Parameters<typeof OauthBrowser.visiting>[0], createdAt = Date.now()) =>
    signedIn({ app, session: { createdAt } })
  const connect = (browser: OauthBrowser, persona = 'anna') => browser.signIn('google', persona, {}, { connect: true })
  const PAGE = '/settings/profile/authentication'

  it('adds it to the signed-in account, tells the person by mail, and signs them in from then on', async () => {
    const app = await appWithProviders()
    const person = await me(app)
    expect(await connect(new OauthBrowser(person))).toBe(PAGE)
    const answer = await person.fetch('/api/account/sign-ins')
    expect(await answer.json()).toMatchObject({
      password: false,
      accounts: [{ provider: 'google', email: 'anna.lind@example.com' }],
      offered: ['google', 'microsoft'],
    })
    const mail = await env.DB.prepare("SELECT payload FROM outbox WHERE kind = 'mail'").first<string>('payload')
    expect(JSON.parse(mail ?? '')).toMatchObject({ template: 'signInConnected', provider: 'Google', removed: false })
    const other = await OauthBrowser.visiting(app)
    expect(await other.signIn('google', 'anna')).toBe(LANDING)
    expect((await who(other))?.id).toBe(person.userId)
    expect(await connect(new OauthBrowser(person)), 'once more').toBe(PAGE)
    expect(await accounts()).toHaveLength(1)
  })

  it('asks for proof: a young sign-in, or the password of those who have one', async () => {
    const passwords = {
      hash: async (password: string) => password,
      verify: async (password: string, stored: string | null) => ({ ok: password === stored, outdated: false }),
    }
    const app = await appWithProviders({ passwords })
    const old = new OauthBrowser(await me(app, Date.now() - 11 * 60_000))
    expect((await old.ask({ provider: 'google', connect: true })).status).toBe(401)
    const person = await me(app)
    await env.DB.prepare("UPDATE users SET password_hash = 'the right one' WHERE id = ?").bind(person.userId).run()
    const browser = new OauthBrowser(person)
    expect((await browser.ask({ provider: 'google', connect: true })).status).toBe(422)
    expect((await browser.ask({ provider: 'google', connect: true, password: 'a wrong one' })).status).toBe(401)
    expect((await browser.ask({ provider: 'google', connect: true, password: 'the right one' })).status).toBe(200)
    const anon = await OauthBrowser.visiting(app)
    expect((await anon.ask({ provider: 'google', connect: true })).status).toBe(401)
  })

  it('connects nothing when the session that asked has gone, or is another by then', async () => {
    const app = await appWithProviders()
    const [person, other] = [await me(app), await me(app)]
    const browser = new OauthBrowser(person)
    const back = await browser.choose(await browser.start('google', { connect: true }), 'anna')
    browser.cookies.set('insikt_session', other.cookie.split('=')[1] ?? '')
    expect((await browser.get(back)).headers.get('location')).toBe(`${PAGE}?problem=expired`)
    const again = new OauthBrowser(person)
    const second = await again.choose(await again.start('google', { connect: true }), 'anna')
    await env.DB.prepare('DELETE FROM sessions WHERE user_id = ?').bind(person.userId).run()
    expect((await again.get(second)).headers.get('location')).toBe(`${PAGE}?problem=expired`)
    expect(await accounts()).toEqual([])
  })

  it('leaves a sign-in with the person who has it', async () => {
    const app = await appWithProviders()
    expect(await connect(new OauthBrowser(await me(app)))).toBe(PAGE)
    const [before] = await accounts()
    expect(await connect(new OauthBrowser(await me(app)))).toBe(`${PAGE}?problem=already_connected`)
    expect(await accounts()).toEqual([before])
  })

  it('gives a proven address to a person without one, and takes none from anybody', async () => {
    const app = await appWithProviders()
    const browser = await OauthBrowser.visiting(app)
    await browser.signIn('microsoft', 'lo-alfa')
    const page = await (await browser.get('/api/session')).json<PageData>()
    const lo = new OauthBrowser({ ...(await visitor({ app })), cookie: browser.cookie })
    const asked = await (
      await visitor({ app })
    ).fetch('/api/session/oauth', {
      method: 'POST',
      json: { provider: 'google', connect: true },
      headers: { cookie: browser.cookie, 'x-csrf-token': page.csrfToken },
    })
    for (const line of asked.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';')[0]?.split('=') ?? []
      lo.cookies.set(name, value)
    }
    const { url } = await asked.json<{ url: string }>()
    expect((await lo.get(await lo.choose(url, 'anna'))).headers.get('location')).toBe(PAGE)
    expect(await who(lo)).toMatchObject({ email: 'anna.lind@example.com' })
    const holder = await me(app)
    await env.DB.prepare('UPDATE users SET email = NULL WHERE id = ?').bind(holder.userId).run()
    expect(await connect(new OauthBrowser(holder), 'erik')).toBe(PAGE)
    const third = await me(app)
    const email = await env.DB.prepare('SELECT email FROM users WHERE id = ?').bind(third.userId).first('email')
    await env.DB.prepare("UPDATE accounts SET subject = 'gone' WHERE user_id = ?").bind(holder.userId).run()
    expect(await connect(new OauthBrowser(third), 'erik')).toBe(PAGE)
    expect((await userOf(third.userId))?.['email']).toBe(email)
  })
})

describe('a provider that proves an address typed before', () => {
  it('ends the password, other sessions and other ways in, and shows what was there', async () => {
    const app = await appWithProviders()
    const before = await OauthBrowser.visiting(app)
    await before.signIn('google', 'anna')
    const userId = (await who(before))?.id ?? ''
    const workspace = await aWorkspace()
    await aMember(workspace.id, userId, 'owner')
    await env.DB.prepare("UPDATE users SET email_proven_at = NULL, password_hash = 'x' WHERE id = ?").bind(userId).run()
    const browser = await OauthBrowser.visiting(app)
    await browser.signIn('google', 'anna')
    expect(await who(before)).toBeNull()
    expect(await who(browser)).toMatchObject({ id: userId, emailProven: true, earlierUse: true })
    expect(await userOf(userId)).toMatchObject({ password_hash: null, email_proven_at: expect.any(Number) })
    expect(await accounts()).toHaveLength(1)
    const held = await (await browser.get('/api/account/earlier-use')).json()
    expect(held).toMatchObject({ signIns: [], workspaces: [{ id: workspace.id }], sessions: [{ country: null }] })
  })
})

const PASSWORD = 'a long enough sentence'
const remove = (person: SignedIn, id: string, json: object = {}) =>
  person.fetch(`/api/account/sign-ins/${id}/remove`, { method: 'POST', json })
const givePassword = async ({ userId }: SignedIn): Promise<void> => {
  const hash = await depsAt(Date.now()).passwords.hash(PASSWORD)
  await env.DB.prepare('UPDATE users SET password_hash = ? WHERE id = ?').bind(hash, userId).run()
}

describe('removing a way in', () => {
  const anAccount = async (userId: string) => {
    const id = `acc_${unique('x')
      .replace(/[^0-9a-z]/g, '')
      .padEnd(20, '0')
      .slice(-20)
      .replace(/[ilou]/g, '0')}`
    await env.DB.prepare(
      `INSERT INTO accounts (id, provider, issuer, subject, user_id, created_at, last_used_at)
       VALUES (?, 'google', 'https://accounts.google.com', ?, ?, 1, 1)`,
    )
      .bind(id, unique('subject'), userId)
      .run()
    return id
  }

  it('is never the last one, also when two go at once', async () => {
    const person = await signedIn()
    for (let round = 0; round < 5; round++) {
      await env.DB.prepare('DELETE FROM accounts').run()
      const ids = [await anAccount(person.userId), await anAccount(person.userId)]
      const answers = await Promise.all(ids.map((id) => remove(person, id)))
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
      expect(await accounts()).toHaveLength(1)
    }
  })

  it('is not taken from a person with a password and no address to type beside it', async () => {
    const person = await signedIn()
    await givePassword(person)
    await env.DB.prepare('UPDATE users SET email = NULL WHERE id = ?').bind(person.userId).run()
    const id = await anAccount(person.userId)
    const refused = await remove(person, id, { password: PASSWORD })
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'in_use' }])
    expect(await accounts()).toHaveLength(1)
  })

  it('goes when there is a password, tells the person by mail, and stands in the audit log', async () => {
    const person = await signedIn()
    await givePassword(person)
    const id = await anAccount(person.userId)
    const answer = await remove(person, id, { password: PASSWORD })
    expect([answer.status, await answer.json()]).toMatchObject([200, { password: true, accounts: [] }])
    expect((await remove(person, id, { password: PASSWORD })).status).toBe(404)
    const mail = await env.DB.prepare("SELECT payload FROM outbox WHERE kind = 'mail'").first<string>('payload')
    expect(JSON.parse(mail ?? '')).toMatchObject({ template: 'signInConnected', removed: true })
    const audit = env.DB.prepare("SELECT actor_id FROM audit WHERE action = 'signIn.remove'")
    expect(await audit.first('actor_id')).toBe(person.userId)
  })

  it('asks for the password, or for a sign-in of the last minutes where there is none', async () => {
    const person = await signedIn()
    const ids = [await anAccount(person.userId), await anAccount(person.userId)]
    await env.DB.prepare('UPDATE sessions SET created_at = created_at - ? WHERE user_id = ?')
      .bind(RECENT_SIGN_IN_MS, person.userId)
      .run()
    expect((await remove(person, ids[0] ?? '')).status).toBe(401)
    await givePassword(person)
    expect((await remove(person, ids[0] ?? '')).status).toBe(422)
    const guessed = await remove(person, ids[0] ?? '', { password: 'another long sentence' })
    expect([guessed.status, await guessed.json()]).toMatchObject([401, { code: 'invalid_credentials' }])
    expect(await accounts()).toHaveLength(2)
    expect((await person.fetch(`/api/account/sign-ins/${ids[0]}`, { method: 'DELETE' })).status).toBe(404)
    expect((await remove(person, ids[0] ?? '', { password: PASSWORD })).status).toBe(200)
  })

  it('is nobody else’s to remove', async () => {
    const [person, other] = [await signedIn(), await signedIn()]
    const ids = [await anAccount(person.userId), await anAccount(person.userId)]
    expect((await remove(other, ids[0] ?? '')).status).toBe(404)
    expect(await accounts()).toHaveLength(2)
  })
})
