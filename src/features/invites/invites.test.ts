import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { createApp } from '../../app'
import { databaseDump } from '../../../test/worker/test-database'
import { expiredTrial, otherWorkspace, signedIn, visitor } from '../../../test/worker/factories'
import type { SignedIn, SignedInOptions } from '../../../test/worker/factories'
import {
  auditOf,
  emailOf,
  inviteToken,
  setSeatLimits,
  queuedMailsOf,
  countTakenSeats,
} from '../../../test/worker/people'
import { aRowOfEach } from '../../../test/worker/resources'
import { systemIds } from '../../deps'
import { INVITE_TTL_MS, type CreateInvitesInput, type Invite, type CreateInvitesResult } from '../../shared/invites'
import type { ListPage } from '../../shared/field-schemas'

const app = createApp()
const owned = (users: number | null = 100, options: SignedInOptions = {}) =>
  signedIn({ app, subscription: { override: { users, analysts: null } }, ...options })
const post = (who: SignedIn, input: CreateInvitesInput) => who.fetch('/api/invites', { method: 'POST', json: input })
const invite = async (
  who: SignedIn,
  emails: string[],
  more: Partial<CreateInvitesInput> = {},
): Promise<CreateInvitesResult> => (await post(who, { emails, role: 'viewer', ...more })).json()
const outcomes = ({ lines }: CreateInvitesResult) => lines.map(({ outcome }) => outcome)
const listed = async (who: SignedIn, search = ''): Promise<ListPage<Invite>> =>
  (await who.fetch(`/api/invites${search}`)).json()
const act = (who: SignedIn, id: string, verb: 'resend' | 'revoke') =>
  who.fetch(`/api/invites/${id}/${verb}`, { method: 'POST', json: {} })
const look = async (token: string) =>
  (await visitor({ app })).fetch('/api/invites/look', { method: 'POST', json: { token } })
const one = async (who: SignedIn, email: string, more: Partial<CreateInvitesInput> = {}): Promise<Invite> => {
  const made = (await invite(who, [email], more)).lines[0]?.invite
  if (!made) throw new Error('not invited')
  return made
}
const codeOf = async (answer: Response) => `${answer.status} ${(await answer.json<{ code?: string }>()).code ?? ''}`
const elapse = (id: string) => env.DB.prepare('UPDATE invites SET expires_at = 1 WHERE id = ?').bind(id).run()

