import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { anonymizeUser, anonymizeDeletedUsers } from './deletion'
import { LONG } from '../../../test/long'
import { PASSWORD, registerUser, signInAs } from '../../../test/worker/accounts'
import { databaseDump } from '../../../test/worker/test-database'
import { depsAt } from '../../../test/worker/deps'
import { aMember, aPerson, aWorkspace, signedIn, unique, type Caller } from '../../../test/worker/factories'
import { queuedMailsTo, linkTokenInMail } from '../../../test/worker/mails'
import { aRowOfEach } from '../../../test/worker/resources'
import { OWNABLE_TABLES, PERSONAL_TABLES } from '../../identity/ownership'
import { systemIds } from '../../deps'
import type { AccountDeletionPreview } from '../../shared/account'
import { DELETED_RETENTION_MS } from '../../shared/limits'

const preview = async (who: Caller) => (await who.fetch('/api/account/deletion')).json<AccountDeletionPreview>()
const remove = (who: Caller, json: object) => who.fetch('/api/account/delete', { method: 'POST', json })
const undelete = (who: Caller, token: string) => who.fetch('/api/account/undelete', { method: 'POST', json: { token } })
const row = (sql: string, ...values: string[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .first()

/** A person who owns a workspace alone (`own`), and one with another owner and their things in it (`shared`). */
async function withPlaces(deps: object = {}) {
  const person = await registerUser({ deps })
  const [own, shared] = [await aWorkspace(), await aWorkspace()]
  const heir = await aPerson()
  await aMember(own.id, person.userId, 'owner')
  await aMember(shared.id, person.userId, 'owner')
  await aMember(shared.id, heir, 'owner')
  await aMember(shared.id, await aPerson(), 'viewer')
  const things = await aRowOfEach(shared.id, person.userId)
  return {
    ...person,
    own,
    shared,
    heir,
    things,
    leave: () => remove(person.me, { confirm: person.email, password: PASSWORD }),
  }
}

describe('the end of an account', () => {
  it('ends its sessions, frees its address, hands over what it owned and holds workspaces nobody else is in', async () => {
    const { me, anon, userId, email, own, shared, heir, things, leave } = await withPlaces()
    expect(await preview(me)).toEqual({ blocked: [], going: [{ id: own.id, name: own.name }] })
    await env.DB.prepare("UPDATE runs SET state = 'running' WHERE id = ?").bind(things['runs']).run()
    await env.DB.batch([
      env.DB.prepare('UPDATE alerts SET receivers = ? WHERE id = ?').bind(JSON.stringify([userId]), things['alerts']),
      env.DB.prepare(
        'INSERT INTO insight_follows (workspace_id, insight_id, user_id, created_at) VALUES (?, ?, ?, 1)',
      ).bind(shared.id, things['insights'], userId),
    ])
    const answer = await leave()
    expect([answer.status, await answer.clone().json()]).toMatchObject([200, { user: null, session: null }])
    expect(answer.headers.getSetCookie().join('\n')).toMatch(/insikt_session=; Max-Age=0/)
    expect((await me.fetch('/api/profile')).status).toBe(401)
    expect((await signInAs(anon, email)).status).toBe(401)
    expect(await row('SELECT count(*) AS n FROM sessions WHERE user_id = ?', userId)).toEqual({ n: 0 })
    expect(await row('SELECT deleted_by FROM workspaces WHERE id = ?', own.id)).toEqual({ deleted_by: userId })
    expect(await row('SELECT deleted_at FROM workspaces WHERE id = ?', shared.id)).toEqual({ deleted_at: null })
    expect(
      await row('SELECT count(*) AS n FROM members WHERE user_id = ? AND workspace_id = ?', userId, shared.id),
    ).toEqual({ n: 0 })
    for (const table of OWNABLE_TABLES)
      expect(await row(`SELECT owner_id FROM ${table} WHERE workspace_id = ?`, shared.id)).toEqual({ owner_id: heir })
    for (const table of PERSONAL_TABLES) {
      const count = `SELECT count(*) AS n FROM ${table} WHERE workspace_id = ? AND user_id = ?`
      expect(await row(count, shared.id, userId), table).toEqual({ n: 0 })
    }
    expect(await row('SELECT receivers FROM alerts WHERE id = ?', things['alerts'] ?? '')).toEqual({ receivers: '[]' })
    // What they wrote stays.
    expect(await row('SELECT author_id FROM notes WHERE id = ?', things['notes'] ?? '')).toEqual({ author_id: userId })
    expect(await row('SELECT actor_id, state FROM runs WHERE id = ?', things['runs'] ?? '')).toEqual({
      actor_id: heir,
      state: 'running',
    })
    const again = { name: 'Anna Lind', email, password: PASSWORD, acceptTerms: true }
    expect((await anon.fetch('/api/account/register', { method: 'POST', json: again })).status).toBe(201)
  })

  it('needs the own address, typed, and the password', async () => {
    const { me, email } = await registerUser()
    const before = await databaseDump()
    expect((await remove(me, { confirm: 'somebody@example.com', password: PASSWORD })).status).toBe(422)
    expect((await remove(me, { confirm: email })).status).toBe(422)
    expect((await remove(me, { confirm: email, password: 'not the sentence' })).status).toBe(401)
    expect(await databaseDump()).toBe(before)
  })

  it('needs another owner first where others are left behind', async () => {
    const { me, email, userId } = await registerUser()
    const place = await aWorkspace()
    await aMember(place.id, userId, 'owner')
    await aMember(place.id, await aPerson(), 'admin')
    expect(await preview(me)).toEqual({ blocked: [{ id: place.id, name: place.name }], going: [] })
    const before = await databaseDump()
    const refused = await remove(me, { confirm: email, password: PASSWORD })
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { code: 'in_use', dependents: [{ type: 'workspace', id: place.id, name: place.name }] },
    ])
    expect(await databaseDump()).toBe(before)
  })

  it('of two owners at once leaves one of them behind', async () => {
    for (let round = 0; round < (LONG ? 10 : 3); round++) {
      const [one, two] = [await registerUser(), await registerUser()]
      const place = await aWorkspace()
      for (const { userId } of [one, two]) await aMember(place.id, userId, 'owner')
      await aMember(place.id, await aPerson(), 'viewer')
      const answers = await Promise.all(
        [one, two].map(({ me, email }) => remove(me, { confirm: email, password: PASSWORD })),
      )
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
      const owners = "SELECT count(*) AS n FROM members WHERE workspace_id = ? AND role = 'owner'"
      expect(await row(owners, place.id)).toEqual({ n: 1 })
    }
  })

  it('of a person without address and password needs the name and a fresh sign-in', async () => {
    const me = await signedIn()
    await env.DB.prepare('UPDATE users SET email = NULL WHERE id = ?').bind(me.userId).run()
    expect((await remove(me, { confirm: 'nobody' })).status).toBe(422)
    expect((await remove(me, { confirm: 'test person' })).status).toBe(200)
    expect((await me.fetch('/api/profile')).status).toBe(401)
  })
})

