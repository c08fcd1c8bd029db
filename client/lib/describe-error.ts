import { ApiError, NetworkError } from './api'
import { AppCheckError } from './app-check'
import { formatDate } from './format'
import { ERRORS, type ErrorBody, type ErrorCode } from '../../src/shared/errors'
import type { ReadOnlyReason } from '../../src/shared/billing/entitlements'

export interface ErrorDescription {
  title: string
  /** What to do now. */
  advice: string
  /** Shown only for faults of ours, where it helps to quote it. */
  requestId: string | null
}

/** Seconds to wait before the next try; 0 when the refusal names none. */
export function retryAfterSeconds(error: unknown): number {
  const seconds: unknown = error instanceof ApiError ? error.body['retryAfter'] : 0
  return typeof seconds === 'number' ? Math.ceil(seconds) : 0
}

const ADVICE_BY_CODE: Partial<Record<ErrorCode, string>> = {
  bad_request: 'Reload the page and try again.',
  csrf_invalid: 'Reload the page and try again. Nothing was lost on the server.',
  forbidden: 'Ask an owner or administrator of the workspace to do this or to change your role.',
  not_found: 'Check the address, or ask the person who shared it with you.',
  plan_required: 'What you have made with it stays in force.',
  read_only: 'What is stored stays readable.',
  invalid_credentials: 'Check both, then try again.',
  account_exists: 'Use its password on the sign-in page.',
  version_conflict: 'Reload to see the latest version, then make your change again.',
  limit_reached: 'Remove one that is not needed to make room.',
  too_large: 'Split it into smaller parts and try again.',
  invalid_input: 'Look at the marked fields.',
  query_too_complex: 'Use fewer measures, splits or filters.',
  busy: 'Wait a few seconds, then try again.',
  internal: 'Try again. If it happens again, write to us.',
}

/** The server has said it more exactly than its table of codes. */
const hasServerMessage = ({ code, message }: ErrorBody): boolean => message !== '' && message !== ERRORS[code].message
const FIRST_SENTENCE = /^.*?\.(\s+|$)/s

function adviceFor(body: ErrorBody): string | undefined {
  const { code, message, permission, resetsAt, reason, limit, what } = body
  if (code === 'query_too_complex' && what === 'time') return 'Use fewer breakdowns, a shorter period or a filter.'
  if (reason === 'email_unverified') return 'Open the link we sent you, or send it again from the top of the page.'
  // Nobody but the operator lifts it.
  if (limit === 'invitationReports') return 'Contact support.'
  if (limit === 'bouncedMails') return 'Check the addresses; invitations work again tomorrow.'
  // A refusal that names no permission is not about a role.
  if (code === 'forbidden' && permission === undefined) return undefined
  // What is used up comes back with time; nothing can be removed to make room.
  if (code === 'limit_reached' && typeof resetsAt === 'string')
    return `There are new ones from ${formatDate(resetsAt)}.`
  const readOnly = code === 'read_only' ? readOnlyReasonOf(reason) : null
  if (!readOnly) return ADVICE_BY_CODE[code]
  return hasServerMessage(body)
    ? message.replace(FIRST_SENTENCE, '') || READ_ONLY_TEXT[readOnly].stays
    : READ_ONLY_TEXT[readOnly].stays
}

/** What happened: the server's sentence, or of a read-only workspace why it is. */
function titleOf(body: ErrorBody): string {
  const { code, message, reason } = body
  const readOnly = code === 'read_only' ? readOnlyReasonOf(reason) : null
  if (!readOnly) return message.replace(/\.$/, '')
  return hasServerMessage(body) ? (message.split(/\.(?:\s|$)/)[0] ?? message) : READ_ONLY_TEXT[readOnly].title
}

const describeWait = (seconds: number): string =>
  seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`

/** Any throw in words for a person: what happened, what to do. */
export function describeError(error: unknown): ErrorDescription {
  if (error instanceof NetworkError)
    return {
      title: 'No connection',
      advice: 'Check the network. We try again when you do; nothing is lost.',
      requestId: null,
    }
  if (error instanceof AppCheckError)
    return {
      title: 'We could not check that you are a person',
      advice: 'Allow scripts of challenges.cloudflare.com if something blocks them, then try again.',
      requestId: null,
    }
  if (!(error instanceof ApiError))
    return { title: 'This page stumbled', advice: 'Reload it. If it happens again, write to us.', requestId: null }
  const { code, requestId } = error.body
  const seconds = retryAfterSeconds(error)
  const wait = seconds > 0 ? `Try again in ${describeWait(seconds)}.` : undefined
  const ours = code === 'internal' || code === 'misconfigured' || code === 'bad_request'
  return {
    title: titleOf(error.body),
    advice: wait ?? adviceFor(error.body) ?? 'Try again in a moment.',
    requestId: ours && requestId !== '' ? requestId : null,
  }
}

const READ_ONLY_REASONS = ['trial_expired', 'awaiting_checkout', 'restricted', 'canceled', 'frozen'] as const

/** Why nothing can be changed right now, and what goes on. `frozen` is said of one thing, the rest of a workspace. */
export const READ_ONLY_TEXT: Record<ReadOnlyReason, { title: string; stays: string }> = {
  trial_expired: {
    title: 'The trial has ended',
    stays: 'Everything stays readable and can be exported; loads and changes wait for a subscription.',
  },
  awaiting_checkout: {
    title: 'This workspace has no subscription yet',
    stays: 'It can be set up and looked at; adding data and making changes begin with a subscription.',
  },
  restricted: {
    title: 'A payment is missing',
    stays: 'Everything stays readable and can be exported; loads and changes wait until it is paid.',
  },
  canceled: {
    title: 'The subscription has ended',
    stays: 'Everything stays readable and can be exported.',
  },
  frozen: {
    title: 'Frozen: the plan has no room for it',
    stays: 'It stays readable, can be exported and works again as soon as there is room.',
  },
}

/** The reason that a refusal names; null for any other text. */
export const readOnlyReasonOf = (text: unknown): ReadOnlyReason | null =>
  READ_ONLY_REASONS.find((reason) => reason === text) ?? null
