import { beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../app'
import { computeForecast } from '../forecasting/compute'
import { digestItems } from '../features/digest/content'
import { analyzeDataset } from '../features/findings/analyze'
import { loadAnalysisCatalogue } from '../features/findings/analysis-catalogue'
import { calendarOf, endOfPeriod, startOfPeriod } from '../semantic/calendar'
import { readMemberContext, type MemberContext } from '../identity/member-context-store'
import { casesOf } from '../../test/long'
import { depsAt } from '../../test/worker/deps'
import { signedIn, type SignedIn } from '../../test/worker/factories'
import { loadedDataset } from '../../test/worker/loaded-dataset'
import { column } from '../../test/worker/warehouse-rows'
import { env } from 'cloudflare:test'
import { isoFromDay, type Calendar } from '../shared/dates'
import type { Alert, AlertTestRun } from '../shared/alerts'
import { previewForecastSchema } from '../shared/forecasts/forecasts'
import type { ForecastInput } from '../shared/forecasts/result'
import type { Insight } from '../shared/insights'
import type { Metric } from '../shared/metrics'
import type { QueryResult } from '../shared/query/result'
import type { Report } from '../shared/reports/reports'
import type { TargetProgress } from '../shared/targets/targets'

const NOW = Date.now()
const TODAY = Math.floor(NOW / 86_400_000)
const DAYS = 1_300
type Grain = 'day' | 'week' | 'month' | 'quarter'
const GRAINS = casesOf<Grain>(['day', 'week', 'month', 'quarter'], 'week', 'month')
const YESTERDAY = ['a day ago', 1] as const
const LONG_AGO = ['four years ago', 1_461] as const
const ENDS = casesOf<readonly [name: string, back: number]>(
  [YESTERDAY, ['a month ago', 31], LONG_AGO],
  ...[YESTERDAY, LONG_AGO],
)

/** Data of every day up to an end, with an insight and a metric of them. */
interface Scene {
  dataset: string
  end: string
  insight: Insight
  metric: Metric
}
let me: SignedIn
let reader: MemberContext
let calendar: Calendar
const scenes = new Map<number, Scene>()
const deps = depsAt(NOW)

async function sent<T>(path: string, json: unknown, method = 'POST'): Promise<T> {
  const answer = await me.fetch(path, { method, ...(method === 'GET' ? {} : { json }) })
  expect([path, answer.status, await answer.clone().text()]).toEqual([
    path,
    expect.toSatisfy((status) => status < 300),
    expect.anything(),
  ])
  return answer.json<T>()
}
const sceneOf = (back: number): Scene => {
  const found = scenes.get(back)
  if (!found) throw new Error('the scene is there')
  return found
}

async function sceneEnding(back: number): Promise<Scene> {
  const columns = [
    column(0, { type: 'date', label: 'Day', role: 'time' }),
    column(1, { type: 'number', scale: 2, label: 'Amount', role: 'measure' }),
  ]
  const rows = Array.from({ length: DAYS }, (_, n) => TODAY - back - n).map((day) => [
    day,
    10_000 + ((day * 31) % 97) * 10,
  ])
  const dataset = await loadedDataset(me.workspaceId, rows, columns, `Orders ${back}`)
  const time = { dataset, column: 'c0' }
  const insight = await sent<Insight>('/api/insights', {
    name: `Sales ${back}`,
    plan: {
      ...{ v: 2, kind: 'aggregate', filters: [], dimensions: [{ field: time, grain: 'month' }] },
      measures: [{ kind: 'column', agg: 'sum', field: { dataset, column: 'c1' } }],
      period: {
        ...{ field: time, compare: 'previous', completeOnly: false },
        range: { kind: 'relative', span: 'last', unit: 'month', n: 3, includeCurrent: false },
      },
    },
    viz: { chart: 'line' },
  })
  const metric = await sent<Metric>('/api/metrics', {
    ...{ name: `Revenue ${back}`, dataset, formula: 'sum([Amount])', time, direction: 'up' },
  })
  await env.DB.prepare(
    'INSERT INTO insight_follows (workspace_id, insight_id, user_id, created_at) VALUES (?, ?, ?, 1)',
  )
    .bind(me.workspaceId, insight.id, me.userId)
    .run()
  return { dataset, end: isoFromDay(TODAY - back), insight, metric }
}

beforeAll(async () => {
  me = await signedIn({ app: createApp(), timeZone: 'UTC', subscription: { state: 'active', planId: 'professional' } })
  const found = await readMemberContext(deps, { workspaceId: me.workspaceId, userId: me.userId })
  if (!found) throw new Error('the reader is there')
  reader = found
  calendar = calendarOf(reader, deps.clock)
  for (const [, back] of ENDS) scenes.set(back, await sceneEnding(back))
})

/** The newest period that is over and whose last day has rows. */
function lastWhole(end: string, grain: Grain): string {
  const start = startOfPeriod(end, grain, calendar)
  return endOfPeriod(start, grain, calendar) === end ? start : startOfPeriod(end, grain, calendar, -1)
}
const planOf = ({ dataset, metric, insight }: Scene, unit: string, of: 'metric' | 'insight') => ({
  ...{ v: 2, kind: 'aggregate', filters: [], dimensions: [{ field: { dataset, column: 'c0' }, grain: unit }] },
  measures: of === 'metric' ? [{ kind: 'metric', id: metric.id }] : insight.plan.measures,
  period: {
    ...{ field: { dataset, column: 'c0' }, compare: 'none', completeOnly: false },
    range: { kind: 'relative', span: 'last', unit, n: 3, includeCurrent: false },
  },
})

describe.each(ENDS)('data that ended %s', (_name, back) => {
  it.each(GRAINS)('show the last %ss there are, of insights and of metrics, and say where they end', async (grain) => {
    const scene = sceneOf(back)
    for (const of of ['insight', 'metric'] as const) {
      const { rows, period } = await sent<QueryResult>('/api/query', { plan: planOf(scene, grain, of) })
      expect(rows.length).toBeGreaterThanOrEqual(2)
      const isOld = scene.end < startOfPeriod(calendar.today, grain, calendar, -1)
      if (isOld) expect([rows.length, period?.dataTo]).toEqual([3, scene.end])
    }
  })

  it.each(GRAINS)('are forecast by %s from their last whole one', async (grain) => {
    const { end, insight, metric } = sceneOf(back)
    for (const subject of [{ kind: 'insight', id: insight.id } as const, { kind: 'metric', id: metric.id } as const]) {
      const prepared = await sent<ForecastInput>('/api/forecasts/preview', { subject, grain, horizon: 4 })
      expect([grain, prepared.periods.at(-1)]).toEqual([grain, lastWhole(end, grain)])
      const settings = previewForecastSchema.parse({ subject, grain, horizon: 4 })
      const made = computeForecast(prepared, settings, null)
      expect(made.ok && made.result.total.path.mean.every((v) => v > 0)).toBe(true)
    }
  })

  it.each(GRAINS)('are judged by alerts at the last whole %s, with its state', async (grain) => {
    const { end, metric } = sceneOf(back)
    const rules = { subject: { kind: 'metric', id: metric.id }, grain, receivers: [me.userId] }
    for (const [op, state] of [
      ['above', 'open'],
      ['below', 'ok'],
    ] as const) {
      const name = `${op} ${grain} ${back}`
      const alert = await sent<Alert>('/api/alerts', { ...rules, name, condition: { kind: 'value', op, limit: 1 } })
      expect([alert.state, alert.groups[0]?.period]).toEqual([state, lastWhole(end, grain)])
      const run = await sent<AlertTestRun>(`/api/alerts/${alert.id}/test`, undefined)
      expect(run.periods.at(-1)).toBe(lastWhole(end, grain))
    }
    // A cut period is no fall.
    const condition = { kind: 'change', op: 'falls', by: 0.4, unit: 'percent', against: 'previous' }
    const fall = await sent<Alert>('/api/alerts', { ...rules, name: `fall ${grain} ${back}`, condition })
    expect([fall.state, fall.groups[0]?.compared === null]).toEqual(['ok', false])
  })

  it('have targets, a digest, findings and tiles of reports', async () => {
    const { end, insight, dataset } = sceneOf(back)
    const month = startOfPeriod(end, 'month', calendar)
    await sent(
      `/api/insights/${insight.id}/targets`,
      { grain: 'month', lines: [{ values: [{ period: month, value: '100' }] }], version: 0 },
      'PUT',
    )
    const { progress } = await sent<{ progress: TargetProgress | null }>(
      `/api/insights/${insight.id}/progress`,
      undefined,
      'GET',
    )
    expect(progress?.lines[0]?.now).toMatchObject({ period: month, actual: expect.toSatisfy((v) => v > 0) })

    const items = await digestItems(deps, reader)
    const line = items.find(({ insightId }) => insightId === insight.id)?.lines[0] ?? ''
    expect(line).not.toMatch(/No complete|Couldn/)
    expect(/data to/.test(line)).toBe(back > 1_000)

    const at = { deps, scope: reader.scope, calendar }
    const catalogue = await loadAnalysisCatalogue(deps, reader.scope)
    const home = catalogue.find(dataset)
    expect(home && (await analyzeDataset(at, catalogue, home))).toBe(true)

    const made = await sent<Report>('/api/reports', { kind: 'interactive', name: `Report ${back}` })
    const block = { id: 'block1', place: { x: 0, y: 0, w: 6, h: 6 }, kind: 'insight', insight: insight.id }
    const content = {
      ...{ v: 1, period: { range: null, compare: 'none' }, filters: [] },
      pages: [{ id: 'page01', name: 'Page', blocks: [block] }],
    }
    await sent(`/api/reports/${made.id}`, { name: made.name, content, version: 1 }, 'PUT')
    const ask = { of: 'draft', page: 'page01', filters: [] }
    const tiles = await me.fetch(`/api/reports/${made.id}/tiles`, { method: 'POST', json: ask })
    const [tile] = (await tiles.text()).split('\n')
    expect([tiles.status, tile]).toEqual([200, expect.stringContaining(lastWhole(end, 'month'))])
  })
})
