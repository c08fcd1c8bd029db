import { actorOf, membershipOf, scopeOf } from './context'
import type { AppContext } from './context'
import { toStoredReply } from './idempotency'
import type { ReplyFactory } from './idempotency'
import type { ReadContext } from '../deps'
import type { Actor, Membership } from '../scope'

/** What a use case of a member takes: who asks, in which workspace, and how the answer is kept for the same call again. */
export interface RequestContext extends ReadContext {
  actor: Actor
  membership: Membership
  reply: ReplyFactory
}

/**
 * The context of this request, whose answer has this status.
 * @throws ProductError `unauthenticated`, `not_found` or `read_only` when the guard before it did not look
 */
export const contextOf = (c: AppContext, status = 200): RequestContext => ({
  deps: c.get('deps'),
  scope: scopeOf(c),
  actor: actorOf(c),
  membership: membershipOf(c),
  reply: (answer) => toStoredReply(c, status, answer),
})
