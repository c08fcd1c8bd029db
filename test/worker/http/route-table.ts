import type { RouterRoute } from 'hono/types'
import type { GuardDeclaration } from '../../../src/http/guard'
import type { SchemaDeclaration } from '../../../src/http/validate'

/** One call of the API: what it demands and what it takes, as its middleware declare it. */
export interface RouteEntry {
  method: string
  path: string
  guards: GuardDeclaration[]
  schemas: SchemaDeclaration[]
}

/** The table of an app's routes, middleware merged per method and path, in the order of mounting. */
export function routeTable(app: { routes: RouterRoute[] }): RouteEntry[] {
  const entries = new Map<string, RouteEntry>()
  for (const { method, path, handler } of app.routes) {
    if (method === 'ALL' || path.includes('*')) continue
    const key = `${method} ${path}`
    const entry = entries.get(key) ?? { method, path, guards: [], schemas: [] }
    if (declaresGuard(handler)) entry.guards.push(handler.guard)
    if (declaresSchema(handler)) entry.schemas.push(handler.declares)
    entries.set(key, entry)
  }
  return [...entries.values()]
}

const declaresGuard = (handler: object): handler is { guard: GuardDeclaration } => 'guard' in handler
const declaresSchema = (handler: object): handler is { declares: SchemaDeclaration } => 'declares' in handler

/** The path with every parameter replaced by this text: an address that can be called. */
export const callablePath = (path: string, parameter = 'nothing'): string =>
  path.replace(/:[A-Za-z]+(\{[^}]*\})?/g, parameter)