describe('the way back', () => {
  it('brings person, address, password and own workspaces back, once', async () => {
    const { anon, email, userId, own, shared, leave } = await withPlaces()
    await leave()
    const token = await linkTokenInMail(email, 'accountDeleted')
    const back = await undelete(anon, token)
    expect([back.status, await back.json()]).toEqual([200, { email, waiting: [shared.name] }])
    expect((await signInAs(anon, email)).status).toBe(200)
    expect(await row('SELECT deleted_at, deleted_by FROM workspaces WHERE id = ?', own.id)).toEqual({
      deleted_at: null,
      deleted_by: null,
    })
    expect(await row('SELECT role FROM members WHERE user_id = ? AND workspace_id = ?', userId, own.id)).toEqual({
      role: 'owner',
    })
    expect((await undelete(anon, token)).status).toBe(410)
  })

  it('leads back without the address when somebody has it and another way in is left', async () => {
    const { anon, email, userId, leave } = await withPlaces()
    await env.DB.prepare('DELETE FROM accounts WHERE user_id = ?').bind(userId).run()
    await leave()
    const token = await linkTokenInMail(email, 'accountDeleted')
    await aPerson({ email })
    const refused = await undelete(anon, token)
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'account_exists' }])
    await env.DB.prepare(
      "INSERT INTO accounts (id, provider, issuer, subject, user_id, created_at, last_used_at) VALUES (?, 'google', 'https://accounts.google.com', ?, ?, 1, 1)",
    )
      .bind(systemIds.next('account'), email, userId)
      .run()
    expect(await (await undelete(anon, token)).json()).toMatchObject({ email: null })
    expect(await row('SELECT email, deleted_at, disabled_at FROM users WHERE id = ?', userId)).toEqual({
      email: null,
      deleted_at: null,
      disabled_at: null,
    })
  })

  it('is open for 30 days, to nobody whom the operator disabled, and by no other link', async () => {
    let now = Date.now()
    const { anon, email, userId, leave } = await withPlaces({ clock: { now: () => now } })
    await anon.fetch('/api/account/reset', { method: 'POST', json: { email } })
    const reset = await linkTokenInMail(email, 'reset')
    await leave()
    const token = await linkTokenInMail(email, 'accountDeleted')
    expect((await undelete(anon, reset)).status).toBe(410)
    const viaReset = { token, password: 'another long sentence' }
    expect((await anon.fetch('/api/account/reset/confirm', { method: 'POST', json: viaReset })).status).toBe(410)
    await env.DB.prepare('UPDATE users SET disabled_at = 7 WHERE id = ?').bind(userId).run()
    now += DELETED_RETENTION_MS - 1
    expect((await undelete(anon, token)).status).toBe(200)
    expect(await row('SELECT disabled_at FROM users WHERE id = ?', userId)).toEqual({ disabled_at: 7 })
    const other = await withPlaces({ clock: { now: () => now } })
    await other.leave()
    now += DELETED_RETENTION_MS
    expect((await undelete(other.anon, await linkTokenInMail(other.email, 'accountDeleted'))).status).toBe(410)
  })
})

