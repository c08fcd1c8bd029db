import { within } from './grid'
import type { GridAt } from './grid'
import { sharesOf } from '../../../forecast/hold'
import type { PreparedSeries } from '../../../shared/forecast-result'
import type { ForecastEvent } from '../../../shared/forecasts'

type Values = (number | null)[]

/** What events of a known amount add to each period. */
export function amountsOf(periods: readonly string[], events: readonly ForecastEvent[], at: GridAt): number[] {
  const sums = periods.map(() => 0)
  for (const { effect, ...span } of events) {
    if (effect.kind !== 'amount') continue
    within(periods, span, at).forEach((is, i) => (sums[i] = (sums[i] ?? 0) + (is ? effect.value : 0)))
  }
  return sums
}

function leftOut(periods: readonly string[], events: readonly ForecastEvent[], at: GridAt): boolean[] {
  const spans = events.filter(({ effect }) => effect.kind === 'leaveOut').map((event) => within(periods, event, at))
  return periods.map((_, i) => spans.some((span) => span[i] === true))
}

/**
 * The past as the model sees it: without the periods that are left out, and without what events added, which is taken off
 * the parts in proportion to what each was.
 */
export function withoutEvents(
  { total, parts }: { total: PreparedSeries; parts: readonly PreparedSeries[] },
  { periods, events, ...at }: GridAt & { periods: readonly string[]; events: readonly ForecastEvent[] },
): { total: PreparedSeries; parts: PreparedSeries[] } {
  const out = leftOut(periods, events, at)
  const amounts = amountsOf(periods, events, at)
  const seen = (values: Values, share: (i: number) => number): Values =>
    values.map((v, i) => (v === null || out[i] === true ? null : v - (amounts[i] ?? 0) * share(i)))
  const shares = periods.map((_, i) => sharesOf(parts.map(({ values }) => values[i] ?? 0)))
  return {
    total: { ...total, values: seen(total.values, () => 1) },
    parts: parts.map((part, own) => ({ ...part, values: seen(part.values, (i) => shares[i]?.[own] ?? 0) })),
  }
}
