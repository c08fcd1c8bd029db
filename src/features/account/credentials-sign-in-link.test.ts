import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { fakePasswords, withResponseSession, registerUser, signInAs } from '../../../test/worker/accounts'
import { countingDatabase, databaseDump } from '../../../test/worker/test-database'
import { depsAt } from '../../../test/worker/deps'
import { cookiesOf, unique, visitor, type Caller } from '../../../test/worker/factories'
import { queuedMailsTo, linkTokenInMail } from '../../../test/worker/mails'
import { systemIds, type Deps } from '../../deps'

const MINUTE_MS = 60_000
const enabled = (): Partial<Deps> => ({ settings: { ...depsAt(0).settings, EMAIL_LINK: true } })
const ask = (who: Caller, email: string, json: object = {}) =>
  who.fetch('/api/session/link', { method: 'POST', json: { email, ...json } })
const confirm = (who: Caller, token: string) =>
  who.fetch('/api/session/link/confirm', { method: 'POST', json: { token } })

async function asked(deps: Partial<Deps> = {}) {
  const person = await registerUser({ deps: { ...enabled(), ...deps } })
  await env.DB.prepare('UPDATE users SET email_proven_at = 1 WHERE id = ?').bind(person.userId).run()
  expect(await (await ask(person.anon, person.email)).json()).toEqual({ sent: true })
  return { ...person, token: await linkTokenInMail(person.email, 'signInLink') }
}

describe('sign-in by a link, switched off', () => {
  it('says so, and neither sends nor opens anything', async () => {
    const { anon, email } = await registerUser()
    const before = await databaseDump()
    const token = `${systemIds.next('link')}.${'0'.repeat(64)}`
    for (const answer of [await ask(anon, email), await confirm(anon, token)])
      expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'not_enabled', feature: 'emailLink' }])
    expect(await databaseDump()).toBe(before)
  })
})

describe('sign-in by a link (AUTH-5)', () => {
  it('works once, in any browser, and the session of now goes on elsewhere', async () => {
    const { me, anon, email, token } = await asked()
    const other = await visitor({ app: anon.app })
    const answer = await confirm(other, token)
    expect([answer.status, await answer.clone().json()]).toMatchObject([200, { user: { email } }])
    expect((await (await withResponseSession(other, answer)).fetch('/api/profile')).status).toBe(200)
    expect((await me.fetch('/api/profile')).status).toBe(200)
    const again = await confirm(anon, token)
    expect([again.status, await again.json()]).toMatchObject([410, { code: 'expired', what: 'link' }])
    expect(cookiesOf(again)).not.toContain('insikt_session')
  })

  it('is valid for 15 minutes', async () => {
    let now = Date.now()
    const clock = { now: () => now }
    for (const [after, status] of [
      [15 * MINUTE_MS - 1, 200],
      [15 * MINUTE_MS, 410],
    ] as const) {
      const { anon, token } = await asked({ clock })
      now += after
      expect((await confirm(anon, token)).status).toBe(status)
    }
  })

  it('is not used up by whoever only looks at its page, by GET or HEAD', async () => {
    const { anon, token } = await asked()
    const before = await databaseDump()
    for (const method of ['GET', 'HEAD'])
      for (const path of ['/auth/link', `/auth/link?token=${token}`, '/api/session/link/confirm'])
        await anon.fetch(path, { method })
    expect(await databaseDump()).toBe(before)
    expect((await confirm(anon, token)).status).toBe(200)
  })

  it('is won by one of two at once', async () => {
    const { anon, token } = await asked()
    const answers = await Promise.all([confirm(anon, token), confirm(anon, token)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 410])
  })

  it('counts only the newest link', async () => {
    const { anon, email, token } = await asked()
    await ask(anon, email)
    expect((await confirm(anon, token)).status).toBe(410)
    expect((await confirm(anon, await linkTokenInMail(email, 'signInLink'))).status).toBe(200)
  })

  it('carries only a path of our own to go on to (AUTH-11)', async () => {
    const { anon, email } = await asked()
    for (const path of ['//evil.example', 'https://evil.example', '/insights?w=1'])
      await ask(anon, email, { return: path })
    const paths = (await queuedMailsTo(email)).map((mail) => ('returnTo' in mail ? mail.returnTo : null))
    expect(paths.slice(1)).toEqual(['/data-sources', '/data-sources', '/insights?w=1'])
  })

  it('answers an unknown address as a known one, by as many round trips', async () => {
    const { email } = await registerUser()
    const unknown = `${unique('nobody')}@example.com`
    const seen: [number, unknown, number][] = []
    for (const address of [email, unknown]) {
      const { db, trips } = countingDatabase()
      const deps = { ...enabled(), db, passwords: fakePasswords(), onOutbox: () => undefined }
      const answer = await ask(await visitor({ deps }), address)
      seen.push([answer.status, await answer.json(), trips()])
    }
    expect(seen[0]).toEqual(seen[1])
    expect(await queuedMailsTo(unknown)).toEqual([])
  })
})

describe('second doors (AUTH-9)', () => {
  it('are closed to a disabled person', async () => {
    const { anon, email, userId, token } = await asked()
    await env.DB.prepare('UPDATE users SET disabled_at = 1 WHERE id = ?').bind(userId).run()
    expect((await confirm(anon, token)).status).toBe(410)
    await ask(anon, email)
    expect(await queuedMailsTo(email)).toHaveLength(1)
  })

  it('let nobody stay who registered an address that was not theirs', async () => {
    const squatter = await registerUser({ deps: enabled() })
    await env.DB.prepare(
      "INSERT INTO accounts (id, provider, issuer, subject, user_id, created_at, last_used_at) VALUES (?, 'google', 'https://accounts.google.com', ?, ?, 1, 1)",
    )
      .bind(systemIds.next('account'), unique('subject'), squatter.userId)
      .run()
    await ask(squatter.anon, squatter.email)
    const answer = await confirm(squatter.anon, await linkTokenInMail(squatter.email, 'signInLink'))
    expect((await (await withResponseSession(squatter.anon, answer)).fetch('/api/profile')).status).toBe(200)
    expect((await squatter.me.fetch('/api/profile')).status).toBe(401)
    expect((await signInAs(squatter.anon, squatter.email)).status).toBe(401)
    const row = await env.DB.prepare(
      'SELECT email_proven_at AS proven, (SELECT count(*) FROM accounts WHERE user_id = users.id) AS accounts FROM users WHERE id = ?',
    )
      .bind(squatter.userId)
      .first()
    expect(row).toEqual({ proven: expect.any(Number), accounts: 0 })
  })
})
