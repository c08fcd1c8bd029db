import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { fakePasswords, withResponseSession, PASSWORD, registerUser, signInAs } from '../../../test/worker/accounts'
import { countingDatabase, databaseDump } from '../../../test/worker/test-database'
import { cookiesOf, signedIn, unique, visitor, type Caller } from '../../../test/worker/factories'
import { queuedMailsTo, templatesTo, linkTokenInMail } from '../../../test/worker/mails'
import { spendTries } from '../../../test/worker/http/rate-limits'
import { systemIds } from '../../deps'

const MINUTE_MS = 60_000
const NEXT = 'another long sentence'
const ask = (who: Caller, email: string, headers = {}) =>
  who.fetch('/api/account/reset', { method: 'POST', json: { email }, headers })
const confirm = (who: Caller, token: string, password = NEXT) =>
  who.fetch('/api/account/reset/confirm', { method: 'POST', json: { token, password } })
const isExpired = async (answer: Response) =>
  expect([answer.status, await answer.json()]).toMatchObject([410, { code: 'expired', what: 'link' }])

async function clocked() {
  let now = Date.now()
  const person = await registerUser({ deps: { clock: { now: () => now } } })
  return { ...person, pass: (ms: number) => (now += ms), now: () => now }
}

describe('a forgotten password (AUTH-6)', () => {
  it('is replaced by the link of the mail, signs in, ends every other session, and tells the address', async () => {
    const { me, anon, email } = await registerUser()
    expect(await (await ask(anon, email)).json()).toEqual({ sent: true })
    const answer = await confirm(anon, await linkTokenInMail(email, 'reset'))
    expect([answer.status, await answer.clone().json()]).toMatchObject([200, { user: { email } }])
    expect((await me.fetch('/api/profile')).status).toBe(401)
    const now = await withResponseSession(anon, answer)
    expect((await now.fetch('/api/profile')).status).toBe(200)
    expect((await signInAs(anon, email, PASSWORD)).status).toBe(401)
    expect((await signInAs(anon, email, NEXT)).status).toBe(200)
    expect(await templatesTo(email)).toEqual(['reset', 'passwordChanged'])
  })

  it('counts only the newest of three links, and that one once', async () => {
    const { anon, email } = await registerUser()
    const tokens: string[] = []
    for (let i = 0; i < 3; i++) {
      await ask(anon, email)
      tokens.push(await linkTokenInMail(email, 'reset'))
    }
    expect(new Set(tokens).size).toBe(3)
    await isExpired(await confirm(anon, tokens[0] ?? ''))
    await isExpired(await confirm(anon, tokens[1] ?? ''))
    expect((await confirm(anon, tokens[2] ?? '')).status).toBe(200)
    await isExpired(await confirm(anon, tokens[2] ?? '', 'a third long sentence'))
    expect((await signInAs(anon, email, NEXT)).status).toBe(200)
  })

  it('is worthless after the password was changed', async () => {
    const { me, anon, email } = await registerUser()
    await ask(anon, email)
    const token = await linkTokenInMail(email, 'reset')
    const change = await me.fetch('/api/account/password', { method: 'PUT', json: { current: PASSWORD, next: NEXT } })
    expect(change.status).toBe(200)
    await isExpired(await confirm(anon, token))
  })

  it('is valid for 60 minutes', async () => {
    const { anon, email, pass } = await clocked()
    await ask(anon, email)
    const token = await linkTokenInMail(email, 'reset')
    pass(60 * MINUTE_MS)
    await isExpired(await confirm(anon, token))
    await ask(anon, email)
    const newer = await linkTokenInMail(email, 'reset')
    pass(60 * MINUTE_MS - 1000)
    expect((await confirm(anon, newer)).status).toBe(200)
  })

  it('is won by one of two at once', async () => {
    const { anon, email } = await registerUser()
    await ask(anon, email)
    const token = await linkTokenInMail(email, 'reset')
    const answers = await Promise.all([NEXT, 'a third long sentence'].map((password) => confirm(anon, token, password)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 410])
    const rows = await env.DB.prepare(
      'SELECT count(*) AS n FROM sessions JOIN users u ON u.id = user_id WHERE u.email = ?',
    )
      .bind(email)
      .first<number>('n')
    expect(rows).toBe(1)
  })

  it('is tried 60 times in 15 minutes from one network, as every link of a mail (RATE-1)', async () => {
    const app = await visitor()
    const token = `lnk_${'0'.repeat(20)}.${'0'.repeat(64)}`
    const headers = { 'cf-connecting-ip': '203.0.113.66' }
    const calls: [string, object][] = [
      ['/api/account/reset/confirm', { token, password: NEXT }],
      ['/api/account/undelete', { token }],
      ['/api/account/email/confirm', { token }],
    ]
    await spendTries('linkFromAddress', '203.0.113.66', { left: 3 })
    const statuses: number[] = []
    for (const [path, json] of [...calls, ...calls])
      statuses.push((await app.fetch(path, { method: 'POST', json, headers })).status)
    expect(statuses).toEqual([410, 410, 410, 429, 429, 429])
  })

  it('takes no forged link, no link of another kind and none of a disabled person, and changes nothing', async () => {
    const { anon, email, userId } = await registerUser()
    await ask(anon, email)
    const token = await linkTokenInMail(email, 'reset')
    const [id = '', seal = ''] = token.split('.')
    const forged = [
      `${id}.${'0'.repeat(64)}`,
      `${systemIds.next('link')}.${seal}`,
      `${id}.${seal.slice(0, -1)}${seal.endsWith('0') ? '1' : '0'}`,
    ]
    const before = await databaseDump()
    for (const one of forged) await isExpired(await confirm(anon, one))
    expect(await databaseDump()).toBe(before)
    await env.DB.prepare("UPDATE links SET kind = 'email_new' WHERE id = ?").bind(id).run()
    await isExpired(await confirm(anon, token))
    await env.DB.batch([
      env.DB.prepare("UPDATE links SET kind = 'reset' WHERE id = ?").bind(id),
      env.DB.prepare('UPDATE users SET disabled_at = 1 WHERE id = ?').bind(userId),
    ])
    await isExpired(await confirm(anon, token))
  })

  it('is nowhere stored: neither database nor outbox holds what opens it', async () => {
    const { anon, email } = await registerUser()
    await ask(anon, email)
    const [, seal = 'none'] = (await linkTokenInMail(email, 'reset')).split('.')
    expect((await databaseDump()).includes(seal)).toBe(false)
  })

  it('replaces a planted cookie, which lets nobody in afterwards (SES-3)', async () => {
    const { anon, email } = await registerUser()
    const attacker = await signedIn({ app: anon.app })
    await ask(anon, email)
    const answer = await confirm(attacker, await linkTokenInMail(email, 'reset'))
    expect(answer.status).toBe(200)
    expect(attacker.cookie).not.toContain(cookiesOf(answer))
    expect((await attacker.fetch('/api/profile')).status).toBe(401)
  })

  it('is not used up by whoever only looks at its page, by GET or HEAD (AUTH-5)', async () => {
    const { anon, email } = await registerUser()
    await ask(anon, email)
    const token = await linkTokenInMail(email, 'reset')
    const before = await databaseDump()
    for (const method of ['GET', 'HEAD'])
      for (const path of ['/reset', `/reset?token=${token}`, '/api/account/reset/confirm'])
        await anon.fetch(path, { method })
    expect((await databaseDump()) === before).toBe(true)
    expect((await confirm(anon, token)).status).toBe(200)
  })

  it('proves the address that the link came to', async () => {
    const { anon, email } = await registerUser()
    const proven = () =>
      env.DB.prepare('SELECT email_proven_at FROM users WHERE email = ?').bind(email).first('email_proven_at')
    expect(await proven()).toBeNull()
    await ask(anon, email)
    await confirm(anon, await linkTokenInMail(email, 'reset'))
    expect(await proven()).toEqual(expect.any(Number))
  })

  it('keeps the link when the new password is too short', async () => {
    const { anon, email } = await registerUser()
    await ask(anon, email)
    const token = await linkTokenInMail(email, 'reset')
    expect((await confirm(anon, token, 'short')).status).toBe(422)
    expect((await confirm(anon, token)).status).toBe(200)
  })
})

