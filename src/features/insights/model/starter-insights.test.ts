import { describe, expect, it } from 'vitest'
import { chooseStarters, type DatasetProfile } from './starter-insights'
import { createInsightSchema } from '../../../shared/insights'
import { BAS_RANGES } from '../../../shared/account-classes'
import { queryPlanSchema } from '../../../shared/query/plan'
import type { Column } from '../../../shared/data-sources/data-sources'
import type { ColumnKey } from '../../../shared/data-sources/files'

const ID = 'ds_00000000000000000001'
const column = (key: ColumnKey, label: string, over: Partial<Column> = {}): Column => ({
  key,
  label,
  type: 'text',
  role: 'dimension',
  format: { style: 'plain' },
  hidden: false,
  fileIndex: Number(key.slice(1)),
  ...over,
})
const figure = { type: 'number', role: 'measure', scale: 2 } as const
const SALES = [
  column('c0', 'Orderdatum', { type: 'date', role: 'time' }),
  column('c1', 'Kund'),
  column('c2', 'Varugrupp'),
  column('c3', 'À-pris', figure),
  column('c4', 'Antal', { type: 'integer', role: 'measure' }),
  column('c5', 'Belopp', figure),
  column('c6', 'Kostnad', figure),
  column('c7', 'Rabatt %', figure),
]
const DAY = { dataset: ID, column: 'c0' as const }
const facts = (over: Partial<DatasetProfile> = {}): DatasetProfile => ({
  id: ID,
  name: 'Orders',
  columns: SALES,
  rowCount: 5000,
  days: { field: DAY, from: '2024-01-02', to: '2026-11-20' },
  distinct: new Map<ColumnKey, number>([
    ['c1', 120],
    ['c2', 5],
  ]),
  sums: new Map<ColumnKey, number>([
    ['c4', 9000],
    ['c5', 1_000_000],
    ['c6', 650_000],
  ]),
  joins: new Set<ColumnKey>(),
  related: [],
  accounts: { ranges: BAS_RANGES, adjusted: false },
  ...over,
})
const named = (over: Partial<DatasetProfile> = {}): string[] =>
  chooseStarters(facts(over)).map(({ input }) => input.name)

