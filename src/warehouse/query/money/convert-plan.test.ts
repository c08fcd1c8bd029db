import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { monthIndexOf } from '../../../shared/dates'
import { LONG } from '../../../../test/long'
import { answerMoney, d, DAYS, OWN } from '../../../../test/worker/money'
import { column, DATASET, inSqlite, tableOf } from '../../../../test/worker/warehouse-rows'
import { createRateLookup } from '../../../semantic/currency/exchange-rates'
import { unwrap } from '../../../shared/errors'
import type { RpcResult } from '../../../shared/errors'
import { queryPlanSchema } from '../../../shared/query/plan'
import { CURRENCY_MODES } from '../../../shared/query/currency-modes'
import type { QueryPlan, QueryPlanInput } from '../../../shared/query/plan'
import type { QueryResult } from '../../../shared/query/result'
import type { Column } from '../../../shared/data-sources/data-sources'
import type { StorageValue } from '../../../lib/storage-value'

const COLUMNS: Column[] = [
  column(0, { type: 'text', label: 'Country' }),
  column(1, { type: 'number', scale: 2, label: 'Amount', role: 'measure', currencyColumn: 'c2' }),
  column(2, { type: 'text', label: 'Currency', role: 'currency' }),
  column(3, { type: 'date', label: 'Day', role: 'time' }),
  column(4, {
    type: 'number',
    scale: 2,
    label: 'Fee',
    role: 'measure',
    format: { style: 'currency', currency: 'USD' },
  }),
]
const at = (key: Column['key']) => ({ dataset: DATASET, column: key })
const sumOf = (key: Column['key']) => ({ kind: 'column', agg: 'sum', field: at(key) }) as const
const planOf = (given: Partial<QueryPlanInput>): QueryPlan =>
  queryPlanSchema.parse({ v: 2, kind: 'aggregate', measures: [sumOf('c1')], dimensions: [], filters: [], ...given })

const asked = (
  rows: StorageValue[][],
  given: Partial<QueryPlanInput>,
  columns = COLUMNS,
): Promise<RpcResult<QueryResult>> =>
  inSqlite('money', (sql) => answerMoney(sql, tableOf(columns, rows), planOf(given)))

/** Country, amount in hundredths, currency, day, fee in cents. */
const ROWS: StorageValue[][] = [
  ['SE', 10_000, 'SEK', d('2026-02-01'), 100],
  ['DE', 10_000, 'EUR', d('2026-02-01'), 100],
  ['US', 10_000, 'usd ', d('2026-03-05'), 200],
  ['JP', 160_000, 'JPY', d('2026-02-27'), null],
]

