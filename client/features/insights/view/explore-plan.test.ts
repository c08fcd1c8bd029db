import { describe, expect, it } from 'vitest'
import { queryPlanSchema, type QueryPlan } from '../../../../src/shared/query/plan'
import { answerOf, country, month, quarter, sales } from '../../../ui/chart/chart.fixture'
import { field, MONTHLY } from '../insights.fixture'
import { drillPlan } from '../../../lib/marks/drill-plan'
import { isMarkOf, markFilters, rowsOfMarks } from '../../../lib/marks/mark-filters'
import { breakDownMark, filterToMark, isBrokenDownBy, zoomToMark } from '../../../lib/marks/explore-plan'

const valid = (plan: QueryPlan | null): QueryPlan | null => {
  if (plan) expect(queryPlanSchema.safeParse(plan).error).toBeUndefined()
  return plan
}
const byCountry: QueryPlan = { ...MONTHLY, dimensions: [...MONTHLY.dimensions, { field: field('c2') }] }
const split = answerOf([month, country, sales], [['2026-02-01', 'Sweden', 5]], { period: quarter().period })

describe('a mark', () => {
  it('filters to its names, and not to its time', () => {
    const mark = { plan: byCountry, result: split, row: 0 }
    expect(valid(filterToMark(mark))?.filters).toEqual([{ field: field('c2'), any: [{ op: 'eq', value: 'Sweden' }] }])
    expect(filterToMark({ plan: MONTHLY, result: quarter(), row: 1 })).toBeNull()
  })

  it('zooms to its own days by the next finer unit', () => {
    const plan = valid(zoomToMark({ plan: MONTHLY, result: quarter(), row: 1 }))
    expect(plan?.dimensions[0]?.grain).toBe('day')
    expect(plan?.period?.range).toEqual({ kind: 'absolute', from: '2026-02-01', to: '2026-02-28' })
    const days = answerOf([{ ...month, grain: 'day' }, sales], [['2026-02-03', 5]])
    const daily: QueryPlan = { ...MONTHLY, dimensions: [{ field: field('c1'), grain: 'day' }] }
    expect(zoomToMark({ plan: daily, result: days, row: 0 })).toBeNull()
  })

  it('is broken down by another column, within its names and days', () => {
    const plan = valid(breakDownMark({ plan: byCountry, result: split, row: 0 }, field('c4')))
    expect(plan?.dimensions).toEqual([{ field: field('c4'), topN: 20 }])
    expect(plan?.filters).toEqual([{ field: field('c2'), any: [{ op: 'eq', value: 'Sweden' }] }])
    expect(plan?.period?.range).toEqual({ kind: 'absolute', from: '2026-02-01', to: '2026-02-28' })
    expect(isBrokenDownBy(byCountry, field('c2'))).toBe(true)
    expect(isBrokenDownBy(byCountry, field('c4'))).toBe(false)
  })

  it('of some of its splits says nothing of the others', () => {
    const mark = { plan: byCountry, result: split, row: 0 }
    expect(filterToMark({ ...mark, dimensions: [0] })).toBeNull()
    expect(zoomToMark({ ...mark, dimensions: [1] })).toBeNull()
    const ofMonth = valid(breakDownMark({ ...mark, dimensions: [0] }, field('c4')))
    expect(ofMonth?.filters).toEqual([])
    expect(ofMonth?.period?.range).toEqual({ kind: 'absolute', from: '2026-02-01', to: '2026-02-28' })
    const records = valid(drillPlan({ ...mark, dimensions: [1] }))
    expect(records?.filters).toEqual([{ field: field('c2'), any: [{ op: 'eq', value: 'Sweden' }] }])
    expect(records?.period?.range).toEqual({ kind: 'absolute', from: '2026-01-01', to: '2026-03-31' })
  })

  it('of one split stands for every row that shares it', () => {
    const rows = answerOf(
      [month, country, sales],
      [
        ['2026-01-01', 'Norway', 1],
        ['2026-01-01', 'Sweden', 2],
        ['2026-02-01', 'Norway', 3],
      ],
    )
    const answered = { plan: byCountry, result: rows }
    const january = markFilters({ ...answered, row: 0, dimensions: [0] })
    expect([...rowsOfMarks(answered, [january])]).toEqual([0, 1])
    expect([...rowsOfMarks(answered, [markFilters({ ...answered, row: 2 })])]).toEqual([2])
    expect([...rowsOfMarks(answered, [])]).toEqual([])
    expect(isMarkOf({ ...answered, row: 1, dimensions: [0] }, january)).toBe(true)
    expect(isMarkOf({ ...answered, row: 0 }, january)).toBe(false)
  })

  it('whose figures are worked out over time is not broken down', () => {
    const [measure] = MONTHLY.measures
    const running = { kind: 'cumulative', of: measure, restart: 'never' } as const
    const plan = measure && queryPlanSchema.parse({ ...MONTHLY, v: 2, measures: [running] })
    expect(plan && breakDownMark({ plan, result: quarter(), row: 0 }, field('c4'))).toBeNull()
  })
})
