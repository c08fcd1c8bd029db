import type { ScenarioOutcome } from '../../../../src/shared/forecasts/scenarios'
import type {
  ForecastGrain,
  ForecastLevel,
  ForecastPath,
  ForecastResult,
} from '../../../../src/shared/forecasts/result'
import type { ForecastEvent, Threshold, Forecast, Scenario } from '../../../../src/shared/forecasts/forecasts'
import { bucketLabel, type CellFormatter } from '../../../../src/shared/figures/cell-formatter'
import { bucketEnd, daysBetween } from '../../../../src/shared/figures/time-buckets'

/** A scenario beside the base: what `applyScenario` made of the same result. */
interface ScenarioLine {
  name: string
  applied: Pick<ScenarioOutcome, 'total' | 'parts' | 'balance'>
}

/** What of a result is to be seen. */
export interface ForecastChartOptions {
  /** How periods are named; absent = in English. */
  bucket?: CellFormatter['bucket']
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

export interface ChartBand {
  level: ForecastLevel
  lower: number[]
  upper: number[]
}

/** What is drawn, over one row of periods: the past, then what is ahead. Free of any drawing library. */
export interface ForecastChartModel {
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
  bands: ChartBand[]
  /** Where the day of the line is along the periods; each reaches a half to both sides of its place. */
  line: { at: number; word: string } | null
  /** The running period so far. */
  running: { at: number; value: number } | null
  fold: { at: number; mean: number[]; band: ChartBand } | null
  scenarios: { name: string; mean: number[] }[]
  thresholds: Threshold[]
  unusual: { at: number; value: number; words: string }[]
  /** Places that each event covers. */
  events: { name: string; places: number[]; words: string }[]
}

/** Periods of the past that are drawn at first: some seasons, however long the past is. */
const PAST_PERIODS_SHOWN: Record<ForecastGrain, number> = { day: 120, week: 104, month: 48, quarter: 24 }
const WIDER_LEVEL: Record<ForecastLevel, ForecastLevel | null> = { 50: 80, 80: 95, 95: null }
const SCENARIOS_DRAWN_MAX = 4

/** Levels that a fan shows, the widest first. */
const fanLevels = (level: ForecastLevel): ForecastLevel[] => {
  const wider = WIDER_LEVEL[level]
  return wider === null ? [level] : [wider, level]
}

interface ChartSource {
  past: readonly (number | null)[]
  path: ForecastPath
  of: ForecastResult['total'] | null
}

/** The series that is looked at: the whole, a part, or the balance. */
function selectChartSource(result: ForecastResult, { part, asBalance }: ForecastChartOptions): ChartSource {
  if (asBalance && result.balance) return { past: result.balance.past, path: result.balance.path, of: null }
  const one = part === undefined ? undefined : result.parts[part]
  return one
    ? { past: one.values, path: one.path, of: one }
    : { past: result.raw, path: result.total.path, of: result.total }
}

const scenarioPath = ({ applied }: ScenarioLine, { part, asBalance }: ForecastChartOptions): ForecastPath =>
  (asBalance ? applied.balance?.path : part === undefined ? undefined : applied.parts[part]) ?? applied.total

/** Levels are held against the balance where there is one, else against the whole. */
const showsThresholds = ({ balance }: ForecastResult, { part, asBalance = false }: ForecastChartOptions): boolean =>
  part === undefined && asBalance === (balance !== null)

/** Where the picture begins among all periods of the past. */
export function firstPeriodShown(result: Pick<ForecastResult, 'grain' | 'periods' | 'future'>, whole: boolean): number {
  if (whole) return 0
  return Math.max(0, result.periods.length - Math.max(PAST_PERIODS_SHOWN[result.grain], 3 * result.future.length))
}

/** The picture of a result. Pure. */
export function buildChartModel(result: ForecastResult, options: ForecastChartOptions): ForecastChartModel {
  const { grain, periods, future } = result
  const { path, past, of } = selectChartSource(result, options)
  const { level, fold, whole = false, thresholds = [], scenarios = [], events = [], bucket = bucketLabel } = options
  const checked = fold === undefined ? undefined : of?.backtest?.folds[fold]
  const first = Math.min(firstPeriodShown(result, whole), Math.max(0, (checked?.origin ?? Infinity) - 1))
  const known = periods.length - first
  const starts = [...periods.slice(first), ...future]
  const isWhole = of === result.total
  return {
    ...{ grain, starts, known, labels: starts.map((start) => bucket(start, grain)) },
    past: past.slice(first),
    mean: path.mean,
    bands: fanLevels(level).map((one) => ({ level: one, ...path.bands[one] })),
    line: referenceLine({ grain, starts }, options.line),
    running: isWhole ? runningPeriod(result, starts) : null,
    fold: checked
      ? { at: checked.origin - first, mean: checked.path.mean, band: { level, ...checked.path.bands[level] } }
      : null,
    scenarios: scenarios
      .slice(0, SCENARIOS_DRAWN_MAX)
      .map((line) => ({ name: line.name, mean: scenarioPath(line, options).mean })),
    thresholds: showsThresholds(result, options) ? [...thresholds] : [],
    unusual: (of?.outliers ?? []).flatMap(({ at, value, dampened }) =>
      at < first ? [] : [{ at: at - first, value, words: dampened ? 'Outlier, dampened' : 'Outlier' }],
    ),
    events: events.flatMap((event) => eventMarks(event, starts, grain)),
  }
}

function referenceLine(
  { grain, starts }: Pick<ForecastChartModel, 'grain' | 'starts'>,
  line: ForecastChartOptions['line'],
): ForecastChartModel['line'] {
  const last = starts.at(-1)
  if (!line || last === undefined || line.day > bucketEnd(last, grain)) return null
  const within = starts.findLastIndex((start) => start <= line.day)
  const start = starts[within]
  if (start === undefined) return null
  // In the middle of the day, as far into its period as it is. The picture ends in the middles of its first and last period.
  const days = daysBetween(start, bucketEnd(start, grain)) + 1
  const at = within - 0.5 + (daysBetween(start, line.day) + 0.5) / days
  return { at: Math.min(starts.length - 1, Math.max(0, at)), word: line.word }
}

function runningPeriod({ incomplete }: ForecastResult, starts: readonly string[]): ForecastChartModel['running'] {
  const at = incomplete ? starts.indexOf(incomplete.period) : -1
  return incomplete && incomplete.value !== null && at >= 0 ? { at, value: incomplete.value } : null
}

function eventMarks(
  event: ForecastEvent,
  starts: readonly string[],
  grain: ForecastGrain,
): ForecastChartModel['events'] {
  const places = starts.flatMap((start, at) => (start <= event.to && bucketEnd(start, grain) >= event.from ? [at] : []))
  const words = event.effect.kind === 'leaveOut' ? `${event.name}, excluded` : event.name
  return places.length === 0 ? [] : [{ name: event.name, places, words }]
}

/** What is drawn and told beside the base. Kept the same while nothing changes. */
export interface ChartOverlays {
  /** At most four, the base not among them. */
  scenarios: readonly ScenarioLine[]
  /** Those of them as they are told in the summary. */
  summaryScenarios: readonly Scenario[]
  thresholds: readonly Threshold[]
}
/** What the part of the page about what could be done is given. */
export interface ScenariosPanelProps {
  forecast: Forecast
  result: ForecastResult
  /** Place among the parts, and whether it is the balance that is looked at. */
  part: number | undefined
  asBalance: boolean
  /** Says what the chart above shows; until it is called, the levels as they are saved, and no scenario. */
  onDraw: (overlays: ChartOverlays) => void
}
