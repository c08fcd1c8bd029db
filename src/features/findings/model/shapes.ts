import type { FindingKind, FoundEffect } from '../../../shared/findings'
import { changeOf, mixIn } from './contributions'
import type { Comparison } from './contributions'
import { drafted, effectBetween, effectOf, noveltyOf, weightOf } from './look'
import type { Look } from './look'
import type { Prepared } from './prepared'
import { meanOf, medianOf, spreadOf } from './robust'
import type { Scan, Sighting } from './scan'
import { isOfYear, isWholeSeason, seasonOf } from './season'
import { bendSentence, changeSentence, levelSentence, mixSentence, outlierSentence } from './sentences'
import { periodOf } from './span'
import type { Window } from './span'
import type { Candidate } from './tested'
import { KEPT_BELOW, PRIOR } from './tested'

/** What is told of the shapes that were seen in one series. */

interface Seen {
  look: Look
  series: Prepared
  scanned: Scan
}

/** Windows of the same length to hold one against: a year earlier where there is one, else just before. */
function comparable({ subject, span }: Look, now: Window): { against: 'year' | 'previous'; windows: Comparison }[] {
  const length = now.to - now.from + 1
  const season = seasonOf(subject.grain)
  const year = { from: now.from - season, to: now.to - season }
  const before = { from: now.from - length, to: now.from - 1 }
  const isYear = isOfYear(subject.grain) && length <= season && year.from >= span.from
  return [
    ...(isYear ? [{ against: 'year' as const, windows: { now, then: year } }] : []),
    ...(before.from >= span.from ? [{ against: 'previous' as const, windows: { now, then: before } }] : []),
  ]
}

type Effect = Pick<FoundEffect, 'effect' | 'contributions' | 'against' | 'comparison'>

/** The effect against the first comparable window that moved the same way as the statistic; else against what was expected. */
function effectIn({ look, series }: Seen, { now, size, level }: { now: Window; size: number; level: number }): Effect {
  for (const { against, windows } of comparable(look, now)) {
    const change = changeOf(look.subject, windows)
    if (!change || Math.sign(Number(change.change)) !== Math.sign(size)) continue
    const found = effectOf(look, windows)
    if (found) return { ...found, against, comparison: periodOf(look.subject, windows.then) }
  }
  const value = level * series.unit
  const effect = effectBetween(look, { value, previous: value - size * series.unit })
  return { effect, contributions: [], against: 'expected', comparison: null }
}

/**
 * Whether the newest bucket also stands apart from the same one a year earlier, asked where there are too few years for
 * each month to have a level of its own: a peak that came last year too is a season.
 */
function isSeasonal({ look, series }: Seen, size: number): boolean {
  const season = seasonOf(look.subject.grain)
  const { at, y } = series
  if (!isOfYear(look.subject.grain) || isWholeSeason(at.length, season)) return false
  const place = new Map(at.map((t, i) => [t, i]))
  const differences = at.flatMap((t, i) => {
    const earlier = place.get(t - season)
    return earlier === undefined ? [] : [(y[i] ?? 0) - (y[earlier] ?? 0)]
  })
  const newest = differences.at(-1)
  const others = differences.slice(0, -1)
  if (newest === undefined || others.length < 5) return false
  const apart = (newest - medianOf(others)) / Math.max(spreadOf(others), series.floor)
  return Math.sign(apart) !== Math.sign(size) || Math.abs(apart) < 1
}

/** Of a ratio's change, this much is told as one of its mix when weights account for it. */
const MIX_MOST = 0.6

/** A move of the ratio told by its mix, where the weights of one dimension account for most of it. */
function asMix(candidate: Candidate, look: Look): Candidate {
  const change = Number(candidate.effect.change)
  const table = candidate.contributions.find((one) => mixIn(one) / change >= MIX_MOST)
  if (!look.subject.under || !table || !candidate.comparison) return candidate
  const { effect, period, comparison } = candidate
  const contributions = [table, ...candidate.contributions.filter((one) => one !== table)]
  const sentence = mixSentence({ look, effect, period, comparison, contributions })
  return { ...candidate, kind: 'mixShift', contributions, sentence }
}

const base = ({ look, series }: Seen, sighting: Sighting, name: 't' | 'z') => ({
  statistic: { name, value: name === 'z' ? sighting.z : sighting.t },
  n: series.at.length,
  p: sighting.p,
  change: sighting.size * series.unit,
  weight: weightOf(look, sighting.size * series.unit),
})

