import { env } from 'cloudflare:test'
import { beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../../app'
import { evaluateAlert } from './evaluate'
import { accessFingerprint, Scope } from '../../scope'
import { depsAt } from '../../../test/worker/deps'
import { signedIn, type SignedIn } from '../../../test/worker/factories'
import { loadedDataset } from '../../../test/worker/loaded-dataset'
import { column } from '../../../test/worker/warehouse-rows'
import type { Alert, AlertTestRun } from '../../shared/alerts'
import type { ForecastSnapshot } from '../../shared/forecasts/accuracy'
import type { Insight } from '../../shared/insights'

/** Rows are loaded now; the clock stands a year later, on 10 March at nine in Stockholm: February is the newest complete month. */
const NOW = Date.UTC(new Date().getUTCFullYear() + 1, 2, 10, 8)
const YEAR = new Date(NOW).getUTCFullYear()
const app = createApp({ clock: { now: () => NOW }, onOutbox: () => undefined })
const COLUMNS = [
  column(0, { type: 'text', label: 'Country' }),
  column(1, { type: 'number', scale: 2, label: 'Amount', role: 'measure' }),
  column(2, { type: 'date', label: 'Day', role: 'time' }),
]
const month = (back: number): string => new Date(Date.UTC(YEAR, 2 - back, 1)).toISOString().slice(0, 10)

let me: SignedIn
let insight: Insight
let dataset = ''
beforeEach(async () => {
  me = await signedIn({ app, session: { createdAt: NOW - 60_000 }, createdAt: NOW - 60_000 })
  // 100 kr in December, 250 in January, 100 in February; in Norway 7 more each month.
  const rows = [100, 250, 100].flatMap((amount, at) => {
    const day = Date.parse(`${month(3 - at)}T00:00:00Z`) / 86_400_000
    return [
      ['SE', amount * 100, day],
      ['NO', 700, day],
    ]
  })
  dataset = await loadedDataset(me.workspaceId, rows, COLUMNS)
  const { runInDurableObject } = await import('cloudflare:test')
  await runInDurableObject(env.WAREHOUSE.get(env.WAREHOUSE.idFromName(me.workspaceId)), (_object, state) => {
    state.storage.sql.exec('UPDATE datasets SET loaded_at = ? WHERE id = ?', NOW, dataset)
  })
  const field = (key: 'c1' | 'c2') => ({ dataset, column: key })
  const plan = {
    ...{ v: 1, kind: 'aggregate', filters: [], dimensions: [{ field: field('c2'), grain: 'month' }] },
    measures: [{ kind: 'column', agg: 'sum', field: field('c1') }],
  }
  insight = await (await post('/api/insights', { name: `Sales ${dataset}`, plan, viz: { chart: 'line' } })).json()
})
const post = (path: string, json: unknown) => me.fetch(path, { method: 'POST', json })
const scopeOf = (): Scope => Scope.forJob({ workspaceId: me.workspaceId, userId: me.userId, epoch: '1.1' })

/** A forecast of the sales of Sweden, by month. */
async function forecast(id: string): Promise<string> {
  const filters = [{ field: { dataset, column: 'c0' }, any: [{ op: 'in', values: ['SE'] }] }]
  const settings = { subject: { kind: 'insight', id: insight.id, measure: 0 }, filters, grain: 'month' }
  await env.DB.prepare(
    `INSERT INTO forecasts (id, workspace_id, name, name_key, subject_kind, subject_id, settings, asked, figure, owner_id,
       created_at, updated_at) VALUES (?1, ?2, ?1, ?1, 'insight', ?3, ?4, '{}', 'figure', ?5, 1, 1)`,
  )
    .bind(id, me.workspaceId, insight.id, JSON.stringify(settings), me.userId)
    .run()
  return id
}
interface Run {
  number: number
  /** The first month it speaks of, as so many months back. */
  from: number
  said: number[]
  rights?: string
  figure?: string
}
async function run(forecastId: string, { number, from, said, rights, figure = 'figure' }: Run): Promise<void> {
  const band = (by: number) => ({ lower: said.map((one) => one - by), upper: said.map((one) => one + by) })
  const kept: ForecastSnapshot = {
    ...{ grain: 'month', periods: [], raw: [], season: 12, future: said.map((_, at) => month(from - at)) },
    path: { mean: said, bands: { 50: band(5), 80: band(10), 95: band(20) } },
  }
  await env.DB.prepare(
    `INSERT INTO forecast_runs (id, workspace_id, forecast_id, number, figure, state, rights, created_at, said)
     VALUES (?1, ?2, ?3, ?4, ?5, 'ready', ?6, 1, ?7)`,
  )
    .bind(
      ...[`${forecastId}_${number}`, me.workspaceId, forecastId, number, figure],
      ...[rights ?? accessFingerprint(scopeOf()), JSON.stringify(kept)],
    )
    .run()
}
const watching = (forecastId: string, over: Record<string, unknown> = {}) => ({
  name: `Left its band ${forecastId}`,
  subject: { kind: 'insight', id: insight.id },
  condition: { kind: 'band', forecastId },
  receivers: [me.userId],
  ...over,
})
async function made(forecastId: string, over: Record<string, unknown> = {}): Promise<Alert> {
  const answer = await post('/api/alerts', watching(forecastId, over))
  expect(answer.status).toBe(201)
  return answer.json()
}
const id = (n: number): string => `fct_0000000000000000000${n}`

describe('an alert on the band of a forecast', () => {
  it('holds the newest complete figure, as the forecast counts it, against the newest run that did not know it', async () => {
    const one = await forecast(id(1))
    await run(one, { number: 1, from: 2, said: [100, 100] })
    await run(one, { number: 2, from: 1, said: [140, 140] })
    // A later run knew February; runs of another figure or by other rights say nothing.
    await run(one, { number: 3, from: 0, said: [100] })
    await run(one, { number: 4, from: 1, said: [100], figure: 'other' })
    await run(one, { number: 5, from: 1, said: [100], rights: 'others' })
    const alert = await made(one)
    expect(alert).toMatchObject({ state: 'open', groups: [{ value: 100, compared: 140, period: month(1) }] })
    const mails = await env.DB.prepare("SELECT payload FROM outbox WHERE kind = 'mail' AND payload LIKE ?")
      .bind(`%${alert.id}%`)
      .first<string>('payload')
    expect(JSON.parse(mails ?? '')).toMatchObject({
      condition: expect.stringMatching(/^outside the 80.?% forecast interval$/),
      lines: [`${insight.name}: 100 in Feb ${YEAR} vs 140 forecast.`],
    })
    const up = await made(one, { name: 'Up', condition: { kind: 'band', forecastId: one, side: 'above' } })
    expect(up.state).toBe('ok')
  })

  it('is tried on past periods by the runs that did not know them, and waits where no run spoke', async () => {
    const one = await forecast(id(2))
    await run(one, { number: 1, from: 2, said: [100, 100] })
    const { receivers: _r, name: _n, ...rules } = watching(one)
    const tried: AlertTestRun = await (await post('/api/alerts/test', rules)).json()
    expect(tried).toMatchObject({ fired: 1, note: 'bands' })
    expect(tried.groups[0]?.readings.slice(-3).map(({ value, met, event }) => [value, met, event])).toEqual([
      [100, false, null],
      [250, true, 'opened'],
      [100, false, 'resolved'],
    ])
  })

  it('is tried by forecasts of the past where no run spoke yet, and opens by none of them', async () => {
    const one = await forecast(id(5))
    await run(one, { number: 1, from: 0, said: [100] })
    const ends = { lower: [90, 90], upper: [110, 110] }
    const path = { mean: [100, 100], bands: { 50: ends, 80: ends, 95: ends } }
    const folds = [
      { origin: 0, actual: [], path },
      {
        origin: 1,
        actual: [],
        path: { ...path, mean: [240, 240], bands: { ...path.bands, 80: { lower: [200, 200], upper: [260, 260] } } },
      },
    ]
    await env.DB.prepare('UPDATE forecast_runs SET result = ? WHERE forecast_id = ?')
      .bind(JSON.stringify({ periods: [3, 2, 1].map(month), total: { backtest: { folds } } }), one)
      .run()
    const { receivers: _r, name: _n, ...rules } = watching(one)
    const tried: AlertTestRun = await (await post('/api/alerts/test', rules)).json()
    expect(tried.groups[0]?.readings.slice(-3).map(({ compared, met }) => [compared, met])).toEqual([
      [100, false],
      [240, false],
      [240, true],
    ])
    expect((await made(one)).state).toBe('ok')
  })

  it('says when its forecast was deleted, is of something else, or is not for its owner; what was open stays open', async () => {
    const one = await forecast(id(3))
    await run(one, { number: 1, from: 1, said: [140] })
    const alert = await made(one)
    const troubleAfter = async (statement: string): Promise<[string, string | undefined]> => {
      await env.DB.prepare(statement).bind(one).run()
      await evaluateAlert(depsAt(NOW), scopeOf(), alert.id)
      const now = await (await me.fetch(`/api/alerts/${alert.id}`)).json<Alert>()
      return [now.state, now.trouble?.code]
    }
    expect(await troubleAfter("UPDATE forecast_runs SET rights = 'others' WHERE forecast_id = ?")).toEqual([
      'open',
      'refused',
    ])
    const other = `UPDATE forecasts SET settings = json_set(settings, '$.grain', 'week') WHERE id = ?`
    expect(await troubleAfter(other)).toEqual(['open', 'forecast_other'])
    expect(await troubleAfter('DELETE FROM forecasts WHERE id = ?')).toEqual(['open', 'forecast_gone'])
  })

  it('is refused without a forecast of this workspace, and about anything else than the forecast is of', async () => {
    const one = await forecast(id(4))
    const fault = async (over: Record<string, unknown>) => {
      const answer = await post('/api/alerts', watching(one, over))
      return [answer.status, Object.keys((await answer.json<{ fields?: object }>()).fields ?? {})]
    }
    const gone = { condition: { kind: 'band', forecastId: id(9) } }
    expect(await fault(gone)).toEqual([422, ['condition']])
    expect(await fault({ grain: 'quarter' })).toEqual([422, ['condition']])
    expect(await fault({ by: { field: { dataset, column: 'c0' } } })).toEqual([422, ['by']])
    expect(await fault({ on: 'running' })).toEqual([422, ['on']])
    const stranger = await signedIn({ app, session: { createdAt: NOW - 60_000 } })
    await env.DB.prepare('UPDATE forecasts SET workspace_id = ? WHERE id = ?').bind(stranger.workspaceId, one).run()
    expect(await fault({})).toEqual([422, ['condition']])
  })
})
