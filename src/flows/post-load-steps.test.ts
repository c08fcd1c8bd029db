import { env } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { analyzeAfterLoad, POST_LOAD_STEPS } from './post-load-steps'
import { sendDigests } from './scheduled-tasks'
import { createApp } from '../app'
import { calendarOf } from '../semantic/calendar'
import { readOwnerContext } from '../identity/member-context-store'
import { depsAt } from '../../test/worker/deps'
import { signedIn } from '../../test/worker/factories'
import type { SignedIn } from '../../test/worker/factories'
import { loadedDataset } from '../../test/worker/loaded-dataset'
import { queuedMailsTo } from '../../test/worker/mails'
import { column } from '../../test/worker/warehouse-rows'
import type { FindingPage } from '../shared/findings'
import type { Insight } from '../shared/insights'
import type { QueryPlanInput } from '../shared/query/plan'
import type { StorageValue } from '../lib/storage-value'

const NOW = Date.parse('2026-10-20T08:00:00Z')
const app = createApp({ clock: { now: () => NOW }, onOutbox: () => undefined })
const day = (iso: string): number => Date.parse(`${iso}T00:00:00Z`) / 86_400_000

/** Two regions over 45 months and the first half of one more: about 300 a month, two thirds of it in the north. */
const rows = (): StorageValue[][] =>
  Array.from({ length: 46 }, (_, month) => month).flatMap((month) =>
    [5, 15, 25].flatMap((date): StorageValue[][] => {
      const at = new Date(Date.UTC(2023, month, date)).toISOString().slice(0, 10)
      // Of no rhythm: a slow wave would be a turn of its own.
      const amount = 100 + 3 * ((Math.sin(month * 12.9898 + date * 78.233) * 43_758.5453) % 1)
      const parts = [0.66, 0.34].map((part) => Math.round(amount * part * 100))
      return at > '2026-10-20'
        ? []
        : parts.map((part, i): StorageValue[] => [part, day(at), ['North', 'South'][i] ?? ''])
    }),
  )

/** Two digests, the first of which only begins; one finding is hidden before the second. */
async function hearOf({ me, insight, hidden }: { me: SignedIn; insight: string; hidden: string }): Promise<void> {
  const follow = 'INSERT INTO insight_follows (workspace_id, insight_id, user_id, created_at) VALUES (?, ?, ?, 1)'
  await env.DB.prepare(follow).bind(me.workspaceId, insight, me.userId).run()
  await me.fetch('/api/digest', { method: 'PUT', json: { cadence: 'daily' } })
  await me.fetch(`/api/findings/${hidden}/hide`, { method: 'POST', json: { on: true } })
  // Found at ten, and so after the morning of the first.
  for (const days of [0, 1, 2]) await sendDigests(depsAt(NOW - 60_000 + days * 86_400_000))
  const email = await env.DB.prepare('SELECT email FROM users WHERE id = ?').bind(me.userId).first<string>('email')
  const digests = (await queuedMailsTo(email ?? '')).flatMap((mail) => (mail.template === 'digest' ? [mail] : []))
  // How large its parts are is told beside it, once too.
  const pathsOf = digests.map(({ findings }) => [...new Set(findings.map(({ path }) => path))])
  expect(pathsOf).toEqual([[`/insights/${insight}`], []])
  expect(digests[0]?.findings[0]?.sentence).toMatch(
    /^Sales: 3.[56]\d\d expected for 2026, 14.*% below the 4.200 target \(data to Sep 2026\)\.$/,
  )
}

