import type { Deps } from '../../deps'
import { operatorFetch } from '../../outbound/operator-fetch'
import type { IdentityProvider } from '../../shared/account'

/** Google's tokens are handed out by another host than its issuer's. No other host is ever called. */
const TOKEN_ORIGINS: Record<string, string> = { 'https://accounts.google.com': 'https://oauth2.googleapis.com' }
const DISCOVERY_PATH = '/.well-known/openid-configuration'
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

export interface IssuerClient {
  fetch: typeof fetch
  /** True when a call found nobody there: the network, a deadline, a failing server. */
  failed: boolean
}

/** The library's way out: to the configured issuer and nowhere else, by the operator door. */
export function createIssuerClient(deps: Deps, identityProvider: IdentityProvider): IssuerClient {
  const { GOOGLE_ISSUER, MICROSOFT_ISSUER } = deps.settings
  const { origin } = new URL(identityProvider === 'google' ? GOOGLE_ISSUER : MICROSOFT_ISSUER)
  const allowed = [origin, TOKEN_ORIGINS[origin]]
  const issuerClient: IssuerClient = {
    failed: false,
    fetch: async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input)
      if (!allowed.includes(url.origin)) throw new Error(`no part of the configured issuer: ${url.origin}`)
      const response = await fetchFromIssuer(deps, url, init).catch((error: unknown) => {
        issuerClient.failed = true
        throw error
      })
      if (response.status >= 500) issuerClient.failed = true
      return url.pathname.endsWith(DISCOVERY_PATH) ? withTenant(response, url) : response
    },
  }
  return issuerClient
}

function fetchFromIssuer({ settings, operatorFetcher }: Deps, url: URL, init: RequestInit = {}): Promise<Response> {
  const target = new URL(url)
  // The stand-in on a person's own machine has the names of a real issuer, and no certificate.
  if (settings.LOCAL_MODE && LOOPBACK.has(url.hostname)) target.protocol = 'http:'
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
