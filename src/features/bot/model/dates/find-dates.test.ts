import { expect, it } from 'vitest'
import { daysOf, findDates } from './find-dates'
import { isoFromDay, type Calendar } from '../../../../shared/dates'

const calendar: Calendar = { timeZone: 'UTC', weekStart: 'monday', fiscalYearStart: 5, today: '2024-06-12' }
const read = (text: string): string => {
  const spec = findDates(text, calendar)[0]?.spec
  if (spec?.kind !== 'period') return JSON.stringify(spec ?? null)
  const days = daysOf(spec.range, calendar)
  return days ? `${isoFromDay(days.from)}..${isoFromDay(days.to)}` : 'all'
}
it.each([
  ['in 2023', '2023-01-01..2023-12-31'],
  ['in march 2023', '2023-03-01..2023-03-31'],
  ['in november', '2023-11-01..2023-11-30'],
  ['q3 2023', '2023-07-01..2023-09-30'],
  ['in the first quarter of 2023', '2023-01-01..2023-03-31'],
  ['last month', '2024-05-01..2024-05-31'],
  ['this year', '2024-01-01..2024-06-12'],
  ['ytd', '2024-01-01..2024-06-12'],
  ['in the past 30 days inclusive of today', '2024-05-13..2024-06-12'],
  ['in the last 6 months excluding the current month', '2023-12-01..2024-05-31'],
  ['the previous iso week', '2024-06-03..2024-06-09'],
  ['week 12 2024', '2024-03-18..2024-03-24'],
  ['between 2022 and 2023', '2022-01-01..2023-12-31'],
  ['from january to march 2023', '2023-01-01..2023-03-31'],
  ['in the next 3 months', '2024-06-12..2024-09-12'],
  ['kommande 2 veckor', '2024-06-12..2024-06-26'],
  ['jan-jun 2010', '2010-01-01..2010-06-30'],
  ['in jan - mar 2010', '2010-01-01..2010-03-31'],
  ['nov 2009-oct 2010', '2009-11-01..2010-10-31'],
  ['fiscal year 2023', '2023-05-01..2024-04-30'],
  ['midsummer 2023', '2023-06-23..2023-06-24'],
  ['easter 2024', '2024-03-29..2024-04-01'],
  ['yesterday', '2024-06-11..2024-06-11'],
  ['senaste 3 manader', '2024-03-01..2024-05-31'],
  ['forra aret', '2023-01-01..2023-12-31'],
  ['since 2022', '{"kind":"open","from":"2022-01-01"}'],
  ['before march 2023', '{"kind":"open","to":"2023-02-28"}'],
  ['on weekends', '{"kind":"part","part":"weekday","values":[6,7]}'],
  ['on the 2 days before saturday', '{"kind":"part","part":"weekday","values":[4,5]}'],
  ['for each month', '{"kind":"grain","grain":"month"}'],
  ['same period last year', '{"kind":"compare","with":"year"}'],
])('%s is %s', (text, wanted) => expect(read(text)).toBe(wanted))
