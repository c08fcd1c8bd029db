import { type Frequency } from './contract'
import { aggregated } from './members/aggregation'
import { changeRegression, levelRegression } from './members/autoregression'
import { optimisedTheta } from './members/dotm'
import { complexSmoothing, dampedTrend } from './members/linear-state'
import { simpleSmoothing, theta } from './members/smoothing'
import { type View } from './view'

/** A path of `horizon` values in units of the series; null when the member does not apply to it. */
type Run = (view: View, horizon: number) => number[] | null

/** How many values are laid together at most, by frequency (`aggregation.ts`). */
const BLOCKS: Record<Frequency, number[]> = {
  yearly: [1, 2],
  quarterly: [1, 2, 4],
  monthly: [1, 2, 3, 4, 6, 12],
  weekly: [1, 2, 4],
  daily: [1, 7],
  hourly: [1],
}

const flat =
  (member: (values: Float64Array, horizon: number) => number[]): Run =>
  (view, horizon) =>
    view.restore(member(view.flat, horizon))

/** The member over logarithms, where growth is a straight line; over the plain values where there are none. */
const growing =
  (member: (values: Float64Array, horizon: number) => number[]): Run =>
  (view, horizon) =>
    view.restore(view.logs ? member(view.logs, horizon).map(Math.exp) : member(view.flat, horizon))

const repeated =
  (season: (view: View) => number): Run =>
  ({ values, ...view }, horizon) => {
    const m = season({ values, ...view })
    if (values.length < m) return null
    return Array.from({ length: horizon }, (_, step) => values[values.length - m + (step % m)] ?? 0)
  }

const stl =
  (seasons: (view: View) => number[], growth: boolean): Run =>
  (view, horizon) => {
    const own = seasons(view)
    if (!view.engines || own.length === 0 || (growth && !view.logs)) return null
    const path = view.engines.mstl(growth ? view.values.map(Math.log) : view.values, horizon, own)
    return growth ? path.map(Math.exp) : path
  }

const dotm = (values: Float64Array, horizon: number): number[] => optimisedTheta(values, horizon).path

export const MEMBERS = {
  theta: flat(theta),
  'theta of growth': growing(theta),
  dotm: flat(dotm),
  'dotm of growth': growing(dotm),
  damped: flat(dampedTrend),
  'damped of growth': growing(dampedTrend),
  ces: flat(complexSmoothing),
  ses: flat(simpleSmoothing),
  changes: flat(changeRegression),
  levels: flat(levelRegression),
  aggregated: (view, horizon) => view.restore(aggregated(view.flat, horizon, BLOCKS[view.frequency])),
  naive: repeated(() => 1),
  'seasonal naive': repeated(({ season }) => season),
  'same hour last week': repeated(() => 168),
  ets: (view, horizon) => (view.engines ? view.restore(view.engines.ets(view.flat, horizon)) : null),
  mstl: stl(({ seasons }) => seasons, false),
  'mstl of growth': stl(({ seasons }) => seasons, true),
  'mstl of weeks': stl(({ seasons }) => (seasons.length > 1 ? seasons.slice(-1) : []), false),
} satisfies Record<string, Run>
export type MemberName = keyof typeof MEMBERS

export interface Pool {
  members: MemberName[]
  combine: 'median' | 'trimmed mean'
}

/** Members by frequency, chosen on one half of competition series and checked on the other (decision 042). */
export const POOLS: Record<Frequency, Pool> = {
  yearly: { members: ['theta', 'dotm', 'ets', 'ces', 'naive'], combine: 'median' },
  quarterly: {
    members: ['theta', 'dotm', 'ces', 'ses', 'ets', 'damped', 'aggregated', 'changes'],
    combine: 'median',
  },
  monthly: {
    members: ['theta of growth', 'dotm of growth', 'dotm', 'aggregated', 'damped of growth', 'changes', 'mstl'],
    combine: 'trimmed mean',
  },
  weekly: { members: ['ets', 'levels', 'aggregated', 'mstl', 'mstl of growth'], combine: 'trimmed mean' },
  daily: { members: ['damped', 'ces', 'mstl', 'mstl of growth'], combine: 'trimmed mean' },
  hourly: {
    members: ['mstl of growth', 'mstl of weeks', 'seasonal naive', 'same hour last week', 'levels'],
    combine: 'median',
  },
}

/** The same without WebAssembly. */
export const POOLS_WITHOUT: Record<Frequency, Pool> = {
  yearly: { members: ['theta', 'dotm', 'ses', 'ces', 'naive'], combine: 'median' },
  quarterly: { members: ['theta', 'dotm', 'ces', 'ses', 'damped', 'aggregated', 'changes'], combine: 'median' },
  monthly: {
    members: ['theta of growth', 'dotm of growth', 'dotm', 'aggregated', 'damped of growth', 'changes'],
    combine: 'trimmed mean',
  },
  weekly: { members: ['levels', 'aggregated', 'dotm', 'damped', 'ces'], combine: 'trimmed mean' },
  daily: { members: ['damped', 'ces', 'ses', 'dotm'], combine: 'trimmed mean' },
  hourly: { members: ['seasonal naive', 'same hour last week', 'levels', 'dotm'], combine: 'median' },
}
