import { describe, expect, it } from 'vitest'
import { ledgerStarters, resultByMonth, type LedgerProfile } from './ledger-starters'
import { createInsightSchema } from '../../../shared/insights'
import type { Column } from '../../../shared/data-sources/data-sources'
import type { ColumnKey } from '../../../shared/data-sources/files'

const [ENTRIES, ACCOUNTS] = ['ds_00000000000000000001', 'ds_00000000000000000002'] as const
const columnsOf = (...labels: string[]): Column[] =>
  labels.map((label, at) => ({
    ...{ key: `c${at}` as const satisfies ColumnKey, label, hidden: false, fileIndex: at, format: { style: 'plain' } },
    ...(label === 'amount' ? { type: 'number', role: 'measure', scale: 2 } : { type: 'text', role: 'dimension' }),
  }))
const entries = columnsOf('org_number', 'fiscal_year', 'voucher_key', 'date', 'account_key', 'account', 'amount')
const accounts = { id: ACCOUNTS, columns: columnsOf('org_number', 'account_key', 'account', 'name'), via: [] }
const profile = (over: Partial<LedgerProfile> = {}): LedgerProfile => ({
  id: ENTRIES,
  columns: entries,
  days: { from: '2024-01-01', to: '2026-11-20' },
  related: [[accounts]],
  ...over,
})
const named = (over: Partial<LedgerProfile> = {}) => ledgerStarters(profile(over))?.map(({ input }) => input.name)

describe('first questions of a ledger', () => {
  it('are what was earned, what it cost and what came in, counted back from the newest entries', () => {
    expect(named()).toEqual([
      'Profit after financial items by month',
      'Revenue vs previous year',
      'Largest costs by account',
      'Cash flow by month',
      'Costs by month and account',
    ])
    for (const { input } of ledgerStarters(profile()) ?? [])
      expect(input.plan.period?.range).toMatchObject({ kind: 'relative', span: 'last', unit: 'month' })
  })

  it('compare revenue with the year before only where the books hold it', () => {
    expect(named({ days: { from: '2009-07-01', to: '2010-06-30' } })?.[1]).toBe('Revenue by month')
    expect(named({ days: { from: '2008-07-01', to: '2010-06-30' } })?.[1]).toBe('Revenue vs previous year')
  })

  it('tell accounts by their names, and by their numbers where these are masked or not there', () => {
    const splits = (related: LedgerProfile['related']) =>
      (ledgerStarters(profile({ related })) ?? []).flatMap(({ kind, input }) =>
        kind === 'costs' || kind === 'costTrend' ? [input.plan.dimensions.at(-1)] : [],
      )
    const [account, name] = [
      { dataset: ENTRIES, column: 'c5' },
      { dataset: ACCOUNTS, column: 'c3' },
    ]
    expect(splits([[accounts]])).toEqual([
      { field: account, label: name, topN: 10 },
      { field: name, topN: 5 },
    ])
    const masked = accounts.columns.map((one) => (one.label === 'name' ? { ...one, mask: 'hash' as const } : one))
    for (const related of [[], [[{ ...accounts, columns: masked }]]])
      expect(splits(related)).toEqual([
        { field: account, topN: 10 },
        { field: account, topN: 5 },
      ])
  })

  it('can each be stored as they are', () => {
    for (const { input } of ledgerStarters(profile()) ?? [])
      expect(createInsightSchema.safeParse(input).error).toBeUndefined()
  })

  it('are none of its other tables, and of what is no ledger this does not say anything', () => {
    const balances = entries.filter(({ label }) => label !== 'voucher_key' && label !== 'date')
    expect(named({ columns: balances, days: null })).toEqual([])
    expect(ledgerStarters(profile({ columns: columnsOf('Day', 'Customer', 'amount') }))).toBeNull()
  })

  it('ask for the result as the builder writes it: the amount, times minus one', () => {
    const field = (column: ColumnKey) => ({ dataset: ENTRIES, column })
    const { plan } = resultByMonth({ date: field('c0'), account: field('c1'), amount: field('c2') })
    expect(plan.measures).toMatchObject([
      { row: { op: 'multiply', left: { kind: 'field', field: field('c2') }, right: { kind: 'number', value: -1 } } },
    ])
  })
})
