import { byLevel, type ForecastGrain, type ForecastLevel, type ForecastPath, type ForecastResult } from './result'

/** What one past run said of one period, and what came. */
interface AccuracyCheck {
  /** First day of the period, and how many periods ahead it was: 1 is the first. */
  period: string
  step: number
  said: number
  came: number
  /** What was said less what came. */
  error: number
  inside: Record<ForecastLevel, boolean>
  /** What repeating the last season, as it was known then, would have said. */
  naive: number
  /** What the period was when a run first knew it, where the rows say something else since; null: unchanged. */
  cameFirst: number | null
}
/** Counts and mean errors over some checks. Errors in the unit of the figure; null where there is nothing to tell. */
export interface AccuracyTotals {
  checks: number
  /** How many of them lay within each band. */
  held: Record<ForecastLevel, number>
  mae: number | null
  /** Above zero: too high on the whole. */
  bias: number | null
  /** Mean absolute error over the mean change from one season to the next within the past of the run. */
  mase: number | null
  /** The same of repeating the last season. */
  naive: { mae: number | null; mase: number | null }
}
export interface RunAccuracy extends AccuracyTotals {
  runId: string
  number: number
  startedAt: string
  /** The last period that it knew. */
  origin: string
  steps: AccuracyCheck[]
  /** Periods that it was made from whose figures are others now. */
  restatedPast: number
  /** Several runs that knew equally much are one forecast: the newest of them counts. */
  counts: boolean
}
export interface AccuracyLog {
  /** The newest first; only those of which some period has come. */
  runs: RunAccuracy[]
  /** Runs none of whose periods is known and complete yet; without those of times that are not looked at any more. */
  waiting: number
  /** Over the runs that count. */
  overall: AccuracyTotals
  /** The same without what rests on figures that were changed afterwards; null where nothing was. */
  unrestated: AccuracyTotals | null
  /** By how many periods ahead. */
  steps: (AccuracyTotals & { step: number })[]
}

/** What is known now, complete periods only, oldest first. */
export interface ActualHistory {
  grain: ForecastGrain
  periods: readonly string[]
  values: readonly (number | null)[]
}
/** What is kept of a run for good: enough to hold it against what came, and to draw a small picture of it. */
export interface ForecastSnapshot {
  grain: ForecastGrain
  periods: string[]
  future: string[]
  /** As it was in the rows, before events were taken off. */
  raw: (number | null)[]
  /** Of the whole. */
  path: ForecastPath
  /** Periods of a season, as its backtest and its model took it; 1 = none. */
  season: number
}
export interface PastRun {
  id: string
  number: number
  startedAt: string
  snapshot: ForecastSnapshot
}

export const toSnapshot = ({ grain, periods, future, raw, total }: ForecastResult): ForecastSnapshot => ({
  grain,
  periods,
  future,
  raw,
  path: total.path,
  season: Math.max(1, total.backtest?.season ?? total.card?.season ?? 1),
})

/**
 * What a newest run knows that is complete on a day: the running period is left out also where it counted as it stood.
 * Figures as they are in the rows, before events were taken off.
 */
export function actualsKnownBy(
  { grain, periods, future, raw }: Pick<ForecastSnapshot, 'grain' | 'periods' | 'future' | 'raw'>,
  today: string,
): ActualHistory {
  const [next] = future
  const over = next === undefined || next <= today ? periods.length : periods.length - 1
  return { grain, periods: periods.slice(0, over), values: raw.slice(0, over) }
}

/**
 * Every past forecast against what came. Runs of another grain say nothing here. A period that a run did not know when it was
 * made, and that is complete now, is checked once for each run that spoke of it.
 */
export function buildAccuracyLog(runs: readonly PastRun[], known: ActualHistory): AccuracyLog {
  const now = valuesByPeriod(known)
  const comparable = runs
    .filter(({ snapshot }) => snapshot.grain === known.grain && snapshot.periods.length > 0)
    .toSorted((a, b) => a.number - b.number)
  const first = firstReportedValues(comparable)
  const checked = comparable.map((run) => checkRun(run, now, first))
  const runsWithChecks = checked.filter(({ steps }) => steps.length > 0)
  // What lies before all that is known any more never comes.
  const forgotten = comparable.filter(
    ({ snapshot }) => (snapshot.future.at(-1) ?? '') < (known.periods[0] ?? ''),
  ).length
  const newest = new Map(runsWithChecks.map(({ origin, runId }) => [origin, runId]))
  const all = runsWithChecks.map((run) => ({ ...run, counts: newest.get(run.origin) === run.runId }))
  const counted = all.filter(({ counts }) => counts).flatMap((run) => run.steps.map((check) => ({ run, check })))
  const clean = counted.filter(({ run, check }) => run.restatedPast === 0 && check.cameFirst === null)
  const furthest = Math.max(0, ...counted.map(({ check }) => check.step))
  const at = (step: number): ScaledCheck[] => counted.filter(({ check }) => check.step === step)
  return {
    runs: all.map(({ scale: _scale, ...run }) => run).toReversed(),
    waiting: checked.length - runsWithChecks.length - forgotten,
    overall: totalsOf(counted),
    unrestated: clean.length < counted.length ? totalsOf(clean) : null,
    steps: Array.from({ length: furthest }, (_, place) => ({ step: place + 1, ...totalsOf(at(place + 1)) })).filter(
      ({ checks }) => checks > 0,
    ),
  }
}

