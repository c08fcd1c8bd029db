import { Hono, type Context, type Next } from 'hono'
import { COMPANY } from '../../src/sample/scenario'
import { isoFromDay, kronor, pageOf, type VendorCompany } from '../vendors/company.ts'
import { consentRoutes } from '../vendors/consent-routes.ts'
import { simRoutes } from '../vendors/sim-routes.ts'
import { CallWindow, VendorSimulation, type SimulationOptions, type VendorFault } from '../vendors/simulation.ts'
import { FORTNOX_TEST_KEYS } from '../vendors/test-keys.ts'
import { TokenDesk, type Grant, type IssuedTokens } from '../vendors/token-desk.ts'
import { FortnoxBooks, type Dated } from './books.ts'

/** Number of the made-up company's database, which is what a tenant is called. */
export const FORTNOX_TENANT = '555001'

/** Fortnox's own limits: 25 calls in 5 seconds for each client and tenant; pages of up to 500. */
const WINDOW = { calls: 25, ms: 5_000 }
const PAGE = { usual: 100, max: 500 }
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

export interface FortnoxOptions extends SimulationOptions {
  company: VendorCompany
}

/** What a list is called in an answer, and its records. */
interface Register {
  name: string
  records: () => readonly Dated<object>[]
  /** Scope that opens it. */
  scope: string
}

interface FortnoxEnv {
  Variables: { grant: Grant; fault: VendorFault | null }
}

/** How Fortnox says that something is wrong. */
const refusal = (c: Context, status: 400 | 401 | 403 | 404 | 500, error: { code: number; message: string }): Response =>
  c.json({ ErrorInformation: { error: 1, message: error.message, code: error.code } }, status)

export interface FortnoxEmulator {
  fetch: (request: Request) => Promise<Response>
  world: VendorSimulation
  books: FortnoxBooks
  desk: TokenDesk
}

/** A stand-in for Fortnox: its consent, tokens and the part of its API that reads books and registers. */
export function createFortnox(options: FortnoxOptions): FortnoxEmulator {
  const world = new VendorSimulation(options)
  const books = new FortnoxBooks(options.company)
  const rules = { ...FORTNOX_TEST_KEYS, codeMs: 10 * MINUTE_MS, accessMs: HOUR_MS, refreshMs: 45 * 24 * HOUR_MS }
  const desk = new TokenDesk(world, { ...rules, rotates: true })
  const app = new Hono()
    .route('/', tokenRoutes(desk))
    .route(
      '/',
      consentRoutes({
        ...{ vendor: 'Fortnox', path: '/oauth-v1/auth', desk, account: FORTNOX_TENANT, accountName: COMPANY.name },
        problem: (query) => (query.get('response_type') === 'code' ? null : 'response_type must be code'),
      }),
    )
    .route('/', apiRoutes({ world, books, desk }))
    .route('/_sim', simRoutes(world, { revoke: () => desk.revoke(FORTNOX_TENANT), change: changeOf(world, books) }))
  return { fetch: async (request) => app.fetch(request), world, books, desk }
}

const changeOf =
  (world: VendorSimulation, books: FortnoxBooks) =>
  (name: string): object | null => {
    if (name === 'post-rent') return { amount: kronor(books.postRent()) }
    if (name === 'pay-invoice') return { number: books.payInvoice(world.now()) }
    return name === 'add-invoice' ? { number: books.addInvoice(world.now()) } : null
  }

function tokenRoutes(desk: TokenDesk): Hono {
  return new Hono().post('/oauth-v1/token', async (c) => {
    const basic = `Basic ${btoa(`${desk.rules.clientId}:${desk.rules.clientSecret}`)}`
    if (c.req.header('authorization') !== basic) return c.json({ error: 'invalid_client' }, 401)
    const form = new URLSearchParams(new TextDecoder().decode(await c.req.arrayBuffer()))
    const issued = await issue(desk, form, c.req.header('tenantid') ?? null)
    if (issued === null) return c.json({ error: 'invalid_grant', error_description: 'Invalid refresh token' }, 400)
    return c.json({
      access_token: issued.access,
      ...(form.get('grant_type') === 'client_credentials' ? {} : { refresh_token: issued.refresh }),
      scope: issued.scope,
      expires_in: issued.expiresInSeconds,
      token_type: 'bearer',
    })
  })
}

async function issue(desk: TokenDesk, form: URLSearchParams, tenant: string | null): Promise<IssuedTokens | null> {
  const kind = form.get('grant_type')
  const [code, redirectUri] = [form.get('code') ?? '', form.get('redirect_uri') ?? '']
  if (kind === 'authorization_code') return desk.exchange({ code, redirectUri, verifier: form.get('code_verifier') })
  if (kind === 'refresh_token') return desk.refresh(form.get('refresh_token') ?? '')
  return kind === 'client_credentials' ? desk.forAccount(tenant ?? '') : null
}

interface Api {
  world: VendorSimulation
  books: FortnoxBooks
  desk: TokenDesk
}