describe('inviting', () => {
  it('answers each line for itself, in the order given, and sends one mail to each address', async () => {
    const owner = await owned()
    const member = await signedIn({ app, workspaceId: owner.workspaceId, role: 'viewer' })
    await env.DB.prepare('UPDATE workspaces SET mail_domains = \'["example.com"]\' WHERE id = ?')
      .bind(owner.workspaceId)
      .run()
    const typed = [
      ...['Anna@Example.com', ' anna@example.com ', 'bo@example.com', 'not an address', 'bo@elsewhere.com'],
      ...['x@example.com\r\nBcc: y@example.com', await emailOf(member.userId), 'bo@sub.example.com'],
    ]
    const sent = await invite(owner, typed)
    expect(sent.lines.map((line) => line.typed)).toEqual(typed)
    expect(outcomes(sent)).toEqual([
      ...['sent', 'repeated', 'sent', 'invalid', 'wrong_domain'],
      ...['invalid', 'member', 'wrong_domain'],
    ])
    const mails = await queuedMailsOf(owner.workspaceId)
    expect(mails).toMatchObject([
      { to: 'anna@example.com', template: 'invitation', serial: 1, inviteId: sent.lines[0]?.invite?.id },
      { to: 'bo@example.com', template: 'invitation', serial: 1 },
    ])
    expect(mails).toHaveLength(2)
    expect(await auditOf(owner.workspaceId)).toEqual(['invite.create - after', 'invite.create - after'])
  })

  it('lets no line break into what a mail says: names and addresses with one are refused (INJ-11)', async () => {
    const owner = await owned()
    for (const sign of ['\r\n', '\n', '\r', '\u2028']) {
      const name = `Anna${sign}Bcc: all@example.com`
      expect((await owner.fetch('/api/profile', { method: 'PUT', json: { name } })).status).toBe(422)
      const settings = await (await owner.fetch('/api/workspace')).json<object>()
      const { id: _id, logo: _logo, ...input } = { id: '', logo: '', ...settings }
      expect((await owner.fetch('/api/workspace', { method: 'PUT', json: input })).status).toBe(200)
      const bad = await owner.fetch('/api/workspace', { method: 'PUT', json: { ...input, name } })
      expect(bad.status).toBe(422)
      expect(
        outcomes(await invite(owner, [`anna${sign}@example.com`, `a@example.com${sign}Bcc: b@example.com`])),
      ).toEqual(['invalid', 'invalid'])
    }
    expect(await queuedMailsOf(owner.workspaceId)).toEqual([])
  })

  it('says the same whether or not the address has an account', async () => {
    const [owner, other] = [await owned(), await otherWorkspace(app)]
    const known = await one(owner, await emailOf(other.userId))
    const unknown = await one(owner, 'nobody-at-all@example.com')
    const shape = ({ id: _id, email: _email, ...rest }: Invite) => ({ ...rest, sentAt: '', expiresAt: '' })
    expect(shape(known)).toEqual(shape(unknown))
  })

  it('keeps no token anywhere: neither the database nor the waiting mail opens anything', async () => {
    const owner = await owned()
    const { id } = await one(owner, 'secret@example.com')
    const secret = (await inviteToken(id)).split('.')[1] ?? ''
    expect(secret).toHaveLength(64)
    expect(await databaseDump()).not.toContain(secret)
  })

  it('renews an open invitation: one row, other terms, and the link of the earlier mail worthless', async () => {
    const owner = await owned()
    const first = await one(owner, 'a@example.com')
    const again = await invite(owner, ['A@example.com'], { role: 'admin' })
    expect(outcomes(again)).toEqual(['renewed'])
    expect(again.lines[0]?.invite).toMatchObject({ id: first.id, role: 'admin' })
    expect((await look(await inviteToken(first.id, 1))).status).toBe(410)
    expect(await (await look(await inviteToken(first.id, 2))).json()).toMatchObject({
      role: 'admin',
      standing: 'signIn',
    })
    expect((await listed(owner)).items).toHaveLength(1)
    expect(await auditOf(owner.workspaceId)).toEqual(['invite.create - after', 'invite.renew before after'])
  })

  it('gives seats in the order of the lines, and the rest goes on without', async () => {
    const owner = await owned(3)
    const held = await one(owner, 'held@example.com')
    const sent = await invite(owner, ['one@example.com', 'held@example.com', 'two@example.com', 'bad'])
    expect(outcomes(sent)).toEqual(['sent', 'renewed', 'no_seat', 'invalid'])
    expect(sent.lines[1]?.invite?.id).toBe(held.id)
    expect(await countTakenSeats(owner.workspaceId)).toBe(3)
    expect(outcomes(await invite(owner, ['p@example.com'], { role: 'client' }))).toEqual(['sent'])
    await elapse(held.id)
    expect(outcomes(await invite(owner, ['three@example.com', 'held@example.com']))).toEqual(['sent', 'no_seat'])
    expect(await countTakenSeats(owner.workspaceId)).toBe(3)
  })

  it('asks for an analyst’s seat where the role takes one, also when an invitation is raised', async () => {
    const owner = await owned(null)
    await setSeatLimits(owner.workspaceId, { analysts: 2 })
    expect(outcomes(await invite(owner, ['a@example.com', 'b@example.com'], { role: 'analyst' }))).toEqual([
      'sent',
      'no_seat',
    ])
    expect(outcomes(await invite(owner, ['c@example.com']))).toEqual(['sent'])
    expect(outcomes(await invite(owner, ['c@example.com'], { role: 'admin' }))).toEqual(['no_seat'])
    expect(outcomes(await invite(owner, ['a@example.com', 'd@example.com'], { role: 'viewer' }))).toEqual([
      'renewed',
      'sent',
    ])
    expect(outcomes(await invite(owner, ['c@example.com'], { role: 'admin' }))).toEqual(['renewed'])
  })

  it('takes groups and pages of this workspace only, and stores nothing otherwise (IDOR-3)', async () => {
    const [owner, other] = [await owned(), await otherWorkspace(app)]
    const [mine, foreign] = [
      await aRowOfEach(owner.workspaceId, owner.userId),
      await aRowOfEach(other.workspaceId, other.userId),
    ]
    const before = await databaseDump()
    const wrong: Partial<CreateInvitesInput>[] = [
      { groupIds: [foreign['groups'] ?? ''] },
      { groupIds: [mine['groups'] ?? '', systemIds.next('group')] },
      { landing: `/insights/${foreign['insights'] ?? ''}` },
      { landing: `/data-sources/${foreign['data-sources'] ?? ''}` },
      { landing: `/insights/${systemIds.next('insight')}` },
    ]
    for (const more of wrong)
      expect(await codeOf(await post(owner, { emails: ['a@example.com'], role: 'viewer', ...more }))).toBe(
        '404 not_found',
      )
    for (const landing of ['//evil.example', '/settings', '/insights/../x', 'https://evil.example'])
      expect(await codeOf(await post(owner, { emails: ['a@example.com'], role: 'viewer', landing }))).toBe(
        '422 invalid_input',
      )
    expect(await databaseDump()).toBe(before)
    const made = await one(owner, 'a@example.com', {
      groupIds: [mine['groups'] ?? ''],
      landing: `/insights/${mine['insights'] ?? ''}`,
    })
    expect(made.groups.map(({ id }) => id)).toEqual([mine['groups']])
  })

  it('puts nobody into groups where the plan has none (BIL-5)', async () => {
    const subscription = { state: 'active' as const, planId: 'personal' as const, addOns: { user_pack_10: 1 } }
    const owner = await signedIn({ app, subscription })
    const { groups = '' } = await aRowOfEach(owner.workspaceId, owner.userId)
    const grouped = await post(owner, { emails: ['grouped@example.com'], role: 'viewer', groupIds: [groups] })
    expect([grouped.status, await grouped.json()]).toMatchObject([
      402,
      { code: 'plan_required', feature: 'userGrouping', requiredPlan: 'standard' },
    ])
    expect((await post(owner, { emails: ['grouped@example.com'], role: 'viewer' })).status).toBe(200)
  })

  it('never invites an owner, more than 50 at once, or more than 300 an hour', async () => {
    const owner = await signedIn({
      app,
      subscription: { state: 'active', planId: 'enterprise', override: { users: null } },
    })
    const many = (n: number, from: number) => Array.from({ length: n }, (_, i) => `p${from + i}@example.com`)
    const refused = await owner.fetch('/api/invites', { method: 'POST', json: { emails: many(1, 0), role: 'owner' } })
    expect(refused.status).toBe(422)
    expect((await post(owner, { emails: many(51, 0), role: 'viewer' })).status).toBe(422)
    for (let n = 0; n < 6; n++)
      expect((await post(owner, { emails: many(50, n * 50), role: 'viewer' })).status).toBe(200)
    expect(await countTakenSeats(owner.workspaceId)).toBe(301)
    const limited = await post(owner, { emails: many(1, 300), role: 'viewer' })
    expect(limited.status).toBe(429)
    expect((await limited.json<{ retryAfter: number }>()).retryAfter).toBeGreaterThan(3000)
  })

  it('writes to one address 20 times an hour, from however many workspaces, renewed, revoked or resent (RATE-1)', async () => {
    const statuses: number[] = []
    for (let n = 0; n < 3; n++) {
      const owner = await owned()
      for (let m = 0; m < 4; m++) {
        const sent = await post(owner, { emails: ['Victim@Example.org '], role: 'viewer' })
        statuses.push(sent.status)
        const id = sent.ok ? (await sent.json<CreateInvitesResult>()).lines[0]?.invite?.id : undefined
        statuses.push((await act(owner, id ?? systemIds.next('invite'), 'resend')).status)
        if (m === 2) await act(owner, id ?? '', 'revoke')
      }
    }
    expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 200))
    expect(statuses[20]).toBe(429)
    expect((await post(await owned(), { emails: ['victim@example.org'], role: 'viewer' })).status).toBe(429)
    expect((await post(await owned(), { emails: ['other@example.org'], role: 'viewer' })).status).toBe(200)
  })

  it('is for administrators of a workspace that may be written to; a plan without seats is refused', async () => {
    const owner = await owned()
    const viewer = await signedIn({ app, workspaceId: owner.workspaceId, role: 'analyst' })
    expect(await codeOf(await post(viewer, { emails: ['a@example.com'], role: 'viewer' }))).toBe('403 forbidden')
    const lapsed = await expiredTrial({ app })
    expect(await codeOf(await post(lapsed, { emails: ['a@example.com'], role: 'viewer' }))).toBe('402 read_only')
    expect((await lapsed.fetch('/api/invites')).status).toBe(200)
    const none = await owned(0)
    expect(await codeOf(await post(none, { emails: ['a@example.com'], role: 'viewer' }))).toBe('409 limit_reached')
  })

  it('answers the same call the same, with one mail', async () => {
    const owner = await owned()
    const call = () =>
      owner.fetch('/api/invites', {
        method: 'POST',
        json: { emails: ['a@example.com'], role: 'viewer' },
        headers: { 'idempotency-key': 'k' },
      })
    const [first, second] = [await call(), await call()]
    expect(await second.text()).toBe(await first.text())
    expect(await queuedMailsOf(owner.workspaceId)).toHaveLength(1)
  })

  it('sends one mail per renewal, each with a link that only the newest opens, when two renew at once', async () => {
    const owner = await owned()
    const { id } = await one(owner, 'renewed@example.com')
    const answers = await Promise.all(Array.from({ length: 8 }, () => invite(owner, ['renewed@example.com'])))
    expect(answers.map(outcomes)).toEqual(answers.map(() => ['renewed']))
    const mails = await queuedMailsOf(owner.workspaceId)
    expect(mails.map((mail) => 'serial' in mail && mail.serial)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    const opens = await Promise.all(mails.map(async (_, n) => (await look(await inviteToken(id, n + 1))).status))
    expect(opens).toEqual([...Array.from({ length: 8 }, () => 410), 200])
  })
})

