import { applyD1Migrations, env } from 'cloudflare:test'
import { countingD1 } from '../../src/http/initialize-request'
import { openDatabase, type Database } from '../../src/db/database'

async function tableNames(): Promise<string[]> {
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_cf%' ESCAPE '\\' ORDER BY name",
  ).all<{ name: string }>()
  return results.map(({ name }) => name)
}

/**
 * A number that stays the same for as long as no row is written. The database counts rows written since it was opened
 * (also those taken back); one of them is the bookmark that it moves at every question, and that tells their number.
 */
async function rowsWritten(): Promise<number> {
  const session = env.DB.withSession()
  const written = (await session.prepare('SELECT total_changes() AS n').first<number>('n')) ?? 0
  const [, questions = '0'] = (session.getBookmark() ?? '').split('-')
  return written - Number.parseInt(questions, 16)
}

/** Dumps as they were when so many rows had been written: until one more is, the next dump is the same. */
const dumps = { written: NaN, texts: new Map<string, string>() }

/** Every row of every table (but those left out) as one text: equal before and after = nothing was written. */
export async function databaseDump(without: string[] = []): Promise<string> {
  const written = await rowsWritten()
  if (dumps.written !== written) {
    dumps.written = written
    dumps.texts.clear()
  }
  const known = dumps.texts.get(without.join())
  if (known !== undefined) return known
  const text = await readDump(without)
  dumps.texts.set(without.join(), text)
  return text
}

/** What was made once is taken again for as long as no call has written anything; otherwise all is made anew. */
export function untilWritten<T>(make: () => Promise<T>): () => Promise<T> {
  let made: { value: T; written: number } | null = null
  return async () => {
    if (made?.written !== (await rowsWritten())) {
      const value = await make()
      made = { value, written: await rowsWritten() }
    }
    return made.value
  }
}

async function readDump(without: string[]): Promise<string> {
  const names = (await tableNames()).filter((name) => !without.includes(name))
  const tables = await env.DB.batch(names.map((name) => env.DB.prepare(`SELECT * FROM "${name}"`)))
  return JSON.stringify(tables.map(({ results: rows }, i) => [names[i], rows]))
}

/** The number of rows written when the database was last empty; null = no file has asked for it yet. */
let empty: number | null = null

/** Tables as the migrations made them: each file begins with them, whatever the files before left. */
export async function freshDatabase(): Promise<void> {
  if (empty === null) await applyD1Migrations(env.DB, env.MIGRATIONS)
  else if (empty === (await rowsWritten())) return
  await emptyDatabase()
  empty = await rowsWritten()
}

async function emptyDatabase(): Promise<void> {
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
