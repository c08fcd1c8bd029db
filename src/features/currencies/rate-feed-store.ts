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

/** How a round ended: done, or to be tried again because the day that was expected is not there yet. */
type RoundEnd = { round: string; now: number } | { nextTryAt: number; now: number }

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

  /** The rates that come with the product. Fetched ones stay. */
  async load(days: readonly EcbDailyRates[], snapshot: string): Promise<void> {
    await d1.batch([
      d1.prepare('INSERT INTO rates_feed (source) VALUES (?) ON CONFLICT DO NOTHING').bind(SOURCE),
      ...insertDays(d1, days, 'DO NOTHING'),
      d1.prepare('UPDATE rates_feed SET snapshot = ?2 WHERE source = ?1').bind(SOURCE, snapshot),
    ])
  },

  /** Fetched rates, in the place of those that were known of their days. */
  async save(days: readonly EcbDailyRates[], end: RoundEnd): Promise<void> {
    const correct = 'DO UPDATE SET rates = excluded.rates, source = excluded.source WHERE rates <> excluded.rates'
    const ended =
      'round' in end
        ? d1
            .prepare(
              `UPDATE rates_feed SET round = max(round, ?2), fetched_at = ?3, failing_since = NULL, tries = 0,
                 next_try_at = 0, lease_until = 0 WHERE source = ?1`,
            )
            .bind(SOURCE, end.round, end.now)
        : d1
            .prepare(
              `UPDATE rates_feed SET fetched_at = ?2, failing_since = NULL, tries = tries + 1, next_try_at = ?3,
                 lease_until = 0 WHERE source = ?1`,
            )
            .bind(SOURCE, end.now, end.nextTryAt)
    await d1.batch([...insertDays(d1, days, correct), ended])
  },

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

  async failed(now: number, nextTryAt: number): Promise<void> {
    await d1
      .prepare(
        `UPDATE rates_feed SET failing_since = coalesce(failing_since, ?2), tries = tries + 1, next_try_at = ?3,
           lease_until = 0 WHERE source = ?1`,
      )
      .bind(SOURCE, now, nextTryAt)
      .run()
  },
})

/** Days, and what becomes of those that are known already. The version tells of any change. */
function insertDays(d1: D1Database, days: readonly EcbDailyRates[], onKnown: string): D1PreparedStatement[] {
  const batches = Array.from({ length: Math.ceil(days.length / BATCH_DAYS) }, (_, i) =>
    days.slice(i * BATCH_DAYS, (i + 1) * BATCH_DAYS),
  )
  return batches.flatMap((batch) => [
    d1
      .prepare(
        `INSERT INTO reference_days (day, source, rates)
         SELECT value ->> 'day', ?1, value -> 'rates' FROM json_each(?2) WHERE 1 ON CONFLICT (day) ${onKnown}`,
      )
      .bind(SOURCE, JSON.stringify(batch)),
    d1.prepare('UPDATE rates_feed SET version = version + 1 WHERE source = ? AND changes() > 0').bind(SOURCE),
  ])
}
