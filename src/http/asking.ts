import { scopeOf } from './context'
import type { AppContext } from './context'
import { toStoredReply } from './idempotency'
import type { ReplyFactory } from './idempotency'
import type { Scope } from '../access/scope'

/** Whose rights a write has, and how its answer is kept for the same call again. */
export interface WriteContext {
  scope: Scope
  reply: ReplyFactory
}

/** What a write is given that answers with this status. */
export const writeContext = (c: AppContext, status: number): WriteContext => ({
  scope: scopeOf(c),
  reply: (answer) => toStoredReply(c, status, answer),
})
