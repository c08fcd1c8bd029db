import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readOverLimitSummary, overLimitCondition, memberRankColumns, effectiveMembership } from './limits'
import type { LimitedKind, MemberRanks } from './limits'
import { Scope } from '../scope'
import { aPerson, aWorkspace } from '../../test/worker/factories'
import { openDatabase } from '../db/database'
import { systemIds } from '../deps'
import { forecastMembers } from '../shared/billing/member-outcomes'
import { ROLES, type Role } from '../shared/permissions'
import { TRIAL_FEATURES, type PlanLimit } from '../shared/billing/plans'

const RUNS = env['LONG'] === '1' ? 400 : 25

interface Thing {
  at: number
  kept: boolean
  counts: boolean
}
interface Person {
  at: number
  kept: boolean
  active: boolean
  role: Role
}
const thing = fc.record<Thing>({ at: fc.nat(5), kept: fc.boolean(), counts: fc.boolean() })
const person = fc.record<Person>({
  ...{ at: fc.nat(5), kept: fc.boolean(), active: fc.boolean(), role: fc.constantFrom(...ROLES) },
})
const limit: fc.Arbitrary<PlanLimit> = fc.option(fc.nat(6))

/** The rule as it is said: owners stay; then who was chosen, then who came first, until the places are taken. */
function naive<T extends { id: string; at: number; kept: boolean }>(
  rows: T[],
  { max, owner }: { max: PlanLimit; owner: (row: T) => boolean },
): string[] {
  const weight = (row: T) => (owner(row) ? 0 : row.kept ? 1 : 2)
  const order = rows.toSorted((a, b) => weight(a) - weight(b) || a.at - b.at || (a.id < b.id ? -1 : 1))
  return order.filter((row, place) => max !== null && place >= max && !owner(row)).map(({ id }) => id)
}

const TABLES = {
  source: 'data_sources',
  insight: 'insights',
  grouping: 'groupings',
  forecast: 'forecasts',
  user: 'members',
  analyst: 'members',
}
async function frozenBySql(kind: LimitedKind, workspaceId: string, max: PlanLimit): Promise<string[]> {
  const id = kind === 'user' || kind === 'analyst' ? 'user_id' : 'id'
  const where = overLimitCondition(kind, 't', { workspace: '?1', max: '?2' })
  const { results } = await env.DB.prepare(
    `SELECT t.${id} AS id FROM ${TABLES[kind]} t WHERE t.workspace_id = ?1 AND ${where}`,
  )
    .bind(workspaceId, max)
    .all<{ id: string }>()
  return results.map(({ id }) => id).toSorted()
}

const keep = (workspaceId: string, kind: string, rows: { id: string; kept: boolean }[]) =>
  rows
    .filter(({ kept }) => kept)
    .map(({ id }) => env.DB.prepare('INSERT INTO kept VALUES (?, ?, ?)').bind(workspaceId, kind, id))

const scopeOf = (workspaceId: string) => Scope.forJob({ workspaceId, userId: '', epoch: 'test' })
const outOf = (list: { items: { id: string; stays: boolean }[] } | null) =>
  (list?.items ?? []).filter(({ stays }) => !stays).map(({ id }) => id)

