import { tailOfT } from './distributions'
import { drafted, effectBetween } from './look'
import type { Look } from './look'
import type { Prepared } from './prepared'
import { basisOf, dot } from './regression'
import { scan } from './scan'
import { seasonColumns, seasonOf } from './season'
import { targetSentence } from './sentences'
import { periodOf } from './span'
import type { SubjectTarget } from './subject'
import { KEPT_BELOW, PRIOR } from './tested'
import type { Candidate } from './tested'
import { PACE_SLACK } from '../../../shared/target-pace'

/** Where a figure is heading, and how sure that is. */
export interface Heading {
  value: number
  /** Standard error of `value`, what is not known of trend and season included; 0 when nothing is open. */
  error: number
  df: number
}

/**
 * Level, trend and season of the past carried on over the buckets that are still to come (ordinary least squares with its
 * prediction error: σ²·(m + x'(X'X)⁻¹x) for the sum x of the m coming rows), beside those that are over. Of a figure whose
 * buckets do not add up, the mean of all of them.
 */
export function headingOf(look: Look, series: Prepared, target: SubjectTarget): Heading {
  const { at, y, unit } = series
  const newest = at.at(-1) ?? 0
  const end = target.first + target.length - 1
  const inside = at.flatMap((t, i) => (t >= target.first && t <= end ? [(y[i] ?? 0) * unit] : []))
  const done = inside.reduce((sum, value) => sum + value, 0)
  const coming = Array.from({ length: Math.max(0, end - Math.max(newest, target.first - 1)) }, (_, k) => end - k)
  const by = target.way === 'level' ? Math.max(1, inside.length + coming.length) : 1
  if (coming.length === 0) return { value: done / by, error: 0, df: at.length }
  const season = seasonOf(look.subject.grain)
  const places = [...at, ...coming]
  const middle = at[at.length >> 1] ?? 0
  const columns = (of: readonly number[]): Float64Array[] => [
    Float64Array.from(of, () => 1),
    Float64Array.from(of, (t) => t - middle),
  ]
  const waves = seasonColumns(at, season)
  const both = seasonColumnsLike(places, { season, known: at.length, columns: waves.length })
  const { fitted, spread, df } = carried([...columns(places), ...both], { y, known: at.length })
  const { sigma } = scan(look.frames.of(series), { y, floor: series.floor })
  return {
    value: (done + fitted * unit) / by,
    error: (sigma * unit * Math.sqrt(coming.length + spread)) / by,
    df,
  }
}

/** The season's columns of known places, carried on to others: whichever kind the known ones have. */
function seasonColumnsLike(
  places: readonly number[],
  { season, known, columns }: { season: number; known: number; columns: number },
): Float64Array[] {
  if (season <= 1 || columns === 0) return []
  if (columns === season - 1 && known >= 2.5 * season)
    return Array.from({ length: season - 1 }, (_, place) =>
      Float64Array.from(places, (t) => (t % season === place + 1 ? 1 : 0)),
    )
  return Array.from({ length: columns / 2 }, (_, k) => (2 * Math.PI * (k + 1)) / season).flatMap((turn) => [
    Float64Array.from(places, (t) => Math.sin(turn * t)),
    Float64Array.from(places, (t) => Math.cos(turn * t)),
  ])
}

/** Sum of the fit over the rows past `known`, and x'(X'X)⁻¹x of their sum, by columns made orthonormal over the known. */
function carried(columns: readonly Float64Array[], { y, known }: { y: Float64Array; known: number }) {
  const head = (column: Float64Array): Float64Array => column.slice(0, known)
  const units: Float64Array[] = []
  for (const column of columns) {
    let rest = Float64Array.from(column)
    for (const unit of units) {
      const along = dot(head(unit), head(rest))
      rest = rest.map((value, i) => value - along * (unit[i] ?? 0))
    }
    const size = Math.sqrt(dot(head(rest), head(rest)))
    if (size > 1e-7) units.push(rest.map((value) => value / size))
  }
  const ahead = units.map((unit) => unit.slice(known).reduce((sum, value) => sum + value, 0))
  const fitted = units.reduce((sum, unit, k) => sum + dot(head(unit), y) * (ahead[k] ?? 0), 0)
  const spread = ahead.reduce((sum, value) => sum + value * value, 0)
  return { fitted, spread, df: known - basisOf(columns.map(head)).length }
}

/**
 * Whether the target is likely to be missed by more than a little: above it for figures that are better low, else below
 * it. What lies at its target within the slack of a pace is not told, however sure it is.
 */
export function targetRiskOf(look: Look, series: Prepared): { tests: number; candidates: Candidate[] } {
  const { subject } = look
  const { target } = subject
  if (!target || target.first > (series.at.at(-1) ?? 0) + 1) return { tests: 0, candidates: [] }
  const heading = headingOf(look, series, target)
  const short = (heading.value - target.amount) * (subject.direction === 'down' ? -1 : 1)
  const apart = Math.abs(short / target.amount)
  if (short >= 0 || !Number.isFinite(apart) || apart <= PACE_SLACK) return { tests: PRIOR.targetRisk, candidates: [] }
  const t = heading.error > 0 ? short / heading.error : -Infinity
  const p = tailOfT(t, heading.df) / 2
  if (p >= KEPT_BELOW) return { tests: PRIOR.targetRisk, candidates: [] }
  const end = Math.min(target.first + target.length, subject.buckets.length) - 1
  const period = periodOf(subject, { from: Math.max(0, Math.min(target.first, end)), to: end })
  const effect = effectBetween(look, { value: heading.value, previous: target.amount })
  const candidate = drafted(look, {
    kind: 'targetRisk',
    period,
    against: 'target',
    comparison: null,
    effect,
    contributions: [],
    statistic: { name: 't', value: Number.isFinite(t) ? t : -40 },
    n: series.at.length,
    p,
    change: heading.value - target.amount,
    weight: apart / (apart + 0.1),
    novelty: 1,
    sentence: targetSentence({ look, effect, period, comparison: null, contributions: [] }, target.period),
  })
  return { tests: PRIOR.targetRisk, candidates: [candidate] }
}
