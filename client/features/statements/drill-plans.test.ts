import { expect, it } from 'vitest'
import { accountEntriesPlan, entryAmount, entryScope, voucherPlan } from './drill-plans'
import { statement } from './statements.fixture'
import type { Statement } from '../../../src/shared/statements/statements'

const column = (from: string, to: string): Partial<Statement> => ({
  columns: [{ key: '0.actual', kind: 'actual', group: '0', total: false, span: { from, to } }],
})

it('asks for a whole fiscal year by its name, so that entries of other days are among them', () => {
  const { entries } = statement()
  const named = statement({ ...column('2026-01', '2026-12'), entries: entries && { ...entries, year: 'c7' } })
  const scope = entryScope(named, { column: 0, fromYearStart: false, dimension: null })
  const plan = scope && accountEntriesPlan(scope, '3010').plan
  expect(plan?.period).toBeUndefined()
  expect(JSON.stringify(plan?.filters)).toContain('"c7"},"any":[{"op":"eq","value":"2026"}]')
})

it('takes a balance apart into what moved since its year began', () => {
  const given = statement(column('2026-03', '2026-03'))
  const scope = entryScope(given, { column: 0, fromYearStart: true, dimension: null })
  expect(scope?.span).toEqual({ from: '2026-01', to: '2026-03' })
})

it('reads an amount from one column or from either side', () => {
  const at = { date: 0, account: 1, text: null, name: [], voucher: [] }
  expect(entryAmount(['', '', 12.5], { ...at, amounts: [2] })).toBe('12.5')
  const sides = { ...at, amounts: [2, 3] }
  expect(entryAmount(['', '', null, 7], sides)).toBe('-7')
  expect(entryAmount(['', '', 0, '200.20'], sides)).toBe('-200.20')
  expect(entryAmount(['', '', '200.20', '0.00'], sides)).toBe('200.20')
  expect(entryAmount(['', '', null, '-5.00'], sides)).toBe('5.00')
  expect(entryAmount(['', '', 0, 0], sides)).toBe('0')
})

it('looks for a voucher in the fiscal year of its day, where entries name none', () => {
  const scope = entryScope(statement(), { column: 0, fromYearStart: false, dimension: null })
  const day = (text: string) => scope && voucherPlan(scope, [text]).plan.period?.range
  expect(day('2026-01-15')).toEqual({ kind: 'absolute', from: '2026-01-01', to: '2026-12-31' })
  expect(day('1999-01-15')).toBeUndefined()
})
