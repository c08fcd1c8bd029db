import { expect, it } from 'vitest'
import { ledgerColumnName } from './ledger-tables'
import type { StatementNotice } from './statements'
import { fiscalYearName, noticeText, whoseFigures } from './words'

it('names fiscal years in words, also in what does not match', () => {
  expect(['2009-07/2010-06', '2011', 'FY11'].map((name) => fiscalYearName(name, 'en'))).toEqual([
    'Jul 2009 – Jun 2010',
    '2011',
    'FY11',
  ])
  const completed: StatementNotice = { kind: 'completed', year: '2024', month: '2024-02', accounts: ['1930', '2440'] }
  expect(noticeText(completed, 'en', String)).toBe(
    'Months of 2024 don’t add up to the year’s balances. The rest is counted in Feb 2024: accounts 1930, 2440.',
  )
  expect(noticeText({ ...completed, accounts: ['1930'] }, 'sv', String)).toBe(
    'Månaderna för 2024 går inte ihop med årets saldon. Resten räknas till feb 2024: konto 1930.',
  )
  expect(noticeText({ kind: 'mismatch', year: '2009-07/2010-06', accounts: ['1510'] }, 'en', String)).toBe(
    'Entries of Jul 2009 – Jun 2010 don’t match the file’s balances: account 1510.',
  )
})

it('names objects of a ledger by what they are', () => {
  expect(['dim_1_name', 'dim_6', 'dim_12_name', 'dim_total', 'account'].map(ledgerColumnName)).toEqual([
    ...['Cost centre', 'Project', 'Dimension 12', 'dim_total', 'account'],
  ])
})

it('says whose figures a statement has, by the company or by its source', () => {
  const source = { id: 'src_1', name: 'Books' }
  expect(whoseFigures({ source, company: { id: '556000-0001', name: 'Alfa AB', currency: 'SEK' } })).toBe(
    'Alfa AB · SEK',
  )
  expect(whoseFigures({ source, company: { id: null, name: null, currency: null } })).toBe('Books')
})
