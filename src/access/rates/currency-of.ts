import { rateStore } from './read'
import { mapLeaves } from '../metric-definitions'
import type { Scope } from '../scope'
import type { Deps } from '../../deps'
import { usualMode } from '../../shared/currency-modes'
import { leavesOf } from '../../shared/plan-fields'
import type { CurrencyMode, LeafMeasure, QueryPlan } from '../../shared/query'

type Asking = Pick<Deps, 'warehouse' | 'db' | 'clock'>

/**
 * The plan with its amounts in one currency where a metric of it says how they are converted and the workspace converts:
 * to the workspace's currency, each metric in its own way, everything beside them in the usual one. What the plan itself
 * says comes before what its metrics say.
 * @param plan with the definitions of its metrics in their place
 */
export async function inMetricsWay(deps: Asking, scope: Scope, plan: QueryPlan): Promise<QueryPlan> {
  const leaves = plan.measures.flatMap(leavesOf)
  if (leaves.every(({ mode }) => mode === undefined)) return plan
  if (plan.currency) return moded(plan, () => undefined)
  const shown = await rateStore(deps.db, scope).shown(deps.clock.now())
  if (!shown.allowed) return moded(plan, () => undefined)
  const open = plan.measures.filter((measure) => leavesOf(measure).some(isOpen))
  const usual =
    open.length === 0
      ? undefined
      : usualMode({ ...plan, measures: open }, await deps.warehouse(scope).datasets(), shown.mode)
  const modes = new Set(leaves.map((leaf) => (isOpen(leaf) ? usual : leaf.mode)).flatMap((mode) => mode ?? []))
  const [only = 'transaction', ...others] = modes
  const currency = { code: shown.code, mode: usual ?? only }
  return others.length === 0
    ? { ...moded(plan, () => undefined), currency: { ...currency, mode: only } }
    : { ...moded(plan, ({ mode }) => (mode === currency.mode ? undefined : mode)), currency }
}

/** What is only counted has no rate. */
const isOpen = ({ agg, mode }: LeafMeasure): boolean => mode === undefined && agg !== 'count' && agg !== 'countDistinct'

const moded = (plan: QueryPlan, modeOf: (leaf: LeafMeasure) => CurrencyMode | undefined): QueryPlan => ({
  ...plan,
  measures: plan.measures.map((measure) =>
    mapLeaves(measure, ({ mode, ...leaf }) => {
      const own = modeOf({ ...leaf, mode })
      return own === undefined ? leaf : { ...leaf, mode: own }
    }),
  ),
})