it('finds targets that are being missed, of the whole and of a part, and none that are on their pace', async () => {
  const me = await signedIn({ app, timeZone: 'UTC' })
  const dataset = await loadedDataset(me.workspaceId, rows(), [
    column(0, { type: 'number', scale: 2, role: 'measure', label: 'Amount' }),
    column(1, { type: 'date', role: 'time', label: 'Day' }),
    column(2, { type: 'text', label: 'Region' }),
  ])
  const field = (key: 'c0' | 'c1' | 'c2') => ({ dataset, column: key })
  const insight = async (name: string, agg: 'sum' | 'count'): Promise<string> => {
    const measure = { kind: 'column' as const, agg, field: field('c0') }
    const dimensions = [{ field: field('c1'), grain: 'month' as const }]
    const plan: QueryPlanInput = { v: 1, kind: 'aggregate', measures: [measure], dimensions, filters: [] }
    const json = { name, plan, viz: { chart: 'line', direction: 'up' } }
    return (await (await me.fetch('/api/insights', { method: 'POST', json })).json<Insight>()).id
  }
  const months = (value: string) =>
    Array.from({ length: 12 }, (_, n) => ({ period: `2026-${String(n + 1).padStart(2, '0')}-01`, value }))
  const aim = async (id: string, version: number, lines: unknown[]) => {
    const json = { grain: 'month', by: { field: field('c2') }, lines, version }
    expect((await me.fetch(`/api/insights/${id}/targets`, { method: 'PUT', json })).status).toBe(200)
  }
  const sales = await insight('Sales', 'sum')
  const orders = await insight('Orders', 'count')
  await aim(sales, 0, [
    { values: months('350') },
    { member: 'North', values: months('250') },
    { member: 'South', values: months('100') },
  ])
  await aim(orders, 0, [{ values: months('6') }])
  const deps = depsAt(NOW)
  const owner = await readOwnerContext(deps, me.workspaceId)
  if (!owner) throw new Error('the workspace has an owner')
  const at = { deps, scope: owner.scope, calendar: calendarOf(owner, deps.clock) }
  await analyzeAfterLoad({ ...at, swapped: { datasetId: dataset } })
  const risks = async (id: string) => {
    const answer = await me.fetch(`/api/insights/${id}/findings?limit=50`)
    const { items } = await answer.json<FindingPage>()
    return items.filter(({ kind }) => kind === 'targetRisk')
  }
  const missed = await risks(sales)
  const [whole, north] = [null, 'North'].map((who) => missed.find(({ member }) => (member?.value ?? null) === who))
  expect([whole?.member, north?.member?.value, missed.length]).toEqual([null, 'North', 2])
  expect([whole?.effect.previous, whole?.tone]).toEqual(['4200', 'bad'])
  expect(Number(whole?.effect.value)).toBeCloseTo(3600, -2)
  expect(whole?.sentence).toContainEqual({ period: { from: '2026-01-01', to: '2026-01-01', grain: 'year' } })
  expect(await risks(orders)).toEqual([])
  await hearOf({ me, insight: sales, hidden: north?.id ?? '' })
  await aim(sales, 1, [{ values: months('290') }])
  expect(await risks(sales), 'looked at again once the targets are others').toEqual([])
})

it('opens an alert on figures before anything is looked for in the new rows, and tells open pages', async () => {
  const me = await signedIn({ app, timeZone: 'UTC' })
  const dataset = await loadedDataset(me.workspaceId, rows(), [
    column(0, { type: 'number', scale: 2, role: 'measure', label: 'Amount' }),
    column(1, { type: 'date', role: 'time', label: 'Day' }),
    column(2, { type: 'text', label: 'Region' }),
  ])
  const plan: QueryPlanInput = {
    ...{
      v: 1,
      kind: 'aggregate',
      filters: [],
      measures: [{ kind: 'column', agg: 'sum', field: { dataset, column: 'c0' } }],
    },
    dimensions: [{ field: { dataset, column: 'c1' }, grain: 'month' }],
  }
  const made = await me.fetch('/api/insights', {
    method: 'POST',
    json: { name: 'Sales', plan, viz: { chart: 'line' } },
  })
  const { id } = await made.json<Insight>()
  const create = (name: string, condition: object) =>
    me.fetch('/api/alerts', {
      method: 'POST',
      json: { name, subject: { kind: 'insight', id }, condition, receivers: [] },
    })
  expect((await create('High', { kind: 'value', op: 'above', limit: 1 })).status).toBe(201)
  expect((await create('Found', { kind: 'finding', kinds: ['change'] })).status).toBe(201)
  // As if they were evaluated before these rows came.
  await env.DB.prepare("UPDATE alerts SET groups = '[]', evaluated_at = NULL WHERE workspace_id = ?")
    .bind(me.workspaceId)
    .run()
  const deps = depsAt(NOW)
  const owner = await readOwnerContext(deps, me.workspaceId)
  const [first] = POST_LOAD_STEPS
  if (!owner || !first) throw new Error('there is an owner and a step')
  const swapped = { workspaceId: me.workspaceId, datasetId: dataset, dataVersion: 1 }
  await first.run({ deps, ...owner, calendar: calendarOf(owner, deps.clock), swapped })
  const states = await env.DB.prepare(
    'SELECT name, groups, evaluated_at AS at FROM alerts WHERE workspace_id = ? ORDER BY name',
  )
    .bind(me.workspaceId)
    .all<{ name: string; groups: string; at: number | null }>()
  expect(states.results.map(({ name, at }) => [name, at !== null])).toEqual([
    ['Found', false],
    ['High', true],
  ])
  expect(states.results[1]?.groups).toContain('"state":"open"')
  expect(first.changedNoun).toBe('alert')
})
