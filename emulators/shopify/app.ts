import { Hono, type Context } from 'hono'
import { Connection, QueryRefusal, selected } from './answer-query.ts'
import { parseQuery, requestedCost, type QueryField } from './graphql.ts'
import { ShopifyStore } from './store.ts'
import type { VendorCompany } from '../vendors/company.ts'
import { simRoutes } from '../vendors/sim-routes.ts'
import { VendorSimulation, type SimulationOptions } from '../vendors/simulation.ts'
import { SHOPIFY_TEST_KEYS, SHOPIFY_TEST_TOKEN } from '../vendors/test-keys.ts'

export interface ShopifyOptions extends SimulationOptions {
  company: VendorCompany
  /** Of the app; absent: everything that a connection reads. */
  scopes?: readonly string[]
}
export interface ShopifyEmulator {
  fetch: (request: Request) => Promise<Response>
  world: VendorSimulation
  store: ShopifyStore
}

const SCOPES = ['read_orders', 'read_all_orders', 'read_products', 'read_customers']
const VERSION = '2026-07'
const TOKEN_MS = 86_399_000
const QUERY_COST_MAX = 1_000
/** A leaky bucket: so many points, which come back at a steady rate. */
const BUCKET = { points: 2_000, aSecond: 100 }
const ORDERS_SEEN_MS = 60 * 86_400_000
const SCOPE_OF: Readonly<Record<string, string>> = {
  orders: 'read_orders',
  order: 'read_orders',
  products: 'read_products',
  productVariants: 'read_products',
  customers: 'read_customers',
}

/** Points left of one app in one store. */
class PointBucket {
  #left = BUCKET.points
  #at: number | null = null

  left(now: number): number {
    const passed = this.#at === null ? 0 : (now - this.#at) / 1_000
    this.#left = Math.min(BUCKET.points, this.#left + passed * BUCKET.aSecond)
    this.#at = now
    return this.#left
  }
  take(points: number): void {
    this.#left -= points
  }
}

/** A stand-in for the Admin API of a Shopify store: tokens, pages by cursor, costs of queries, refusals in the body. */
export function createShopify(options: ShopifyOptions): ShopifyEmulator {
  const world = new VendorSimulation(options)
  const store = new ShopifyStore(options.company)
  const bucket = new PointBucket()
  const tokens = new Map<string, number>([[SHOPIFY_TEST_TOKEN, Number.POSITIVE_INFINITY]])
  const state = { isInstalled: true, last: '' }
  const scopes = options.scopes ?? SCOPES
  const moment = (): string => new Date(world.now()).toISOString()
  const app = new Hono()
    .post('/admin/oauth/access_token', async (c) => {
      world.calls.push('POST /admin/oauth/access_token')
      const form = await c.req.parseBody()
      const isKnown =
        form['client_id'] === SHOPIFY_TEST_KEYS.clientId && form['client_secret'] === SHOPIFY_TEST_KEYS.clientSecret
      if (form['grant_type'] !== 'client_credentials' || !isKnown || !state.isInstalled)
        return c.json({ error: isKnown ? 'shop_not_permitted' : 'invalid_client' }, 400)
      const token = world.id('shpat_standin')
      tokens.set(token, world.now() + TOKEN_MS)
      return c.json({ access_token: token, scope: scopes.join(','), expires_in: TOKEN_MS / 1_000 })
    })
    .post('/admin/api/:version/graphql.json', async (c) => {
      const { query, variables } = await c.req.json<{ query: string; variables: Record<string, unknown> }>()
      world.calls.push(`${/query (\w+)/.exec(query)?.[1] ?? 'query'} ${JSON.stringify(variables)}`)
      const fault = world.takeFault()
      const ends = tokens.get(c.req.header('x-shopify-access-token') ?? '')
      if (ends === undefined || ends <= world.now() || fault === 'unauthorized')
        return c.json({ errors: '[API] Invalid API key or access token (unrecognized login or wrong password)' }, 401)
      if (fault === 'error') return c.json({ errors: 'Internal Server Error' }, 500)
      if (fault === 'repeat-page') return new Response(state.last, { headers: { 'content-type': 'application/json' } })
      c.header('X-Shopify-API-Version', VERSION)
      const body = answered({ query, variables }, { isThrottled: fault === 'rate-limit' })
      if (fault === 'cut-off') return new Response(JSON.stringify(body).slice(0, 40))
      state.last = JSON.stringify(body)
      return c.json(body)
    })
    .route(
      '/_sim',
      simRoutes(world, {
        revoke: () => {
          state.isInstalled = false
          tokens.clear()
        },
        change: (name) => {
          if (name === 'order') return { id: store.order(moment()) }
          return name === 'refund' ? { id: store.refundNewest(moment()) } : null
        },
      }),
    )
    .notFound((c: Context) => c.json({ errors: 'Not Found' }, 404))

  function answered(
    asked: { query: string; variables: Record<string, unknown> },
    { isThrottled }: { isThrottled: boolean },
  ): object {
    let fields: QueryField[]
    try {
      fields = parseQuery(asked.query, asked.variables)
    } catch (error) {
      return { errors: [{ message: String(error), extensions: { code: 'GRAPHQL_PARSE_FAILED' } }] }
    }
    const cost = requestedCost(fields)
    const left = bucket.left(world.now())
    const extensions = (actual: number | null, available: number) => ({
      cost: {
        requestedQueryCost: cost,
        actualQueryCost: actual,
        throttleStatus: {
          maximumAvailable: BUCKET.points,
          currentlyAvailable: Math.floor(available),
          restoreRate: BUCKET.aSecond,
        },
      },
    })
    const refused = (code: string, message: string, actual: number | null = null) => ({
      errors: [{ message, extensions: { code, documentation: 'https://shopify.dev/api/usage/limits' } }],
      extensions: extensions(actual, left),
    })
    if (cost > QUERY_COST_MAX) return refused('MAX_COST_EXCEEDED', `Query cost is ${cost}, which exceeds the limit.`)
    if (isThrottled || cost > left) return refused('THROTTLED', 'Throttled')
    try {
      const data = selected(rootOf(fields), fields)
      bucket.take(cost)
      return { data, extensions: extensions(cost, left - cost) }
    } catch (error) {
      if (error instanceof QueryRefusal) return refused(error.code, error.message, 0)
      throw error
    }
  }

  function rootOf(fields: readonly QueryField[]): object {
    for (const { name } of fields) {
      const scope = SCOPE_OF[name]
      if (scope !== undefined && !scopes.includes(scope))
        throw new QueryRefusal('ACCESS_DENIED', `Access denied for ${name} field. Required access: ${scope}.`)
    }
    const since = scopes.includes('read_all_orders') ? '' : new Date(world.now() - ORDERS_SEEN_MS).toISOString()
    const orders = store.orders.filter(({ createdAt }) => createdAt >= since)
    const asked = fields.find(({ name }) => name === 'order')?.args['id']
    return {
      shop: { name: store.name },
      currentAppInstallation: { accessScopes: scopes.map((handle) => ({ handle })) },
      orders: new Connection(orders),
      order: orders.find(({ id }) => id === asked) ?? null,
      products: new Connection(store.products),
      productVariants: new Connection(store.variants),
      customers: new Connection(store.customers),
    }
  }

  return { fetch: async (request) => app.fetch(request), world, store }
}
