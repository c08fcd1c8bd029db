import { env } from 'cloudflare:test'
import { beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../../app'
import { purgeExpiredGroups } from './service'
import { depsAt } from '../../../test/worker/deps'
import { aMember, aPerson, signedIn, type Caller, type SignedIn } from '../../../test/worker/factories'
import { systemIds } from '../../deps'
import { USER_GROUPS_MAX, type UserGroup, type UserGroupDetail } from '../../shared/groups'
import { DELETED_RETENTION_MS } from '../../shared/limits'
import type { Role } from '../../shared/permissions'

const app = createApp()
let me: SignedIn
beforeEach(async () => {
  me = await signedIn({ app })
})

type Answer = Record<string, unknown> & { code?: string }
const call = async (who: Caller, method: string, path: string, json?: unknown): Promise<[number, Answer]> => {
  const answer = await who.fetch(path, { method, ...(json === undefined ? {} : { json }) })
  return [answer.status, await answer.json<Answer>()]
}
const made = async (input: object = {}): Promise<UserGroup> => {
  const answer = await me.fetch('/api/groups', { method: 'POST', json: { name: 'Sales', ...input } })
  expect(answer.status).toBe(201)
  return answer.json<UserGroup>()
}
const detail = async (id: string, who: Caller = me) => (await who.fetch(`/api/groups/${id}`)).json<UserGroupDetail>()
const listed = async (who: Caller = me) => (await who.fetch('/api/groups')).json<UserGroup[]>()
const member = (role: Role) => signedIn({ app, workspaceId: me.workspaceId, role })
const setMembers = (
  who: Caller,
  group: UserGroup | UserGroupDetail,
  to: { memberIds?: string[]; managerIds?: string[] },
) =>
  call(who, 'PUT', `/api/groups/${group.id}/members`, {
    memberIds: [],
    managerIds: [],
    version: group.version,
    ...to,
  })
const marksOf = ({ members }: UserGroupDetail) =>
  Object.fromEntries(
    members.map(({ userId, isMember, isManager, automatic }) => [
      userId,
      [isMember ? 'member' : '', isManager ? 'manager' : '', automatic ? 'automatic' : ''].filter(Boolean).join(' '),
    ]),
  )
const anInvite = async (groupIds: string[], email = 'new@firm.se') => {
  const id = systemIds.next('invite')
  await env.DB.prepare(
    `INSERT INTO invites (id, workspace_id, email, role, group_ids, invited_by, created_at, sent_at, expires_at)
     VALUES (?, ?, ?, 'viewer', ?, ?, 1, 1, 2)`,
  )
    .bind(id, me.workspaceId, email, JSON.stringify(groupIds), me.userId)
    .run()
  return id
}
const groupsOfInvite = async (id: string): Promise<unknown> =>
  JSON.parse(
    (await env.DB.prepare('SELECT group_ids FROM invites WHERE id = ?').bind(id).first<string>('group_ids')) ?? '',
  )
const onPlan = (planId: string) =>
  env.DB.prepare("UPDATE subscriptions SET state = 'active', plan_id = ?, trial_ends_at = NULL WHERE workspace_id = ?")
    .bind(planId, me.workspaceId)
    .run()
const actions = async () => {
  const { results } = await env.DB.prepare('SELECT action FROM audit WHERE workspace_id = ? ORDER BY at, rowid')
    .bind(me.workspaceId)
    .all<{ action: string }>()
  return results.map(({ action }) => action)
}

describe('groups', () => {
  it('are made, shown by name, changed and deleted, each with its line in the audit log', async () => {
    const north = await made({ name: 'North', color: 'teal', description: 'Everybody up there' })
    await made({ name: 'East' })
    expect((await listed()).map(({ name, memberCount, mayManage }) => [name, memberCount, mayManage])).toEqual([
      ['East', 0, true],
      ['North', 0, true],
    ])
    const [status, changed] = await call(me, 'PUT', `/api/groups/${north.id}`, { name: 'Far north', version: 1 })
    expect([status, changed]).toMatchObject([200, { name: 'Far north', color: 'blue', version: 2 }])
    expect((await call(me, 'DELETE', `/api/groups/${north.id}?version=2`))[0]).toBe(200)
    expect((await listed()).map(({ name }) => name)).toEqual(['East'])
    expect((await me.fetch(`/api/groups/${north.id}`)).status).toBe(404)
    expect(await actions()).toEqual(['group.create', 'group.create', 'group.update', 'group.delete'])
  })

  it('have names of their own, in any case and spacing', async () => {
    const group = await made({ name: 'Sales team' })
    const other = await made({ name: 'Other' })
    expect(await call(me, 'POST', '/api/groups', { name: 'sales  TEAM' })).toMatchObject([409, { code: 'name_taken' }])
    const renamed = { name: 'SALES team', version: 1 }
    expect(await call(me, 'PUT', `/api/groups/${other.id}`, renamed)).toMatchObject([409, { code: 'name_taken' }])
    expect((await call(me, 'PUT', `/api/groups/${group.id}`, renamed))[0]).toBe(200)
  })

  it('tell the slower of two what is stored now', async () => {
    const group = await made()
    await call(me, 'PUT', `/api/groups/${group.id}`, { name: 'First', version: 1 })
    const late = await call(me, 'PUT', `/api/groups/${group.id}`, { name: 'Second', version: 1 })
    expect(late).toMatchObject([409, { code: 'version_conflict', current: { name: 'First', version: 2 } }])
    expect((await setMembers(me, group, { memberIds: [me.userId] }))[1].code).toBe('version_conflict')
  })

  it('never are more than a hundred, also when twenty are made at once', async () => {
    const now = Date.now()
    await env.DB.batch(
      Array.from({ length: USER_GROUPS_MAX - 5 }, (_, n) =>
        env.DB.prepare(
          "INSERT INTO user_groups (id, workspace_id, name, name_key, color, created_at) VALUES (?, ?, ?, ?, 'blue', ?)",
        ).bind(systemIds.next('group'), me.workspaceId, `G${n}`, `g${n}`, now),
      ),
    )
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => call(me, 'POST', '/api/groups', { name: `New ${n}` })),
    )
    expect(answers.filter(([status]) => status === 201)).toHaveLength(5)
    expect(answers.find(([status]) => status !== 201)).toMatchObject([
      409,
      { code: 'limit_reached', used: USER_GROUPS_MAX, max: USER_GROUPS_MAX },
    ])
    expect(await listed()).toHaveLength(USER_GROUPS_MAX)
  })

  it('stay readable and in force below the plan, and nothing of them can be changed', async () => {
    const group = await made({ autoRule: { kind: 'role', value: 'owner' } })
    await onPlan('personal')
    expect(await detail(group.id)).toMatchObject({ memberCount: 1, mayManage: false, members: [{ automatic: true }] })
    const locked = [
      await call(me, 'POST', '/api/groups', { name: 'More' }),
      await call(me, 'PUT', `/api/groups/${group.id}`, { name: 'Other', version: 1 }),
      await call(me, 'DELETE', `/api/groups/${group.id}?version=1`),
      await setMembers(me, group, { memberIds: [me.userId] }),
      await call(me, 'POST', `/api/groups/${group.id}/restore`),
      await call(me, 'POST', '/api/groups/import', { csv: 'a;b@c.se', dryRun: true }),
    ]
    for (const answer of locked)
      expect(answer).toMatchObject([402, { code: 'plan_required', feature: 'userGrouping', requiredPlan: 'standard' }])
    await onPlan('standard')
    expect((await call(me, 'PUT', `/api/groups/${group.id}`, { name: 'Other', version: 1 }))[0]).toBe(200)
  })
})

