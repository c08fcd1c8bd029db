import { toIsoOrNull } from '../lib/iso'
import { Temporal } from 'temporal-polyfill'
import type { Membership, Scope } from '../scope'
import type { Database } from '../db/database'
import { countTowardLimitSql } from './limits'
import { takenSeatsSql } from './seats'
import { LIMIT_NAMES, type LimitName } from '../shared/billing/plans'
import type { LimitUsage } from '../shared/billing/subscription'

/**
 * What messages of the bot are counted against: a month of billing, or the whole trial; a month of the workspace's
 * calendar where nothing is billed.
 */
export interface QuotaPeriod {
  period: string
  /** Epoch ms at which counting begins anew; null = it does not. */
  resetsAt: number | null
}

/** The allowance that holds at an instant (epoch ms). */
export function quotaPeriodAt({ entitlements, settings }: QuotaHolder, now: number): QuotaPeriod {
  const { state, periodEndsAt } = entitlements
  if (state === 'trialing' || state === 'trial_expired') return { period: 'trial', resetsAt: null }
  if (periodEndsAt !== null) return billingMonthAt(periodEndsAt, now)
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(settings.timeZone).toPlainDate()
  const next = today.with({ day: 1 }).add({ months: 1 })
  return {
    period: today.toPlainYearMonth().toString(),
    resetsAt: next.toZonedDateTime(settings.timeZone).epochMilliseconds,
  }
}
/** The month of billing at an instant: a year that is paid at once has twelve. It is named by the day of its end. */
function billingMonthAt(periodEndsAt: number, now: number): QuotaPeriod {
  const end = Temporal.Instant.fromEpochMilliseconds(periodEndsAt).toZonedDateTimeISO('UTC')
  const at = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO('UTC')
  // Whole months that lie between, rounded to the end of the month of billing that `now` is in. Counted from the end
  // itself, so that a month without its day shortens no other; such a month may have ended although it is not whole.
  const whole = end.since(at, { largestUnit: 'months' }).months
  const ends = [whole - 2, whole - 1, whole, whole + 1].map((months) => end.subtract({ months }).epochMilliseconds)
  const resetsAt = Math.min(...ends.filter((instant) => instant > now))
  return { period: new Date(resetsAt).toISOString().slice(0, 10), resetsAt }
}
/** Whose allowance. */
export type QuotaHolder = Pick<Membership, 'entitlements' | 'settings'>

/** How many messages of a period are used: `?1` the workspace, `period` the name of a parameter. */
const messagesUsedSql = (period: string): string =>
  `coalesce((SELECT used FROM allowances WHERE workspace_id = ?1 AND name = 'aiMessages' AND period = ${period}), 0)`

/**
 * Messages of the bot that a model answers. One is taken in the statement that counts it, so that many at once are never
 * more than the plan has.
 */
export function aiMessages(
  { d1 }: Database,
  { workspaceId }: Scope,
  { now, ...holder }: QuotaHolder & { now: number },
) {
  const { period } = quotaPeriodAt(holder, now)
  const max = holder.entitlements.features.aiMessages
  return {
    /** False: none is left in this period. */
    async take(): Promise<boolean> {
      const taken = await d1
        .prepare(
          `INSERT INTO allowances (workspace_id, name, period, used) SELECT ?1, 'aiMessages', ?2, 1 WHERE ?3 IS NULL OR ?3 > 0
           ON CONFLICT (workspace_id, name, period) DO UPDATE SET used = used + 1 WHERE ?3 IS NULL OR used < ?3`,
        )
        .bind(workspaceId, period, max)
        .run()
      return taken.meta.changes > 0
    },
    /** It was no answer. */
    async giveBack(): Promise<void> {
      await d1
        .prepare(
          "UPDATE allowances SET used = used - 1 WHERE workspace_id = ?1 AND name = 'aiMessages' AND period = ?2 AND used > 0",
        )
        .bind(workspaceId, period)
        .run()
    },
  }
}

const SEAT_PARAMS = { workspace: '?1', now: '?2' }
/** How each limit is counted; what is not listed has nothing to count yet. The sample company counts against nothing. */
const USED_SQL: Partial<Record<LimitName, string>> = {
  analysts: takenSeatsSql('analysts', SEAT_PARAMS),
  users: takenSeatsSql('users', SEAT_PARAMS),
  dataSources: countTowardLimitSql('source', '?1'),
  customInsights: countTowardLimitSql('insight', '?1'),
  groupings: countTowardLimitSql('grouping', '?1'),
  activeForecasts: countTowardLimitSql('forecast', '?1'),
  aiMessages: messagesUsedSql('?3'),
}
const SELECT_USAGE = `SELECT ${Object.entries(USED_SQL)
  .map(([name, count]) => `${count} AS ${name}`)
  .join(', ')}`

/** How much of every limit is used at `now` (epoch ms), as the limits themselves count. */
export async function readUsage(
  { d1 }: Database,
  { workspaceId }: Scope,
  { now, ...counted }: QuotaHolder & { now: number },
): Promise<LimitUsage[]> {
  const { period, resetsAt } = quotaPeriodAt(counted, now)
  const used = await d1.prepare(SELECT_USAGE).bind(workspaceId, now, period).first<Partial<Record<LimitName, number>>>()
  return LIMIT_NAMES.map((limit) => ({
    limit,
    used: used?.[limit] ?? 0,
    max: counted.entitlements.features[limit],
    resetsAt: limit === 'aiMessages' ? toIsoOrNull(resetsAt) : null,
  }))
}
