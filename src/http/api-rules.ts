import type { MiddlewareHandler } from 'hono'
import { checkCsrf } from './csrf'
import type { AppEnv } from './context'
import { ProductError } from '../shared/errors'

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])
const CARRIES_BODY = new Set(['POST', 'PUT'])

/** Told to us by a machine: its signature is checked instead, and whatever it sends is refused by that alone. */
const SIGNED = '/api/stripe/webhook'

/** What every call under `/api` and `/files` obeys, whoever asks: never cached, writes proven to be ours, JSON only. */
export const apiRules = (): MiddlewareHandler<AppEnv> => async (c, next) => {
  const { method } = c.req
  if (!READS.has(method) && c.req.path !== SIGNED) {
    if (c.req.path.startsWith('/api/') && CARRIES_BODY.has(method) && !isJson(c.req.header('content-type')))
      throw new ProductError('unsupported_type', { allow: 'application/json' })
    await checkCsrf(c)
  }
  await next()
  if (!c.res.headers.has('Cache-Control')) c.res.headers.set('Cache-Control', 'private, no-store')
}

const isJson = (type: string | undefined): boolean => /^application\/json\s*(;|$)/i.test(type ?? '')
