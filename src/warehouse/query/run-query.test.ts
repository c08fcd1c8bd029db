import { afterAll, describe, expect, it } from 'vitest'
import { casesOf } from '../../../test/long'
import { naiveBucket } from '../../../test/worker/naive/time'
import { runQuery } from '../../../test/worker/run-query'
import { cellOf, segmentsOf } from './time/zone-offsets'
import { CALENDAR, column, DATASET, EVERYTHING, inSqlite, onlyRows, tableOf } from '../../../test/worker/warehouse-rows'
import type { ScopeWire } from '../../scope'
import type { RpcResult } from '../../shared/errors'
import { queryPlanSchema } from '../../shared/query/plan'
import type { QueryPlanInput } from '../../shared/query/plan'
import type { Grain } from '../../shared/query/date-range'
import type { Cell, QueryResult } from '../../shared/query/result'
import type { Column } from '../../shared/data-sources/data-sources'
import { Temporal } from 'temporal-polyfill'
import type { Calendar } from '../../shared/dates'
import type { StorageValue } from '../../lib/storage-value'

const field = (index: number) => ({ dataset: DATASET, column: `c${index}` as const })
const plan = (given: Partial<QueryPlanInput>): QueryPlanInput => ({
  v: 1,
  kind: 'aggregate',
  dataset: DATASET,
  measures: [{ kind: 'column', agg: 'count' }],
  dimensions: [],
  filters: [],
  ...given,
})
const DAY_MS = 86_400_000
const LIMIT_MS = 20_000
const day = (iso: string): number => Date.parse(`${iso}T00:00:00Z`) / DAY_MS

interface QueryInput {
  columns: Column[]
  rows: StorageValue[][]
  plan: QueryPlanInput
  calendar?: Partial<Calendar>
  scope?: Partial<ScopeWire>
}
const statements: { text: string; values: unknown[] }[] = []
/** Asks over a table made for this question, and keeps every statement that was run. */
const ask = ({ columns, rows, plan: given, calendar, scope }: QueryInput): Promise<RpcResult<QueryResult>> =>
  inSqlite('query-test', (sql) => {
    const dataset = tableOf(columns, rows)
    const spy = new Proxy(sql, {
      get: (target, key) =>
        key === 'exec'
          ? (text: string, ...values: SqlStorageValue[]) => {
              statements.push({ text, values })
              return target.exec(text, ...values)
            }
          : Reflect.get(target, key, target),
    })
    return runQuery({
      sql: spy,
      catalogue: { find: (id) => (id === DATASET ? dataset : null), edges: [] },
      scope: { ...EVERYTHING, ...scope },
      plan: queryPlanSchema.parse(given),
      calendar: { ...CALENDAR, ...calendar },
      now: 0,
    })
  })
const answer = async (given: QueryInput): Promise<QueryResult> => {
  const outcome = await ask(given)
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.error))
  return outcome.value
}
const refusal = async (given: QueryInput): Promise<string> => {
  const outcome = await ask(given)
  return outcome.ok ? 'answered' : outcome.error.code
}

