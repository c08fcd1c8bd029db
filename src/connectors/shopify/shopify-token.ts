import { z } from 'zod'
import { accessRefused, callStore, SHOPIFY } from './shopify-store'
import type { Connection, ConnectorContext, Renewal } from '../contract'
import { assertAnswered } from '../failures'
import { isTokenDue } from '../oauth-tokens'
import { jsonOf, unexpectedAnswer } from '../vendor-calls'

const issuedSchema = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() })

/** Of which secret a token was made: with another one it is worth nothing here. */
const isStale = (secrets: Connection['secrets'], now: number): boolean =>
  secrets['issuedFor'] !== secrets['clientSecret'] || isTokenDue(secrets, now)

const isOfApp = ({ clientSecret }: Connection['secrets']): boolean => clientSecret !== undefined

/** The token to call with; null where one is to be asked for first. */
export function tokenOf({ connection: { secrets }, clock }: ConnectorContext): string | null {
  if (!isOfApp(secrets)) return secrets['token'] ?? ''
  return isStale(secrets, clock.now()) ? null : (secrets['accessToken'] ?? null)
}

/** A token for a day, for the app's own credentials (OAuth 2.0 client credentials). @throws SourceError */
export async function issueToken(context: ConnectorContext): Promise<{ accessToken: string; expiresAt: string }> {
  const { settings, secrets } = context.connection
  const form = {
    grant_type: 'client_credentials',
    client_id: settings['clientId'] ?? '',
    client_secret: secrets['clientSecret'] ?? '',
  }
  const response = await callStore(context, {
    path: '/admin/oauth/access_token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  })
  const { status } = response
  if (status < 200 || status >= 300) await response.body.cancel().catch(() => undefined)
  if (status === 400 || status === 401 || status === 403) throw accessRefused()
  assertAnswered(response, SHOPIFY, context.clock.now())
  const parsed = issuedSchema.safeParse(await jsonOf(response, SHOPIFY))
  if (!parsed.success) throw unexpectedAnswer(SHOPIFY)
  const { access_token: accessToken, expires_in: seconds } = parsed.data
  return { accessToken, expiresAt: String(context.clock.now() + seconds * 1_000) }
}

/** Tokens of an app's own credentials are asked for again each day; two at once do no harm. */
export const shopifyRenewal: Renewal = {
  isDue: (secrets, now) => isOfApp(secrets) && isStale(secrets, now),
  async renew(context) {
    const issued = await issueToken(context)
    return { secrets: { ...issued, issuedFor: context.connection.secrets['clientSecret'] ?? '' } }
  },
}
