import { GOOGLE_SHEETS } from './sheets-calls'
import { isTokenDue, requestTokens } from '../oauth-tokens'
import { SourceError, type Authorisation, type IssuedCredentials } from '../contract'

/** Files that the person chose in Google's own picker, and no others. */
export const SHEETS_SCOPE = 'https://www.googleapis.com/auth/drive.file'
const ENDPOINT = { vendor: GOOGLE_SHEETS, origin: 'token', path: '/token', proof: 'form' } as const

/** Consent at Google together with the choice of a spreadsheet: Google asks for both on its own pages. */
export const sheetsAccess: Authorisation = {
  url({ operator }, { state, redirectUri, codeChallenge }) {
    const url = new URL('/o/oauth2/v2/auth', operator['consentOrigin'])
    url.search = new URLSearchParams({
      client_id: operator['clientId'] ?? '',
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: SHEETS_SCOPE,
      state,
      access_type: 'offline',
      // Without it a second consent gives no refresh token.
      prompt: 'consent',
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
      trigger_onepick: 'true',
      mimetypes: 'application/vnd.google-apps.spreadsheet',
    }).toString()
    return url.href
  },

  async exchange(context, { code, redirectUri, codeVerifier, query }): Promise<IssuedCredentials> {
    const [file = ''] = (query['picked_file_ids'] ?? '').split(',')
    if (file === '')
      throw new SourceError('auth', { message: 'No spreadsheet was chosen.', mend: 'Connect again and choose one.' })
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: codeVerifier }
    return { secrets: await requestTokens(context, { ...ENDPOINT, form }), settings: { file } }
  },

  isDue: isTokenDue,

  async renew(context): Promise<IssuedCredentials> {
    const { refreshToken = '' } = context.connection.secrets
    // Google's refresh token stays the same; where it sends another, that one counts.
    const form = { grant_type: 'refresh_token', refresh_token: refreshToken }
    return { secrets: await requestTokens(context, { ...ENDPOINT, form }) }
  },
}
