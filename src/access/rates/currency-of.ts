import { rateStore } from './read'
import { mapLeafMeasures } from '../metric-definitions'
import type { Scope } from '../scope'
import type { Deps } from '../../deps'
import { defaultCurrencyMode } from '../../shared/currency-modes'
import { leafMeasuresOf } from '../../shared/plan-fields'
import type { CurrencyMode, AggregateMeasure, QueryPlan } from '../../shared/query'

type CurrencyDeps = Pick<Deps, 'warehouse' | 'db' | 'clock'>

/**
 * The plan with its amounts in one currency where a metric of it says how they are converted and the workspace converts:
 * to the workspace's currency, each metric in its own way, everything beside them in the usual one. What the plan itself
 * says comes before what its metrics say.
 * @param plan with the definitions of its metrics in their place
 */
export async function applyMetricCurrencyModes(deps: CurrencyDeps, scope: Scope, plan: QueryPlan): Promise<QueryPlan> {
  const leaves = plan.measures.flatMap(leafMeasuresOf)
  if (leaves.every(({ mode }) => mode === undefined)) return plan
  if (plan.currency) return withCurrencyModes(plan, () => undefined)
  const shown = await rateStore(deps.db, scope).workspaceCurrency(deps.clock.now())
  if (!shown.allowed) return withCurrencyModes(plan, () => undefined)
  const open = plan.measures.filter((measure) => leafMeasuresOf(measure).some(needsDefaultMode))
  const usual =
    open.length === 0
      ? undefined
      : defaultCurrencyMode({ ...plan, measures: open }, await deps.warehouse(scope).datasets(), shown.mode)
  const modes = new Set(
    leaves.map((leaf) => (needsDefaultMode(leaf) ? usual : leaf.mode)).flatMap((mode) => mode ?? []),
  )
  const [only = 'transaction', ...others] = modes
  const currency = { code: shown.code, mode: usual ?? only }
  return others.length === 0
    ? { ...withCurrencyModes(plan, () => undefined), currency: { ...currency, mode: only } }
    : { ...withCurrencyModes(plan, ({ mode }) => (mode === currency.mode ? undefined : mode)), currency }
}

/** What is only counted has no rate. */
const needsDefaultMode = ({ agg, mode }: AggregateMeasure): boolean =>
  mode === undefined && agg !== 'count' && agg !== 'countDistinct'

const withCurrencyModes = (
  plan: QueryPlan,
  modeOf: (leaf: AggregateMeasure) => CurrencyMode | undefined,
): QueryPlan => ({
  ...plan,
  measures: plan.measures.map((measure) =>
    mapLeafMeasures(measure, ({ mode, ...leaf }) => {
      const own = modeOf({ ...leaf, mode })
      return own === undefined ? leaf : { ...leaf, mode: own }
    }),
  ),
})
