import { Hono, type Context, type Next } from 'hono'
import { apiRoutes } from './api.ts'
import { runDue } from './clock.ts'
import { ConnectionClosed, StripeError } from './errors.ts'
import { parseForm, type Form } from './form.ts'
import type { Simulation } from './simulation.ts'

interface GatewayEnv {
  Variables: { form: Form; call: string }
}
const DAY = 86_400

const errorResponse = (c: Context, stripeError: StripeError, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify({ error: stripeError.body }, null, 2), {
    status: stripeError.status,
    headers: { 'content-type': 'application/json', ...Object.fromEntries(c.res.headers), ...headers },
  })

/** `/v1`: the key, ordered faults, idempotency keys, then the call. */
export function apiGateway(simulation: Simulation, secretKey: string): Hono<GatewayEnv> {
  return new Hono<GatewayEnv>()
    .use('/v1/*', async (c, next) => {
      c.header('request-id', simulation.id('req', 14))
      if (c.req.header('authorization') !== `Bearer ${secretKey}`)
        return errorResponse(
          c,
          new StripeError(401, { type: 'invalid_request_error', message: 'Invalid API Key provided.' }),
        )
      return next()
    })
    .use('/v1/*', (c, next) => injectedFault(simulation, c, next))
    .use('/v1/*', async (c, next) => {
      const query = new URL(c.req.url).search.slice(1)
      const body = c.req.method === 'GET' ? query : new TextDecoder().decode(await c.req.arrayBuffer()) || query
      c.set('form', parseForm(body))
      c.set('call', `${c.req.method} ${c.req.path} ${body}`)
      runDue(simulation)
      return next()
    })
    .use('/v1/*', (c, next) => replayIdempotent(simulation, c, next))
    .route('/', apiRoutes(simulation))
    .all('/v1/*', (c) => {
      const message = `Unrecognized request URL (${c.req.method}: ${c.req.path}).`
      return errorResponse(c, new StripeError(404, { type: 'invalid_request_error', message }))
    })
    .onError((error, c) => {
      if (error instanceof StripeError) return errorResponse(c, error)
      throw error
    })
}

const keyOf = (c: Context<GatewayEnv>): string | undefined =>
  c.req.method === 'POST' ? c.req.header('idempotency-key') : undefined

/** The same key with the same parameters has the same answer; with others it is refused. */
async function replayIdempotent(simulation: Simulation, c: Context<GatewayEnv>, next: Next): Promise<Response | void> {
  const key = keyOf(c)
  simulation.request = { id: c.res.headers.get('request-id'), idempotency_key: key ?? null }
  if (key === undefined) return next()
  // Stripe refuses the same key while its first call runs, and the library asks again: here it waits.
  const running = RUNNING_REQUESTS.get(simulation) ?? new Map<string, Promise<void>>()
  RUNNING_REQUESTS.set(simulation, running)
  while (running.has(key)) await running.get(key)
  const first = simulation.state.replies[key]
  if (first !== undefined && first.call !== c.get('call'))
    return errorResponse(
      c,
      new StripeError(400, {
        type: 'idempotency_error',
        message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      }),
    )
  if (first !== undefined)
    return new Response(JSON.stringify(first.body), {
      status: first.status,
      headers: {
        'content-type': 'application/json',
        'idempotent-replayed': 'true',
        'original-request': first.requestId,
        'request-id': c.res.headers.get('request-id') ?? '',
      },
    })
  const done = Promise.withResolvers<void>()
  running.set(key, done.promise)
  try {
    await next()
    await saveReply(simulation, c, key)
  } finally {
    running.delete(key)
    done.resolve()
  }
}

/** First calls that run, by world and key. */
const RUNNING_REQUESTS = new WeakMap<Simulation, Map<string, Promise<void>>>()

async function saveReply(simulation: Simulation, c: Context<GatewayEnv>, key: string): Promise<void> {
  const { status } = c.res
  // What was refused before anything was done may be tried again with the same key.
  if (status >= 400 && status !== 402) return
  const body: unknown = await c.res.clone().json()
  if (typeof body !== 'object' || body === null) return
  const requestId = c.res.headers.get('request-id') ?? ''
  simulation.state.replies[key] = { at: simulation.clock(), call: c.get('call'), status, body, requestId }
  for (const [name, { at }] of Object.entries(simulation.state.replies))
    if (at < simulation.clock() - DAY) delete simulation.state.replies[name]
}

/** Faults that were ordered, each for so many calls. */
async function injectedFault(simulation: Simulation, c: Context<GatewayEnv>, next: Next): Promise<Response | void> {
  const { faults } = simulation.state
  if (faults === null) return next()
  faults.times -= 1
  if (faults.times <= 0) simulation.state.faults = null
  if (faults.mode === 'down') throw new ConnectionClosed('the stand-in is down')
  if (faults.mode === 'lost') {
    await next()
    throw new ConnectionClosed('the answer is lost')
  }
  if (faults.mode === 'slow') {
    await new Promise((resolve) => setTimeout(resolve, faults.ms))
    return next()
  }
  const status = Number(faults.mode)
  const type = status === 429 ? 'invalid_request_error' : 'api_error'
  const message = status === 429 ? 'Too many requests.' : 'Something went wrong on our end.'
  return errorResponse(
    c,
    new StripeError(status, { type, message, ...(status === 429 ? { code: 'rate_limit' } : {}) }),
    {
      'retry-after': '1',
    },
  )
}