describe('exactness', () => {
  const amounts = [column(0, { type: 'number', scale: 2, label: 'Amount' }), column(1, { type: 'integer' })]
  const sum = { kind: 'column', agg: 'sum', field: field(0) } as const

  it('adds hundredths without drift', async () => {
    const rows = Array.from({ length: 1000 }, () => [10, 1])
    expect((await answer({ columns: amounts, rows, plan: plan({ measures: [sum] }) })).rows).toEqual([[100]])
  })

  it('writes sums past 2^53 as decimal text, also past what SQLite can add up', async () => {
    const large = 2 ** 53 - 1
    const two = await answer({
      columns: amounts,
      rows: [
        [large, 1],
        [large, 1],
      ],
      plan: plan({ measures: [sum] }),
    })
    expect(two.rows).toEqual([['180143985094819.82']])
    const rows = Array.from({ length: 2000 }, (_, i) => [i % 2 === 0 ? large : large - 1, 1])
    const many = await answer({
      columns: amounts,
      rows,
      plan: plan({ measures: [sum, { kind: 'column', agg: 'avg', field: field(0) }] }),
    })
    expect(many.rows[0]?.[0]).toBe('180143985094819810')
    expect(many.rows[0]?.[1]).toBeCloseTo((large - 0.5) / 100, 0)
  })

  it('divides safely: nothing for zero', async () => {
    const ratio = { kind: 'ratio', over: sum, under: { kind: 'column', agg: 'sum', field: field(1) } } as const
    const result = await answer({
      columns: amounts,
      rows: [
        [150, 1],
        [150, -1],
      ],
      plan: plan({ measures: [ratio] }),
    })
    expect(result.rows).toEqual([[null]])
  })

  it('multiplies columns of different scales exactly', async () => {
    const row = {
      kind: 'binary',
      op: 'multiply',
      left: { kind: 'field', field: field(0) },
      right: { kind: 'number', value: 0.25 },
    } as const
    const result = await answer({
      columns: amounts,
      rows: [
        [1, 1],
        [1, 1],
        [1, 1],
      ],
      plan: plan({ measures: [{ kind: 'expression', agg: 'sum', row }] }),
    })
    expect(result.rows).toEqual([[0.0075]])
  })
})

