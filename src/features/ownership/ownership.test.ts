import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { deleteExpiredOffers } from './service'
import { createApp } from '../../app'
import { LONG } from '../../../test/long'
import { depsAt } from '../../../test/worker/deps'
import { expiredTrial, otherWorkspace, signedIn, type SignedIn } from '../../../test/worker/factories'
import { auditOf, emailOf, setSeatLimits, queuedMailsOf, storedMember } from '../../../test/worker/people'
import { systemIds } from '../../deps'
import type { Passwords } from '../../identity/passwords'
import { RECENT_SIGN_IN_MS } from '../../shared/account'
import { OWNERSHIP_OFFER_TTL_MS, type OwnershipOffer } from '../../shared/members'
import type { Role } from '../../shared/permissions'

const passwords: Passwords = {
  hash: async (password) => `plain:${password}`,
  verify: async (password, stored) => ({ ok: stored === `plain:${password}`, outdated: false }),
}
const app = createApp({ passwords })
const URL = '/api/workspace/ownership'
const join = (owner: SignedIn, role: Role, session = {}) =>
  signedIn({ app, workspaceId: owner.workspaceId, role, session })
const offer = (who: SignedIn, to: { userId: string }, password?: string) =>
  who.fetch(URL, { method: 'PUT', json: { userId: to.userId, ...(password === undefined ? {} : { password }) } })
const accept = (who: SignedIn, password?: string) =>
  who.fetch(`${URL}/accept`, { method: 'POST', json: password === undefined ? {} : { password } })
const seen = async (who: SignedIn): Promise<OwnershipOffer | null> => (await who.fetch(URL)).json()
const codeOf = async (answer: Response) => `${answer.status} ${(await answer.json<{ code?: string }>()).code ?? ''}`
const roleOf = async (owner: SignedIn, who: SignedIn) => (await storedMember(owner.workspaceId, who.userId))?.role
const setPassword = (who: SignedIn, password: string) =>
  env.DB.prepare('UPDATE users SET password_hash = ? WHERE id = ?').bind(`plain:${password}`, who.userId).run()

