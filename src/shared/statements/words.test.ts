import { expect, it } from 'vitest'
import { fiscalYearName, noticeText } from './words'

it('names fiscal years in words, also in what does not match', () => {
  expect(['2009-07/2010-06', '2011', 'FY11'].map((name) => fiscalYearName(name, 'en'))).toEqual([
    'Jul 2009 – Jun 2010',
    '2011',
    'FY11',
  ])
  const notice = { kind: 'mismatch', year: '2009-07/2010-06', accounts: ['1510'] } as const
  expect(noticeText(notice, 'en', String)).toBe('Entries of Jul 2009 – Jun 2010 don’t match the file’s balances: 1510.')
})