describe('what a smaller plan freezes (BIL-3)', () => {
  const db = openDatabase(env.DB)

  it('is, of sources, insights, groupings and forecasts, what a naive reading of the rule says', async () => {
    const userId = await aPerson()
    await fc.assert(
      fc.asyncProperty(fc.array(thing, { maxLength: 8 }), limit, async (drawn, max) => {
        const { id: workspaceId } = await aWorkspace()
        const sources = drawn.map((one) => ({ ...one, id: systemIds.next('source') }))
        const insights = drawn.map((one) => ({ ...one, id: systemIds.next('insight') }))
        const groupings = drawn.map((one) => ({ ...one, id: systemIds.next('grouping') }))
        // Of forecasts, all that are there count.
        const forecasts = drawn.flatMap((one) => (one.counts ? [{ ...one, id: systemIds.next('forecast') }] : []))
        await env.DB.batch([
          ...sources.map(({ id, at, counts }, n) =>
            env.DB.prepare(
              `INSERT INTO data_sources (id, workspace_id, type, name, name_key, state, owner_id, created_at, updated_at, sample, deleted_at)
               VALUES (?1, ?2, 'file', ?1, ?1, 'ready', ?3, ?4, 0, ?5, ?6)`,
            ).bind(id, workspaceId, userId, at, counts || n % 2 ? 0 : 1, counts || n % 2 === 0 ? null : 1),
          ),
          ...insights.map(({ id, at, counts }, n) =>
            env.DB.prepare(
              `INSERT INTO insights (id, workspace_id, name, name_key, plan, viz, owner_id, created_at, updated_at, origin, deleted_at)
               VALUES (?1, ?2, ?1, ?1, '{}', '{}', ?3, ?4, 0, ?5, ?6)`,
            ).bind(
              ...[id, workspaceId, userId, at, counts || n % 2 ? 'person' : 'starter'],
              counts || n % 2 === 0 ? null : 1,
            ),
          ),
          ...groupings.map(({ id, at, counts }) =>
            env.DB.prepare(
              `INSERT INTO groupings (id, workspace_id, name, name_key, kind, target, fallback, eras, owner_id, created_at, updated_at, deleted_at)
               VALUES (?1, ?2, ?1, ?1, 'rules', '{}', '{}', '[]', ?3, ?4, 0, ?5)`,
            ).bind(id, workspaceId, userId, at, counts ? null : 1),
          ),
          ...forecasts.map(({ id, at }) =>
            env.DB.prepare(
              `INSERT INTO forecasts (id, workspace_id, name, name_key, subject_kind, subject_id, settings, asked, owner_id, created_at, updated_at)
               VALUES (?1, ?2, ?1, ?1, 'metric', 'm', '{}', '', ?3, ?4, 0)`,
            ).bind(id, workspaceId, userId, at),
          ),
          ...keep(workspaceId, 'grouping', groupings),
          ...keep(workspaceId, 'forecast', forecasts),
          ...keep(workspaceId, 'source', sources),
          ...keep(workspaceId, 'insight', insights),
          env.DB.prepare('SELECT 1'),
        ])
        const limits = {
          ...TRIAL_FEATURES,
          dataSources: max,
          customInsights: max,
          groupings: max,
          activeForecasts: max,
        }
        const listed = await readOverLimitSummary(db, scopeOf(workspaceId), limits)
        for (const [kind, rows, list] of [
          ['source', sources, listed?.sources],
          ['insight', insights, listed?.insights],
          ['grouping', groupings, listed?.groupings],
          ['forecast', forecasts, listed?.forecasts],
        ] as const) {
          const expected = naive(
            rows.filter(({ counts }) => counts),
            { max, owner: () => false },
          )
          expect(await frozenBySql(kind, workspaceId, max)).toEqual(expected.toSorted())
          expect(outOf(list ?? null)).toEqual(expected)
        }
      }),
      { numRuns: RUNS },
    )
  })

  it('is, of people, what a naive reading of the rule says, by ranks, by lists and in the preview of each', async () => {
    const people = await Promise.all(Array.from({ length: 8 }, () => aPerson()))
    await fc.assert(
      fc.asyncProperty(fc.array(person, { maxLength: 8 }), limit, limit, async (drawn, users, analysts) => {
        const { id: workspaceId } = await aWorkspace()
        const members = drawn.map((one, n) => ({ ...one, id: people[n] ?? '' }))
        await env.DB.batch([
          ...members.map(({ id, role, active, at }) =>
            env.DB.prepare(
              'INSERT INTO members (workspace_id, user_id, role, status, created_at) VALUES (?, ?, ?, ?, ?)',
            ).bind(workspaceId, id, role, active ? 'active' : 'suspended', at),
          ),
          ...keep(workspaceId, 'member', members),
          env.DB.prepare('SELECT 1'),
        ])
        const owner = ({ role }: Person) => role === 'owner'
        const holders = members.filter(({ role, active }) => active && role !== 'client')
        const out = naive(holders, { max: users, owner })
        const editors = holders.filter(({ role }) => role !== 'viewer')
        const downgraded = naive(editors, { max: analysts, owner })
        expect(await frozenBySql('user', workspaceId, users)).toEqual(out.toSorted())
        expect(await frozenBySql('analyst', workspaceId, analysts)).toEqual(downgraded.toSorted())
        const listed = await readOverLimitSummary(db, scopeOf(workspaceId), { ...TRIAL_FEATURES, users, analysts })
        expect([outOf(listed?.users ?? null), outOf(listed?.analysts ?? null)]).toEqual([out, downgraded])
        const { results } = await env.DB.prepare(
          `SELECT m.user_id AS id, m.role, ${memberRankColumns('m', '?1')} FROM members m
           WHERE m.workspace_id = ?1 AND m.status = 'active'`,
        )
          .bind(workspaceId)
          .all<MemberRanks & { id: string }>()
        const forecast = forecastMembers(listed ?? { users: null, analysts: null }, null)
        const chosenAnew = forecastMembers(
          listed ?? { users: null, analysts: null },
          members.filter(({ kept }) => kept).map(({ id }) => id),
        )
        expect(chosenAnew).toEqual(forecast)
        for (const { id, ...ranks } of results) {
          const is = effectiveMembership(ranks, { users, analysts })
          const outcome = is.seat === 'none' ? 'lockedOut' : is.role === ranks.role ? 'stays' : 'viewer'
          expect([id, forecast.find((one) => one.id === id)?.outcome ?? 'stays']).toEqual([id, outcome])
          const role = downgraded.includes(id) ? 'viewer' : ranks.role
          const seat = out.includes(id) ? 'none' : 'held'
          expect(effectiveMembership(ranks, { users, analysts })).toEqual({ seat, role })
        }
      }),
      { numRuns: RUNS },
    )
  })
})