describe('time', () => {
  const zoned = [column(0, { type: 'datetime', zoned: true }), column(1, { type: 'integer' })]
  const dates = [column(0, { type: 'date' }), column(1, { type: 'integer' })]
  const sums = async (given: {
    columns: Column[]
    rows: StorageValue[][]
    grain: Grain
    calendar?: Partial<Calendar>
  }) =>
    answer({
      ...given,
      plan: plan({
        measures: [{ kind: 'column', agg: 'sum', field: field(1) }],
        dimensions: [{ field: field(0), grain: given.grain }],
        totals: true,
      }),
    })

  it.each([
    ['Europe/Stockholm', '2026-03-29'],
    ['Europe/Stockholm', '2026-10-25'],
    ['America/St_Johns', '2006-10-29'],
    ['Pacific/Kiritimati', '2026-01-01'],
    ['Etc/GMT+12', '2026-01-01'],
    ['Asia/Kolkata', '2024-02-29'],
    ['Australia/Lord_Howe', '2026-04-05'],
    ['Pacific/Apia', '2011-12-30'],
    ['Europe/Stockholm', '1970-01-01'],
    ['Europe/Stockholm', '1850-06-01'],
    ['Europe/Stockholm', '9999-12-31'],
  ])(
    'puts every quarter of an hour in %s around %s into exactly one bucket, the one of its wall clock',
    async (timeZone, date) => {
      const start = day(date) * DAY_MS - DAY_MS
      const instants = Array.from({ length: 3 * 96 }, (_, i) => start + i * 900_000)
      for (const grain of ['hour', 'day', 'week', 'month', 'fiscalYear'] as const) {
        const calendar: Calendar = { ...CALENDAR, timeZone, fiscalYearStart: 4 }
        const result = await sums({ columns: zoned, rows: instants.map((at) => [at, 1]), grain, calendar })
        const expected = new Map<string, number>()
        for (const at of instants) {
          const wall = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDateTime()
          const inside = wall.year > 9999 ? Temporal.PlainDateTime.from('9999-12-31T00:00') : wall
          if (wall.year > 9999 && grain === 'hour') continue
          const bucket = naiveBucket(inside, grain, calendar)
          const key = grain === 'hour' ? bucket.toString({ smallestUnit: 'minute' }) : bucket.toPlainDate().toString()
          expected.set(key, (expected.get(key) ?? 0) + 1)
        }
        if (grain !== 'hour' || !date.startsWith('9999'))
          expect(Object.fromEntries(result.rows.map(([key, n]) => [key, n]))).toEqual(Object.fromEntries(expected))
        expect(result.rows.reduce((total, [, n]) => total + Number(n), 0)).toBe(result.totals?.[1])
      }
    },
  )

  const instantOf = (year: number): number =>
    Temporal.PlainDate.from({ year, month: 7, day: 1 }).toZonedDateTime('UTC').epochMilliseconds
  const everyYear = Array.from({ length: 9990 }, (_, i) => [instantOf(i + 1), 1])

  it('answers or refuses instants of 9 990 years in a moment', async () => {
    const zones = ['Europe/Stockholm', 'America/New_York', 'Africa/Casablanca', 'Asia/Tokyo']
    for (const timeZone of casesOf(zones, 'Europe/Stockholm', 'Asia/Tokyo')) {
      const start = performance.now()
      const asked = plan({ dimensions: [{ field: field(0), grain: 'year' }] })
      // Putting the rows in is counted too.
      const code = await refusal({ columns: zoned, rows: everyYear, plan: asked, calendar: { timeZone } })
      // The runtime's clock stands still while code runs: it goes on with the next task.
      await scheduler.wait(0)
      expect([timeZone, code]).toEqual([
        timeZone,
        timeZone === 'Asia/Tokyo' || timeZone === 'Africa/Casablanca' ? 'answered' : 'query_too_complex',
      ])
      expect(performance.now() - start).toBeLessThan(LIMIT_MS)
    }
  })

  const ZONES = ['Europe/Stockholm', 'America/New_York', 'Africa/Casablanca', 'Australia/Lord_Howe', 'Asia/Kolkata']
  it.each(casesOf(ZONES, 'Europe/Stockholm', 'Australia/Lord_Howe'))(
    'shows the offsets of %s in every age as the calendar has them',
    (timeZone) => {
      const years = [1, 1500, 1799, 1800, 1801, 1950, 2026, 2099, 2100, 2101, 2200, 2499, 2500, 2501, 5000, 9000, 9997]
      for (const year of years) {
        const cells = [-1, 0, 1].map((step) => cellOf(instantOf(year)) + step)
        const segments = segmentsOf(timeZone, cells, 600)
        for (let i = 0; i < 365; i += 5) {
          const at = instantOf(year) + (i - 180) * DAY_MS + 7_000_000
          const offset = segments.findLast(({ from }) => from <= at)?.offset
          const clock = Temporal.Instant.fromEpochMilliseconds(Math.max(at, Date.UTC(1800, 0, 1)))
          expect([year, i, offset]).toEqual([year, i, clock.toZonedDateTimeISO(timeZone).offsetNanoseconds / 1e6])
        }
      }
    },
  )

  it('knows weeks, leap days and fiscal years at their edges', async () => {
    const isoDays = ['0001-01-01', '1969-12-31', '1970-01-01', '2024-02-29', '2026-01-01', '2026-12-31', '9999-12-31']
    const rows = isoDays.map((iso) => [
      Math.round(Temporal.PlainDate.from(iso).toZonedDateTime('UTC').epochMilliseconds / DAY_MS),
      1,
    ])
    const buckets = async (grain: Grain, calendar?: Partial<Calendar>): Promise<Cell[]> =>
      (await sums({ columns: dates, rows, grain, ...(calendar ? { calendar } : {}) })).rows.map(
        ([bucket]) => bucket ?? null,
      )
    expect(await buckets('week')).toEqual([
      '0001-01-01',
      '1969-12-29',
      '2024-02-26',
      '2025-12-29',
      '2026-12-28',
      '9999-12-27',
    ])
    expect(await buckets('week', { weekStart: 'sunday' })).toContain('2025-12-28')
    expect(await buckets('month')).toEqual([
      '0001-01-01',
      '1969-12-01',
      '1970-01-01',
      '2024-02-01',
      '2026-01-01',
      '2026-12-01',
      '9999-12-01',
    ])
    expect(await buckets('fiscalYear', { fiscalYearStart: 5 })).toEqual([
      '0000-05-01',
      '1969-05-01',
      '2023-05-01',
      '2025-05-01',
      '2026-05-01',
      '9999-05-01',
    ])
  })

  it.each([
    ['past', [['2022-01-10'], ['2022-12-30']], { incomplete: false, dataTo: '2022-12-30' }],
    ['past and whole', [['2022-01-10'], ['2022-12-31']], { incomplete: false }],
    ['running', [['2022-01-10'], ['2026-03-02']], { incomplete: true, runningFrom: '2026-03-01' }],
  ] as const)('says of all time that is %s whether it runs, and where its data end', async (_state, days, state) => {
    const all = { kind: 'relative', span: 'all', unit: 'year', n: 1, includeCurrent: false } as const
    const result = await answer({
      columns: dates,
      rows: days.map(([iso]) => [day(iso), 1]),
      plan: plan({
        dimensions: [{ field: field(0), grain: 'month' }],
        period: { field: field(0), range: all, compare: 'none' },
      }),
    })
    const { incomplete, runningFrom, dataTo } = result.period ?? {}
    expect({ incomplete, runningFrom, dataTo }).toEqual({ runningFrom: undefined, dataTo: undefined, ...state })
  })

  it('runs only while today lies in it, whatever unit it is split by, and says where the data begin', async () => {
    const ask = async (range: { from: string; to: string }, compare: 'previous' | 'year') => {
      const { period } = await answer({
        columns: dates,
        rows: [['2025-02-20'], ['2026-03-14']].map(([iso]) => [day(iso ?? ''), 1]),
        plan: plan({
          dimensions: [{ field: field(0), grain: 'month' }],
          period: { field: field(0), range: { kind: 'absolute', ...range }, compare },
        }),
      })
      return period
    }
    // Today is 15 March: the last seven days ended yesterday, in a month that runs.
    const week = await ask({ from: '2026-03-08', to: '2026-03-14' }, 'previous')
    expect(week).toMatchObject({ incomplete: false })
    expect(week).not.toHaveProperty('runningFrom')
    expect(await ask({ from: '2026-03-08', to: '2026-03-15' }, 'previous')).toMatchObject({ incomplete: true })
    const year = await ask({ from: '2026-01-01', to: '2026-02-28' }, 'year')
    expect(year).toMatchObject({ compare: { dataFrom: '2025-02-20' } })
    expect(year).not.toHaveProperty('dataFrom')
    expect(await ask({ from: '2025-02-01', to: '2025-03-31' }, 'year')).toMatchObject({ dataFrom: '2025-02-20' })
  })

  it('compares with the same months a year earlier, 29 February counting to the 28th', async () => {
    const rows = ['2024-02-28', '2024-02-29', '2025-02-28'].map((iso) => [day(iso), 1])
    const result = await answer({
      columns: dates,
      rows,
      plan: plan({
        dimensions: [{ field: field(0), grain: 'day' }],
        period: { field: field(0), range: { kind: 'absolute', from: '2025-02-01', to: '2025-02-28' }, compare: 'year' },
      }),
    })
    expect(result.rows).toEqual([['2025-02-28', 1, 2, -1, -0.5]])
    expect(result.period).toMatchObject({
      label: 'Feb 2025',
      compare: { from: '2024-02-01', to: '2024-02-29', label: 'Feb 2024' },
    })
  })

  it.each([
    [
      'this month so far',
      { span: 'this', unit: 'month' },
      ['2026-03-01', '2026-03-15'],
      ['2026-02-01', '2026-02-15'],
      true,
    ],
    [
      'the last 3 months',
      { span: 'last', unit: 'month', n: 3 },
      ['2025-12-01', '2026-02-28'],
      ['2025-09-01', '2025-11-30'],
      false,
    ],
    [
      'the last month and this',
      { span: 'last', unit: 'month', includeCurrent: true },
      ['2026-02-01', '2026-03-15'],
      ['2025-12-01', '2026-01-15'],
      true,
    ],
    ['last week', { span: 'last', unit: 'week' }, ['2026-03-02', '2026-03-08'], ['2026-02-23', '2026-03-01'], false],
    [
      'the last 7 days',
      { span: 'last', unit: 'day', n: 7 },
      ['2026-03-08', '2026-03-14'],
      ['2026-03-01', '2026-03-07'],
      false,
    ],
    [
      'this fiscal year so far',
      { span: 'this', unit: 'fiscalYear' },
      ['2025-07-01', '2026-03-15'],
      ['2024-07-01', '2025-03-15'],
      true,
    ],
  ] as const)('resolves %s and what came before it', async (_words, range, days, before, incomplete) => {
    const result = await answer({
      columns: dates,
      rows: [],
      calendar: { fiscalYearStart: 7 },
      plan: plan({ period: { field: field(0), range: { kind: 'relative', ...range }, compare: 'previous' } }),
    })
    expect(result.period).toMatchObject({ from: days[0], to: days[1], compare: { from: before[0] }, incomplete })
    expect(Math.abs(day(result.period?.compare?.to ?? '') - day(before[1]))).toBeLessThanOrEqual(
      range.unit === 'fiscalYear' ? 1 : 0,
    )
  })
})

