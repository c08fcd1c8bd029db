import { Auth, customFetch, raw, skipCSRFCheck } from '@auth/core'
import type { AuthConfig } from '@auth/core'
import { InvalidCheck } from '@auth/core/errors'
import Google from '@auth/core/providers/google'
import MicrosoftEntraID from '@auth/core/providers/microsoft-entra-id'
import { createIssuerClient } from './door'
import type { IssuerClient } from './door'
import { parseIdentity } from './identity'
import type { ProviderIdentity } from './identity'
import type { AppContext } from '../../http/context'
import { cookieName } from '../../http/cookies'
import { hmacSha256Hex } from '../../lib/digest'
import { log } from '../../lib/log'
import type { OauthProblem, IdentityProvider } from '../../shared/account'

/** How the library calls the providers; part of the addresses registered with them. */
export const LIBRARY_PROVIDER_IDS = { google: 'google', microsoft: 'microsoft-entra-id' } as const satisfies Record<
  IdentityProvider,
  string
>
/** What the library needs at the return, each in a cookie of its own. */
const CHECK_NAMES = ['state', 'pkceCodeVerifier', 'nonce'] as const
export const CHECK_COOKIES = ['insikt_oauth_state', 'insikt_oauth_pkce', 'insikt_oauth_nonce'] as const

const COMMON_PROVIDER_OPTIONS = {
  checks: ['state', 'pkce', 'nonce'] satisfies ('state' | 'pkce' | 'nonce')[],
  authorization: { params: { scope: 'openid profile email', prompt: 'select_account' } },
  // Claims are read from the id token that the library validated; nothing else is fetched.
  profile: ({ sub }: { sub: string }) => ({ id: sub }),
}

function providerConfig(c: AppContext, identityProvider: IdentityProvider, issuerClient: IssuerClient) {
  const { settings } = c.get('deps')
  if (identityProvider === 'google') {
    const { GOOGLE_CLIENT_ID = '', GOOGLE_CLIENT_SECRET = '', GOOGLE_ISSUER } = settings
    const keys = { clientId: GOOGLE_CLIENT_ID, clientSecret: GOOGLE_CLIENT_SECRET, issuer: GOOGLE_ISSUER }
    return { ...Google({ ...keys, ...COMMON_PROVIDER_OPTIONS }), [customFetch]: issuerClient.fetch }
  }
  const { MICROSOFT_CLIENT_ID = '', MICROSOFT_CLIENT_SECRET = '', MICROSOFT_ISSUER } = settings
  const keys = { clientId: MICROSOFT_CLIENT_ID, clientSecret: MICROSOFT_CLIENT_SECRET, issuer: MICROSOFT_ISSUER }
  return { ...MicrosoftEntraID({ ...keys, ...COMMON_PROVIDER_OPTIONS }), [customFetch]: issuerClient.fetch }
}

/** The secret of everything that travels in the cookies of a sign-in elsewhere. */
export const oauthCookieSecret = (c: AppContext): Promise<string> =>
  hmacSha256Hex(c.get('deps').settings.SESSION_SECRET, 'oauth')

async function authConfig(c: AppContext, identityProvider: IdentityProvider, issuerClient: IssuerClient) {
  const cookies: AuthConfig['cookies'] = {}
  CHECK_NAMES.forEach((check, at) => (cookies[check] = { name: cookieName(c, CHECK_COOKIES[at] ?? check) }))
  return {
    basePath: '/api/auth',
    // The host is the platform's word, and the provider returns to registered addresses only.
    trustHost: true,
    secret: await oauthCookieSecret(c),
    skipCSRFCheck,
    raw,
    providers: [providerConfig(c, identityProvider, issuerClient)],
    cookies,
    logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
  } satisfies AuthConfig
}

const authRequest = (c: AppContext, path: string, method: 'GET' | 'POST'): Request => {
  const cookie = c.req.header('cookie')
  return new Request(new URL(path, c.req.url), { method, headers: cookie === undefined ? {} : { cookie } })
}

export interface StartedAuthorization {
  /** Where the browser goes, at the provider. */
  url: string
  /** Names and values of the cookies that must come back. */
  checks: { name: string; value: string }[]
}

/** The first step: where the person says at the provider who they are. Null when the provider does not answer. */
export async function startAuthorization(
  c: AppContext,
  identityProvider: IdentityProvider,
): Promise<StartedAuthorization | null> {
  const door = createIssuerClient(c.get('deps'), identityProvider)
  const request = authRequest(c, `/api/auth/signin/${LIBRARY_PROVIDER_IDS[identityProvider]}`, 'POST')
  const answer = await Auth(request, await authConfig(c, identityProvider, door)).catch((error: unknown) => {
    logFailure(c, identityProvider, error)
    return null
  })
  if (answer?.redirect === undefined) return null
  const checks = CHECK_COOKIES.flatMap((name) => {
    const cookie = answer.cookies?.find((one) => one.name === cookieName(c, name))
    return cookie ? [{ name, value: cookie.value }] : []
  })
  return { url: answer.redirect, checks }
}

/** The last step: whom the provider named, once state, code, PKCE, issuer, audience and nonce are right. */
export async function completeAuthorization(
  c: AppContext,
  identityProvider: IdentityProvider,
): Promise<ProviderIdentity | OauthProblem> {
  const { search } = new URL(c.req.url)
  const door = createIssuerClient(c.get('deps'), identityProvider)
  let claims: unknown = null
  const config = {
    ...(await authConfig(c, identityProvider, door)),
    callbacks: {
      // A path as the answer ends the library's part here: sessions are made by our own plumbing.
      signIn: ({ profile }: { profile?: unknown }) => {
        claims = profile
        return '/'
      },
    },
  }
  try {
    await Auth(authRequest(c, `/api/auth/callback/${LIBRARY_PROVIDER_IDS[identityProvider]}${search}`, 'GET'), config)
  } catch (error) {
    logFailure(c, identityProvider, error)
    if (door.failed) return 'unavailable'
    return error instanceof InvalidCheck ? 'expired' : 'refused'
  }
  return parseIdentity(identityProvider, claims, c.get('deps').settings) ?? 'refused'
}

/** The kind of failure, for the operator. Its text may hold what the provider sent, and stays out of the log. */
function logFailure(c: AppContext, identityProvider: IdentityProvider, error: unknown): void {
  const kind = error instanceof Error ? error.name : 'unknown'
  log('warn', 'sign-in elsewhere failed', { requestId: c.get('requestId'), provider: identityProvider, kind })
}
