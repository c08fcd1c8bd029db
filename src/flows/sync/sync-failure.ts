import { SourceError } from '../../connectors/contract'
import { sourceErrorOf } from '../../connectors/failures'
import { ProductError } from '../../shared/errors'
import type { ConnectionFailure } from '../../shared/data-sources/connections'
import { SOURCE_FAILED_REASONS } from '../../shared/data-sources/connectors'

/** Why a sync ended, and how long the source asked us to wait. Plain: it crosses steps. */
export interface SyncFailure extends ConnectionFailure {
  retryAfterMs?: number
}

export const driftFailure = (
  message: string,
  mend: string,
  acceptable: ConnectionFailure['acceptable'] | null,
): SyncFailure => ({
  code: 'source_failed',
  reason: 'drift',
  message,
  mend,
  ...(acceptable ? { acceptable } : {}),
})

/** What was thrown as a failure in words; null for what is our own fault. `title` is the source's own name. */
export function failureOf(thrown: unknown, title: string): SyncFailure | null {
  if (thrown instanceof LoopError) return loopFailure(title)
  if (thrown instanceof StepTimeoutError) return timeoutFailure(title)
  const error = sourceErrorOf(thrown, title)
  if (error instanceof SourceError) {
    const { reason, message, mend, retryAfterMs } = error
    return { code: 'source_failed', reason, message, mend, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
  }
  if (!(error instanceof ProductError)) return null
  if (error.code === 'source_failed') return metByWarehouse(error)
  if (error.code === 'query_too_complex') return tooComplexFailure(title)
  if (error.code === 'credential_unreadable')
    return {
      code: 'credential_unreadable',
      reason: 'credential',
      message: error.message,
      mend: 'Enter the credentials again.',
    }
  if (error.code === 'file_unreadable' || error.code === 'too_large' || error.code === 'invalid_input')
    return {
      code: 'source_failed',
      reason: error.code === 'too_large' ? 'too_large' : 'drift',
      message: `${title}: ${error.message}`,
      mend: 'Check the file at the source. We’ll try again.',
    }
  return null
}

/** What the warehouse was refused where it asked a live table's database itself. */
function metByWarehouse({ message, details: { reason, mend } }: ProductError): SyncFailure {
  return {
    ...{ code: 'source_failed', message },
    reason: SOURCE_FAILED_REASONS.find((known) => known === reason) ?? 'down',
    mend: typeof mend === 'string' ? mend : 'We’ll try again.',
  }
}

/** A source whose pages come around again. */
export class LoopError extends Error {}
/** A source that hangs past the time of its step. */
export class StepTimeoutError extends Error {}

export const loopFailure = (title: string): SyncFailure =>
  driftFailure(`${title} sent the same page twice.`, 'We’ll try again. If it keeps failing, contact its support.', null)

/** A table that had rows and has none. */
export const emptyFailure = (table: string): SyncFailure =>
  driftFailure(
    `${table} has no rows at the source. Existing data is unchanged.`,
    'Check the source, or accept the empty table.',
    'empty',
  )

/** A live table that no statement of an acceptable size asks for. */
const tooComplexFailure = (title: string): SyncFailure => ({
  code: 'source_failed',
  reason: 'too_large',
  message: `${title}: a live table is too large to be asked.`,
  mend: 'Import the table instead, or choose fewer columns.',
})

const timeoutFailure = (title: string): SyncFailure => ({
  code: 'source_failed',
  reason: 'timeout',
  message: `${title} didn’t answer in time.`,
  mend: 'We’ll try again. If it keeps failing, check the server.',
})

export const internalFailure = (): SyncFailure => ({
  code: 'internal',
  reason: 'internal',
  message: 'Something went wrong on our side.',
  mend: 'We’ll try again.',
})