describe('amounts in one currency', () => {
  it('uses the rate of each row’s day: Friday’s on a Sunday, a set one on its days, the cross rate of two others', async () => {
    const { rows, columns, conversion } = unwrap(await asked(ROWS, { currency: { code: 'SEK', mode: 'transaction' } }))
    // 100 SEK + 100 EUR × 11.2 (Friday 30 Jan) + 100 USD × 9.5 (set) + 1600 JPY × 11.4 / 158 = 0.0721518987
    expect(rows).toEqual([[100 + 1120 + 950 + 115.44303792]])
    expect(columns[0]).toMatchObject({ format: { style: 'currency', currency: 'SEK' }, scale: 2 })
    expect(conversion).toEqual({
      code: 'SEK',
      mode: 'transaction',
      lines: [
        {
          currency: 'EUR',
          amount: '100',
          rows: 1,
          rate: { least: 11.2, greatest: 11.2 },
          from: '2026-01-30',
          to: '2026-01-30',
          source: 'ecb',
        },
        {
          currency: 'JPY',
          amount: '1600',
          rows: 1,
          rate: { least: 0.0721518987, greatest: 0.0721518987 },
          from: '2026-02-27',
          to: '2026-02-27',
          source: 'ecb',
        },
        {
          currency: 'SEK',
          amount: '100',
          rows: 1,
          rate: { least: 1, greatest: 1 },
          from: '2026-02-01',
          to: '2026-02-01',
          source: 'same',
        },
        {
          currency: 'USD',
          amount: '100',
          rows: 1,
          rate: { least: 9.5, greatest: 9.5 },
          from: '2026-03-05',
          to: '2026-03-05',
          source: 'manual',
        },
      ],
      missing: [],
    })
  })

  it('averages the month, or takes its last rate', async () => {
    const one = [['DE', 10_000, 'EUR', d('2026-02-10'), null]]
    const by = async (mode: 'average' | 'closing' | 'budget') =>
      unwrap(await asked(one, { currency: { code: 'SEK', mode } })).rows[0]
    expect(await by('average')).toEqual([1135])
    expect(await by('closing')).toEqual([1140])
    expect(await by('budget')).toEqual([1100])
  })

  it('leaves out and counts what has no rate, and counts rows all the same', async () => {
    const rows = [
      ...ROWS,
      ['DE', 500, 'EUR', d('2026-02-20'), null],
      ['DE', 700, 'XXX', d('2026-02-02'), null],
      ['DE', 900, null, null, null],
    ]
    const count = { kind: 'column', agg: 'count', field: at('c1') } as const
    const result = unwrap(
      await asked(rows, { measures: [sumOf('c1'), count], currency: { code: 'EUR', mode: 'transaction' } }),
    )
    expect(result.rows[0]?.[1]).toBe(7)
    expect(result.conversion?.missing).toEqual([
      { currency: '', rows: 1, amount: '9', from: '', to: '' },
      { currency: 'XXX', rows: 1, amount: '7', from: '2026-02-02', to: '2026-02-02' },
    ])
    const sek = unwrap(await asked(rows, { currency: { code: 'SEK', mode: 'transaction' } }))
    expect(sek.conversion?.missing.map(({ currency, rows: n }) => [currency, n])).toEqual([
      ['', 1],
      ['EUR', 1],
      ['XXX', 1],
    ])
  })

  it('converts what is compared by rates of its own days, and figures of figures', async () => {
    const rows = [
      ['DE', 10_000, 'EUR', d('2026-01-30'), null],
      ['DE', 10_000, 'EUR', d('2026-02-27'), 1000],
    ]
    const period = {
      field: at('c3'),
      range: { kind: 'absolute', from: '2026-02-01', to: '2026-02-28' },
      compare: 'previous',
    } as const
    const fee = sumOf('c4')
    const plan = { period, measures: [sumOf('c1'), { kind: 'ratio', over: fee, under: sumOf('c1') } as const] }
    const result = unwrap(await asked(rows, { ...plan, currency: { code: 'SEK', mode: 'transaction' } }))
    expect(result.rows[0]?.slice(0, 4)).toEqual([1140, 1120, 20, 20 / 1120])
    // 10 USD × 11.4 / 1.13 over 100 EUR × 11.4
    expect(result.rows[0]?.[4]).toBeCloseTo(10 / 1.13 / 100, 9)
  })
})

it('tells records as they are, beside what each comes to: these add up to the figure', async () => {
  const currency = { code: 'SEK', mode: 'transaction' as const }
  const shown = { kind: 'rows' as const, measures: [], columns: [at('c0'), at('c1'), at('c2')], currency }
  const { columns, rows, conversion } = unwrap(await asked(ROWS, shown))
  expect(columns.map(({ label }) => label)).toEqual(['Country', 'Amount', 'Amount in SEK', 'Currency'])
  expect(columns[2]?.format).toEqual({ style: 'currency', currency: 'SEK' })
  expect(rows).toEqual([
    ['SE', 100, 100, 'SEK'],
    ['DE', 100, 1120, 'EUR'],
    ['US', 100, 950, 'usd '],
    ['JP', 1600, 115.44303792, 'JPY'],
  ])
  const figure = unwrap(await asked(ROWS, { currency }))
  expect(rows.reduce((sum, row) => sum + Number(row[2]), 0)).toBe(figure.rows[0]?.[0])
  expect(conversion).toEqual(figure.conversion)
  const page = unwrap(await asked(ROWS, { ...shown, limit: 1, offset: 1 }))
  expect([page.rows, page.conversion]).toEqual([[['DE', 100, 1120, 'EUR']], conversion])
  const plain = unwrap(await asked(ROWS, { ...shown, currency: undefined }))
  expect([plain.columns.length, plain.conversion]).toEqual([3, undefined])
})

it('brings each measure to one currency in its own way, beside others and within one figure', async () => {
  const closing = { ...sumOf('c1'), mode: 'closing' as const }
  const average = { ...sumOf('c1'), mode: 'average' as const }
  const { rows, conversion } = unwrap(
    await asked(ROWS.slice(0, 2), {
      measures: [sumOf('c1'), closing, average, { kind: 'ratio', over: closing, under: average }],
      currency: { code: 'SEK', mode: 'transaction' },
    }),
  )
  // February: Friday 30 January 11.2; its last 11.4; (11.3 + 11.4) / 2 = 11.35.
  expect(rows).toEqual([[100 + 1120, 100 + 1140, 100 + 1135, 1240 / 1235]])
  expect(conversion?.mode).toBe('transaction')
  expect(conversion?.lines.map(({ currency, mode, rate }) => [currency, mode, rate.least])).toEqual([
    ['EUR', undefined, 11.2],
    ['SEK', undefined, 1],
    ['EUR', 'closing', 11.4],
    ['EUR', 'average', 11.35],
  ])
})

