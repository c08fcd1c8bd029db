import { describeBacktest, describeExclusions, type ForecastFormatter, type SentenceFigures } from './model-card-text'
import type { ForecastLevel, ForecastPath, ForecastResult, ForecastGrain } from './result'
import { applyScenario, resultBreaches, type ThresholdBreach } from './scenarios'
import type { Scenario, Threshold, ForecastEvent } from './forecasts'
import { periodRange } from './period-range'
import { ALERT_GRAIN_LABELS } from '../alerts'
import { DAY_MS } from '../dates'
import { joinRange } from '../figures/figures'
import { subjectPrefix } from '../figures/subject-prefix'
import { addMonths } from '../targets/periods'

const BALANCE_SOURCE_TEXT: Record<NonNullable<ForecastResult['balance']>['source'], string> = {
  person: 'entered',
  books: 'ledger',
  sum: 'history',
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
  const ends = { lower: bands[level].lower.at(-1) ?? 0, upper: bands[level].upper.at(-1) ?? 0 }
  const figures = words.inOneSentence([balance.opening, end, ends.lower, ends.upper, ...(dips ? [least] : [])])
  const [expected, interval] = describeWithInterval({ middle: end, ...ends, level }, words, figures)
  return `Balance: ${figures.rounded(balance.opening)} (${BALANCE_SOURCE_TEXT[balance.source]}), ${expected} expected end of ${words.period(
    future.at(-1) ?? '',
  )} (${interval}).${dips ? ` Lowest: ${figures.rounded(least)}, ${words.period(lowest)}.` : ''}`
}

interface WithInterval {
  middle: number
  lower: number
  upper: number
  level: ForecastLevel
}
/** “105 kr”, “80 % interval 95 kr–115 kr”: in one unit. */
function describeWithInterval(
  { middle, lower, upper, level }: WithInterval,
  words: ForecastFormatter,
  figures: SentenceFigures,
): [figure: string, interval: string] {
  const [figure = '', from = '', to = ''] = figures.alike([middle, lower, upper])
  return [figure, `${words.percent(level / 100)} interval ${joinRange(from, to)}`]
}

/** When one threshold is passed: by the forecast, at the earliest and at the latest. */
function describeBreach(breach: ThresholdBreach, level: ForecastLevel, words: ForecastFormatter): string {
  const { name, value } = breach.threshold
  return `${name} (${words.rounded(value)}): ${describeBreachShort(breach, level, words)}.`
}

/** The same without the threshold's name and value: “first below in Jun 2027 (80 % interval May–Jul 2027)”. */
export function describeBreachShort(
  { threshold: { side }, now, middle, bands }: ThresholdBreach,
  level: ForecastLevel,
  words: ForecastFormatter,
): string {
  const { earliest, latest } = bands[level]
  if (now) return `already ${side}`
  if (middle !== null) {
    const [from, to] = [words.period(earliest ?? middle), latest === null ? null : words.period(latest)]
    const span = to === null ? `${from} – never` : periodRange(from, to)
    return `first ${side} ${words.when(middle)} (${words.percent(level / 100)} interval ${span})`
  }
  if (earliest !== null) return `not expected, possible from ${words.period(earliest)}`
  return `stays ${side === 'below' ? 'above' : 'below'}, interval included`
}

const pathTotal = ({ mean }: ForecastPath): number => mean.reduce((sum, value) => sum + value, 0)

interface ScenarioComparison {
  result: ForecastResult
  scenario: Scenario
  thresholds: readonly Threshold[]
  additive: boolean
}

/** A scenario against the baseline. */
function describeScenario(
  { result, scenario, thresholds, additive }: ScenarioComparison,
  words: ForecastFormatter,
): string[] {
  const applied = applyScenario(result, scenario)
  const [base, is] = [pathTotal(result.total.path), pathTotal(applied.total)]
  const by = additive ? 1 : Math.max(1, result.future.length)
  const [end, wasEnd] = [applied.balance?.path.mean.at(-1), result.balance?.path.mean.at(-1)]
  const first = `${scenario.name}: ${describeDifference({ is: is / by, base: base / by }, { additive, result }, words)}${
    end === undefined || wasEnd === undefined || end === wasEnd ? '' : ` ${describeClosing(end, wasEnd, words)}`
  }`
  const before = resultBreaches(result, thresholds)
  const moved = resultBreaches(result, thresholds, applied).flatMap(({ threshold, now, middle }, at) => {
    const was = before[at]?.middle ?? null
    return now || middle === was ? [] : [describeMovedBreach(threshold, { was, middle }, words)]
  })
  const idle = applied.idle.length
  const without =
    idle === 0 ? [] : [idle === 1 ? '1 step has no effect.' : `${words.count(idle)} steps have no effect.`]
  return [first, ...moved, ...without]
}