describe('thirty days later', () => {
  it('nothing says whose account it was, and what was done stays', async () => {
    const { email, userId, leave } = await withPlaces()
    const name = unique('Birgitta')
    await env.DB.prepare("UPDATE users SET name = ?2, job = 'CFO', avatar_key = 'pictures/x' WHERE id = ?1")
      .bind(userId, name)
      .run()
    await leave()
    await anonymizeDeletedUsers(depsAt(Date.now() + DELETED_RETENTION_MS - 60_000))
    expect(await row('SELECT name FROM users WHERE id = ?', userId)).toEqual({ name })
    await anonymizeDeletedUsers(depsAt(Date.now() + DELETED_RETENTION_MS + 60_000))
    expect(await row('SELECT name, email, password_hash, job, avatar_key FROM users WHERE id = ?', userId)).toEqual({
      name: 'Deleted person',
      email: null,
      password_hash: null,
      job: null,
      avatar_key: null,
    })
    for (const table of ['accounts', 'devices', 'links', 'sessions'])
      expect(await row(`SELECT count(*) AS n FROM ${table} WHERE user_id = ?`, userId)).toEqual({ n: 0 })
    const acted = await row('SELECT count(*) AS n FROM audit WHERE actor_id = ?', userId)
    expect(acted?.['n']).toBeGreaterThan(1)
    // The mail about the deletion is the mail room's to forget.
    expect(await queuedMailsTo(email)).toHaveLength(1)
    await env.DB.prepare("DELETE FROM outbox WHERE json_extract(payload, '$.to') = ?").bind(email).run()
    const dump = await databaseDump()
    expect([dump.includes(name), dump.includes(email)]).toEqual([false, false])
  })

  it('leaves everybody alone who is not deleted, and does its work once', async () => {
    const { userId } = await registerUser()
    const later = depsAt(Date.now() + DELETED_RETENTION_MS * 2)
    await anonymizeDeletedUsers(later)
    expect(await row('SELECT name FROM users WHERE id = ?', userId)).toEqual({ name: 'Anna Lind' })
    const before = await databaseDump()
    await anonymizeDeletedUsers(later)
    expect(await databaseDump()).toBe(before)
  })
})

