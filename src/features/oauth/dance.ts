import { Auth, customFetch, raw, skipCSRFCheck } from '@auth/core'
import type { AuthConfig } from '@auth/core'
import { InvalidCheck } from '@auth/core/errors'
import Google from '@auth/core/providers/google'
import MicrosoftEntraID from '@auth/core/providers/microsoft-entra-id'
import { openDoor } from './door'
import type { Door } from './door'
import { identityOf } from './identity'
import type { Identity } from './identity'
import type { AppContext } from '../../http/context'
import { cookieName } from '../../http/cookies'
import { hmacHex } from '../../lib/digest'
import { log } from '../../lib/log'
import type { OauthProblem, Provider } from '../../shared/account'

/** How the library calls the providers; part of the addresses registered with them. */
export const LIBRARY_ID = { google: 'google', microsoft: 'microsoft-entra-id' } as const satisfies Record<
  Provider,
  string
>
/** What the library needs at the return, each in a cookie of its own. */
const CHECKS = ['state', 'pkceCodeVerifier', 'nonce'] as const
export const CHECK_COOKIES = ['insikt_oauth_state', 'insikt_oauth_pkce', 'insikt_oauth_nonce'] as const

const COMMON = {
  checks: ['state', 'pkce', 'nonce'] satisfies ('state' | 'pkce' | 'nonce')[],
  authorization: { params: { scope: 'openid profile email', prompt: 'select_account' } },
  // Claims are read from the id token that the library validated; nothing else is fetched.
  profile: ({ sub }: { sub: string }) => ({ id: sub }),
}

function providerOf(c: AppContext, provider: Provider, door: Door) {
  const { settings } = c.get('deps')
  if (provider === 'google') {
    const { GOOGLE_CLIENT_ID = '', GOOGLE_CLIENT_SECRET = '', GOOGLE_ISSUER } = settings
    const keys = { clientId: GOOGLE_CLIENT_ID, clientSecret: GOOGLE_CLIENT_SECRET, issuer: GOOGLE_ISSUER }
    return { ...Google({ ...keys, ...COMMON }), [customFetch]: door.fetch }
  }
  const { MICROSOFT_CLIENT_ID = '', MICROSOFT_CLIENT_SECRET = '', MICROSOFT_ISSUER } = settings
  const keys = { clientId: MICROSOFT_CLIENT_ID, clientSecret: MICROSOFT_CLIENT_SECRET, issuer: MICROSOFT_ISSUER }
  return { ...MicrosoftEntraID({ ...keys, ...COMMON }), [customFetch]: door.fetch }
}

/** The secret of everything that travels in the cookies of a sign-in elsewhere. */
export const danceSecret = (c: AppContext): Promise<string> => hmacHex(c.get('deps').settings.SESSION_SECRET, 'oauth')

async function configOf(c: AppContext, provider: Provider, door: Door) {
  const cookies: AuthConfig['cookies'] = {}
  CHECKS.forEach((check, at) => (cookies[check] = { name: cookieName(c, CHECK_COOKIES[at] ?? check) }))
  return {
    basePath: '/api/auth',
    // The host is the platform's word, and the provider returns to registered addresses only.
    trustHost: true,
    secret: await danceSecret(c),
    skipCSRFCheck,
    raw,
    providers: [providerOf(c, provider, door)],
    cookies,
    logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
  } satisfies AuthConfig
}

const ask = (c: AppContext, path: string, method: 'GET' | 'POST'): Request => {
  const cookie = c.req.header('cookie')
  return new Request(new URL(path, c.req.url), { method, headers: cookie === undefined ? {} : { cookie } })
}

export interface Begun {
  /** Where the browser goes, at the provider. */
  url: string
  /** Names and values of the cookies that must come back. */
  checks: { name: string; value: string }[]
}

/** The first step: where the person says at the provider who they are. Null when the provider does not answer. */
export async function begin(c: AppContext, provider: Provider): Promise<Begun | null> {
  const door = openDoor(c.get('deps'), provider)
  const request = ask(c, `/api/auth/signin/${LIBRARY_ID[provider]}`, 'POST')
  const answer = await Auth(request, await configOf(c, provider, door)).catch((error: unknown) => {
    note(c, provider, error)
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
export async function finish(c: AppContext, provider: Provider): Promise<Identity | OauthProblem> {
  const { search } = new URL(c.req.url)
  const door = openDoor(c.get('deps'), provider)
  let claims: unknown = null
  const config = {
    ...(await configOf(c, provider, door)),
    callbacks: {
      // A path as the answer ends the library's part here: sessions are made by our own plumbing.
      signIn: ({ profile }: { profile?: unknown }) => {
        claims = profile
        return '/'
      },
    },
  }
  try {
    await Auth(ask(c, `/api/auth/callback/${LIBRARY_ID[provider]}${search}`, 'GET'), config)
  } catch (error) {
    note(c, provider, error)
    if (door.failed) return 'unavailable'
    return error instanceof InvalidCheck ? 'expired' : 'refused'
  }
  return identityOf(provider, claims, c.get('deps').settings) ?? 'refused'
}

/** The kind of failure, for the operator. Its text may hold what the provider sent, and stays out of the log. */
function note(c: AppContext, provider: Provider, error: unknown): void {
  const kind = error instanceof Error ? error.name : 'unknown'
  log('warn', 'sign-in elsewhere failed', { requestId: c.get('requestId'), provider, kind })
}
