import { describe, expect, it } from 'vitest'
import { defaultDraft, defaultPeriod, defaultMeasure, grainFor, lastCompleteMonthEnd } from './default-draft'
import { todayIn } from '../data-range'
import { dataRangeOf } from '../../../lib/query-builder/time-column'
import { answerOf } from '../../../ui/chart/chart.fixture'
import { buildPlan } from './build-plan'
import { field, ORDERS } from '../insights.fixture'

const only = (...labels: string[]) => ({
  ...ORDERS,
  columns: ORDERS.columns.filter((column) => labels.includes(column.label)),
})

describe('the first chart of a dataset', () => {
  it('sums the amount by month over the last twelve months, beside the year before', () => {
    const draft = defaultDraft(ORDERS, { from: '2023-12-01', to: '2026-11-14' }, '2026-11-21')
    expect(draft.measures).toEqual([{ kind: 'column', agg: 'sum', column: 'c5', label: '', filters: [] }])
    expect(draft.dimensions).toEqual([{ column: 'c1', grain: 'month', part: null, topN: null, grouping: null }])
    expect(draft.period).toMatchObject({ range: { preset: 'last12Months' }, compare: 'year' })
  })

  it('takes the last twelve months of the data, not of today', () => {
    expect(defaultPeriod({ from: '2015-03-01', to: '2019-06-28' }, '2026-11-21')).toMatchObject({
      range: { preset: 'dates', from: '2018-07-01', to: '2019-06-30' },
      compare: 'year',
    })
  })

  it('shows a shorter period of a shorter history, so that it can say what changed', () => {
    const period = (from: string, to: string) => defaultPeriod({ from, to }, '2026-11-21')
    expect(period('1996-07-24', '1998-05-04')).toMatchObject({
      range: { preset: 'dates', from: '1997-08-01', to: '1998-04-30' },
      compare: 'year',
    })
    expect(period('2018-09-10', '2019-06-30')).toMatchObject({
      range: { from: '2019-03-01', to: '2019-06-30' },
      compare: 'previous',
    })
    expect(period('2019-06-01', '2019-06-20')).toMatchObject({
      range: { from: '2019-06-11', to: '2019-06-20' },
      compare: 'previous',
    })
  })

  it('compares a few days with nothing', () => {
    const days = defaultPeriod({ from: '2019-06-01', to: '2019-06-08' }, '2026-11-21')
    expect(days).toMatchObject({ range: { preset: 'all' }, compare: 'none' })
  })

  it('leaves out a last month that is cut short', () => {
    expect(lastCompleteMonthEnd({ from: '2018-01-01', to: '2019-06-12' })).toBe('2019-05-31')
    expect(lastCompleteMonthEnd({ from: '2018-01-01', to: '2019-06-26' })).toBe('2019-06-30')
    expect(lastCompleteMonthEnd({ from: '2019-06-01', to: '2019-06-12' })).toBe('2019-06-12')
  })

  it('does not sum prices, and counts where nothing can be measured', () => {
    expect(defaultMeasure(only('unit_price'))).toMatchObject({ agg: 'avg', column: 'c4' })
    expect(defaultMeasure(only('unit_price', 'quantity'))).toMatchObject({ agg: 'sum', column: 'c3' })
    expect(defaultMeasure(only('country'))).toMatchObject({ kind: 'count' })
  })

  it('shows the largest groups where there is no date', () => {
    const draft = defaultDraft(only('country', 'amount'), null, '2026-11-21')
    expect(draft).toMatchObject({ dimensions: [{ column: 'c2', topN: 10, grouping: null }], period: null })
  })

  it('asks a ledger for income less costs, since its debit and credit add up to nothing', () => {
    const named = (key: 'c0' | 'c1' | 'c2' | 'c5', label: string) => {
      const found = ORDERS.columns.find((column) => column.key === key)
      return found ? [{ ...found, label }] : []
    }
    const columns = [
      ...named('c1', 'date'),
      ...named('c2', 'account'),
      ...named('c5', 'amount'),
      ...named('c2', 'voucher_key'),
    ]
    const draft = defaultDraft({ ...ORDERS, columns }, { from: '2010-01-05', to: '2010-12-31' }, '2026-11-21')
    expect(draft).toMatchObject({
      measures: [{ kind: 'expression', formula: 'sum([amount] * -1)' }],
      filters: [{ column: 'c2', op: 'between', from: '3000', to: '8799' }],
      dimensions: [{ column: 'c1', grain: 'month' }],
    })
    // The first entry of July 2009 was made on its 15th: the books hold all of that month.
    const broken = defaultDraft({ ...ORDERS, columns }, { from: '2009-07-15', to: '2010-06-30' }, '2026-11-21')
    expect(broken.period).toMatchObject({ range: { from: '2010-01-01', to: '2010-06-30' }, compare: 'previous' })
    const built = buildPlan(draft)
    expect(built.ok && built.plan.filters).toEqual([
      { field: field('c2'), any: [{ op: 'between', from: '3000', to: '8799' }] },
    ])
  })

  it('still draws by month when the history cannot be read', () => {
    const draft = defaultDraft(ORDERS, null, '2026-11-21')
    expect(draft.period).toMatchObject({ range: { preset: 'all' }, compare: 'none' })
  })

  it('chooses a grain that gives a readable number of points', () => {
    expect([30, 120, 365, 3650].map((days) => grainFor(days, true))).toEqual(['day', 'week', 'month', 'year'])
    expect([grainFor(1, true), grainFor(1, false)]).toEqual(['hour', 'day'])
  })
})

describe('history', () => {
  it('reads the first and the last day of instants too', () => {
    expect(dataRangeOf(answerOf([], [['2023-12-01T03:00:00Z', '2026-11-14T23:10:00Z']]))).toEqual({
      from: '2023-12-01',
      to: '2026-11-14',
    })
    expect(dataRangeOf(answerOf([], [[null, null]]))).toBeNull()
  })

  it('knows that today begins earlier in the east', () => {
    const now = new Date('2026-11-20T23:30:00Z')
    expect([todayIn('UTC', now), todayIn('Europe/Stockholm', now)]).toEqual(['2026-11-20', '2026-11-21'])
  })
})
