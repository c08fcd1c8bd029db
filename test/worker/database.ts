import { env } from 'cloudflare:test'
import { openDatabase } from '../../src/db/database'
import type { Database } from '../../src/db/database'

/** Every row of every table of the database as one text: equal before and after = nothing was written. */
export async function databaseDump(): Promise<string> {
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_cf%' ESCAPE '\\' ORDER BY name",
  ).all<{ name: string }>()
  const tables = await env.DB.batch(results.map(({ name }) => env.DB.prepare(`SELECT * FROM "${name}"`)))
  return JSON.stringify(tables.map(({ results: rows }, i) => [results[i]?.name, rows]))
}

/** A database that counts its round trips. */
export function countingDatabase(): { db: Database; trips: () => number } {
  let trips = 0
  const statement = (inner: D1PreparedStatement): D1PreparedStatement =>
    new Proxy(inner, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target)
        if (typeof value !== 'function') return value
        return (...given: unknown[]) => {
          if (name !== 'bind') trips += 1
          const result: unknown = Reflect.apply(value, target, given)
          return name === 'bind' ? wrap(result) : result
        }
      },
    })
  const originals = new WeakMap<object, D1PreparedStatement>()
  const wrap = (inner: unknown): unknown => {
    const proxy = statement(inner as D1PreparedStatement)
    originals.set(proxy, inner as D1PreparedStatement)
    return proxy
  }
  const d1 = new Proxy(env.DB, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => {
        if (name === 'prepare') return wrap(Reflect.apply(value, target, given))
        trips += 1
        const [first, ...rest] = given
        const list = Array.isArray(first) ? first.map((one: D1PreparedStatement) => originals.get(one) ?? one) : first
        return Reflect.apply(value, target, [list, ...rest])
      }
    },
  })
  return { db: openDatabase(d1), trips: () => trips }
}
