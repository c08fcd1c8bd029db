import { env } from 'cloudflare:test'
import { beforeAll, describe, expect, it } from 'vitest'
import { executeRun, abandonRun, queueDependentRuns, queueRuns } from './runner'
import { failAbandonedRuns, restartStalledRuns } from './run-recovery'
import { forecastRunStore } from './run-store'
import { forecastStore } from './store'
import { accessFingerprint, Scope } from '../../scope'
import { readOwnerContext } from '../../identity/member-context-store'
import { createApp } from '../../app'
import { openDatabase } from '../../db/database'
import { systemIds } from '../../deps'
import { ProductError } from '../../shared/errors'
import { DRIVERS_MAX } from '../../shared/forecasts/forecasts'
import type { Forecast, ForecastListItem, ForecastRun, ForecastRunWithResult } from '../../shared/forecasts/forecasts'
import type { Insight } from '../../shared/insights'
import type { ListPage } from '../../shared/field-schemas'
import { LONG } from '../../../test/long'
import { depsAt } from '../../../test/worker/deps'
import { signedIn, unique } from '../../../test/worker/factories'
import type { SignedIn } from '../../../test/worker/factories'
import { prepared, resultOf } from '../../../test/worker/forecast-fixtures'
import { loadedDataset } from '../../../test/worker/loaded-dataset'
import { aRowOfEach } from '../../../test/worker/resources'
import { column } from '../../../test/worker/warehouse-rows'
import type { StorageValue } from '../../lib/storage-value'

const NOW = Date.parse('2026-10-20T08:00:00Z')
/** Calls at once. */
const MANY = LONG ? 50 : 12
const app = createApp({ clock: { now: () => NOW }, onOutbox: () => undefined })
const deps = depsAt(NOW)
const json = async <T>(answer: Promise<Response>): Promise<T> => {
  const body: T = await (await answer).json()
  return body
}
const day = (at: number): number => at / 86_400_000

/** Four years of months with a season, and a place to sell in. */
const rows = (): StorageValue[][] =>
  Array.from({ length: 48 }, (_, month): StorageValue[][] => {
    const at = day(Date.UTC(2022, 9 + month, 5))
    const amount = 10_000 + 40 * month + 2_000 * Math.sin((Math.PI * month) / 6)
    return [
      [Math.round(amount * 0.7), at, '=North'],
      [Math.round(amount * 0.3), at, 'South'],
    ]
  }).flat()

interface CreatedForecast {
  me: SignedIn
  dataset: string
  insight: Insight
}
async function aFigure(me: SignedIn): Promise<CreatedForecast> {
  const dataset = await loadedDataset(me.workspaceId, rows(), [
    column(0, { type: 'number', scale: 2, role: 'measure', label: 'Amount' }),
    column(1, { type: 'date', role: 'time', label: 'Day' }),
    column(2, { type: 'text', label: 'Region' }),
  ])
  const measures = [{ kind: 'column', agg: 'sum', field: { dataset, column: 'c0' } }]
  const dimensions = [{ field: { dataset, column: 'c1' }, grain: 'month' }]
  const body = { name: unique('sales'), plan: { v: 1, kind: 'aggregate', measures, dimensions, filters: [] } }
  const insight = await json<Insight>(
    me.fetch('/api/insights', { method: 'POST', json: { ...body, viz: { chart: 'line', direction: 'up' } } }),
  )
  return { me, dataset, insight }
}
const bodyOf = ({ insight }: CreatedForecast, more: object = {}) => ({
  ...{ name: unique('ahead'), subject: { kind: 'insight', id: insight.id }, horizon: 3, ...more },
})
const make = (at: CreatedForecast, more: object = {}): Promise<Forecast> =>
  json(at.me.fetch('/api/forecasts', { method: 'POST', json: bodyOf(at, more) }))
const read = ({ me }: CreatedForecast, id: string): Promise<Forecast> => json(me.fetch(`/api/forecasts/${id}`))
const ask = ({ me }: CreatedForecast, id: string): Promise<ForecastRun> =>
  json(me.fetch(`/api/forecasts/${id}/run`, { method: 'POST' }))
const openRun = async ({ me }: CreatedForecast, id: string): Promise<string> =>
  (await forecastRunStore(deps.db, Scope.forSystem(me.workspaceId)).findOpen(id))?.id ?? ''

