import { Hono, type Context } from 'hono'
import { simRoutes } from '../vendors/sim-routes.ts'
import { CallWindow, VendorSimulation, type SimulationOptions } from '../vendors/simulation.ts'
import type { VendorCompany } from '../vendors/company.ts'
import { STRIPE_DATA_KEY } from '../vendors/test-keys.ts'
import { StripeAccount, type StripeList } from './account.ts'

export interface StripeDataOptions extends SimulationOptions {
  company: VendorCompany
  /** Lists that a key may read; absent: all, by {@link STRIPE_DATA_KEY}. */
  rights?: Readonly<Record<string, readonly string[]>>
}

export interface StripeDataEmulator {
  fetch: (request: Request) => Promise<Response>
  world: VendorSimulation
  account: StripeAccount
}

/** 25 calls a second in a sandbox; pages of up to 100, of 10 where none is asked for. */
const WINDOW = { calls: 25, ms: 1_000 }
const PAGE = { usual: 10, max: 100 }

const refusal = (c: Context, status: 400 | 401 | 403 | 404 | 429 | 500, error: Record<string, string>): Response =>
  c.json({ error: { type: 'invalid_request_error', ...error } }, status)

/** A stand-in for Stripe as its account's owner lets others read it: lists, their paging, limits and errors. */
export function createStripeData(options: StripeDataOptions): StripeDataEmulator {
  const world = new VendorSimulation(options)
  const account = new StripeAccount(options.company)
  const window = new CallWindow(WINDOW.calls, WINDOW.ms)
  const revoked = new Set<string>()
  const app = new Hono()
    .use('/v1/*', async (c, next) => {
      world.calls.push(`${c.req.method} ${new URL(c.req.url).pathname}${new URL(c.req.url).search}`)
      const key = /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1] ?? ''
      const fault = world.takeFault()
      const rights = rightsOf(options, key)
      if (!rights || revoked.has(key) || fault === 'unauthorized')
        return refusal(c, 401, { message: `Invalid API Key provided: ${key.slice(0, 8)}****` })
      const list = c.req.path.split('/')[2] ?? ''
      if (rights !== 'all' && !rights.includes(list))
        return refusal(c, 403, {
          message: 'The provided key does not have the required permissions for this endpoint.',
        })
      if (window.take(key, world.now()) > 0 || fault === 'rate-limit')
        return refusal(c, 429, { code: 'rate_limit', message: 'Request rate limit exceeded.' })
      if (fault === 'error') return refusal(c, 500, { type: 'api_error', message: 'An error occurred on our end.' })
      await next()
      if (fault === 'cut-off') c.res = new Response((await c.res.text()).slice(0, 40), c.res)
    })
    .get('/v1/account', (c) =>
      c.json({ id: 'acct_standin', object: 'account', business_profile: { name: account.name } }),
    )
    .get('/v1/:list', (c) => {
      const list = Object.keys(account.lists).find((name): name is StripeList => name === c.req.param('list'))
      return list ? listed(c, account, list) : refusal(c, 404, { message: 'Unrecognized request URL.' })
    })
    .route(
      '/_sim',
      simRoutes(world, {
        revoke: () => revoked.add(STRIPE_DATA_KEY),
        change: (name) => {
          if (name !== 'charge') return null
          return { id: account.charge(Math.floor(world.now() / 1000), { amount: 125_000, currency: 'sek' }) }
        },
      }),
    )
  return { fetch: async (request) => app.fetch(request), world, account }
}

const rightsOf = ({ rights = {} }: StripeDataOptions, key: string): readonly string[] | 'all' | undefined =>
  key === STRIPE_DATA_KEY ? 'all' : rights[key]

/** One page, newest first. */
function listed(c: Context, { lists }: StripeAccount, name: StripeList): Response {
  const size = Number(c.req.query('limit') ?? PAGE.usual)
  if (!(size >= 1 && size <= PAGE.max))
    return refusal(c, 400, { param: 'limit', message: 'This value must be between 1 and 100.' })
  const since = Number(c.req.query('created[gte]') ?? 0)
  const found = lists[name].filter(({ created }) => created >= since)
  const after = c.req.query('starting_after')
  const at = after === undefined ? -1 : found.findIndex(({ id }) => id === after)
  if (after !== undefined && at === -1)
    return refusal(c, 400, { code: 'resource_missing', param: 'starting_after', message: `No such object: '${after}'` })
  const data = found.slice(at + 1, at + 1 + size)
  const isLast = at + 1 + data.length >= found.length
  return c.json({ object: 'list', url: `/v1/${name}`, has_more: !isLast, data })
}