function newest(seen: Seen, sighting: Sighting): Candidate | null {
  const { look, series } = seen
  const to = series.at[sighting.from] ?? 0
  if (isSeasonal(seen, sighting.size)) return null
  const now = { from: to, to }
  const level = series.y[sighting.from] ?? 0
  const found = effectIn(seen, { now, size: sighting.size, level })
  const period = periodOf(look.subject, now)
  const sentence = changeSentence({ look, period, ...found })
  return drafted(look, { ...base(seen, sighting, 't'), kind: 'change', period, ...found, novelty: 1, sentence })
}

function past(seen: Seen, sighting: Sighting): Candidate {
  const { look, series } = seen
  const at = series.at[sighting.from] ?? 0
  const now = { from: at, to: at }
  const found = effectIn(seen, { now, size: sighting.size, level: series.y[sighting.from] ?? 0 })
  const period = periodOf(look.subject, now)
  const age = (series.at.at(-1) ?? 0) - at
  return drafted(look, {
    ...base(seen, sighting, 'z'),
    kind: 'outlier',
    period,
    ...found,
    novelty: 0.8 * noveltyOf(age, Math.max(6, series.at.length / 4)),
    sentence: outlierSentence({ look, period, ...found }),
  })
}

function shift(seen: Seen, sighting: Sighting): Candidate {
  const { look, series } = seen
  const now = { from: series.at[sighting.from] ?? 0, to: series.at.at(-1) ?? 0 }
  const level = meanOf([...series.y.slice(sighting.from)])
  const found = effectIn(seen, { now, size: sighting.size, level })
  const period = periodOf(look.subject, now)
  return drafted(look, {
    ...base(seen, sighting, 't'),
    kind: 'levelShift',
    period,
    ...found,
    novelty: 0.95 * noveltyOf(now.to - now.from - 2, 12),
    sentence: levelSentence({ look, period, ...found }),
  })
}

/** Slope of the fitted run over some points, season left out: the mean of its steps a season apart or one by one. */
function slopeOf({ series, scanned, look }: Seen, points: Window): number {
  const season = seasonOf(look.subject.grain)
  const gap = points.to - points.from >= season ? season : 1
  const steps: number[] = []
  for (let i = points.from + gap; i <= points.to; i += 1) {
    const apart = (series.at[i] ?? 0) - (series.at[i - gap] ?? 0)
    steps.push(((scanned.fitted[i] ?? 0) - (scanned.fitted[i - gap] ?? 0)) / Math.max(1, apart))
  }
  return meanOf(steps)
}

/** A turn is measured by its slopes, and told with what the buckets since are beside comparable ones, and who made that. */
function turn(seen: Seen, sighting: Sighting): Candidate {
  const { look, series } = seen
  const now = { from: series.at[sighting.from] ?? 0, to: series.at.at(-1) ?? 0 }
  const length = now.to - now.from + 1
  const before = slopeOf(seen, { from: 0, to: Math.max(1, sighting.from - 1) }) * series.unit
  const slopes = effectBetween(look, { value: before + sighting.size * series.unit, previous: before })
  const level = meanOf([...series.y.slice(sighting.from)])
  const found = effectIn(seen, { now, size: (sighting.size * (length + 1)) / 2, level })
  const period = periodOf(look.subject, now)
  return drafted(look, {
    ...base(seen, sighting, 't'),
    weight: weightOf(look, sighting.size * length * series.unit),
    kind: 'trendBreak',
    period,
    ...found,
    novelty: 0.9 * noveltyOf(now.to - now.from - 4, 12),
    sentence: bendSentence({ look, period, ...found }, slopes),
  })
}

const TELL: Record<Sighting['shape'], (seen: Seen, sighting: Sighting) => Candidate | null> = {
  newest,
  past,
  step: shift,
  bend: turn,
}
const SHAPE_KIND: Record<Sighting['shape'], FindingKind> = {
  newest: 'change',
  past: 'outlier',
  step: 'levelShift',
  bend: 'trendBreak',
}

/** What the sightings of one series come to. */
export const tellShapes = (seen: Seen): Candidate[] =>
  seen.scanned.sightings
    .filter(({ p }) => p < KEPT_BELOW)
    .flatMap((sighting) => TELL[sighting.shape](seen, sighting) ?? [])
    .map((one) => (one.kind === 'change' || one.kind === 'levelShift' ? asMix(one, seen.look) : one))

/** The tests behind the sightings, by their {@link PRIOR}. */
export const testsOfShapes = ({ sightings }: Scan): number =>
  sightings.reduce((sum, { shape }) => sum + PRIOR[SHAPE_KIND[shape]], 0)
