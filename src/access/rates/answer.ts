import { rateStore } from './read'
import { buildRateSet } from './set'
import type { Scope } from '../scope'
import type { Deps } from '../../deps'
import { RATE_GAP_DAYS, missingRatesSchema } from '../../shared/currencies'
import type { MissingRates } from '../../shared/currencies'
import { ProductError } from '../../shared/errors'
import type { QueryPlan } from '../../shared/query'
import type { QueryResult } from '../../shared/query-result'

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
    const { version, allowed } = await store.currentVersion(deps.clock.now())
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
