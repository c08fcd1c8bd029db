import { readdirSync } from 'node:fs'

const [newest = ''] = readdirSync('migrations')
  .filter((name) => name.endsWith('.sql'))
  .toSorted()
  .toReversed()

/** The newest migration, as code knows it that is built or tested: `/health` compares it with that of the database. */
export const newestMigration = { NEWEST_MIGRATION: JSON.stringify(newest) }
