import type { Handler } from 'hono'
import type { RouterRoute } from 'hono/types'
import type { AppEnv } from './context'
import { ProductError } from '../shared/errors'

/** A path as routes write it (`/api/insights/:id`) as an expression over real paths. */
const pathPattern = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/:[A-Za-z]+/g, '[^/]+')}/?$`)

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