describe('a person who came back in the very moment of being forgotten', () => {
  it('stays who they are', async () => {
    const { userId } = await registerUser()
    const before = await databaseDump()
    await anonymizeUser(depsAt(Date.now()), userId)
    expect(await databaseDump()).toBe(before)
  })
})

describe('everything about a person', () => {
  it('is a file of JSON: what they said, where they are, what they did and made, and nothing that opens anything', async () => {
    const { me, userId, email, shared, things } = await withPlaces()
    const answer = await me.fetch('/files/account/export')
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="my-account.json"/)
    const text = await answer.text()
    const file: Record<string, Record<string, unknown>[]> = JSON.parse(text)
    expect(file['profile']).toMatchObject([{ id: userId, email, name: 'Anna Lind', password: true, goals: [] }])
    expect(file['memberships']).toHaveLength(2)
    expect(file['sessions']).toHaveLength(2)
    expect(file['sessions']?.[0]).toMatchObject({
      device: 'Unknown device',
      signedInAt: expect.stringMatching(/^20.*Z$/),
    })
    expect(file['signInDevices']).toHaveLength(1)
    expect(file['insights']).toMatchObject([{ id: things['insights'], workspace: shared.name }])
    expect(file['dataSources']).toMatchObject([{ id: things['data-sources'] }])
    expect(file['metrics']).toMatchObject([{ id: things['metrics'] }])
    expect(file['groupings']).toMatchObject([{ id: things['groupings'] }])
    expect(file['alerts']).toMatchObject([{ id: things['alerts'], workspace: shared.name }])
    expect(file['loads']).toMatchObject([{ fileName: 'a.csv' }])
    expect(file['auditLog']).toMatchObject([{ action: 'account.register' }])
    const secrets = await row(
      'SELECT u.password_hash, s.hash FROM users u JOIN sessions s ON s.user_id = u.id WHERE u.id = ?',
      userId,
    )
    for (const secret of Object.values(secrets ?? {})) expect(text).not.toContain(String(secret))
  })

  it('holds nothing of anybody else, and nothing from workspaces the person has left', async () => {
    const { me, userId, shared } = await withPlaces()
    const other = await signedIn({ workspaceId: shared.id })
    await aRowOfEach(shared.id, other.userId)
    await env.DB.prepare('DELETE FROM members WHERE user_id = ? AND workspace_id = ?').bind(userId, shared.id).run()
    const text = await (await me.fetch('/files/account/export')).text()
    const file: Record<string, unknown[]> = JSON.parse(text)
    expect([file['insights'], file['dataSources'], file['loads']]).toEqual([[], [], []])
    expect(text).not.toContain(other.userId)
  })

  it('is whole when it is more than one page', async () => {
    const { me, userId } = await registerUser()
    const lines = Array.from({ length: 2100 }, (_one, i) =>
      env.DB.prepare(
        "INSERT INTO audit (id, actor_id, action, entity, entity_id, at) VALUES (?, ?, 'test', 'user', ?, ?)",
      ).bind(systemIds.next('audit'), userId, String(i), i),
    )
    await env.DB.batch(lines)
    const file = await (await me.fetch('/files/account/export')).json<{ auditLog: { entityId: string }[] }>()
    expect(new Set(file.auditLog.map(({ entityId }) => entityId)).size).toBe(2101)
  })
})
