import { assertProvenEmail } from './email-proof'
import { readMemberContext, type MemberContext } from './member-context-store'
import type { Actor } from '../scope'
import type { OutboxEntry } from '../db/commit'
import type { Database } from '../db/database'
import { mailOutboxEntry, type QueuedMail } from '../mail/queued-mail'
import { ProductError } from '../shared/errors'
import type { Clock } from '../shared/ids'

interface MentionContext {
  deps: { db: Database; clock: Clock }
  actor: Actor
  workspaceId: string
  body: string
  mentions: readonly string[]
}

/**
 * Whoever the text names. An id whose name the text does not hold names nobody.
 * @param why says in a sentence why a member may not read what is written (null: they may); `null` asks of who is no member
 * @throws ProductError `invalid_input` with that sentence; `forbidden` for others named by a person without a proven
 * address, as they are told by mail
 */
export async function resolveMentions(
  { deps, actor, workspaceId, body, mentions }: MentionContext,
  why: (person: MemberContext | null) => Promise<string | null>,
): Promise<MemberContext[]> {
  const people = await Promise.all(
    [...new Set(mentions)].map(async (userId) => {
      const person = await readMemberContext(deps, { workspaceId, userId })
      const refusal = await why(person)
      if (refusal !== null) throw new ProductError('invalid_input', { fields: { mentions: refusal } })
      return person
    }),
  )
  const named = people.flatMap((person) => (person && body.includes(`@${person.name}`) ? [person] : []))
  if (named.some(({ userId }) => userId !== actor.userId)) assertProvenEmail(actor)
  return named
}

export const toMentions = (people: readonly MemberContext[]): { userId: string; name: string }[] =>
  people.map(({ userId, name }) => ({ userId, name }))

/** One mail for each who is named, once for a text however often it is changed; none to oneself. */
export const mentionMails = (
  people: readonly MemberContext[],
  of: { actor: Actor; workspaceId: string; textId: string },
  order: (to: string) => QueuedMail,
): OutboxEntry[] =>
  people.flatMap(({ userId, email, notifications }) =>
    email === null || userId === of.actor.userId || !notifications.mentions
      ? []
      : [mailOutboxEntry(order(email), { key: `mentioned:${of.textId}:${userId}`, workspaceId: of.workspaceId })],
  )
