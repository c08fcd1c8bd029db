import { Hono, type Context } from 'hono'
import { COMPANY } from '../../src/sample/scenario'
import { consentRoutes } from '../vendors/consent-routes.ts'
import { pageOf, type VendorCompany } from '../vendors/company.ts'
import { simRoutes } from '../vendors/sim-routes.ts'
import { CallWindow, VendorSimulation, type SimulationOptions, type VendorFault } from '../vendors/simulation.ts'
import { VISMA_TEST_KEYS } from '../vendors/test-keys.ts'
import { TokenDesk } from '../vendors/token-desk.ts'
import { VismaBooks } from './books.ts'

export const VISMA_ACCOUNT = 'nordviks'
/** 600 calls a minute; pages of 50 where none are asked for. */
const WINDOW = { calls: 600, ms: 60_000 }
const PAGE = { usual: 50, max: 1000 }
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export interface VismaOptions extends SimulationOptions {
  company: VendorCompany
}
export interface VismaEmulator {
  fetch: (request: Request) => Promise<Response>
  world: VendorSimulation
  books: VismaBooks
  desk: TokenDesk
}

const refusal = (c: Context, status: 400 | 401 | 403 | 404 | 429 | 500, code: number, message: string): Response =>
  c.json({ ErrorCode: code, DeveloperErrorMessage: message, ErrorId: crypto.randomUUID() }, status)

/** A stand-in for Visma eAccounting (Spiris): consent with a token that each renewal replaces, and reads of its API. */
export function createVisma(options: VismaOptions): VismaEmulator {
  const world = new VendorSimulation(options)
  const books = new VismaBooks(options.company)
  const rules = { ...VISMA_TEST_KEYS, codeMs: 5 * 60_000, accessMs: HOUR_MS, refreshMs: 90 * DAY_MS, rotates: true }
  const desk = new TokenDesk(world, rules)
  const change = (name: string): object | null => (name === 'post-rent' ? { amount: books.postRent() } : null)
  const app = new Hono()
    .route(
      '/',
      consentRoutes({
        ...{ vendor: 'Visma eAccounting', path: '/connect/authorize', desk, account: VISMA_ACCOUNT },
        accountName: COMPANY.name,
        problem: (query) => ((query.get('scope') ?? '').includes('offline_access') ? null : 'invalid_scope'),
      }),
    )
    .post('/connect/token', (c) => tokenAnswer(c, desk))
    .route('/', reads({ world, books, desk }))
    .route('/_sim', simRoutes(world, { revoke: () => desk.revoke(VISMA_ACCOUNT), change }))
  return { fetch: async (request) => app.fetch(request), world, books, desk }
}

async function tokenAnswer(c: Context, desk: TokenDesk): Promise<Response> {
  const basic = `Basic ${btoa(`${desk.rules.clientId}:${desk.rules.clientSecret}`)}`
  if (c.req.header('authorization') !== basic) return c.json({ error: 'invalid_client' }, 400)
  const form = new URLSearchParams(new TextDecoder().decode(await c.req.arrayBuffer()))
  const issued =
    form.get('grant_type') === 'refresh_token'
      ? desk.refresh(form.get('refresh_token') ?? '')
      : await desk.exchange({
          code: form.get('code') ?? '',
          redirectUri: form.get('redirect_uri') ?? '',
          verifier: form.get('code_verifier'),
        })
  if (!issued) return c.json({ error: 'invalid_grant' }, 400)
  return c.json({
    access_token: issued.access,
    expires_in: issued.expiresInSeconds,
    refresh_token: issued.refresh,
    token_type: 'Bearer',
    scope: issued.scope,
  })
}

type Parts = Pick<VismaEmulator, 'world' | 'books' | 'desk'>
interface VismaEnv {
  Variables: { fault: VendorFault | null }
}

function reads({ world, books, desk }: Parts): Hono<VismaEnv> {
  const window = new CallWindow(WINDOW.calls, WINDOW.ms)
  return new Hono<VismaEnv>()
    .use('/v2/*', async (c, next) => {
      world.calls.push(`${c.req.method} ${new URL(c.req.url).pathname}${new URL(c.req.url).search}`)
      const grant = desk.grantOf(/^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1] ?? '')
      const fault = world.takeFault()
      if (!grant || fault === 'unauthorized') return refusal(c, 401, 4001, 'Unauthorized')
      const endpoint = c.req.path.split('/')[2] ?? ''
      if (window.take(`${grant.account} ${endpoint}`, world.now()) > 0 || fault === 'rate-limit')
        return refusal(c, 429, 4010, 'Rate limit exceeded.')
      if (fault === 'error') return refusal(c, 500, 5000, 'Internal server error')
      c.set('fault', fault)
      await next()
      if (fault === 'cut-off') c.res = new Response((await c.res.text()).slice(0, 40), c.res)
    })
    .get('/v2/companysettings', (c) =>
      c.json({
        Name: COMPANY.name,
        CorporateIdentityNumber: COMPANY.orgNumber,
        CurrencyCode: 'SEK',
        CountryCode: 'SE',
      }),
    )
    .get('/v2/fiscalyears', (c) => listed(c, books.fiscalYears()))
    .get('/v2/fiscalyears/openingbalances', (c) => c.json(books.openingBalances()))
    .get('/v2/accounts/:year', (c) => listed(c, books.accounts(c.req.param('year'))))
    .get('/v2/accountbalances/:day', (c) => listed(c, books.balancesAt(c.req.param('day'))))
    .get('/v2/vouchers/:year', (c) => listed(c, books.vouchers(c.req.param('year'))))
    .get('/v2/costcenters', (c) => listed(c, books.costCentres()))
    .get('/v2/projects', (c) => listed(c, []))
    .get('/v2/customers', (c) => listed(c, books.customers()))
    .get('/v2/customerinvoices', (c) => listed(c, books.invoices()))
    .all('/v2/*', (c) => refusal(c, 404, 4004, 'Not found'))
}

/** One page, with what Visma says of all pages; `$filter` understands a comparison with `ModifiedUtc`. */
function listed(c: Context<VismaEnv>, all: Record<string, unknown>[]): Response {
  const size = Math.min(Math.max(Number(c.req.query('$pagesize') ?? PAGE.usual), 1), PAGE.max)
  const asked = Math.max(Number(c.req.query('$page') ?? 1), 1)
  const since = /^ModifiedUtc ge (\S+)$/.exec(c.req.query('$filter') ?? '')?.[1]
  const found = since === undefined ? all : all.filter(({ ModifiedUtc }) => String(ModifiedUtc) >= since)
  const page = c.get('fault') === 'repeat-page' ? Math.max(asked - 1, 1) : asked
  return c.json({
    Meta: {
      CurrentPage: page,
      PageSize: size,
      TotalNumberOfPages: Math.ceil(found.length / size),
      TotalNumberOfResults: found.length,
    },
    Data: pageOf(found, page, size),
  })
}
