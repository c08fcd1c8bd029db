// What is promised beside accuracy: few seasons where there are none, and totals that a split leaves where they were.
import { engines } from './module.ts'
import type { Series } from './report.ts'
import { FREQUENCIES, type Frequency } from '../../../src/forecasting/contract.ts'
import { forecastHierarchy } from '../../../src/forecasting/forecast-hierarchy.ts'
import { forecast } from '../../../src/forecasting/forecast.ts'

const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i)
/** Independent normal figures, the same every time. */
function normals(seed: number): () => number {
  let state = seed
  const unit = (): number => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    const mixed = Math.imul(state ^ (state >>> 13), 0x297a2d39)
    return (((mixed ^ (mixed >>> 16)) >>> 0) + 0.5) / 2 ** 32
  }
  return () => Math.sqrt(-2 * Math.log(unit())) * Math.cos(2 * Math.PI * unit())
}

/** Lengths of random walks, as short and as long as people bring them. */
const WALK_LENGTHS: Record<Frequency, readonly number[]> = {
  yearly: [],
  quarterly: [16, 40, 80],
  monthly: [30, 60, 120],
  weekly: [110, 160, 260],
  daily: [120, 400, 1_100],
  hourly: [120, 400, 700],
}
const WALKS = 400
const FALSE_SEASONS_MAX = 0.1

/** Shares of random walks that a forecast is given a season for, by frequency and length. */
export function falseSeasonLines(walks = WALKS): string[] {
  const normal = normals(42)
  return FREQUENCIES.filter((frequency) => WALK_LENGTHS[frequency].length > 0).map((frequency) => {
    const shares = WALK_LENGTHS[frequency].map((length) => {
      const seen = range(walks).filter(() => {
        let level = 1_000
        const values = range(length).map(() => (level += 5 * normal()))
        const made = forecast({ values, frequency, horizon: 1, engines: null })
        return made.kind === 'forecast' && (made.card.season !== null || made.card.longSeason !== null)
      })
      return seen.length / walks
    })
    const told = shares.map((share, i) => `${(100 * share).toFixed(0)} % of ${WALK_LENGTHS[frequency][i] ?? 0} values`)
    const isMet = shares.reduce((sum, share) => sum + share, 0) / shares.length <= FALSE_SEASONS_MAX
    return `  seasons seen in ${walks} random walks, ${frequency.padEnd(9)}: ${told.join(', ')} (goal ≤ 10 %: ${isMet ? 'met' : 'not met'})`
  })
}

const PARTS = 5
const HISTORY = 60
const GROUPS_MAX = 12

/** Series of a frequency in fives, over their newest values: a whole that they add up to, and its parts. */
function groupsOf(series: readonly Series[], frequency: Frequency): number[][][] {
  const long = series.filter(({ freq, train }) => freq === frequency && train.length >= HISTORY)
  return range(Math.min(GROUPS_MAX, Math.floor(long.length / PARTS))).map((group) =>
    long.slice(group * PARTS, (group + 1) * PARTS).map(({ train }) => train.slice(-HISTORY)),
  )
}

/** How often, over steps, the total of a split forecast lies within the half that the unsplit one expects values in. */
export function splitTotalLines(series: readonly Series[]): string[] {
  return (['quarterly', 'monthly'] as const).flatMap((frequency) => {
    let [inside, steps, whole] = [0, 0, 0]
    const groups = groupsOf(series, frequency)
    for (const parts of groups) {
      const values = range(HISTORY).map((t) => parts.reduce((sum, part) => sum + (part[t] ?? 0), 0))
      const { total, reconciled } = forecastHierarchy(
        { values, frequency, horizon: 12, engines },
        parts.map((part, i) => ({ key: `part ${i}`, values: part })),
      )
      if (total.kind !== 'ready' || !reconciled) continue
      const { lower, upper } = total.bands[50]
      const hits = reconciled.mean.filter((v, step) => v >= (lower[step] ?? NaN) && v <= (upper[step] ?? NaN)).length
      inside += hits
      steps += reconciled.mean.length
      if (hits === reconciled.mean.length) whole += 1
    }
    if (steps === 0) return []
    return [
      `  totals of ${groups.length} ${frequency} splits in ${PARTS}: ${((100 * inside) / steps).toFixed(1)} % of ${steps} steps within the unsplit forecast's 50 % band, ${whole} whole paths`,
    ]
  })
}
