import { decode, encode } from '@auth/core/jwt'
import { z } from 'zod'
import { CHECK_COOKIES, danceSecret } from './dance'
import type { Begun } from './dance'
import type { AppContext } from '../../http/context'
import { clearPassingCookie, passingCookie, setPassingCookie } from '../../http/cookies'
import { PROVIDERS } from '../../shared/account'

const PENDING = 'insikt_oauth'
/** How long a person may take at the provider. */
const PENDING_SECONDS = 15 * 60

const pendingSchema = z.object({
  provider: z.enum(PROVIDERS),
  /** The state that the provider must bring back: this cookie belongs to one start only. */
  state: z.string(),
  /** Where the browser goes afterwards. */
  returnTo: z.string(),
  /** The session that asked for the connection; null for a sign-in. */
  connect: z.object({ userId: z.string(), sessionHash: z.string() }).nullable(),
})
/** What was asked for at the start, sealed in a cookie until the provider sends the browser back. */
export type Pending = z.output<typeof pendingSchema>

/** Remembers a start in the browser that made it. */
export async function keepPending(c: AppContext, begun: Begun, asked: Omit<Pending, 'state'>): Promise<void> {
  for (const { name, value } of begun.checks) setPassingCookie(c, name, value, PENDING_SECONDS)
  const state = new URL(begun.url).searchParams.get('state') ?? ''
  const seal = { secret: await danceSecret(c), salt: PENDING, maxAge: PENDING_SECONDS }
  setPassingCookie(c, PENDING, await encode({ ...seal, token: { ...asked, state } }), PENDING_SECONDS)
}

/** The start that this return answers; null when there is none, it is too old, or it is another's. */
export async function readPending(c: AppContext): Promise<Pending | null> {
  const token = passingCookie(c, PENDING)
  if (token === undefined) return null
  const opened: unknown = await decode({ secret: await danceSecret(c), salt: PENDING, token }).catch(() => null)
  const parsed = pendingSchema.safeParse(opened)
  return parsed.success && parsed.data.state === c.req.query('state') ? parsed.data : null
}

/** A start is answered once, whatever came of it. */
export function forgetPending(c: AppContext): void {
  for (const name of [PENDING, ...CHECK_COOKIES]) clearPassingCookie(c, name)
}