function describeClosing(end: number, wasEnd: number, words: ForecastFormatter): string {
  const figures = words.inOneSentence([end, wasEnd])
  return `Closing balance ${figures.rounded(end)} vs ${figures.rounded(wasEnd)}.`
}

function describeDifference(
  { is, base }: { is: number; base: number },
  { additive, result }: { additive: boolean; result: Pick<ForecastResult, 'format'> },
  words: ForecastFormatter,
): string {
  const size = Math.abs(is - base)
  const figures = size === 0 ? words : words.inOneSentence([is, size])
  const what = `${figures.rounded(is)} ${additive ? 'in total' : 'on average'}`
  if (size === 0) return `${what}. Same as baseline.`
  const side = is > base ? 'above' : 'below'
  if (result.format.style === 'percent') return `${what}, ${words.points(size)} ${side} baseline.`
  const part = base > 0 ? ` (${words.share(size / base)})` : ''
  return `${what}, ${figures.rounded(size)}${part} ${side} baseline.`
}

function describeMovedBreach(
  { name, side }: Threshold,
  { was, middle }: { was: string | null; middle: string | null },
  words: ForecastFormatter,
): string {
  const before = was === null ? 'never' : words.period(was)
  if (middle === null) return `${name}: never ${side} (baseline ${before}).`
  return `${name}: first ${side} ${words.when(middle)} (baseline ${before}).`
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
  const isSum = additive || future.length === 1
  const expected = isSum ? sumOf(mean) : meanOf(mean)
  const earlier = yearEarlier(result, additive)
  const figures = words.inOneSentence(
    earlier === null
      ? [expected]
      : [expected, earlier.was, ...(tellsAmount(earlier, result) ? [changeOf(earlier)] : [])],
  )
  const year = earlier === null ? '' : describeYearOverYear(result, earlier, { ...words, ...figures })
  const span = periodRange(words.period(first), words.period(last))
  const figure = `${figures.rounded(expected)}${isSum ? '' : ` per ${ALERT_GRAIN_LABELS[grain]}`}`
  return [`${subjectPrefix(name)} ${figure} expected for ${span}${year}.`]
}

/** The first periods ahead beside the same a year before, as many as are known of those. */
interface YearEarlier {
  periods: number
  is: number
  was: number
}
const changeOf = ({ is, was }: YearEarlier): number => Math.abs(is - was)
/** From nothing or less a change is told as an amount. */
const tellsAmount = (earlier: YearEarlier, { format }: Pick<ForecastResult, 'format'>): boolean =>
  format.style !== 'percent' && earlier.was <= 0 && changeOf(earlier) > 0

function yearEarlier({ grain, periods, raw, future, total }: ForecastResult, additive: boolean): YearEarlier | null {
  const known = new Map(periods.map((period, at) => [period, raw[at] ?? null]))
  const before = future.map((start) => known.get(samePeriodLastYear(start, grain)) ?? null)
  const end = before.indexOf(null)
  const told = before.slice(0, end < 0 ? before.length : end).filter((value) => value !== null)
  const of = additive ? sumOf : meanOf
  return told.length === 0
    ? null
    : { periods: told.length, is: of(total.path.mean.slice(0, told.length)), was: of(told) }
}

/** Against the same periods a year before. */
function describeYearOverYear(
  { grain, future, format }: ForecastResult,
  { periods, is, was }: YearEarlier,
  words: ForecastFormatter,
): string {
  const unit = ALERT_GRAIN_LABELS[grain]
  const some = `, first ${periods === 1 ? unit : `${words.count(periods)} ${unit}s`}: `
  const scope = periods < future.length ? some : ', '
  const then = grain === 'day' ? 'the same weekdays a year earlier' : 'a year earlier'
  return `${scope}${describeMove({ is, was, isPercent: format.style === 'percent' }, words)} ${then} (${words.rounded(was)})`
}

/** “up 5 % vs”, “in line with”; from nothing or less the amount alone, of a percentage in points. */
function describeMove(
  { is, was, isPercent }: { is: number; was: number; isPercent: boolean },
  words: ForecastFormatter,
): string {
  const size = Math.abs(is - was)
  const isSame = was > 0 ? size / was < CHANGE_SHARE_MIN : size === 0
  if (isSame) return 'in line with'
  const said = isPercent ? words.points(size) : was > 0 ? words.share(size / was) : words.rounded(size)
  return `${is > was ? 'up' : 'down'} ${said} vs`
}

