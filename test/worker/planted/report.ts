import { PLANTS } from './data-set'
import { LAWS } from './scene'
import { FAMILIES, ofPlant, ordersOf, outcomeOf, plantedFrom, pureNoise, shareOf, SIZES } from './score'
import type { Outcome } from './score'

/** The goals, and the size from which effects count for the first. */
export const RECALL_LEAST = 0.9
export const NOISE_MOST = 0.05
export const COUNTED_FROM = 5

const percent = (share: number): string => (Number.isNaN(share) ? '–' : `${(share * 100).toFixed(1)} %`).padStart(8)
const isFound = ({ found }: Outcome): boolean => found
const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0

function recallLines(all: readonly Outcome[]): string[] {
  const head = [
    'planted'.padEnd(12),
    ...SIZES.map((size) => `${size} se`.padStart(8)),
    `≥ ${COUNTED_FROM} se`.padStart(8),
  ]
  const line = (name: string, own: readonly Outcome[]): string =>
    [
      name.padEnd(12),
      ...SIZES.map((size) =>
        percent(
          shareOf(
            own.filter(({ truth }) => truth.size === size),
            isFound,
          ),
        ),
      ),
      percent(shareOf(plantedFrom(own, COUNTED_FROM), isFound)),
    ].join(' ')
  const planted = all.filter(({ truth }) => truth.plant !== null)
  return [head.join(' '), ...PLANTS.map((plant) => line(plant, ofPlant(all, plant))), line('all', planted)]
}

function familyLines(name: string, all: readonly Outcome[]): string[] {
  const noise = pureNoise(all)
  const isAny = ({ others }: Outcome): boolean => others.length > 0
  const byLaw = LAWS.map(
    (law) =>
      `${law} ${percent(
        shareOf(
          noise.filter(({ truth }) => truth.law === law),
          isAny,
        ),
      ).trim()}`,
  )
  const drivers = ofPlant(all, 'driver').filter(isFound)
  const took = all.map(({ tookMs }) => tookMs)
  return [
    '',
    `${name}: ${all.length} data sets, ${noise.length} of them pure noise`,
    ...recallLines(all),
    `pure noise with any finding ${percent(shareOf(noise, isAny)).trim()} (${byLaw.join(', ')})`,
    `planted driver first in the first table ${percent(shareOf(drivers, ({ isFirst }) => isFirst)).trim()}`,
    `per data set ${quantile(took, 0.5).toFixed(1)} ms, p95 ${quantile(took, 0.95).toFixed(1)} ms, most ${Math.max(...took).toFixed(0)} ms`,
  ]
}

/** Runs both families of seeds and says how far the goals are met. `now` is a clock in milliseconds. */
export function report(sets: number, now: () => number): { lines: string[]; isMet: boolean } {
  const families = Object.entries(FAMILIES).map(([name, family]) => ({
    name: name === 'known' ? 'Seeds the engine was worked out with' : 'Seeds it never saw',
    all: ordersOf(family, sets).map((order) => outcomeOf(order, now)),
  }))
  const every = families.flatMap(({ all }) => all)
  const recall = shareOf(plantedFrom(every, COUNTED_FROM), isFound)
  const noise = shareOf(pureNoise(every), ({ others }) => others.length > 0)
  const verdict = (isMet: boolean): string => (isMet ? 'met' : 'not met')
  return {
    lines: [
      'Effects of known sizes, in standard errors of the statistic that tests them (by trial, beside trend and season).',
      ...families.flatMap(({ name, all }) => familyLines(name, all)),
      '',
      `Recall from ${COUNTED_FROM} standard errors on: ${percent(recall).trim()}, goal ≥ 90 %: ${verdict(recall >= RECALL_LEAST)}`,
      `Pure noise with any finding: ${percent(noise).trim()}, goal ≤ 5 %: ${verdict(noise <= NOISE_MOST)}`,
    ],
    isMet: recall >= RECALL_LEAST && noise <= NOISE_MOST,
  }
}
