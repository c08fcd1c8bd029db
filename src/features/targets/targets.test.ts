import { env } from 'cloudflare:test'
import { beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../../app'
import { signedIn, type SignedIn } from '../../../test/worker/factories'
import { loadedDataset } from '../../../test/worker/loaded-dataset'
import { column } from '../../../test/worker/warehouse-rows'
import type { Insight } from '../../shared/insights'
import type { TargetProgress, TargetTable } from '../../shared/targets/targets'

const TODAY = '2026-03-10'
const app = createApp({ clock: { now: () => Date.parse(`${TODAY}T08:00:00Z`) }, onOutbox: () => undefined })
const dayOf = (iso: string): number => Date.parse(`${iso}T00:00:00Z`) / 86_400_000

const SALES_COLUMNS = [
  column(0, { type: 'text', label: 'Country' }),
  column(1, { type: 'number', scale: 2, label: 'Amount', role: 'measure' }),
  column(2, { type: 'date', label: 'Day', role: 'time' }),
]

let me: SignedIn
let insight: Insight
let dataset: string
beforeEach(async () => {
  const at = Date.parse(`${TODAY}T07:00:00Z`)
  me = await signedIn({ app, createdAt: at, session: { createdAt: at } })
  const sales: [string, number, string][] = [
    ['SE', 100, '2025-03-05'],
    ['SE', 300, '2025-03-25'],
    ['SE', 900, '2026-01-10'],
    ['NO', 300, '2026-02-10'],
    ['SE', 250, '2026-03-04'],
    ['NO', 50, '2026-03-09'],
  ]
  const rows = sales.map(([country, amount, day]) => [country, amount * 100, dayOf(day)])
  dataset = await loadedDataset(me.workspaceId, rows, SALES_COLUMNS)
  insight = await insightOf('sum')
})

async function insightOf(agg: 'sum' | 'avg', dimensions?: unknown[], least = 0): Promise<Insight> {
  const field = (key: string) => ({ dataset, column: key })
  const plan = {
    ...{
      v: 1,
      kind: 'aggregate',
      filters: [{ field: field('c1'), any: [{ op: 'ge', value: least }] }],
      measures: [{ kind: 'column', agg, field: field('c1') }],
    },
    dimensions: dimensions ?? [{ field: field('c2'), grain: 'month' }],
  }
  const json = {
    name: `${agg} ${dimensions?.length ?? ''} ${least}`,
    plan,
    viz: { chart: dimensions ? 'number' : 'line' },
  }
  return (await me.fetch('/api/insights', { method: 'POST', json })).json()
}
const put = async (json: object, of = insight) => {
  const answer = await me.fetch(`/api/insights/${of.id}/targets`, { method: 'PUT', json })
  return { status: answer.status, body: await answer.json<TargetTable & { code?: string; current?: TargetTable }>() }
}
const months = (values: string[]) =>
  values.map((value, at) => ({ period: `2026-${String(at + 1).padStart(2, '0')}-01`, value }))
const table = (values: string[], more: object = {}) => ({
  grain: 'month',
  lines: [{ values: months(values) }],
  version: 0,
  ...more,
})
const progressOf = async (of = insight): Promise<TargetProgress | null> =>
  (await (await me.fetch(`/api/insights/${of.id}/progress`)).json<{ progress: TargetProgress | null }>()).progress

describe('targets', () => {
  it('are kept as they were written, to the last decimal, and tell the slower of two what is stored', async () => {
    expect(await (await me.fetch(`/api/insights/${insight.id}/targets`)).json()).toMatchObject({
      lines: [],
      version: 0,
    })
    const saved = await put(table(['1000.0001', '-5']))
    expect(saved).toMatchObject({ status: 200, body: { version: 1, updatedBy: 'Test Person' } })
    expect(await (await me.fetch(`/api/insights/${insight.id}/targets`)).json()).toEqual(saved.body)
    const late = await put(table(['1']))
    expect(late).toMatchObject({ status: 409, body: { code: 'version_conflict', current: { version: 1 } } })
    expect((await put(table(['2'], { version: 1 }))).body.version).toBe(2)
    const gone = await put({ grain: 'month', lines: [], version: 2 })
    expect(gone.body).toMatchObject({ lines: [], version: 3 })
    expect(await progressOf()).toBe(null)
  })

  it('are written once when two people save the first at the same time', async () => {
    const answers = await Promise.all([put(table(['1'])), put(table(['2'])), put(table(['3']))])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
  })

  it('refuse days that begin no period, members of nothing, and figures without a date', async () => {
    const odd = { grain: 'quarter', lines: [{ values: [{ period: '2026-02-01', value: '1' }] }], version: 0 }
    expect(await put(odd)).toMatchObject({ status: 422, body: { fields: { lines: expect.any(String) } } })
    const members = { grain: 'month', lines: [{ member: 'SE', values: [] }], version: 0 }
    expect((await put(members)).status).toBe(422)
    const dateless = await insightOf('sum', [])
    expect((await put(table(['1']), dateless)).status).toBe(422)
    expect((await put(table(['1.23456']))).status).toBe(422)
  })

  it('say where the month and the year should be on the last day with data, by how last March filled', async () => {
    await put(table(['1000', '500', '400', ...Array<string>(9).fill('100')]))
    const progress = await progressOf()
    expect(progress).toMatchObject({ today: '2026-03-09', direction: 'up', grain: 'month' })
    // A quarter of last March was sold by its ninth day.
    expect(progress?.lines[0]?.now).toEqual({
      ...{ period: '2026-03-01', actual: 300, target: 400, share: 0.75, expected: 100, basis: 'lastYear' },
      status: 'ahead',
    })
    expect(progress?.lines[0]?.year).toMatchObject({ actual: 1500, target: 2800, expected: 1600, status: 'behind' })
  })

  it('follow members for themselves, by days where last year says nothing', async () => {
    const by = { field: { dataset, column: 'c0' } }
    const line = (member: string) => ({ member, values: [{ period: '2026-03-01', value: '310' }] })
    await put({ grain: 'month', by, lines: [line('NO'), line('FI')], version: 0 })
    const progress = await progressOf()
    expect(progress?.lines).toMatchObject([
      { label: 'NO', now: { actual: 50, expected: 90, basis: 'days', status: 'behind' }, year: null },
      { label: 'FI', now: { actual: 0, status: 'behind' } },
    ])
  })

  it('end with the newest month that has rows: what is not loaded is not behind', async () => {
    const large = await insightOf('sum', undefined, 300)
    await put(table(['1000', '400', '1000', ...Array.from({ length: 9 }, () => '0')]), large)
    const progress = await progressOf(large)
    expect(progress).toMatchObject({ today: '2026-02-28' })
    expect(progress?.lines[0]?.now).toMatchObject({ period: '2026-02-01', actual: 300, target: 400, expected: 400 })
    expect(progress?.lines[0]?.year).toMatchObject({ actual: 1200, target: 2400, expected: 1400 })
  })

  it('expect no more of a month than its days with data allow, though today is later', async () => {
    const rows = [
      ['SE', 50_000, dayOf('2026-01-05')],
      ['SE', 60_000, dayOf('2026-01-14')],
    ]
    dataset = await loadedDataset(me.workspaceId, rows, SALES_COLUMNS)
    const ended = await insightOf('sum', undefined, 1)
    await put(table(['3100', '100', '100']), ended)
    const progress = await progressOf(ended)
    expect(progress).toMatchObject({ today: '2026-01-14' })
    expect(progress?.lines[0]?.now).toMatchObject({
      period: '2026-01-01',
      actual: 1100,
      expected: 1400,
      status: 'behind',
    })
  })

  it('have the pace of the metric that the insight shows', async () => {
    const time = { dataset, column: 'c2' }
    const json = { name: 'Sold', dataset, formula: 'sum([Amount])', time }
    const { id } = await (await me.fetch('/api/metrics', { method: 'POST', json })).json<{ id: string }>()
    const plan = { v: 2, kind: 'aggregate', dataset, filters: [], measures: [{ kind: 'metric', id }] }
    const split = { ...plan, dimensions: [{ field: time, grain: 'month' }] }
    const asked = { name: 'Sold by month', plan: split, viz: { chart: 'line' } }
    const shown: Insight = await (await me.fetch('/api/insights', { method: 'POST', json: asked })).json()
    await put(table(['1', '1', '400']), shown)
    expect((await progressOf(shown))?.lines[0]?.now).toMatchObject({ actual: 300, expected: 100, status: 'ahead' })
  })

  it('hold an average against its target itself: it has no pace', async () => {
    const average = await insightOf('avg')
    await put(table(['1', '1', '160']), average)
    expect((await progressOf(average))?.lines).toMatchObject([
      { now: { actual: 150, expected: null, basis: null, status: 'behind' }, year: null },
    ])
  })

  it('are set for metrics too, which stand for their formula, and go with them', async () => {
    const field = (column: string) => ({ dataset, column })
    const json = { name: 'Revenue', dataset, formula: 'sum([Amount])', time: field('c2'), direction: 'down' }
    const made = await me.fetch('/api/metrics', { method: 'POST', json })
    const metric = await made.json<{ id: string }>()
    expect(made.status).toBe(201)
    const saved = await me.fetch(`/api/metrics/${metric.id}/targets`, { method: 'PUT', json: table(['1', '1', '400']) })
    expect(saved.status).toBe(200)
    const answer = await me.fetch(`/api/metrics/${metric.id}/progress`)
    expect(await answer.json()).toMatchObject({
      progress: { direction: 'down', lines: [{ now: { actual: 300, expected: 100, status: 'behind' } }] },
    })
    const tables = async () =>
      (
        await env.DB.prepare("SELECT id FROM targets WHERE workspace_id = ? AND subject_kind = 'metric'")
          .bind(me.workspaceId)
          .all()
      ).results.length
    expect(await tables()).toBe(1)
    const gone = await me.fetch(`/api/metrics/${metric.id}?version=1&force=1`, { method: 'DELETE' })
    expect([gone.status, await tables()]).toEqual([200, 0])
  })
})
