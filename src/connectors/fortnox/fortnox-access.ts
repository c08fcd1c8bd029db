import { FORTNOX, FORTNOX_SCOPES, fortnoxCompany } from './fortnox-calls'
import { isTokenDue, requestTokens, type TokenRequest } from '../oauth-tokens'
import type { Authorisation, ConnectorContext, IssuedCredentials } from '../contract'

const SCOPE = FORTNOX_SCOPES.join(' ')
const ENDPOINT = { vendor: FORTNOX, origin: 'accounts', path: '/oauth-v1/token', proof: 'basic' } as const

/** An access token; a refresh token is not kept, as none is needed. */
async function accessToken(
  context: ConnectorContext,
  request: Pick<TokenRequest, 'form' | 'headers'>,
): Promise<Record<string, string>> {
  const { refreshToken: _unused, ...secrets } = await requestTokens(context, { ...ENDPOINT, ...request })
  return secrets
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
      scope: SCOPE,
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
    const secrets = await accessToken(context, { form })
    const company = await fortnoxCompany({ ...context, connection: { settings: {}, secrets } })
    return { secrets, settings: { tenant: company.tenant, company: company.name } }
  },

  isDue: isTokenDue,

  async renew(context): Promise<IssuedCredentials> {
    const { tenant = '' } = context.connection.settings
    const form = { grant_type: 'client_credentials', scope: SCOPE }
    return { secrets: await accessToken(context, { form, headers: { tenantid: tenant } }) }
  },
}
