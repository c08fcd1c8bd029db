import { ALERT_GRAIN_LABELS } from '../alerts'
import type { ForecastResult, AccuracyGrade } from './result'
import type { ForecastEvent, ForecastSettings } from './forecasts'

/** How figures, shares, counts and periods are written; sentences hold nothing that was not written by these. */
export interface ForecastFormatter {
  /** In the unit of the figure. */
  figure: (value: number) => string
  /** A part of one, as per cent. */
  percent: (part: number) => string
  count: (value: number) => string
  /** A period by its first day. */
  period: (start: string) => string
  /** The same as when something is: “in Mar 2027”, “on 21 Nov 2026”. */
  when: (start: string) => string
}

/** What a grade says. It is by the mean scaled error of forecasts of the past. */
const GRADE_TEXT: Record<AccuracyGrade, string> = {
  A: 'much better than repeating last season usually is',
  B: 'better than repeating last season usually is',
  C: 'slightly better than repeating last season usually is',
  D: 'no better than repeating last season usually is',
}

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
  if (!backtest)
    return ['There is too little history to try the forecast on the past, so how far it misses is not measured.']
  const { used, folds, seasonalNaive, method, grade, season } = backtest
  const held = Math.round(used.coverage[level] * used.checks)
  const tried = `Tried on the past ${timesText(folds.length, words)}, it missed by ${words.figure(used.mae)} on average${
    used.mape === null ? '' : ` (${words.percent(used.mape)} of the value)`
  }. Its ${level} % band held ${words.count(held)} of ${words.count(used.checks)} values (${words.percent(used.coverage[level])})${
    used.checks < FEW_CHECKS ? ', which are few: take it as a hint' : ''
  }.`
  const last = season > 1 ? 'the last season' : 'the last value'
  const beside =
    method === 'seasonal naive'
      ? `Repeating ${last} did as well, so that is what is shown.`
      : `Repeating ${last} would have missed by ${words.figure(seasonalNaive.mae)}.`
  return [tried, grade === null ? beside : `${beside} Grade ${grade}: ${describeGrade(grade, backtest, words)}.`]
}
/** What is itself a repetition of the last season is not said to be better than one. */
function describeGrade(
  grade: AccuracyGrade,
  { method, used }: Pick<NonNullable<ModelCardSource['total']['backtest']>, 'method' | 'used'>,
  words: ForecastFormatter,
): string {
  if (method === 'blend' || grade === 'D' || used.mase === null) return GRADE_TEXT[grade]
  return `it missed by ${words.percent(used.mase)} of the usual change from one season to the next`
}
const timesText = (count: number, words: ForecastFormatter): string =>
  count === 1 ? 'once' : `${words.count(count)} times`

/** What the forecast was not made from, or was made from differently than it stands in the rows. */
export function describeExclusions(
  result: Pick<ForecastResult, 'grain' | 'periods' | 'future' | 'asked' | 'incomplete' | 'total' | 'parts'>,
  events: readonly ForecastEvent[],
  words: ForecastFormatter,
): string[] {
  const { grain, periods, future, asked, incomplete, total, parts } = result
  const unit = (count: number): string => `${words.count(count)} ${ALERT_GRAIN_LABELS[grain]}${count === 1 ? '' : 's'}`
  const named = (places: readonly number[]): string =>
    joinNames(
      places.map((at) => words.period(periods[at] ?? '')),
      words,
    )
  const sentences: (string | null)[] = [
    incomplete && `${words.period(incomplete.period)} is still running and was left out.`,
    total.filled.length === 0
      ? null
      : `${unit(total.filled.length)} without figures ${total.filled.length === 1 ? 'was' : 'were'} filled in: ${named(total.filled)}.`,
    describeOutliers(total.outliers, { unit, named }),
    eventNames(events, 'leaveOut', (names) => `Left out as out of the ordinary: ${joinNames(names, words)}.`),
    eventNames(events, 'amount', (names) => `One-off amounts were taken into account: ${joinNames(names, words)}.`),
    total.trials.some(({ what, kept }) => what === 'cut' && kept)
      ? `Only figures from ${words.period(periods[total.from] ?? '')} on were used: tried on the past, that did better.`
      : null,
    total.trials.some(({ what, kept }) => what === 'holidays' && kept)
      ? 'Public holidays were taken into account: tried on the past, that did better.'
      : null,
    asked > future.length
      ? `${unit(asked)} were asked for; ${unit(future.length)} ${future.length === 1 ? 'is' : 'are'} shown, as there is too little history for more.`
      : null,
    total.card?.withoutEngines === true
      ? 'A part of the method could not be loaded here; the rest of it made this.'
      : null,
    describeAllocatedParts(parts, words),
  ]
  return sentences.filter((line) => line !== null)
}

function describeOutliers(
  outliers: ForecastResult['total']['outliers'],
  { unit, named }: { unit: (count: number) => string; named: (places: readonly number[]) => string },
): string | null {
  if (outliers.length === 0) return null
  const one = outliers.length === 1
  const drawnIn = outliers.some(({ dampened }) => dampened)
  const done = drawnIn ? 'drawn in before the forecast was made' : 'used as they are'
  return `${unit(outliers.length)} ${one ? 'lies' : 'lie'} far from what stands around ${one ? 'it' : 'them'} and ${
    one ? `was ${drawnIn ? done : 'used as it is'}` : `were ${done}`
  }: ${named(outliers.map(({ at }) => at))}.`
}

function describeAllocatedParts(parts: ForecastResult['parts'], words: ForecastFormatter): string | null {
  const alone = parts.flatMap(({ state, label }) => (state === 'ready' ? [] : [label ?? 'No value']))
  if (alone.length === 0) return null
  return `${alone.length === 1 ? 'One part has' : `${words.count(alone.length)} parts have`} too little history alone and ${
    alone.length === 1 ? 'takes its' : 'take their'
  } share of the whole: ${joinNames(alone, words)}.`
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
