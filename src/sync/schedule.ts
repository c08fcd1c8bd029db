import type { SourceFailedReason } from '../shared/data-sources/connectors'
import type { SourceState } from '../shared/data-sources/source-states'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Waits after the first, second and each further failure in a row. */
const BACKOFF_MS = [5 * MINUTE_MS, 30 * MINUTE_MS, 120 * MINUTE_MS] as const
/** From so many failures in a row on a source counts as failed. */
export const FAILED_AFTER = 3
/** After so many nobody tries it any more until somebody does something. */
export const DEAD_AFTER = 10
/** Sources of one moment are spread over this share of their interval, and over no more than this. */
const JITTER_SHARE = 0.05
const JITTER_MAX_MS = 10 * MINUTE_MS

/** A number from 0 up to 1 that is the same for the same text: what is spread must not move at every look. */
function fractionOf(text: string): number {
  let hash = 2_166_136_261
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619)
  return (hash >>> 0) / 2 ** 32
}

const jitter = (intervalMs: number, seed: string): number =>
  Math.floor(Math.min(JITTER_MAX_MS, intervalMs * JITTER_SHARE) * fractionOf(seed))

/** Hours between two syncs: what the person wants, and never more often than the plan allows. */
export const effectiveHours = (wanted: number, allowed: number): number => Math.max(wanted, allowed)

/** When a sync that begins at `startedAt` is followed by the next (epoch ms). */
export const nextSlotAt = (of: { startedAt: number; hours: number; seed: string }): number =>
  of.startedAt + of.hours * HOUR_MS + jitter(of.hours * HOUR_MS, `${of.seed}.${of.startedAt}`)

/**
 * Whether a source is due. A time that lies further ahead than any schedule can put it was written by a clock that has been
 * set back since: it counts as due, or the source would rest for a year.
 */
export function isDue({ nextAt, hours, now }: { nextAt: number | null; hours: number; now: number }): boolean {
  if (nextAt === null) return false
  return nextAt <= now || nextAt > now + hours * HOUR_MS + JITTER_MAX_MS + MINUTE_MS
}

/** The slot that a due time names. A clock that jumps ahead finds one slot, not all it jumped over. */
export const slotOf = (nextAt: number): string => `at:${nextAt}`

export type FailureReason = SourceFailedReason | 'credential' | 'internal'

/** What follows a failure, of which there were `failures` in a row with this one. */
export interface RetrySchedule {
  state: Extract<SourceState, 'degraded' | 'failed'>
  /** Null: not before somebody does something. */
  nextAt: number | null
  /** Nobody tries it any more. */
  isDead: boolean
}

/** Reasons that no waiting mends. */
const NEEDS_PERSON = new Set<FailureReason>(['auth', 'credential'])

export function scheduleAfterFailure(failure: {
  failures: number
  reason: FailureReason
  now: number
  seed: string
  retryAfterMs?: number | undefined
}): RetrySchedule {
  const { failures, reason, now } = failure
  if (NEEDS_PERSON.has(reason)) return { state: 'failed', nextAt: null, isDead: false }
  const isDead = failures >= DEAD_AFTER
  const wait = BACKOFF_MS[Math.min(failures, BACKOFF_MS.length) - 1] ?? BACKOFF_MS[0]
  const nextAt = now + Math.max(wait, failure.retryAfterMs ?? 0) + jitter(wait, `${failure.seed}.${failures}`)
  return { state: failures >= FAILED_AFTER ? 'failed' : 'degraded', nextAt: isDead ? null : nextAt, isDead }
}

/** What a connection is in, as far as itself and its syncs can say. */
export function connectionState(of: {
  frozen: boolean
  paused: boolean
  syncing: boolean
  failures: number
  failure: { reason: string } | null
  succeededAt: number | null
  delivery: 'pull' | 'push'
}): SourceState {
  if (of.frozen) return 'frozen'
  if (of.syncing) return of.succeededAt === null ? 'connecting' : 'syncing'
  if (of.paused) return 'paused'
  if (of.failure)
    return of.failures >= FAILED_AFTER || of.failure.reason === 'auth' || of.failure.reason === 'credential'
      ? 'failed'
      : 'degraded'
  return of.succeededAt === null ? 'draft' : 'ready'
}
