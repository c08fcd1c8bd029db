import { byLevel, FORECAST_LEVELS, mapPath, type ForecastLevel, type ForecastPath, type ForecastResult } from './result'
import type { Threshold, Scenario, ScenarioStep } from './forecasts'
import type { Cell } from '../query/result'

/** When a level that matters is broken. Periods by their first days; null: not within the horizon. */
export interface ThresholdBreach {
  threshold: Threshold
  /** It is broken already, by what is known last. */
  now: boolean
  /** The first period in which the middle breaks it: more likely than not from here on. */
  middle: string | null
  /**
   * By band: the first period in which its near end breaks it (it may be as early as that), and the first in which even
   * its far end does (it is broken at the latest then).
   */
  bands: Record<ForecastLevel, { earliest: string | null; latest: string | null }>
}
export interface ThresholdContext {
  /** First days of the periods of the path. */
  future: readonly string[]
  /** What is known last, before the first of them. */
  now: number | null
}

/** When each level that matters is broken, by a path or the balance that it adds up to. */
export function findBreaches(
  path: ForecastPath,
  { future, now }: ThresholdContext,
  thresholds: readonly Threshold[],
): ThresholdBreach[] {
  return thresholds.map((threshold) => {
    const { side, value } = threshold
    const breaks = (one: number): boolean => (side === 'below' ? one < value : one > value)
    const first = (line: readonly number[]): string | null => future[line.findIndex(breaks)] ?? null
    const band = (level: ForecastLevel): ThresholdBreach['bands'][ForecastLevel] => {
      const { lower, upper } = path.bands[level]
      const [near, far] = side === 'below' ? [lower, upper] : [upper, lower]
      return { earliest: first(near), latest: first(far) }
    }
    return {
      threshold,
      now: now !== null && breaks(now),
      middle: first(path.mean),
      bands: byLevel(band),
    }
  })
}

type ThresholdSource = Pick<ForecastResult, 'future' | 'raw' | 'total' | 'balance'>

/** What levels are held against: the balance where the figures add up to one, else the figure itself. */
function thresholdPath(
  { future, raw, total, balance }: ThresholdSource,
  applied?: { total: ForecastPath; balance: { path: ForecastPath } | null },
): { path: ForecastPath; ahead: ThresholdContext } {
  if (balance) return { path: applied?.balance?.path ?? balance.path, ahead: { future, now: balance.opening } }
  return { path: applied?.total ?? total.path, ahead: { future, now: raw.findLast((value) => value !== null) ?? null } }
}

/** The same for a result, or for a scenario of it. */
export function resultBreaches(
  result: ThresholdSource,
  thresholds: readonly Threshold[],
  applied?: { total: ForecastPath; balance: { path: ForecastPath } | null },
): ThresholdBreach[] {
  const { path, ahead } = thresholdPath(result, applied)
  return findBreaches(path, ahead, thresholds)
}

/** The one that the middle breaks first; null where it breaks none. */
export const earliestBreach = (all: readonly ThresholdBreach[]): { threshold: string; period: string } | null =>
  all
    .flatMap(({ threshold, middle }) => (middle === null ? [] : [{ threshold: threshold.name, period: middle }]))
    .toSorted((a, b) => (a.period < b.period ? -1 : a.period > b.period ? 1 : 0))[0] ?? null

/** Why a step of a scenario changes nothing. */
export type IneffectiveReason = 'span' | 'part' | 'driver'
export interface ScenarioOutcome {
  /** Where there are parts, their middles added in order: exactly. */
  total: ForecastPath
  /** In the order of the result's. */
  parts: ForecastPath[]
  balance: { past: (number | null)[]; path: ForecastPath } | null
  /**
   * Steps without effect: no period ahead begins within their span, the run has no such part, or it knows nothing of that
   * metric (it was linked after the run was made).
   */
  idle: { step: number; why: IneffectiveReason }[]
}
type BaselineForecast = Pick<ForecastResult, 'future' | 'drivers'> & {
  total: Pick<ForecastResult['total'], 'path'>
  parts: readonly { member: Cell; path: ForecastPath }[]
  balance: Pick<NonNullable<ForecastResult['balance']>, 'past' | 'path'> | null
}

/** Sums of a few such values are numbers still. */
const VALUE_ABS_MAX = 1e300
const clampFinite = (value: number): number => Math.min(VALUE_ABS_MAX, Math.max(-VALUE_ABS_MAX, value))
const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

/** Tells the text 1 from the number 1. */
const cellKey = (member: Cell): string => `${typeof member}:${String(member)}`

/** Places of the periods ahead that begin within a span, both days included. */
const periodIndexesWithin = (future: readonly string[], { from, to }: { from: string; to: string }): number[] =>
  future.flatMap((start, at) => (start >= from && start <= to ? [at] : []))

/**
 * What becomes of a forecast if things are done: steps in the order of the list, each on top of those before. The bands go
 * with the middle: per cents scale them, amounts shift them. A change of the whole is shared among the parts by their size; a
 * change of one part changes the whole. Without steps it is the forecast as it was made.
 */
export function applyScenario(result: BaselineForecast, { steps }: Pick<Scenario, 'steps'>): ScenarioOutcome {
  const total = copyPath(result.total.path)
  const parts = result.parts.map(({ path }) => copyPath(path))
  const idle = steps.flatMap((step, at) => {
    const why = applyStep({ total, parts }, step, result)
    return why ? [{ step: at, why }] : []
  })
  return { total, parts, balance: result.balance && adjustBalance(result.balance, result.total.path, total), idle }
}

