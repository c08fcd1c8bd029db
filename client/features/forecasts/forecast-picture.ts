import type { Applied } from '../../../src/shared/forecast-scenarios'
import type { ForecastGrain, ForecastLevel, ForecastPath, ForecastResult } from '../../../src/shared/forecast-result'
import type { ForecastEvent, Threshold } from '../../../src/shared/forecasts'
import { bucketLabel } from '../../ui/chart/figure-format'
import { bucketEnd } from '../../ui/chart/time-buckets'

/** A scenario beside the base: what `applyScenario` made of the same result. */
export interface ScenarioLine {
  name: string
  applied: Pick<Applied, 'total' | 'parts' | 'balance'>
}

/** What of a result is to be seen. */
export interface PictureOptions {
  /** The band that is drawn; a wider one lies lighter around it. */
  level: ForecastLevel
  /** Place among the parts; absent: the whole. */
  part?: number | undefined
  /** Added up to a balance, where the result has one. */
  asBalance?: boolean
  /** Place among the folds of the backtest: what would have been said then, over what came. */
  fold?: number | undefined
  thresholds?: readonly Threshold[]
  /** At most four are told apart. */
  scenarios?: readonly ScenarioLine[]
  events?: readonly ForecastEvent[]
  /** The day that the line stands before: today, or when an old run was made. */
  line?: { day: string; word: string } | undefined
  /** All of the past, however long. */
  whole?: boolean
}

export interface Band {
  level: ForecastLevel
  lower: number[]
  upper: number[]
}

/** What is drawn, over one row of periods: the past, then what is ahead. Free of any drawing library. */
export interface Picture {
  grain: ForecastGrain
  /** First days of the periods that are drawn, and their names. */
  starts: string[]
  labels: string[]
  /** How many of them are past. */
  known: number
  /** What was, for each period of the past that is drawn. */
  past: (number | null)[]
  mean: number[]
  /** The widest first. */
  bands: Band[]
  /** Place of the first period that the line stands before; a half less is where it is drawn. */
  line: { at: number; word: string } | null
  /** The running period so far. */
  running: { at: number; value: number } | null
  fold: { at: number; mean: number[]; band: Band } | null
  scenarios: { name: string; mean: number[] }[]
  thresholds: Threshold[]
  unusual: { at: number; value: number; words: string }[]
  /** Places that each event covers. */
  events: { name: string; places: number[]; words: string }[]
}

/** Periods of the past that are drawn at first: some seasons, however long the past is. */
const SHOWN: Record<ForecastGrain, number> = { day: 120, week: 104, month: 48, quarter: 24 }
const WIDER: Record<ForecastLevel, ForecastLevel | null> = { 50: 80, 80: 95, 95: null }
const SCENARIOS_MAX = 4

/** Levels that a fan shows, the widest first. */
export const levelsDrawn = (level: ForecastLevel): ForecastLevel[] => {
  const wider = WIDER[level]
  return wider === null ? [level] : [wider, level]
}

interface Shown {
  past: readonly (number | null)[]
  path: ForecastPath
  of: ForecastResult['total'] | null
}

/** The series that is looked at: the whole, a part, or the balance. */
function shownOf(result: ForecastResult, { part, asBalance }: PictureOptions): Shown {
  if (asBalance && result.balance) return { past: result.balance.past, path: result.balance.path, of: null }
  const one = part === undefined ? undefined : result.parts[part]
  return one
    ? { past: one.values, path: one.path, of: one }
    : { past: result.raw, path: result.total.path, of: result.total }
}

const scenarioPath = ({ applied }: ScenarioLine, { part, asBalance }: PictureOptions): ForecastPath =>
  (asBalance ? applied.balance?.path : part === undefined ? undefined : applied.parts[part]) ?? applied.total

/** Levels are held against the balance where there is one, else against the whole. */
const isLevelled = ({ balance }: ForecastResult, { part, asBalance = false }: PictureOptions): boolean =>
  part === undefined && asBalance === (balance !== null)

/** Where the picture begins among all periods of the past. */
export function firstShown(result: Pick<ForecastResult, 'grain' | 'periods' | 'future'>, whole: boolean): number {
  if (whole) return 0
  return Math.max(0, result.periods.length - Math.max(SHOWN[result.grain], 3 * result.future.length))
}

/** The picture of a result. Pure. */
export function pictureOf(result: ForecastResult, options: PictureOptions): Picture {
  const { grain, periods, future } = result
  const { path, past, of } = shownOf(result, options)
  const { level, fold, whole = false, thresholds = [], scenarios = [], events = [] } = options
  const checked = fold === undefined ? undefined : of?.backtest?.folds[fold]
  const first = Math.min(firstShown(result, whole), Math.max(0, (checked?.origin ?? Infinity) - 1))
  const known = periods.length - first
  const starts = [...periods.slice(first), ...future]
  const isWhole = of === result.total
  return {
    ...{ grain, starts, known, labels: starts.map((start) => bucketLabel(start, grain)) },
    past: past.slice(first),
    mean: path.mean,
    bands: levelsDrawn(level).map((one) => ({ level: one, ...path.bands[one] })),
    line: lineOf({ grain, starts, known }, options.line),
    running: isWhole ? runningOf(result, starts) : null,
    fold: checked
      ? { at: checked.origin - first, mean: checked.path.mean, band: { level, ...checked.path.bands[level] } }
      : null,
    scenarios: scenarios
      .slice(0, SCENARIOS_MAX)
      .map((line) => ({ name: line.name, mean: scenarioPath(line, options).mean })),
    thresholds: isLevelled(result, options) ? [...thresholds] : [],
    unusual: (of?.outliers ?? []).flatMap(({ at, value, dampened }) =>
      at < first ? [] : [{ at: at - first, value, words: dampened ? 'Unusual, and drawn in' : 'Unusual' }],
    ),
    events: events.flatMap((event) => eventOf(event, starts, grain)),
  }
}

function lineOf(
  { grain, starts, known }: Pick<Picture, 'grain' | 'starts' | 'known'>,
  line: PictureOptions['line'],
): Picture['line'] {
  const last = starts.at(-1)
  if (!line || last === undefined || line.day > bucketEnd(last, grain)) return null
  const within = starts.findLastIndex((start) => start <= line.day)
  return { at: Math.max(known, within), word: line.word }
}

function runningOf({ incomplete }: ForecastResult, starts: readonly string[]): Picture['running'] {
  const at = incomplete ? starts.indexOf(incomplete.period) : -1
  return incomplete && incomplete.value !== null && at >= 0 ? { at, value: incomplete.value } : null
}

function eventOf(event: ForecastEvent, starts: readonly string[], grain: ForecastGrain): Picture['events'] {
  const places = starts.flatMap((start, at) => (start <= event.to && bucketEnd(start, grain) >= event.from ? [at] : []))
  const words = event.effect.kind === 'leaveOut' ? `${event.name}, left out` : event.name
  return places.length === 0 ? [] : [{ name: event.name, places, words }]
}
