import { z } from 'zod'
import { FORTNOX, FORTNOX_SCOPES, fortnoxCompany } from './fortnox-calls'
import { accessLost, jsonOf, unexpectedAnswer } from '../vendor-calls'
import { sourceErrorOf } from '../failures'
import { SourceError, type Authorisation, type ConnectorContext, type IssuedCredentials } from '../contract'

const tokensSchema = z.object({ access_token: z.string().min(1), expires_in: z.number() })
/** Renewed this long before its end: a call takes time, and clocks differ. */
const EARLY_MS = 5 * 60_000

/** Tokens for what a form grants. */
async function tokens(
  context: ConnectorContext,
  form: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ accessToken: string; expiresAt: string }> {
  const { clientId = '', clientSecret = '' } = context.operator
  const response = await context.doors
    .operator({
      ...{ origin: 'accounts', path: '/oauth-v1/token', method: 'POST' },
      headers: {
        authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`,
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
      },
      body: new URLSearchParams(form).toString(),
    })
    .catch((error: unknown) => {
      throw sourceErrorOf(error, FORTNOX)
    })
  if (response.status === 400 || response.status === 401 || response.status === 403) {
    await response.body.cancel()
    throw accessLost(FORTNOX)
  }
  if (response.status !== 200)
    throw new SourceError('down', { message: 'Fortnox’s sign-in doesn’t answer.', mend: 'We’ll try again.' })
  const parsed = tokensSchema.safeParse(await jsonOf(response, FORTNOX))
  if (!parsed.success) throw unexpectedAnswer(FORTNOX)
  const { access_token: accessToken, expires_in: seconds } = parsed.data
  return { accessToken, expiresAt: String(context.clock.now() + seconds * 1000) }
}

/**
 * Consent of a company for a service account. Afterwards tokens are had for its tenant id by our own keys: there is no refresh
 * token that could be lost (decision 140).
 */
export const fortnoxAccess: Authorisation = {
  url({ operator }, { state, redirectUri, codeChallenge }) {
    const url = new URL('/oauth-v1/auth', operator['consentOrigin'])
    url.search = new URLSearchParams({
      client_id: operator['clientId'] ?? '',
      redirect_uri: redirectUri,
      scope: FORTNOX_SCOPES.join(' '),
      state,
      access_type: 'offline',
      response_type: 'code',
      account_type: 'service',
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
    }).toString()
    return url.href
  },

  async exchange(context, { code, redirectUri, codeVerifier }): Promise<IssuedCredentials> {
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: codeVerifier }
    const secrets = await tokens(context, form)
    const company = await fortnoxCompany({ ...context, connection: { settings: {}, secrets } })
    return { secrets, settings: { tenant: company.tenant, company: company.name } }
  },

  isDue: ({ expiresAt = '0' }, now) => Number(expiresAt) - EARLY_MS <= now,

  async renew(context): Promise<IssuedCredentials> {
    const { tenant = '' } = context.connection.settings
    const form = { grant_type: 'client_credentials', scope: FORTNOX_SCOPES.join(' ') }
    return { secrets: await tokens(context, form, { tenantid: tenant }) }
  },
}
