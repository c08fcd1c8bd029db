import { readXlsx } from 'hucre'
import { env } from 'cloudflare:test'
import { beforeAll, describe, expect, it } from 'vitest'
import { depsAt } from '../../../test/worker/deps'
import { signedIn, type SignedIn } from '../../../test/worker/factories'
import { loadedDataset } from '../../../test/worker/loaded-dataset'
import { column } from '../../../test/worker/warehouse-rows'
import { calendarOf } from '../../semantic/calendar'
import { readMetricSeries } from '../../semantic/metric-series'
import { readOwnerContext } from '../../identity/member-context-store'
import type { OwnRate, RateDays, RatesOverview } from '../../shared/currencies'
import type { FindingPage } from '../../shared/findings'
import type { QueryResult } from '../../shared/query/result'
import type { Column } from '../../shared/data-sources/data-sources'
import type { Subscription } from '../../shared/billing/entitlements'
import type { MonitoredMetric } from '../../shared/monitored-metric'
import { dayFromIso } from '../../shared/dates'

const COLUMNS: Column[] = [
  column(0, { type: 'date', label: 'Day', role: 'time' }),
  column(1, { type: 'number', scale: 2, label: 'Amount', role: 'measure', currencyColumn: 'c2' }),
  column(2, { type: 'text', label: 'Currency', role: 'currency' }),
]
const DAY = dayFromIso('2026-03-05') ?? 0
const rate = (given: Partial<OwnRate> = {}) => ({
  ...{ kind: 'override', base: 'EUR', quote: 'SEK', from: '2026-03-01', to: '2026-03-31' },
  ...{ rate: '11,5', reason: 'As in the contract' },
  ...given,
})

beforeAll(async () => {
  const insert = env.DB.prepare("INSERT OR REPLACE INTO reference_days (day, source, rates) VALUES (?, 'ecb', ?)")
  await env.DB.batch([
    insert.bind('2026-03-04', JSON.stringify({ SEK: '11.2', USD: '1.1' })),
    insert.bind('2026-03-05', JSON.stringify({ SEK: '11.3', USD: '1.12' })),
  ])
})

async function workspaceWithMoney(subscription: Partial<Subscription> = {}) {
  const me = await signedIn({ subscription })
  const dataset = await loadedDataset(
    me.workspaceId,
    [
      [DAY, 10_000, 'EUR'],
      [DAY, 10_000, 'SEK'],
    ],
    COLUMNS,
  )
  const ask = async (who: SignedIn, currency?: object, any?: object[]) => {
    const plan = {
      v: 2,
      kind: 'aggregate',
      measures: [{ kind: 'column', agg: 'sum', field: { dataset, column: 'c1' } }],
      dimensions: [],
      filters: any ? [{ field: { dataset, column: 'c2' }, any }] : [],
      ...(currency ? { currency } : {}),
    }
    const response = await who.fetch('/api/query', { method: 'POST', json: { plan } })
    return { status: response.status, body: await response.json<QueryResult & { code: string; lines: unknown }>() }
  }
  return { me, ask, dataset }
}
async function toStandard({ workspaceId }: SignedIn): Promise<void> {
  const set =
    "UPDATE subscriptions SET state = 'active', plan_id = 'standard', trial_ends_at = NULL WHERE workspace_id = ?"
  await env.DB.prepare(set).bind(workspaceId).run()
}
const json = async <T>(response: Promise<Response>): Promise<T> => (await response).json<T>()

