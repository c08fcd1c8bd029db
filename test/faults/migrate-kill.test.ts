import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { expect } from 'vitest'
import { migrate } from '../http/server.ts'
import { itLong } from '../long.ts'

const KILLS = 12
/** Kills come at moments spread over these, from when a migration began: it takes some seconds to start. */
const FIRST_MS = 1_500
const SPREAD_MS = 6_000
const FILES = readdirSync('migrations').filter((name) => name.endsWith('.sql'))

/** What of a state folder's database was applied, and what its schema is. */
async function databaseOf(state: string): Promise<{ applied: string[]; schema: string[] }> {
  // As the tools name the database of this project, whatever account it is of.
  const [, id = ''] = /database_id = "([^"]+)"/.exec(readFileSync('wrangler.toml', 'utf8')) ?? []
  const options = {
    ...{ modules: true, script: 'export default {}', resourcePersistencePath: join(state, 'v3') },
    d1Databases: { DB: { id } },
  }
  const runtime = new Miniflare(convertV4MiniflareOptions(options))
  try {
    const db = await runtime.getD1Database('DB')
    const textsOf = async (sql: string): Promise<string[]> =>
      (await db.prepare(sql).all<{ text: string }>()).results.map(({ text }) => text)
    const schema = await textsOf(
      "SELECT sql AS text FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\' ORDER BY name",
    )
    const hasTable = schema.some((text) => text?.includes('d1_migrations'))
    return { applied: hasTable ? await textsOf('SELECT name AS text FROM d1_migrations ORDER BY id') : [], schema }
  } finally {
    await runtime.dispose()
  }
}

/** Migrates and kills the whole process group after so long. */
async function killedMigration(state: string, afterMs: number): Promise<void> {
  const script = `import('./scripts/migrate.mjs').then(({ migrate }) => migrate(${JSON.stringify(state)})).then(process.exit)`
  const child = spawn('node', ['-e', script], { detached: true, stdio: 'ignore' })
  const gone = new Promise((resolve) => child.once('exit', resolve))
  await new Promise((resolve) => setTimeout(resolve, afterMs))
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It was quicker.
  }
  await gone
}

itLong(`ends every migration whole after ${KILLS} kills of the process (STO-3)`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'insikt-migrating-'))
  try {
    const whole = join(folder, 'whole')
    migrate(whole)
    const expected = await databaseOf(whole)
    expect(expected.applied).toEqual(FILES.toSorted())
    const state = join(folder, 'killed')
    const seen = new Set<number>()
    for (let kill = 0; kill < KILLS; kill += 1) {
      await killedMigration(state, FIRST_MS + (SPREAD_MS * kill) / KILLS)
      const { applied } = await databaseOf(state)
      expect(applied).toEqual(expected.applied.slice(0, applied.length))
      seen.add(applied.length)
      // A new life from the beginning, so that kills meet other steps.
      if (applied.length === FILES.length) rmSync(state, { recursive: true, force: true })
    }
    console.info(`killed after ${[...seen].join(', ')} of ${FILES.length} migrations`)
    migrate(state)
    expect(await databaseOf(state)).toEqual(expected)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
