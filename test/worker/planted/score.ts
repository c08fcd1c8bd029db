import { analyzeSubject } from '../../../src/features/findings/model/find'
import { selectFindings } from '../../../src/features/findings/model/judge'
import type { DetectedFinding } from '../../../src/shared/findings'
import { generateDataSet, PLANTED_EFFECTS } from './data-set'
import { NOISE_LAWS } from './scene'
import type { DataSetOrder, PlantedEffect, PlantedDataSet, PlantedTruth } from './data-set'

export const SIZES = [3, 5, 5.5, 7, 10, 15] as const
/**
 * First seeds of data sets: those the engine was worked out with, and those nobody looked at while it was. A look at
 * `heldOut` that leads to a change of the engine uses it up: choose another seed then. Used up so far: 618_033_000 and
 * 271_828_000.
 */
export const FAMILIES = { tuning: 1_000_000, heldOut: 161_803_000 } as const

export interface DataSetCounts {
  planted: number
  noise: number
}
/** Sets of pure noise take the laws in turn, the others the plants, sizes and laws. */
export function dataSetOrders(family: number, { planted, noise }: DataSetCounts): DataSetOrder[] {
  const seedOf = (at: number): number => family + at * 7919
  const lawOf = (turn: number): DataSetOrder['law'] => NOISE_LAWS[turn % NOISE_LAWS.length] ?? 'normal'
  return [
    ...Array.from({ length: noise }, (_, at): DataSetOrder => ({
      seed: seedOf(at),
      plant: null,
      size: 0,
      law: lawOf(at),
    })),
    ...Array.from({ length: planted }, (_, turn): DataSetOrder => ({
      seed: seedOf(noise + turn),
      plant: PLANTED_EFFECTS[turn % PLANTED_EFFECTS.length] ?? 'spike',
      size: SIZES[Math.floor(turn / PLANTED_EFFECTS.length) % SIZES.length] ?? 5,
      law: lawOf(Math.floor(turn / PLANTED_EFFECTS.length / SIZES.length)),
    })),
  ]
}

export interface DetectionOutcome {
  truth: PlantedTruth
  found: boolean
  /** Of a driver: its member leads the first table of contributions. */
  isFirst: boolean
  /** Findings that nothing was planted for. */
  others: DetectedFinding[]
  all: DetectedFinding[]
  tookMs: number
}

const indexOf = ({ subject }: PlantedDataSet, day: string): number => subject.buckets.indexOf(day)
const NAMED: Record<PlantedEffect, readonly DetectedFinding['kind'][]> = {
  levelShift: ['levelShift'],
  spike: ['outlier', 'change'],
  driver: ['change'],
  lostMember: ['lostMember'],
  trendBreak: ['trendBreak'],
  mixShift: ['mixShift'],
}
/** How far from its bucket a finding may put an effect. */
const bucketTolerance = ({ plant }: PlantedTruth, n: number): number =>
  plant === 'trendBreak' ? Math.ceil(n / 4) : plant === 'levelShift' || plant === 'mixShift' ? 3 : 0

function isPlantedEffect(set: PlantedDataSet, one: DetectedFinding): boolean {
  const { truth } = set
  if (!truth.plant || !NAMED[truth.plant].includes(one.kind)) return false
  const apart = Math.abs(indexOf(set, one.period.from) - truth.at)
  if (apart > bucketTolerance(truth, set.subject.buckets.length)) return false
  if (truth.plant === 'lostMember')
    return one.member?.value === truth.member && one.member?.dimension === truth.dimension
  return one.member === null && Math.sign(Number(one.effect.change)) === truth.sign
}

export function outcomeOf(dataSetOrder: DataSetOrder, now: () => number): DetectionOutcome {
  const set = generateDataSet(dataSetOrder)
  const { truth } = set
  const start = now()
  const all = selectFindings([analyzeSubject(set.subject)])
  const tookMs = now() - start
  const hit = all.find((one) => isPlantedEffect(set, one))
  const table = hit?.contributions[0]
  const isFirst = table?.dimension === truth.dimension && table.lines[0]?.member === truth.member
  const others = all.filter((one) => one !== hit && !(one.kind === 'season' && truth.isSeasonal))
  return { truth, found: hit !== undefined, isFirst, others, all, tookMs }
}

export const withEffect = (all: readonly DetectionOutcome[], plantedEffect: PlantedEffect): DetectionOutcome[] =>
  all.filter(({ truth }) => truth.plant === plantedEffect)
export const pureNoise = (all: readonly DetectionOutcome[]): DetectionOutcome[] =>
  all.filter(({ truth }) => truth.plant === null)
export const plantedFrom = (all: readonly DetectionOutcome[], size: number): DetectionOutcome[] =>
  all.filter(({ truth }) => truth.plant !== null && truth.size >= size)
