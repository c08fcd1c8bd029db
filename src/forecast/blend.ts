import { type Member } from './contract'
import { mean, median } from './numbers'
import { MEMBERS, POOLS, POOLS_WITHOUT, type MemberName, type Pool } from './pools'
import { type View } from './view'

/** A member that passes so many times the largest value seen has run away. */
const RUNAWAY = 10
const TRIMMED_SHARE = 4

export interface Blend {
  mean: number[]
  members: Member[]
  dropped: MemberName[]
  combined: Pool['combine'] | 'single'
}

/** Mean without the outermost quarter on either side; of fewer than four, the mean. */
function trimmedMean(values: readonly number[]): number {
  const cut = values.length >= TRIMMED_SHARE ? Math.floor(values.length / TRIMMED_SHARE) : 0
  const sorted = Float64Array.from(values).sort()
  return mean(sorted.subarray(cut, sorted.length - cut))
}

function pathOf(view: View, name: MemberName, horizon: number): number[] | null | undefined {
  const most = RUNAWAY * view.values.reduce((large, v) => Math.max(large, Math.abs(v)), 0)
  try {
    const path = MEMBERS[name](view, horizon)
    if (path === null) return null
    return path.length === horizon && path.every((v) => Number.isFinite(v) && Math.abs(v) <= most) ? path : undefined
  } catch {
    return undefined
  }
}

/** Runs a pool: members that do not apply are left out, those that fail or run away are named; none left makes it naive. */
export function blend(view: View, horizon: number): Blend {
  const pool = (view.engines ? POOLS : POOLS_WITHOUT)[view.frequency]
  const members: Member[] = []
  const dropped: MemberName[] = []
  for (const name of pool.members) {
    const path = pathOf(view, name, horizon)
    if (path) members.push({ name, path })
    else if (path === undefined) dropped.push(name)
  }
  if (members.length === 0) {
    const last = view.values.at(-1) ?? 0
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
