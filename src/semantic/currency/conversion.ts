import { rateStore } from './rate-store'
import { buildRateSet } from './exchange-rates'
import type { Scope } from '../../scope'
import type { Deps } from '../../deps'
import { RATE_GAP_DAYS, missingRatesSchema, defaultCurrencyMode, type MissingRates } from '../../shared/currencies'
import { ProductError } from '../../shared/errors'
import type { QueryPlan, AggregateMeasure } from '../../shared/query/plan'
import type { CurrencyMode } from '../../shared/query/currency-modes'
import type { QueryResult } from '../../shared/query/result'
import { mapLeafMeasures } from '../metric-definitions'
import { isCountMeasure, leafMeasuresOf } from '../../shared/query/plan-fields'

/** Rates of each way of converting are wanted one after the other; the rows, or the rates, may change between. */
const RATE_ATTEMPTS_MAX = 7
const MONTH_MAX_DAYS = 31

/**
 * Answers a plan, with the rates it needs where it asks for one currency: the warehouse refuses until it has them, and
 * keeps them for the next question. Where the subscription does not convert, amounts are answered as they are, and it is
 * said; those of several currencies are refused with their lines.
 * @param execute asks the warehouse under a version of the rates; without one where nothing is converted
 * @throws ProductError `mixed_currency`
 */
export async function withExchangeRates(
  deps: Pick<Deps, 'warehouse' | 'db' | 'clock'>,
  { scope, plan }: { scope: Scope; plan: QueryPlan },
  execute: (plan: QueryPlan, rates?: string) => Promise<QueryResult>,
): Promise<QueryResult> {
  const { currency, ...asTheyAre } = plan
  if (!currency) return execute(plan)
  const store = rateStore(deps.db, scope)
  for (let tries = 1; ; tries += 1) {
    const { version, allowed } = await store.settings(deps.clock.now())
    if (!allowed) return { ...(await execute(asTheyAre)), unconverted: { code: currency.code } }
    try {
      return await execute(plan, version)
    } catch (error) {
      const wanted = requiredRates(error)
      if (!wanted || tries >= RATE_ATTEMPTS_MAX) throw error
      const [days, own] = await Promise.all([
        store.published(wanted.from - MONTH_MAX_DAYS - RATE_GAP_DAYS, wanted.to),
        store.manualRates(),
      ])
      await deps.warehouse(scope).putRates(buildRateSet({ days, own }, wanted))
    }
  }
}

function requiredRates(error: unknown): MissingRates | null {
  if (!(error instanceof ProductError) || error.code !== 'no_rate') return null
  const parsed = missingRatesSchema.safeParse(error.details['wanted'])
  return parsed.success ? parsed.data : null
}

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
  const shown = await rateStore(deps.db, scope).settings(deps.clock.now())
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
const needsDefaultMode = (leaf: AggregateMeasure): boolean => leaf.mode === undefined && !isCountMeasure(leaf)

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
