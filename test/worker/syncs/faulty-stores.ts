import { env } from 'cloudflare:test'

/** `before`: nothing was done. `after`: it was done, and whoever asked does not learn of it. */
export const STORE_FAULTS = ['before', 'after'] as const
export type StoreFaultKind = (typeof STORE_FAULTS)[number]

type Bindings = typeof env
export interface FaultyStores {
  bindings: Bindings
  calls: string[]
  /** From now on the nth call from here fails, once. */
  breakAt: (nth: number, kind: StoreFaultKind) => void
  /** Whether the call that was to fail has been made. */
  hasBroken: () => boolean
}
type Call = (...args: unknown[]) => unknown

/** What each store says as it breaks. */
const SAYS: Record<string, string> = {
  DB: 'D1_ERROR: Network connection lost.',
  SESSIONS: 'KV PUT failed: 500 Internal Server Error',
  FILES: 'put: We encountered an internal error. Please try again. (10001)',
}

/**
 * The platform's stores, of whose calls one may fail: of the database, the session store, the bucket, objects and
 * workflows. `calls` are those that were made, each by its store and what was asked of it. `given`: in place of the own.
 */
export function faultyStores(given: Partial<Bindings> = {}): FaultyStores {
  const calls: string[] = []
  let fault: { left: number; kind: StoreFaultKind } | null = null

  async function pass(site: string, work: () => unknown): Promise<unknown> {
    calls.push(site)
    const kind = fault && (fault.left -= 1) === 0 ? fault.kind : null
    if (kind === null) return work()
    fault = null
    const [store = ''] = site.split('.')
    const error = new Error(SAYS[store] ?? 'Network connection lost.')
    // Of an object: it is asked anew where that changes nothing.
    if (!(store in SAYS)) Object.assign(error, { retryable: true })
    if (kind === 'after') await work()
    throw error
  }

  /** The same thing, of which the named methods are calls; `made` wraps what others answer at once. */
  function watched<T extends object>(
    thing: T,
    site: string,
    of: { calls: (name: string) => boolean; made?: (name: string, made: unknown, args: unknown[]) => unknown },
  ): T {
    return new Proxy(thing, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function' || typeof name !== 'string' || name === 'then') return member
        const ask: Call = (...args) => Reflect.apply(member, target, args)
        if (of.calls(name)) return (...args: unknown[]) => pass(`${site}.${name}`, () => ask(...args))
        return (...args: unknown[]) => {
          const made = ask(...args)
          return of.made?.(name, made, args) ?? made
        }
      },
    })
  }

  const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>()
  const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
  const statement = (inner: D1PreparedStatement): D1PreparedStatement => {
    const stand = watched(inner, 'DB', {
      calls: (name) => ['run', 'all', 'first', 'raw'].includes(name),
      made: (name, _made, args) => (name === 'bind' ? statement(inner.bind(...args)) : undefined),
    })
    originals.set(stand, inner)
    return stand
  }
  const originalOf = (stand: D1PreparedStatement): D1PreparedStatement => originals.get(stand) ?? stand
  const DB = new Proxy(env.DB, {
    get(target, name) {
      if (name === 'prepare') return (sql: string) => statement(target.prepare(sql))
      if (name === 'batch')
        return (statements: D1PreparedStatement[]) => pass('DB.batch', () => target.batch(statements.map(originalOf)))
      const member: unknown = Reflect.get(target, name)
      return member
    },
  })
  const upload = (inner: unknown): unknown =>
    isObject(inner) ? watched(inner, 'FILES.upload', { calls: () => true }) : inner
  const files = new Proxy(env.FILES, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function' || typeof name !== 'string') return member
      const ask: Call = (...args) => Reflect.apply(member, target, args)
      if (name === 'resumeMultipartUpload') return (...args: unknown[]) => upload(ask(...args))
      if (name === 'createMultipartUpload')
        return async (...args: unknown[]) => upload(await pass('FILES.create', () => ask(...args)))
      return (...args: unknown[]) => pass(`FILES.${name}`, () => ask(...args))
    },
  })

  const objects = <T extends object>(namespace: T, site: string): T =>
    watched(namespace, site, {
      calls: () => false,
      made: (name, made) =>
        (name === 'get' || name === 'getByName') && isObject(made)
          ? watched(made, site, { calls: () => true })
          : undefined,
    })
  const workflow = <T extends object>(binding: T, site: string): T => watched(binding, site, { calls: () => true })

  const own = { ...env, ...given }
  const { WAREHOUSE, RATE_LIMITER, WORKSPACE_HUB, PUSH_INBOX, SYNC_SOURCE, LOAD_FILE } = own
  return {
    bindings: {
      ...own,
      ...{ DB, FILES: files, SESSIONS: watched(env.SESSIONS, 'SESSIONS', { calls: () => true }) },
      ...{ WAREHOUSE: objects(WAREHOUSE, 'WAREHOUSE'), RATE_LIMITER: objects(RATE_LIMITER, 'RATE_LIMITER') },
      ...{ WORKSPACE_HUB: objects(WORKSPACE_HUB, 'HUB'), PUSH_INBOX: objects(PUSH_INBOX, 'INBOX') },
      ...{ SYNC_SOURCE: workflow(SYNC_SOURCE, 'SYNC_SOURCE'), LOAD_FILE: workflow(LOAD_FILE, 'LOAD_FILE') },
    },
    calls,
    breakAt: (nth, kind) => {
      fault = { left: nth, kind }
    },
    hasBroken: () => fault === null,
  }
}
