import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { OAuth2Issuer, OAuth2Service } from 'oauth2-mock-server'
import type { MutableRedirectUri, MutableResponse, MutableToken, TokenRequestIncomingMessage } from 'oauth2-mock-server'
import { listenLocally, stopServer } from '../local-server.ts'
import { isLoopback } from '../loopback.ts'
import { personaPage } from './persona-page.ts'
import { FAULTS, PERSONAS, type Fault, type Persona } from './personas.ts'

const NAMES = { google: 'Google', microsoft: 'Microsoft' } as const
type Provider = keyof typeof NAMES
const SECRET = 'secret-of-the-stand-in'

export interface OidcServer {
  /** Where it answers. Issuers are named by https there, as real ones are. */
  address: string
  /** Settings under which the product signs people in here. */
  settings: Record<string, string>
  stop: () => Promise<void>
}

/** What was chosen on the page, until its code is exchanged. */
interface IssuedClaims {
  claims: Record<string, unknown>
  fault: Fault | null
}

/**
 * Stand-ins for Google and for Microsoft Entra with several tenants, on a port of this machine. An authorize address
 * with `persona=` answers at once, without it a page asks; `fault=` makes the answer wrong in that way.
 * @param options `port`: 0 (or one that is taken) picks a free one
 */
export async function startOidc(options: { port?: number } = {}): Promise<OidcServer> {
  const handlers: Partial<Record<Provider, Handler>> = {}
  const server = createServer((request, response) => {
    const [, provider = ''] = (request.url ?? '').split('/')
    const handler = provider === 'google' || provider === 'microsoft' ? handlers[provider] : undefined
    if (handler) handler(request, response)
    else response.writeHead(404).end()
  })
  const port = await listenLocally(server, options.port)
  const address = `http://127.0.0.1:${port}`
  const named = `https://127.0.0.1:${port}`
  handlers.google = await createIssuer('google', { address, named })
  handlers.microsoft = await createIssuer('microsoft', { address, named })
  return {
    address,
    settings: {
      GOOGLE_CLIENT_ID: 'stand-in-google',
      GOOGLE_CLIENT_SECRET: SECRET,
      GOOGLE_ISSUER: `${named}/google`,
      MICROSOFT_CLIENT_ID: 'stand-in-microsoft',
      MICROSOFT_CLIENT_SECRET: SECRET,
      MICROSOFT_ISSUER: `${named}/microsoft/common/v2.0`,
    },
    stop: () => stopServer(server),
  }
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void
interface IssuerLocation {
  address: string
  named: string
}

async function createIssuer(provider: Provider, location: IssuerLocation): Promise<Handler> {
  const issuer = new OAuth2Issuer()
  issuer.url = `${location.named}/${provider}`
  await issuer.keys.generate('RS256')
  const service = new OAuth2Service(issuer)
  const choices = new Map<string, IssuedClaims>()
  service.on('beforeAuthorizeRedirect', ({ url }: MutableRedirectUri, request: IncomingMessage) => {
    const query = new URL(request.url ?? '', location.address).searchParams
    const persona = PERSONAS.find(({ id }) => id === query.get('persona'))
    const code = url.searchParams.get('code')
    if (persona && code !== null) choices.set(code, issueClaims(persona, query))
  })
  service.on('beforeTokenSigning', ({ payload }: MutableToken, request: TokenRequestIncomingMessage) => {
    const choice = choices.get(request.body.code ?? '')
    if (choice) Object.assign(payload, claimsOf(provider, choice, location), FAULTY_CLAIMS[choice.fault ?? 'none'])
  })
  service.on('beforeResponse', (answer: MutableResponse, request: TokenRequestIncomingMessage) => {
    const fault = choices.get(request.body.code ?? '')?.fault
    if (fault === 'down') answer.statusCode = 503
    if (fault === 'alg-none' && answer.body !== '') answer.body['id_token'] = unsigned(String(answer.body['id_token']))
  })
  return (request, response) => route(provider, location, { request, response, service })
}

function issueClaims(persona: Persona, query: URLSearchParams): IssuedClaims {
  const address = query.get('address') ?? 'erik.holm@example.com'
  const typed = persona.typesAddress ? { sub: `typed-${address}`, email: address } : {}
  return { claims: { ...persona.claims, ...typed }, fault: FAULTS.find((name) => name === query.get('fault')) ?? null }
}

const OTHER_TENANT = '99999999-9999-4999-8999-999999999999'

function claimsOf(
  provider: Provider,
  { claims, fault }: IssuedClaims,
  { named }: IssuerLocation,
): Record<string, unknown> {
  const tenant = String(claims['tid'])
  const iss = provider === 'google' ? `${named}/google` : `${named}/microsoft/${tenant}/v2.0`
  const wrong = provider === 'google' ? `${named}/elsewhere` : `${named}/microsoft/${OTHER_TENANT}/v2.0`
  return { ...claims, iss: fault === 'iss' ? wrong : iss }
}

/** What a faulty id token says instead. */
const FAULTY_CLAIMS: Record<string, Record<string, unknown>> = {
  nonce: { nonce: 'of-somebody-else' },
  aud: { aud: 'another-client' },
  expired: { exp: 1_600_000_000 },
  tid: { tid: OTHER_TENANT },
}

/** The same token, saying that it needs no signature. */
function unsigned(token: string): string {
  const header = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url')
  return `${header}.${token.split('.')[1] ?? ''}.`
}

function route(
  provider: Provider,
  location: IssuerLocation,
  { request, response, service }: { request: IncomingMessage; response: ServerResponse; service: OAuth2Service },
): void {
  const url = new URL(request.url ?? '', location.address)
  const pattern = provider === 'google' ? /^\/google(\/.*)$/ : /^\/microsoft\/[^/]+\/v2\.0(\/.*)$/
  const path = pattern.exec(url.pathname)?.[1]
  if (path === '/.well-known/openid-configuration') return json(response, discoveryDocument(provider, url, location))
  if (path === '/authorize' && !isLoopback(url.searchParams.get('redirect_uri') ?? '')) return json(response, {}, 400)
  if (path === '/authorize' && url.searchParams.has('cancel')) return cancel(response, url)
  if (path === '/authorize' && !url.searchParams.has('persona')) {
    const personas = PERSONAS.filter((persona) => persona.provider === provider)
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(personaPage(NAMES[provider], personas, url.searchParams))
    return
  }
  const basic = `Basic ${Buffer.from(`stand-in-${provider}:${SECRET}`).toString('base64')}`
  if (path === '/token' && request.headers.authorization !== basic)
    return json(response, { error: 'invalid_client' }, 401)
  request.url = `${path ?? '/'}${url.search}`
  service.requestHandler(request, response)
}

/** What discovery answers. Entra leaves the tenant open in the document for many. */
function discoveryDocument(provider: Provider, url: URL, { address, named }: IssuerLocation): object {
  const path = url.pathname.replace('/.well-known/openid-configuration', '')
  return {
    issuer: `${named}${provider === 'microsoft' ? path.replace('/common/', '/{tenantid}/') : path}`,
    authorization_endpoint: `${address}${path}/authorize`,
    token_endpoint: `${named}${path}/token`,
    userinfo_endpoint: `${named}${path}/userinfo`,
    jwks_uri: `${named}${path}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: [provider === 'google' ? 'public' : 'pairwise'],
    id_token_signing_alg_values_supported: ['RS256'],
    code_challenge_methods_supported: ['S256'],
  }
}

function cancel(response: ServerResponse, { searchParams }: URL): void {
  const back = new URL(searchParams.get('redirect_uri') ?? '')
  back.searchParams.set('error', 'access_denied')
  back.searchParams.set('state', searchParams.get('state') ?? '')
  response.writeHead(302, { location: back.href }).end()
}

function json(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
