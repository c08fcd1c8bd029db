import { ApiError, NetworkError } from './api'
import { AppCheckError } from './app-check'
import { formatDate } from '../../src/shared/figures/formatter'
import { ERRORS, type ErrorBody, type ErrorCode } from '../../src/shared/errors'
import type { ReadOnlyReason } from '../../src/shared/billing/entitlements'

export interface ErrorDescription {
  title: string
  /** What to do now; empty where the marked fields say it. */
  advice: string
  /** Shown only for faults of ours, where it helps to quote it. */
  requestId: string | null
}

/** Seconds to wait before the next try; 0 when the refusal names none. */
export function retryAfterSeconds(error: unknown): number {
  const seconds: unknown = error instanceof ApiError ? error.body['retryAfter'] : 0
  return typeof seconds === 'number' ? Math.ceil(seconds) : 0
}

/** What to do where the message itself does not say it. */
const ADVICE_BY_CODE: Partial<Record<ErrorCode, string>> = {
  forbidden: 'Ask an owner or admin.',
  not_found: 'Check the address, or ask the person who shared it.',
  plan_required: 'Existing items keep working.',
  read_only: 'You can still view and export everything.',
  invalid_credentials: 'Check both and try again.',
  version_conflict: 'Reload to see the latest version, then make your change again.',
  limit_reached: 'Remove an item, then try again.',
  too_large: 'Split it and try again.',
  internal: 'Try again. If it happens again, contact support.',
  misconfigured: 'Contact support.',
}

/** The server has said it more exactly than its table of codes. */
const hasServerMessage = ({ code, message }: ErrorBody): boolean => message !== '' && message !== ERRORS[code].message

// A full stop within quotation marks belongs to a name.
const SENTENCES = /^((?:“[^”]*”|[^.“]|\.(?!\s|$))+)\.?(?:\s+(.*))?$/s
/** What happened, and what the message says besides: "Query too large", "Remove measures or breakdowns." */
function splitMessage(message: string): [title: string, rest: string] {
  const [, title = message, rest = ''] = SENTENCES.exec(message) ?? []
  return [title, rest]
}

function adviceFor(body: ErrorBody): string | undefined {
  const { code, message, permission, resetsAt, reason, limit, what } = body
  if (code === 'query_too_complex' && what === 'time') return 'Use fewer breakdowns, a shorter period or a filter.'
  if (code === 'query_too_complex' && what === 'columns')
    return 'Use shorter formulas, or fewer fields from large related datasets.'
  if (reason === 'email_unverified') return 'Open the link we sent you, or send it again from the top of the page.'
  // Nobody but the operator lifts it.
  if (limit === 'invitationReports') return 'Contact support.'
  if (limit === 'bouncedMails') return 'Check the addresses; invitations work again tomorrow.'
  // What is used up comes back with time; nothing can be removed to make room.
  if (code === 'limit_reached' && typeof resetsAt === 'string') return `Resets on ${formatDate(resetsAt)}.`
  const readOnly = code === 'read_only' ? readOnlyReasonOf(reason) : null
  const [, rest] = splitMessage(message)
  if (readOnly && (!hasServerMessage(body) || rest === '')) return READ_ONLY_TEXT[readOnly].stays
  if (rest !== '') return rest
  // A refusal that names no permission is not about a role.
  return code === 'forbidden' && permission === undefined ? undefined : ADVICE_BY_CODE[code]
}

/** What happened: the first sentence of the server's, or of a read-only workspace why it is. */
function titleOf(body: ErrorBody): string {
  const readOnly = body.code === 'read_only' ? readOnlyReasonOf(body.reason) : null
  return readOnly && !hasServerMessage(body) ? READ_ONLY_TEXT[readOnly].title : splitMessage(body.message)[0]
}

const describeWait = (seconds: number): string =>
  seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`

/** Any throw in words for a person: what happened, what to do. */
export function describeError(error: unknown): ErrorDescription {
  if (error instanceof NetworkError)
    return {
      title: 'No connection',
      advice: 'Check your network and try again.',
      requestId: null,
    }
  if (error instanceof AppCheckError)
    return {
      title: 'Couldn’t verify that you’re human',
      advice: 'Allow scripts from challenges.cloudflare.com, then try again.',
      requestId: null,
    }
  if (!(error instanceof ApiError))
    return {
      title: 'Something went wrong',
      advice: 'Reload the page. If it happens again, contact support.',
      requestId: null,
    }
  const { code, requestId } = error.body
  const seconds = retryAfterSeconds(error)
  const wait = seconds > 0 ? `Try again in ${describeWait(seconds)}.` : undefined
  const ours = code === 'internal' || code === 'misconfigured'
  return {
    title: titleOf(error.body),
    advice: wait ?? adviceFor(error.body) ?? (code === 'invalid_input' ? '' : 'Try again shortly.'),
    requestId: ours && requestId !== '' ? requestId : null,
  }
}

const READ_ONLY_REASONS = ['trial_expired', 'awaiting_checkout', 'restricted', 'canceled', 'frozen'] as const

/** Why nothing can be changed right now, and what goes on. `frozen` is said of one thing, the rest of a workspace. */
export const READ_ONLY_TEXT: Record<ReadOnlyReason, { title: string; stays: string }> = {
  trial_expired: {
    title: 'Trial ended',
    stays: 'You can still view and export everything. Choose a plan to import and make changes.',
  },
  awaiting_checkout: {
    title: 'No subscription yet',
    stays: 'You can look around and set up. Choose a plan to import and make changes.',
  },
  restricted: {
    title: 'Payment overdue',
    stays: 'You can still view and export everything. Pay the invoice to import and make changes.',
  },
  canceled: {
    title: 'Subscription ended',
    stays: 'You can still view and export everything.',
  },
  frozen: {
    title: 'Over your plan’s limit',
    stays: 'Read-only until it fits your plan. You can still view and export it.',
  },
}

/** The reason that a refusal names; null for any other text. */
export const readOnlyReasonOf = (text: unknown): ReadOnlyReason | null =>
  READ_ONLY_REASONS.find((reason) => reason === text) ?? null
