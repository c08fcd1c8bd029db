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
export const countingD1 = (d1: D1Database, requestCosts: RequestCosts): D1Database => countingProxy(d1, requestCosts)

/** What each stand-in stands for: `batch` must hand the database its own statements. */
const proxyTargets = new WeakMap<object, object>()
const unwrapProxy = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(unwrapProxy)
  return typeof value === 'object' && value !== null ? (proxyTargets.get(value) ?? value) : value
}

function countingProxy<T extends object>(target: T, requestCosts: RequestCosts): T {
  const stand = new Proxy(target, {
    get(on, key) {
      const member: unknown = Reflect.get(on, key)
      if (typeof member !== 'function') return member
      return (...args: unknown[]) => {
        const answer: unknown = Reflect.apply(member, on, args.map(unwrapProxy))
        if (!ROUND_TRIP_METHODS.has(key))
          return typeof answer === 'object' && answer !== null ? countingProxy(answer, requestCosts) : answer
        requestCosts.d1++
        return Promise.resolve(answer).then((result) => {
          requestCosts.rowsWritten += rowsWrittenBy(result)
          return result
        })
      }
    },
  })
  proxyTargets.set(stand, target)
  return stand
}
