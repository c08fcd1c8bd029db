import type { MiddlewareHandler } from 'hono'
import { openDatabase } from '../db/database'
import { createDeps, type Deps } from '../deps'
import type { WarehouseClientFactory } from '../warehouse/stub'
import { readSettings } from '../settings'
import { backgroundTasksOf, type AppEnv } from './context'
import { isLoopback } from '../lib/loopback'
import { log } from '../lib/log'
import { ProductError } from '../shared/errors'

/** What a request asked of the things behind it. Counted in local mode, and shown beside its answer. */
export interface RequestCosts {
  /** Round trips to D1; a batch is one. */
  d1: number
  /** Rows that these wrote. */
  rowsWritten: number
  /** Calls of the workspace's warehouse. */
  objects: number
}

/** Calls that go to the database. */
const ROUND_TRIP_METHODS: ReadonlySet<string | symbol> = new Set(['all', 'run', 'first', 'raw', 'batch', 'exec'])
const rowsWrittenBy = (result: unknown): number =>
  [result].flat().reduce((sum: number, one) => sum + (isResult(one) ? (one.meta?.rows_written ?? 0) : 0), 0)
const isResult = (value: unknown): value is { meta?: { rows_written?: number } } =>
  typeof value === 'object' && value !== null && 'meta' in value

/** The database, with every round trip added to `costs`. */
export const countingD1 = (d1: D1Database, costs: RequestCosts): D1Database => countingProxy(d1, costs)

/** What each stand-in stands for: `batch` must hand the database its own statements. */
const proxyTargets = new WeakMap<object, object>()
const unwrapProxy = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(unwrapProxy)
  return typeof value === 'object' && value !== null ? (proxyTargets.get(value) ?? value) : value
}

function countingProxy<T extends object>(target: T, costs: RequestCosts): T {
  const stand = new Proxy(target, {
    get(on, key) {
      const member: unknown = Reflect.get(on, key)
      if (typeof member !== 'function') return member
      return (...args: unknown[]) => {
        const answer: unknown = Reflect.apply(member, on, args.map(unwrapProxy))
        if (!ROUND_TRIP_METHODS.has(key))
          return typeof answer === 'object' && answer !== null ? countingProxy(answer, costs) : answer
        costs.d1++
        return Promise.resolve(answer).then((result) => {
          costs.rowsWritten += rowsWrittenBy(result)
          return result
        })
      }
    },
  })
  proxyTargets.set(stand, target)
  return stand
}

/** The same dependencies, counting what they are asked for. */
function countingDeps(deps: Deps, costs: RequestCosts): Deps {
  return {
    ...deps,
    db: openDatabase(countingD1(deps.db.d1, costs)),
    warehouse: countingWarehouse(deps.warehouse, costs),
  }
}

const countingWarehouse =
  (warehouse: WarehouseClientFactory, costs: RequestCosts): WarehouseClientFactory =>
  (scope) =>
    new Proxy(warehouse(scope), {
      get(client, key) {
        costs.objects++
        return Reflect.get(client, key)
      },
    })

/** As `Server-Timing` says it, so that a browser shows it beside the call. */
const serverTimingHeader = ({ d1, objects, rowsWritten }: RequestCosts): string =>
  `d1;desc="${d1}", objects;desc="${objects}", rows-written;desc="${rowsWritten}"`

/** Request id and dependencies for everything after it. Refuses to serve with a missing or weak setting. */
export function initializeRequest(overrides: Partial<Deps>): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    c.set('requestId', crypto.randomUUID())
    c.set('actor', null)
    c.set('sessionHash', null)
    c.set('csrfToken', null)
    c.set('earlierReply', null)
    c.set('idempotency', null)
    const parsed = readSettings(c.env)
    if (!parsed.ok) {
      log('error', 'misconfigured', { problem: parsed.problem })
      throw new ProductError('misconfigured')
    }
    const { settings } = parsed
    if (settings.LOCAL_MODE && !isLoopback(new URL(c.req.url).hostname)) {
      log('error', 'misconfigured', { problem: 'LOCAL_MODE is on and the host is not loopback' })
      throw new ProductError('misconfigured')
    }
    const { raw } = c.req
    const tasks = { ...backgroundTasksOf(c), signal: () => raw.signal }
    const deps = createDeps(c.env, settings, tasks, overrides)
    if (!settings.LOCAL_MODE) {
      c.set('deps', deps)
      return next()
    }
    const costs = { d1: 0, rowsWritten: 0, objects: 0 }
    c.set('deps', countingDeps(deps, costs))
    await next()
    c.header('Server-Timing', serverTimingHeader(costs))
  }
}