describe('members of a group', () => {
  it('are set whole, with managers who need not be members', async () => {
    const group = await made()
    const [ann, bo, cat] = [await member('viewer'), await member('viewer'), await member('analyst')]
    const [status] = await setMembers(me, group, { memberIds: [ann.userId, bo.userId], managerIds: [cat.userId] })
    expect(status).toBe(200)
    const first = await detail(group.id)
    expect(marksOf(first)).toEqual({ [ann.userId]: 'member', [bo.userId]: 'member', [cat.userId]: 'manager' })
    expect(first.memberCount).toBe(2)
    await setMembers(me, first, { memberIds: [bo.userId, bo.userId], managerIds: [bo.userId] })
    expect(marksOf(await detail(group.id))).toEqual({ [bo.userId]: 'member manager' })
  })

  it('are members of the workspace: nobody else is taken, and nothing is changed then', async () => {
    const [group, stranger] = [await made(), await signedIn({ app })]
    const answer = await setMembers(me, group, { memberIds: [me.userId, stranger.userId] })
    expect(answer).toMatchObject([
      422,
      { fields: { memberIds: expect.stringContaining('members of this workspace only') } },
    ])
    expect(await detail(group.id)).toMatchObject({ version: 1, members: [] })
  })

  it('are changed by a manager of the group, who can name no other managers and touches no other group', async () => {
    const [mine, other] = [await made(), await made({ name: 'Other' })]
    const [boss, ann] = [await member('viewer'), await member('viewer')]
    await setMembers(me, mine, { managerIds: [boss.userId] })
    const now = await detail(mine.id, boss)
    expect(now.mayManage).toBe(true)
    const rise = await setMembers(boss, now, { managerIds: [boss.userId, ann.userId] })
    expect(rise).toMatchObject([403, { code: 'forbidden' }])
    expect((await setMembers(boss, now, {}))[0]).toBe(403)
    expect((await setMembers(boss, other, { memberIds: [ann.userId] }))[0]).toBe(403)
    expect((await call(boss, 'PUT', `/api/groups/${mine.id}`, { name: 'Mine', version: 2 }))[0]).toBe(403)
    expect((await setMembers(boss, now, { memberIds: [ann.userId], managerIds: [boss.userId] }))[0]).toBe(200)
    expect(marksOf(await detail(mine.id))).toEqual({ [boss.userId]: 'manager', [ann.userId]: 'member' })
    expect((await setMembers(ann, await detail(mine.id), { managerIds: [boss.userId] }))[0]).toBe(403)
  })

  it('cannot be changed by a manager once the trial is over', async () => {
    const group = await made()
    const boss = await member('viewer')
    await setMembers(me, group, { managerIds: [boss.userId] })
    await env.DB.prepare('UPDATE subscriptions SET trial_ends_at = 1 WHERE workspace_id = ?').bind(me.workspaceId).run()
    const now = await detail(group.id, boss)
    expect(now.mayManage).toBe(false)
    expect(await setMembers(boss, now, { managerIds: [boss.userId] })).toMatchObject([402, { code: 'read_only' }])
  })

  it('by the rule are marked, stay when they are left out, and are not written down', async () => {
    const group = await made({ autoRule: { kind: 'role', value: 'viewer' } })
    const [ann, cat] = [await member('viewer'), await member('analyst')]
    await setMembers(me, group, { memberIds: [ann.userId, cat.userId] })
    expect(marksOf(await detail(group.id))).toEqual({ [ann.userId]: 'automatic', [cat.userId]: 'member' })
    await setMembers(me, await detail(group.id), {})
    expect(marksOf(await detail(group.id))).toEqual({ [ann.userId]: 'automatic' })
    await call(me, 'PUT', `/api/groups/${group.id}`, { name: 'Sales', version: 3 })
    expect((await detail(group.id)).members).toEqual([])
  })

  it('that were added by hand before a rule matched them stay when the rule goes', async () => {
    const group = await made()
    const ann = await member('viewer')
    await setMembers(me, group, { memberIds: [ann.userId] })
    await call(me, 'PUT', `/api/groups/${group.id}`, {
      name: 'Sales',
      autoRule: { kind: 'role', value: 'viewer' },
      version: 2,
    })
    await setMembers(me, await detail(group.id), { memberIds: [ann.userId] })
    await call(me, 'PUT', `/api/groups/${group.id}`, { name: 'Sales', version: 4 })
    expect(marksOf(await detail(group.id))).toEqual({ [ann.userId]: 'member' })
  })

  it('are no longer counted once they left the workspace', async () => {
    const group = await made()
    const ann = await member('viewer')
    await setMembers(me, group, { memberIds: [ann.userId] })
    await env.DB.prepare('DELETE FROM members WHERE user_id = ?').bind(ann.userId).run()
    expect(await detail(group.id)).toMatchObject({ memberCount: 0, members: [] })
  })

  it('are seen by viewers, without the addresses of invitations', async () => {
    const group = await made()
    await anInvite([group.id])
    expect(await detail(group.id)).toMatchObject({ unlocks: [{ kind: 'invite', label: 'new@firm.se' }] })
    const viewer = await member('viewer')
    expect(await detail(group.id, viewer)).toMatchObject({ name: 'Sales', mayManage: false, unlocks: [] })
  })
})

