import type { Handler, MiddlewareHandler } from 'hono'
import type { RouterRoute } from 'hono/types'
import type { AppEnv } from './context'
import { ProductError } from '../shared/errors'
import { needs, within, type Guard } from './guard'

/** A path as routes write it (`/api/insights/:id`) as an expression over real paths. */
const pathPattern = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/:[A-Za-z]+/g, '[^/]+')}/?$`)

/**
 * 404 for a path with a segment that begins with a colon. No id does, and the router takes `/:id` for itself twice, as
 * a name and as a parameter: the route's middleware would run twice, and find the body read.
 */
export const refuseLiteralParameters = (): MiddlewareHandler<AppEnv> => (c, next) => {
  if (c.req.path.includes('/:')) throw new ProductError('not_found')
  return next()
}

/** What no route answers: 405 with the methods that the path takes, else 404. The table is filled after mounting. */
export function notFound(table: readonly RouterRoute[]): Handler<AppEnv> {
  return (c) => {
    const methods = table
      .filter(({ method, path }) => method !== 'ALL' && !path.includes('*') && pathPattern(path).test(c.req.path))
      .map(({ method }) => method)
    if (methods.length === 0) throw new ProductError('not_found')
    const allow = [...new Set(methods)].toSorted().join(', ')
    c.header('Allow', allow)
    throw new ProductError('method_not_allowed', { allow })
  }
}

/**
 * What a plan may lack, by the beginning of its paths, the longest first: whatever is not mounted there yet answers
 * members whose plan has no part in it as it will answer them then, and everybody else 404. A feature that mounts its
 * routes declares the same guards on them.
 */
export const GATED_PATHS: readonly { prefix: string; guards: readonly Guard[] }[] = [
  { prefix: '/api/file-analyses', guards: [needs('fileAnalysis')] },
  { prefix: '/api/clients', guards: [needs('clientPortal')] },
  { prefix: '/api/bi', guards: [needs('externalBI'), within('feeds')] },
]

const GATED_PATTERNS = GATED_PATHS.map(({ prefix, guards }) => ({
  paths: new RegExp(`^${prefix.replace(/:[a-z]+/g, '[^/]+')}(/|$)`),
  guards,
}))

/** Mounted behind every route and before the 404: asks the guards of the path, for members only. */
export const guardGatedPaths = (): MiddlewareHandler<AppEnv> => async (c, next) => {
  const gated = GATED_PATTERNS.find(({ paths }) => paths.test(c.req.path))
  const membership = c.get('actor')?.membership
  // People of the portal are clients of the workspace: its plan is nothing to tell them.
  if (gated && membership && membership.role !== 'client') await runGuards(gated.guards, c)
  await next()
}

async function runGuards(guards: readonly Guard[], c: Parameters<Guard>[0]): Promise<void> {
  for (const guard of guards) await guard(c, () => Promise.resolve())
}
