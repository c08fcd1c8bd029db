import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { createApp } from '../../app'
import { LONG } from '../../../test/long'
import { aMember, aPerson, otherWorkspace, signedIn, type SignedIn } from '../../../test/worker/factories'
import { auditOf, emailOf, setSeatLimits, queuedMailsOf, storedMember } from '../../../test/worker/people'
import { aRowOfEach } from '../../../test/worker/resources'
import { OWNABLE_TABLES, PERSONAL_TABLES } from '../../identity/ownership'
import { openDatabase } from '../../db/database'
import { systemIds } from '../../deps'
import type { OwnedItems, Member, SeatUsage } from '../../shared/members'
import type { ListPage } from '../../shared/field-schemas'
import type { Role } from '../../shared/permissions'
import { jobScope } from '../../sync/load-steps'

const app = createApp()
const MANY = LONG ? 20 : 8
const join = (owner: SignedIn, role: Role) => signedIn({ app, workspaceId: owner.workspaceId, role })
const named = (userId: string, name: string) =>
  env.DB.prepare('UPDATE users SET name = ? WHERE id = ?').bind(name, userId).run()
const listed = async (who: SignedIn, search = ''): Promise<ListPage<Member>> =>
  (await who.fetch(`/api/members${search}`)).json()
const namesOf = async (who: SignedIn, search = '') => (await listed(who, search)).items.map(({ name }) => name)

type Change = { role?: Role; status?: string; heir?: string; version?: number }
const put = (who: SignedIn, of: SignedIn, change: Change) =>
  who.fetch(`/api/members/${of.userId}`, {
    method: 'PUT',
    json: { role: 'viewer', status: 'active', version: 1, ...change },
  })
const remove = (who: SignedIn, of: SignedIn, search = '?version=1') =>
  who.fetch(`/api/members/${of.userId}${search}`, { method: 'DELETE' })
const codeOf = async (answer: Response) => `${answer.status} ${(await answer.json<{ code?: string }>()).code ?? ''}`