describe('first questions of a person’s own data', () => {
  it('look at one day by the hour where rows have a time', () => {
    const days = { field: DAY, from: '2026-11-20', to: '2026-11-20' }
    const timed = SALES.map((one) => (one.key === 'c0' ? { ...one, type: 'datetime' as const } : one))
    expect(named({ days, columns: timed })[0]).toBe('Belopp by hour')
    expect(named({ days })[0]).toBe('Belopp by day')
  })

  it('show how exchange rates ran, not what they come to', () => {
    const rates = ['JPY', 'USD', 'SEK'].map((label, at) => column(`c${at + 1}`, label, figure))
    const columns = [SALES[0], ...rates].flatMap((one) => one ?? [])
    const made = chooseStarters(facts({ columns, distinct: new Map() }))
    expect(made.map(({ kind, input }) => [kind, input.name])).toEqual([
      ['trend', 'Average USD by month'],
      ['second', 'Average SEK by month'],
      ['count', 'Count of Orders by month'],
    ])
    expect(made[0]?.input.plan.measures).toMatchObject([{ agg: 'avg', field: { column: 'c2' } }])
  })

  it('show names where keys stand beside them, and keep equal names apart by these', () => {
    const columns = [column('c8', 'Customer ID'), column('c9', 'Customer Name'), ...SALES]
    const distinct = new Map<ColumnKey, number>([
      ['c8', 800],
      ['c9', 793],
      ['c2', 5],
    ])
    const made = chooseStarters(facts({ columns, distinct })).map(({ input }) => input)
    expect(made.map(({ name }) => name)).not.toContain('Top Customer ID by Belopp')
    const top = made.find(({ name }) => name === 'Top Customer Name by Belopp')
    expect(queryPlanSchema.parse(top?.plan).dimensions).toEqual([
      { field: { dataset: ID, column: 'c8' }, label: { dataset: ID, column: 'c9' }, topN: 10 },
    ])
  })

  it('ask for the amount over time, by group, by customer and for the margin, never for the sum of prices or discounts', () => {
    expect(named()).toEqual([
      'Belopp by month',
      'Top Kund by Belopp',
      'Gross margin by Varugrupp',
      'Belopp by month and Varugrupp',
      'Count of Orders by month',
    ])
  })

  it('take the margin of sums, so that rows without a cost are not left out of the profit alone', () => {
    const margin = chooseStarters(facts()).find(({ kind }) => kind === 'margin')
    const [measure] = queryPlanSchema.parse(margin?.input.plan).measures
    expect(margin?.input.plan.v).toBe(2)
    expect(measure).toMatchObject({ kind: 'ratio', over: { kind: 'calc', op: 'subtract' }, under: { agg: 'sum' } })
    expect(measure?.kind === 'ratio' && measure.over.kind === 'calc' && measure.over.left).toEqual(
      measure?.kind === 'ratio' && measure.under,
    )
  })

  it('can each be stored as they are', () => {
    for (const { input } of chooseStarters(facts())) expect(createInsightSchema.safeParse(input).error).toBeUndefined()
  })

  it('compare with the year before only when all of it is there', () => {
    const compareOf = (from: string) =>
      chooseStarters(facts({ days: { field: DAY, from, to: '2026-11-20' } }))[0]?.input.plan.period?.compare
    expect(compareOf('2024-01-02')).toBe('year')
    // The newest complete month is October 2026: the twelve months before its twelve begin in November 2024.
    expect(compareOf('2024-11-04')).toBe('year')
    expect(compareOf('2024-11-20')).toBe('none')
    expect(compareOf('2024-12-01')).toBe('none')
    expect(compareOf('2026-03-01')).toBe('none')
  })

  it('look at the newest twelve months of data that ended long ago, beside the year before, and at a few weeks day by day', () => {
    const [old] = chooseStarters(facts({ days: { field: DAY, from: '2019-01-01', to: '2020-12-31' } }))
    expect(old?.input.plan.period).toEqual({
      field: DAY,
      range: { kind: 'relative', span: 'last', unit: 'month', n: 12 },
      compare: 'year',
    })
    const [young] = chooseStarters(facts({ days: { field: DAY, from: '2026-11-01', to: '2026-11-20' } }))
    expect(young?.input.plan.dimensions[0]?.grain).toBe('day')
  })

  it('are dated by what the rows point at, where they have no date of their own', () => {
    const field = { dataset: 'ds_00000000000000000002', column: 'c4' as const, via: ['rel_1'] }
    const [trend] = chooseStarters(facts({ days: { field, from: '2024-01-02', to: '2026-11-20' } }))
    expect([trend?.input.plan.dimensions[0]?.field, trend?.input.plan.period?.field]).toEqual([field, field])
  })

  it('never add up what relations join by, and know that less freight is better', () => {
    expect(named({ joins: new Set<ColumnKey>(['c5', 'c6']) })[0]).toBe('Antal × À-pris by month')
    const unpriced = SALES.filter(({ label }) => label !== 'À-pris')
    const columns = unpriced.map((one) => (one.label === 'Belopp' ? { ...one, label: 'Freight' } : one))
    const only = new Map<ColumnKey, number>([['c5', 900]])
    expect(chooseStarters(facts({ columns, sums: only }))[0]?.input.viz?.direction).toBe('down')
  })

  it('ask for quantity times price where lines have no amount, and never for sizes', () => {
    const lines = SALES.filter(({ label }) => !['Belopp', 'Kostnad'].includes(label))
    expect(named({ columns: lines })[0]).toBe('Antal × À-pris by month')
    const sizes = SALES.filter(({ label }) => label !== 'À-pris').map((one) =>
      one.label === 'Belopp' ? { ...one, label: 'Bytes' } : one,
    )
    expect(named({ columns: sizes, sums: new Map([['c5', 900]]) })).toEqual(['Count of Orders by month'])
  })

  it('leave out a margin when the cost is more than the amount, or counted in another currency', () => {
    const sums = new Map<ColumnKey, number>([
      ['c5', 100],
      ['c6', 900],
    ])
    expect(named({ sums }).join()).not.toContain('margin')
    const dollars = { style: 'currency', currency: 'USD' } as const
    const columns = SALES.map((one) => (one.label === 'Kostnad' ? { ...one, format: dollars } : one))
    expect(named({ columns }).join()).not.toContain('margin')
  })

  it('do not split by what is different in every row, or the same in all', () => {
    const distinct = new Map<ColumnKey, number>([
      ['c1', 4900],
      ['c2', 1],
    ])
    expect(named({ distinct })).toEqual(['Belopp by month', 'Count of Orders by month'])
  })

  it('are none where nothing makes sense: a list of names, hidden columns, figures that add up to nothing', () => {
    expect(named({ columns: SALES.slice(1, 3), days: null })).toEqual([])
    expect(named({ columns: SALES.map((one) => ({ ...one, hidden: true })), days: null })).toEqual([])
    expect(named({ sums: new Map(), days: null })).toEqual([])
  })
})
