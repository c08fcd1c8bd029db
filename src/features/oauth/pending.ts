import { decode, encode } from '@auth/core/jwt'
import { z } from 'zod'
import { CHECK_COOKIES, oauthCookieSecret } from './dance'
import type { StartedAuthorization } from './dance'
import type { AppContext } from '../../http/context'
import { clearTransientCookie, transientCookie, setTransientCookie } from '../../http/cookies'
import { IDENTITY_PROVIDERS } from '../../shared/account'

const PENDING_COOKIE = 'insikt_oauth'
/** How long a person may take at the provider. */
const PENDING_TTL_SECONDS = 15 * 60

const pendingSchema = z.object({
  provider: z.enum(IDENTITY_PROVIDERS),
  /** The state that the provider must bring back: this cookie belongs to one start only. */
  state: z.string(),
  /** Where the browser goes afterwards. */
  returnTo: z.string(),
  /** The session that asked for the connection; null for a sign-in. */
  connect: z.object({ userId: z.string(), sessionHash: z.string() }).nullable(),
})
/** What was asked for at the start, sealed in a cookie until the provider sends the browser back. */
export type PendingAuthorization = z.output<typeof pendingSchema>

/** Remembers a start in the browser that made it. */
export async function storePendingAuthorization(
  c: AppContext,
  started: StartedAuthorization,
  request: Omit<PendingAuthorization, 'state'>,
): Promise<void> {
  for (const { name, value } of started.checks) setTransientCookie(c, name, value, PENDING_TTL_SECONDS)
  const state = new URL(started.url).searchParams.get('state') ?? ''
  const seal = { secret: await oauthCookieSecret(c), salt: PENDING_COOKIE, maxAge: PENDING_TTL_SECONDS }
  setTransientCookie(c, PENDING_COOKIE, await encode({ ...seal, token: { ...request, state } }), PENDING_TTL_SECONDS)
}

/** The start that this return answers; null when there is none, it is too old, or it is another's. */
export async function readPendingAuthorization(c: AppContext): Promise<PendingAuthorization | null> {
  const token = transientCookie(c, PENDING_COOKIE)
  if (token === undefined) return null
  const decoded: unknown = await decode({ secret: await oauthCookieSecret(c), salt: PENDING_COOKIE, token }).catch(
    () => null,
  )
  const parsed = pendingSchema.safeParse(decoded)
  return parsed.success && parsed.data.state === c.req.query('state') ? parsed.data : null
}

/** A start is answered once, whatever came of it. */
export function clearPendingAuthorization(c: AppContext): void {
  for (const name of [PENDING_COOKIE, ...CHECK_COOKIES]) clearTransientCookie(c, name)
}
