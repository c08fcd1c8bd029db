import { scopeOf } from './context'
import type { AppContext } from './context'
import { replyFor } from './idempotency'
import type { Reply } from './idempotency'
import type { Scope } from '../access/scope'

/** Whose rights a write has, and how its answer is kept for the same call again. */
export interface Asking {
  scope: Scope
  reply: Reply
}

/** What a write is given that answers with this status. */
export const asking = (c: AppContext, status: number): Asking => ({
  scope: scopeOf(c),
  reply: (answer) => replyFor(c, status, answer),
})
