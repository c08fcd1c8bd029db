import { findInfluencers, type Factor, type Influencer } from '../../../src/features/findings/model/influencers'
import { binomial, randomFrom, randomShares, range, type RandomSource, type SceneKind } from './simulation'

/** Rows with an outcome that one value, one range or one pair of values goes with; or none. */

export const INFLUENCES = ['value', 'range', 'pair'] as const
export type Influence = (typeof INFLUENCES)[number]
export interface InfluenceOrder {
  seed: number
  plant: Influence | null
  /** In standard errors of the difference of two shares of so many rows. */
  size: number
  scenes: SceneKind
}
export interface InfluenceOutcome {
  order: InfluenceOrder
  found: boolean
  all: Influencer[]
}

interface Cube {
  a: number
  b: number
  steps: number
  buckets: number
  /** Rows of each combination, by its place. */
  rows: number[]
  place: (at: { a: number; b: number; step: number; bucket: number }) => number
}

type Span = readonly [from: number, to: number]
interface CubeRanges {
  a: Span
  b: Span
  steps: Span
  buckets: Span
  /** How unequal shares are at most, how frequent the outcome is, and how far buckets differ from one another. */
  steepest: number
  base: Span
  drift: number
}
const CUBES: Record<SceneKind, CubeRanges> = {
  usual: { a: [2, 5], b: [3, 8], steps: [5, 12], buckets: [12, 36], steepest: 1.2, base: [0.08, 0.3], drift: 0.3 },
  wide: { a: [2, 8], b: [2, 14], steps: [4, 20], buckets: [8, 60], steepest: 2.2, base: [0.05, 0.45], drift: 0.8 },
}

function cubeOf(random: RandomSource, ranges: CubeRanges): Cube {
  const whole = (span: Span): number => random.whole(...span)
  const [a, b, steps, buckets] = [whole(ranges.a), whole(ranges.b), whole(ranges.steps), whole(ranges.buckets)]
  const shares = [a, b, steps].map((count) => randomShares(random, count, ranges.steepest))
  const mean = random.between(1500, 9000)
  const place: Cube['place'] = (at) => ((at.bucket * a + at.a) * b + at.b) * steps + at.step
  const rows = range(a * b * steps * buckets).map(() => 0)
  const cube = { a, b, steps, buckets, rows, place }
  each(cube, (at, own) => {
    const share = (shares[0]?.[at.a] ?? 0) * (shares[1]?.[at.b] ?? 0) * (shares[2]?.[at.step] ?? 0)
    rows[own] = random.poisson((mean * share) / buckets)
  })
  return cube
}

type Place = Parameters<Cube['place']>[0]
function each({ a, b, steps, buckets, place }: Cube, visit: (at: Place, own: number) => void): void {
  for (let bucket = 0; bucket < buckets; bucket += 1)
    for (let i = 0; i < a; i += 1)
      for (let j = 0; j < b; j += 1)
        for (let step = 0; step < steps; step += 1) {
          const at = { a: i, b: j, step, bucket }
          visit(at, place(at))
        }
}

const isPlanted = ({ plant }: InfluenceOrder, { steps }: Cube, at: Place): boolean =>
  plant === 'value'
    ? at.a === 1
    : plant === 'range'
      ? at.step >= Math.floor(steps / 2)
      : plant === 'pair' && at.a === 1 && at.b === 1

/** The rows that what is planted is held against: of a pair, the smaller rest of its two values. */
function contrastRows(cube: Cube, order: InfluenceOrder): { own: number; other: number } {
  let [own, rest, byA, byB] = [0, 0, 0, 0]
  each(cube, (at, place) => {
    const rows = cube.rows[place] ?? 0
    if (isPlanted(order, cube, at)) own += rows
    else {
      rest += rows
      if (at.a === 1) byA += rows
      if (at.b === 1) byB += rows
    }
  })
  return { own, other: order.plant === 'pair' ? Math.min(byA, byB) : rest }
}

/** A part of all rows that is told of at all; of scenes like the usual ones hardly any is smaller. */
const SHARE_LEAST = 0.012
const DRAWS_MAX = 100

