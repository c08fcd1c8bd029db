import type { Context } from 'hono'
import { Scope, type Actor, type Membership, type Staff } from '../scope'
import { overLimit } from '../entitlements/limits'
import type { PreviousReply } from '../identity/session-store'
import type { Deps } from '../deps'
import { STAFF_SESSION_MS } from '../shared/admin'
import { ProductError } from '../shared/errors'
import type { BackgroundTasks } from '../lib/background-tasks'
import type { Env } from '../bindings'

interface RequestVariables {
  requestId: string
  secureHeadersNonce: string
  deps: Deps
  /** Who asks; null before sign-in. Set by the session middleware. */
  actor: Actor | null
  /** SHA-256 of the session cookie that came, whether or not it still lets anyone in. */
  sessionHash: string | null
  /** Token of forged-request protection that this answer hands out; null until it is asked for. */
  csrfToken: string | null
  /** What this very call answered before, found in the session's read. */
  earlierReply: PreviousReply | null
  /** The idempotency key of this write, once checked. */
  idempotency: { key: string; route: string; bodyHash: string } | null
}
export type AppEnv = { Bindings: Env; Variables: RequestVariables }
export type AppContext = Context<AppEnv>

export const backgroundTasksOf = (c: AppContext): BackgroundTasks => ({
  waitUntil: (promise) => c.executionCtx.waitUntil(promise),
})

/** The signed-in person of this request. Routes that call it stand behind a guard. */
export function actorOf(c: AppContext): Actor {
  const actor = c.get('actor')
  if (!actor) throw new ProductError('unauthenticated')
  return actor
}

/**
 * The membership in the workspace that this request names.
 * @throws ProductError `read_only` when the plan has no room for this member
 */
export function membershipOf(c: AppContext): Membership {
  const membership = actorOf(c).membership
  if (!membership) throw new ProductError('not_found')
  if (membership.seat === 'none') throw overLimit(NO_SEAT_MESSAGE)
  return membership
}

/**
 * The operator's person of this request. To everybody else the place does not exist.
 * @throws ProductError `not_found`; `unauthenticated` when the sign-in is too old for this
 */
export function staffOf(c: AppContext): Staff {
  const { staff, signedInAt, userId } = actorOf(c)
  if (!staff) throw new ProductError('not_found')
  if (c.get('deps').clock.now() - signedInAt > STAFF_SESSION_MS)
    throw new ProductError('unauthenticated', {}, 'Sign in again. Administration requires it every 12 hours.')
  return { userId }
}

const NO_SEAT_MESSAGE = 'This workspace’s plan has no seat for you. Ask an owner or admin.'

/** The key to data for this request: what stores and the warehouse are built for. */
export const scopeOf = (c: AppContext): Scope => Scope.forMember(actorOf(c), membershipOf(c))
