import { PLANTED_EFFECTS } from './data-set'
import { NOISE_LAWS } from './scene'
import { FAMILIES, withEffect, dataSetOrders, outcomeOf, plantedFrom, pureNoise } from './score'
import type { DataSetCounts, DetectionOutcome } from './score'

/** The goals, and the size from which effects count for the first. */
export const RECALL_LEAST = 0.9
export const NOISE_MOST = 0.05
export const COUNTED_FROM = 5

const BINS: readonly { name: string; has: (size: number) => boolean }[] = [
  { name: 'under 5', has: (size) => size < 5 },
  { name: '5', has: (size) => size === 5 },
  { name: '5 to 6', has: (size) => size > 5 && size < 6 },
  { name: '6 to 8', has: (size) => size >= 6 && size < 8 },
  { name: '8 and more', has: (size) => size >= 8 },
]

/** So many of so many. */
interface Proportion {
  hits: number
  of: number
}
export const proportionOf = (all: readonly DetectionOutcome[], is: (one: DetectionOutcome) => boolean): Proportion => ({
  hits: all.filter(is).length,
  of: all.length,
})
/** 95 % limits of a share (Wilson 1927). */
export function wilsonInterval({ hits, of }: Proportion): [number, number] {
  const z = 1.959_964
  const middle = (hits + (z * z) / 2) / (of + z * z)
  const apart = (z / (of + z * z)) * Math.sqrt((hits * (of - hits)) / of + (z * z) / 4)
  return of === 0 ? [0, 1] : [Math.max(0, middle - apart), Math.min(1, middle + apart)]
}
const percent = (share: number): string => (share * 100).toFixed(1)
const formatProportion = (proportion: Proportion): string =>
  proportion.of === 0
    ? '–'
    : `${percent(proportion.hits / proportion.of)} % of ${proportion.of} (${wilsonInterval(proportion).map(percent).join('–')})`

const isFound = ({ found }: DetectionOutcome): boolean => found
const hasFalseFinding = ({ others }: DetectionOutcome): boolean => others.length > 0
const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0

function recallLines(all: readonly DetectionOutcome[]): string[] {
  const line = (name: string, own: readonly DetectionOutcome[]): string =>
    [
      name.padEnd(11),
      ...BINS.map(({ has }) =>
        formatProportion(
          proportionOf(
            own.filter(({ truth }) => has(truth.size)),
            isFound,
          ),
        ).padEnd(27),
      ),
      formatProportion(proportionOf(plantedFrom(own, COUNTED_FROM), isFound)),
    ].join(' ')
  const planted = all.filter(({ truth }) => truth.plant !== null)
  return [
    ['planted'.padEnd(11), ...BINS.map(({ name }) => `${name} se`.padEnd(27)), `≥ ${COUNTED_FROM} se`].join(' '),
    ...PLANTED_EFFECTS.map((plant) => line(plant, withEffect(all, plant))),
    line('all', planted),
  ]
}

function noiseLines(noise: readonly DetectionOutcome[]): string[] {
  const kinds = new Map<string, number>()
  for (const { others } of noise)
    for (const kind of new Set(others.map(({ kind, member }) => (member ? `${kind} of a member` : kind))))
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  const byKind = [...kinds].toSorted((a, b) => b[1] - a[1]).map(([kind, sets]) => `${kind} ${sets}`)
  return [
    `pure noise with any finding: ${formatProportion(proportionOf(noise, hasFalseFinding))}`,
    ...NOISE_LAWS.map(
      (law) =>
        `  ${law.padEnd(15)} ${formatProportion(
          proportionOf(
            noise.filter(({ truth }) => truth.law === law),
            hasFalseFinding,
          ),
        )}`,
    ),
    `  sets by kind of finding: ${byKind.join(', ') || 'none'}`,
  ]
}

function familyLines(name: string, all: readonly DetectionOutcome[]): string[] {
  const took = all.map(({ tookMs }) => tookMs)
  const drivers = withEffect(all, 'driver').filter(isFound)
  return [
    '',
    `${name}: ${all.length} data sets, ${pureNoise(all).length} of them pure noise`,
    ...recallLines(all),
    ...noiseLines(pureNoise(all)),
    `planted driver first in the first table: ${formatProportion(proportionOf(drivers, ({ isFirst }) => isFirst))}`,
    `per data set ${quantile(took, 0.5).toFixed(1)} ms, p95 ${quantile(took, 0.95).toFixed(1)} ms, most ${Math.max(...took).toFixed(0)} ms`,
  ]
}

/** How far the goals are met; that of noise is beyond doubt when the upper 95 % limit meets it too. */
function verdicts(all: readonly DetectionOutcome[]): { lines: string[]; isMet: boolean } {
  const recall = proportionOf(plantedFrom(all, COUNTED_FROM), isFound)
  const noise = proportionOf(pureNoise(all), hasFalseFinding)
  const isRecalled = recall.hits >= RECALL_LEAST * recall.of
  const isQuiet = noise.hits <= NOISE_MOST * noise.of
  const sure = wilsonInterval(noise)[1] <= NOISE_MOST ? 'met, beyond doubt' : 'met'
  return {
    lines: [
      `Recall from ${COUNTED_FROM} standard errors on: ${formatProportion(recall)}, goal ≥ 90 %: ${isRecalled ? 'met' : 'not met'}`,
      `Pure noise with any finding: ${formatProportion(noise)}, goal ≤ 5 %: ${isQuiet ? sure : 'not met'}`,
    ],
    isMet: isRecalled && isQuiet,
  }
}

/** Data sets of each family. */
export interface Sizes {
  tuning: DataSetCounts
  heldOut: DataSetCounts
}

/** Runs both families of seeds; the goals are asked of the one that was held out. `now` is a clock in milliseconds. */
export function report({ tuning, heldOut }: Sizes, now: () => number): { lines: string[]; isMet: boolean } {
  const run = (family: number, dataSetCounts: DataSetCounts): DetectionOutcome[] =>
    dataSetOrders(family, dataSetCounts).map((one) => outcomeOf(one, now))
  const known = run(FAMILIES.tuning, tuning)
  const fresh = run(FAMILIES.heldOut, heldOut)
  const { lines, isMet } = verdicts(fresh)
  return {
    lines: [
      'Effects of known sizes, in true standard errors of what is fitted (by trial, beside level, trend and season). In brackets: 95 % limits.',
      ...familyLines('Tuning family (the engine was worked out with it)', known),
      ...familyLines('Held-out family (never looked at while tuning)', fresh),
      '',
      'Of the held-out family:',
      ...lines,
    ],
    isMet,
  }
}
