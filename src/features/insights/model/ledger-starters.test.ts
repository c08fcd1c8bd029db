import { describe, expect, it } from 'vitest'
import { ledgerStarters, type LedgerProfile } from './ledger-starters'
import { createInsightSchema } from '../../../shared/insights'
import type { Column } from '../../../shared/data-sources/data-sources'
import { BAS_RANGES } from '../../../shared/account-classes'
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
  accounts: { ranges: BAS_RANGES, adjusted: false },
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

  it('are of the accounts that the workspace says, and leave out what has none', () => {
    const accounts = { adjusted: true, ranges: [{ from: 3000, to: 3099, line: 'netSales' as const }] }
    const made = ledgerStarters(profile({ accounts })) ?? []
    expect(made.map(({ input }) => [input.name, input.description])).toEqual([
      ['Profit after financial items by month', 'Accounts 3000–3099'],
      ['Revenue vs previous year', 'Accounts 3000–3099'],
    ])
  })

  it('ask for the result as the builder writes it: the amount, times minus one', () => {
    const [result] = ledgerStarters(profile()) ?? []
    const field = { dataset: ENTRIES, column: 'c6' }
    expect(result?.input.plan.measures).toMatchObject([
      { row: { op: 'multiply', left: { kind: 'field', field }, right: { kind: 'number', value: -1 } } },
    ])
  })
})
