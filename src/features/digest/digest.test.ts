import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import type { DigestSources } from './content'
import { sendDueDigests } from './delivery'
import { createApp } from '../../app'
import { depsAt } from '../../../test/worker/deps'
import { signedIn } from '../../../test/worker/factories'
import { loadedDataset } from '../../../test/worker/loaded-dataset'
import { queuedMailsTo } from '../../../test/worker/mails'
import { column } from '../../../test/worker/warehouse-rows'
import type { Insight } from '../../shared/insights'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const app = createApp()
/** Eight in the morning in Stockholm, the day after tomorrow, summer or winter. */
const MORNING = Math.ceil(Date.now() / DAY_MS) * DAY_MS + DAY_MS + 7 * HOUR_MS

/** Nothing was found, and everything has its group. */
const NOTHING: DigestSources = {
  ...{ findings: async () => [], standing: async () => [], ungroupedValues: async () => [] },
}

async function follower() {
  const me = await signedIn({ app, subscription: { state: 'active', planId: 'professional' } })
  const columns = [
    column(0, { type: 'number', scale: 2, label: 'Amount', role: 'measure' }),
    column(1, { type: 'date', label: 'Day', role: 'time' }),
  ]
  const month = (back: number): number => {
    const today = new Date()
    return Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - back, 10) / DAY_MS
  }
  const dataset = await loadedDataset(
    me.workspaceId,
    [
      [20_000, month(2)],
      [30_000, month(1)],
    ],
    columns,
  )
  const field = (key: string) => ({ dataset, column: key })
  const plan = {
    ...{ v: 1, kind: 'aggregate', filters: [], measures: [{ kind: 'column', agg: 'sum', field: field('c0') }] },
    dimensions: [{ field: field('c1'), grain: 'month' }],
  }
  const json = { name: 'Sales', plan, viz: { chart: 'line' } }
  const insight: Insight = await (await me.fetch('/api/insights', { method: 'POST', json })).json()
  await env.DB.prepare(
    'INSERT INTO insight_follows (workspace_id, insight_id, user_id, created_at) VALUES (?, ?, ?, 1)',
  )
    .bind(me.workspaceId, insight.id, me.userId)
    .run()
  const email = await env.DB.prepare('SELECT email FROM users WHERE id = ?').bind(me.userId).first<string>('email')
  const digests = async () => (await queuedMailsTo(email ?? '')).filter(({ template }) => template === 'digest')
  const set = (cadence: string) => me.fetch('/api/digest', { method: 'PUT', json: { cadence } })
  return { me, insight, digests, set }
}

