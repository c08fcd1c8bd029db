import { rateStore } from './read'
import { rateSet } from './set'
import type { Scope } from '../scope'
import type { Deps } from '../../deps'
import { RATE_GAP_DAYS, ratesWantedSchema } from '../../shared/currencies'
import type { RatesWanted } from '../../shared/currencies'
import { ProductError } from '../../shared/errors'
import type { QueryPlan } from '../../shared/query'
import type { QueryResult } from '../../shared/query-result'

/** Rates of each way of converting are wanted one after the other; the rows, or the rates, may change between. */
const TRIES = 7
const MONTH = 31

/**
 * Answers a plan, with the rates it needs where it asks for one currency: the warehouse refuses until it has them, and
 * keeps them for the next question. Where the subscription does not convert, amounts are answered as they are, and it is
 * said; those of several currencies are refused with their lines.
 * @param ask asks the warehouse under a version of the rates; without one where nothing is converted
 * @throws ProductError `mixed_currency`
 */
export async function withRates(
  deps: Pick<Deps, 'warehouse' | 'db' | 'clock'>,
  { scope, plan }: { scope: Scope; plan: QueryPlan },
  ask: (plan: QueryPlan, rates?: string) => Promise<QueryResult>,
): Promise<QueryResult> {
  const { currency, ...asTheyAre } = plan
  if (!currency) return ask(plan)
  const store = rateStore(deps.db, scope)
  for (let tries = 1; ; tries += 1) {
    const { version, allowed } = await store.inForce(deps.clock.now())
    if (!allowed) return { ...(await ask(asTheyAre)), unconverted: { code: currency.code } }
    try {
      return await ask(plan, version)
    } catch (error) {
      const wanted = wantedBy(error)
      if (!wanted || tries >= TRIES) throw error
      const [days, own] = await Promise.all([
        store.published(wanted.from - MONTH - RATE_GAP_DAYS, wanted.to),
        store.own(),
      ])
      await deps.warehouse(scope).putRates(rateSet({ days, own }, wanted))
    }
  }
}

function wantedBy(error: unknown): RatesWanted | null {
  if (!(error instanceof ProductError) || error.code !== 'no_rate') return null
  const parsed = ratesWantedSchema.safeParse(error.details['wanted'])
  return parsed.success ? parsed.data : null
}
