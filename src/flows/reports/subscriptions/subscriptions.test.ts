import { env } from 'cloudflare:test'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sendDueFigures } from './send'
import { blockSubscriptionQueue } from '../../../features/reports/subscriptions/store'
import {
  guardedWorkspace,
  onlyRegion,
  savePolicy,
  type GuardedWorkspace,
} from '../../../../test/worker/access/guarded-workspace'
import { depsAt } from '../../../../test/worker/deps'
import { otherWorkspace, visitor, type Caller, type SignedIn } from '../../../../test/worker/factories'
import { queuedMailsTo } from '../../../../test/worker/mails'
import { createApp } from '../../../app'
import { composeMail } from '../../../mail/compose'
import type { Insight } from '../../../shared/insights'
import type { BlockSubscription } from '../../../shared/reports/block-subscriptions'
import type { ListPage } from '../../../shared/field-schemas'
import type { Report } from '../../../shared/reports/reports'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** Eight in the morning in Stockholm, summer or winter, of a Thursday in March. */
const MORNING = Date.UTC(2026, 2, 12, 7)
const app = createApp()
let workspace: GuardedWorkspace
let owner: SignedIn
let reader: SignedIn
let report: Report

async function sent<T>(who: Caller, path: string, json?: unknown, method = json === undefined ? 'GET' : 'POST') {
  const answer = await who.fetch(path, { method, ...(json === undefined ? {} : { json }) })
  return { status: answer.status, body: await answer.json<T & { code: string }>() }
}
const subscribe = (cadence: string, { who = reader, block = 'pay001' } = {}) =>
  sent<ListPage<BlockSubscription>>(who, `/api/reports/${report.id}/subscriptions`, { block, cadence }, 'PUT')
const addressOf = async ({ userId }: SignedIn): Promise<string> =>
  (await env.DB.prepare('SELECT email FROM users WHERE id = ?').bind(userId).first<string>('email')) ?? ''
const mails = async (who = reader) =>
  (await queuedMailsTo(await addressOf(who))).flatMap((one) => (one.template === 'blockFigure' ? [one] : []))
const send = (at: number) => sendDueFigures(depsAt(at))
const ONE_REGION = () => onlyRegion(workspace.datasetId, 'North', { kind: 'member', id: reader.userId })

beforeAll(async () => {
  workspace = await guardedWorkspace(app)
  owner = workspace.owner
  reader = await workspace.join('viewer')
  const field = (column: string) => ({ dataset: workspace.datasetId, column })
  const plan = {
    ...{ v: 2, kind: 'aggregate', filters: [], measures: [{ kind: 'column', agg: 'sum', field: field('c2') }] },
    dimensions: [{ field: field('c0'), grain: 'month' }],
  }
  const insight = (await sent<Insight>(owner, '/api/insights', { name: 'Pay', plan, viz: { chart: 'line' } })).body
  const made = (await sent<Report>(owner, '/api/reports', { kind: 'interactive', name: 'Board' })).body
  const place = { x: 0, y: 0, w: 6, h: 6 }
  const blocks = [
    { id: 'pay001', kind: 'insight', insight: insight.id, place },
    { id: 'text01', kind: 'text', text: 'Words', place: { ...place, x: 6 } },
  ]
  const pages = [{ id: 'page01', name: 'Page', blocks }]
  const content = { v: 1, period: { range: null, compare: 'none' }, filters: [], pages }
  const draft = { name: made.name, content, version: 1 }
  const saved = (await sent<Report>(owner, `/api/reports/${made.id}`, draft, 'PUT')).body
  report = (await sent<Report>(owner, `/api/reports/${made.id}/publish`, { version: saved.version })).body
})
beforeEach(async () => {
  await env.DB.batch([
    env.DB.prepare('DELETE FROM block_subscriptions'),
    env.DB.prepare("DELETE FROM outbox WHERE kind = 'mail'"),
  ])
})