describe('rates of a workspace', () => {
  it('bring figures to one currency at once, and anew when one is set, changed or removed', async () => {
    const { me, ask } = await workspaceWithMoney()
    const sek = { code: 'SEK', mode: 'transaction' }
    expect((await ask(me)).body).toMatchObject({ code: 'mixed_currency', currencies: ['EUR', 'SEK'] })
    expect((await ask(me, sek)).body.rows).toEqual([[1230]])
    expect((await ask(me, sek)).body).toMatchObject({
      cached: true,
      conversion: { lines: [{ currency: 'EUR', source: 'ecb' }, {}] },
    })
    const made = await json<OwnRate>(me.fetch('/api/currencies/rates', { method: 'POST', json: rate() }))
    expect(made).toMatchObject({ rate: '11.5', version: 1 })
    expect((await ask(me, sek)).body).toMatchObject({
      rows: [[1250]],
      conversion: { lines: [{ source: 'manual' }, { source: 'same' }] },
    })
    const path = `/api/currencies/rates/${made.id}`
    await me.fetch(path, { method: 'PUT', json: { ...rate({ rate: '12' }), version: 1 } })
    expect((await ask(me, sek)).body.rows).toEqual([[1300]])
    expect((await me.fetch(`${path}?version=1`, { method: 'DELETE' })).status).toBe(409)
    expect((await me.fetch(`${path}?version=2`, { method: 'DELETE' })).status).toBe(200)
    expect((await ask(me, sek)).body.rows).toEqual([[1230]])
  })

  it('stay with it: another workspace keeps the published ones', async () => {
    const [one, other] = [await workspaceWithMoney(), await workspaceWithMoney()]
    await one.me.fetch('/api/currencies/rates', { method: 'POST', json: rate() })
    expect((await other.ask(other.me, { code: 'SEK', mode: 'closing' })).body.rows).toEqual([[1230]])
    expect((await json<RatesOverview>(other.me.fetch('/api/currencies'))).own).toEqual([])
  })

  it.each<[string, Partial<Subscription>, boolean]>([
    ['a trial', {}, true],
    ['Personal', { state: 'active', planId: 'personal', trialEndsAt: null }, false],
    ['Standard', { state: 'active', planId: 'standard', trialEndsAt: null }, false],
    ['Professional', { state: 'active', planId: 'professional', trialEndsAt: null }, true],
    ['Professional, read-only', { state: 'restricted', planId: 'professional', trialEndsAt: null }, true],
  ])('convert by the plan and leave amounts as they are without it: %s', async (_name, subscription, converts) => {
    const { me, ask } = await workspaceWithMoney(subscription)
    const sek = { code: 'SEK', mode: 'transaction' }
    const euros = [{ op: 'eq', value: 'EUR' }]
    const mixed = await ask(me, sek)
    const alone = await ask(me, sek, euros)
    expect(alone.status).toBe(200)
    if (converts) {
      expect([mixed.body.rows, alone.body.rows, alone.body.unconverted]).toEqual([[[1230]], [[1130]], undefined])
      return
    }
    // Nothing that was made before is an error: each currency is told for itself, a single one in its own.
    expect(mixed.body).toMatchObject({ code: 'mixed_currency', currencies: ['EUR', 'SEK'] })
    expect(mixed.body.lines).toMatchObject([
      { currency: 'EUR', amount: '100' },
      { currency: 'SEK', amount: '100' },
    ])
    const format = { style: 'currency', currency: 'EUR' }
    expect(alone.body).toMatchObject({ rows: [[100]], columns: [{ format }], unconverted: { code: 'SEK' } })
    expect(alone.body.conversion).toBeUndefined()
    expect((await me.fetch('/api/currencies')).status).toBe(402)
  })

  it('are told by day with who set one and why, and what is missing', async () => {
    const { me } = await workspaceWithMoney()
    await me.fetch('/api/currencies/rates', { method: 'POST', json: rate({ from: '2026-03-05', to: '2026-03-05' }) })
    const { days } = await json<RateDays>(
      me.fetch('/api/currencies/days?base=EUR&quote=SEK&from=2026-03-01&to=2026-03-31'),
    )
    expect(days).toEqual([
      { day: '2026-03-05', rate: '11.5', source: 'manual', reason: 'As in the contract' },
      { day: '2026-03-04', rate: '11.2', source: 'ecb', reason: null },
    ])
    const crossed = await json<RateDays>(me.fetch('/api/currencies/days?base=USD&quote=SEK&to=2026-03-04'))
    expect(crossed.days[0]).toMatchObject({ day: '2026-03-04', rate: '10.1818181818' })
    const overview = await json<RatesOverview>(me.fetch('/api/currencies'))
    expect(overview).toMatchObject({
      settings: { code: 'SEK', mode: 'automatic', version: 0 },
      own: [{ rate: '11.5' }],
    })
  })

  it('are applied as each metric says, where the question itself says nothing else', async () => {
    const { me, dataset } = await workspaceWithMoney()
    const metric = async (name: string, currencyMode: string | null, formula = 'sum([Amount])') => {
      const body = { name, dataset, formula, currencyMode }
      return {
        kind: 'metric',
        id: (await json<{ id: string }>(me.fetch('/api/metrics', { method: 'POST', json: body }))).id,
      }
    }
    const result = await metric('Result', 'average')
    const cash = await metric('Cash', 'closing')
    const sales = await metric('Sales', null)
    const share = await metric('Share', null, '[Result] / [Cash]')
    const figures = async (measures: object[], currency?: object) => {
      const plan = { v: 2, kind: 'aggregate', measures, dimensions: [], filters: [], ...(currency ? { currency } : {}) }
      return json<QueryResult & { code?: string }>(me.fetch('/api/query', { method: 'POST', json: { plan } }))
    }
    // 100 SEK and 100 EUR: by the day and by the last of the month 11.3, by the month's average (11.2 + 11.3) / 2.
    expect(await figures([result])).toMatchObject({ rows: [[1225]], conversion: { code: 'SEK', mode: 'average' } })
    expect((await figures([result, cash, sales, share])).rows).toEqual([[1225, 1230, 1230, 1225 / 1230]])
    expect((await figures([result], { code: 'SEK', mode: 'transaction' })).rows).toEqual([[1230]])
    expect(await figures([sales])).toMatchObject({ code: 'mixed_currency' })
    await toStandard(me)
    expect(await figures([result])).toMatchObject({ code: 'mixed_currency', currencies: ['EUR', 'SEK'] })
  })

  it('bring figures that are followed to one currency, and these are never added otherwise', async () => {
    const { me, dataset } = await workspaceWithMoney()
    const field = (key: 'c0' | 'c1') => ({ dataset, column: key })
    const followed = (): MonitoredMetric => ({
      ...{ subject: { kind: 'insight', id: 'ins_00000000000000000000', measure: 0 }, name: 'Sales', time: field('c0') },
      ...{ measure: { kind: 'column', agg: 'sum', field: field('c1') }, filters: [], direction: 'up', format: null },
      ...{ additive: true, running: null },
    })
    const owner = await readOwnerContext(depsAt(Date.now()), me.workspaceId)
    if (!owner) throw new Error('the workspace has an owner')
    const at = { deps: depsAt(Date.now()), scope: owner.scope, calendar: calendarOf(owner, { now: Date.now }) }
    const asked = { grain: 'month' as const, from: '2026-03-01', to: '2026-03-31' }
    const series = await readMetricSeries(at, followed(), asked)
    expect([[...series.total.values], series.format]).toEqual([
      [['2026-03-01', 1230]],
      { style: 'currency', currency: 'SEK' },
    ])
    const euros = { field: { dataset, column: 'c2' as const }, any: [{ op: 'eq' as const, value: 'EUR' }] }
    const alone = await readMetricSeries(at, { ...followed(), filters: [euros] }, asked)
    expect([[...alone.total.values], alone.format]).toEqual([
      [['2026-03-01', 100]],
      { style: 'currency', currency: 'EUR' },
    ])
    await toStandard(me)
    const meant = { ...followed(), filters: [euros], currency: { code: 'SEK', mode: 'transaction' as const } }
    await expect(readMetricSeries(at, meant, asked), 'not in another currency without a word').rejects.toThrow(
      'Needs conversion to SEK.',
    )
    await expect(readMetricSeries(at, followed(), asked)).rejects.toThrow('Mixed currencies (EUR, SEK) can’t be added.')
    const plan = { v: 2, kind: 'aggregate', measures: [followed().measure], dimensions: [], filters: [] }
    const body = { name: 'Sales', plan, viz: { chart: 'number' } }
    const made = await json<{ id: string }>(me.fetch('/api/insights', { method: 'POST', json: body }))
    const { items, declined } = await json<FindingPage>(me.fetch(`/api/insights/${made.id}/findings`))
    expect([items, declined]).toEqual([[], expect.stringContaining('upgrade to Professional')])
  })

  it('stand in files that take converted figures along', async () => {
    const { me, dataset } = await workspaceWithMoney()
    const field = { dataset, column: 'c1' }
    const plan = {
      ...{ v: 2, kind: 'aggregate', dimensions: [], filters: [], currency: { code: 'SEK', mode: 'transaction' } },
      measures: [{ kind: 'column', agg: 'sum', field }],
    }
    const viz = { chart: 'number', direction: 'up' }
    const made = await json<{ id: string }>(
      me.fetch('/api/insights', { method: 'POST', json: { name: 'Total', description: '', plan, viz } }),
    )
    const file = await me.fetch(`/files/insights/${made.id}/export?format=xlsx`)
    const { sheets } = await readXlsx(new Uint8Array(await file.arrayBuffer()))
    const [result, about] = sheets.map(({ rows }) => rows.map((row) => row.map(String).join(' | ')).join('\n'))
    expect(result).toContain('1230')
    expect(about).toContain('Source: European Central Bank')
    expect(about).toContain('1 EUR in SEK | 11.3 | null | 2026-03-05 | 2026-03-05 | ecb | 100 | 1')
  })

  it('keep what was chosen, once', async () => {
    const { me } = await workspaceWithMoney()
    const save = (version: number, code = 'EUR') =>
      me.fetch('/api/currencies/settings', { method: 'PUT', json: { code, mode: 'closing', version } })
    await me.fetch('/api/currencies/rates', { method: 'POST', json: rate() })
    expect(await json(save(0))).toEqual({ code: 'EUR', mode: 'closing', version: 1 })
    expect((await save(0, 'USD')).status).toBe(409)
    expect((await json<RatesOverview>(me.fetch('/api/currencies'))).settings).toEqual({
      code: 'EUR',
      mode: 'closing',
      version: 1,
    })
  })

  it.each([
    ['a rate of nought', rate({ rate: '0' })],
    ['letters', rate({ rate: 'eleven' })],
    ['one currency twice', rate({ quote: 'EUR' })],
    ['days that end before they begin', rate({ to: '2026-02-01' })],
    ['no reason', rate({ reason: ' ' })],
  ])('refuse %s', async (_what, body) => {
    const me = await signedIn()
    expect((await me.fetch('/api/currencies/rates', { method: 'POST', json: body })).status).toBe(422)
  })
})
