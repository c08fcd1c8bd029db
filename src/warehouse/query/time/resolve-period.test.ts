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
  [LAST(10, 'day'), 'previous', '2026-11-21', '2–10 Nov 2026'],
  // What has no rows yet, what is over and what is to come are compared whole.
  [YEAR, 'year', '2025-12-31', '2025'],
  [{ ...YEAR, to: '2026-06-30' }, 'year', '2026-05-02', 'Jan–Jun 2025'],
  [{ ...YEAR, from: '2026-12-01' }, 'year', '2026-09-27', 'Dec 2025'],
] as const)('compares %o by %s, with rows to %s, with %s', (range, compare, dataTo, label) => {
  expect(compared(range, compare, dataTo)).toBe(label)
})
