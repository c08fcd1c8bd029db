import { env } from 'cloudflare:test'
import { countedD1 } from '../../src/db/counted'
import { openDatabase } from '../../src/db/database'
import type { Database } from '../../src/db/database'

/** Every row of every table (but those left out) as one text: equal before and after = nothing was written. */
export async function databaseDump(without: string[] = []): Promise<string> {
  const { results: all } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_cf%' ESCAPE '\\' ORDER BY name",
  ).all<{ name: string }>()
  const results = all.filter(({ name }) => !without.includes(name))
  const tables = await env.DB.batch(results.map(({ name }) => env.DB.prepare(`SELECT * FROM "${name}"`)))
  return JSON.stringify(tables.map(({ results: rows }, i) => [results[i]?.name, rows]))
}

/** A database that counts its round trips: every run of a statement and every batch. */
export function countingDatabase(): { db: Database; trips: () => number } {
  const costs = { d1: 0, rowsWritten: 0, objects: 0 }
  return { db: openDatabase(countedD1(env.DB, costs)), trips: () => costs.d1 }
}
