import { createMcpHandler } from '@modelcontextprotocol/server'
import { Hono } from 'hono'
import { assertOwnOrigin, authenticate, contextOfHolder, MCP_PATH, resourceMetadataUrl } from './authenticate'
import { createMcpServer, type CallObserver } from './server'
import { commit } from '../../db/commit'
import { isEnrolled } from '../../entitlements/early-access-store'
import type { TokenHolder } from '../../identity/access-token-store'
import type { AppContext, AppEnv } from '../../http/context'
import { publicAccess } from '../../http/guard'
import { enforceRateLimits } from '../../http/rate-limit'
import { readJsonText } from '../../http/validate'
import { ProductError } from '../../shared/errors'
import { JSON_BODY_MAX_BYTES } from '../../shared/limits'

/** Writes down who had what done: the tool or kind of thing, never what was asked or answered. */
const auditCalls =
  (c: AppContext, { tokenId, scope }: TokenHolder): CallObserver =>
  async (what) => {
    const { workspaceId, actorId } = scope
    const entry = { workspaceId, actorId, action: 'mcp.call', entity: 'accessToken', entityId: tokenId }
    const country = c.req.header('cf-ipcountry') ?? null
    await commit(c.get('deps'), { change: [], audit: [{ ...entry, after: { name: what }, country }] })
  }

/** One message a call: many at once would be one against what is allowed. */
function singleMessage(body: unknown): unknown {
  if (Array.isArray(body)) throw new ProductError('bad_request', {}, 'Send one message per request.')
  return body
}

/** The server is in early access: for whoever takes part in it. @throws ProductError `not_enabled` */
async function assertEnrolled(c: AppContext, { scope, member }: TokenHolder): Promise<void> {
  const { workspaceId, actorId: userId } = scope
  const { entitlements, role } = member
  // What plan and role do not have is refused by each tool, in its own words.
  if (!entitlements.features.aiAssistant || role === 'client') return
  if (!(await isEnrolled(c.get('deps'), { workspaceId, userId, entitlements }, 'mcp')))
    throw new ProductError('not_enabled', { feature: 'mcp' }, 'Turn on the MCP server under Pilot.')
}

/**
 * The Model Context Protocol over streamable HTTP, without sessions: each call says who asks by its token and is answered
 * for itself.
 */
async function answerCall(c: AppContext): Promise<Response> {
  assertOwnOrigin(c)
  const holder = await authenticate(c)
  await enforceRateLimits(c, [{ rate: 'mcpCall', key: `${holder.scope.workspaceId} ${holder.scope.actorId}` }])
  await assertEnrolled(c, holder)
  const { raw } = c.req
  const parsedBody = raw.method === 'POST' ? singleMessage(await readJsonText(raw, JSON_BODY_MAX_BYTES)) : undefined
  const context = contextOfHolder(c, holder)
  const handler = createMcpHandler(() => createMcpServer(context, auditCalls(c, holder)), {
    // Nothing changes while somebody listens: each call is answered and done.
    maxSubscriptions: 0,
  })
  const authInfo = {
    ...{ token: '', clientId: holder.appId ?? 'token', scopes: [...holder.scopes] },
    resourceMetadataUrl: resourceMetadataUrl(context.deps.settings.BASE_URL),
  }
  const answer = await handler.fetch(raw, { authInfo, ...(parsedBody === undefined ? {} : { parsedBody }) })
  const headers = new Headers(answer.headers)
  headers.set('Cache-Control', 'private, no-store')
  return new Response(answer.body, { status: answer.status, headers })
}

const BY_TOKEN = publicAccess('says by an access token who asks')
export const mcpRoutes: Hono<AppEnv> = new Hono<AppEnv>()
  .post(MCP_PATH, BY_TOKEN, answerCall)
  .get(MCP_PATH, BY_TOKEN, answerCall)
  .delete(MCP_PATH, BY_TOKEN, answerCall)