/** A forecast whose run was begun at an instant, by a process that is gone. */
async function killedRun(when: number): Promise<string> {
  const { id } = await make(at)
  const runId = await openRun(at, id)
  await env.DB.prepare('UPDATE outbox SET delivered_at = 1 WHERE key = ?').bind(`forecastRun:${runId}`).run()
  await forecastRunStore(deps.db, Scope.forSystem(at.me.workspaceId)).claim(runId, 'gone', when)
  return id
}
const startsOf = async (forecastId: string): Promise<{ tries: number; alive_at: number }> => {
  const found = env.DB.prepare('SELECT tries, alive_at FROM forecast_runs WHERE forecast_id = ?').bind(forecastId)
  return (await found.first<{ tries: number; alive_at: number }>()) ?? { tries: 0, alive_at: 0 }
}

/** Does the run that waits; what it finds is told by the hash. */
async function run(at: CreatedForecast, id: string, hash: string, datasets = [at.dataset]): Promise<void> {
  const params = { workspaceId: at.me.workspaceId, runId: await openRun(at, id) }
  await executeRun(deps, params, {
    prepare: () => Promise.resolve(prepared(hash, datasets)),
    compute: (figures) => ({ ok: true, result: resultOf(figures) }),
  })
}
const refusal = async (answer: Promise<Response>) => {
  const { status, body } = await answer.then(async (one) => ({
    status: one.status,
    body: await one.json<{ code: string; reason?: string; limit?: string }>(),
  }))
  return [status, body.code, body.reason ?? body.limit]
}

let at: CreatedForecast
beforeAll(async () => {
  at = await aFigure(await signedIn({ app, timeZone: 'UTC' }))
})

