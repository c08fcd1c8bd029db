import { env, runInDurableObject } from 'cloudflare:test'
import { beforeEach, describe, expect, it } from 'vitest'
import { prepareForecast, type PreparedForecast } from './prepare'
import { depsAt } from '../../../test/worker/deps'
import { signedIn, unique, type SignedIn } from '../../../test/worker/factories'
import { loadedDataset } from '../../../test/worker/loaded-dataset'
import { waitForRun, uploadBytes } from '../../../test/worker/loads'
import { column } from '../../../test/worker/warehouse-rows'
import { Scope } from '../../scope'
import type { FileInspection, OpenedUpload } from '../../shared/data-sources/files'
import { previewForecastSchema, type ForecastSettingsInput } from '../../shared/forecasts/forecasts'
import type { Insight } from '../../shared/insights'
import type { Metric } from '../../shared/metrics'
import type { Measure } from '../../shared/query/plan'
import type { QueryResult } from '../../shared/query/result'
import type { Field } from '../../shared/query/field'
import type { DataSource } from '../../shared/data-sources/data-sources'

/** Rows stand as loaded on this day. */
const NOW = Date.UTC(2030, 2, 10, 8)
const deps = depsAt(NOW)
const COLUMNS = [
  column(0, { type: 'text', label: 'Country' }),
  column(1, { type: 'number', scale: 2, label: 'Amount', role: 'measure' }),
  column(2, { type: 'date', label: 'Day', role: 'time' }),
]
type Sale = [country: string | null, amount: number, day: string]
const dayOf = (iso: string): number => Date.parse(`${iso}T00:00:00Z`) / 86_400_000

let me: SignedIn
beforeEach(async () => {
  me = await signedIn()
})

async function loadedOn(at: number): Promise<void> {
  await runInDurableObject(env.WAREHOUSE.get(env.WAREHOUSE.idFromName(me.workspaceId)), (_object, state) => {
    state.storage.sql.exec('UPDATE datasets SET loaded_at = ?', at)
  })
}
/** Whose rows, what of them, and of when. */
type Fields = (key: 'c0' | 'c1' | 'c2') => Field
async function sales(rows: Sale[], columns = COLUMNS): Promise<Fields> {
  const cells = rows.map(([country, amount, day]) => [country, Math.round(amount * 100), dayOf(day)])
  const dataset = await loadedDataset(me.workspaceId, cells, columns, unique('Orders'))
  await loadedOn(NOW)
  return (key) => ({ dataset, column: key })
}

async function made<T>(path: string, json: unknown): Promise<T> {
  const answer = await me.fetch(path, { method: 'POST', json })
  expect([answer.status, await answer.clone().text()]).toEqual([201, expect.anything()])
  return answer.json<T>()
}
const insightOf = (field: Fields, measure?: Measure): Promise<Insight> =>
  made('/api/insights', {
    name: unique('Sales'),
    plan: {
      ...{ v: 2, kind: 'aggregate', filters: [], dimensions: [{ field: field('c2'), grain: 'month' }] },
      measures: [measure ?? { kind: 'column', agg: 'sum', field: field('c1') }],
    },
    viz: { chart: 'line', direction: 'up' },
  })

type Over = Partial<ForecastSettingsInput> & { today?: string; drivers?: string[] }
function preparation(
  insight: Insight,
  { today = '2030-03-10', drivers, ...over }: Over = {},
): Promise<PreparedForecast> {
  const calendar = { timeZone: 'Europe/Stockholm', weekStart: 'monday', fiscalYearStart: 1, today } as const
  const scope = Scope.forJob({ workspaceId: me.workspaceId, userId: me.userId, epoch: '1.1' })
  const settings = previewForecastSchema.parse({ subject: { kind: 'insight', id: insight.id }, horizon: 3, ...over })
  return prepareForecast(deps, { scope, calendar, country: 'SE', drivers }, settings)
}
const prepared = async (insight: Insight, over: Over = {}) => (await preparation(insight, over)).prepared

