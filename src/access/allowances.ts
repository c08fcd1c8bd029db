import { Temporal } from 'temporal-polyfill'
import type { Membership } from './actor'
import type { Scope } from './scope'
import type { Database } from '../db/database'
import type { Clock } from '../shared/ids'
import { ProductError } from '../shared/errors'

/** What messages of the bot are counted against: a month of the workspace's calendar, or the whole trial. */
export interface QuotaPeriod {
  period: string
  /** Epoch ms at which counting begins anew; null = it does not. */
  resetsAt: number | null
}

/** The allowance that holds at an instant (epoch ms). */
export function quotaPeriodAt({ entitlements, settings }: QuotaHolder, now: number): QuotaPeriod {
  const { state } = entitlements
  if (state === 'trialing' || state === 'trial_expired') return { period: 'trial', resetsAt: null }
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(settings.timeZone).toPlainDate()
  const next = today.with({ day: 1 }).add({ months: 1 })
  return {
    period: today.toPlainYearMonth().toString(),
    resetsAt: next.toZonedDateTime(settings.timeZone).epochMilliseconds,
  }
}
/** Whose allowance. */
export type QuotaHolder = Pick<Membership, 'entitlements' | 'settings'>

/** How many messages of a period are used: `?1` the workspace, `period` the name of a parameter. */
export const messagesUsedSql = (period: string): string =>
  `coalesce((SELECT used FROM allowances WHERE workspace_id = ?1 AND name = 'aiMessages' AND period = ${period}), 0)`

/**
 * Takes one message of the bot, before it answers.
 * @throws ProductError `limit_reached` when none is left, with the instant of the next
 */
export async function consumeAiMessage(
  deps: { db: Database; clock: Clock },
  { workspaceId }: Scope,
  membership: QuotaHolder,
): Promise<void> {
  const max = membership.entitlements.features.aiMessages
  const { period, resetsAt } = quotaPeriodAt(membership, deps.clock.now())
  const taken = await deps.db.d1
    .prepare(
      `INSERT INTO allowances (workspace_id, name, period, used) SELECT ?1, 'aiMessages', ?2, 1 WHERE ?3 IS NULL OR ?3 > 0
       ON CONFLICT (workspace_id, name, period) DO UPDATE SET used = used + 1 WHERE ?3 IS NULL OR used < ?3`,
    )
    .bind(workspaceId, period, max)
    .run()
  if (taken.meta.changes > 0) return
  const used = await deps.db.d1
    .prepare(`SELECT ${messagesUsedSql('?2')} AS used`)
    .bind(workspaceId, period)
    .first<number>('used')
  throw new ProductError('limit_reached', {
    ...{ limit: 'aiMessages', used: used ?? 0, max },
    resetsAt: resetsAt === null ? null : new Date(resetsAt).toISOString(),
  })
}
