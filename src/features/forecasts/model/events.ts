import { overlappingPeriods, type GridSettings } from './period-grid'
import { proportionalShares } from '../../../forecasting/constraints'
import type { InputSeries } from '../../../shared/forecasts/result'
import type { ForecastEvent } from '../../../shared/forecasts/forecasts'

type PeriodValues = (number | null)[]

/** What events of a known amount add to each period. */
export function eventAmounts(periods: readonly string[], events: readonly ForecastEvent[], at: GridSettings): number[] {
  const sums = periods.map(() => 0)
  for (const { effect, ...span } of events) {
    if (effect.kind !== 'amount') continue
    overlappingPeriods(periods, span, at).forEach((is, i) => (sums[i] = (sums[i] ?? 0) + (is ? effect.value : 0)))
  }
  return sums
}

function excludedPeriods(periods: readonly string[], events: readonly ForecastEvent[], at: GridSettings): boolean[] {
  const spans = events
    .filter(({ effect }) => effect.kind === 'leaveOut')
    .map((event) => overlappingPeriods(periods, event, at))
  return periods.map((_, i) => spans.some((span) => span[i] === true))
}

/**
 * The past as the model sees it: without the periods that are left out, and without what events added, which is taken off
 * the parts in proportion to what each was.
 */
export function removeEvents(
  { total, parts }: { total: InputSeries; parts: readonly InputSeries[] },
  { periods, events, ...at }: GridSettings & { periods: readonly string[]; events: readonly ForecastEvent[] },
): { total: InputSeries; parts: InputSeries[] } {
  const out = excludedPeriods(periods, events, at)
  const amounts = eventAmounts(periods, events, at)
  const seen = (values: PeriodValues, share: (i: number) => number): PeriodValues =>
    values.map((v, i) => (v === null || out[i] === true ? null : v - (amounts[i] ?? 0) * share(i)))
  const shares = periods.map((_, i) => proportionalShares(parts.map(({ values }) => values[i] ?? 0)))
  return {
    total: { ...total, values: seen(total.values, () => 1) },
    parts: parts.map((part, own) => ({ ...part, values: seen(part.values, (i) => shares[i]?.[own] ?? 0) })),
  }
}
