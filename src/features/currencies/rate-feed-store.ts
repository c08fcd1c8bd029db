import type { EcbDailyRates } from '../../outbound/ecb-rates'
import type { Database } from '../../db/database'

/** How the published rates come in. They belong to the installation, not to a workspace. */
export interface RateFeed {
  snapshot: string | null
  round: string
  leaseUntil: number
  nextTryAt: number
  tries: number
  last: string | null
}
const BATCH_DAYS = 400
const SOURCE = 'ecb'

export const rateFeedStore = ({ d1 }: Database) => ({
  async read(): Promise<RateFeed | null> {
    return d1
      .prepare(
        `SELECT snapshot, round, lease_until AS leaseUntil, next_try_at AS nextTryAt, tries,
           (SELECT max(day) FROM reference_days) AS last FROM rates_feed WHERE source = ?`,
      )
      .bind(SOURCE)
      .first<RateFeed>()
  },

  /** Days that are not known yet; with `correct`, known ones take the rates given. The version tells of any change. */
  write(days: readonly EcbDailyRates[], { correct }: { correct: boolean }): D1PreparedStatement[] {
    const batches = Array.from({ length: Math.ceil(days.length / BATCH_DAYS) }, (_, i) =>
      days.slice(i * BATCH_DAYS, (i + 1) * BATCH_DAYS),
    )
    const known = correct
      ? 'DO UPDATE SET rates = excluded.rates, source = excluded.source WHERE rates <> excluded.rates'
      : 'DO NOTHING'
    return batches.flatMap((batch) => [
      d1
        .prepare(
          `INSERT INTO reference_days (day, source, rates)
           SELECT value ->> 'day', ?1, value -> 'rates' FROM json_each(?2) WHERE 1 ON CONFLICT (day) ${known}`,
        )
        .bind(SOURCE, JSON.stringify(batch)),
      d1.prepare('UPDATE rates_feed SET version = version + 1 WHERE source = ? AND changes() > 0').bind(SOURCE),
    ])
  },

  begin: (): D1PreparedStatement =>
    d1.prepare('INSERT INTO rates_feed (source) VALUES (?) ON CONFLICT DO NOTHING').bind(SOURCE),

  loaded: (snapshot: string): D1PreparedStatement =>
    d1.prepare('UPDATE rates_feed SET snapshot = ?2 WHERE source = ?1').bind(SOURCE, snapshot),

  /** False when another takes care of this round, or it is done. */
  async claim(round: string, at: { now: number; until: number }): Promise<boolean> {
    const claimed = await d1
      .prepare(
        `UPDATE rates_feed SET lease_until = ?4
         WHERE source = ?1 AND round < ?2 AND lease_until <= ?3 AND next_try_at <= ?3`,
      )
      .bind(SOURCE, round, at.now, at.until)
      .run()
    return claimed.meta.changes > 0
  },

  done: (round: string, now: number): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE rates_feed SET round = max(round, ?2), fetched_at = ?3, failing_since = NULL, tries = 0, next_try_at = 0,
           lease_until = 0 WHERE source = ?1`,
      )
      .bind(SOURCE, round, now),

  /** Fetched, but the day that was expected is not there yet. */
  late: (now: number, nextTryAt: number): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE rates_feed SET fetched_at = ?2, failing_since = NULL, tries = tries + 1, next_try_at = ?3, lease_until = 0
         WHERE source = ?1`,
      )
      .bind(SOURCE, now, nextTryAt),

  failed: (now: number, nextTryAt: number): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE rates_feed SET failing_since = coalesce(failing_since, ?2), tries = tries + 1, next_try_at = ?3,
           lease_until = 0 WHERE source = ?1`,
      )
      .bind(SOURCE, now, nextTryAt),
})