describe('figures by month', () => {
  const ROWS: Sale[] = [
    ['SE', 100, '2029-08-03'],
    ['NO', 20, '2029-08-31'],
    ['SE', 130, '2029-09-15'],
    ['SE', 90, '2029-11-01'],
    ['NO', 40, '2029-12-30'],
    ['SE', 75.5, '2030-01-02'],
    ['SE', 60, '2030-02-28'],
    ['SE', 7, '2030-03-04'],
  ]

  it('lie on the grid, quiet months are 0, and the running month is left out', async () => {
    const { prepared: of, name, datasets } = await preparation(await insightOf(await sales(ROWS)))
    expect(of).toMatchObject({
      periods: ['2029-08-01', '2029-09-01', '2029-10-01', '2029-11-01', '2029-12-01', '2030-01-01', '2030-02-01'],
      future: ['2030-03-01', '2030-04-01', '2030-05-01'],
      total: { member: null, label: null, values: [120, 130, 0, 90, 40, 75.5, 60] },
      incomplete: { period: '2030-03-01', value: 7 },
      ...{ parts: [], ahead: [0, 0, 0], opening: null, country: null, conversion: null, direction: 'up' },
    })
    expect([of.raw, name.length > 0, datasets.length]).toEqual([of.total.values, true, 1])
  })

  it('count as they stand when asked, and are not complete before rows came after they were over', async () => {
    const insight = await insightOf(await sales(ROWS))
    const all = await prepared(insight, { ignoreIncomplete: 'never' })
    expect([all.periods.at(-1), all.total.values.at(-1), all.incomplete]).toEqual(['2030-03-01', 7, null])
    await loadedOn(Date.UTC(2030, 1, 28, 12))
    const early = await prepared(insight, { today: '2030-05-05' })
    expect([early.periods.at(-1), early.incomplete]).toEqual(['2030-01-01', { period: '2030-02-01', value: 60 }])
  })

  it('carry a balance from the day it was known on to the first month ahead', async () => {
    const insight = await insightOf(await sales(ROWS))
    const carried = async (on: string | null) =>
      (await prepared(insight, { accumulate: { opening: 50, on } })).opening?.value
    expect([await carried(null), await carried('2030-03-01')]).toEqual([50, 50])
    expect([await carried('2030-02-01'), await carried('2030-03-10')]).toEqual([110, 43])
  })

  it('begin a balance with what the running month has come to, against what is usual by that day', async () => {
    const insight = await insightOf(await sales(ROWS))
    const cash = await prepared(insight, { accumulate: { opening: 50, on: null } })
    const byTheFourth = (100 + 90 + 75.5) / 7
    expect(cash.ahead[0]).toBeCloseTo(7 - byTheFourth, 9)
    expect([cash.future[0], cash.incomplete]).toEqual(['2030-03-01', { period: '2030-03-01', value: 7, counted: true }])
    expect(cash.ahead.slice(1)).toEqual([0, 0])
  })

  it('leave out a month in the middle of which what was loaded ends', async () => {
    const day = (month: number, at: number): string => new Date(Date.UTC(2029, month, at)).toISOString().slice(0, 10)
    const whole = [4, 5, 6, 7].flatMap((month) => [3, 12, 21, 29].map((at): Sale => ['SE', 1, day(month, at)]))
    const insight = await insightOf(await sales([...whole, ['SE', 1, day(8, 3)], ['SE', 1, day(8, 11)]]))
    const of = await prepared(insight)
    expect([of.total.values, of.incomplete]).toEqual([[4, 4, 4, 4], { period: '2029-09-01', value: 2 }])
    expect((await prepared(insight, { ignoreIncomplete: 'never' })).total.values).toEqual([4, 4, 4, 4, 2])
    const chart = await me.fetch('/api/query', { method: 'POST', json: { plan: insight.plan } })
    const { columns } = await chart.json<QueryResult>()
    expect(columns[0]?.partial).toEqual([{ start: '2029-09-01', to: '2029-09-11' }])
  })

  it('leave out a month in the middle of which what was loaded begins', async () => {
    const day = (month: number, at: number): string => new Date(Date.UTC(2029, month, at)).toISOString().slice(0, 10)
    const whole = [5, 6, 7, 8].flatMap((month) => [3, 12, 21, 29].map((at): Sale => ['SE', 1, day(month, at)]))
    const field = await sales([['NO', 1, day(4, 16)], ['SE', 1, day(4, 24)], ...whole])
    const insight = await insightOf(field)
    const { periods, total } = await prepared(insight, { today: '2029-10-20' })
    expect([periods[0], total.values]).toEqual(['2029-06-01', [4, 4, 4, 4]])
    const all = await prepared(insight, { ignoreIncomplete: 'never' })
    expect([all.periods[0], all.total.values]).toEqual(['2029-05-01', [2, 4, 4, 4, 4]])
  })

  it('begin in the month of its first row when others were loaded from its beginning', async () => {
    const day = (month: number, at: number): string => new Date(Date.UTC(2029, month, at)).toISOString().slice(0, 10)
    const each = [4, 5, 6, 7, 8].flatMap((month) => [3, 12, 21, 29].map((at): Sale => ['SE', 1, day(month, at)]))
    const field = await sales([...each, ['NO', 7, day(4, 24)], ['NO', 7, day(8, 24)]])
    const norway = [{ field: field('c0'), any: [{ op: 'eq' as const, value: 'NO' }] }]
    const of = await prepared(await insightOf(field), { filters: norway, today: '2029-10-20' })
    expect(of.total.values).toEqual([7, 0, 0, 0, 7])
  })

  it('of averages are unknown where there are no rows, and have no parts', async () => {
    const field = await sales(ROWS)
    const of = await insightOf(field, { kind: 'column', agg: 'avg', field: field('c1') })
    const { total, parts, opening } = await prepared(of, { by: { field: field('c0') }, accumulate: { opening: 5 } })
    expect(total.values).toEqual([60, 130, null, 90, 40, 75.5, 60])
    expect([parts, opening]).toEqual([[], null])
  })

  it('begin with the first whole month that is looked at, with the filters added', async () => {
    const field = await sales(ROWS)
    const filters = [{ field: field('c0'), any: [{ op: 'eq' as const, value: 'SE' }] }]
    const insight = await insightOf(field)
    const { periods, total } = await prepared(insight, { historyFrom: '2029-08-02', filters })
    expect([periods[0], total.values]).toEqual(['2029-09-01', [130, 0, 90, 0, 75.5, 60]])
    const norway = [{ field: field('c0'), any: [{ op: 'eq' as const, value: 'NO' }] }]
    expect((await prepared(insight, { filters: norway })).total.values).toEqual([20, 0, 0, 0, 40, 0, 0])
  })

  it('lose what events added, and the future gets it', async () => {
    const field = await sales(ROWS)
    const events = [
      { name: 'Fair', from: '2029-08-10', to: '2029-08-12', effect: { kind: 'amount' as const, value: 60 } },
      { name: 'Fair', from: '2030-04-10', to: '2030-04-12', effect: { kind: 'amount' as const, value: 50 } },
      { name: 'Strike', from: '2029-12-01', to: '2029-12-24', effect: { kind: 'leaveOut' as const } },
    ]
    const of = await prepared(await insightOf(field), { events, by: { field: field('c0') } })
    expect(of.total.values).toEqual([60, 130, 0, 90, null, 75.5, 60])
    expect(of.parts.map(({ values }) => values[0])).toEqual([50, 10])
    expect([of.raw[0], of.raw[4], of.ahead]).toEqual([120, 40, [0, 50, 0]])
  })

  it('have one hash until something changes that a forecast is made from', async () => {
    const field = await sales(ROWS)
    const insight = await insightOf(field)
    const hash = async (over: Over = {}): Promise<string> => (await prepared(insight, over)).inputHash
    const first = await hash()
    expect(await hash({ level: 95, today: '2030-03-31' })).toBe(first)
    for (const over of [
      { horizon: 4 },
      { floor: 0 },
      { season: 'none' as const },
      { ignoreIncomplete: 'never' as const },
    ])
      expect(await hash(over)).not.toBe(first)
  })

  it('of a metric drive scenarios over the same periods', async () => {
    const field = await sales(ROWS)
    const input = { name: unique('Orders'), dataset: field('c1').dataset, time: field('c2'), formula: 'count()' }
    const { id } = await made<Metric>('/api/metrics', input)
    const { drivers } = await prepared(await insightOf(field), { drivers: [id, 'met_00000000000000000009'] })
    expect(drivers).toEqual([{ metric: id, name: input.name, values: [2, 1, 0, 1, 1, 1, 1] }])
  })

  it('in several currencies are brought to one, and a month without a rate is unknown', async () => {
    const columns = COLUMNS.map((one) => (one.key === 'c1' ? { ...one, currencyColumn: 'c0' as const } : one))
    const rows: Sale[] = [
      ['SEK', 1, '2029-08-03'],
      ['EUR', 2, '2029-09-03'],
      ['SEK', 3, '2029-10-03'],
    ]
    const of = await prepared(await insightOf(await sales(rows, columns)))
    expect([of.total.values, of.format]).toEqual([[1, null, 3], { style: 'currency', currency: 'SEK' }])
    expect(of.conversion).toMatchObject({ code: 'SEK', missing: [{ currency: 'EUR', rows: 1 }] })
  })

  it('are refused in words where there is nothing, or no subject', async () => {
    const insight = await insightOf(await sales([['SE', 1, '2030-03-02']]))
    await expect(prepared(insight)).rejects.toMatchObject({ code: 'too_short', details: { have: 0, need: 8 } })
    const gone = { ...insight, id: 'ins_00000000000000000009' }
    await expect(prepared(gone)).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('figures by week and day', () => {
  it('begin weeks as the workspace does, and know the country of its days', async () => {
    const insight = await insightOf(
      await sales([
        ['SE', 1, '2030-02-10'],
        ['SE', 2, '2030-02-11'],
        ['SE', 4, '2030-02-24'],
      ]),
    )
    const weeks = await prepared(insight, { grain: 'week' })
    expect([weeks.periods, weeks.total.values]).toEqual([
      ['2030-02-04', '2030-02-11', '2030-02-18'],
      [1, 2, 4],
    ])
    const days = await prepared(insight, { grain: 'day' })
    expect([days.total.values.length, days.country]).toEqual([15, 'SE'])
    expect((await prepared(insight, { grain: 'day', holidays: 'none' })).country).toBeNull()
  })
})

describe('parts', () => {
  it('are the ten largest of the last year and the rest, and add up to the whole', async () => {
    const months = Array.from({ length: 14 }, (_, at) =>
      new Date(Date.UTC(2028, 11 + at, 9)).toISOString().slice(0, 10),
    )
    const rows = months.flatMap((day, at): Sale[] => [
      ...Array.from({ length: 12 }, (_, i): Sale => [`m${i}`, 10 * (i + 1) + at + 0.1, day]),
      ...(at === 0 ? [['once', 9999, day] as Sale] : []),
      ...(at > 9 ? [[null, 500, day] as Sale] : []),
    ])
    const field = await sales(rows)
    const { total, parts } = await prepared(await insightOf(field), { by: { field: field('c0') } })
    expect(parts.map(({ label }) => label)).toEqual([
      ...['No value', 'm11', 'm10', 'm9', 'm8', 'm7', 'm6', 'm5', 'm4', 'm3', 'Other'],
    ])
    expect(parts[0]?.values).toEqual([...new Array<null>(10).fill(null), 500, 500, 500, 500])
    total.values.forEach((v, at) => {
      expect(parts.reduce((sum, { values }) => sum + (values[at] ?? 0), 0)).toBeCloseTo(v ?? NaN, 6)
    })
  })
})

/** Books that begin a year with 1 000 in the bank and 5 000 in a loan. */
const BOOKS = [
  ...['#FLAGGA 0', '#FORMAT PC8', '#SIETYP 4', '#ORGNR 556000-0001', '#FNAMN "Alfa AB"', '#RAR 0 20290101 20291231'],
  ...['#KONTO 1930 "Bank"', '#KONTO 2350 "Loan"', '#KONTO 3010 "Sales"', '#IB 0 1930 1000', '#IB 0 2350 -5000'],
  ...['#VER A 1 20290115 "Sold"', '{', '#TRANS 1930 {} 300', '#TRANS 3010 {} -300', '}'],
  ...['#VER A 2 20290820 "Paid back"', '{', '#TRANS 1930 {} -450.25', '#TRANS 2350 {} 450.25', '}'],
  ...['#VER A 4 20291009 "Left to pay"', '{', '#TRANS 3010 {} -20', '#TRANS 2350 {} 20', '}'],
  ...['#VER A 3 20291202 "Sold"', '{', '#TRANS 1930 {} 80', '#TRANS 3010 {} -80', '}'],
].join('\r\n')

async function books(): Promise<Fields> {
  const id = await uploadBytes(me, new TextEncoder().encode(BOOKS), 'books.se')
  const { tables } = await (await me.fetch(`/api/uploads/${id}/open`, { method: 'POST' })).json<OpenedUpload>()
  const inputs = tables
    .filter(({ name }) => ['entries', 'balances'].includes(name))
    .map(async ({ name, uploadId }) => {
      const read = await me.fetch(`/api/uploads/${uploadId}/inspect`, { method: 'POST', json: {} })
      const { settings, columns } = await read.json<FileInspection>()
      return { name, uploadId, settings, columns }
    })
  const source = await made<DataSource>('/api/data-sources', { name: 'Books', tables: await Promise.all(inputs) })
  await Promise.all(source.lastRuns.map((run) => waitForRun(me, run.id)))
  await loadedOn(NOW)
  const entries = source.datasets.find(({ name }) => name === 'entries')
  const labels = { c0: 'account', c1: 'amount', c2: 'date' }
  return (key) => {
    const found = entries?.columns.find(({ label }) => label === labels[key])
    return { dataset: entries?.id ?? '', column: found?.key ?? 'c99' }
  }
}

describe('a balance before the first month ahead', () => {
  it('is what the books say of cash, what a person says, or the sum of all before', async () => {
    const field = await books()
    const cash = [{ field: field('c0'), any: [{ op: 'between' as const, from: '1900', to: '1999' }] }]
    const insight = await insightOf(field)
    const opening = async (over: Over) => (await prepared(insight, { filters: cash, ...over })).opening
    expect(await opening({ accumulate: { opening: null } })).toEqual({ value: 929.75, source: 'books' })
    expect(await opening({ accumulate: { opening: 12.5 } })).toEqual({ value: 12.5, source: 'person' })
    expect(await opening({})).toBeNull()
    const narrow = { field: field('c1'), any: [{ op: 'gt' as const, value: 0 }] }
    const sum = await opening({ accumulate: { opening: null }, filters: [...cash, narrow] })
    expect(sum).toEqual({ value: 380, source: 'sum' })
    const of = await insightOf(field, {
      ...{ kind: 'cumulative', restart: 'never' },
      of: { kind: 'column', agg: 'sum', field: field('c1') },
    })
    const running = await prepared(of, { filters: cash, historyFrom: '2029-08-01' })
    expect([running.total.values, running.opening]).toEqual([[-450.25, 0, 0, 0, 80], { value: -70.25, source: 'sum' }])
  })
})
