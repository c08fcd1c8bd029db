import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from './context'
import { isOfLinks, LINK_HEADERS } from '../shared/reports/link-paths'

/** What a page of ours never asks a browser for, so that nothing that gets into one can. */
const UNUSED_CAPABILITIES = [
  ...['accelerometer', 'camera', 'display-capture', 'encrypted-media', 'geolocation', 'gyroscope', 'hid'],
  ...['idle-detection', 'local-fonts', 'magnetometer', 'microphone', 'midi', 'payment', 'picture-in-picture'],
  ...['screen-wake-lock', 'serial', 'usb', 'xr-spatial-tracking'],
]

const ALWAYS = {
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Permissions-Policy': UNUSED_CAPABILITIES.map((name) => `${name}=()`).join(', '),
  'X-Frame-Options': 'DENY',
  'X-Permitted-Cross-Domain-Policies': 'none',
}
/** For what is data and never a document. Pages bring their own policy. */
const DATA_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The first middleware, so that refusals and unexpected errors carry the headers too, and answers made without the context. */
export const securityHeaders = (): MiddlewareHandler<AppEnv> => async (c, next) => {
  await next()
  const { headers } = c.res
  for (const [name, value] of Object.entries(ALWAYS)) headers.set(name, value)
  if (isOfLinks(c.req.path)) for (const [name, value] of Object.entries(LINK_HEADERS)) headers.set(name, value)
  const policy = headers.get('Content-Security-Policy') ?? ''
  // Said by the policy itself, which older browsers' header cannot say: which sites may show it.
  if (policy.includes('frame-ancestors https:')) headers.delete('X-Frame-Options')
  headers.set('X-Request-Id', c.get('requestId'))
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'private, no-store')
  if (!headers.has('Content-Security-Policy')) headers.set('Content-Security-Policy', DATA_POLICY)
}