it('takes balances of the books at the close of the year that they are of, opening ones at the close before it', async () => {
  const text = (index: number, label: string) => column(index, { type: 'text', label })
  const money = { style: 'currency' as const, currency: 'EUR' }
  const columns = [
    ...[text(0, 'fiscal_year'), text(1, 'kind'), text(2, 'account')],
    column(3, { type: 'number', scale: 2, label: 'amount', role: 'measure', format: money }),
  ]
  const one = (year: string, kind: string): StorageValue[] => [year, kind, '1930', 10_000]
  const years = [
    ...[one('2024', 'IB'), one('2024', 'UB'), one('2025', 'IB'), one('2025', 'UB'), one('2026', 'UB')],
    ...[one('2024-07/2025-06', 'UB'), one('2024-07/2025-06', 'IB'), one('unknown', 'UB')],
  ]
  const split = (key: Column['key']) => ({ field: at(key) })
  const of = {
    ...{ measures: [sumOf('c3')], dimensions: [split('c0'), split('c1')] },
    currency: { code: 'SEK', mode: 'closing' as const },
    sort: [0, 1].map((dimension) => ({ by: { dimension }, dir: 'asc' as const })),
  }
  const { rows, conversion } = unwrap(await asked(years, of, columns))
  expect(rows).toEqual([
    // The last rates of December 2023, December 2024, June 2024, June 2025, December 2024 and December 2025.
    ['2024', 'IB', 1150],
    ['2024', 'UB', 1140],
    ['2024-07/2025-06', 'IB', 1135],
    ['2024-07/2025-06', 'UB', 1145],
    ['2025', 'IB', 1140],
    ['2025', 'UB', 1110],
    // A year that has not ended, and one that is not known: today's month, 15 March 2026.
    ['2026', 'UB', 1125],
    ['unknown', 'UB', 1125],
  ])
  expect(conversion?.lines).toMatchObject([{ currency: 'EUR', from: '2023-12-29', to: '2026-03-02', rows: 8 }])
})

describe('amounts that no one asked to convert', () => {
  it('are told of the period alone where it is compared, and refused for either', async () => {
    const rows = [
      ['DE', 10_000, 'EUR', d('2026-01-30'), null],
      ['DE', 700, 'EUR', d('2026-02-27'), null],
      ['US', 500, 'USD', d('2026-01-27'), null],
    ]
    const range = { kind: 'absolute', from: '2026-02-01', to: '2026-02-28' } as const
    const refused = await asked(rows, { period: { field: at('c3'), range, compare: 'previous' } })
    expect(refused.ok ? null : refused.error.details?.['lines']).toEqual([
      { measure: 0, currency: 'EUR', amount: '7', rows: 1 },
      { measure: 0, currency: 'USD', amount: '0', rows: 0 },
    ])
  })

  it('are not added over several currencies; each is told what its own come to', async () => {
    const refused = await asked(ROWS, {})
    expect(refused).toMatchObject({ ok: false, error: { code: 'mixed_currency' } })
    expect(refused.ok ? null : refused.error.details).toEqual({
      currencies: ['EUR', 'JPY', 'SEK', 'USD'],
      lines: [
        { measure: 0, currency: 'EUR', amount: '100', rows: 1 },
        { measure: 0, currency: 'JPY', amount: '1600', rows: 1 },
        { measure: 0, currency: 'SEK', amount: '100', rows: 1 },
        { measure: 0, currency: 'USD', amount: '100', rows: 1 },
      ],
    })
  })

  it('are added where the rows asked about are in one, and shown in it', async () => {
    const filters = [{ field: at('c0'), any: [{ op: 'eq' as const, value: 'DE' }] }]
    const result = unwrap(await asked(ROWS, { filters }))
    expect(result.rows).toEqual([[100]])
    expect(result.columns[0]?.format).toEqual({ style: 'currency', currency: 'EUR' })
    expect(result.conversion).toBeUndefined()
  })

  it('are not added within a figure of figures either', async () => {
    const both = { kind: 'calc', op: 'add', left: sumOf('c1'), right: sumOf('c4') } as const
    const filters = [{ field: at('c2'), any: [{ op: 'eq' as const, value: 'EUR' }] }]
    for (const measure of [both, { kind: 'ratio', over: both, under: sumOf('c1') } as const])
      expect(await asked(ROWS, { measures: [measure], filters })).toMatchObject({
        ok: false,
        error: { code: 'mixed_currency', details: { currencies: ['EUR', 'USD'] } },
      })
  })

  it('are added by currency, without a total', async () => {
    const result = unwrap(await asked(ROWS, { dimensions: [{ field: at('c2') }], totals: true }))
    expect(result.rows).toHaveLength(4)
    expect(result.totals).toBeNull()
  })

  it('are counted in any case', async () => {
    expect(unwrap(await asked(ROWS, { measures: [{ kind: 'column', agg: 'count', field: at('c1') }] })).rows).toEqual([
      [4],
    ])
  })
})

