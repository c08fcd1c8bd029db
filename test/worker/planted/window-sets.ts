import type { DetectedFinding } from '../../../src/shared/findings'
import type { AnalysisSubject, SubjectMember } from '../../../src/features/findings/model/subject'
import { analyzeSubject } from '../../../src/features/findings/model/analyze-subject'
import { selectFindings } from '../../../src/features/findings/model/select-findings'
import { simulatedStandardError } from './data-set'
import {
  bucketsOf,
  randomFrom,
  randomShares,
  range,
  seriesOf,
  whiteErrors,
  type NoiseLaw,
  type RandomSource,
  type SceneKind,
} from './simulation'

/** Members that move a whole, that lose their sign, and own ratios that move; and members that only move together. */

export const WINDOW_EFFECTS = ['contribution', 'turned', 'ownRatio'] as const
export type WindowEffect = (typeof WINDOW_EFFECTS)[number]
export interface WindowOrder {
  seed: number
  plant: WindowEffect | null
  /** In true standard errors of the member's step over its newest buckets. */
  size: number
  scenes: SceneKind
}
export interface WindowOutcome {
  order: WindowOrder
  found: boolean
  others: DetectedFinding[]
}

interface SceneRanges {
  laws: readonly [NoiseLaw | 'skewed', ...(NoiseLaw | 'skewed')[]]
  /** How many members a sum has, and a ratio. */
  counts: readonly [number, ...number[]]
  ratioCounts: readonly [number, ...number[]]
  /** How unequal they are at most. */
  steepest: number
}
const SCENES: Record<SceneKind, SceneRanges> = {
  usual: {
    laws: ['normal', 'heavy', 'autocorrelated'],
    counts: [3, 4, 6, 12, 25],
    ratioCounts: [3, 5, 8],
    steepest: 1.2,
  },
  wide: {
    laws: ['normal', 'heavy', 'skewed', 'autocorrelated'],
    counts: [2, 3, 8, 18, 40],
    ratioCounts: [2, 4, 12],
    steepest: 2.2,
  },
}
const SEASON = 12

interface Scene {
  random: RandomSource
  n: number
  /** Expected figure and one draw of errors of each member. */
  levels: number[][]
  draw: (member: number) => number[]
}

/** Members with errors of their own and some that all share, about a level that may be near nothing. */
function sceneOf(random: RandomSource, count: number, { laws, steepest }: SceneRanges): Scene {
  const n = random.whole(24, 48)
  const law = random.pick(laws)
  const phi = random.between(0.1, 0.5)
  const together = random.between(0, 0.6)
  const [height, turn, slope] = [random.between(0, 0.25), random.between(0, 6.28), random.between(-0.25, 0.25)]
  const scale = 1000 * Math.exp(random.between(0, 5))
  const spread = random.between(0.05, 0.4)
  const shares = randomShares(random, count, steepest)
  const shared = whiteErrors(random, { n, law, phi })
  const levels = shares.map((share) =>
    range(n).map((t) => scale * share * (1 + (slope * t) / n + height * Math.sin((2 * Math.PI * t) / SEASON + turn))),
  )
  const draw = (member: number): number[] => {
    const size = scale * (shares[member] ?? 0) * spread
    return whiteErrors(random, { n, law, phi }).map(
      (error, t) => size * (Math.sqrt(1 - together * together) * error + together * (shared[t] ?? 0)),
    )
  }
  return { random, n, levels, draw }
}

const sumOf = (rows: readonly number[][], n: number): number[] =>
  range(n).map((t) => rows.reduce((sum, row) => sum + (row[t] ?? 0), 0))

function subjectOf(
  { random, n }: Scene,
  of: { seed: number; values: number[][]; under?: number[][] },
): AnalysisSubject {
  const { values, under } = of
  const members = values.map((value, i): SubjectMember => ({
    member: `m${i}`,
    series: seriesOf(random, value, 300),
    ...(under ? { under: seriesOf(random, under[i] ?? [], 300) } : {}),
  }))
  return {
    ...{ key: `w${of.seed}`, label: 'Profit', grain: 'month', buckets: bucketsOf(n, SEASON), additive: true },
    total: seriesOf(random, sumOf(values, n), 300 * values.length),
    ...(under ? { under: seriesOf(random, sumOf(under, n), 300 * values.length) } : {}),
    ...{ dimensions: [{ key: 'd', label: 'Group', members }], direction: 'up' },
  }
}