function describeUncertainty(
  { result, level }: Pick<SummaryInput, 'result' | 'level'>,
  words: ForecastFormatter,
): string[] {
  const { future, total } = result
  const { mean, bands } = total.path
  if (future.length === 0) return []
  if (total.shape === 'constant') return [`Constant so far; the forecast repeats ${words.rounded(mean[0] ?? 0)}.`]
  const places = future.length === 1 ? [0] : [0, future.length - 1]
  const told = places.map((place) => ({
    period: words.period(future[place] ?? ''),
    middle: mean[place] ?? 0,
    lower: bands[level].lower[place] ?? 0,
    upper: bands[level].upper[place] ?? 0,
  }))
  const figures = words.inOneSentence(told.flatMap(({ middle, lower, upper }) => [middle, lower, upper]))
  return [
    told
      .map(({ period, middle, lower, upper }) => {
        const [figure, interval] = describeWithInterval({ middle, lower, upper, level }, words, figures)
        return `${period}: ${figure} (${interval}).`
      })
      .join(' '),
  ]
}

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October'],
  ...['November', 'December'],
]
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
/** Places within a season that have names. */
const SEASON_PLACES: Record<ForecastGrain, { season: number; name: (start: string) => string } | null> = {
  month: { season: 12, name: (start) => MONTHS[Number(start.slice(5, 7)) - 1] ?? '' },
  quarter: { season: 4, name: (start) => `Q${Math.ceil(Number(start.slice(5, 7)) / 3)}` },
  day: { season: 7, name: (start) => WEEKDAYS[new Date(`${start}T00:00:00Z`).getUTCDay()] ?? '' },
  week: null,
}

/** Periods of a season that has no names for its places. */
const WEEKS_PER_YEAR = 52
const SEASONS_NEEDED = 2

/** Which place of the season was highest in most seasons, and which lowest; or what the history lacks to show one. */
function describeSeasonality(result: ForecastResult, words: ForecastFormatter): string[] {
  const { grain, periods, total } = result
  const named = SEASON_PLACES[grain]
  const { components, card } = total
  if (card?.season === null) return describeMissingSeason(result, words)
  if (!named || !components?.season || card?.season !== named.season) return []
  const { season, kind, first } = components
  const placeAt = (at: number): string => named.name(periods[first + at] ?? '')
  const places = new Map<string, number[]>()
  season.forEach((value, at) => {
    places.set(placeAt(at), [...(places.get(placeAt(at)) ?? []), kind === 'multiplicative' ? value - 1 : value])
  })
  const winners = seasonExtremes(result, named.season)
  const extremes = (['highest', 'lowest'] as const).flatMap((extreme) => {
    const name = mostOften(winners.map((own) => placeAt(own[extreme])))
    const by = meanOf(places.get(name ?? '') ?? [])
    return name === null || (extreme === 'highest' ? by <= 0 : by >= 0) ? [] : [{ name, by }]
  })
  const figures = words.inOneSentence(extremes.map(({ by }) => by))
  const told = extremes.map(({ name, by }) => {
    const size = kind === 'multiplicative' ? words.share(Math.abs(by)) : figures.rounded(Math.abs(by))
    return `${name} ${by > 0 ? '+' : '−'}${size}`
  })
  return told.length === 0 ? [] : [`Seasonality: ${told.join(', ')} vs trend.`]
}

/** Where each whole season, counted back from the newest value, was highest and lowest against the trend. */
function seasonExtremes(
  { values, total: { components } }: ForecastResult,
  season: number,
): Record<'highest' | 'lowest', number>[] {
  if (!components) return []
  const { trend, kind, first } = components
  const around = trend.map((level, at) => {
    const value = values[first + at] ?? null
    return value === null ? null : kind === 'multiplicative' ? value / level : value - level
  })
  const found: Record<'highest' | 'lowest', number>[] = []
  for (let end = around.length; end >= season; end -= season) {
    const known = around.slice(end - season, end).flatMap((v, i) => (v === null ? [] : [{ v, at: end - season + i }]))
    const sorted = known.toSorted((a, b) => a.v - b.v)
    const [low, high] = [sorted[0], sorted.at(-1)]
    if (low && high) found.push({ highest: high.at, lowest: low.at })
  }
  return found
}

/** The one that is named in more than half. */
function mostOften(names: readonly string[]): string | null {
  return names.find((name) => 2 * names.filter((one) => one === name).length > names.length) ?? null
}

/** Periods of history that the season takes which a grain may have. */
export const seasonHistoryOf = (grain: ForecastResult['grain']): number =>
  SEASONS_NEEDED * (SEASON_PLACES[grain]?.season ?? WEEKS_PER_YEAR)

/** A history too short to show the season that its grain may have. */
function describeMissingSeason({ grain, values, total }: ForecastResult, words: ForecastFormatter): string[] {
  const needed = seasonHistoryOf(grain)
  const have = values.filter((value) => value !== null).length
  if (total.shape !== 'varied' || have >= needed) return []
  const season = grain === 'day' ? 'weekly' : 'yearly'
  return [
    `Seasonality unknown: ${words.count(have)} of the ${words.count(needed)} ${ALERT_GRAIN_LABELS[grain]}s a ${season} season takes.`,
  ]
}