describe('keeping forecasts', () => {
  it('begins with a run that waits, and tells what it is of', async () => {
    const made = await make(at)
    expect(made).toMatchObject({ state: 'queued', subjectName: at.insight.name, horizon: 3, grain: 'month', level: 80 })
    expect(await read(at, made.id)).toEqual(made)
    const list = await json<ListPage<ForecastListItem>>(at.me.fetch(`/api/forecasts?insight=${at.insight.id}&q=AHEAD`))
    expect(list.items.map(({ id, picture, breach }) => [id, picture, breach])).toContainEqual([made.id, null, null])
  })

  it('refuses a name twice, what is gone, what has no date, and what is not in the rows', async () => {
    const { me } = at
    const { name } = await make(at)
    const create = (more: object) => me.fetch('/api/forecasts', { method: 'POST', json: bodyOf(at, more) })
    expect((await refusal(create({ name })))[1]).toBe('name_taken')
    const gone = { kind: 'insight', id: systemIds.next('insight') }
    expect((await refusal(create({ subject: gone })))[1]).toBe('invalid_input')
    const by = { field: { dataset: at.dataset, column: 'c9' } }
    expect((await refusal(create({ by })))[1]).toBe('unknown_field')
    expect((await refusal(create({ floor: 5, ceiling: 5 })))[1]).toBe('invalid_input')
  })

  it('answers the same call again with the same forecast', async () => {
    const body = { method: 'POST', json: bodyOf(at), headers: { 'idempotency-key': unique('key') } }
    const [first, again] = [await at.me.fetch('/api/forecasts', body), await at.me.fetch('/api/forecasts', body)]
    expect([first.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 201, 'true'])
    expect(await again.json()).toEqual(await first.json())
  })

  it('saves only over the version that was read, and says what stands', async () => {
    const made = await make(at)
    await run(at, made.id, 'a')
    const { name, subject } = made
    const put = (body: object) => at.me.fetch(`/api/forecasts/${made.id}`, { method: 'PUT', json: body })
    const renamed = await json<Forecast>(put({ name: unique('new'), subject, horizon: 3, version: 1 }))
    expect([renamed.version, renamed.state]).toEqual([2, 'ready'])
    const late = await put({ name, subject, horizon: 3, version: 1 })
    expect([late.status, await late.json()]).toMatchObject([409, { code: 'version_conflict', current: { version: 2 } }])
    const other = await json<Forecast>(put({ name, subject, horizon: 6, version: 2 }))
    expect([other.state, other.ready?.number]).toEqual(['queued', 1])
  })

  it('saves beside the largest result, of which the stored answer to the call keeps nothing', async () => {
    const made = await make(at)
    await run(at, made.id, 'a')
    await env.DB.prepare("UPDATE forecast_runs SET result = json_set(result, '$.more', ?) WHERE forecast_id = ?")
      .bind('x'.repeat(1_900_000), made.id)
      .run()
    const headers = { 'idempotency-key': unique('key') }
    const body = {
      method: 'PUT',
      json: { name: unique('kept'), subject: made.subject, horizon: 3, version: 1 },
      headers,
    }
    const saved = await json<Forecast>(at.me.fetch(`/api/forecasts/${made.id}`, body))
    expect([saved.name, saved.ready?.result?.future.length]).toEqual([body.json.name, 3])
    const again = await json<Forecast>(at.me.fetch(`/api/forecasts/${made.id}`, body))
    expect([again.name, again.version, again.ready?.number, again.ready?.result]).toEqual([saved.name, 2, 1, null])
  })

  it('keeps scenarios and levels, says in the list when one is broken, and asks anew for a figure that drives one', async () => {
    const made = await make(at)
    await run(at, made.id, 'a')
    const put = (body: object) => at.me.fetch(`/api/forecasts/${made.id}/scenarios`, { method: 'PUT', json: body })
    const step = { kind: 'percent', by: 0.1, from: '2026-01-01', to: '2026-03-31' }
    const scenarios = [{ id: 'abcdef', name: 'More', steps: [step] }]
    const thresholds = [{ name: 'Floor', side: 'below', value: 11 }]
    expect(await json(put({ scenarios, thresholds, version: 1 }))).toMatchObject({
      scenarios,
      thresholds,
      state: 'ready',
    })
    const { items } = await json<ListPage<ForecastListItem>>(at.me.fetch('/api/forecasts'))
    const card = items.find(({ id }) => id === made.id)
    expect(card?.breach).toEqual({ threshold: 'Floor', period: '2026-01-01' })
    expect(card?.picture).toMatchObject({ past: Array(12).fill(10), mean: [10, 10, 10], lower: [8, 8, 8] })
    const driver = { kind: 'driver', metric: systemIds.next('metric'), factor: 2, from: '2026-01-01', to: '2026-03-31' }
    const driven = [{ id: 'abcdef', name: 'More', steps: [driver] }]
    expect((await refusal(put({ scenarios: driven, thresholds, version: 2 })))[1]).toBe('invalid_input')
    const metric = { name: unique('orders'), dataset: at.dataset, formula: 'count(*)', direction: 'up' }
    const { id } = await json<{ id: string }>(at.me.fetch('/api/metrics', { method: 'POST', json: metric }))
    const known = [{ id: 'abcdef', name: 'More', steps: [{ ...driver, metric: id }] }]
    expect(await json(put({ scenarios: known, thresholds, version: 2 }))).toMatchObject({ state: 'queued', version: 3 })
    const many = Array.from({ length: DRIVERS_MAX + 1 }, () => ({ ...driver, metric: systemIds.next('metric') }))
    const more = await put({ scenarios: [{ id: 'abcdef', name: 'More', steps: many }], thresholds, version: 3 })
    expect([more.status, await more.text()]).toEqual([422, expect.stringContaining(`at most ${DRIVERS_MAX} metrics`)])
  })

  it('deletes it with its runs, of the version that was read', async () => {
    const made = await make(at)
    await run(at, made.id, 'a')
    expect((await at.me.fetch(`/api/forecasts/${made.id}?version=2`, { method: 'DELETE' })).status).toBe(409)
    expect((await at.me.fetch(`/api/forecasts/${made.id}?version=1`, { method: 'DELETE' })).status).toBe(200)
    const left = env.DB.prepare('SELECT count(*) AS n FROM forecast_runs WHERE forecast_id = ?').bind(made.id)
    expect([await left.first('n'), (await at.me.fetch(`/api/forecasts/${made.id}`)).status]).toEqual([0, 404])
  })
})

