import { runQuery } from './run-query'
import { CALENDAR, EVERYTHING } from './warehouse-rows'
import { buildRateSet } from '../../src/semantic/currency/exchange-rates'
import type { PublishedRates, ManualRate } from '../../src/semantic/currency/exchange-rates'
import { missingRatesSchema } from '../../src/shared/currencies'
import { CURRENCY_MODES } from '../../src/shared/query/currency-modes'
import { dayFromIso } from '../../src/shared/dates'
import type { RpcResult } from '../../src/shared/errors'
import { type QueryPlan } from '../../src/shared/query/plan'
import type { QueryResult } from '../../src/shared/query/result'
import type { LiveDataset } from '../../src/warehouse/physical-layout'
import { clearResultCache } from '../../src/warehouse/query/result-cache'
import { storeRateSet } from '../../src/warehouse/rate-store'

/** Questions about money, and rates of a few days. */

export const d = (iso: string): number => dayFromIso(iso) ?? 0
const published = (iso: string, rates: Record<string, string>): PublishedRates => ({
  day: d(iso),
  source: 'ecb',
  rates,
})
export const DAYS: PublishedRates[] = [
  published('2023-12-29', { SEK: '11.5' }),
  published('2024-06-28', { SEK: '11.35' }),
  published('2024-12-31', { SEK: '11.4' }),
  published('2025-06-30', { SEK: '11.45' }),
  published('2025-12-30', { SEK: '11.1' }),
  published('2026-01-30', { SEK: '11.2', USD: '1.1', JPY: '160' }),
  published('2026-02-02', { SEK: '11.3', USD: '1.12', JPY: '161.5' }),
  published('2026-02-27', { SEK: '11.4', USD: '1.13', JPY: '158' }),
  published('2026-03-02', { SEK: '11.25', USD: '1.15', JPY: '159' }),
]
export const OWN: ManualRate[] = [
  { kind: 'override', base: 'USD', quote: 'SEK', from: d('2026-03-01'), to: d('2026-03-31'), rate: '9.5' },
  { kind: 'budget', base: 'EUR', quote: 'SEK', from: d('2026-01-01'), to: d('2026-12-31'), rate: '11' },
]
/** Answers as `withRates` does: what is refused for want of rates is asked again with them. */
export function answerMoney(sql: SqlStorage, dataset: LiveDataset, plan: QueryPlan): RpcResult<QueryResult> {
  const request = {
    ...{ sql, catalogue: { find: () => dataset, edges: [] }, scope: EVERYTHING, plan, calendar: CALENDAR, now: 0 },
    rates: '1',
  }
  const ask = (): RpcResult<QueryResult> => {
    clearResultCache(sql)
    return runQuery(request)
  }
  const room = { sql, transaction: <T>(work: () => T) => work(), clock: { now: () => 0 }, pause: async () => undefined }
  // Each way of converting asks for rates of its own.
  for (const _mode of CURRENCY_MODES) {
    const found = ask()
    if (found.ok || found.error.code !== 'no_rate') return found
    const wanted = missingRatesSchema.parse(found.error.details?.['wanted'])
    storeRateSet(room, buildRateSet({ days: DAYS, own: OWN }, wanted))
  }
  return ask()
}