describe('deleting a group', () => {
  it('names the invitations that use it, until it is said what takes its place', async () => {
    const [group, other] = [await made(), await made({ name: 'Other' })]
    const [both, alone] = [await anInvite([other.id, group.id]), await anInvite([group.id], 'two@firm.se')]
    const path = `/api/groups/${group.id}?version=1`
    expect(await call(me, 'DELETE', path)).toMatchObject([
      409,
      { code: 'in_use', dependents: [{ type: 'invite', id: both, name: 'new@firm.se' }, { name: 'two@firm.se' }] },
    ])
    expect((await call(me, 'DELETE', `${path}&replacement=${group.id}`))[0]).toBe(422)
    expect((await call(me, 'DELETE', `${path}&replacement=${systemIds.next('group')}`))[0]).toBe(422)
    expect((await call(me, 'DELETE', `${path}&replacement=${other.id}`))[0]).toBe(200)
    expect([await groupsOfInvite(both), await groupsOfInvite(alone)]).toEqual([[other.id], [other.id]])
    expect((await call(me, 'DELETE', `/api/groups/${other.id}?version=1&replacement=none`))[0]).toBe(200)
    expect([await groupsOfInvite(both), await groupsOfInvite(alone)]).toEqual([[], []])
  })

  it('takes no group of another workspace as the replacement', async () => {
    const group = await made()
    const stranger = await signedIn({ app })
    const theirs = await stranger.fetch('/api/groups', { method: 'POST', json: { name: 'Theirs' } })
    const { id } = await theirs.json<UserGroup>()
    expect((await call(me, 'DELETE', `/api/groups/${group.id}?version=1&replacement=${id}`))[0]).toBe(422)
  })

  it('can be taken back with its members, unless the name is given away or thirty days are over', async () => {
    const group = await made()
    await setMembers(me, group, { memberIds: [me.userId] })
    await call(me, 'DELETE', `/api/groups/${group.id}?version=2`)
    const other = await made()
    const restore = () => call(me, 'POST', `/api/groups/${group.id}/restore`)
    expect(await restore()).toMatchObject([409, { code: 'name_taken' }])
    await call(me, 'DELETE', `/api/groups/${other.id}?version=1`)
    expect((await restore())[0]).toBe(200)
    expect(await detail(group.id)).toMatchObject({ memberCount: 1, members: [{ userId: me.userId }] })
    await env.DB.prepare('UPDATE user_groups SET deleted_at = ? WHERE id = ?')
      .bind(Date.now() - DELETED_RETENTION_MS - 1, group.id)
      .run()
    expect((await restore())[0]).toBe(404)
  })

  it('is for good after thirty days, with its lists', async () => {
    const [old, fresh] = [await made(), await made({ name: 'Fresh' })]
    for (const group of [old, fresh]) {
      await setMembers(me, group, { memberIds: [me.userId] })
      await call(me, 'DELETE', `/api/groups/${group.id}?version=2`)
    }
    const now = Date.now() + DELETED_RETENTION_MS
    await env.DB.prepare('UPDATE user_groups SET deleted_at = ? WHERE id = ?')
      .bind(Date.now() + 60_000, fresh.id)
      .run()
    await purgeExpiredGroups(depsAt(now + 1))
    const { results } = await env.DB.prepare('SELECT group_id FROM group_members WHERE user_id = ?')
      .bind(me.userId)
      .all()
    expect(results).toEqual([{ group_id: fresh.id }])
    expect(await env.DB.prepare('SELECT id FROM user_groups WHERE id = ?').bind(old.id).first()).toBeNull()
  })
})

