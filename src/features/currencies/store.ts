import { toIso } from '../../lib/iso'
import type { Scope } from '../../scope'
import type { Database } from '../../db/database'
import { OWN_RATES_MAX } from '../../shared/currencies'
import type { CurrencySettings, CurrencyModeSetting, OwnRate, RateSource } from '../../shared/currencies'

/** What a person says of a rate of their own. */
export type OwnRateContent = Pick<OwnRate, 'id' | 'kind' | 'base' | 'quote' | 'from' | 'to' | 'rate' | 'reason'>
export interface RateFeedStatus {
  first: string | null
  last: string | null
  source: RateSource | null
  codes: string | null
  fetchedAt: number | null
  failingSince: number | null
}
type OwnRateRow = Omit<OwnRate, 'updatedAt'> & { updatedAt: number }
const toOwnRate = (row: OwnRateRow): OwnRate => ({ ...row, updatedAt: toIso(row.updatedAt) })
const SELECT = `SELECT r.id, r.kind, r.base, r.quote, r.rate, r.reason, r.from_day AS "from", r.to_day AS "to",
  u.name AS byName, r.version, r.updated_at AS updatedAt
  FROM own_rates r LEFT JOIN users u ON u.id = r.updated_by WHERE r.workspace_id = ?1`
const PAIR = '((r.base = ?2 AND r.quote = ?3) OR (r.base = ?3 AND r.quote = ?2))'

/** Rates and settings of one workspace. Writes are statements for `commit`. */
export const currencyStore = ({ d1 }: Database, scope: Scope) => {
  const { workspaceId, actorId } = scope
  return {
    async settings(): Promise<CurrencySettings> {
      const row = await d1
        .prepare(
          `SELECT coalesce(s.code, w.currency) AS code, coalesce(s.mode, 'automatic') AS mode, coalesce(s.version, 0) AS version
           FROM workspaces w LEFT JOIN currency_settings s ON s.workspace_id = w.id WHERE w.id = ?`,
        )
        .bind(workspaceId)
        .first<{ code: string; mode: CurrencyModeSetting; version: number }>()
      return row ?? { code: 'EUR', mode: 'automatic', version: 0 }
    },

    /** Changes no row when another version is stored. */
    saveSettings: ({ code, mode, version }: CurrencySettings): D1PreparedStatement =>
      d1
        .prepare(
          `INSERT INTO currency_settings (workspace_id, code, mode, version)
           SELECT ?1, ?2, ?3, ?4 + 1 WHERE ?4 = coalesce((SELECT version FROM currency_settings WHERE workspace_id = ?1), 0)
           ON CONFLICT (workspace_id) DO UPDATE SET code = ?2, mode = ?3, version = version + 1`,
        )
        .bind(workspaceId, code, mode, version),

    /** How published rates stand; they are the same for all workspaces. */
    async feed(): Promise<RateFeedStatus> {
      const row = await d1
        .prepare(
          `SELECT (SELECT min(day) FROM reference_days) AS first, l.day AS last, l.source, l.rates AS codes,
             f.fetched_at AS fetchedAt, f.failing_since AS failingSince
           FROM (SELECT 1) LEFT JOIN (SELECT day, source, rates FROM reference_days ORDER BY day DESC LIMIT 1) l
           LEFT JOIN rates_feed f ON f.source = 'ecb'`,
        )
        .first<RateFeedStatus>()
      return row ?? { first: null, last: null, source: null, codes: null, fetchedAt: null, failingSince: null }
    },

    /** Stretches between days with rates that are longer than `days`, since a day. */
    async gaps(since: string, days: number): Promise<{ from: string; to: string }[]> {
      const { results } = await d1
        .prepare(
          `SELECT before AS "from", day AS "to" FROM (
             SELECT day, lag(day) OVER (ORDER BY day) AS before FROM reference_days WHERE day >= date(?1, '-60 days'))
           WHERE day >= ?1 AND julianday(day) - julianday(before) > ?2 ORDER BY day`,
        )
        .bind(since, days)
        .all<{ from: string; to: string }>()
      return results
    },

    /** Published days before one, newest first. */
    async days(at: {
      from: string
      before: string
      limit: number
    }): Promise<{ day: string; source: RateSource; rates: string }[]> {
      const { results } = await d1
        .prepare('SELECT day, source, rates FROM reference_days WHERE day >= ? AND day < ? ORDER BY day DESC LIMIT ?')
        .bind(at.from, at.before, at.limit)
        .all<{ day: string; source: RateSource; rates: string }>()
      return results
    },

    async list(): Promise<OwnRate[]> {
      const { results } = await d1
        .prepare(`${SELECT} ORDER BY r.from_day DESC, r.base, r.quote, r.id`)
        .bind(workspaceId)
        .all<OwnRateRow>()
      return results.map(toOwnRate)
    },

    /** Those in place of published ones of a pair, in either direction; the newest last. */
    async overrides(base: string, quote: string): Promise<OwnRate[]> {
      const { results } = await d1
        .prepare(`${SELECT} AND r.kind = 'override' AND ${PAIR} ORDER BY r.updated_at, r.id`)
        .bind(workspaceId, base, quote)
        .all<OwnRateRow>()
      return results.map(toOwnRate)
    },

    async get(id: string): Promise<OwnRate | null> {
      const row = await d1.prepare(`${SELECT} AND r.id = ?2`).bind(workspaceId, id).first<OwnRateRow>()
      return row && toOwnRate(row)
    },

    async count(): Promise<number> {
      const counted = d1.prepare('SELECT count(*) AS n FROM own_rates WHERE workspace_id = ?').bind(workspaceId)
      return (await counted.first<number>('n')) ?? 0
    },

    /** Inserts no row when the workspace holds all it may. */
    insert: (rate: OwnRateContent, now: number): D1PreparedStatement =>
      d1
        .prepare(
          `INSERT INTO own_rates (workspace_id, id, kind, base, quote, from_day, to_day, rate, reason, updated_by, updated_at)
           SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11
           WHERE (SELECT count(*) FROM own_rates WHERE workspace_id = ?1) < ${OWN_RATES_MAX}`,
        )
        .bind(workspaceId, ...contentOf(rate), actorId, now),

    /** Changes no row when another version is stored. */
    update: (rate: OwnRateContent, at: { version: number; now: number }): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE own_rates SET kind = ?3, base = ?4, quote = ?5, from_day = ?6, to_day = ?7, rate = ?8, reason = ?9,
             updated_by = ?10, updated_at = ?11, version = version + 1
           WHERE workspace_id = ?1 AND id = ?2 AND version = ?12`,
        )
        .bind(workspaceId, ...contentOf(rate), actorId, at.now, at.version),

    remove: (id: string, version: number): D1PreparedStatement =>
      d1
        .prepare('DELETE FROM own_rates WHERE workspace_id = ? AND id = ? AND version = ?')
        .bind(workspaceId, id, version),

    /** Answers given by earlier rates are asked again. */
    changed: (): D1PreparedStatement =>
      d1
        .prepare(
          `INSERT INTO currency_settings (workspace_id, rates_version) VALUES (?, 1)
           ON CONFLICT (workspace_id) DO UPDATE SET rates_version = rates_version + 1`,
        )
        .bind(workspaceId),
  }
}

const contentOf = ({ id, kind, base, quote, from, to, rate, reason }: OwnRateContent) =>
  [id, kind, base, quote, from, to, rate, reason] as const