describe('the list of members', () => {
  it('goes by name in pages, each member once', async () => {
    const owner = await signedIn({ app })
    await named(owner.userId, 'Östen')
    const names = ['Anna', 'bertil', 'Cecilia', 'Åke', 'anna', 'Anna']
    for (const name of names) await named((await join(owner, 'viewer')).userId, name)
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const listPage: ListPage<Member> = await listed(
        owner,
        `?limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      )
      seen.push(...listPage.items.map(({ userId }) => userId))
      cursor = listPage.nextCursor
    }
    expect(new Set(seen).size).toBe(7)
    expect(seen).toHaveLength(7)
    const all = await namesOf(owner)
    expect(all.map((name) => name.toLowerCase())).toEqual(['anna', 'anna', 'anna', 'bertil', 'cecilia', 'åke', 'östen'])
    for (const forged of ['x', 'usr_1.Anna', `${systemIds.next('source')}.Anna`])
      expect((await owner.fetch(`/api/members?cursor=${forged}`)).status).toBe(422)
  })

  it('is searched by name whatever the letters, and by address by those who may edit', async () => {
    const owner = await signedIn({ app })
    const [asa, other] = [await join(owner, 'viewer'), await join(owner, 'analyst')]
    await named(asa.userId, 'Åsa Öberg')
    await named(other.userId, 'Bo')
    expect(await namesOf(owner, `?q=${encodeURIComponent('åsa ö')}`)).toEqual(['Åsa Öberg'])
    const address = encodeURIComponent(await emailOf(other.userId))
    expect(await namesOf(owner, `?q=${address}`)).toEqual(['Bo'])
    expect(await namesOf(asa, `?q=${address}`)).toEqual([])
    expect(await namesOf(owner, '?role=analyst')).toEqual(['Bo'])
  })

  it('is filtered by group, joined by hand or by rule, and shows them', async () => {
    const owner = await signedIn({ app })
    const [a, b] = [await join(owner, 'viewer'), await join(owner, 'analyst')]
    await named(a.userId, 'A')
    await named(b.userId, 'B')
    const [sales, rule] = [systemIds.next('group'), systemIds.next('group')]
    const insert = `INSERT INTO user_groups (id, workspace_id, name, name_key, color, auto_rule, created_at) VALUES (?, ?, ?, ?, 'blue', ?, 1)`
    await env.DB.batch([
      env.DB.prepare(insert).bind(sales, owner.workspaceId, 'Sales', 'sales', null),
      env.DB.prepare(insert).bind(rule, owner.workspaceId, 'Makers', 'makers', '{"kind":"role","value":"analyst"}'),
      env.DB.prepare('INSERT INTO group_members (group_id, user_id) VALUES (?, ?)').bind(sales, a.userId),
    ])
    expect(await namesOf(owner, `?group=${sales}`)).toEqual(['A'])
    expect(await namesOf(owner, `?group=${rule}`)).toEqual(['B'])
    const { items } = await listed(owner, '?role=analyst')
    expect(items[0]?.groups).toEqual([{ id: rule, name: 'Makers', color: 'blue' }])
  })

  it('tells people who may not edit members names, pictures and roles only, of active ones', async () => {
    const owner = await signedIn({ app })
    const [viewer, gone] = [await join(owner, 'viewer'), await join(owner, 'analyst')]
    expect((await put(owner, gone, { role: 'analyst', status: 'suspended' })).status).toBe(200)
    for (const search of ['', '?status=active']) {
      const { items } = await listed(viewer, search)
      expect(items).toHaveLength(2)
      for (const { email, joinedAt, lastSeenAt, groups } of items)
        expect({ email, joinedAt, lastSeenAt, groups }).toEqual({
          email: null,
          joinedAt: null,
          lastSeenAt: null,
          groups: [],
        })
      expect(items.filter(({ self }) => self).map(({ userId }) => userId)).toEqual([viewer.userId])
    }
    expect((await listed(viewer, '?status=suspended')).items).toEqual([])
    const whole = await listed(owner)
    expect(whole.items).toHaveLength(3)
    expect(whole.items.every(({ email, joinedAt, lastSeenAt }) => email && joinedAt && lastSeenAt)).toBe(true)
  })

  it('holds nobody of another workspace (IDOR-7)', async () => {
    const [owner, other] = [await signedIn({ app }), await otherWorkspace(app)]
    const { items } = await listed(owner, `?cursor=${other.userId}.`)
    expect((await listed(owner)).items).toHaveLength(1)
    expect(items.length).toBeLessThanOrEqual(1)
    expect(items.some(({ userId }) => userId === other.userId)).toBe(false)
  })
})

describe('a change of role or status', () => {
  it('counts on the very next request, and so does suspension (SES-2)', async () => {
    const owner = await signedIn({ app })
    const member = await join(owner, 'admin')
    expect((await member.fetch('/api/members/seats')).status).toBe(200)
    expect((await put(owner, member, { role: 'viewer' })).status).toBe(200)
    expect((await member.fetch('/api/members/seats')).status).toBe(403)
    expect((await member.fetch('/api/members')).status).toBe(200)
    expect((await put(owner, member, { role: 'viewer', status: 'suspended', version: 2 })).status).toBe(200)
    expect((await member.fetch('/api/members')).status).toBe(404)
    expect((await put(owner, member, { role: 'viewer', version: 3 })).status).toBe(200)
    expect((await member.fetch('/api/members')).status).toBe(200)
    expect(await storedMember(owner.workspaceId, member.userId)).toEqual({ role: 'viewer', status: 'active', epoch: 4 })
    expect(await auditOf(owner.workspaceId)).toEqual([
      'member.update before after',
      'member.update before after',
      'member.update before after',
    ])
    expect((await queuedMailsOf(owner.workspaceId)).map((mail) => 'change' in mail && mail.change)).toEqual([
      'role',
      'suspended',
      'resumed',
    ])
  })

  it('is told by mail only to people who want it, and of removal always', async () => {
    const owner = await signedIn({ app })
    const member = await join(owner, 'analyst')
    await env.DB.prepare(`UPDATE users SET notifications = '{"membershipChanged":false}' WHERE id = ?`)
      .bind(member.userId)
      .run()
    await put(owner, member, { role: 'viewer' })
    expect(await queuedMailsOf(owner.workspaceId)).toEqual([])
    await remove(owner, member, '?version=2')
    expect(await queuedMailsOf(owner.workspaceId)).toMatchObject([
      { to: await emailOf(member.userId), change: 'removed' },
    ])
  })

  it('refuses a version that is not the stored one, and says which is', async () => {
    const owner = await signedIn({ app })
    const member = await join(owner, 'analyst')
    await put(owner, member, { role: 'viewer' })
    const late = await put(owner, member, { role: 'admin' })
    expect(late.status).toBe(409)
    expect(await late.json()).toMatchObject({ code: 'version_conflict', current: { role: 'viewer', version: 2 } })
    expect(await codeOf(await remove(owner, member))).toBe('409 version_conflict')
  })

  it('lets an admin touch no owner, and nobody make one', async () => {
    const owner = await signedIn({ app })
    const [admin, member] = [await join(owner, 'admin'), await join(owner, 'viewer')]
    await aMember(owner.workspaceId, await aPerson(), 'owner')
    expect(await codeOf(await put(admin, owner, { role: 'viewer' }))).toBe('403 forbidden')
    expect(await codeOf(await remove(admin, owner))).toBe('403 forbidden')
    for (const who of [owner, admin])
      expect(await codeOf(await put(who, member, { role: 'owner' }))).toBe('422 invalid_input')
    expect(await codeOf(await put(admin, admin, { role: 'owner' }))).toBe('422 invalid_input')
    expect((await put(admin, member, { role: 'admin' })).status).toBe(200)
  })

  it('is kept from everybody below an admin, whether or not the other exists', async () => {
    const owner = await signedIn({ app })
    const [analyst, viewer] = [await join(owner, 'analyst'), await join(owner, 'viewer')]
    const nobody = { ...owner, userId: systemIds.next('user') }
    for (const of of [viewer, owner, nobody]) {
      expect(await codeOf(await put(analyst, of, {}))).toBe('403 forbidden')
      expect(await codeOf(await remove(analyst, of))).toBe('403 forbidden')
      expect((await analyst.fetch(`/api/members/${of.userId}/belongings`)).status).toBe(403)
    }
  })

  it('answers the same call the same, and does it once', async () => {
    const owner = await signedIn({ app })
    const member = await join(owner, 'analyst')
    const init = {
      method: 'PUT',
      json: { role: 'viewer', status: 'active', version: 1 },
      headers: { 'idempotency-key': 'k1' },
    }
    const [one, two] = [
      await owner.fetch(`/api/members/${member.userId}`, init),
      await owner.fetch(`/api/members/${member.userId}`, init),
    ]
    expect([one.status, two.status]).toEqual([200, 200])
    expect(await two.json()).toEqual(await one.json())
    expect((await storedMember(owner.workspaceId, member.userId))?.epoch).toBe(2)
  })
})

describe('seats', () => {
  const seatsOf = async (who: SignedIn): Promise<SeatUsage> => (await who.fetch('/api/members/seats')).json()

  it('are held by active people and open invitations, but not by the suspended and those of the portal', async () => {
    const owner = await signedIn({ app, subscription: { override: { users: 5, analysts: 2 } } })
    await join(owner, 'client')
    const [viewer, analyst] = [await join(owner, 'viewer'), await join(owner, 'analyst')]
    expect(await seatsOf(owner)).toEqual({ users: { used: 3, max: 5 }, analysts: { used: 2, max: 2 } })
    await put(owner, analyst, { role: 'analyst', status: 'suspended' })
    expect(await seatsOf(owner)).toEqual({ users: { used: 2, max: 5 }, analysts: { used: 1, max: 2 } })
    expect((await put(owner, viewer, { role: 'analyst' })).status).toBe(200)
    const full = await put(owner, analyst, { role: 'analyst', version: 2 })
    expect(await full.json()).toMatchObject({
      code: 'limit_reached',
      limit: 'analysts',
      used: 2,
      max: 2,
      addOn: 'extra_analyst',
    })
    expect((await put(owner, analyst, { role: 'viewer', version: 2 })).status).toBe(200)
    await setSeatLimits(owner.workspaceId, { users: 3, analysts: 9 })
    const client = (await listed(owner, '?role=client')).items[0]
    const raised = await owner.fetch(`/api/members/${client?.userId ?? ''}`, {
      method: 'PUT',
      json: { role: 'viewer', status: 'active', version: 1 },
    })
    expect(await raised.json()).toMatchObject({ code: 'limit_reached', limit: 'users', addOn: 'user_pack_10' })
  })
})

describe('the last owner', () => {
  it('cannot leave, be demoted or suspended', async () => {
    const owner = await signedIn({ app })
    await join(owner, 'admin')
    expect(await codeOf(await put(owner, owner, { role: 'admin' }))).toBe('409 in_use')
    expect(await codeOf(await put(owner, owner, { role: 'owner', status: 'suspended' }))).toBe('409 in_use')
    expect(await codeOf(await remove(owner, owner))).toBe('409 in_use')
    expect((await storedMember(owner.workspaceId, owner.userId))?.epoch).toBe(1)
  })

  it('counts neither suspended owners nor disabled people', async () => {
    const owner = await signedIn({ app })
    const [suspended, disabled] = [await join(owner, 'owner'), await join(owner, 'owner')]
    expect((await put(owner, suspended, { role: 'owner', status: 'suspended' })).status).toBe(200)
    await env.DB.prepare('UPDATE users SET disabled_at = 1 WHERE id = ?').bind(disabled.userId).run()
    expect(await codeOf(await remove(owner, owner))).toBe('409 in_use')
  })

  it('stays when the last two act at once, in every way (CON-3)', async () => {
    const ways = [
      (who: SignedIn, of: SignedIn) => put(who, of, { role: 'admin' }),
      (who: SignedIn, of: SignedIn) => put(who, of, { role: 'owner', status: 'suspended' }),
      (who: SignedIn, of: SignedIn) => remove(who, of),
      (who: SignedIn) => remove(who, who),
      (who: SignedIn) => put(who, who, { role: 'viewer' }),
    ]
    for (let round = 0; round < (env.LONG === '1' ? 200 : 10); round++) {
      const a = await signedIn({ app })
      const b = await join(a, 'owner')
      const [first = ways[0], second = ways[0]] = [ways[round % 5], ways[(round * 2 + Math.floor(round / 5)) % 5]]
      const answers = await Promise.all([first?.(a, b), second?.(b, a)])
      const statuses = answers.map((answer) => answer?.status ?? 0)
      expect(statuses.filter((status) => status === 200)).toHaveLength(1)
      expect([403, 404, 409]).toContain(Math.max(...statuses))
      const { results } = await env.DB.prepare(
        "SELECT user_id FROM members WHERE workspace_id = ? AND role = 'owner' AND status = 'active'",
      )
        .bind(a.workspaceId)
        .all()
      expect(results).toHaveLength(1)
    }
  })

  it('stays when many owners leave, demote and suspend themselves at once', async () => {
    const owner = await signedIn({ app, subscription: { override: { users: null, analysts: null } } })
    const owners = [owner]
    for (let n = 1; n < MANY; n++) owners.push(await join(owner, 'owner'))
    const answers = await Promise.all(
      owners.map((who, n) => {
        if (n % 3 === 0) return put(who, who, { role: 'viewer' })
        return n % 3 === 1 ? put(who, who, { role: 'owner', status: 'suspended' }) : remove(who, who)
      }),
    )
    const left = await env.DB.prepare(
      "SELECT count(*) AS n FROM members WHERE workspace_id = ? AND role = 'owner' AND status = 'active'",
    )
      .bind(owner.workspaceId)
      .first<number>('n')
    expect(left).toBe(1)
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      ...Array.from({ length: MANY - 1 }, () => 200),
      409,
    ])
  })
})

describe('what somebody leaves', () => {
  const owns = async (userId: string) => {
    const row = await env.DB.prepare(
      `SELECT ${OWNABLE_TABLES.map((table) => `(SELECT count(*) FROM ${table} WHERE owner_id = ?1) AS ${table}`).join(', ')},
         (SELECT count(*) FROM runs WHERE actor_id = ?1) AS runs`,
    )
      .bind(userId)
      .first<object>()
    return row
  }

  it('goes to the heir in the same batch: all that has an owner, and what runs', async () => {
    const owner = await signedIn({ app })
    const [leaving, heir] = [await join(owner, 'analyst'), await join(owner, 'analyst')]
    const rows = await aRowOfEach(owner.workspaceId, leaving.userId)
    await env.DB.prepare("UPDATE runs SET state = 'running' WHERE id = ?")
      .bind(rows['runs'] ?? '')
      .run()
    const left: OwnedItems = await (await owner.fetch(`/api/members/${leaving.userId}/belongings`)).json()
    expect(left).toMatchObject({
      sources: 1,
      insights: 1,
      metrics: 1,
      groupings: 1,
      alerts: 1,
      forecasts: 1,
      schedules: 1,
    })
    expect(left.heirs.map(({ userId }) => userId).toSorted()).toEqual([owner.userId, heir.userId].toSorted())
    expect((await remove(owner, leaving, `?version=1&heir=${heir.userId}`)).status).toBe(200)
    const each = (count: number) => Object.fromEntries([...OWNABLE_TABLES, 'runs'].map((table) => [table, count]))
    expect(await owns(leaving.userId)).toEqual(each(0))
    expect(await owns(heir.userId)).toEqual(each(1))
    // What they wrote stays with their name.
    const notes = env.DB.prepare('SELECT author_id FROM notes WHERE workspace_id = ?').bind(owner.workspaceId)
    expect(await notes.first('author_id')).toBe(leaving.userId)
  })

  it('is everything that has an owner', async () => {
    const { results } = await env.DB.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'table'").all<{
      name: string
      sql: string
    }>()
    const owned = results.flatMap(({ name, sql }) => (/\bowner_id\b/.test(sql) ? [name] : []))
    expect(owned.toSorted()).toEqual([...OWNABLE_TABLES].toSorted())
  })

  it('is not what they kept for themselves: that ends, and no alert tells them any more', async () => {
    const owner = await signedIn({ app })
    const [leaving, staying] = [await join(owner, 'viewer'), await join(owner, 'viewer')]
    const { insights = '', alerts = '', reports = '' } = await aRowOfEach(owner.workspaceId, owner.userId)
    const receivers = JSON.stringify([leaving.userId, staying.userId])
    const of = (sql: string, who: SignedIn) => env.DB.prepare(sql).bind(owner.workspaceId, who.userId)
    await env.DB.batch([
      env.DB.prepare('UPDATE alerts SET receivers = ? WHERE id = ?').bind(receivers, alerts),
      ...[leaving, staying].flatMap((who) => [
        of(
          `INSERT INTO insight_follows (workspace_id, insight_id, user_id, created_at) VALUES (?, '${insights}', ?, 1)`,
          who,
        ),
        of("INSERT INTO finding_marks (workspace_id, user_id, key, updated_at) VALUES (?, ?, 'k', 1)", who),
        of('INSERT INTO digests (workspace_id, user_id) VALUES (?, ?)', who),
        of(
          `INSERT INTO pilot_enrolments (workspace_id, feature, user_id, state, actor_id, updated_at)
           VALUES (?1, 'mcp', ?2, 'on', ?2, 1)`,
          who,
        ),
        of(
          `INSERT INTO pilot_feedback (workspace_id, feature, user_id, score, body, updated_at)
           VALUES (?, 'mcp', ?, 3, '', 1)`,
          who,
        ),
        of('INSERT INTO briefing_visits (workspace_id, user_id, seen_at) VALUES (?, ?, 1)', who),
        of("INSERT INTO briefing_marks (workspace_id, user_id, key, updated_at) VALUES (?, ?, 'k', 1)", who),
        of("INSERT INTO briefing_kinds (workspace_id, user_id, kind, updated_at) VALUES (?, ?, 'season', 1)", who),
        of(
          `INSERT INTO bot_conversations (id, workspace_id, user_id, title, created_at, updated_at)
           VALUES ('c' || ?2, ?1, ?2, 'c', 1, 1)`,
          who,
        ),
        of(
          `INSERT INTO bot_messages (id, workspace_id, conversation_id, user_id, n, question, asked, reply, rights, engine, created_at)
           VALUES ('m' || ?2, ?1, 'c' || ?2, ?2, 1, 'q', 'text', '{}', '', 'rules', 1)`,
          who,
        ),
        of(
          `INSERT INTO report_bookmarks (id, workspace_id, report_id, user_id, name, search, created_at)
           VALUES ('b' || ?2, ?1, '${reports}', ?2, 'b', '', 1)`,
          who,
        ),
        of(
          `INSERT INTO block_subscriptions (id, workspace_id, report_id, block_id, user_id, cadence, created_at)
           VALUES ('s' || ?2, ?1, '${reports}', 'block1', ?2, 'daily', 1)`,
          who,
        ),
      ]),
    ])
    expect((await remove(owner, leaving, '?version=1')).status).toBe(200)
    for (const table of PERSONAL_TABLES) {
      const { results } = await env.DB.prepare(`SELECT user_id FROM ${table} WHERE workspace_id = ?`)
        .bind(owner.workspaceId)
        .all()
      // The owner has a row of some kinds of their own.
      const others = results.filter(({ user_id }) => user_id !== owner.userId)
      expect(others, table).toEqual([{ user_id: staying.userId }])
    }
    const alert = await env.DB.prepare('SELECT receivers, version FROM alerts WHERE id = ?').bind(alerts).first()
    expect(alert).toEqual({ receivers: JSON.stringify([staying.userId]), version: 2 })
  })

  it('keeps a load running in the name of the heir, and ends it where there is none', async () => {
    const owner = await signedIn({ app })
    const [leaving, other] = [await join(owner, 'analyst'), await join(owner, 'analyst')]
    const job = async (of: SignedIn): Promise<() => Promise<string>> => {
      const { runs: runId = '' } = await aRowOfEach(owner.workspaceId, of.userId)
      await env.DB.prepare("UPDATE runs SET state = 'running' WHERE id = ?").bind(runId).run()
      const params = { runId, workspaceId: owner.workspaceId, userId: of.userId, epoch: '1.1' }
      return async () => {
        const scope = await jobScope({ db: openDatabase(env.DB), clock: { now: () => Date.now() } }, params)
        return typeof scope === 'string' ? scope : scope.actorId
      }
    }
    const [inherited, orphaned] = [await job(leaving), await job(other)]
    expect([await inherited(), await orphaned()]).toEqual([leaving.userId, other.userId])
    await remove(owner, leaving, `?version=1&heir=${owner.userId}`)
    await put(owner, other, { role: 'viewer' })
    expect([await inherited(), await orphaned()]).toEqual([owner.userId, 'not_allowed'])
  })

  it('goes to nobody who may not hold it, and to nobody of another workspace (IDOR-3)', async () => {
    const [owner, other] = [await signedIn({ app }), await otherWorkspace(app)]
    const [member, viewer, suspended] = [
      await join(owner, 'analyst'),
      await join(owner, 'viewer'),
      await join(owner, 'analyst'),
    ]
    await put(owner, suspended, { role: 'analyst', status: 'suspended' })
    for (const heir of [viewer, suspended, member]) {
      expect(await codeOf(await put(owner, member, { heir: heir.userId }))).toBe('422 invalid_input')
      expect(await codeOf(await remove(owner, member, `?version=1&heir=${heir.userId}`))).toBe('422 invalid_input')
    }
    for (const heir of [other.userId, systemIds.next('user')]) {
      expect(await codeOf(await put(owner, member, { heir }))).toBe('404 not_found')
      expect(await codeOf(await remove(owner, member, `?version=1&heir=${heir}`))).toBe('404 not_found')
    }
    expect((await storedMember(owner.workspaceId, member.userId))?.epoch).toBe(1)
  })
})

describe('open invitations of new administrators', () => {
  it.each(['removed', 'suspended', 'lowered'] as const)('end when their sender is %s; others stay', async (how) => {
    const owner = await signedIn({ app })
    const admin = await join(owner, 'admin')
    const send = (email: string, role: string) =>
      env.DB.prepare(
        'INSERT INTO invites (id, workspace_id, email, role, invited_by, created_at, sent_at, expires_at) VALUES (?, ?, ?, ?, ?, 1, 1, ?)',
      ).bind(...[systemIds.next('invite'), owner.workspaceId, email, role, admin.userId, Date.now() + 60_000])
    await env.DB.batch([send('second-self@example.com', 'admin'), send('colleague@example.com', 'viewer')])
    const change = { suspended: { role: 'admin', status: 'suspended' }, lowered: { role: 'analyst' } } as const
    const done = how === 'removed' ? await remove(owner, admin) : await put(owner, admin, change[how])
    expect(done.status).toBe(200)
    const { results } = await env.DB.prepare('SELECT role, state FROM invites WHERE invited_by = ? ORDER BY role')
      .bind(admin.userId)
      .all()
    expect(results).toEqual([
      { role: 'admin', state: 'revoked' },
      { role: 'viewer', state: 'pending' },
    ])
  })
})

describe('removal', () => {
  it('shuts every door at once, and leaves groups, offers and open invitations (AUTH-9, SES-2)', async () => {
    const owner = await signedIn({ app })
    const member = await join(owner, 'admin')
    const address = await emailOf(member.userId)
    const [group, sent, open] = [systemIds.next('group'), systemIds.next('invite'), systemIds.next('invite')]
    const invite = `INSERT INTO invites (id, workspace_id, email, role, invited_by, created_at, sent_at, expires_at) VALUES (?, ?, ?, 'viewer', ?, 1, 1, ?)`
    const later = Date.now() + 60_000
    await env.DB.batch([
      env.DB.prepare(
        "INSERT INTO user_groups (id, workspace_id, name, name_key, color, created_at) VALUES (?, ?, 'G', 'g', 'blue', 1)",
      ).bind(group, owner.workspaceId),
      env.DB.prepare('INSERT INTO group_members (group_id, user_id) VALUES (?, ?)').bind(group, member.userId),
      env.DB.prepare('INSERT INTO ownership_offers VALUES (?, ?, ?, 1, ?)').bind(
        ...[owner.workspaceId, owner.userId, member.userId, later],
      ),
      env.DB.prepare(invite).bind(sent, owner.workspaceId, 'someone@example.com', member.userId, later),
      env.DB.prepare(invite).bind(open, owner.workspaceId, address, owner.userId, later),
    ])
    expect((await remove(owner, member)).status).toBe(200)
    for (const path of [
      '/api/workspace',
      '/api/members',
      '/api/data-sources',
      `/api/members/${member.userId}/belongings`,
    ])
      expect([path, (await member.fetch(path)).status]).toEqual([path, 404])
    expect((await member.fetch('/api/session')).status).toBe(200)
    const left = await env.DB.prepare(
      `SELECT (SELECT count(*) FROM group_members WHERE user_id = ?1) AS groups, (SELECT version FROM user_groups WHERE id = ?4) AS version,
         (SELECT count(*) FROM ownership_offers WHERE to_user = ?1) AS offers,
         (SELECT state FROM invites WHERE id = ?2) AS sent, (SELECT state FROM invites WHERE id = ?3) AS open`,
    )
      .bind(member.userId, sent, open, group)
      .first()
    expect(left).toEqual({ groups: 0, version: 2, offers: 0, sent: 'pending', open: 'revoked' })
  })

  it('is leaving when it is of oneself: open to every member, told nobody, and possible when the trial is over', async () => {
    const owner = await signedIn({ app, subscription: { trialEndsAt: 1 } })
    const viewer = await join(owner, 'viewer')
    expect((await remove(viewer, viewer)).status).toBe(200)
    expect(await storedMember(owner.workspaceId, viewer.userId)).toBeNull()
    expect(await queuedMailsOf(owner.workspaceId)).toEqual([])
    expect(await auditOf(owner.workspaceId)).toEqual(['member.leave before -'])
  })
})