it('reads smallest units by the currency of the row', async () => {
  const minor = COLUMNS.map((each): Column =>
    each.key === 'c1'
      ? { ...column(1, { type: 'integer', label: 'Amount', role: 'measure' }), currencyColumn: 'c2', minorUnits: true }
      : each,
  )
  const rows = [
    ['SE', 1250, 'SEK', d('2026-02-02'), null],
    ['JP', 1500, 'JPY', d('2026-02-02'), null],
    ['KW', 1250, 'KWD', d('2026-02-02'), null],
  ]
  const result = unwrap(await asked(rows, { dimensions: [{ field: at('c2') }] }, minor))
  expect(result.rows).toEqual([
    ['JPY', 1500],
    ['SEK', 12.5],
    ['KWD', 1.25],
  ])
  const owed = rows.map(([country = null, amount, ...rest]) => [country, -Number(amount), ...rest])
  const byAmount = unwrap(await asked(owed, { dimensions: [{ field: at('c1') }, { field: at('c2') }] }, minor))
  expect(byAmount.rows.map(([amount]) => amount)).toEqual([-1.25, -12.5, -1500])
  const converted = unwrap(await asked(rows, { currency: { code: 'SEK', mode: 'transaction' } }, minor))
  // 12.50 + 1500 × 11.3 / 161.5 (0.0699690402); KWD has no rate.
  expect(converted.rows[0]?.[0]).toBeCloseTo(12.5 + 104.9535603, 9)
  const fixed = [
    column(0, {
      type: 'integer',
      label: 'Öre',
      role: 'measure',
      format: { style: 'currency', currency: 'SEK' },
      minorUnits: true,
    }),
  ]
  const plain = unwrap(await asked([[1250], [75]], { measures: [sumOf('c0')] }, fixed))
  expect(plain.rows).toEqual([[13.25]])
  expect(plain.columns[0]).toMatchObject({ type: 'number', scale: 2 })
})

it('adds up as a naive converter does, row by row', async () => {
  const cell = fc.record({
    country: fc.constantFrom('SE', 'DE'),
    amount: fc.integer({ min: -90_000_000_00, max: 90_000_000_00 }),
    currency: fc.constantFrom('SEK', 'EUR', 'USD', 'JPY', 'ZZZ', null),
    day: fc.option(fc.integer({ min: d('2026-01-20'), max: d('2026-03-25') })),
  })
  const cases = fc.record({
    rows: fc.array(cell, { maxLength: 30 }),
    code: fc.constantFrom('SEK', 'EUR', 'USD'),
    mode: fc.constantFrom(...CURRENCY_MODES),
    monthly: fc.boolean(),
  })
  await inSqlite('money-naive', (sql) => {
    const property = fc.property(cases, ({ rows, code, mode, monthly }) => {
      const cells = rows.map(({ country, amount, currency, day }) => [country, amount, currency, day, null])
      const dataset = tableOf(COLUMNS, cells)
      const dimensions = monthly ? [{ field: at('c3'), grain: 'month' as const }] : [{ field: at('c0') }]
      const result = unwrap(answerMoney(sql, dataset, planOf({ dimensions, currency: { code, mode } })))
      const wanted = new Map<string, number | null>()
      let missing = 0
      for (const { country, amount, currency, day } of rows) {
        const key = monthly ? String(day === null ? null : monthIndexOf(day)) : country
        const same = currency === code
        const rate =
          currency === null || day === null
            ? null
            : createRateLookup({ days: DAYS, own: OWN }, { from: currency, to: code }, mode).at(day)
        if (!same && !rate) missing += 1
        const value = same ? amount / 100 : rate ? (amount / 100) * (Number(rate.n) / 1e10) : null
        const known = wanted.get(key) ?? null
        wanted.set(key, value === null ? known : (known ?? 0) + value)
      }
      const got = new Map(
        result.rows.map(([key, value]): [string, number | null] => {
          const name = monthly ? String(typeof key === 'string' ? monthIndexOf(d(key)) : null) : String(key)
          return [name, value === null || value === undefined ? null : Number(value)]
        }),
      )
      expect([...got.keys()].toSorted()).toEqual([...wanted.keys()].toSorted())
      for (const [key, value] of wanted) {
        if (value === null) expect(got.get(key)).toBeNull()
        else expect(Math.abs((got.get(key) ?? NaN) - value)).toBeLessThan(1e-3)
      }
      expect(result.conversion?.missing.reduce((total, { rows: n }) => total + n, 0)).toBe(missing)
    })
    fc.assert(property, { numRuns: LONG ? 2_000 : 50 })
  })
})
