import { examine } from '../../../src/features/findings/model/find'
import { judge } from '../../../src/features/findings/model/judge'
import type { FoundEffect } from '../../../src/shared/findings'
import { plantedSet, PLANTS } from './data-set'
import { LAWS } from './scene'
import type { Order, Plant, Planted, Truth } from './data-set'

export const SIZES = [3, 5, 7, 10, 15] as const
/** Data sets whose seeds a version of the engine was worked out with, and others it never saw. */
export const FAMILIES = { known: 1_000_000, fresh: 77_000_000 } as const

/** What is asked for: one in `noiseEvery` sets is pure noise, the others take the plants, sizes and laws in turn. */
export function ordersOf(family: number, sets: number): Order[] {
  let planted = 0
  return Array.from({ length: sets }, (_, at): Order => {
    const seed = family + at * 7919
    if (at % 5 < 2) return { seed, plant: null, size: 0, law: LAWS[(at >> 1) % LAWS.length] ?? 'normal' }
    const turn = planted
    planted += 1
    return {
      seed,
      plant: PLANTS[turn % PLANTS.length] ?? 'spike',
      size: SIZES[Math.floor(turn / PLANTS.length) % SIZES.length] ?? 5,
      law: LAWS[Math.floor(turn / PLANTS.length / SIZES.length) % LAWS.length] ?? 'normal',
    }
  })
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

export const shareOf = (all: readonly Outcome[], is: (one: Outcome) => boolean): number =>
  all.length === 0 ? Number.NaN : all.filter(is).length / all.length
export const ofPlant = (all: readonly Outcome[], plant: Plant): Outcome[] =>
  all.filter(({ truth }) => truth.plant === plant)
export const pureNoise = (all: readonly Outcome[]): Outcome[] => all.filter(({ truth }) => truth.plant === null)
export const plantedFrom = (all: readonly Outcome[], size: number): Outcome[] =>
  all.filter(({ truth }) => truth.plant !== null && truth.size >= size)