describe('importing members', () => {
  const emailOf = async (id: string) =>
    (await env.DB.prepare('SELECT email FROM users WHERE id = ?').bind(id).first<string>('email')) ?? ''
  const imported = async (csv: string, dryRun: boolean) =>
    call(me, 'POST', '/api/groups/import', { csv, dryRun }) as Promise<
      [number, Answer & { lines: { line: number; outcome: string; group: string; newGroup: boolean }[] }]
    >

  it('says of every line what would become of it, changes nothing then, and does just that afterwards', async () => {
    const group = await made({ name: 'North', autoRule: { kind: 'role', value: 'owner' } })
    const ann = await aPerson()
    await aMember(me.workspaceId, ann, 'viewer')
    const [annMail, myMail] = [await emailOf(ann), await emailOf(me.userId)]
    const stranger = await emailOf((await signedIn({ app })).userId)
    const csv = [
      'Group;E-mail',
      `north;${annMail.toUpperCase()}`,
      `"Far; away";"${annMail}"`,
      `Far; away;x`,
      `NORTH;${annMail}`,
      `North;${myMail}`,
      `North;${stranger}`,
      'North;no address',
      `;${annMail}`,
    ].join('\r\n')
    const before = await actions()
    const [status, dry] = await imported(csv, true)
    expect(status).toBe(200)
    expect(dry.lines.map(({ line, group: name, outcome, newGroup }) => [line, name, outcome, newGroup])).toEqual([
      [2, 'North', 'added', false],
      [3, 'Far; away', 'added', true],
      [4, 'Far', 'invalid', false],
      [5, 'North', 'already', false],
      [6, 'North', 'already', false],
      [7, 'North', 'unknown_person', false],
      [8, 'North', 'invalid', false],
      [9, '', 'invalid', false],
    ])
    expect([await listed(), await actions()]).toMatchObject([[{ name: 'North', memberCount: 1 }], before])
    const [, real] = await imported(csv, false)
    expect(real).toEqual({ ...dry, dryRun: false })
    expect(real).toMatchObject({ added: 2, groupsMade: 1 })
    expect((await listed()).map(({ name, memberCount }) => [name, memberCount])).toEqual([
      ['Far; away', 1],
      ['North', 2],
    ])
    expect(marksOf(await detail(group.id))).toEqual({ [ann]: 'member', [me.userId]: 'automatic' })
    const [, again] = await imported(csv, false)
    expect(again).toMatchObject({ added: 0, groupsMade: 0 })
  })

  it.each([',', ';', '\t', '|'])('finds the separator %j', async (separator) => {
    const [, dry] = await imported(`Sales${separator}${await emailOf(me.userId)}\n`, true)
    expect(dry.lines).toMatchObject([{ line: 1, group: 'Sales', outcome: 'added', newGroup: true }])
  })

  it('makes no more groups than a workspace may hold, and says which lines found no room', async () => {
    const mail = await emailOf(me.userId)
    const csv = Array.from({ length: USER_GROUPS_MAX + 2 }, (_, n) => `Group ${n};${mail}`).join('\n')
    const [, answer] = await imported(csv, false)
    expect(answer).toMatchObject({ added: USER_GROUPS_MAX, groupsMade: USER_GROUPS_MAX })
    expect(answer.lines.filter(({ outcome }) => outcome === 'too_many').map(({ line }) => line)).toEqual([101, 102])
    expect(await listed()).toHaveLength(USER_GROUPS_MAX)
  })

  it('adds everybody once when the same lists come at once', async () => {
    const mail = await emailOf(me.userId)
    const answers = await Promise.all(Array.from({ length: 5 }, () => imported(`Same;${mail}`, false)))
    expect(answers.map(([status]) => status)).toEqual([200, 200, 200, 200, 200])
    expect(answers.reduce((sum, [, { added }]) => sum + Number(added), 0)).toBe(1)
    expect(await listed()).toMatchObject([{ name: 'Same', memberCount: 1 }])
  })

  it('refuses a file of nothing, and one of too many lines', async () => {
    expect((await imported(' \n\n', true))[1].code).toBe('file_unreadable')
    expect((await imported('Group,E-mail\n', true))[1].code).toBe('file_unreadable')
    expect((await imported('a;b\n'.repeat(2_001), true))[1].code).toBe('too_large')
  })
})