describe('limits', () => {
  it('let as many in as the plan has room for, of many at once', async () => {
    const few = await aFigure(await signedIn({ app, subscription: { override: { activeForecasts: 3 } } }))
    const tries = Array.from({ length: MANY }, () =>
      few.me.fetch('/api/forecasts', { method: 'POST', json: bodyOf(few) }),
    )
    const answers = await Promise.all(tries.map(refusal))
    expect(answers.filter(([status]) => status === 201)).toHaveLength(3)
    expect(answers.filter(([, code, limit]) => code === 'limit_reached' && limit === 'activeForecasts')).toHaveLength(
      MANY - 3,
    )
  })

  it('freeze the newest: it shows what it found, does not run, and can be deleted', async () => {
    const two = await aFigure(await signedIn({ app }))
    const [older, newer] = [await make(two), await make(two)]
    const scope = Scope.forJob({ workspaceId: two.me.workspaceId, userId: two.me.userId, epoch: '1.1' })
    await env.DB.prepare('UPDATE forecasts SET created_at = 1 WHERE id = ?').bind(older.id).run()
    await run(two, newer.id, 'a')
    await run(two, older.id, 'a')
    await env.DB.prepare('UPDATE subscriptions SET override = ? WHERE workspace_id = ?')
      .bind('{"activeForecasts":1}', two.me.workspaceId)
      .run()
    const FROZEN = [402, 'read_only', 'frozen']
    const path = `/api/forecasts/${newer.id}`
    const { name, subject } = newer
    expect(await refusal(two.me.fetch(`${path}/run`, { method: 'POST' }))).toEqual(FROZEN)
    expect(await refusal(two.me.fetch(path, { method: 'PUT', json: { name, subject, version: 1 } }))).toEqual(FROZEN)
    const nothing = { scenarios: [], thresholds: [], version: 1 }
    expect(await refusal(two.me.fetch(`${path}/scenarios`, { method: 'PUT', json: nothing }))).toEqual(FROZEN)
    const content = { name, settings: newer, scenarios: [] }
    const written = async (max: number) =>
      (
        await forecastStore(deps.db, { scope, max })
          .update(newer.id, content, { version: 1, now: 1, takeOver: false })
          .run()
      ).meta.changes
    expect([await written(1), (await read(two, newer.id)).frozen]).toEqual([0, true])
    expect((await read(two, newer.id)).ready?.result).not.toBeNull()
    const reading = (max: number | null) => forecastRunStore(deps.db, scope).dependentForecastIds(two.dataset, max)
    expect([await reading(1), (await reading(null)).length]).toEqual([[older.id], 2])
    expect((await two.me.fetch(`${path}?version=1`, { method: 'DELETE' })).status).toBe(200)
  })
})

