import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from './context'

const ALWAYS = {
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), interest-cohort=()',
  'X-Frame-Options': 'DENY',
}
/** For what is data and never a document. Pages bring their own policy. */
const DATA_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The first middleware, so that refusals and unexpected errors carry the headers too. */
export const securityHeaders = (): MiddlewareHandler<AppEnv> => async (c, next) => {
  await next()
  for (const [name, value] of Object.entries(ALWAYS)) c.res.headers.set(name, value)
  if (!c.res.headers.has('Content-Security-Policy')) c.res.headers.set('Content-Security-Policy', DATA_POLICY)
}
