import {
  assert,
  constantFrom,
  date,
  double,
  integer,
  oneof,
  option,
  property,
  record,
  boolean,
  constant,
} from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FORECAST_GRAINS, FORECAST_LEVELS } from '../../../../src/shared/forecasts/result'
import { HORIZON_MAX, previewForecastSchema, type ForecastEvent } from '../../../../src/shared/forecasts/forecasts'
import type { Filter } from '../../../../src/shared/query/plan'
import type { MemberField } from '../../../../src/shared/monitored-metric'
import { toForecastSettings, toFormValues, newFormValues, withGrain } from './form-values'

const subject = { kind: 'insight' as const, id: 'ins_00000000000000000001', measure: 1 }
const amounts = option(double({ min: -1e12, max: 1e12, noNaN: true }).map((value) => value + 0))
const days = date({ min: new Date('2000-01-01'), max: new Date('2040-12-31'), noInvalidDate: true })
const FILTERS: Filter[][] = [[], [{ field: { dataset: 'dst_1', column: 'c1' }, any: [{ op: 'notEmpty' }] }]]
const EVENTS: ForecastEvent[][] = [
  [],
  [{ name: 'Strike', from: '2026-01-01', to: '2026-01-31', effect: { kind: 'leaveOut' } }],
]
const SPLITS: (MemberField | null)[] = [
  null,
  { field: { dataset: 'dst_1', column: 'c2' }, grouping: { id: 'grp_00000000000000000001' } },
]
const settings = record({
  subject: constant(subject),
  filters: constantFrom(...FILTERS),
  by: constantFrom(...SPLITS),
  grain: constantFrom(...FORECAST_GRAINS),
  horizon: integer({ min: 1, max: HORIZON_MAX }),
  historyFrom: option(days.map((day) => day.toISOString().slice(0, 10))),
  ignoreIncomplete: constantFrom('auto' as const, 'never' as const),
  season: oneof(constantFrom('auto' as const, 'none' as const), integer({ min: 2, max: 366 })),
  holidays: constantFrom('auto' as const, 'none' as const),
  dampOutliers: boolean(),
  level: constantFrom(...FORECAST_LEVELS),
  floor: amounts,
  ceiling: amounts,
  events: constantFrom(...EVENTS),
  // A day without a balance says nothing, and is not kept.
  accumulate: option(
    record({ opening: amounts, on: option(days.map((day) => day.toISOString().slice(0, 10))) }).map(
      ({ opening, on }) => ({
        opening,
        on: opening === null ? null : on,
      }),
    ),
  ),
})

describe('the form of a forecast', () => {
  it('gives back every setting as it was, untouched', () => {
    assert(
      property(settings, (one) => {
        expect(toForecastSettings(toFormValues({ ...one, name: 'Cash' }))).toEqual(one)
      }),
    )
  })

  it.each(FORECAST_GRAINS)('begins with sound settings by %s', (grain) => {
    const begun = toForecastSettings(newFormValues(subject, '', grain))
    expect(previewForecastSchema.safeParse(begun).error).toBeUndefined()
    expect(begun?.horizon).toBe(withGrain(grain).horizon)
  })

  it('reads empty fields as no limit and as what one begins with, and nothing chosen as no question', () => {
    const values = {
      ...newFormValues(subject),
      horizon: '',
      floor: ' ',
      ceiling: '',
      accumulate: true,
      opening: '',
    }
    expect(toForecastSettings(values)).toMatchObject({
      horizon: 12,
      floor: null,
      ceiling: null,
      accumulate: { opening: null, on: null },
    })
    expect(toForecastSettings({ ...values, horizon: 900 })?.horizon).toBe(HORIZON_MAX)
    expect(toForecastSettings(newFormValues(null))).toBeNull()
  })
})