describe('groups', () => {
  const columns = [column(0, { type: 'text', label: 'Country' }), column(1, { type: 'integer', label: 'Amount' })]
  const rows = [
    ['SE', 5],
    ['SE', 6],
    ['se', 4],
    ['NO', 3],
    [null, 2],
    ['Other', 1],
    ['FI', 1],
  ]

  it('counts *Other* from the rows, apart from a value of that name; empty is a group; letters count', async () => {
    const distinct = { kind: 'column', agg: 'countDistinct', field: field(1) } as const
    const result = await answer({
      columns,
      rows,
      plan: plan({
        measures: [{ kind: 'column', agg: 'sum', field: field(1) }, distinct],
        dimensions: [{ field: field(0), topN: 4 }],
        totals: true,
      }),
    })
    expect(result.rows).toEqual([
      ['SE', 11, 2],
      ['se', 4, 1],
      ['NO', 3, 1],
      [null, 2, 1],
      ['Other', 2, 1],
    ])
    expect([result.otherRow, result.totals]).toEqual([4, [null, 22, 6]])
  })

  it('has every group that has rows, whether or not there is anything to add up in it', async () => {
    const columns = [column(0, { type: 'text' }), column(1, { type: 'integer' }), column(2, { type: 'date' })]
    const [now, before] = [day('2026-02-10'), day('2026-01-10')]
    const period = { field: field(2), range: { kind: 'absolute', from: '2026-02-01', to: '2026-02-28' } } as const
    const sum = plan({
      measures: [{ kind: 'column', agg: 'sum', field: field(1) }],
      dimensions: [{ field: field(0) }],
      sort: [{ by: { dimension: 0 }, dir: 'asc' }],
      period: { ...period, compare: 'previous' },
    })
    const shown = async (rows: StorageValue[][]) =>
      (await answer({ columns, rows, plan: sum })).rows.map(([group, is, was]) => [group, is, was])
    const full = [
      ['a', 1, now],
      ['b', 2, before],
      ['a', 0, now],
    ]
    expect(await shown(full)).toEqual([
      ['a', 1, null],
      ['b', null, 2],
    ])
    expect(await shown([...full, ['c', null, now], ['d', null, before]])).toEqual([
      ['a', 1, null],
      ['b', null, 2],
      ['c', null, null],
      ['d', null, null],
    ])
  })

  it('pages records completely, in the order of loading', async () => {
    const page = async (offset: number) =>
      (await answer({ columns, rows, plan: plan({ kind: 'rows', measures: [], limit: 3, offset }) })).rows
    expect([...(await page(0)), ...(await page(3)), ...(await page(6))]).toEqual(rows)
  })

  it('reads datasets wider than a table', async () => {
    const wide = Array.from({ length: 250 }, (_, i) => column(i, { type: 'integer' }))
    const line = wide.map((_, i) => i)
    const shown = wide.slice(150).map((_, i) => field(150 + i))
    const result = await answer({
      columns: wide,
      rows: [line, line],
      plan: plan({ kind: 'rows', measures: [], columns: shown }),
    })
    expect(result.rows[1]).toEqual(line.slice(150))
    const summed = plan({
      measures: [{ kind: 'column', agg: 'sum', field: field(240) }],
      dimensions: [{ field: field(3) }],
    })
    expect((await answer({ columns: wide, rows: [line, line], plan: summed })).rows).toEqual([[3, 480]])
  })

  it('says in words what was asked', async () => {
    const result = await answer({
      columns: [...columns, column(2, { type: 'date', label: 'Day' })],
      rows: [],
      plan: plan({
        measures: [{ kind: 'column', agg: 'sum', field: field(1) }],
        dimensions: [{ field: field(2), grain: 'month' }],
        period: { field: field(2), range: { kind: 'absolute', from: '2026-01-01', to: '2026-06-30' }, compare: 'year' },
        filters: [{ field: field(0), any: [{ op: 'eq', value: 'Sweden' }] }],
      }),
    })
    expect(result.words).toBe(
      'Sum of Amount by month, Jan–Jun 2026 (Day), vs 1 Jan – 15 Mar 2025, where Country is Sweden',
    )
  })
})

