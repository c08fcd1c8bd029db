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

/** A database that counts its round trips: every run of a statement and every batch. */
export function countingDatabase(): { db: Database; trips: () => number } {
  let trips = 0
  const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>()
  const watch = (statement: D1PreparedStatement): D1PreparedStatement => {
    const watched = new Proxy(statement, {
      get(target, name) {
        if (name === 'bind') return (...values: unknown[]) => watch(target.bind(...values))
        const value: unknown = Reflect.get(target, name, target)
        if (typeof value !== 'function') return value
        trips += 1
        return value.bind(target)
      },
    })
    originals.set(watched, statement)
    return watched
  }
  const d1 = new Proxy(env.DB, {
    get(target, name) {
      if (name === 'prepare') return (sql: string) => watch(target.prepare(sql))
      if (name !== 'batch') return Reflect.get(target, name, target)
      return (statements: D1PreparedStatement[]) => {
        trips += 1
        return target.batch(statements.map((one) => originals.get(one) ?? one))
      }
    },
  })
  return { db: openDatabase(d1), trips: () => trips }
}
