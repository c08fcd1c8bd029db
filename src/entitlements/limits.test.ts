import { env } from 'cloudflare:test'
import { beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../app'
import { systemIds } from '../deps'
import { aMember, aPerson, signedIn, type SignedIn } from '../../test/worker/factories'
import type { LimitName } from '../shared/billing/plans'

const app = createApp()
const ROUNDS = env['LONG'] === '1' ? 200 : 2
/** Rounds are told apart in parts, so that none is cut off on a slow machine. */
const PART = 2
const PARTS = Array.from({ length: ROUNDS / PART }, (_, part) => part * PART)
const AT_ONCE = 50
/** One is held before each round, so that one place is left. */
const MAX = 2

interface Contest {
  limit: LimitName
  /** Makes everything as it was: one is held, and {@link AT_ONCE} want the place that is left. */
  begin: (owner: SignedIn) => Promise<(() => Promise<number>)[]>
  /** How many hold a place now. */
  held: (owner: SignedIn) => Promise<number>
}
type Race = Pick<Contest, 'begin' | 'held'>
const limited = (limit: LimitName) => signedIn({ app, subscription: { override: { [limit]: MAX } } })
const counted =
  (sql: string) =>
  async ({ workspaceId }: SignedIn): Promise<number> =>
    (await env.DB.prepare(sql).bind(workspaceId).first<number>('n')) ?? 0
const status = async (asked: Promise<Response>): Promise<number> => (await asked).status

/** Sources and insights come back from "Recently deleted" by the statement that also lets new ones in. */
function restored(path: 'data-sources' | 'insights', insert: string): Race {
  const table = path === 'insights' ? 'insights' : 'data_sources'
  const kind = path === 'insights' ? 'insight' : 'source'
  const ids = Array.from({ length: AT_ONCE + 1 }, () => systemIds.next(kind))
  return {
    begin: async (owner) => {
      const row = env.DB.prepare(insert)
      await env.DB.batch([
        env.DB.prepare(`DELETE FROM ${table} WHERE workspace_id = ?`).bind(owner.workspaceId),
        ...ids.map((id, n) => row.bind(id, owner.workspaceId, owner.userId, n === 0 ? null : Date.now())),
      ])
      return ids.slice(1).map((id) => () => status(owner.fetch(`/api/${path}/${id}/restore`, { method: 'POST' })))
    },
    held: counted(`SELECT count(*) AS n FROM ${table} WHERE workspace_id = ? AND deleted_at IS NULL`),
  }
}

function analysts(): Race {
  let people: string[] = []
  return {
    begin: async (owner) => {
      if (people.length === 0) {
        people = await Promise.all(Array.from({ length: AT_ONCE }, () => aPerson()))
        for (const userId of people) await aMember(owner.workspaceId, userId, 'viewer')
      }
      await env.DB.prepare("UPDATE members SET role = 'viewer', epoch = 1 WHERE workspace_id = ? AND role <> 'owner'")
        .bind(owner.workspaceId)
        .run()
      const json = { role: 'analyst', status: 'active', version: 1 }
      return people.map((id) => () => status(owner.fetch(`/api/members/${id}`, { method: 'PUT', json })))
    },
    held: counted("SELECT count(*) AS n FROM members WHERE workspace_id = ? AND role IN ('owner', 'analyst')"),
  }
}

const CONTESTS: Contest[] = [
  {
    limit: 'dataSources',
    ...restored(
      'data-sources',
      `INSERT INTO data_sources (id, workspace_id, type, name, name_key, state, owner_id, created_at, updated_at, deleted_at)
       VALUES (?1, ?2, 'file', ?1, ?1, 'ready', ?3, 1, 1, ?4)`,
    ),
  },
  {
    limit: 'customInsights',
    ...restored(
      'insights',
      `INSERT INTO insights (id, workspace_id, name, name_key, plan, viz, owner_id, created_at, updated_at, deleted_at)
       VALUES (?1, ?2, ?1, ?1, '{}', '{}', ?3, 1, 1, ?4)`,
    ),
  },
  { limit: 'analysts', ...analysts() },
]

describe.each(CONTESTS)('$limit (BIL-2)', ({ limit, begin, held }) => {
  let owner: SignedIn
  beforeAll(async () => {
    owner = await limited(limit)
  })

  it.each(PARTS)(`gives the one place left to one of ${AT_ONCE} at once, from round %i`, async (from) => {
    for (let round = from; round < from + PART; round++) {
      const tries = await begin(owner)
      const got = await Promise.all(tries.map((attempt) => attempt()))
      expect(got.filter((code) => code === 200)).toHaveLength(1)
      expect(got.filter((code) => code === 409)).toHaveLength(AT_ONCE - 1)
      expect(await held(owner)).toBe(MAX)
    }
  })
})
