import { mcpContext, type McpContext } from './context'
import { readTokenHolder, updateLastUsed, type TokenHolder } from '../../identity/access-token-store'
import type { AppContext } from '../../http/context'
import { enforceRateLimits } from '../../http/rate-limit'
import { sha256Hex } from '../../lib/hash'
import { ACCESS_TOKEN } from '../../shared/programs/access-tokens'
import { ProductError } from '../../shared/errors'

/** Where the server that programs ask is. */
export const MCP_PATH = '/mcp'
/** Where programs learn who gives tokens for it (RFC 9728). */
export const resourceMetadataUrl = (baseUrl: string): string =>
  new URL(`/.well-known/oauth-protected-resource${MCP_PATH}`, baseUrl).href

/**
 * Whose token the call carries in its `Authorization` header; nothing else of a call counts, its cookies neither.
 * @throws ProductError `unauthenticated` with the challenge that says where tokens are had; `rate_limited`
 */
export async function authenticate(c: AppContext): Promise<TokenHolder> {
  const deps = c.get('deps')
  const token = bearerToken(c.req.header('authorization'))
  const holder = token === null ? null : await readTokenHolder(deps, await sha256Hex(token))
  if (holder) {
    c.executionCtx.waitUntil(updateLastUsed(deps, holder))
    return holder
  }
  // Guesses alone are counted: whoever has a token waits for nobody.
  await enforceRateLimits(c, [{ rate: 'unknownTokenFromAddress' }])
  const isGiven = c.req.header('authorization') !== undefined
  const error = isGiven ? 'error="invalid_token", ' : ''
  const metadata = resourceMetadataUrl(deps.settings.BASE_URL)
  c.header('WWW-Authenticate', `Bearer ${error}scope="read ask", resource_metadata="${metadata}"`)
  throw new ProductError('unauthenticated', {}, isGiven ? 'Access token not valid.' : 'Send an access token.')
}

function bearerToken(header: string | undefined): string | null {
  const [, token = ''] = /^Bearer ([^\s,]+)$/i.exec(header ?? '') ?? []
  return ACCESS_TOKEN.test(token) ? token : null
}

/**
 * Pages of others do not ask in a browser's name (DNS rebinding): programs send no `Origin`, our own pages ours.
 * @throws ProductError `forbidden`
 */
export function assertOwnOrigin(c: AppContext): void {
  const origin = c.req.header('origin')
  if (origin !== undefined && origin !== new URL(c.req.url).origin)
    throw new ProductError('forbidden', { reason: 'origin' }, 'Calls from this site are not allowed.')
}

export const contextOfHolder = (c: AppContext, holder: TokenHolder): McpContext =>
  mcpContext(c.get('deps'), holder, { signal: c.req.raw.signal, requestId: c.get('requestId') })