describe('the digest', () => {
  it('comes each morning to whoever wants it daily, once, with the figures they may see', async () => {
    const { insight, digests, set } = await follower()
    expect((await set('daily')).status).toBe(200)
    await sendDueDigests(depsAt(MORNING - DAY_MS), NOTHING)
    expect(await digests()).toEqual([])
    await Promise.all([
      sendDueDigests(depsAt(MORNING), NOTHING),
      sendDueDigests(depsAt(MORNING), NOTHING),
      sendDueDigests(depsAt(MORNING), NOTHING),
    ])
    await sendDueDigests(depsAt(MORNING + 12 * HOUR_MS), NOTHING)
    expect(await digests()).toMatchObject([
      { cadence: 'daily', openAlerts: 0, items: [{ insightId: insight.id, name: 'Sales' }] },
    ])
    const [mail] = await digests()
    expect(mail?.template === 'digest' && mail.items[0]?.lines[0]).toMatch(/: 300, up 50,0.?% vs previous month$/)
    await sendDueDigests(depsAt(MORNING + 4 * DAY_MS), NOTHING)
    expect(await digests()).toHaveLength(2)
  })

  it.each([
    ['the workspace is restricted', "UPDATE subscriptions SET state = 'restricted' WHERE workspace_id = ?1"],
    ['the workspace is deleted', 'UPDATE workspaces SET deleted_at = 1 WHERE id = ?1'],
    ['the person is suspended', "UPDATE members SET status = 'suspended' WHERE workspace_id = ?1"],
    ['the person is of the portal', "UPDATE members SET role = 'client' WHERE workspace_id = ?1"],
  ])('stops when %s', async (_what, statement) => {
    const { me, digests, set } = await follower()
    await set('daily')
    await sendDueDigests(depsAt(MORNING - DAY_MS), NOTHING)
    await sendDueDigests(depsAt(MORNING), NOTHING)
    expect(await digests()).toHaveLength(1)
    await env.DB.prepare(statement).bind(me.workspaceId).run()
    await sendDueDigests(depsAt(MORNING + DAY_MS), NOTHING)
    await sendDueDigests(depsAt(MORNING + 3 * DAY_MS), NOTHING)
    expect(await digests()).toHaveLength(1)
  })

  it('tells values without a group once, and again when there are more of them', async () => {
    const { digests, set } = await follower()
    await set('daily')
    const round = async (days: number, values: number): Promise<void> => {
      const loose = [{ groupingId: 'grp_00000000000000000000', name: 'Regions', values, rows: 1200 }]
      await sendDueDigests(depsAt(MORNING + days * DAY_MS), { ...NOTHING, ungroupedValues: async () => loose })
    }
    for (const [days, values] of [1, 3, 3, 4, 1, 2].entries()) await round(days, values)
    const told = (await digests()).map((mail) => mail.template === 'digest' && mail.loose.map(({ line }) => line))
    expect(told).toEqual([
      [expect.stringMatching(/^3 values in 1.200 rows not grouped yet\.$/)],
      [],
      [expect.stringMatching(/^4 values/)],
      [],
      [expect.stringMatching(/^2 values/)],
    ])
  })

  it('is not sent to who turned digests off, and holds no findings for who turned those off', async () => {
    const [off, plain] = [await follower(), await follower()]
    const turn = (userId: string, json: object) =>
      env.DB.prepare('UPDATE users SET notifications = ? WHERE id = ?').bind(JSON.stringify(json), userId).run()
    await turn(off.me.userId, { digests: false })
    await turn(plain.me.userId, { findings: false })
    const sources = { ...NOTHING, findings: () => Promise.reject(new Error('asked for findings')) }
    for (const { set } of [off, plain]) await set('daily')
    await sendDueDigests(depsAt(MORNING - DAY_MS), sources)
    await sendDueDigests(depsAt(MORNING), sources)
    expect(await off.digests()).toEqual([])
    expect(await plain.digests()).toMatchObject([{ findings: [] }])
  })

  it('is not sent to an address that nobody has proven', async () => {
    const [stranger, known] = [await follower(), await follower()]
    for (const { set } of [stranger, known]) await set('daily')
    await env.DB.prepare('UPDATE users SET email_proven_at = NULL WHERE id = ?').bind(stranger.me.userId).run()
    await sendDueDigests(depsAt(MORNING - DAY_MS), NOTHING)
    await sendDueDigests(depsAt(MORNING), NOTHING)
    expect(await stranger.digests()).toEqual([])
    expect(await known.digests()).toHaveLength(1)
  })

  it('is weekly until somebody says otherwise, and not sent to who wants none or follows nothing', async () => {
    const { me, digests, set } = await follower()
    const shown = async () => (await me.fetch('/api/digest')).json()
    expect(await shown()).toEqual({ cadence: 'weekly', following: 1 })
    await set('off')
    expect(await shown()).toEqual({ cadence: 'off', following: 1 })
    await sendDueDigests(depsAt(MORNING), NOTHING)
    await sendDueDigests(depsAt(MORNING + 8 * DAY_MS), NOTHING)
    expect(await digests()).toEqual([])
    await set('weekly')
    await sendDueDigests(depsAt(MORNING), NOTHING)
    for (let day = 1; day <= 14; day++) await sendDueDigests(depsAt(MORNING + day * DAY_MS), NOTHING)
    expect(await digests()).toHaveLength(2)
    await env.DB.prepare('DELETE FROM insight_follows WHERE user_id = ?').bind(me.userId).run()
    await sendDueDigests(depsAt(MORNING + 30 * DAY_MS), NOTHING)
    expect(await digests()).toHaveLength(2)
  })

  it('tells whoever follows nothing of what waits once they ask for it, and is off for them until then', async () => {
    const { me, digests, set } = await follower()
    await env.DB.prepare('DELETE FROM insight_follows WHERE user_id = ?').bind(me.userId).run()
    expect(await (await me.fetch('/api/digest')).json()).toEqual({ cadence: 'off', following: 0 })
    await set('daily')
    const standing = [{ name: 'Orders', line: 'Import failed. Showing earlier data.', path: '/data-sources/src_1' }]
    const sources: DigestSources = { ...NOTHING, standing: async () => standing }
    await sendDueDigests(depsAt(MORNING - DAY_MS), sources)
    await sendDueDigests(depsAt(MORNING), sources)
    expect(await digests()).toMatchObject([{ items: [], standing }])
  })
})