describe('the list of invitations', () => {
  it('shows the newest mail first with what became of each, in pages', async () => {
    const owner = await owned()
    const [a, b, c] = [
      await one(owner, 'listed@example.com'),
      await one(owner, 'b@example.com'),
      await one(owner, 'c@example.com'),
    ]
    await elapse(a.id)
    expect((await act(owner, b.id, 'revoke')).status).toBe(200)
    await env.DB.batch(
      [a, b, c].map(({ id }, n) => env.DB.prepare('UPDATE invites SET sent_at = ? WHERE id = ?').bind(n, id)),
    )
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const listPage: ListPage<Invite> = await listed(owner, `?limit=1${cursor && `&cursor=${cursor}`}`)
      seen.push(...listPage.items.map(({ email, state }) => `${email} ${state}`))
      cursor = listPage.nextCursor
    }
    expect(seen).toEqual(['c@example.com pending', 'b@example.com revoked', 'listed@example.com expired'])
    for (const [state, id] of [
      ['pending', c.id],
      ['revoked', b.id],
      ['expired', a.id],
    ])
      expect((await listed(owner, `?state=${state ?? ''}`)).items.map((item) => item.id)).toEqual([id])
    expect((await owner.fetch(`/api/invites?cursor=1.${owner.userId}`)).status).toBe(422)
  })
})

