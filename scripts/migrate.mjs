// Brings the local database of a state folder up to date.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { unstable_readConfig, unstable_splitSqlQuery } from 'wrangler'

const TRIES = 15
const MIGRATIONS = 'migrations'
/** The tools keep everything in a folder of this name inside the one they are given. */
const INNER = 'v3'
/** What is applied, in the table and the form of `wrangler d1 migrations apply`: a database of either is read by the other. */
const APPLIED = `CREATE TABLE IF NOT EXISTS d1_migrations(
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  name       TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`

/** The folder that `serve.mjs` reads for `STATE`: that folder itself when it is the inner one already. */
export const servedFolder = (state) =>
  basename(resolve(state)) === INNER ? resolve(state) : join(resolve(state), INNER)

/** Applies what is missing, each migration whole or not at all. One runtime does all of it: wrangler starts one for each. */
async function applyMissing(folder) {
  const { d1_databases: databases } = unstable_readConfig({ config: 'wrangler.toml' }, { hideWarnings: true })
  const options = {
    ...{ modules: true, script: 'export default {}', resourcePersistencePath: folder },
    d1Databases: Object.fromEntries(databases.map(({ binding, database_id: id }) => [binding, { id }])),
  }
  const runtime = new Miniflare(convertV4MiniflareOptions(options))
  try {
    const db = await runtime.getD1Database('DB')
    await db.prepare(APPLIED).run()
    const { results } = await db.prepare('SELECT name FROM d1_migrations').all()
    const applied = new Set(results.map(({ name }) => name))
    const files = readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql'))
    for (const name of files.sort().filter((each) => !applied.has(each))) {
      const statements = unstable_splitSqlQuery(readFileSync(join(MIGRATIONS, name), 'utf8'))
      const note = db.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name)
      await db.batch([...statements.map((statement) => db.prepare(statement)), note])
      console.log(`Migrated: ${name}`)
    }
  } finally {
    await runtime.dispose()
  }
}

/** @returns 0 = up to date; 1 = it said why it is not */
export async function migrate(state) {
  for (let tries = 1; ; tries++) {
    try {
      await applyMissing(servedFolder(state))
      return 0
    } catch (error) {
      // A server that was stopped a moment ago may still hold the database: its next one waits for it.
      if (!/SQLITE_BUSY|database is locked/.test(String(error)) || tries === TRIES) {
        console.error(`Migrations: ${String(error)}`)
        return 1
      }
    }
    await new Promise((next) => setTimeout(next, 1_000))
  }
}