interface ScenarioPaths {
  total: ForecastPath
  parts: readonly ForecastPath[]
}

function applyStep(
  paths: ScenarioPaths,
  step: ScenarioStep,
  { future, drivers, parts }: BaselineForecast,
): IneffectiveReason | null {
  const within = periodIndexesWithin(future, step)
  const places = step.kind === 'amount' && step.each === 'once' ? within.slice(0, 1) : within
  if (places.length === 0) return 'span'
  if (step.kind === 'driver') {
    const driver = drivers.find(({ metric }) => metric === step.metric)
    if (!driver) return 'driver'
    for (const at of places) {
      const value = driver.mean[at]
      if (value !== undefined) shiftTotal(paths, at, value * step.factor - (paths.total.mean[at] ?? 0))
    }
    return null
  }
  const { part: member } = step
  const part =
    member === undefined ? null : paths.parts[parts.findIndex((one) => cellKey(one.member) === cellKey(member))]
  if (part === undefined) return 'part'
  for (const at of places) {
    if (step.kind === 'percent') scalePaths(paths, part, { at, by: 1 + step.by })
    else if (part) shiftPart(paths, part, { at, by: step.value })
    else shiftTotal(paths, at, step.value)
  }
  return null
}

function scalePaths(
  { total, parts }: ScenarioPaths,
  part: ForecastPath | null,
  { at, by }: { at: number; by: number },
): void {
  if (!part) {
    for (const path of [total, ...parts]) scaleAt(path, at, by)
    recomputeTotal({ total, parts }, at)
    return
  }
  const before = FORECAST_LEVELS.map((level) => intervalWidth(parts, at, level))
  scaleAt(part, at, by)
  recomputeTotal({ total, parts }, at)
  // The whole is as much surer or less sure as its parts are together.
  FORECAST_LEVELS.forEach((level, place) => {
    const was = before[place] ?? 0
    if (was > 0) stretchInterval(total, { at, level, by: intervalWidth(parts, at, level) / was })
  })
}

function shiftPart({ total, parts }: ScenarioPaths, part: ForecastPath, { at, by }: { at: number; by: number }): void {
  shiftAt(part, at, by)
  recomputeTotal({ total, parts }, at)
}

/** Shared by size; evenly where all of them are nothing. */
function shiftTotal({ total, parts }: ScenarioPaths, at: number, by: number): void {
  const sizes = parts.map(({ mean }) => Math.abs(mean[at] ?? 0))
  const all = sumOf(sizes)
  parts.forEach((part, place) => shiftAt(part, at, by * (all > 0 ? (sizes[place] ?? 0) / all : 1 / parts.length)))
  if (parts.length > 0) recomputeTotal({ total, parts }, at)
  else shiftAt(total, at, by)
}

/** The whole becomes the sum of its parts, and its bands go along. */
function recomputeTotal({ total, parts }: ScenarioPaths, at: number): void {
  if (parts.length === 0) return
  const mean = sumOf(parts.map((part) => part.mean[at] ?? 0))
  const by = mean - (total.mean[at] ?? 0)
  if (by !== 0) shiftAt(total, at, by)
  total.mean[at] = clampFinite(mean)
}

const intervalWidth = (parts: readonly ForecastPath[], at: number, level: ForecastLevel): number =>
  sumOf(parts.map(({ bands }) => Math.abs((bands[level].upper[at] ?? 0) - (bands[level].lower[at] ?? 0))))

const pathLines = ({ mean, bands }: ForecastPath): number[][] => [
  mean,
  ...FORECAST_LEVELS.flatMap((level) => [bands[level].lower, bands[level].upper]),
]
function shiftAt(path: ForecastPath, at: number, by: number): void {
  for (const line of pathLines(path)) line[at] = clampFinite((line[at] ?? 0) + by)
}
function scaleAt(path: ForecastPath, at: number, by: number): void {
  for (const line of pathLines(path)) line[at] = clampFinite((line[at] ?? 0) * by)
}
/** Both ends of a band that many times as far from the middle. */
function stretchInterval(
  { mean, bands }: ForecastPath,
  { at, level, by }: { at: number; level: ForecastLevel; by: number },
): void {
  const middle = mean[at] ?? 0
  for (const line of [bands[level].lower, bands[level].upper])
    line[at] = clampFinite(middle + ((line[at] ?? 0) - middle) * by)
}

/**
 * The balance after what was changed: the changes add up. Its bands are as much wider or narrower as those of the periods
 * up to there together.
 */
function adjustBalance(
  { past, path }: Pick<NonNullable<ForecastResult['balance']>, 'past' | 'path'>,
  base: ForecastPath,
  total: ForecastPath,
): NonNullable<ScenarioOutcome['balance']> {
  const moved = copyPath(path)
  let change = 0
  path.mean.forEach((_, at) => {
    change += (total.mean[at] ?? 0) - (base.mean[at] ?? 0)
    if (change !== 0) shiftAt(moved, at, change)
  })
  for (const level of FORECAST_LEVELS) {
    let [was, is] = [0, 0]
    path.mean.forEach((_, at) => {
      was += intervalWidth([base], at, level)
      is += intervalWidth([total], at, level)
      if (was > 0 && is !== was) stretchInterval(moved, { at, level, by: is / was })
    })
  }
  return { past, path: moved }
}

const copyPath = (path: ForecastPath): ForecastPath => mapPath(path, (line) => [...line])