describe('answers of any size', () => {
  const TEXT = 'x'.repeat(32 * 1024)
  const texts = Array.from({ length: 30 }, (_, i) => column(i, { type: 'text' }))
  const fields = texts.map((_, i) => field(i))
  const line = (i: number) => [String(i), ...texts.slice(1).map(() => TEXT)]

  it('ends a page of long texts early, and the pages after it are complete', async () => {
    const rows = Array.from({ length: 40 }, (_, i) => line(i))
    const seen: Cell[] = []
    for (let pages = 0; seen.length < rows.length; pages += 1) {
      const given = plan({ kind: 'rows', measures: [], columns: fields, offset: seen.length })
      const page = await answer({ columns: texts, rows, plan: given })
      expect(page.rows.length).toBeGreaterThan(0)
      expect(JSON.stringify(page.rows).length).toBeLessThan(9_000_000)
      expect([page.rowCount, page.truncated]).toEqual([40, seen.length + page.rows.length < 40])
      expect(page.rows[0]).toHaveLength(30)
      seen.push(...page.rows.map(([first]) => first ?? null))
      expect(pages).toBeLessThan(40)
    }
    expect(seen).toEqual(rows.map(([first]) => first))
  })

  it('keeps the order asked for when a page ends early', async () => {
    const rows = Array.from({ length: 30 }, (_, i) => line(i + 10))
    const given = plan({ kind: 'rows', measures: [], columns: fields, sort: [{ by: { column: 0 }, dir: 'desc' }] })
    const page = await answer({ columns: texts, rows, plan: given })
    expect(page.truncated).toBe(true)
    expect(page.rows.map(([first]) => first)).toEqual(page.rows.map((_, i) => String(39 - i)))
  })

  it('refuses groups whose names are too much for an answer', async () => {
    const rows = Array.from({ length: 300 }, (_, i) => [`${i}${TEXT}`])
    const given = { columns: texts.slice(0, 1), rows, plan: plan({ dimensions: [{ field: field(0) }] }) }
    expect(await refusal(given)).toBe('query_too_complex')
    expect(await refusal({ ...given, plan: plan({ dimensions: [{ field: field(0) }], limit: 10 }) })).toBe('answered')
  })

  it('refuses a column named twice', async () => {
    const given = plan({ kind: 'rows', measures: [], columns: [field(0), field(1), field(0)] })
    expect(await refusal({ columns: texts, rows: [line(0)], plan: given })).toBe('invalid_input')
  })
})

