import { expect, it } from 'vitest'
import { dayRangeLabel, resolvePeriod } from './resolve-period'
import { CALENDAR } from '../../../../test/worker/warehouse-rows'
import { dayFromIso } from '../../../shared/dates'
import type { AbsoluteRange, RelativeRange } from '../../../shared/query/date-range'

const field = { dataset: 'ds_1', column: 'c0' } as const
const YEAR: AbsoluteRange = { kind: 'absolute', from: '2026-01-01', to: '2026-12-31' }
const THIS_YEAR: RelativeRange = { kind: 'relative', span: 'this', unit: 'year', n: 1, includeCurrent: true }
const LAST = (n: number, unit: RelativeRange['unit']): RelativeRange => ({
  ...{ kind: 'relative', span: 'last', unit, n, includeCurrent: true },
})
/** What a period is compared with on 23 November 2026, where rows end on a day. */
function compared(range: AbsoluteRange | RelativeRange, compare: 'year' | 'previous', dataTo: string | null): string {
  const period = { field, range, compare, completeOnly: false }
  const plan = { v: 1, kind: 'aggregate', measures: [], dimensions: [], filters: [], period } as const
  const end = dataTo === null ? null : dayFromIso(dataTo)
  const found = resolvePeriod(
    { ...plan, measures: [], dimensions: [], filters: [] },
    { ...CALENDAR, today: '2026-11-23' },
    end,
  )
  return found?.compare ? dayRangeLabel(found.compare) : ''
}

it.each([
  // A running period is held against as much of the one before: to today, or to where rows end.
  [YEAR, 'year', null, '1 Jan – 23 Nov 2025'],
  [YEAR, 'year', '2026-09-27', '1 Jan – 27 Sep 2025'],
  [YEAR, 'year', '2026-09-30', 'Jan–Sep 2025'],
  [YEAR, 'previous', '2026-09-27', '1 Jan – 27 Sep 2025'],
  [THIS_YEAR, 'year', '2026-11-23', '1 Jan – 23 Nov 2025'],
  [THIS_YEAR, 'year', '2027-03-01', '1 Jan – 23 Nov 2025'],
  [THIS_YEAR, 'previous', '2026-09-27', '1 Jan – 27 Sep 2025'],
  [LAST(2, 'month'), 'previous', '2026-11-20', '1 Jun – 20 Aug 2026'],
  [LAST(2, 'month'), 'previous', '2026-10-31', 'Jun–Jul 2026'],
  [LAST(2, 'month'), 'year', '2026-10-31', 'Sep–Oct 2025'],
  [LAST(10, 'day'), 'previous', '2026-11-22', '2–11 Nov 2026'],
  // Units of data that ended are counted back from their end.
  [LAST(10, 'day'), 'previous', '2026-11-21', '31 Oct – 10 Nov 2026'],
  // So is what is over, where rows end more than a month before it does.
  [{ ...YEAR, to: '2026-06-30' }, 'year', '2026-05-02', '1 Jan – 2 May 2025'],
  [{ ...YEAR, to: '2026-06-30' }, 'previous', '2026-05-02', '1 Jul – 2 Nov 2025'],
  [{ ...YEAR, to: '2026-06-30' }, 'previous', '2026-04-30', 'Jul–Oct 2025'],
  [{ ...YEAR, to: '2026-06-30' }, 'year', '2026-06-01', 'Jan–Jun 2025'],
  [{ ...YEAR, from: '2026-09-01', to: '2026-09-30' }, 'previous', '2026-09-02', 'Aug 2026'],
  [{ kind: 'absolute', from: '2024-01-01', to: '2024-12-31' }, 'previous', '2024-09-27', '1 Jan – 27 Sep 2023'],
  // What has no rows yet, what is whole and what is to come are compared whole.
  [YEAR, 'year', '2025-12-31', '2025'],
  [{ ...YEAR, from: '2026-12-01' }, 'year', '2026-09-27', 'Dec 2025'],
] as const)('compares %o by %s, with rows to %s, with %s', (range, compare, dataTo, label) => {
  expect(compared(range, compare, dataTo)).toBe(label)
})

it.each([
  ['month', 3, '2022-12-30', 'Oct–Dec 2022'],
  ['month', 3, '2022-12-20', 'Sep–Nov 2022'],
  ['quarter', 2, '2026-06-29', 'Jan–Jun 2026'],
  ['week', 2, '2026-09-25', '14–27 Sep 2026'],
  ['day', 7, '2026-11-19', '13–19 Nov 2026'],
  ['month', 3, '2026-10-12', 'Aug–Oct 2026'],
  ['day', 7, '2026-11-22', '16–22 Nov 2026'],
] as const)('counts the last %s (%s) back from the end of data to %s: %s', (unit, n, dataTo, label) => {
  const range = { ...LAST(n, unit), includeCurrent: false }
  const period = { field, range, compare: 'none', completeOnly: false } as const
  const plan = { v: 1, kind: 'aggregate', measures: [], dimensions: [], filters: [], period } as const
  const found = resolvePeriod(
    { ...plan, measures: [], dimensions: [], filters: [] },
    { ...CALENDAR, today: '2026-11-23' },
    dayFromIso(dataTo),
  )
  expect([found?.range && dayRangeLabel(found.range), found?.running]).toEqual([label, null])
})