/** With so many rows in what is planted that it may be told. */
function fitCubeOf(random: RandomSource, order: InfluenceOrder): Cube {
  const ranges = CUBES[order.scenes]
  let cube = cubeOf(random, ranges)
  const isFit = (): boolean =>
    contrastRows(cube, order).own >= SHARE_LEAST * cube.rows.reduce((sum, rows) => sum + rows, 0)
  for (let draw = 1; order.plant && order.scenes === 'wide' && draw < DRAWS_MAX && !isFit(); draw += 1)
    cube = cubeOf(random, ranges)
  return cube
}

function factorOf(
  cube: Cube,
  hits: readonly number[],
  of: { kind: Factor['kind']; keys: string[]; values: (at: Place) => (string | number)[] },
): Factor {
  const cells = new Map<string, { values: (string | number)[]; rows: number[]; hits: number[] }>()
  each(cube, (at, place) => {
    const values = of.values(at)
    const name = values.join()
    const cell = cells.get(name) ?? {
      values,
      rows: range(cube.buckets).map(() => 0),
      hits: range(cube.buckets).map(() => 0),
    }
    cells.set(name, cell)
    cell.rows[at.bucket] = (cell.rows[at.bucket] ?? 0) + (cube.rows[place] ?? 0)
    cell.hits[at.bucket] = (cell.hits[at.bucket] ?? 0) + (hits[place] ?? 0)
  })
  return { kind: of.kind, keys: of.keys, cells: [...cells.values()] }
}

export function influenceOutcome(order: InfluenceOrder): InfluenceOutcome {
  const random = randomFrom(order.seed)
  const cube = fitCubeOf(random, order)
  const { base: rates, drift: apartness } = CUBES[order.scenes]
  const base = random.between(...rates)
  const { own, other } = contrastRows(cube, order)
  const apart = order.plant
    ? order.size * Math.sqrt(base * (1 - base) * (1 / Math.max(1, own) + 1 / Math.max(1, other)))
    : 0
  // Buckets differ from one another, all rows of them alike.
  const drift = range(cube.buckets).map(() => 1 + apartness * (random.unit() - 0.5))
  const hits = cube.rows.map(() => 0)
  each(cube, (at, place) => {
    const chance = base * (drift[at.bucket] ?? 1) + (isPlanted(order, cube, at) ? apart : 0)
    hits[place] = binomial(random, { trials: cube.rows[place] ?? 0, chance: Math.min(0.98, chance) })
  })
  const all = findInfluencers([
    factorOf(cube, hits, { kind: 'value', keys: ['a'], values: ({ a }) => [`a${a}`] }),
    factorOf(cube, hits, { kind: 'value', keys: ['b'], values: ({ b }) => [`b${b}`] }),
    factorOf(cube, hits, { kind: 'range', keys: ['d'], values: ({ step }) => [step / 10] }),
    factorOf(cube, hits, { kind: 'pair', keys: ['a', 'b'], values: ({ a, b }) => [`a${a}`, `b${b}`] }),
  ])
  const isHit = ({ segment, rate, rest }: Influencer): boolean =>
    rate > rest &&
    ((order.plant === 'value' && segment.kind === 'value' && segment.values[0] === 'a1') ||
      (order.plant === 'range' && segment.kind === 'range') ||
      (order.plant === 'pair' && segment.values.join() === 'a1,b1'))
  return { order, found: all.some(isHit), all }
}

const SIZES = [5, 5.5, 7, 10] as const
export function influenceOrders(
  family: number,
  { planted, noise }: { planted: number; noise: number },
  scenes: SceneKind = 'usual',
): InfluenceOrder[] {
  return [
    ...range(noise).map((at): InfluenceOrder => ({ seed: family + at * 4001, plant: null, size: 0, scenes })),
    ...range(planted).map((turn): InfluenceOrder => ({
      seed: family + (noise + turn) * 4001,
      plant: INFLUENCES[turn % INFLUENCES.length] ?? 'value',
      size: SIZES[Math.floor(turn / INFLUENCES.length) % SIZES.length] ?? 5,
      scenes,
    })),
  ]
}
