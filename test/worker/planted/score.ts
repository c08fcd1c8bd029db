import { examine } from '../../../src/features/findings/model/find'
import { judge } from '../../../src/features/findings/model/judge'
import type { FoundEffect } from '../../../src/shared/findings'
import { plantedSet, PLANTS } from './data-set'
import { LAWS } from './scene'
import type { Order, Plant, Planted, Truth } from './data-set'

export const SIZES = [3, 5, 5.5, 7, 10, 15] as const
/**
 * First seeds of data sets: those the engine was worked out with, and those nobody looked at while it was. A look at
 * `heldOut` that leads to a change of the engine uses it up: choose another seed then. Used up so far: 618_033_000 and
 * 271_828_000.
 */
export const FAMILIES = { tuning: 1_000_000, heldOut: 161_803_000 } as const

export interface Counts {
  planted: number
  noise: number
}
/** Sets of pure noise take the laws in turn, the others the plants, sizes and laws. */
export function ordersOf(family: number, { planted, noise }: Counts): Order[] {
  const seedOf = (at: number): number => family + at * 7919
  const lawOf = (turn: number): Order['law'] => LAWS[turn % LAWS.length] ?? 'normal'
  return [
    ...Array.from({ length: noise }, (_, at): Order => ({ seed: seedOf(at), plant: null, size: 0, law: lawOf(at) })),
    ...Array.from({ length: planted }, (_, turn): Order => ({
      seed: seedOf(noise + turn),
      plant: PLANTS[turn % PLANTS.length] ?? 'spike',
      size: SIZES[Math.floor(turn / PLANTS.length) % SIZES.length] ?? 5,
      law: lawOf(Math.floor(turn / PLANTS.length / SIZES.length)),
    })),
  ]
}

export interface Outcome {
  truth: Truth
  found: boolean
  /** Of a driver: its member leads the first table of contributions. */
  isFirst: boolean
  /** Findings that nothing was planted for. */
  others: FoundEffect[]
  all: FoundEffect[]
  tookMs: number
}

const indexOf = ({ subject }: Planted, day: string): number => subject.buckets.indexOf(day)
const NAMED: Record<Plant, readonly FoundEffect['kind'][]> = {
  levelShift: ['levelShift'],
  spike: ['outlier', 'change'],
  driver: ['change'],
  lostMember: ['lostMember'],
  trendBreak: ['trendBreak'],
  mixShift: ['mixShift'],
}
/** How far from its bucket a finding may put an effect. */
const slackOf = ({ plant }: Truth, n: number): number =>
  plant === 'trendBreak' ? Math.ceil(n / 4) : plant === 'levelShift' || plant === 'mixShift' ? 3 : 0

function isIt(set: Planted, one: FoundEffect): boolean {
  const { truth } = set
  if (!truth.plant || !NAMED[truth.plant].includes(one.kind)) return false
  const apart = Math.abs(indexOf(set, one.period.from) - truth.at)
  if (apart > slackOf(truth, set.subject.buckets.length)) return false
  if (truth.plant === 'lostMember')
    return one.member?.value === truth.member && one.member?.dimension === truth.dimension
  return one.member === null && Math.sign(Number(one.effect.change)) === truth.sign
}

export function outcomeOf(order: Order, now: () => number): Outcome {
  const set = plantedSet(order)
  const { truth } = set
  const start = now()
  const all = judge([examine(set.subject)])
  const tookMs = now() - start
  const hit = all.find((one) => isIt(set, one))
  const table = hit?.contributions[0]
  const isFirst = table?.dimension === truth.dimension && table.lines[0]?.member === truth.member
  const others = all.filter((one) => one !== hit && !(one.kind === 'season' && truth.isSeasonal))
  return { truth, found: hit !== undefined, isFirst, others, all, tookMs }
}

export const ofPlant = (all: readonly Outcome[], plant: Plant): Outcome[] =>
  all.filter(({ truth }) => truth.plant === plant)
export const pureNoise = (all: readonly Outcome[]): Outcome[] => all.filter(({ truth }) => truth.plant === null)
export const plantedFrom = (all: readonly Outcome[], size: number): Outcome[] =>
  all.filter(({ truth }) => truth.plant !== null && truth.size >= size)
