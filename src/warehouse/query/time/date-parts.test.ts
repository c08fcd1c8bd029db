import { describe, expect, it } from 'vitest'
import { answerRows, askRows, type RowsQuestion } from '../../../../test/worker/ask-rows'
import { column, DATASET } from '../../../../test/worker/warehouse-rows'
import type { QueryResult } from '../../../shared/query/result'

const field = (index: number) => ({ dataset: DATASET, column: `c${index}` as const })
const columns = [column(0, { type: 'datetime', zoned: true, label: 'Bought at' }), column(1, { type: 'date' })]
const rowsOf = (...instants: string[]) =>
  instants.map((instant) => [Date.parse(instant), Math.floor(Date.parse(instant) / 86_400_000)])
/** A Sunday and a Monday in Stockholm, and a Monday hour that is Sunday in UTC. */
const rows = rowsOf('2026-03-08T10:00:00Z', '2026-03-08T23:30:00Z', '2026-03-09T08:15:00Z', '2026-03-09T08:45:00Z')
const stockholm = { timeZone: 'Europe/Stockholm' }
const answer = (given: Omit<RowsQuestion, 'columns' | 'rows'> & Partial<RowsQuestion>): Promise<QueryResult> =>
  answerRows('date-parts', { columns, rows, calendar: stockholm, ...given })

describe('a split by a part of dates', () => {
  it('tells hours of the workspace’s clock apart, in the order of the day', async () => {
    const { rows: hours } = await answer({ plan: { dimensions: [{ field: field(0), part: 'hourOfDay' }] } })
    expect(hours).toEqual([
      [0, 1],
      [9, 2],
      [11, 1],
    ])
  })

  it('has weekdays from the day that begins the week', async () => {
    const plan = { dimensions: [{ field: field(0), part: 'weekday' as const }] }
    const monday = await answer({ plan })
    const sunday = await answer({ plan, calendar: { ...stockholm, weekStart: 'sunday' } })
    expect(monday.rows.map(([day]) => day)).toEqual([1, 7])
    expect(sunday.rows.map(([day]) => day)).toEqual([7, 1])
    expect(sunday.columns[0]).toMatchObject({ part: 'weekday', firstWeekday: 7, type: 'integer' })
  })

  it('follows the figures where that is asked for', async () => {
    const plan = {
      dimensions: [{ field: field(0), part: 'hourOfDay' as const }],
      sort: [{ by: { measure: 0 }, dir: 'desc' as const }],
    }
    expect((await answer({ plan })).rows[0]).toEqual([9, 2])
  })

  it.each([
    ['monday', 53, 1],
    ['sunday', 1, 2],
    ['saturday', 1, 2],
  ] as const)('numbers the weeks that begin on %s as calendars do', async (weekStart, newYear, later) => {
    const days = rowsOf('2027-01-01T12:00:00Z', '2027-01-04T12:00:00Z')
    const plan = { dimensions: [{ field: field(1), part: 'weekOfYear' as const }], totals: true }
    const found = await answer({ plan, rows: days, calendar: { weekStart } })
    expect(new Set(found.rows.map(([week]) => week))).toEqual(new Set([newYear, later]))
  })

  it('is told in words, also as a filter', async () => {
    const { rows: found, words } = await answer({
      plan: {
        dimensions: [{ field: field(0), part: 'monthOfYear' }],
        filters: [{ field: field(0), part: 'weekday', any: [{ op: 'eq', value: 1 }] }],
      },
    })
    expect(found).toEqual([[3, 3]])
    expect(words).toBe('Number of rows by month of year of Bought at, where weekday of Bought at is Monday')
  })

  it.each([
    [{ dimensions: [{ field: field(1), part: 'hourOfDay' as const }] }, 'plan.dimensions.0.part'],
    [{ dimensions: [{ field: field(0), part: 'weekday' as const, grain: 'day' as const }] }, 'plan.dimensions.0.part'],
    [
      { filters: [{ field: field(1), part: 'hourOfDay' as const, any: [{ op: 'eq' as const, value: 1 }] }] },
      'plan.filters.0.part',
    ],
  ])('is refused at its place where the column has none (%#)', async (plan, at) => {
    const outcome = await askRows('date-parts', { columns, rows, plan })
    expect(outcome.ok ? null : outcome.error.details).toMatchObject({ fields: { [at]: expect.any(String) } })
  })
})
