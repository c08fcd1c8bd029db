import type { GridQuery } from './prepare-series'
import { partToGrid, remainderPart } from './model/grid'
import { startOfPeriod } from '../../access/periods'
import { readMetricSeries } from '../../access/series'
import type { MemberSeries } from '../../access/series'
import type { InputSeries } from '../../shared/forecast-result'
import { FORECAST_PARTS_MAX } from '../../shared/forecasts'
import { QUERY_ROWS_MAX } from '../../shared/limits'
import type { MemberField } from '../../shared/tracked'

/** Periods of a year: which members are the largest is asked over the last one. */
const PERIODS_PER_YEAR = { day: 365, week: 52, month: 12, quarter: 4 } as const

/**
 * The ten largest members over the last year and what is left of the whole, which add up to it in every period. None for
 * figures that do not add up.
 * @throws ProductError what the questions are refused for
 */
export async function loadParts(
  { at, tracked, grain, periods, end }: GridQuery,
  { by, whole }: { by: MemberField; whole: readonly (number | null)[] },
): Promise<InputSeries[]> {
  const [first, last] = [periods[0], periods.at(-1)]
  if (!tracked.additive || first === undefined || last === undefined) return []
  const year = startOfPeriod(last, grain, at.calendar, 1 - PERIODS_PER_YEAR[grain])
  const lastYear = await readMetricSeries(at, tracked, { from: year > first ? year : first, to: end, by })
  const size = ({ values }: MemberSeries): number => Math.abs(values.get('') ?? 0)
  const largest = lastYear.members.toSorted((a, b) => size(b) - size(a)).slice(0, FORECAST_PARTS_MAX)
  const each = Math.max(1, Math.floor(QUERY_ROWS_MAX / periods.length))
  const found: MemberSeries[] = []
  for (let from = 0; from < largest.length; from += each) {
    const only = largest.slice(from, from + each).map(({ member }) => member)
    const { members } = await readMetricSeries(at, tracked, { grain, from: first, to: end, by, only })
    found.push(...members)
  }
  const parts = largest.flatMap(({ member, label }): InputSeries[] => {
    const own = found.find((one) => one.member === member)
    return own ? [{ member, label, values: partToGrid(periods, own.values, whole) }] : []
  })
  const rest = remainderPart(whole, parts)
  return rest ? [...parts, rest] : parts
}
