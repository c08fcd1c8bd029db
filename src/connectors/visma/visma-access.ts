import { VISMA, vismaCompany } from './visma-calls'
import { isTokenDue, requestTokens } from '../oauth-tokens'
import type { Authorisation, IssuedCredentials } from '../contract'

export const VISMA_SCOPE = 'ea:api offline_access ea:accounting_readonly ea:sales_readonly'
/** Visma's sign-in serves many programs: this is eAccounting, and a company is chosen each time. */
const ACR_VALUES = 'service:44643EB1-3F76-4C1C-A672-402AE8085934+forceselectcompany:true'
const ENDPOINT = { vendor: VISMA, origin: 'identity', path: '/connect/token', proof: 'basic' } as const

/** Consent of a company. Each renewal takes the token before it away: what comes is stored before anything is asked with it. */
export const vismaAccess: Authorisation = {
  url({ operator }, { state, redirectUri, codeChallenge }) {
    const url = new URL('/connect/authorize', operator['consentOrigin'])
    url.search = new URLSearchParams({
      client_id: operator['clientId'] ?? '',
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: VISMA_SCOPE,
      state,
      prompt: 'select_account',
      acr_values: ACR_VALUES,
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
    }).toString()
    return url.href
  },

  async exchange(context, { code, redirectUri, codeVerifier }): Promise<IssuedCredentials> {
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: codeVerifier }
    const secrets = await requestTokens(context, { ...ENDPOINT, form })
    const { name, orgNumber } = await vismaCompany({ ...context, connection: { settings: {}, secrets } })
    return { secrets, settings: { company: name, organisation: orgNumber } }
  },

  isDue: isTokenDue,

  async renew(context): Promise<IssuedCredentials> {
    const { refreshToken = '' } = context.connection.secrets
    const form = { grant_type: 'refresh_token', refresh_token: refreshToken }
    return { secrets: await requestTokens(context, { ...ENDPOINT, form }) }
  },
}