function apiRoutes({ world, books, desk }: Api): Hono<FortnoxEnv> {
  const window = new CallWindow(WINDOW.calls, WINDOW.ms)
  const registers: Record<string, Register> = {
    financialyears: { name: 'FinancialYears', scope: 'bookkeeping', records: () => books.years.map(yearRecord) },
    invoices: { name: 'Invoices', scope: 'invoice', records: () => books.invoices },
    customers: { name: 'Customers', scope: 'customer', records: () => books.customers },
    articles: { name: 'Articles', scope: 'article', records: () => books.articles },
  }
  return new Hono<FortnoxEnv>()
    .use('/3/*', (c, next) => admit(c, next, { world, desk, window }))
    .get('/3/companyinformation', (c) =>
      c.json({
        CompanyInformation: {
          CompanyName: COMPANY.name,
          OrganizationNumber: COMPANY.orgNumber,
          DatabaseNumber: Number(FORTNOX_TENANT),
          Address: COMPANY.street,
          CountryCode: 'SE',
        },
      }),
    )
    .get('/3/sie/:type', (c) => {
      if (!mayRead(c, 'bookkeeping')) return noScope(c)
      const id = Number(c.req.query('financialyear') ?? books.years.at(-1)?.id)
      const bytes = c.req.param('type') === '4' ? books.sie(id) : null
      if (bytes === null) return refusal(c, 404, { code: 2000423, message: 'Räkenskapsåret finns inte' })
      const isCut = c.get('fault') === 'cut-off'
      return c.body(new Uint8Array(isCut ? bytes.subarray(0, bytes.length >> 1) : bytes), 200, {
        'content-type': 'application/vnd.sie',
      })
    })
    .get('/3/vouchers', (c) => {
      if (!mayRead(c, 'bookkeeping')) return noScope(c)
      const id = Number(c.req.query('financialyear') ?? books.years.at(-1)?.id)
      return listed(c, { name: 'Vouchers', records: books.vouchers(id).map((voucher) => voucherRecord(voucher, id)) })
    })
    .get('/3/:register', (c) => {
      const register = registers[c.req.param('register')]
      if (!register) return refusal(c, 404, { code: 2000423, message: 'Kan inte hitta resursen' })
      return mayRead(c, register.scope) ? listed(c, { name: register.name, records: register.records() }) : noScope(c)
    })
}

const mayRead = (c: Context<FortnoxEnv>, scope: string): boolean => c.get('grant').scope.split(' ').includes(scope)
const noScope = (c: Context): Response => refusal(c, 403, { code: 2000663, message: 'Har inte behörighet för scope.' })

/** Fortnox's order: who are you, how often, then the call. */
async function admit(
  c: Context<FortnoxEnv>,
  next: Next,
  { world, desk, window }: { world: VendorSimulation; desk: TokenDesk; window: CallWindow },
): Promise<Response | void> {
  world.calls.push(`${c.req.method} ${new URL(c.req.url).pathname}${new URL(c.req.url).search}`)
  const token = /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1] ?? ''
  const grant = desk.grantOf(token)
  const fault = world.takeFault()
  if (!grant || fault === 'unauthorized') return c.json({ message: 'unauthorized' }, 401)
  if (window.take(grant.account, world.now()) > 0 || fault === 'rate-limit')
    return c.json({ message: 'Too many requests' }, 429)
  if (fault === 'error') return refusal(c, 500, { code: 1000003, message: 'System exception' })
  c.set('grant', grant)
  c.set('fault', fault)
  return next()
}

const yearRecord = ({ id, year }: FortnoxBooks['years'][number]): Dated<object> => ({
  changed: 0,
  body: {
    '@url': `https://api.fortnox.se/3/financialyears/${id}`,
    Id: id,
    FromDate: isoFromDay(year.from),
    ToDate: isoFromDay(year.to),
    accountChartType: 'EUBAS97',
    AccountingMethod: 'ACCRUAL',
  },
})

const voucherRecord = (
  { series, number, day, text }: ReturnType<FortnoxBooks['vouchers']>[number],
  year: number,
): Dated<object> => ({
  changed: day * 24 * HOUR_MS,
  body: {
    VoucherSeries: series,
    VoucherNumber: number,
    Year: year,
    TransactionDate: isoFromDay(day),
    Description: text,
  },
})

/** One page of a register, with what Fortnox says of all pages. */
function listed(c: Context<FortnoxEnv>, register: { name: string; records: readonly Dated<object>[] }): Response {
  const size = Math.min(Math.max(Number(c.req.query('limit') ?? PAGE.usual), 1), PAGE.max)
  const asked = Math.max(Number(c.req.query('page') ?? 1), 1)
  const since = Date.parse(`${(c.req.query('lastmodified') ?? '').replace(' ', 'T')}Z`)
  const found = register.records.filter(({ changed }) => Number.isNaN(since) || changed >= since)
  const pages = Math.max(1, Math.ceil(found.length / size))
  const page = c.get('fault') === 'repeat-page' ? Math.max(asked - 1, 1) : asked
  const body = JSON.stringify({
    MetaInformation: { '@TotalResources': found.length, '@TotalPages': pages, '@CurrentPage': page },
    [register.name]: pageOf(found, page, size).map((record) => record.body),
  })
  const sent = c.get('fault') === 'cut-off' ? body.slice(0, body.length >> 1) : body
  return c.body(sent, 200, { 'content-type': 'application/json' })
}
