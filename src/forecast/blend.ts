import { type EnsembleMember } from './contract'
import { mean, median } from './numbers'
import {
  ENSEMBLE_MEMBERS,
  MEMBER_POOLS,
  MEMBER_POOLS_WITHOUT_WASM,
  type EnsembleMemberName,
  type MemberPool,
} from './pools'
import { type TrainingWindow } from './view'

/** A member that passes so many times the largest value seen has run away. */
const RUNAWAY_FACTOR = 10
const TRIM_DIVISOR = 4

export interface EnsembleForecast {
  mean: number[]
  members: EnsembleMember[]
  dropped: EnsembleMemberName[]
  combined: MemberPool['combine'] | 'single'
}

/** Mean without the outermost quarter on either side; of fewer than four, the mean. */
function trimmedMean(values: readonly number[]): number {
  const cut = values.length >= TRIM_DIVISOR ? Math.floor(values.length / TRIM_DIVISOR) : 0
  const sorted = Float64Array.from(values).sort()
  return mean(sorted.subarray(cut, sorted.length - cut))
}

function memberPath(
  trainingWindow: TrainingWindow,
  name: EnsembleMemberName,
  horizon: number,
): number[] | null | undefined {
  const most = RUNAWAY_FACTOR * trainingWindow.values.reduce((large, v) => Math.max(large, Math.abs(v)), 0)
  try {
    const path = ENSEMBLE_MEMBERS[name](trainingWindow, horizon)
    if (path === null) return null
    return path.length === horizon && path.every((v) => Number.isFinite(v) && Math.abs(v) <= most) ? path : undefined
  } catch {
    return undefined
  }
}

/** Runs a pool: members that do not apply are left out, those that fail or run away are named; none left makes it naive. */
export function combineMembers(trainingWindow: TrainingWindow, horizon: number): EnsembleForecast {
  const pool = (trainingWindow.engines ? MEMBER_POOLS : MEMBER_POOLS_WITHOUT_WASM)[trainingWindow.frequency]
  const members: EnsembleMember[] = []
  const dropped: EnsembleMemberName[] = []
  for (const name of pool.members) {
    const path = memberPath(trainingWindow, name, horizon)
    if (path) members.push({ name, path })
    else if (path === undefined) dropped.push(name)
  }
  if (members.length === 0) {
    const last = trainingWindow.values.at(-1) ?? 0
    members.push({ name: 'naive', path: new Array<number>(horizon).fill(last) })
  }
  const combine = pool.combine === 'median' ? median : trimmedMean
  return {
    mean: Array.from({ length: horizon }, (_, step) => combine(members.map(({ path }) => path[step] ?? 0))),
    members,
    dropped,
    combined: members.length === 1 ? 'single' : pool.combine,
  }
}