describe('runs', () => {
  it('are one at a time: whoever asks meanwhile is told of the one that is there', async () => {
    const made = await make(at)
    await run(at, made.id, 'a')
    const asked = await Promise.all(Array.from({ length: 20 }, () => ask(at, made.id)))
    expect(new Set(asked.map(({ id, state, number }) => JSON.stringify([id, state, number]))).size).toBe(1)
    expect(asked[0]).toMatchObject({ number: 2, state: 'queued' })
  })

  it('find nothing new in equal figures, and are taken back', async () => {
    const made = await make(at)
    await run(at, made.id, 'a')
    await ask(at, made.id)
    await run(at, made.id, 'a')
    const again = await read(at, made.id)
    expect([again.state, again.lastRun?.number]).toEqual(['ready', 1])
    await ask(at, made.id)
    await run(at, made.id, 'b')
    const { items } = await json<ListPage<ForecastRun>>(at.me.fetch(`/api/forecasts/${made.id}/runs`))
    expect(items.map(({ number, state }) => [number, state])).toEqual([
      [2, 'ready'],
      [1, 'ready'],
    ])
  })

  it('that are killed leave nothing half, and are done again; whoever began last writes', async () => {
    const made = await make(at)
    const params = { workspaceId: at.me.workspaceId, runId: await openRun(at, made.id) }
    const killed = executeRun(deps, params, {
      prepare: () => Promise.reject(new Error('killed')),
      compute: () => ({ ok: false, trouble: { code: 'refused', message: '' } }),
    })
    await expect(killed).rejects.toThrow('killed')
    expect(await read(at, made.id)).toMatchObject({ state: 'running', ready: null, lastRun: { finishedAt: null } })
    // It comes back while another is at it.
    await executeRun(deps, params, {
      prepare: async () => {
        await run(at, made.id, 'second')
        return prepared('first')
      },
      compute: (figures) => ({ ok: true, result: resultOf(figures, 99) }),
    })
    const found = await read(at, made.id)
    expect([found.state, found.ready?.result?.inputHash, found.ready?.number]).toEqual(['ready', 'second', 1])
    await executeRun(deps, params)
    expect(await read(at, made.id)).toEqual(found)
  })

  it('say why they found nothing', async () => {
    const made = await make(at)
    const params = async () => ({ workspaceId: at.me.workspaceId, runId: await openRun(at, made.id) })
    const trouble = { code: 'too_short', message: 'Too short.', have: 3, need: 8 }
    await executeRun(deps, await params(), {
      prepare: () => Promise.resolve(prepared('a')),
      compute: () => ({ ok: false, trouble }),
    })
    const told = { state: 'too_short', lastRun: { trouble, number: 1 }, ready: null }
    expect(await read(at, made.id)).toMatchObject(told)
    await ask(at, made.id)
    await executeRun(deps, await params(), {
      prepare: () => Promise.resolve(prepared('a')),
      compute: () => ({ ok: false, trouble }),
    })
    expect(await read(at, made.id)).toMatchObject(told)
    const refused = async (error: ProductError) => {
      await ask(at, made.id)
      await executeRun(deps, await params(), {
        prepare: () => Promise.reject(error),
        compute: () => ({ ok: false, trouble }),
      })
      const { state, lastRun } = await read(at, made.id)
      return [state, lastRun?.trouble?.code, lastRun?.trouble?.need, lastRun?.number]
    }
    expect(await refused(new ProductError('too_short', { have: 0, need: 8 }))).toEqual(['too_short', 'too_short', 8, 2])
    expect(await refused(new ProductError('not_found'))).toEqual(['failed', 'subject_gone', undefined, 3])
    expect(await refused(new ProductError('not_found'))).toEqual(['failed', 'subject_gone', undefined, 3])
    await ask(at, made.id)
    await abandonRun(deps, await params())
    expect(await read(at, made.id)).toMatchObject({ state: 'failed', lastRun: { trouble: { code: 'internal' } } })
  })

  it('are given up when nobody works on them, and follow one that died', async () => {
    const made = await make(at)
    await env.DB.prepare(
      "UPDATE forecast_runs SET state = 'running', started_at = 1, created_at = 1 WHERE forecast_id = ?",
    )
      .bind(made.id)
      .run()
    await env.DB.prepare('UPDATE forecasts SET again = 1 WHERE id = ?').bind(made.id).run()
    await failAbandonedRuns(deps)
    const { items } = await json<ListPage<ForecastRun>>(at.me.fetch(`/api/forecasts/${made.id}/runs`))
    expect(items.map(({ state, byName }) => [state, byName])).toEqual([
      ['queued', null],
      ['failed', expect.any(String)],
    ])
  })

  it('are started again within two minutes after their process was killed, at whatever moment of a minute', async () => {
    for (const killedAt of [0, 9, 10, 11, 30, 59].map((second) => NOW + second * 1_000)) {
      const id = await killedRun(killedAt)
      const rounds = [1, 2].map((minute) => NOW + minute * 60_000)
      for (const now of rounds.filter((round) => round > killedAt)) await restartStalledRuns(depsAt(now))
      const { tries, alive_at: restartedAt } = await startsOf(id)
      expect([killedAt - NOW, tries]).toEqual([killedAt - NOW, 2])
      expect(restartedAt - killedAt).toBeLessThanOrEqual(110_000)
      await run(at, id, 'a')
      expect((await read(at, id)).state).toBe('ready')
    }
  })

  it('are left alone while they give signs, while their start waits, and when they have ended', async () => {
    const [slow, waiting, ended] = [await killedRun(NOW), await make(at).then(({ id }) => id), await killedRun(NOW)]
    await env.DB.prepare('UPDATE forecast_runs SET alive_at = ? WHERE forecast_id = ?')
      .bind(NOW + 75_000, slow)
      .run()
    await run(at, ended, 'a')
    await restartStalledRuns(depsAt(NOW + 120_000))
    const starts = await Promise.all([slow, waiting, ended].map(startsOf))
    expect(starts.map(({ tries }) => tries)).toEqual([1, 1, 1])
  })

  it('have longer at each start, are started four times at most, and then are given up', async () => {
    const id = await killedRun(NOW)
    const startedAt: number[] = []
    const every = Array.from({ length: LONG ? 240 : 22 }, (_, n) => n + 1)
    for (const minute of LONG ? every : [...every, 40, 90, 239, 240]) {
      const now = NOW + minute * 60_000
      await restartStalledRuns(depsAt(now))
      await env.DB.prepare('UPDATE outbox SET delivered_at = 1 WHERE workspace_id = ?').bind(at.me.workspaceId).run()
      if ((await startsOf(id)).tries > startedAt.length + 1) startedAt.push(minute)
    }
    expect(startedAt).toEqual([1, 5, 19])
    await failAbandonedRuns(depsAt(NOW + 240 * 60_000))
    expect(await read(at, id)).toMatchObject({ state: 'failed', lastRun: { trouble: { code: 'internal' } } })
  })

  it('stand in the name of the owner: without a seat they say so, and whoever saves it takes it over', async () => {
    const analyst = await signedIn({ app, workspaceId: at.me.workspaceId, role: 'analyst' })
    const made = await make({ ...at, me: analyst })
    await env.DB.prepare("UPDATE members SET status = 'suspended' WHERE user_id = ?").bind(analyst.userId).run()
    await run(at, made.id, 'a')
    expect((await read(at, made.id)).lastRun?.trouble?.code).toBe('owner_gone')
    const { name, subject } = made
    const json_ = { name, subject, horizon: 3, version: 1 }
    const saved = await json<Forecast>(at.me.fetch(`/api/forecasts/${made.id}`, { method: 'PUT', json: json_ }))
    expect([saved.ownerId, saved.state]).toEqual([at.me.userId, 'queued'])
  })
})

