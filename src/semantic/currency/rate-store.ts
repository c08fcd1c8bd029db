import { z } from 'zod'
import type { PublishedRates, ManualRate } from './exchange-rates'
import type { Scope } from '../../scope'
import { subscriptionColumns, subscriptionFromRow, type SubscriptionRow } from '../../entitlements/subscription-row'
import type { Database } from '../../db/database'
import { computeEntitlements } from '../../shared/billing/entitlements'
import type { CurrencyModeSetting, OwnRateKind, RateSource } from '../../shared/currencies'
import { dayFromIso, isoFromDay } from '../../shared/dates'

const ratesSchema = z.record(z.string(), z.string())
interface PublishedRatesRow {
  day: string
  source: RateSource
  rates: string
}

export const publishedRatesFromRow = ({ day, source, rates }: PublishedRatesRow): PublishedRates => ({
  day: dayFromIso(day) ?? 0,
  source,
  rates: ratesSchema.parse(JSON.parse(rates)),
})

export interface RateSettings {
  version: string
  code: string
  mode: CurrencyModeSetting
  allowed: boolean
}

/** Rates as one workspace uses them. */
export const rateStore = ({ d1 }: Database, scope: Scope) => ({
  /**
   * How the workspace converts: the identity of all rates in force, what converted figures are shown in, how they are
   * converted where nothing else is said, and whether the plan lets them be.
   */
  async settings(now: number): Promise<RateSettings> {
    const row = await d1
      .prepare(
        `SELECT coalesce((SELECT sum(version) FROM rates_feed), 0) || '.' || coalesce(s.rates_version, 0) AS version,
           coalesce(s.code, w.currency) AS code, coalesce(s.mode, 'automatic') AS mode, ${subscriptionColumns('b')}
         FROM workspaces w LEFT JOIN currency_settings s ON s.workspace_id = w.id
         LEFT JOIN subscriptions b ON b.workspace_id = w.id WHERE w.id = ?`,
      )
      .bind(scope.workspaceId)
      .first<SubscriptionRow & Omit<RateSettings, 'allowed'>>()
    if (!row) return { version: '0.0', code: 'EUR', mode: 'automatic', allowed: false }
    const { version, code, mode } = row
    const { features } = computeEntitlements(subscriptionFromRow(row), now)
    return { version, code, mode, allowed: features.multiCurrency }
  },

  /** Published rates of some days (days since 1970-01-01), ascending. */
  async published(from: number, to: number): Promise<PublishedRates[]> {
    const { results } = await d1
      .prepare('SELECT day, source, rates FROM reference_days WHERE day >= ? AND day <= ? ORDER BY day')
      .bind(isoFromDay(from), isoFromDay(to))
      .all<PublishedRatesRow>()
    return results.map(publishedRatesFromRow)
  },

  /** What the workspace set, the newest last. */
  async manualRates(): Promise<ManualRate[]> {
    type Row = { kind: OwnRateKind; base: string; quote: string; from_day: string; to_day: string; rate: string }
    const { results } = await d1
      .prepare(
        `SELECT kind, base, quote, from_day, to_day, rate FROM own_rates WHERE workspace_id = ? ORDER BY updated_at, id`,
      )
      .bind(scope.workspaceId)
      .all<Row>()
    return results.map(({ kind, base, quote, from_day, to_day, rate }) => ({
      ...{ kind, base, quote, rate },
      from: dayFromIso(from_day) ?? 0,
      to: dayFromIso(to_day) ?? 0,
    }))
  },
})
