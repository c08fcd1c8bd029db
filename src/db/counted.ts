/** What a request asked of the things behind it. Counted in local mode, and shown beside its answer. */
export interface Costs {
  /** Round trips to D1; a batch is one. */
  d1: number
  /** Rows that these wrote. */
  rowsWritten: number
  /** Calls of the workspace's warehouse. */
  objects: number
}

/** Calls that go to the database. */
const TRIPS: ReadonlySet<string | symbol> = new Set(['all', 'run', 'first', 'raw', 'batch', 'exec'])
const written = (result: unknown): number =>
  [result].flat().reduce((sum: number, one) => sum + (isResult(one) ? (one.meta?.rows_written ?? 0) : 0), 0)
const isResult = (value: unknown): value is { meta?: { rows_written?: number } } =>
  typeof value === 'object' && value !== null && 'meta' in value

/** The database, with every round trip added to `costs`. */
export const countedD1 = (d1: D1Database, costs: Costs): D1Database => counted(d1, costs)

/** What each stand-in stands for: `batch` must hand the database its own statements. */
const originals = new WeakMap<object, object>()
const original = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(original)
  return typeof value === 'object' && value !== null ? (originals.get(value) ?? value) : value
}

function counted<T extends object>(target: T, costs: Costs): T {
  const stand = new Proxy(target, {
    get(on, key) {
      const member: unknown = Reflect.get(on, key)
      if (typeof member !== 'function') return member
      return (...args: unknown[]) => {
        const answer: unknown = Reflect.apply(member, on, args.map(original))
        if (!TRIPS.has(key)) return typeof answer === 'object' && answer !== null ? counted(answer, costs) : answer
        costs.d1++
        return Promise.resolve(answer).then((result) => {
          costs.rowsWritten += written(result)
          return result
        })
      }
    },
  })
  originals.set(stand, target)
  return stand
}