describe('handing a workspace over', () => {
  it('makes the other the owner and the old one an admin, at once, when the other accepts', async () => {
    const owner = await signedIn({ app })
    const heir = await join(owner, 'viewer')
    expect(await seen(owner)).toBeNull()
    const made: OwnershipOffer = await (await offer(owner, heir)).json()
    expect(made).toMatchObject({ from: { userId: owner.userId }, to: { userId: heir.userId }, mine: false })
    expect([await roleOf(owner, owner), await roleOf(owner, heir)]).toEqual(['owner', 'viewer'])
    expect((await seen(heir))?.mine).toBe(true)
    expect((await accept(heir)).status).toBe(200)
    expect([await roleOf(owner, owner), await roleOf(owner, heir)]).toEqual(['admin', 'owner'])
    expect((await storedMember(owner.workspaceId, owner.userId))?.epoch).toBe(2)
    expect(await codeOf(await offer(owner, heir))).toBe('403 forbidden')
    expect(await seen(heir)).toBeNull()
    expect(await codeOf(await accept(heir))).toBe('404 not_found')
    expect(await auditOf(owner.workspaceId)).toEqual(['ownership.offer - after', 'ownership.accept before after'])
    expect(await queuedMailsOf(owner.workspaceId)).toMatchObject([
      { to: await emailOf(heir.userId), template: 'ownershipOffered' },
      { to: await emailOf(owner.userId), template: 'ownershipAccepted' },
    ])
  })

  it('is shown to administrators, to who gave it and to who may accept it only', async () => {
    const owner = await signedIn({ app })
    const [heir, admin, viewer] = [
      await join(owner, 'analyst'),
      await join(owner, 'admin'),
      await join(owner, 'viewer'),
    ]
    await offer(owner, heir)
    expect((await seen(admin))?.to.userId).toBe(heir.userId)
    expect(await seen(viewer)).toBeNull()
    expect(await codeOf(await viewer.fetch(URL, { method: 'DELETE' }))).toBe('404 not_found')
    expect(await codeOf(await admin.fetch(URL, { method: 'DELETE' }))).toBe('403 forbidden')
    for (const who of [viewer, admin, owner]) expect(await codeOf(await accept(who))).toBe('404 not_found')
    expect((await seen(owner))?.to.userId).toBe(heir.userId)
  })

  it('can be taken back and declined, and a newer offer takes the place of the earlier', async () => {
    const owner = await signedIn({ app })
    const [a, b] = [await join(owner, 'analyst'), await join(owner, 'viewer')]
    await offer(owner, a)
    await offer(owner, b)
    expect(await codeOf(await accept(a))).toBe('404 not_found')
    expect((await b.fetch(URL, { method: 'DELETE' })).status).toBe(200)
    expect(await codeOf(await accept(b))).toBe('404 not_found')
    await offer(owner, b)
    const once = { method: 'DELETE', headers: { 'idempotency-key': 'back' } }
    const [first, again] = [await owner.fetch(URL, once), await owner.fetch(URL, once)]
    expect([first.status, await again.text()]).toEqual([200, await first.text()])
    expect(await codeOf(await accept(b))).toBe('404 not_found')
    expect(await codeOf(await owner.fetch(URL, { method: 'DELETE' }))).toBe('404 not_found')
    expect(await roleOf(owner, owner)).toBe('owner')
  })

  it('goes to active members who see the workspace, of this workspace (IDOR-3)', async () => {
    const [owner, other] = [await signedIn({ app }), await otherWorkspace(app)]
    const [client, suspended] = [await join(owner, 'client'), await join(owner, 'viewer')]
    await env.DB.prepare("UPDATE members SET status = 'suspended' WHERE user_id = ?").bind(suspended.userId).run()
    for (const to of [client, suspended, owner]) expect(await codeOf(await offer(owner, to))).toBe('422 invalid_input')
    for (const to of [other, { userId: systemIds.next('user') }])
      expect(await codeOf(await offer(owner, to))).toBe('404 not_found')
    expect(await seen(owner)).toBeNull()
  })

  it('needs the password of both, and a fresh sign-in of people without one', async () => {
    const old = { createdAt: Date.now() - RECENT_SIGN_IN_MS - 1000, lastSeenAt: Date.now() }
    const owner = await signedIn({ app })
    const heir = await join(owner, 'admin', old)
    await setPassword(owner, 'the owner’s own words')
    expect(await codeOf(await offer(owner, heir))).toBe('422 invalid_input')
    expect(await codeOf(await offer(owner, heir, 'a guess'))).toBe('401 invalid_credentials')
    const json = { userId: heir.userId, password: 'the owner’s own words' }
    const headers = { 'idempotency-key': 'with-a-password' }
    expect((await owner.fetch(URL, { method: 'PUT', json, headers })).status).toBe(200)
    expect(await codeOf(await accept(heir))).toBe('401 unauthenticated')
    await setPassword(heir, 'the heir’s own words')
    expect(await codeOf(await accept(heir, 'a guess'))).toBe('401 invalid_credentials')
    expect((await accept(heir, 'the heir’s own words')).status).toBe(200)
    const stored = await env.DB.prepare('SELECT count(*) AS n FROM idempotency WHERE scope LIKE ?')
      .bind(`${owner.userId}%`)
      .first('n')
    expect(stored).toBe(0)
  })

  it('lets a password be guessed no more often than at sign-in (AUTH-2)', async () => {
    const owner = await signedIn({ app })
    const heir = await join(owner, 'admin')
    await setPassword(owner, 'the owner’s own words')
    const codes: string[] = []
    for (let n = 0; n < 11; n++) codes.push(await codeOf(await offer(owner, heir, 'a guess')))
    expect(codes.at(-2)).toBe('401 invalid_credentials')
    expect(codes.at(-1)).toBe('429 rate_limited')
  })

  it('ends with its 7 days, and with the standing of either side', async () => {
    const owner = await signedIn({ app })
    const heir = await join(owner, 'analyst')
    const made: OwnershipOffer = await (await offer(owner, heir)).json()
    expect(Math.abs(Date.parse(made.expiresAt) - Date.now() - OWNERSHIP_OFFER_TTL_MS)).toBeLessThan(60_000)
    await env.DB.prepare('UPDATE ownership_offers SET expires_at = ? WHERE workspace_id = ?')
      .bind(Date.now() - 1, owner.workspaceId)
      .run()
    expect(await seen(heir)).toBeNull()
    expect(await codeOf(await accept(heir))).toBe('404 not_found')
    await offer(owner, heir)
    await env.DB.prepare("UPDATE members SET role = 'admin' WHERE user_id = ?").bind(owner.userId).run()
    expect(await codeOf(await accept(heir))).toBe('404 not_found')
    expect(await roleOf(owner, heir)).toBe('analyst')
  })

  it('takes an analyst’s seat where the new owner had none', async () => {
    const owner = await signedIn({ app, subscription: { override: { analysts: 1 } } })
    const heir = await join(owner, 'viewer')
    await offer(owner, heir)
    expect(await (await accept(heir)).json()).toMatchObject({
      code: 'limit_reached',
      limit: 'analysts',
      addOn: 'extra_analyst',
    })
    await setSeatLimits(owner.workspaceId, { analysts: 2 })
    expect((await accept(heir)).status).toBe(200)
  })

  it('is possible while the workspace is read-only', async () => {
    const owner = await expiredTrial({ app })
    const heir = await join(owner, 'admin')
    expect((await offer(owner, heir)).status).toBe(200)
    expect((await accept(heir)).status).toBe(200)
  })

  it('ends in one owner however often it is accepted, withdrawn and demoted at once', async () => {
    for (let round = 0; round < (LONG ? 20 : 4); round++) {
      const owner = await signedIn({ app })
      const heir = await join(owner, 'admin')
      await offer(owner, heir)
      const remove = owner.fetch(`/api/members/${heir.userId}?version=1`, { method: 'DELETE' })
      const acts = round % 2 === 0 ? [remove] : [owner.fetch(URL, { method: 'DELETE' })]
      await Promise.all([...acts, accept(heir), accept(heir), accept(heir)])
      const owners = await env.DB.prepare(
        "SELECT count(*) AS n FROM members WHERE workspace_id = ? AND role = 'owner' AND status = 'active'",
      )
        .bind(owner.workspaceId)
        .first('n')
      expect(owners).toBe(1)
    }
  })
})

it('sweeps offers that lapsed, and no others', async () => {
  const [one, two] = [await signedIn({ app }), await signedIn({ app })]
  const now = Date.now()
  const insert = (who: SignedIn, expiresAt: number) =>
    env.DB.prepare('INSERT INTO ownership_offers VALUES (?, ?, ?, 1, ?)').bind(
      ...[who.workspaceId, who.userId, who.userId, expiresAt],
    )
  await env.DB.batch([insert(one, now), insert(two, now + 1)])
  await deleteExpiredOffers(depsAt(now))
  const { results } = await env.DB.prepare('SELECT workspace_id FROM ownership_offers WHERE workspace_id IN (?, ?)')
    .bind(one.workspaceId, two.workspaceId)
    .all()
  expect(results).toEqual([{ workspace_id: two.workspaceId }])
})