describe('new rows', () => {
  it('queue one run of each forecast that reads them, however many come at once', async () => {
    const fresh = await aFigure(await signedIn({ app }))
    const by = { field: { dataset: fresh.dataset, column: 'c2' } }
    const [reads, other, split] = [await make(fresh), await make(fresh), await make(fresh, { by })]
    await run(fresh, reads.id, 'a')
    await run(fresh, other.id, 'a', ['ds_other'])
    await run(fresh, split.id, 'a', ['ds_other'])
    const owner = await readOwnerContext(deps, fresh.me.workspaceId)
    if (!owner) throw new Error('the workspace has an owner')
    const swap = () => queueDependentRuns(deps, owner, fresh.dataset)
    await Promise.all([swap(), swap()])
    const numbers = async (id: string) =>
      (await json<ListPage<ForecastRun>>(fresh.me.fetch(`/api/forecasts/${id}/runs`))).items.map(({ number }) => number)
    expect(await Promise.all([reads, other, split].map(({ id }) => numbers(id)))).toEqual([[2, 1], [1], [2, 1]])
    // Those that come while it has begun are not missed.
    await executeRun(
      deps,
      { workspaceId: fresh.me.workspaceId, runId: await openRun(fresh, reads.id) },
      {
        prepare: async () => {
          await Promise.all([swap(), swap()])
          return prepared('b', [fresh.dataset])
        },
        compute: (figures) => ({ ok: true, result: resultOf(figures) }),
      },
    )
    expect([await numbers(reads.id), (await read(fresh, reads.id)).state]).toEqual([[3, 2, 1], 'queued'])
    await run(fresh, reads.id, 'b')
    expect([await numbers(reads.id), (await read(fresh, reads.id)).state]).toEqual([[2, 1], 'ready'])
  })

  it('are not missed by a run that ends while another is queued', async () => {
    const made = await make(at)
    await run(at, made.id, 'a')
    await ask(at, made.id)
    const owner = await readOwnerContext(deps, at.me.workspaceId)
    if (!owner) throw new Error('the workspace has an owner')
    await env.DB.prepare("UPDATE forecast_runs SET state = 'running' WHERE forecast_id = ? AND number = 2")
      .bind(made.id)
      .run()
    const ended = env.DB.prepare("UPDATE forecast_runs SET state = 'failed' WHERE forecast_id = ? AND number = 2")
    const d1 = new Proxy(env.DB, {
      get: (target, key) => {
        if (key === 'prepare') return (sql: string) => target.prepare(sql)
        return async (statements: D1PreparedStatement[]) => {
          try {
            return await target.batch(statements)
          } finally {
            await ended.bind(made.id).run()
          }
        }
      },
    })
    await queueRuns({ ...deps, db: openDatabase(d1) }, owner.scope, [made.id])
    expect(await read(at, made.id)).toMatchObject({ state: 'queued', lastRun: { number: 3, byName: null } })
  })

  it('queue nothing while nothing may be written', async () => {
    const made = await make(at)
    await run(at, made.id, 'a')
    const owner = await readOwnerContext(deps, at.me.workspaceId)
    if (!owner) throw new Error('the workspace has an owner')
    const entitlements = { ...owner.entitlements, readOnly: 'canceled' as const }
    await queueDependentRuns(deps, { ...owner, entitlements }, at.dataset)
    expect(await openRun(at, made.id)).toBe('')
  })
})

