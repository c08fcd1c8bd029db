import { env } from 'cloudflare:test'
import { countingD1 } from '../../src/http/initialize-request'
import { openDatabase } from '../../src/db/database'
import type { Database } from '../../src/db/database'

async function tableNames(): Promise<string[]> {
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_cf%' ESCAPE '\\' ORDER BY name",
  ).all<{ name: string }>()
  return results.map(({ name }) => name)
}

/** Every row of every table (but those left out) as one text: equal before and after = nothing was written. */
export async function databaseDump(without: string[] = []): Promise<string> {
  const names = (await tableNames()).filter((name) => !without.includes(name))
  const tables = await env.DB.batch(names.map((name) => env.DB.prepare(`SELECT * FROM "${name}"`)))
  return JSON.stringify(tables.map(({ results: rows }, i) => [names[i], rows]))
}

/** Takes away what the files before left: each begins with tables as the migrations made them. */
export async function emptyDatabase(): Promise<void> {
  const names = (await tableNames()).filter((name) => name !== 'd1_migrations')
  await env.DB.batch([
    env.DB.prepare('PRAGMA defer_foreign_keys = ON'),
    ...names.map((name) => env.DB.prepare(`DELETE FROM "${name}"`)),
  ])
}

/** A database that counts its round trips: every run of a statement and every batch. */
export function countingDatabase(): { db: Database; trips: () => number } {
  const costs = { d1: 0, rowsWritten: 0, objects: 0 }
  return { db: openDatabase(countingD1(env.DB, costs)), trips: () => costs.d1 }
}