describe('what may be seen', () => {
  const columns = [column(0, { type: 'text' }), column(1, { type: 'integer' })]
  const rows = [
    ['a', 1],
    ['b', 2],
    ['b', 3],
  ]
  const only = (value: string): ScopeWire['rowFilters'] => [
    onlyRows(DATASET, { field: field(0), any: [{ op: 'eq', value }] }),
  ]
  const total = plan({ measures: [{ kind: 'column', agg: 'sum', field: field(1) }], totals: true })

  it('answers a filtered scope as if the other rows did not exist', async () => {
    const seen = await answer({ columns, rows, plan: total, scope: { rowFilters: only('b') } })
    const alone = await answer({ columns, rows: rows.slice(1), plan: total })
    expect([seen.rows, seen.totals]).toEqual([alone.rows, alone.totals])
    const drill = await answer({
      columns,
      rows,
      plan: plan({ kind: 'rows', measures: [] }),
      scope: { rowFilters: only('b') },
    })
    expect([drill.rowCount, drill.rows]).toEqual([2, rows.slice(1)])
  })

  it('tells neither the days nor the number of rows that a rule of the scope leaves out', async () => {
    const days = [column(0, { type: 'text' }), column(1, { type: 'date' })]
    const plans = plan({ period: { field: field(1), range: { kind: 'relative', span: 'all', unit: 'day' } } })
    const dated = [
      ['a', 10_000],
      ['b', 20_000],
      ['b', 20_001],
    ]
    const seen = await answer({ columns: days, rows: dated, plan: plans, scope: { rowFilters: only('b') } })
    expect(seen.datasets.map(({ rowCount }) => rowCount)).toEqual([2])
    expect([seen.period?.from, seen.period?.to]).toEqual(['2024-10-04', '2024-10-05'])
    const whole = await answer({ columns: days, rows: dated, plan: plans })
    expect([whole.datasets[0]?.rowCount, whole.period?.from]).toEqual([3, '1997-05-19'])
  })

  it('shows no row when a rule of the scope cannot be resolved', async () => {
    const gone: ScopeWire['rowFilters'] = [onlyRows(DATASET, { field: field(9), any: [{ op: 'eq', value: 'b' }] })]
    expect((await answer({ columns, rows, plan: plan({}), scope: { rowFilters: gone } })).rows).toEqual([[0]])
  })

  it('keeps answers of different rights apart', async () => {
    const [all, some] = [
      await answer({ columns, rows, plan: total }),
      await answer({ columns, rows, plan: total, scope: { rowFilters: only('a') } }),
    ]
    expect(all.hash).not.toBe(some.hash)
  })
})

