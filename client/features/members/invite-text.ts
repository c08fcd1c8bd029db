import { DAY_MS } from '../../../src/shared/dates'
import { formatPersonCount } from '../../lib/format'
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
    words: 'Invited before: a new mail is on its way, the earlier link is dead',
    tone: 'good',
    retry: false,
  },
  repeated: { words: 'Stands in the list twice; invited once', tone: 'muted', retry: false },
  member: { words: 'Is a member already', tone: 'muted', retry: false },
  invalid: { words: 'Not an address. Write it like name@company.com', tone: 'bad', retry: true },
  wrong_domain: { words: 'Outside the mail domains in the workspace’s settings', tone: 'bad', retry: true },
  reported: { words: 'Reported an earlier invitation; can’t be invited again', tone: 'bad', retry: false },
  no_seat: { words: 'No seat was left: make room, then send again', tone: 'bad', retry: true },
}

/** "Invited 3 people. 2 addresses need another look." */
export function describeSent(lines: readonly Pick<InviteResult, 'outcome'>[]): string {
  const sent = lines.filter(({ outcome }) => outcome === 'sent' || outcome === 'renewed').length
  const mend = lines.filter(({ outcome }) => OUTCOME_TEXT[outcome].retry).length
  const first = sent === 0 ? 'Nobody was invited.' : `Invited ${formatPersonCount(sent)}.`
  if (mend === 0) return first
  return `${first} ${mend === 1 ? '1 address needs' : `${mend} addresses need`} another look.`
}

export const STATE_LABELS: Record<InviteState, { words: string; tone: 'accent' | 'yellow' | 'green' | 'gray' }> = {
  pending: { words: 'Open', tone: 'accent' },
  expired: { words: 'Expired', tone: 'yellow' },
  accepted: { words: 'Accepted', tone: 'green' },
  revoked: { words: 'Revoked', tone: 'gray' },
}

/** "ends in 6 days", "ended yesterday". `now` in epoch ms. */
export function describeExpiry(expiresAt: string, now: number): string {
  const days = (Date.parse(expiresAt) - now) / DAY_MS
  const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
  if (days <= 0) return days > -1 ? 'ended today' : `ended ${relative.format(Math.ceil(days), 'day')}`
  if (days >= 1) return `ends ${relative.format(Math.round(days), 'day')}`
  const hours = Math.floor(days * 24)
  return hours < 1 ? 'ends within the hour' : `ends ${relative.format(hours, 'hour')}`
}
