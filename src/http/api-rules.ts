import type { MiddlewareHandler } from 'hono'
import { checkCsrf } from './csrf'
import type { AppEnv } from './context'
import { ProductError } from '../shared/errors'

const READ_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])
const BODY_METHODS = new Set(['POST', 'PUT'])

/** Told to us by a machine: its signature is checked instead, and whatever it sends is refused by that alone. */
const WEBHOOK_PATH = '/api/stripe/webhook'

/** What every call under `/api` and `/files` obeys, whoever asks: never cached, writes proven to be ours, JSON only. */
export const protectApi = (): MiddlewareHandler<AppEnv> => async (c, next) => {
  const { method } = c.req
  if (!READ_METHODS.has(method) && c.req.path !== WEBHOOK_PATH) {
    if (c.req.path.startsWith('/api/') && BODY_METHODS.has(method) && !isJson(c.req.header('content-type')))
      throw new ProductError('unsupported_type', { allow: 'application/json' })
    await checkCsrf(c)
  }
  await next()
  if (!c.res.headers.has('Cache-Control')) c.res.headers.set('Cache-Control', 'private, no-store')
}

const isJson = (type: string | undefined): boolean => /^application\/json\s*(;|$)/i.test(type ?? '')
