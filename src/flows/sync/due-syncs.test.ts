import { env } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { startDueSyncs } from './due-syncs'
import { succeedSync } from './end-sync'
import { LONG } from '../../../test/long'
import { signedIn } from '../../../test/worker/factories'
import { createDeps, type Deps } from '../../deps'
import { readSettings } from '../../settings'
import type { ConnectionDetails, SyncSourceParams } from '../../shared/data-sources/connections'
import { connectionStore } from '../../sync/connection-store'

const [MINUTE, HOUR] = [60_000, 3_600_000]
const YEAR = 365 * 24 * HOUR
const TICK = LONG ? MINUTE : 15 * MINUTE
const HOURS = LONG ? 96 : 26
/** Nights in which clocks on walls go forward and back in much of Europe, and one in which they do not. */
const BEGINNINGS = [Date.UTC(2026, 2, 28, 20), ...(LONG ? [Date.UTC(2026, 9, 24, 20), Date.UTC(2026, 5, 1)] : [])]
const NOTHING = { written: 0, rejected: 0, notices: [], isUnchanged: true }

/** A source that is due every hour, or as often as the plan allows, and two servers over one database and one clock. */
async function place(startsAt: number) {
  const person = await signedIn()
  const { workspaceId, userId } = person
  const parsed = readSettings(env)
  if (!parsed.ok) throw new Error(parsed.problem)
  const clock = { at: startsAt, now: () => clock.at }
  const started: SyncSourceParams[] = []
  const create = ({ params }: { params: SyncSourceParams }) => Promise.resolve(void started.push(params))
  const server = (): Deps =>
    createDeps(env, parsed.settings, { waitUntil: () => undefined }, { clock, syncSource: { create } as never })
  const servers = [server(), server()]
  const [deps] = servers
  if (!deps) throw new Error('There is no server.')
  const sourceId = deps.ids.next('source')
  const store = connectionStore(deps.db, workspaceId)
  const row = { sourceId, kind: 'url' as const, settings: { url: 'https://files.example.com/a.csv' }, secrets: null }
  await deps.db.d1.batch([
    // What other tests left behind is due as well, years from now.
    deps.db.d1.prepare('UPDATE connections SET paused = 1 WHERE workspace_id <> ?').bind(workspaceId),
    deps.db.d1
      .prepare(
        `INSERT INTO data_sources (id, workspace_id, type, name, name_key, state, owner_id, created_at, updated_at) VALUES (?, ?, 'url', 'A', 'a', 'ready', ?, 0, 0)`,
      )
      .bind(sourceId, workspaceId, userId),
    store.insert({ ...row, frequencyHours: 1, nextAt: startsAt, pushTokenHash: null }, null),
    // The owner's plan still runs when the clock stands elsewhere.
    deps.db.d1
      .prepare('UPDATE subscriptions SET trial_ends_at = ? WHERE workspace_id = ?')
      .bind(startsAt + 3 * YEAR, workspaceId),
  ])
  const { planHours } = await (await person.fetch(`/api/data-sources/${sourceId}/connection`)).json<ConnectionDetails>()
  const slots = async (): Promise<{ slot: string; at: number }[]> => {
    const sql = 'SELECT slot, started_at AS at FROM syncs WHERE source_id = ? ORDER BY rowid'
    return (await deps.db.d1.prepare(sql).bind(sourceId).all<{ slot: string; at: number }>()).results
  }
  return {
    ...{ clock, slots, hours: Math.max(1, planHours) },
    /** What the cron of both servers does in one minute; what was started has ended by the next. Answers how many were started. */
    async minute(): Promise<number> {
      await Promise.all(servers.map((each) => startDueSyncs(each)))
      const own = started.splice(0)
      for (const params of own) await succeedSync(deps, params, NOTHING)
      return own.length
    },
  }
}

it.each(BEGINNINGS)(
  'starts every slot once by two servers at once, whatever clocks on walls do (from %i)',
  async (at) => {
    const company = await place(at)
    for (; company.clock.at < at + HOURS * HOUR; company.clock.at += TICK)
      expect(await company.minute()).toBeLessThanOrEqual(1)
    const slots = await company.slots()
    expect(new Set(slots.map(({ slot }) => slot)).size).toBe(slots.length)
    const waits = slots.slice(1).map(({ at: start }, n) => start - (slots[n]?.at ?? 0))
    for (const wait of waits) {
      expect(wait).toBeGreaterThanOrEqual(company.hours * HOUR)
      expect(wait).toBeLessThanOrEqual(company.hours * HOUR + 10 * MINUTE + TICK)
    }
    expect(waits.length).toBeGreaterThanOrEqual(Math.floor(HOURS / (company.hours + 0.5)) - 1)
  },
)

it('starts one sync when the clock is moved by a year, there and back, and goes on from there', async () => {
  const start = Date.UTC(2026, 5, 1)
  const company = await place(start)
  expect(await company.minute()).toBe(1)
  for (const moved of [YEAR, 0]) {
    company.clock.at = start + moved + MINUTE
    expect([await company.minute(), await company.minute()]).toEqual([1, 0])
    company.clock.at += company.hours * HOUR + 11 * MINUTE
    expect([await company.minute(), await company.minute()]).toEqual([1, 0])
  }
  const slots = await company.slots()
  expect(new Set(slots.map(({ slot }) => slot)).size).toBe(slots.length)
})
