import type { ForecastFormatter } from '../../../src/shared/forecast-card-words'
import type { ForecastLevel, ForecastResult } from '../../../src/shared/forecast-result'
import type { ScenarioOutcome } from '../../../src/shared/forecast-scenarios'
import type { ThresholdBreach } from '../../../src/shared/forecast-thresholds'

/** "Cash floor: falls under in Mar 2027, perhaps as early as Jan 2027." */
export function breachLabel(
  { threshold, now, middle, bands }: ThresholdBreach,
  level: ForecastLevel,
  words: ForecastFormatter,
) {
  const { name, side } = threshold
  const [falls, fall] = side === 'below' ? ['falls under', 'fall under'] : ['rises over', 'rise over']
  const { earliest } = bands[level]
  if (now) return `${name}: ${side === 'below' ? 'under' : 'over'} it already`
  if (middle === null) {
    const safe = side === 'below' ? 'holds' : 'is not reached'
    return earliest === null ? `${name}: ${safe}` : `${name}: ${safe}, but could ${fall} ${words.when(earliest)}`
  }
  const perhaps = earliest !== null && earliest < middle ? `, perhaps as early as ${words.period(earliest)}` : ''
  return `${name}: ${falls} ${words.when(middle)}${perhaps}`
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

interface PathComparison {
  /** Over the horizon: all of it where figures add up, else on average. */
  figure: string
  /** Against the forecast as it is; null of the base. */
  against: string | null
  /** Where the balance ends. */
  balance: string | null
}

/** The horizon of a path, against the base. */
export function comparePath(
  result: Pick<ForecastResult, 'total' | 'future' | 'additive' | 'balance' | 'parts'>,
  applied: Pick<ScenarioOutcome, 'total' | 'balance'> | null,
  words: ForecastFormatter,
): PathComparison {
  const additive = result.additive ?? (result.balance !== null || result.parts.length > 0)
  const by = additive ? 1 : Math.max(1, result.future.length)
  const base = sumOf(result.total.path.mean) / by
  const is = applied ? sumOf(applied.total.mean) / by : base
  const last = (applied ? applied.balance : result.balance)?.path.mean.at(-1)
  return {
    figure: `${words.figure(is)} ${additive ? 'in all' : 'on average'}`,
    against: applied ? differenceLabel(is, base, words) : null,
    balance: last === undefined ? null : `Balance at the end ${words.figure(last)}`,
  }
}

function differenceLabel(is: number, base: number, words: ForecastFormatter): string {
  if (is === base) return 'the same as the forecast'
  const part = base > 0 ? ` (${words.percent(Math.abs(is - base) / base)})` : ''
  return `${words.figure(Math.abs(is - base))}${part} ${is > base ? 'more' : 'less'}`
}