it('is stale once its question, its rows or its workspace say something else, and not by another name', async () => {
  const one = await aFigure(await signedIn({ app }))
  const made = await make(one)
  const { datasets = '' } = await aRowOfEach(one.me.workspaceId, one.me.userId)
  await run(one, made.id, 'a', [datasets])
  const state = async () => (await read(one, made.id)).state
  const change = async (sql: string, ...values: string[]) => {
    await env.DB.prepare(sql)
      .bind(...values)
      .run()
    return state()
  }
  expect(await change("UPDATE insights SET name = 'x', name_key = 'x', version = 9 WHERE id = ?", one.insight.id)).toBe(
    'ready',
  )
  const plan = "UPDATE insights SET plan = json_set(plan, '$.limit', ?) WHERE id = ?"
  expect(await change(plan, '5', one.insight.id)).toBe('stale')
  expect(await change("UPDATE insights SET plan = json_remove(plan, '$.limit') WHERE id = ?", one.insight.id)).toBe(
    'ready',
  )
  expect(await change('UPDATE datasets SET data_version = data_version + 1 WHERE id = ?', datasets)).toBe('stale')
  await ask(one, made.id)
  await run(one, made.id, 'a', [datasets])
  expect(await state()).toBe('ready')
  expect(await change("UPDATE workspaces SET time_zone = 'Asia/Tokyo' WHERE id = ?", one.me.workspaceId)).toBe('stale')
})

describe('rights (RLS-3, RLS-5)', () => {
  it('show what a run found, and why it did not, to nobody whose rights are others', async () => {
    const made = await make(at)
    await run(at, made.id, 'a')
    const { ready } = await read(at, made.id)
    // The rules change: what was computed before stays under the rights it was computed with.
    await env.DB.prepare("UPDATE forecast_runs SET rights = 'of before' WHERE forecast_id = ?").bind(made.id).run()
    const path = `/api/forecasts/${made.id}`
    expect(await read(at, made.id)).toMatchObject({ state: 'ready', ready: null, lastRun: null })
    expect(await json<ListPage<ForecastRun>>(at.me.fetch(`${path}/runs`))).toMatchObject({ items: [] })
    const { items } = await json<ListPage<ForecastListItem>>(at.me.fetch('/api/forecasts'))
    expect(items.find(({ id }) => id === made.id)).toMatchObject({ picture: null, breach: null, lastRun: null })
    expect((await at.me.fetch(`${path}/runs/${ready?.id}`)).status).toBe(404)
    expect(await json(at.me.fetch(`${path}/accuracy`))).toMatchObject({ runs: [], waiting: 0 })
    expect((await at.me.fetch(`/files/forecasts/${made.id}/export`)).status).toBe(404)
    // Nor what came of it: filters could be tried until there is enough of a row that is not theirs to see.
    await env.DB.prepare("UPDATE forecast_runs SET state = 'too_short' WHERE forecast_id = ?").bind(made.id).run()
    expect(await read(at, made.id)).toMatchObject({ state: 'ready', ready: null, lastRun: null })
    // A run by other rights is never taken back for one that found the same.
    await ask(at, made.id)
    await run(at, made.id, 'a')
    expect((await read(at, made.id)).ready?.number).toBe(2)
  })

  it('are those of the run itself, whatever changes while it is under way', async () => {
    const made = await make(at)
    const seen: string[] = []
    await executeRun(
      deps,
      { workspaceId: at.me.workspaceId, runId: await openRun(at, made.id) },
      {
        prepare: (_deps, { scope }) => {
          seen.push(accessFingerprint(scope))
          return Promise.resolve(prepared('a', [at.dataset]))
        },
        compute: (figures) => ({ ok: true, result: resultOf(figures) }),
      },
    )
    const stored = env.DB.prepare('SELECT rights FROM forecast_runs WHERE forecast_id = ?').bind(made.id)
    expect([await stored.first('rights')]).toEqual(seen)
    const other = Scope.forSystem(at.me.workspaceId)
    expect((await forecastStore(deps.db, { scope: other, max: null }).get(made.id))?.ready).toBeNull()
  })
})