interface Planted {
  subject: AnalysisSubject
  sign: number
}

/** A member steps over its newest three months; one that turns steps from as far above nothing to as far below. */
function plantedSum(order: WindowOrder, random: RandomSource): Planted {
  const ranges = SCENES[order.scenes]
  const scene = sceneOf(random, random.pick(ranges.counts), ranges)
  const { n, levels, draw } = scene
  const shape = range(n).map((t) => (t >= n - 3 ? 1 : 0))
  const error = order.plant ? simulatedStandardError(shape, { season: SEASON, draw: () => draw(0) }) : 0
  const isTurned = order.plant === 'turned'
  const sign = isTurned || random.unit() < 0.5 ? -1 : 1
  const usual = (levels[0] ?? []).reduce((sum, value) => sum + value, 0) / n
  const values = levels.map((level, i) => {
    const errors = draw(i)
    const scale = isTurned && i === 0 ? (order.size * error) / 2 / usual : 1
    return level.map(
      (value, t) => value * scale + (errors[t] ?? 0) + (i === 0 ? sign * order.size * error * (shape[t] ?? 0) : 0),
    )
  })
  return { subject: subjectOf(scene, { seed: order.seed, values }), sign }
}

/** A member's own ratio steps while weights stay as they are. */
function plantedRatio(order: WindowOrder, random: RandomSource): Planted {
  const ranges = SCENES[order.scenes]
  const scene = sceneOf(random, random.pick(ranges.ratioCounts), ranges)
  const { n, levels, draw } = scene
  const under = levels.map((level, i) => draw(i).map((error, t) => Math.max(1, (level[t] ?? 0) + error / 4)))
  const noise = random.between(0.005, 0.02)
  const drawRate = (): number[] => range(n).map(() => noise * random.normal())
  const shape = range(n).map((t) => (t >= n - 3 ? 1 : 0))
  const error = simulatedStandardError(shape, { season: SEASON, draw: drawRate })
  const sign = random.unit() < 0.5 ? -1 : 1
  const values = under.map((row, i) => {
    const rates = drawRate()
    return row.map(
      (weight, t) => weight * (0.3 + (rates[t] ?? 0) + (i === 0 ? sign * order.size * error * (shape[t] ?? 0) : 0)),
    )
  })
  return { subject: subjectOf(scene, { seed: order.seed, values, under }), sign }
}

/** Told of the member by itself, or as what accounts for most of a change of the whole. */
function tellsOf(one: DetectedFinding, { plant }: WindowOrder, sign: number): boolean {
  if (Math.sign(Number(one.effect.change)) !== sign) return false
  if (one.member) return one.member.value === 'm0' && (plant !== 'turned' || one.kind === 'turned')
  return plant !== 'turned' && one.contributions[0]?.lines[0]?.member === 'm0'
}

export function windowOutcome(order: WindowOrder): WindowOutcome {
  const random = randomFrom(order.seed)
  const { subject, sign } = order.plant === 'ownRatio' ? plantedRatio(order, random) : plantedSum(order, random)
  const all = selectFindings([analyzeSubject(subject)])
  const told = all.filter((one) => tellsOf(one, order, sign))
  return { order, found: told.length > 0, others: all.filter(({ kind }) => kind !== 'season') }
}

const SIZES = [5, 5.5, 7, 10] as const
export function windowOrders(
  family: number,
  { planted, noise }: { planted: number; noise: number },
  scenes: SceneKind = 'usual',
): WindowOrder[] {
  return [
    ...range(noise).map((at): WindowOrder => ({ seed: family + at * 6007, plant: null, size: 0, scenes })),
    ...range(planted).map((turn): WindowOrder => ({
      seed: family + (noise + turn) * 6007,
      plant: WINDOW_EFFECTS[turn % WINDOW_EFFECTS.length] ?? 'turned',
      size: SIZES[Math.floor(turn / WINDOW_EFFECTS.length) % SIZES.length] ?? 5,
      scenes,
    })),
  ]
}