describe('asking for a new password', () => {
  it('answers an unknown address as a known one, by as many round trips, and sends nothing', async () => {
    const { email } = await registerUser()
    const unknown = `${unique('nobody')}@example.com`
    const seen: [number, unknown, number][] = []
    for (const address of [email, unknown]) {
      const { db, trips } = countingDatabase()
      const anon = await visitor({ deps: { db, passwords: fakePasswords(), onOutbox: () => undefined } })
      const answer = await ask(anon, address)
      seen.push([answer.status, await answer.json(), trips()])
    }
    expect(seen[0]).toEqual(seen[1])
    expect(await queuedMailsTo(unknown)).toEqual([])
  })

  it('sends at most 5 mails an hour to one address, known or not, and 30 from one network', async () => {
    const { anon, email, pass, now } = await clocked()
    // The mail of the registration counts too.
    pass(60 * MINUTE_MS)
    for (const address of [email, `${unique('nobody')}@example.com`]) {
      const statuses: number[] = []
      for (let i = 0; i < 6; i++)
        statuses.push((await ask(anon, address, { 'cf-connecting-ip': `203.0.113.${i}` })).status)
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    }
    expect(await templatesTo(email)).toHaveLength(5)
    pass(60 * MINUTE_MS)
    expect((await ask(anon, email)).status).toBe(200)
    const from = { 'cf-connecting-ip': '198.51.100.77' }
    await spendTries('mailsFromAddress', '198.51.100.77', { left: 2, now: now() })
    const statuses: number[] = []
    for (let i = 0; i < 3; i++) statuses.push((await ask(anon, `${unique('n')}@example.com`, from)).status)
    expect(statuses).toEqual([200, 200, 429])
  })
})

describe('people who sign in with a provider (AUTH-9)', () => {
  const without = async () => {
    const person = await registerUser()
    await env.DB.prepare('UPDATE users SET password_hash = NULL WHERE id = ?').bind(person.userId).run()
    return person
  }

  it('are told how they sign in, and get no link to a password', async () => {
    const { anon, email, userId } = await without()
    const now = Date.now()
    await env.DB.prepare(
      "INSERT INTO accounts (id, provider, issuer, subject, user_id, created_at, last_used_at) VALUES (?, 'google', 'https://accounts.google.com', ?, ?, ?, ?)",
    )
      .bind(systemIds.next('account'), unique('subject'), userId, now, now)
      .run()
    expect(await (await ask(anon, email)).json()).toEqual({ sent: true })
    expect(await queuedMailsTo(email)).toEqual([{ to: email, template: 'resetWithoutPassword', providers: ['Google'] }])
    const links = await env.DB.prepare('SELECT count(*) AS n FROM links WHERE user_id = ?').bind(userId).first('n')
    expect(links).toBe(0)
  })

  it('are not left without any way in: whoever has neither password nor provider gets the link', async () => {
    const { anon, email } = await without()
    await ask(anon, email)
    expect((await confirm(anon, await linkTokenInMail(email, 'reset'))).status).toBe(200)
  })
})
