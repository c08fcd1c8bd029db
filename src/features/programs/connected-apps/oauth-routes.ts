import { Hono } from 'hono'
import { z } from 'zod'
import { parseRedirectUri } from './model/redirect-uri'
import { issuerOf, registerClient, resourceOf } from './service'
import { exchangeCode, refreshTokens, revokeToken, type TokenResult } from './tokens'
import type { AppContext, AppEnv } from '../../../http/context'
import { publicAccess } from '../../../http/guard'
import { enforceRateLimits } from '../../../http/rate-limit'
import { readBodyText, readJsonText } from '../../../http/validate'
import { nameSchema } from '../../../shared/field-schemas'
import { TOKEN_SCOPES } from '../../../shared/programs/access-tokens'
import { AUTHORIZE_PATH } from '../../../shared/programs/connected-apps'

const BODY_MAX_BYTES = 16 * 1024
const baseUrlOf = (c: AppContext): string => c.get('deps').settings.BASE_URL

/** RFC 9728: what tokens are for, and who gives them. */
const resourceMetadata = (c: AppContext) =>
  c.json(
    {
      resource: resourceOf(baseUrlOf(c)),
      authorization_servers: [issuerOf(baseUrlOf(c))],
      scopes_supported: [...TOKEN_SCOPES],
      bearer_methods_supported: ['header'],
      resource_name: c.get('deps').settings.APP_NAME,
    },
    200,
  )

/** RFC 8414. */
function serverMetadata(c: AppContext) {
  const issuer = issuerOf(baseUrlOf(c))
  return c.json(
    {
      issuer,
      authorization_endpoint: `${issuer}${AUTHORIZE_PATH}`,
      token_endpoint: `${issuer}/oauth/token`,
      registration_endpoint: `${issuer}/oauth/register`,
      revocation_endpoint: `${issuer}/oauth/revoke`,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      scopes_supported: [...TOKEN_SCOPES],
      authorization_response_iss_parameter_supported: true,
    },
    200,
  )
}

/** What an app says of itself (RFC 7591). What we do not know is nothing to us; no app gets a secret. */
const registrationSchema = z.object({
  client_name: z.string().max(200).optional(),
  redirect_uris: z.array(z.string().max(2000)).min(1).max(5),
})
const NO_NAME = 'Unnamed app'

async function register(c: AppContext): Promise<Response> {
  await enforceRateLimits(c, [{ rate: 'registerClientFromAddress' }])
  const parsed = registrationSchema.safeParse(await readJsonText(c.req.raw, BODY_MAX_BYTES))
  if (!parsed.success) return c.json({ error: 'invalid_client_metadata' }, 400)
  const { redirect_uris: redirectUris, client_name: given } = parsed.data
  if (redirectUris.some((one) => parseRedirectUri(one) === null))
    return c.json({ error: 'invalid_redirect_uri', error_description: 'https, or http on this machine' }, 400)
  const name = nameSchema.safeParse(given).data ?? NO_NAME
  const client = await registerClient(c.get('deps'), { name, redirectUris })
  return c.json(
    {
      ...{ client_id: client.id, client_name: name, redirect_uris: redirectUris },
      ...{ client_id_issued_at: Math.floor(c.get('deps').clock.now() / 1000), token_endpoint_auth_method: 'none' },
      ...{ grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] },
    },
    201,
  )
}

/** The fields of a form, each once; null for any other body. */
async function formOf(c: AppContext): Promise<Map<string, string> | null> {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(c.req.header('content-type') ?? '')) return null
  const fields = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(await readBodyText(c.req.raw, BODY_MAX_BYTES))) {
    if (fields.has(name)) return null
    fields.set(name, value)
  }
  return fields
}

async function tokenAnswer(c: AppContext, form: Map<string, string>): Promise<TokenResult> {
  const of = (name: string): string => form.get(name) ?? ''
  const [deps, clientId, resource] = [c.get('deps'), of('client_id'), of('resource')]
  if (resource !== '' && resource.replace(/\/$/, '') !== resourceOf(baseUrlOf(c))) return { refused: 'invalid_target' }
  if (clientId === '') return { refused: 'invalid_request' }
  switch (of('grant_type')) {
    case 'authorization_code':
      return exchangeCode(deps, {
        ...{ code: of('code'), clientId, redirectUri: of('redirect_uri'), verifier: of('code_verifier') },
      })
    case 'refresh_token':
      return refreshTokens(deps, { token: of('refresh_token'), clientId })
    default:
      return { refused: 'unsupported_grant_type' }
  }
}

async function giveTokens(c: AppContext): Promise<Response> {
  const form = await formOf(c)
  const answer: TokenResult = form ? await tokenAnswer(c, form) : { refused: 'invalid_request' }
  if ('tokens' in answer) return c.json(answer.tokens, 200, { 'Cache-Control': 'no-store' })
  await enforceRateLimits(c, [{ rate: 'unknownTokenFromAddress' }])
  return c.json({ error: answer.refused }, 400, { 'Cache-Control': 'no-store' })
}

async function revoke(c: AppContext): Promise<Response> {
  await enforceRateLimits(c, [{ rate: 'revokeTokenFromAddress' }])
  const form = await formOf(c)
  const [token, clientId] = [form?.get('token') ?? '', form?.get('client_id') ?? '']
  if (token === '' || clientId === '') return c.json({ error: 'invalid_request' }, 400)
  await revokeToken(c.get('deps'), { token, clientId })
  return c.json({}, 200)
}

const METADATA = publicAccess('says where apps ask for tokens')
const BY_SECRET = publicAccess('an app asks, by a code or token of its own')

/** OAuth 2.1 as apps speak it; no cookie of a browser counts here. */
export const oauthServerRoutes: Hono<AppEnv> = new Hono<AppEnv>()
  .get('/.well-known/oauth-protected-resource', METADATA, resourceMetadata)
  .get('/.well-known/oauth-protected-resource/mcp', METADATA, resourceMetadata)
  .get('/.well-known/oauth-authorization-server', METADATA, serverMetadata)
  .post('/oauth/register', publicAccess('an app announces itself'), register)
  .post('/oauth/token', BY_SECRET, giveTokens)
  .post('/oauth/revoke', BY_SECRET, revoke)
