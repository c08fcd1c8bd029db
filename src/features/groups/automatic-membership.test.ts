import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createApp } from '../../app'
import { aMember, aWorkspace, signedIn, unique } from '../../../test/worker/factories'
import { systemIds } from '../../deps'
import type { GroupMembershipRule, UserGroup, UserGroupDetail } from '../../shared/groups'
import { ROLES, type Role } from '../../shared/permissions'

const app = createApp()
const DOMAINS = ['firm.se', 'sub.firm.se', 'otherfirm.se', 'firm.se.evil.com'] as const
interface Person {
  role: Role
  domain: string | null
  upper: boolean
  proven: boolean
  suspended: boolean
  byHand: boolean
}
const person: fc.Arbitrary<Person> = fc.record({
  role: fc.constantFrom(...ROLES),
  domain: fc.option(fc.constantFrom(...DOMAINS), { freq: 6 }),
  upper: fc.boolean(),
  proven: fc.boolean(),
  suspended: fc.boolean(),
  byHand: fc.boolean(),
})
const rule: fc.Arbitrary<GroupMembershipRule | null> = fc.oneof(
  fc.constant(null),
  fc.record({ kind: fc.constant('domain' as const), value: fc.constantFrom<string>(...DOMAINS) }),
  fc.record({ kind: fc.constant('role' as const), value: fc.constantFrom(...ROLES) }),
)

/** What the rule says, in the plainest words. */
function matches(of: Person, by: GroupMembershipRule | null): boolean {
  if (by === null) return false
  if (by.kind === 'role') return of.role === by.value
  return of.proven && of.domain === by.value
}

async function aPersonLike(workspaceId: string, like: Person): Promise<string> {
  const id = systemIds.next('user')
  const address = like.domain === null ? null : `${unique('p')}@${like.upper ? like.domain.toUpperCase() : like.domain}`
  await env.DB.prepare(
    "INSERT INTO users (id, email, email_proven_at, name, onboarding, terms_accepted_at, created_at) VALUES (?, ?, ?, 'Name', 'done', 1, 1)",
  )
    .bind(id, address, like.proven && address !== null ? 1 : null)
    .run()
  await aMember(workspaceId, id, like.role)
  if (like.suspended) await env.DB.prepare("UPDATE members SET status = 'suspended' WHERE user_id = ?").bind(id).run()
  return id
}

it('counts and marks exactly those whom a naive reading of the rule finds, and those added by hand', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(person, { maxLength: 8 }), rule, async (people, autoRule) => {
      const { id: workspaceId } = await aWorkspace()
      const me = await signedIn({ app, workspaceId, role: 'admin' })
      const noise = await aWorkspace()
      await aPersonLike(noise.id, { ...DEFAULT, domain: 'firm.se', proven: true })
      const ids = await Promise.all(people.map((like) => aPersonLike(workspaceId, like)))
      const before = { method: 'POST', json: { name: 'Group', autoRule: null } }
      const group = await (await me.fetch('/api/groups', before)).json<UserGroup>()
      const memberIds = ids.filter((_, i) => people[i]?.byHand)
      const lists = { memberIds, managerIds: [], version: 1 }
      await me.fetch(`/api/groups/${group.id}/members`, { method: 'PUT', json: lists })
      const ruled = { method: 'PUT', json: { name: 'Group', autoRule, version: 2 } }
      await me.fetch(`/api/groups/${group.id}`, ruled)
      const found = await (await me.fetch(`/api/groups/${group.id}`)).json<UserGroupDetail>()
      const expected = [...people.map((like, i) => ({ like, id: ids[i] })), { like: DEFAULT, id: me.userId }]
        .map(({ like, id }) => ({ id, byHand: like.byHand, automatic: matches(like, autoRule) }))
        .filter(({ byHand, automatic }) => byHand || automatic)
      const marks = found.members.map(({ userId, isMember, automatic }) => ({
        id: userId,
        byHand: isMember,
        automatic,
      }))
      const order = (list: { id: string | undefined }[]) =>
        list.toSorted((a, b) => (String(a.id) < String(b.id) ? -1 : 1))
      expect(order(marks)).toEqual(order(expected))
      expect(found.memberCount).toBe(expected.length)
      const [listed] = await (await me.fetch('/api/groups')).json<UserGroup[]>()
      expect(listed?.memberCount).toBe(expected.length)
    }),
    { numRuns: env['LONG'] === '1' ? 300 : 8 },
  )
})

const DEFAULT: Person = {
  role: 'admin',
  domain: 'example.com',
  upper: false,
  proven: false,
  suspended: false,
  byHand: false,
}
