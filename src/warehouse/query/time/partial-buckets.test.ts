import { describe, expect, it } from 'vitest'
import { runQuery } from '../../../../test/worker/run-query'
import { CALENDAR, column, DATASET, EVERYTHING, inSqlite, tableOf } from '../../../../test/worker/warehouse-rows'
import { queryPlanSchema, type Filter } from '../../../shared/query/plan'
import { type Grain } from '../../../shared/query/date-range'
import type { PartialBucket } from '../../../shared/query/partial-bucket'
import type { QueryResult } from '../../../shared/query/result'

const DAY_MS = 86_400_000
const field = (at: number) => ({ dataset: DATASET, column: `c${at}` as const })
const COLUMNS = [
  column(0, { type: 'date', label: 'Day', role: 'time' }),
  column(1, { type: 'text', label: 'Kind' }),
  column(2, { type: 'datetime', label: 'Moment', role: 'time' }),
]
type Keep = (day: Date) => boolean
const daysOf = (from: string, to: string, keep: Keep = () => true): number[] => {
  const days: number[] = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS) if (keep(new Date(at))) days.push(at / DAY_MS)
  return days
}

interface BucketQuestion {
  grain: Grain
  on?: 0 | 2
  filters?: Filter[]
  period?: { from: string; to: string }
}
/** What an answer over rows on these days tells of the buckets that they begin or end in. */
async function partial(
  days: number[],
  { grain, on = 0, filters = [], period }: BucketQuestion,
): Promise<PartialBucket[]> {
  const outcome = await inSqlite('partial-buckets', (sql) => {
    const dataset = tableOf(
      COLUMNS,
      days.map((day, at) => [day, at === 0 ? 'rare' : 'usual', day * DAY_MS]),
    )
    const range = period && ({ kind: 'absolute', ...period } as const)
    return runQuery({
      ...{ sql, catalogue: { find: (id) => (id === DATASET ? dataset : null), edges: [] }, now: 0 },
      plan: queryPlanSchema.parse({
        ...{ v: 1, kind: 'aggregate', dataset: DATASET, filters },
        measures: [{ kind: 'column', agg: 'count' }],
        dimensions: [{ field: field(on), grain }],
        ...(range ? { period: { field: field(on), range } } : {}),
      }),
      ...{ scope: EVERYTHING, calendar: { ...CALENDAR, timeZone: 'UTC', today: '2026-11-21' } },
    })
  })
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.error))
  const result: QueryResult = outcome.value
  return result.columns[0]?.partial ?? []
}
const workdays: Keep = (day) => day.getUTCDay() !== 0 && day.getUTCDay() !== 6

describe('buckets that the data begin or end in the middle of', () => {
  it('are told with the first and the last day of the data: months, weeks, quarters and years', async () => {
    const days = daysOf('2018-01-10', '2018-04-09')
    expect(await partial(days, { grain: 'month' })).toEqual([
      { start: '2018-01-01', from: '2018-01-10' },
      { start: '2018-04-01', to: '2018-04-09' },
    ])
    expect(await partial(days, { grain: 'week' })).toEqual([
      { start: '2018-01-08', from: '2018-01-10' },
      { start: '2018-04-09', to: '2018-04-09' },
    ])
    expect(await partial(days, { grain: 'quarter' })).toEqual([
      { start: '2018-01-01', from: '2018-01-10' },
      { start: '2018-04-01', to: '2018-04-09' },
    ])
    expect(await partial(days, { grain: 'year' })).toEqual([
      { start: '2018-01-01', from: '2018-01-10', to: '2018-04-09' },
    ])
  })

  it('are told of moments and of a filtered answer alike, and only where they are shown', async () => {
    const days = daysOf('2018-01-01', '2018-04-09')
    const april = [{ start: '2018-04-01', to: '2018-04-09' }]
    expect(await partial(days, { grain: 'month', on: 2 })).toEqual(april)
    const usual: Filter = { field: field(1), any: [{ op: 'in', values: ['usual'] }] }
    expect(await partial(days, { grain: 'month', filters: [usual] })).toEqual(april)
    const rare: Filter = { field: field(1), any: [{ op: 'in', values: ['rare'] }] }
    expect(await partial(days, { grain: 'month', filters: [rare] })).toEqual([])
    expect(await partial(days, { grain: 'month', period: { from: '2018-01-01', to: '2018-03-31' } })).toEqual([])
  })

  it('are none where they are whole: to the end, before a weekend, with one row each, as often as rows come', async () => {
    expect(await partial(daysOf('2018-01-01', '2018-04-30'), { grain: 'month' })).toEqual([])
    expect(await partial(daysOf('2018-01-02', '2018-06-29', workdays), { grain: 'month' })).toEqual([])
    const first: Keep = (day) => day.getUTCDate() === 1
    expect(await partial(daysOf('2018-01-01', '2018-04-01', first), { grain: 'month' })).toEqual([])
    expect(await partial(daysOf('2017-01-01', '2018-04-01', first), { grain: 'month' })).toEqual([])
    // Every sixth day, three months: four days without rows are nothing unusual.
    const sparse: Keep = (day) => (day.getTime() / DAY_MS) % 6 === 0
    expect(await partial(daysOf('2018-01-01', '2018-03-29', sparse), { grain: 'month' })).toEqual([])
  })

  it('are those that the period begins and ends in the middle of, too, when its data are regular', async () => {
    const days = daysOf('2018-01-01', '2018-06-30')
    expect(await partial(days, { grain: 'month', period: { from: '2018-02-24', to: '2018-04-22' } })).toEqual([
      { start: '2018-02-01', from: '2018-02-24' },
      { start: '2018-04-01', to: '2018-04-22' },
    ])
    // A Sunday before, on which nobody works.
    const monday = { grain: 'month', period: { from: '2018-04-02', to: '2018-05-31' } } as const
    expect(await partial(daysOf('2018-01-01', '2018-06-30', workdays), monday)).toEqual([])
  })

  it('leave the running one to itself', async () => {
    const days = daysOf('2026-08-01', '2026-11-19')
    expect(await partial(days, { grain: 'month', period: { from: '2026-08-01', to: '2026-11-30' } })).toEqual([])
    expect(await partial(days, { grain: 'month' })).toEqual([{ start: '2026-11-01', to: '2026-11-19' }])
    const past = { from: '2026-08-01', to: '2026-11-18' }
    expect(await partial(days, { grain: 'month', period: past })).toEqual([{ start: '2026-11-01', to: '2026-11-18' }])
  })
})
