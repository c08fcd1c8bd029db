import { Hono } from 'hono'
import type { Context, Next } from 'hono'
import { calls } from './api.ts'
import { runDue } from './clock.ts'
import { ConnectionClosed, Fault } from './faults.ts'
import { parseForm } from './form.ts'
import type { Form } from './form.ts'
import type { World } from './world.ts'

interface Asked {
  Variables: { form: Form; call: string }
}
const DAY = 86_400

const refuse = (c: Context, fault: Fault, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify({ error: fault.body }, null, 2), {
    status: fault.status,
    headers: { 'content-type': 'application/json', ...Object.fromEntries(c.res.headers), ...headers },
  })

/** `/v1`: the key, ordered faults, idempotency keys, then the call. */
export function door(world: World, secretKey: string): Hono<Asked> {
  return new Hono<Asked>()
    .use('/v1/*', async (c, next) => {
      c.header('request-id', world.id('req', 14))
      if (c.req.header('authorization') !== `Bearer ${secretKey}`)
        return refuse(c, new Fault(401, { type: 'invalid_request_error', message: 'Invalid API Key provided.' }))
      return next()
    })
    .use('/v1/*', (c, next) => orderedFault(world, c, next))
    .use('/v1/*', async (c, next) => {
      const query = new URL(c.req.url).search.slice(1)
      const body = c.req.method === 'GET' ? query : new TextDecoder().decode(await c.req.arrayBuffer()) || query
      c.set('form', parseForm(body))
      c.set('call', `${c.req.method} ${c.req.path} ${body}`)
      runDue(world)
      return next()
    })
    .use('/v1/*', (c, next) => once(world, c, next))
    .route('/', calls(world))
    .all('/v1/*', (c) => {
      const message = `Unrecognized request URL (${c.req.method}: ${c.req.path}).`
      return refuse(c, new Fault(404, { type: 'invalid_request_error', message }))
    })
    .onError((error, c) => {
      if (error instanceof Fault) return refuse(c, error)
      throw error
    })
}

const keyOf = (c: Context<Asked>): string | undefined =>
  c.req.method === 'POST' ? c.req.header('idempotency-key') : undefined

/** The same key with the same parameters has the same answer; with others it is refused. */
async function once(world: World, c: Context<Asked>, next: Next): Promise<Response | void> {
  const key = keyOf(c)
  world.request = { id: c.res.headers.get('request-id'), idempotency_key: key ?? null }
  if (key === undefined) return next()
  // Stripe refuses the same key while its first call runs, and the library asks again: here it waits.
  const running = RUNNING.get(world) ?? new Map<string, Promise<void>>()
  RUNNING.set(world, running)
  while (running.has(key)) await running.get(key)
  const first = world.state.replies[key]
  if (first !== undefined && first.call !== c.get('call'))
    return refuse(
      c,
      new Fault(400, {
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
    await keep(world, c, key)
  } finally {
    running.delete(key)
    done.resolve()
  }
}

/** First calls that run, by world and key. */
const RUNNING = new WeakMap<World, Map<string, Promise<void>>>()

async function keep(world: World, c: Context<Asked>, key: string): Promise<void> {
  const { status } = c.res
  // What was refused before anything was done may be tried again with the same key.
  if (status >= 400 && status !== 402) return
  const body: unknown = await c.res.clone().json()
  if (typeof body !== 'object' || body === null) return
  const requestId = c.res.headers.get('request-id') ?? ''
  world.state.replies[key] = { at: world.clock(), call: c.get('call'), status, body, requestId }
  for (const [name, { at }] of Object.entries(world.state.replies))
    if (at < world.clock() - DAY) delete world.state.replies[name]
}

/** Faults that were ordered, each for so many calls. */
async function orderedFault(world: World, c: Context<Asked>, next: Next): Promise<Response | void> {
  const { faults } = world.state
  if (faults === null) return next()
  faults.times -= 1
  if (faults.times <= 0) world.state.faults = null
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
  return refuse(c, new Fault(status, { type, message, ...(status === 429 ? { code: 'rate_limit' } : {}) }), {
    'retry-after': '1',
  })
}
