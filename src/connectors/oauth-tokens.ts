import { z } from 'zod'
import { SourceError, type Connection, type ConnectorContext } from './contract'
import { sourceErrorOf } from './failures'
import { accessLost, jsonOf, unexpectedAnswer } from './vendor-calls'

const tokensSchema = z.object({
  access_token: z.string().min(1),
  expires_in: z.coerce.number(),
  refresh_token: z.string().optional(),
})

/** Renewed this long before its end: a call takes time, and clocks differ. */
const EARLY_MS = 5 * 60_000

/** Whether an access token is to be renewed before the next call. */
export const isTokenDue = ({ expiresAt = '0' }: Connection['secrets'], now: number): boolean =>
  Number(expiresAt) - EARLY_MS <= now

/** How the vendor wants to know which app asks. */
export type ClientProof = 'basic' | 'form'

export interface TokenRequest {
  vendor: string
  /** Name of the origin, and path of the vendor's token endpoint there. */
  origin: string
  path: string
  proof: ClientProof
  form: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
}

/**
 * Tokens for what a form grants, as secrets of a connection. A refresh token is among them where the vendor gives one.
 * @throws SourceError `auth` where the grant is worth nothing any more
 */
export async function requestTokens(context: ConnectorContext, request: TokenRequest): Promise<Record<string, string>> {
  const { vendor, origin, path, proof, form, headers = {} } = request
  const { clientId = '', clientSecret = '' } = context.operator
  const basic = { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` }
  const own = proof === 'form' ? { client_id: clientId, client_secret: clientSecret } : {}
  const call = {
    ...{ origin, path, method: 'POST' as const },
    headers: {
      ...(proof === 'basic' ? basic : {}),
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
      ...headers,
    },
    body: new URLSearchParams({ ...form, ...own }).toString(),
  }
  const response = await context.doors.operator(call).catch((error: unknown) => {
    throw sourceErrorOf(error, vendor)
  })
  const { status } = response
  if (status !== 200) await response.body.cancel().catch(() => undefined)
  if (status === 400 || status === 401 || status === 403) throw accessLost(vendor)
  if (status !== 200)
    throw new SourceError('down', { message: `${vendor}’s sign-in doesn’t answer.`, mend: 'We’ll try again.' })
  const parsed = tokensSchema.safeParse(await jsonOf(response, vendor))
  if (!parsed.success) throw unexpectedAnswer(vendor)
  const { access_token: accessToken, expires_in: seconds, refresh_token: refreshToken } = parsed.data
  const expiresAt = String(context.clock.now() + seconds * 1000)
  return { accessToken, expiresAt, ...(refreshToken === undefined ? {} : { refreshToken }) }
}
