import { dot, meanOf, reduceToResidual, sumsOfSquares, digamma, trigamma, type ColumnVector } from './statistics'
import { toFiniteNumber } from './decimals'
import type { RegressionDesign } from './regression-design'
import { INDEPENDENT_PARTS_MAX, type EvidenceQuery, type SiblingEvidence } from './siblings'
import type { SubjectMember } from './subject'

/**
 * Other members of a member's dimension: how much they vary, each beside its own size, says how much it may vary. A short history
 * tells the size of one error badly; many of them together tell it well (moderated variances, Smyth 2004; with a trend by
 * size, Law and others 2014).
 */
export interface Peers {
  parts: readonly PeerPart[]
}
interface PeerPart {
  of: SubjectMember
  /** Logarithm of its usual size. */
  size: number
  /** What level, trend and season leave of it beside that size, by model; and the sum of squares of that. */
  rests: ColumnVector[]
  squares: number[]
}
/** A member among its peers. */
export interface PeerView {
  peers: Peers
  own: SubjectMember
  /** What figures of the series that is tested were divided by. */
  unit: number
}

const PEERS_MAX = 24
/** Fewer say nothing of how much members differ in what they vary by; from so many on it is asked whether large ones vary less. */
const PEERS_MIN = 4
const TREND_PEERS_MIN = 8
/** Relative variances fall with size at most as those of sums of like rows do, and do not rise. */
const SLOPE = { least: -1, most: 0 }
/** How surely they tell a variance at most, as degrees of freedom. */
const PEER_DF_MAX = 40
/** Beforehand, the logarithms of members' relative variances are apart by so much, as surely as so many members say. */
const SPREAD_BEFORE = { variance: 1, members: 2 }

const sizeOf = ({ series }: SubjectMember, at: readonly number[]): number =>
  meanOf(at.map((t) => Math.abs(toFiniteNumber(series.value[t] ?? null) ?? 0)))

const kept = new WeakMap<readonly SubjectMember[], WeakMap<RegressionDesign, Peers>>()

/** The largest of these members, as they are beside trend and season. */
export function peersOf(design: RegressionDesign, members: readonly SubjectMember[]): Peers {
  const ofMembers = kept.get(members) ?? new WeakMap<RegressionDesign, Peers>()
  kept.set(members, ofMembers)
  const known = ofMembers.get(design)
  if (known) return known
  const parts = members
    .map((of) => ({ of, size: sizeOf(of, design.at) }))
    .filter(({ size }) => size > 0)
    .toSorted((a, b) => b.size - a.size)
    .slice(0, PEERS_MAX)
    .map(({ of, size }): PeerPart => {
      const column = Float64Array.from(design.at, (t) => (toFiniteNumber(of.series.value[t] ?? null) ?? 0) / size)
      const rests = design.models.map(({ white, basis }) => reduceToResidual(basis, white.apply(column)))
      return { of, size: Math.log(size), rests, squares: sumsOfSquares(rests) }
    })
  const made = { parts }
  ofMembers.set(design, made)
  return made
}

interface LogVariances {
  /** Logarithm of the relative variance to be expected at a size. */
  expected: number
  /** How far members are apart in it beyond that their histories are short. */
  spread: number
}

/** Logarithms of the members' variances by their sizes, as a line where there are enough of them. */
function logVariances(points: readonly { size: number; log: number }[], at: number, free: number): LogVariances {
  const [size, log] = [meanOf(points.map((one) => one.size)), meanOf(points.map((one) => one.log))]
  const across = points.reduce((sum, one) => sum + (one.size - size) ** 2, 0)
  const along = points.reduce((sum, one) => sum + (one.size - size) * (one.log - log), 0)
  const isLine = points.length >= TREND_PEERS_MIN && across > 0
  const slope = isLine ? Math.min(SLOPE.most, Math.max(SLOPE.least, along / across)) : 0
  const left = points.reduce((sum, one) => sum + (one.log - log - slope * (one.size - size)) ** 2, 0)
  const n = points.length
  const { variance, members } = SPREAD_BEFORE
  const sampling = trigamma(free / 2)
  const all = (left + members * (variance + sampling)) / (n - 1 + members)
  return {
    // A variance of few degrees of freedom is told too low by its logarithm.
    expected: log + slope * (at - size) - (digamma(free / 2) - Math.log(free / 2)),
    spread: Math.max(0, all - sampling) + all / n,
  }
}

/** What the others say of a member's errors once a candidate is taken out of each. */
export function peerEvidenceOf(
  { peers, own, unit }: PeerView,
  design: RegressionDesign,
  { one, df }: EvidenceQuery,
): SiblingEvidence | null {
  const size = sizeOf(own, design.at)
  const others = peers.parts.filter(({ of }) => of !== own)
  if (others.length < PEERS_MIN || df < 3 || !(size > 0)) return null
  const told = Math.min(1, INDEPENDENT_PARTS_MAX / others.length)
  const each = design.models.map(({ base, white }, model) => {
    const lefts = others.map(({ rests, squares, size: log }) => {
      const rest = rests[model]
      const along = one && rest ? dot(rest, one.units[model] ?? rest) : 0
      return { size: log, log: Math.log(Math.max((squares[model] ?? 0) - along * along, 1e-12) / df) }
    })
    const { expected, spread } = logVariances(lefts, Math.log(size), df)
    // The inverse of trigamma, near enough.
    const sure = Math.min(PEER_DF_MAX, 2 / spread + 1)
    const prior = Math.log(white.prior)
    const log = lefts.reduce((sum, { log: own_ }) => sum + base - prior - (df / 2) * own_, 0)
    return {
      variance: Math.exp(expected + digamma(sure / 2) - Math.log(sure / 2)) * (size / unit) ** 2,
      df: sure,
      log: prior + told * log,
    }
  })
  const most = Math.max(...each.map(({ log }) => log))
  const all = Math.log(each.reduce((sum, { log }) => sum + Math.exp(log - most), 0)) + most
  return {
    variance: each.map(({ variance }) => variance),
    df: each.map(({ df: sure }) => sure),
    logs: each.map(({ log }) => log - all),
    multiples: [1],
  }
}
