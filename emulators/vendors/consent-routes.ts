import { Hono } from 'hono'
import { isLoopback } from '../loopback.ts'
import { consentPage } from './consent-page.ts'
import type { TokenDesk } from './token-desk.ts'

export interface ConsentOptions {
  vendor: string
  /** Path of the vendor's page. */
  path: string
  desk: TokenDesk
  /** Who agrees there: what its tokens open. */
  account: string
  /** What the account is called. */
  accountName: string
  /** What else is wrong with a request, as the vendor's page says it; null = nothing. */
  problem?: (query: URLSearchParams) => string | null
  /** What comes back beside the code, as a file that was chosen. */
  returned?: (query: URLSearchParams) => Readonly<Record<string, string>>
}

/** The page of consent of an authorization code flow, which leads back with a code or a refusal. */
export function consentRoutes(options: ConsentOptions): Hono {
  const { vendor, path, desk, account, accountName } = options
  return new Hono().get(path, (c) => {
    const query = new URL(c.req.url).searchParams
    const redirectUri = query.get('redirect_uri') ?? ''
    if (query.get('client_id') !== desk.rules.clientId) return c.text('Unknown client_id.', 400)
    if (!isLoopback(redirectUri)) return c.text('redirect_uri is not registered.', 400)
    const problem = options.problem?.(query) ?? null
    const back = new URL(redirectUri)
    back.searchParams.set('state', query.get('state') ?? '')
    if (problem !== null) {
      back.searchParams.set('error', 'invalid_request')
      back.searchParams.set('error_description', problem)
      return c.redirect(back.href)
    }
    const scope = query.get('scope') ?? ''
    const decision = query.get('decision')
    if (decision === 'allow') {
      const challenge = query.get('code_challenge')
      back.searchParams.set('code', desk.agree({ account, scope }, { redirectUri, challenge }))
      for (const [name, value] of Object.entries(options.returned?.(query) ?? {})) back.searchParams.set(name, value)
      return c.redirect(back.href)
    }
    if (decision === 'deny') {
      back.searchParams.set('error', 'access_denied')
      back.searchParams.set('error_description', 'The user did not agree.')
      return c.redirect(back.href)
    }
    return c.html(consentPage(vendor, { account: accountName, permissions: scope.split(/[\s,]+/), query }))
  })
}
