import type { ForecastFormatter } from './forecast-card-words'
import type { ForecastLevel, ForecastPath, ForecastResult } from './forecast-result'
import { applyScenario } from './forecast-scenarios'
import { resultBreaches } from './forecast-thresholds'
import type { ThresholdBreach } from './forecast-thresholds'
import type { Scenario, Threshold } from './forecasts'

const BALANCE_SOURCE_TEXT: Record<NonNullable<ForecastResult['balance']>['source'], string> = {
  person: 'as entered',
  books: 'by the books',
  sum: 'the sum of all that came before',
}

/** The balance that the figures add up to: where it begins, where it ends and where it is lowest. */
export function describeBalance(
  { balance, future }: Pick<ForecastResult, 'balance' | 'future'>,
  level: ForecastLevel,
  words: ForecastFormatter,
): string | null {
  const end = balance?.path.mean.at(-1)
  if (!balance || end === undefined) return null
  const { mean, bands } = balance.path
  const least = Math.min(...mean)
  const lowest = future[mean.indexOf(least)]
  const dips = lowest !== undefined && least < Math.min(balance.opening, end)
  return `The balance begins at ${words.figure(balance.opening)} (${BALANCE_SOURCE_TEXT[balance.source]}) and is expected to be ${words.figure(
    end,
  )} at the end of ${words.period(future.at(-1) ?? '')}, likely between ${words.figure(
    bands[level].lower.at(-1) ?? end,
  )} and ${words.figure(bands[level].upper.at(-1) ?? end)}.${
    dips ? ` It is lowest at the end of ${words.period(lowest)}: ${words.figure(least)}.` : ''
  }`
}

/** When one level is broken: in the middle, perhaps as early as, at the latest. */
export function describeBreach(
  thresholdBreach: ThresholdBreach,
  level: ForecastLevel,
  words: ForecastFormatter,
): string {
  const { threshold, now, middle, bands } = thresholdBreach
  const { name, side, value } = threshold
  const of = `${name} (${words.figure(value)})`
  const [falls, stays] = side === 'below' ? ['falls below', 'above'] : ['rises above', 'below']
  const edge = side === 'below' ? 'low' : 'high'
  const { earliest, latest } = bands[level]
  if (now) return `${of}: it is ${side} that already.`
  if (middle !== null) {
    const perhaps = earliest !== null && earliest < middle ? `it may be as early as ${words.period(earliest)}` : null
    const surely = latest !== null ? `it is ${words.period(latest)} at the latest` : 'it may also not happen'
    const band = [perhaps, surely].filter((one) => one !== null).join(', and ')
    return `${of}: the forecast ${falls} it ${words.when(middle)}; by the ${level} % band ${band}.`
  }
  if (earliest !== null)
    return `${of}: the forecast stays ${stays} it, but the ${edge} end of the ${level} % band ${falls} it ${words.when(earliest)}.`
  const far = bands[95].earliest
  return far === null || level === 95
    ? `${of}: the forecast stays ${stays} it, the whole ${level} % band too.`
    : `${of}: the forecast and its ${level} % band stay ${stays} it; only the 95 % band reaches it, ${words.when(far)}.`
}

const pathTotal = ({ mean }: ForecastPath): number => mean.reduce((sum, value) => sum + value, 0)

interface ScenarioComparison {
  result: ForecastResult
  scenario: Scenario
  thresholds: readonly Threshold[]
  additive: boolean
}

/** A scenario against the forecast as it is. */
export function describeScenario(
  { result, scenario, thresholds, additive }: ScenarioComparison,
  words: ForecastFormatter,
): string[] {
  const applied = applyScenario(result, scenario)
  const [base, is] = [pathTotal(result.total.path), pathTotal(applied.total)]
  const by = additive ? 1 : Math.max(1, result.future.length)
  const [end, wasEnd] = [applied.balance?.path.mean.at(-1), result.balance?.path.mean.at(-1)]
  const first = `${scenario.name}: ${describeDifference({ is: is / by, base: base / by }, additive, words)}${
    end === undefined || wasEnd === undefined || end === wasEnd
      ? ''
      : ` The balance ends at ${words.figure(end)} instead of ${words.figure(wasEnd)}.`
  }`
  const before = resultBreaches(result, thresholds)
  const moved = resultBreaches(result, thresholds, applied).flatMap(({ threshold, now, middle }, at) => {
    const was = before[at]?.middle ?? null
    return now || middle === was ? [] : [describeMovedBreach(threshold, { was, middle }, words)]
  })
  const idle = applied.idle.length
  const without =
    idle === 0
      ? []
      : [
          `${idle === 1 ? 'One of its steps changes' : `${words.count(idle)} of its steps change`} nothing within this forecast.`,
        ]
  return [first, ...moved, ...without]
}

function describeDifference(
  { is, base }: { is: number; base: number },
  additive: boolean,
  words: ForecastFormatter,
): string {
  const what = additive ? `${words.figure(is)} in all` : `${words.figure(is)} on average`
  if (is === base) return `${what}, the same as the forecast.`
  const part = base > 0 ? ` (${words.percent(Math.abs(is - base) / base)})` : ''
  return `${what}, ${words.figure(Math.abs(is - base))}${part} ${is > base ? 'more' : 'less'} than the forecast.`
}

function describeMovedBreach(
  { name }: Threshold,
  { was, middle }: { was: string | null; middle: string | null },
  words: ForecastFormatter,
): string {
  if (middle === null) return `${name} is then not broken, instead of ${words.when(was ?? '')}.`
  const instead = was === null ? 'instead of not at all' : `instead of ${words.when(was)}`
  return `${name} is then broken ${words.when(middle)}, ${instead}.`
}