describe('resending and revoking', () => {
  it('renews: another 7 days, another mail, and the earlier link is worthless', async () => {
    const owner = await owned()
    const { id } = await one(owner, 'resent@example.com')
    await elapse(id)
    expect((await look(await inviteToken(id, 1))).status).toBe(410)
    const admin = await signedIn({ app, workspaceId: owner.workspaceId, role: 'admin' })
    await env.DB.prepare("UPDATE users SET name = 'Other Admin' WHERE id = ?").bind(admin.userId).run()
    const renewed: Invite = await (await act(admin, id, 'resend')).json()
    expect((await listed(owner)).items).toEqual([renewed])
    expect(renewed.invitedBy).toBe('Other Admin')
    expect(renewed.state).toBe('pending')
    expect(Date.parse(renewed.expiresAt) - Date.parse(renewed.sentAt)).toBe(INVITE_TTL_MS)
    expect((await look(await inviteToken(id, 1))).status).toBe(410)
    expect((await look(await inviteToken(id, 2))).status).toBe(200)
    expect((await queuedMailsOf(owner.workspaceId)).map((mail) => 'serial' in mail && mail.serial)).toEqual([1, 2])
  })

  it('asks for a seat again when the time was over, and for none while it holds one', async () => {
    const owner = await owned(2)
    const { id } = await one(owner, 'resent@example.com')
    expect((await act(owner, id, 'resend')).status).toBe(200)
    await elapse(id)
    await one(owner, 'b@example.com')
    const full = await act(owner, id, 'resend')
    expect(full.status).toBe(409)
    expect(await full.json()).toMatchObject({
      code: 'limit_reached',
      limit: 'users',
      used: 2,
      max: 2,
      addOn: 'user_pack_10',
    })
  })

  it('frees the seat when taken back, and opens nothing any more', async () => {
    const owner = await owned(2)
    const { id } = await one(owner, 'resent@example.com')
    expect((await act(owner, id, 'revoke')).status).toBe(200)
    expect(await countTakenSeats(owner.workspaceId)).toBe(1)
    expect((await look(await inviteToken(id))).status).toBe(410)
    for (const verb of ['resend', 'revoke'] as const)
      expect(await codeOf(await act(owner, id, verb))).toBe('410 expired')
    const again = await one(owner, 'resent@example.com')
    expect(again.id).not.toBe(id)
  })

  it('keeps to the domains that the workspace allows by now', async () => {
    const owner = await owned()
    const { id } = await one(owner, 'resent@example.com')
    await env.DB.prepare('UPDATE workspaces SET mail_domains = \'["company.com"]\' WHERE id = ?')
      .bind(owner.workspaceId)
      .run()
    expect(await codeOf(await act(owner, id, 'resend'))).toBe('422 invalid_input')
  })
})
