import { ALERT_GRAIN_LABELS } from '../alerts'
import { TERMS } from '../terms'
import type { ForecastResult, AccuracyGrade } from './result'
import type { ForecastEvent, ForecastSettings } from './forecasts'

/** How figures of the forecast are written in a sentence. */
export interface SentenceFigures {
  /** Three digits and a unit once it is large. */
  rounded: (value: number) => string
  /** Both ends of an interval, in one unit: “0,07 Mkr–1,28 Mkr”. */
  range: (lower: number, upper: number) => string
}

/** How figures, shares, counts and periods are written; sentences hold nothing that was not written by these. */
export interface ForecastFormatter extends SentenceFigures {
  /** In the unit of the figure, in full: for tables. */
  figure: (value: number) => string
  /** The same for figures that stand in one sentence: all with the same decimals. */
  inOneSentence: (values: readonly number[]) => SentenceFigures
  /** A level, in per cent: “80 %”. */
  percent: (part: number) => string
  /** A part of one worked out from figures: “5,0 %”. */
  share: (part: number) => string
  /** A change of a percentage: “1,2 pp”. */
  points: (part: number) => string
  count: (value: number) => string
  /** A period by its first day. */
  period: (start: string) => string
  /** The same as when something is: “in Mar 2027”, “on 21 Nov 2026”. */
  when: (start: string) => string
}

/** What a grade says: the mean error of the backtest beside the mean change from one season to the next. */
const GRADE_TEXT: Record<AccuracyGrade, string> = {
  A: 'error far below the usual seasonal change',
  B: 'error below the usual seasonal change',
  C: 'error slightly below the usual seasonal change',
  D: 'error not below the usual seasonal change',
}
export const describeGrade = (grade: AccuracyGrade): string => GRADE_TEXT[grade]

/** What a forecast is measured against: repeating the last season, or where a season is one period the last value. */
export const benchmarkName = (season: number): string => (season > 1 ? TERMS.seasonalNaive : TERMS.naive)

/** Fewer checks than this say little about a share. */
export const FEW_CHECKS = 20
const NAMED_MAX = 3

type ModelCardSource = Pick<ForecastResult, 'total' | 'grain'>

/** What forecasts of the past, made in the same way, say about this one. */
export function describeBacktest(
  { total }: ModelCardSource,
  level: ForecastSettings['level'],
  words: ForecastFormatter,
): string[] {
  const { backtest, shape, state } = total
  if (state !== 'ready' || shape === 'constant') return []
  if (!backtest) return ['Not enough history for a backtest.']
  const { used, folds, seasonalNaive, method, grade, season } = backtest
  const held = Math.round(used.coverage[level] * used.checks)
  const runs = `${words.count(folds.length)} run${folds.length === 1 ? '' : 's'}`
  const figures = words.inOneSentence([used.mae, seasonalNaive.mae])
  const tested = `Backtest (${runs}): average error ${figures.rounded(used.mae)}${
    used.mape === null ? '' : ` (${words.share(used.mape)})`
  }; ${words.count(held)} of ${words.count(used.checks)} actuals in the ${words.percent(level / 100)} interval.`
  const benchmark = benchmarkName(season)
  const beside =
    method === 'seasonal naive'
      ? `${benchmark} is far better: used.`
      : `${benchmark}: ${figures.rounded(seasonalNaive.mae)}.`
  const sample = used.checks < FEW_CHECKS ? ' Small sample.' : ''
  return [`${tested} ${beside}${sample}`, ...(grade === null ? [] : [`Grade ${grade}: ${GRADE_TEXT[grade]}.`])]
}

/** What the forecast leaves out, or takes differently from what is in the rows. */
export function describeExclusions(
  result: Pick<ForecastResult, 'grain' | 'periods' | 'future' | 'asked' | 'incomplete' | 'total' | 'parts'>,
  events: readonly ForecastEvent[],
  words: ForecastFormatter,
): string[] {
  const { grain, periods, future, asked, incomplete, total, parts } = result
  const units = (count: number): string => `${ALERT_GRAIN_LABELS[grain]}${count === 1 ? '' : 's'}`
  const named = (places: readonly number[]): string =>
    joinNames(
      places.map((at) => words.period(periods[at] ?? '')),
      words,
    )
  const sentences: (string | null)[] = [
    incomplete && describeIncomplete(incomplete, words),
    total.filled.length === 0
      ? null
      : `${words.count(total.filled.length)} missing ${units(total.filled.length)} filled in: ${named(total.filled)}.`,
    describeOutliers(total.outliers, { words, named }),
    eventNames(events, 'leaveOut', (names) => `Events excluded: ${joinNames(names, words)}.`),
    eventNames(events, 'amount', (names) => `Events adjusted: ${joinNames(names, words)}.`),
    total.trials.some(({ what, kept }) => what === 'cut' && kept)
      ? `History from ${words.period(periods[total.from] ?? '')} used: better backtest.`
      : null,
    total.trials.some(({ what, kept }) => what === 'holidays' && kept)
      ? 'Public holidays used: better backtest.'
      : null,
    asked > future.length
      ? `${words.count(future.length)} of ${words.count(asked)} ${units(asked)}: not enough history.`
      : null,
    total.card?.withoutEngines === true ? 'Some models couldn’t load.' : null,
    describeAllocatedParts(parts, words),
  ]
  return sentences.filter((line) => line !== null)
}

const describeIncomplete = (
  { period, value, counted }: NonNullable<ForecastResult['incomplete']>,
  words: ForecastFormatter,
): string =>
  counted === true && value !== null
    ? `${words.period(period)}: ${words.rounded(value)} so far; the rest is forecast.`
    : `${words.period(period)} is incomplete and excluded.`

function describeOutliers(
  outliers: ForecastResult['total']['outliers'],
  { words, named }: { words: ForecastFormatter; named: (places: readonly number[]) => string },
): string | null {
  if (outliers.length === 0) return null
  const done = outliers.some(({ dampened }) => dampened) ? 'dampened' : 'kept'
  return `${words.count(outliers.length)} outlier${outliers.length === 1 ? '' : 's'} ${done}: ${named(
    outliers.map(({ at }) => at),
  )}.`
}

function describeAllocatedParts(parts: ForecastResult['parts'], words: ForecastFormatter): string | null {
  const alone = parts.flatMap(({ state, label }) => (state === 'ready' ? [] : [label ?? 'No value']))
  return alone.length === 0 ? null : `Share of total, too little history: ${joinNames(alone, words)}.`
}

function eventNames(
  events: readonly ForecastEvent[],
  kind: ForecastEvent['effect']['kind'],
  say: (names: string[]) => string,
): string | null {
  const names = events.filter(({ effect }) => effect.kind === kind).map(({ name }) => name)
  return names.length === 0 ? null : say(names)
}

/** “a, b, c and 4 more”. */
function joinNames(names: readonly string[], words: ForecastFormatter): string {
  const rest = names.length - NAMED_MAX
  if (rest > 1) return `${names.slice(0, NAMED_MAX).join(', ')} and ${words.count(rest)} more`
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}` : (names[0] ?? '')
}