describe('subscribing to a block', () => {
  it('sends its figure with its change every morning, once however many rounds there are, from the next on', async () => {
    expect((await subscribe('daily')).body.items).toMatchObject([
      { report: 'Board', block: 'pay001', cadence: 'daily' },
    ])
    await send(MORNING)
    expect(await mails()).toEqual([])
    for (const at of [MORNING + DAY_MS, MORNING + DAY_MS + 5 * HOUR_MS])
      await Promise.all(Array.from({ length: 3 }, () => send(at)))
    const [mail, ...more] = await mails()
    expect([mail?.lines, more]).toEqual([[expect.stringMatching(/^Pay, Feb 2026.*: 111.k, .* vs Jan 2026/)], []])
    await send(MORNING + 9 * DAY_MS)
    expect(await mails()).toHaveLength(2)
  })

  it('sends weekly on the first day of the week, and of data only when they have changed, once a day', async () => {
    await subscribe('weekly')
    for (const days of [0, 1, 3, 4, 5, 10, 11]) await send(MORNING + days * DAY_MS)
    expect(await mails()).toHaveLength(2)
    await subscribe('data')
    const changed = async (at: number) => {
      await env.DB.prepare("UPDATE block_subscriptions SET data_key = 'older'").run()
      await blockSubscriptionQueue(depsAt(at).db).wake(owner.workspaceId).run()
      await send(at)
      return (await mails()).length
    }
    await send(MORNING + 20 * DAY_MS)
    await send(MORNING + 21 * DAY_MS)
    expect(await mails()).toHaveLength(2)
    const noon = MORNING + 22 * DAY_MS + 4 * HOUR_MS
    expect([await changed(noon), await changed(noon + HOUR_MS), await changed(noon + DAY_MS)]).toEqual([3, 3, 4])
  })

  it('asks with the rights that the reader has then, and tells nothing of what is not there for them', async () => {
    await subscribe('daily')
    await send(MORNING)
    await savePolicy(owner, { rules: [ONE_REGION()] })
    await send(MORNING + DAY_MS)
    expect((await mails())[0]?.lines).toEqual([expect.not.stringContaining('111')])
    const hidden = { ...ONE_REGION(), columns: [{ key: 'c2' as const, grant: 'hide' as const }] }
    await savePolicy(owner, { rules: [hidden] })
    await send(MORNING + 2 * DAY_MS)
    expect(await mails()).toHaveLength(1)
    expect((await subscribe('weekly')).status).toBe(404)
    expect((await subscribe('off')).body.items).toEqual([])
    await savePolicy(owner, { rules: [] })
  })

  it('is ended by the link in its mail without signing in, and taken back', async () => {
    await subscribe('daily')
    await send(MORNING)
    await send(MORNING + DAY_MS)
    const [order] = await mails()
    if (!order) throw new Error('no mail')
    const settings = { APP_NAME: 'Insikt', BASE_URL: 'http://localhost', SESSION_SECRET: String(env['SESSION_SECRET']) }
    const { text, unsubscribe } = await composeMail(settings, order, owner.workspaceId)
    expect(text).toContain(`/reports/interactive/${report.id}?w=${owner.workspaceId}&page=page01`)
    expect(unsubscribe).toContain(`http://localhost/unsubscribe/${order.subscriptionId}.`)
    const token = /\/reports\/unsubscribe#([\w.]+)/.exec(text)?.[1] ?? ''
    const anyone = await visitor({ app })
    const end = (subscribed: boolean, by = token) =>
      sent(anyone, '/api/report-subscriptions', { token: by, subscribed })
    expect((await end(false)).body).toMatchObject({ report: 'Board', subscribed: false })
    await send(MORNING + 2 * DAY_MS)
    expect([
      (await mails()).length,
      (await sent<ListPage<unknown>>(reader, '/api/block-subscriptions')).body.items,
    ]).toEqual([1, []])
    expect((await end(true)).body).toMatchObject({ subscribed: true })
    expect(
      (
        await end(
          false,
          token.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
        )
      ).body.code,
    ).toBe('expired')
    await send(MORNING + 3 * DAY_MS)
    await send(MORNING + 4 * DAY_MS)
    expect(await mails()).toHaveLength(2)
  })

  it('is one’s own, of blocks with figures, and as many as one may', async () => {
    await subscribe('daily')
    expect((await sent<ListPage<unknown>>(owner, '/api/block-subscriptions')).body.items).toEqual([])
    expect((await subscribe('daily', { block: 'text01' })).status).toBe(404)
    expect((await subscribe('daily', { who: await otherWorkspace() })).status).toBe(404)
    const row = env.DB.prepare(
      "INSERT INTO block_subscriptions (id, workspace_id, report_id, block_id, user_id, cadence, created_at) VALUES ('s' || ?1, ?2, ?3, 'b' || ?1, ?4, 'daily', 1)",
    )
    await env.DB.batch(Array.from({ length: 50 }, (_, n) => row.bind(n, owner.workspaceId, report.id, owner.userId)))
    expect((await subscribe('daily', { who: owner })).body.code).toBe('limit_reached')
  })
})