type ValueByPeriod = ReadonlyMap<string, number>
const valuesByPeriod = ({ periods, values }: Pick<ActualHistory, 'periods' | 'values'>): Map<string, number> =>
  new Map(
    periods.flatMap((period, at): [string, number][] => {
      const value = values[at] ?? null
      return value === null ? [] : [[period, value]]
    }),
  )

/** Each period as the first run that knew it found it. */
function firstReportedValues(oldestFirst: readonly PastRun[]): ValueByPeriod {
  const found = new Map<string, number>()
  for (const { snapshot } of oldestFirst)
    for (const [period, value] of valuesByPeriod({ periods: snapshot.periods, values: snapshot.raw }))
      if (!found.has(period)) found.set(period, value)
  return found
}

/** Sums over equal rows may differ in their last digits. */
const RELATIVE_TOLERANCE = 1e-9
const nearlyEqual = (a: number, b: number | undefined): boolean =>
  b !== undefined && Math.abs(a - b) <= RELATIVE_TOLERANCE * Math.max(1, Math.abs(a), Math.abs(b))

/** `scale`: mean change from one season to the next within the past of the run. */
type CheckedRun = Omit<RunAccuracy, 'counts'> & { scale: number }

function checkRun(
  { id, number, startedAt, snapshot: run }: PastRun,
  now: ValueByPeriod,
  first: ValueByPeriod,
): CheckedRun {
  const [oldest = ''] = now.keys()
  const { path, season, raw } = run
  const scale = maseScale(raw, season)
  const steps = run.future.flatMap((period, at): AccuracyCheck[] => {
    const came = now.get(period)
    const said = path.mean[at]
    if (came === undefined || said === undefined) return []
    const inside = (level: ForecastLevel): boolean =>
      came >= (path.bands[level].lower[at] ?? Infinity) && came <= (path.bands[level].upper[at] ?? -Infinity)
    const before = first.get(period)
    return [
      {
        period,
        step: at + 1,
        said,
        came,
        error: said - came,
        inside: byLevel(inside),
        naive: seasonalNaiveValue(raw, { season, step: at + 1 }) ?? said,
        cameFirst: before !== undefined && !nearlyEqual(before, came) ? before : null,
      },
    ]
  })
  const past = valuesByPeriod({ periods: run.periods, values: raw })
  const restatedPast = [...past].filter(
    ([period, value]) => period >= oldest && !nearlyEqual(value, now.get(period)),
  ).length
  return {
    ...{ runId: id, number, startedAt, origin: run.periods.at(-1) ?? '', steps, restatedPast, scale },
    ...totalsOf(steps.map((check) => ({ run: { scale }, check }))),
  }
}

/** The value a season before, or as many seasons before as it takes to find one; the last one known failing that. */
function seasonalNaiveValue(
  raw: readonly (number | null)[],
  { season, step }: { season: number; step: number },
): number | null {
  for (let at = raw.length - season + ((step - 1) % season); at >= 0; at -= season) {
    const value = raw[at] ?? null
    if (value !== null) return value
  }
  return raw.findLast((value) => value !== null) ?? null
}

/** Mean absolute change over a season; over one step where the past is no longer than a season. Zero: it never changed. */
function maseScale(raw: readonly (number | null)[], season: number): number {
  const lag = raw.length > season ? season : 1
  const changes = raw.flatMap((value, at) => {
    const before = at < lag ? null : (raw[at - lag] ?? null)
    return value === null || before === null ? [] : [Math.abs(value - before)]
  })
  return meanOrNull(changes) ?? 0
}

const meanOrNull = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((mean, value) => mean + value / values.length, 0)

interface ScaledCheck {
  run: { scale: number }
  check: AccuracyCheck
}
function totalsOf(all: readonly ScaledCheck[]): AccuracyTotals {
  const held = (level: ForecastLevel): number => all.filter(({ check }) => check.inside[level]).length
  const scaled = all.filter(({ run }) => run.scale > 0)
  const off = ({ error }: AccuracyCheck): number => Math.abs(error)
  const naiveOff = ({ naive, came }: AccuracyCheck): number => Math.abs(naive - came)
  const mean = (of: (check: AccuracyCheck) => number): number | null => meanOrNull(all.map(({ check }) => of(check)))
  const mase = (of: (check: AccuracyCheck) => number): number | null =>
    meanOrNull(scaled.map(({ run, check }) => of(check) / run.scale))
  return {
    checks: all.length,
    held: byLevel(held),
    mae: mean(off),
    bias: mean(({ error }) => error),
    mase: mase(off),
    naive: { mae: mean(naiveOff), mase: mase(naiveOff) },
  }
}
