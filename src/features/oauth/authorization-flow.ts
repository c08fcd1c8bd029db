import { Auth, customFetch, raw, skipCSRFCheck, type AuthConfig } from '@auth/core'
import { InvalidCheck } from '@auth/core/errors'
import Google from '@auth/core/providers/google'
import MicrosoftEntraID from '@auth/core/providers/microsoft-entra-id'
import { decode, encode } from '@auth/core/jwt'
import { z } from 'zod'
import type { Deps } from '../../deps'
import { operatorFetch } from '../../outbound/operator-fetch'
import { IDENTITY_PROVIDERS, type IdentityProvider, type OauthProblem } from '../../shared/account'
import { parseIdentity, type ProviderIdentity } from './provider-identity'
import type { AppContext } from '../../http/context'
import { cookieName, clearTransientCookie, transientCookie, setTransientCookie } from '../../http/cookies'
import { hmacSha256Hex } from '../../lib/hash'
import { log } from '../../lib/log'
import { isLoopback } from '../../lib/loopback'

/** Google's tokens are handed out by another host than its issuer's. No other host is ever called. */
const TOKEN_ORIGINS: Record<string, string> = { 'https://accounts.google.com': 'https://oauth2.googleapis.com' }
const DISCOVERY_PATH = '/.well-known/openid-configuration'

interface IssuerClient {
  fetch: typeof fetch
  /** True when a call found nobody there: the network, a deadline, a failing server. */
  failed: boolean
}

/** The library's way out: to the configured issuer and nowhere else, by the operator door. */
function createIssuerClient(deps: Deps, provider: IdentityProvider): IssuerClient {
  const { GOOGLE_ISSUER, MICROSOFT_ISSUER } = deps.settings
  const { origin } = new URL(provider === 'google' ? GOOGLE_ISSUER : MICROSOFT_ISSUER)
  const allowed = [origin, TOKEN_ORIGINS[origin]]
  const client: IssuerClient = {
    failed: false,
    fetch: async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input)
      if (!allowed.includes(url.origin)) throw new Error(`no part of the configured issuer: ${url.origin}`)
      const response = await fetchFromIssuer(deps, url, init).catch((error: unknown) => {
        client.failed = true
        throw error
      })
      if (response.status >= 500) client.failed = true
      return url.pathname.endsWith(DISCOVERY_PATH) ? withTenant(response, url) : response
    },
  }
  return client
}

function fetchFromIssuer({ settings, operatorFetcher }: Deps, url: URL, init: RequestInit = {}): Promise<Response> {
  const target = new URL(url)
  // The stand-in on a person's own machine has the names of a real issuer, and no certificate.
  if (settings.LOCAL_MODE && isLoopback(url.hostname)) target.protocol = 'http:'
  return operatorFetch(
    { origin: target.origin, headers: Object.fromEntries(new Headers(init.headers)) },
    {
      path: target.pathname + target.search,
      method: init.method === 'POST' ? 'POST' : 'GET',
      ...(init.body ? { body: init.body } : {}),
    },
    operatorFetcher,
  )
}

/** Entra's document for many tenants leaves the tenant open; the library wants the issuer it asked. */
async function withTenant(response: Response, url: URL): Promise<Response> {
  if (response.status !== 200) return response
  const text = await response.text()
  const [tenant = ''] = /[^/]+(?=\/v2\.0\/\.well-known\/)/.exec(url.pathname) ?? []
  return new Response(text.replaceAll('{tenantid}', tenant), { headers: { 'content-type': 'application/json' } })
}

/** How the library calls the providers; part of the addresses registered with them. */
export const LIBRARY_PROVIDER_IDS = { google: 'google', microsoft: 'microsoft-entra-id' } as const satisfies Record<
  IdentityProvider,
  string
>
/** What the library needs at the return, each in a cookie of its own. */
const CHECK_NAMES = ['state', 'pkceCodeVerifier', 'nonce'] as const
const CHECK_COOKIES = ['insikt_oauth_state', 'insikt_oauth_pkce', 'insikt_oauth_nonce'] as const