it('keeps whole results of the newest runs, and of older ones what they said', async () => {
  const made = await make(at)
  await run(at, made.id, 'first')
  const copy = `INSERT INTO forecast_runs (id, workspace_id, forecast_id, number, figure, state, rights, created_at, said, result)
    SELECT 'fcr_' || lower(hex(randomblob(10))), workspace_id, forecast_id, value, figure, state, rights, created_at, said, result
    FROM forecast_runs, (WITH RECURSIVE n(value) AS (SELECT 2 UNION ALL SELECT value + 1 FROM n WHERE value < 70) SELECT * FROM n)
    WHERE forecast_id = ? AND number = 1`
  await env.DB.prepare(copy).bind(made.id).run()
  await ask(at, made.id)
  await run(at, made.id, 'last')
  const kept = env.DB.prepare(
    'SELECT count(*) AS runs, count(said) AS said, count(result) AS results, min(CASE WHEN result IS NOT NULL THEN number END) AS oldest FROM forecast_runs WHERE forecast_id = ?',
  )
  expect(await kept.bind(made.id).first()).toEqual({ runs: 71, said: 71, results: 60, oldest: 12 })
})

it('keeps large results as far as there is room for them', async () => {
  const made = await make(at)
  await run(at, made.id, 'first')
  const large = `INSERT INTO forecast_runs (id, workspace_id, forecast_id, number, state, created_at, result)
    SELECT 'fcr_' || lower(hex(randomblob(10))), workspace_id, forecast_id, value, 'ready', 1, hex(zeroblob(950000))
    FROM forecast_runs, (WITH RECURSIVE n(value) AS (SELECT 2 UNION ALL SELECT value + 1 FROM n WHERE value < 13) SELECT * FROM n)
    WHERE forecast_id = ? AND number = 1`
  await env.DB.prepare(large).bind(made.id).run()
  await ask(at, made.id)
  await run(at, made.id, 'last')
  const { results } = await env.DB.prepare(
    'SELECT number FROM forecast_runs WHERE forecast_id = ? AND result IS NOT NULL ORDER BY number',
  )
    .bind(made.id)
    .all<{ number: number }>()
  expect(results.map(({ number }) => number)).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14])
})

it('computes a forecast of loaded rows from its question to its file', async () => {
  const by = { field: { dataset: at.dataset, column: 'c2' } }
  const made = await make(at, { by, horizon: 6 })
  await executeRun(deps, { workspaceId: at.me.workspaceId, runId: await openRun(at, made.id) })
  const { ready, state, lastRun } = await read(at, made.id)
  expect([state, lastRun?.trouble]).toEqual(['ready', null])
  const result = ready?.result
  expect(result?.future).toHaveLength(6)
  expect(result?.parts.map(({ label }) => label)).toEqual(['=North', 'South'])
  const found = await json<ForecastRunWithResult>(at.me.fetch(`/api/forecasts/${made.id}/runs/${ready?.id}`))
  expect(found.result).toEqual(result)
  expect(await json(at.me.fetch(`/api/forecasts/${made.id}/accuracy`))).toMatchObject({ waiting: 1, runs: [] })
  const csv = await (await at.me.fetch(`/files/forecasts/${made.id}/export?format=csv`)).text()
  expect(csv).toContain("'=North, forecast")
  expect(
    csv
      .trimEnd()
      .split('\r\n')
      .at(-1)
      ?.startsWith(result?.future.at(-1) ?? '-'),
  ).toBe(true)
  const [from, to] = [result?.future[0] ?? '', result?.future.at(-1) ?? '']
  const steps = [{ kind: 'amount', value: 1000, each: 'once', from, to }]
  const scenarios = [{ id: 'hiring', name: 'Hiring', steps }]
  const saved = { scenarios, thresholds: [], version: (await read(at, made.id)).version }
  expect((await at.me.fetch(`/api/forecasts/${made.id}/scenarios`, { method: 'PUT', json: saved })).status).toBe(200)
  const withScenario = await (await at.me.fetch(`/files/forecasts/${made.id}/export?format=csv`)).text()
  const [heads, ...lines] = withScenario
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(';'))
  const column = heads?.findIndex((head) => head.includes('Scenario Hiring, forecast')) ?? -1
  const cell = lines.find(([period]) => period === from)?.[column]
  expect(Number(cell?.replace(',', '.'))).toBeCloseTo((result?.total.path.mean[0] ?? 0) + 1000, 6)
  const { subject } = made
  const preview = await at.me.fetch('/api/forecasts/preview', { method: 'POST', json: { subject, by, horizon: 6 } })
  expect(await preview.json()).toMatchObject({ inputHash: result?.inputHash, future: result?.future })
})
