import { env } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { createApp } from '../../app'
import { aMember, aPerson, signedIn, type SignedIn } from '../../../test/worker/factories'
import { seedOf } from '../../../test/seed'
import { countTakenSeats } from '../../../test/worker/people'
import { MEMBER_STATUSES } from '../../shared/members'
import { ROLES } from '../../shared/permissions'
import type { Workspace } from '../../shared/workspaces/workspaces'

const app = createApp()
const CLIENTS = 8
const OPERATIONS = env.LONG === '1' ? 2_000 : 160
const LIMITS = { users: 9, analysts: 7 }

/** A repeatable sequence of numbers below `n`. */
function dice(seed: number): (n: number) => number {
  let state = seed >>> 0
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
}

interface AttemptedWrite {
  what: string
  /** The version that the writer had read. */
  version: number
}

it('loses no change, keeps an owner and keeps within its seats, whatever 8 clients do at once (CON-2)', async () => {
  const seed = seedOf(env.LONG === '1')
  console.info(`${OPERATIONS} operations on members, ownership and settings, seed ${seed}`)
  const roll = dice(seed)
  const owner = await signedIn({ app, subscription: { override: LIMITS } })
  const { workspaceId } = owner
  const clients = [owner]
  const roles = ['owner', 'owner', 'admin', 'admin', 'admin', 'viewer', 'client'] as const
  for (const role of roles) clients.push(await signedIn({ app, workspaceId, role }))
  const others = [await aPerson(), await aPerson(), await aPerson()]
  for (const userId of others) await aMember(workspaceId, userId, 'client')
  const people = [...clients.map(({ userId }) => userId), ...others]
  const done: AttemptedWrite[] = []
  let unexplained = 0
  const pick = <T>(list: readonly T[]): T | undefined => list[roll(list.length)]

  const versions = async () => {
    const { results } = await env.DB.prepare('SELECT user_id, epoch FROM members WHERE workspace_id = ?')
      .bind(workspaceId)
      .all<{ user_id: string; epoch: number }>()
    return new Map(results.map((row) => [row.user_id, row.epoch]))
  }
  const settings = await (await owner.fetch('/api/workspace')).json<Workspace>()
  let settingsVersion = settings.version
  const operation = async (who: SignedIn, known: Map<string, number>): Promise<void> => {
    const kind = roll(10)
    if (kind < 7) {
      const userId = pick(people) ?? ''
      const version = known.get(userId) ?? 1
      const json = { role: pick(ROLES), status: pick(MEMBER_STATUSES), version }
      const answer = await who.fetch(`/api/members/${userId}`, { method: 'PUT', json })
      // 503: what stood in the way of the write was gone when the reason was looked for.
      expect([200, 403, 404, 409, 422, 503]).toContain(answer.status)
      if (answer.status === 503) unexplained += 1
      if (answer.status === 200) done.push({ what: userId, version })
    } else if (kind === 7) {
      await who.fetch('/api/workspace/ownership', { method: 'PUT', json: { userId: pick(people) } })
    } else if (kind === 8) {
      const answer = await who.fetch('/api/workspace/ownership/accept', { method: 'POST', json: {} })
      expect([200, 403, 404, 409]).toContain(answer.status)
    } else {
      const { id: _id, logo: _logo, ...input } = settings
      const json = { ...input, name: `Name ${roll(1_000)}`, version: settingsVersion }
      const answer = await who.fetch('/api/workspace', { method: 'PUT', json })
      if (answer.status === 200) done.push({ what: 'settings', version: json.version })
    }
  }

  for (let wave = 0; wave < OPERATIONS / CLIENTS; wave++) {
    const known = await versions()
    await Promise.all(clients.map((who) => operation(who, known)))
    settingsVersion =
      (await env.DB.prepare('SELECT version FROM workspaces WHERE id = ?')
        .bind(workspaceId)
        .first<number>('version')) ?? 0
    const standing = await env.DB.prepare(
      `SELECT sum(role = 'owner' AND status = 'active') AS owners,
         sum(role IN ('owner', 'admin', 'analyst') AND status = 'active') AS analysts FROM members WHERE workspace_id = ?`,
    )
      .bind(workspaceId)
      .first<{ owners: number; analysts: number }>()
    expect(standing?.owners).toBeGreaterThanOrEqual(1)
    expect(standing?.analysts).toBeLessThanOrEqual(LIMITS.analysts)
    expect(await countTakenSeats(workspaceId)).toBeLessThanOrEqual(LIMITS.users)
  }
  // Each version was followed by one change at most, and every change that was confirmed is one of the versions counted.
  const keys = done.map(({ what, version }) => `${what} ${version}`)
  expect(new Set(keys).size).toBe(keys.length)
  expect(settingsVersion).toBe(settings.version + done.filter(({ what }) => what === 'settings').length)
  const audited = await env.DB.prepare(
    "SELECT entity_id AS id, count(*) AS n FROM audit WHERE workspace_id = ? AND action = 'member.update' GROUP BY entity_id",
  )
    .bind(workspaceId)
    .all<{ id: string; n: number }>()
  for (const { id, n } of audited.results) expect(n).toBe(done.filter(({ what }) => what === id).length)
  const swaps = await env.DB.prepare(
    "SELECT count(*) AS n FROM audit WHERE workspace_id = ? AND action = 'ownership.accept'",
  )
    .bind(workspaceId)
    .first<number>('n')
  const epochs = [...(await versions()).values()].reduce((sum, epoch) => sum + epoch - 1, 0)
  expect(epochs).toBe(done.filter(({ what }) => what !== 'settings').length + 2 * (swaps ?? 0))
  expect(done.length).toBeGreaterThan(OPERATIONS / 40)
  expect(unexplained).toBeLessThan(OPERATIONS / 20)
})
