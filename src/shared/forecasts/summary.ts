import { describeBacktest, describeExclusions, type ForecastFormatter } from './model-card-text'
import type { ForecastLevel, ForecastPath, ForecastResult, ForecastGrain } from './result'
import { applyScenario, resultBreaches, type ThresholdBreach } from './scenarios'
import type { Scenario, Threshold, ForecastEvent } from './forecasts'
import { ALERT_GRAIN_LABELS } from '../alerts'
import { DAY_MS } from '../dates'
import { addMonths } from '../targets/periods'

const BALANCE_SOURCE_TEXT: Record<NonNullable<ForecastResult['balance']>['source'], string> = {
  person: 'as entered',
  books: 'by the books',
  sum: 'the sum of all that came before',
}

/** The balance that the figures add up to: where it begins, where it ends and where it is lowest. */
function describeBalance(
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
function describeBreach(breach: ThresholdBreach, level: ForecastLevel, words: ForecastFormatter): string {
  const { threshold, now, middle, bands } = breach
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
function describeScenario(
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

const SUMMARY_KINDS = ['expected', 'sure', 'season', 'backtest', 'balance', 'breach', 'scenario', 'leftOut'] as const
export interface SummaryLine {
  kind: (typeof SUMMARY_KINDS)[number]
  text: string
}
export interface SummaryInput {
  /** What is forecast, as it is called. */
  name: string
  result: ForecastResult
  level: ForecastLevel
  thresholds?: readonly Threshold[]
  events?: readonly ForecastEvent[]
  /** Those that are shown beside the forecast. */
  scenarios?: readonly Scenario[]
  /** The figures of periods add up; absent: as the result says. */
  additive?: boolean
}

/**
 * A forecast in plain sentences: what is expected, how sure that is, what the past says about it, what was left out. Each is a
 * template; figures come in as they are written by `words`. Nothing is said about causes.
 */
export function summariseForecast(input: SummaryInput, words: ForecastFormatter): SummaryLine[] {
  const { result, level, thresholds = [], events = [], scenarios = [] } = input
  const additive = input.additive ?? result.additive ?? (result.balance !== null || result.parts.length > 0)
  const balance = describeBalance(result, level, words)
  const lines = (kind: SummaryLine['kind'], texts: readonly string[]): SummaryLine[] =>
    texts.map((text) => ({ kind, text }))
  return [
    ...lines('expected', describeExpected({ ...input, additive }, words)),
    ...lines('sure', describeUncertainty(input, words)),
    ...lines('season', describeSeasonality(result, words)),
    ...lines('backtest', describeBacktest(result, level, words)),
    ...lines('balance', balance === null ? [] : [balance]),
    ...lines(
      'breach',
      resultBreaches(result, thresholds).map((breach) => describeBreach(breach, level, words)),
    ),
    ...lines(
      'scenario',
      scenarios.flatMap((scenario) => describeScenario({ result, scenario, thresholds, additive }, words)),
    ),
    ...lines('leftOut', describeExclusions(result, events, words)),
  ]
}

const DAYS_IN_52_WEEKS = 364
/** First day of the same period a year before; of weeks and days 52 weeks, so that weekdays stay in step. */
export function samePeriodLastYear(start: string, grain: ForecastGrain): string {
  if (grain === 'month' || grain === 'quarter') return addMonths(start, -12)
  return new Date(Date.parse(`${start}T00:00:00Z`) - DAYS_IN_52_WEEKS * DAY_MS).toISOString().slice(0, 10)
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / (values.length || 1)
const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)
/** Changes that are smaller are none. */
const CHANGE_SHARE_MIN = 0.005

type ExpectedInput = Pick<SummaryInput, 'name' | 'result'> & { additive: boolean }
function describeExpected({ name, result, additive }: ExpectedInput, words: ForecastFormatter): string[] {
  const { grain, future, total } = result
  const { mean } = total.path
  const [first, last] = [future[0], future.at(-1)]
  if (first === undefined || last === undefined) return []
  const unit = ALERT_GRAIN_LABELS[grain]
  const of = `The forecast for “${name}”`
  const year = describeYearOverYear(result, { additive }, words)
  if (future.length === 1) return [`${of} ${words.when(first)} is ${words.figure(mean[0] ?? 0)}${year}.`]
  const span = `over the ${words.count(future.length)} ${unit}s from ${words.period(first)} to ${words.period(last)}`
  return [
    additive
      ? `${of} adds up to ${words.figure(sumOf(mean))} ${span}${year}.`
      : `${of} averages ${words.figure(meanOf(mean))} a ${unit} ${span}${year}.`,
  ]
}

/** Against the same periods a year before, as many of the first as are known. */
function describeYearOverYear(
  { grain, periods, raw, future, total }: ForecastResult,
  { additive }: { additive: boolean },
  words: ForecastFormatter,
): string {
  const known = new Map(periods.map((period, at) => [period, raw[at] ?? null]))
  const before = future.map((start) => known.get(samePeriodLastYear(start, grain)) ?? null)
  const end = before.indexOf(null)
  const told = before.slice(0, end < 0 ? before.length : end).filter((value) => value !== null)
  if (told.length === 0) return ''
  const of = additive ? sumOf : meanOf
  const [is, was] = [of(total.path.mean.slice(0, told.length)), of(told)]
  const unit = ALERT_GRAIN_LABELS[grain]
  const same =
    told.length < future.length
      ? `, of which the first ${told.length === 1 ? unit : `${words.count(told.length)} ${unit}s`} `
      : ', '
  const than = `the same ${unit}${told.length === 1 ? '' : 's'} a year before (${words.figure(was)})`
  const verb = told.length < future.length ? (told.length === 1 ? 'is ' : 'are ') : ''
  if (was <= 0) return `${same}${told.length < future.length ? `${verb}${words.figure(is)} ` : ''}against ${than}`
  const change = is / was - 1
  if (Math.abs(change) < CHANGE_SHARE_MIN) return `${same}${verb}about as much as ${than}`
  return `${same}${verb}${words.percent(Math.abs(change))} ${change > 0 ? 'more' : 'less'} than ${than}`
}

const LEVEL_SHARE_TEXT: Record<ForecastLevel, string> = { 50: '5 of 10', 80: '8 of 10', 95: '19 of 20' }

function describeUncertainty(
  { result, level }: Pick<SummaryInput, 'result' | 'level'>,
  words: ForecastFormatter,
): string[] {
  const { grain, future, total } = result
  const { mean, bands } = total.path
  const unit = ALERT_GRAIN_LABELS[grain]
  if (future.length === 0) return []
  if (total.shape === 'constant')
    return [
      `Every ${unit} so far had the same figure. The forecast repeats it, and can say nothing about when that changes.`,
    ]
  const at = (place: number): string =>
    `${words.figure(mean[place] ?? 0)} ${words.when(future[place] ?? '')}, likely between ${words.figure(
      bands[level].lower[place] ?? 0,
    )} and ${words.figure(bands[level].upper[place] ?? 0)}`
  const ends = future.length === 1 ? [at(0)] : [at(0), at(future.length - 1)]
  return [`It says ${ends.join(', and ')}. The band is made to hold ${LEVEL_SHARE_TEXT[level]} ${unit}s.`]
}

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October'],
  ...['November', 'December'],
]
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
/** Places within a season that have names. */
const SEASON_PLACES: Record<ForecastGrain, { season: number; of: string; name: (start: string) => string } | null> = {
  month: { season: 12, of: 'months', name: (start) => MONTHS[Number(start.slice(5, 7)) - 1] ?? '' },
  quarter: { season: 4, of: 'quarters', name: (start) => `Q${Math.ceil(Number(start.slice(5, 7)) / 3)}` },
  day: { season: 7, of: 'weekdays', name: (start) => WEEKDAYS[new Date(`${start}T00:00:00Z`).getUTCDay()] ?? '' },
  week: null,
}

/** Which place of the season is usually highest, and which lowest. */
function describeSeasonality({ grain, periods, total }: ForecastResult, words: ForecastFormatter): string[] {
  const named = SEASON_PLACES[grain]
  const { components, card } = total
  if (!named || !components?.season || card?.season !== named.season) return []
  const { season, kind, first } = components
  const places = new Map<string, number[]>()
  season.forEach((value, at) => {
    const name = named.name(periods[first + at] ?? '')
    places.set(name, [...(places.get(name) ?? []), kind === 'multiplicative' ? value - 1 : value])
  })
  const ranked = [...places].map(([name, values]) => ({ name, by: meanOf(values) })).toSorted((a, b) => b.by - a.by)
  const [top, bottom] = [ranked[0], ranked.at(-1)]
  if (!top || !bottom || top.by <= 0 || bottom.by >= 0) return []
  const size = (by: number): string =>
    kind === 'multiplicative' ? words.percent(Math.abs(by)) : words.figure(Math.abs(by))
  return [
    `Of the ${named.of}, ${top.name} is usually highest (${size(top.by)} above the trend) and ${bottom.name} lowest (${size(bottom.by)} below it).`,
  ]
}
