import { DAY_MS } from '../../../src/shared/dates'
import { formatPersonCount } from '../../../src/shared/figures/formatter'
import type { InviteResult, InviteState } from '../../../src/shared/invites'

type Outcome = InviteResult['outcome']
interface OutcomeText {
  words: string
  tone: 'good' | 'muted' | 'bad'
  /** Goes back into the form to be mended or tried again. */
  retry: boolean
}

/** What became of one address. */
export const OUTCOME_TEXT: Record<Outcome, OutcomeText> = {
  sent: { words: 'Invited', tone: 'good', retry: false },
  renewed: {
    words: 'Resent; the earlier link is void',
    tone: 'good',
    retry: false,
  },
  repeated: { words: 'Duplicate; invited once', tone: 'muted', retry: false },
  member: { words: 'Already a member', tone: 'muted', retry: false },
  invalid: { words: 'Enter an address like name@company.com', tone: 'bad', retry: true },
  wrong_domain: { words: 'Domain not allowed in workspace settings', tone: 'bad', retry: true },
  reported: { words: 'Reported an invitation; can’t be invited again', tone: 'bad', retry: false },
  no_seat: { words: 'No seats left', tone: 'bad', retry: true },
}

/** "3 people invited, 2 addresses not sent" */
export function describeSent(lines: readonly Pick<InviteResult, 'outcome'>[]): string {
  const sent = lines.filter(({ outcome }) => outcome === 'sent' || outcome === 'renewed').length
  const mend = lines.filter(({ outcome }) => OUTCOME_TEXT[outcome].retry).length
  const first = sent === 0 ? 'No invitations sent' : `${formatPersonCount(sent)} invited`
  if (mend === 0) return first
  return `${first}, ${mend === 1 ? '1 address' : `${mend} addresses`} to check`
}

export const STATE_LABELS: Record<InviteState, { words: string; tone: 'accent' | 'yellow' | 'green' | 'gray' }> = {
  pending: { words: 'Pending', tone: 'accent' },
  expired: { words: 'Expired', tone: 'yellow' },
  accepted: { words: 'Accepted', tone: 'green' },
  revoked: { words: 'Revoked', tone: 'gray' },
}

/** "expires in 6 days", "expired yesterday". `now` in epoch ms. */
export function describeExpiry(expiresAt: string, now: number): string {
  const days = (Date.parse(expiresAt) - now) / DAY_MS
  const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
  if (days <= 0) return days > -1 ? 'expired today' : `expired ${relative.format(Math.ceil(days), 'day')}`
  if (days >= 1) return `expires ${relative.format(Math.round(days), 'day')}`
  const hours = Math.floor(days * 24)
  return hours < 1 ? 'expires within the hour' : `expires ${relative.format(hours, 'hour')}`
}
