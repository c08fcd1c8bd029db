import { scopeOf, type AppContext } from './context'
import { findStoredReply, type StoredReply } from '../db/commit'
import { hmacSha256Hex } from '../lib/hash'
import { ProductError } from '../shared/errors'
import type { Scope } from '../scope'

/**
 * Repeated writes. A call may carry `Idempotency-Key`; its answer is stored in the batch of the change, and the same
 * call again answers the stored one without doing it again. The pattern of a route:
 *
 *     const reply: Reply = (body) => replyFor(c, 201, body)
 *     const made = await create(deps, scope, c.req.valid('json'), reply)   // passes reply(made) to commit()
 *     return c.json(made, 201)
 *
 * Beside it lies a hash of the body, keyed by the secret of the installation: a body may hold credentials of a source, and
 * nobody who reads the database can try them against it. Answers that hold a secret are not stored. Register, sign-in and
 * sign-out store nothing: their answers set cookies. Nor does any call whose body may hold a password (`jsonBody` sees to
 * it). Repeating them is harmless (409, a new session, 404, nothing).
 */
export type ReplyFactory = (body: unknown) => StoredReply | null

const KEY_PATTERN = /^[\x21-\x7e]{1,100}$/
const WRITE_METHODS = new Set(['POST', 'PUT', 'DELETE'])

/** Where an earlier answer to this call would be stored; `null` for reads and calls without a key. */
export function idempotencyKeyOf(c: AppContext): { key: string; route: string } | null {
  const key = c.req.header('idempotency-key')
  if (key === undefined || !WRITE_METHODS.has(c.req.method)) return null
  if (!KEY_PATTERN.test(key))
    throw new ProductError('invalid_input', { fields: { 'Idempotency-Key': 'Up to 100 printable characters.' } })
  return { key, route: routeKey(c) }
}

const routeKey = (c: AppContext): string =>
  `${c.req.method} ${c.req.path} ${c.req.header('x-workspace') ?? c.req.query('w') ?? ''}`

/** The earlier answer to this very call, if there is one. @throws ProductError when the key was used for another body. */
export async function replayPreviousReply(c: AppContext, bodyText: string): Promise<Response | null> {
  const question = idempotencyKeyOf(c)
  if (!question) return null
  const { SESSION_SECRET } = c.get('deps').settings
  const bodyHash = await hmacSha256Hex(SESSION_SECRET, `repeated write\n${new URL(c.req.url).search}\n${bodyText}`)
  c.set('idempotency', { ...question, bodyHash })
  const earlier = c.get('earlierReply')
  if (!earlier) return null
  if (earlier.bodyHash !== bodyHash) throw keyReusedError()
  return replayResponse(earlier)
}

/** The answer to store with the change; `null` when the call carries no key. */
export function toStoredReply(c: AppContext, status: number, body: unknown): StoredReply | null {
  const idempotency = c.get('idempotency')
  const actor = c.get('actor')
  if (!idempotency || !actor) return null
  const { key, route, bodyHash } = idempotency
  return { key, scope: `${actor.userId} ${route}`, bodyHash, status, body }
}

/** Two equal calls at once: the one that lost on the key answers what the winner stored. */
export async function replayConcurrentReply(c: AppContext): Promise<Response | null> {
  const mine = toStoredReply(c, 0, null)
  if (!mine) return null
  const row = await findStoredReply(c.get('deps').db, mine)
  if (!row) return null
  if (row.body_hash !== mine.bodyHash) throw keyReusedError()
  return replayResponse(row)
}

const keyReusedError = (): ProductError =>
  new ProductError('invalid_input', { fields: { 'Idempotency-Key': 'This key was used for another call.' } })

const replayResponse = (reply: { status: number; body: string }): Response =>
  new Response(reply.body, {
    status: reply.status,
    headers: { 'content-type': 'application/json', 'idempotency-replayed': 'true' },
  })

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