describe('hostile plans', () => {
  const columns = [
    column(0, { type: 'text' }),
    column(1, { type: 'integer' }),
    column(2, { type: 'integer', hidden: true }),
    column(3, { type: 'number' }),
  ]
  const rows = [
    ['100%', 1, 1, 1],
    ['a_b\\c', 2, 1, 1],
    ['x'.repeat(60) + '😀', 3, 1, 1],
  ]
  const counted = async (value: string, op: 'contains' | 'startsWith' = 'contains') =>
    (await answer({ columns, rows, plan: plan({ filters: [{ field: field(0), any: [{ op, value }] }] }) })).rows[0]?.[0]

  it('looks for signs of LIKE literally, at any length', async () => {
    expect(await Promise.all(['%', '_', '\\', 'x'.repeat(51), '😀', '1%0'].map((text) => counted(text)))).toEqual([
      1, 1, 1, 1, 1, 0,
    ])
    expect(await counted('a_', 'startsWith')).toBe(1)
    expect(await counted('%'.repeat(2000))).toBe(0)
  })

  it('refuses what does not exist, is hidden, or does not fit', async () => {
    const tried = (given: Partial<QueryPlanInput>) => refusal({ columns, rows, plan: plan(given) })
    expect(await tried({ dimensions: [{ field: field(7) }] })).toBe('unknown_field')
    expect(await tried({ dimensions: [{ field: field(2) }] })).toBe('unknown_field')
    expect(await tried({ filters: [{ field: field(2), any: [{ op: 'eq', value: 1 }] }] })).toBe('unknown_field')
    expect(await tried({ dimensions: [{ field: { dataset: 'ds_11111111111111111111', column: 'c0' } }] })).toBe(
      'not_found',
    )
    expect(await tried({ measures: [{ kind: 'column', agg: 'sum', field: field(0) }] })).toBe('invalid_input')
    expect(await tried({ dimensions: [{ field: field(0), grain: 'month' }] })).toBe('invalid_input')
    expect(await tried({ filters: [{ field: field(1), any: [{ op: 'eq', value: 'rowid' }] }] })).toBe('invalid_input')
    expect(await tried({ measures: [] })).toBe('invalid_input')
    expect(await tried({ sort: [{ by: { measure: 3 }, dir: 'asc' }] })).toBe('invalid_input')
  })

  it('answers lists of a thousand, twenty filters of twenty conditions, and long terms, or says what is too much', async () => {
    const many = Array.from({ length: 1000 }, (_, i) => `value ${i}`)
    const listed = plan({ filters: [{ field: field(0), any: [{ op: 'notIn', values: many }] }] })
    expect((await answer({ columns, rows, plan: listed })).rows).toEqual([[3]])
    const twenty = (op: 'ne' | 'eq') =>
      Array.from({ length: 20 }, (_, i) => ({
        field: field(0),
        any: Array.from({ length: 20 }, (__, n) => ({ op, value: `${i} ${n}` })),
      }))
    expect((await answer({ columns, rows, plan: plan({ filters: twenty('eq') }) })).rows).toEqual([[0]])
    expect((await answer({ columns, rows, plan: plan({ filters: twenty('ne') }) })).rows).toEqual([[3]])
    const deep = (depth: number): unknown =>
      depth === 0
        ? { kind: 'number', value: 1 }
        : { kind: 'binary', op: 'add', left: deep(depth - 1), right: { kind: 'field', field: field(1) } }
    const measure = (depth: number) =>
      queryPlanSchema.shape.measures.parse([{ kind: 'expression', agg: 'sum', row: deep(depth) }])
    expect((await answer({ columns, rows, plan: plan({ measures: measure(15) }) })).rows).toEqual([[93]])
    expect(await refusal({ columns, rows, plan: plan({ measures: measure(200) }) })).toBe('query_too_complex')
  })

  const MARK = 'zq"\'`]--;/*injected'
  afterAll(() => statements.splice(0))

  it('no text of a person reaches SQL', async () => {
    statements.splice(0)
    const labelled = columns.map((each) => ({ ...each, label: MARK, hidden: false }))
    const hostile = [
      plan({
        measures: [
          {
            kind: 'column',
            agg: 'median',
            field: field(1),
            label: MARK,
            filter: [{ field: field(0), any: [{ op: 'contains', value: MARK }] }],
          },
        ],
        dimensions: [{ field: field(0), topN: 2 }],
        filters: [
          {
            field: field(0),
            any: [
              { op: 'ne', value: MARK },
              { op: 'startsWith', value: MARK },
              { op: 'in', values: [MARK, 'b'] },
              { op: 'between', from: MARK, to: MARK },
            ],
          },
        ],
        totals: true,
      }),
      plan({
        kind: 'rows',
        measures: [],
        filters: [{ field: field(0), any: [{ op: 'notIn', values: [MARK, MARK] }] }],
      }),
    ]
    const scope: Partial<ScopeWire> = {
      actorId: MARK,
      rowFilters: [onlyRows(DATASET, { field: field(0), any: [{ op: 'ne', value: MARK }] })],
    }
    for (const each of hostile)
      expect((await ask({ columns: labelled, rows: [[MARK, 1, 1, 1]], plan: each, scope })).ok).toBe(true)
    const texts = statements.map(({ text }) => text)
    expect(texts.length).toBeGreaterThan(0)
    expect(texts.filter((text) => /zq|injected/.test(text))).toEqual([])
  })
})