const COMMON_PROVIDER_OPTIONS = {
  checks: ['state', 'pkce', 'nonce'] satisfies ('state' | 'pkce' | 'nonce')[],
  authorization: { params: { scope: 'openid profile email', prompt: 'select_account' } },
  // Claims are read from the id token that the library validated; nothing else is fetched.
  profile: ({ sub }: { sub: string }) => ({ id: sub }),
}

function providerConfig(c: AppContext, provider: IdentityProvider, client: IssuerClient) {
  const { settings } = c.get('deps')
  if (provider === 'google') {
    const { GOOGLE_CLIENT_ID = '', GOOGLE_CLIENT_SECRET = '', GOOGLE_ISSUER } = settings
    const keys = { clientId: GOOGLE_CLIENT_ID, clientSecret: GOOGLE_CLIENT_SECRET, issuer: GOOGLE_ISSUER }
    return { ...Google({ ...keys, ...COMMON_PROVIDER_OPTIONS }), [customFetch]: client.fetch }
  }
  const { MICROSOFT_CLIENT_ID = '', MICROSOFT_CLIENT_SECRET = '', MICROSOFT_ISSUER } = settings
  const keys = { clientId: MICROSOFT_CLIENT_ID, clientSecret: MICROSOFT_CLIENT_SECRET, issuer: MICROSOFT_ISSUER }
  return { ...MicrosoftEntraID({ ...keys, ...COMMON_PROVIDER_OPTIONS }), [customFetch]: client.fetch }
}

/** The secret of everything that travels in the cookies of a sign-in elsewhere. */
const oauthCookieSecret = (c: AppContext): Promise<string> =>
  hmacSha256Hex(c.get('deps').settings.SESSION_SECRET, 'oauth')

async function authConfig(c: AppContext, provider: IdentityProvider, client: IssuerClient) {
  const cookies: AuthConfig['cookies'] = {}
  CHECK_NAMES.forEach((check, at) => (cookies[check] = { name: cookieName(c, CHECK_COOKIES[at] ?? check) }))
  return {
    basePath: '/api/auth',
    // The host is the platform's word, and the provider returns to registered addresses only.
    trustHost: true,
    secret: await oauthCookieSecret(c),
    skipCSRFCheck,
    raw,
    providers: [providerConfig(c, provider, client)],
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
  provider: IdentityProvider,
): Promise<StartedAuthorization | null> {
  const door = createIssuerClient(c.get('deps'), provider)
  const request = authRequest(c, `/api/auth/signin/${LIBRARY_PROVIDER_IDS[provider]}`, 'POST')
  const answer = await Auth(request, await authConfig(c, provider, door)).catch((error: unknown) => {
    logFailure(c, provider, error)
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
  provider: IdentityProvider,
): Promise<ProviderIdentity | OauthProblem> {
  const { search } = new URL(c.req.url)
  const door = createIssuerClient(c.get('deps'), provider)
  let claims: unknown = null
  const config = {
    ...(await authConfig(c, provider, door)),
    callbacks: {
      // A path as the answer ends the library's part here: sessions are made by our own plumbing.
      signIn: ({ profile }: { profile?: unknown }) => {
        claims = profile
        return '/'
      },
    },
  }
  try {
    await Auth(authRequest(c, `/api/auth/callback/${LIBRARY_PROVIDER_IDS[provider]}${search}`, 'GET'), config)
  } catch (error) {
    logFailure(c, provider, error)
    if (door.failed) return 'unavailable'
    return error instanceof InvalidCheck ? 'expired' : 'refused'
  }
  return parseIdentity(provider, claims, c.get('deps').settings) ?? 'refused'
}

/** The kind of failure, for the operator. Its text may hold what the provider sent, and stays out of the log. */
function logFailure(c: AppContext, identityProvider: IdentityProvider, error: unknown): void {
  const kind = error instanceof Error ? error.name : 'unknown'
  log('warn', 'sign-in elsewhere failed', { requestId: c.get('requestId'), provider: identityProvider, kind })
}

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
