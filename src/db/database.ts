/** The application's database, asked by prepared statements in stores. */
export interface Database {
  d1: D1Database
}

export const openDatabase = (d1: D1Database): Database => ({ d1 })

/** The name of the last migration that was applied to the database. */
export const latestMigration = ({ d1 }: Database): Promise<string | null> =>
  d1.prepare('SELECT name FROM d1_migrations ORDER BY id DESC LIMIT 1').first<string>('name')

/** How a database stands to a build: its newest migration beside the newest one that the build knows. */
export type DatabaseState = 'empty' | 'older' | 'current' | 'newer'

export function databaseState(migration: string | null, known: string): DatabaseState {
  if (migration === null) return 'empty'
  return migration === known ? 'current' : migration < known ? 'older' : 'newer'
}

/** What D1 and the runtime below it say while they cannot answer now, and may a moment later. */
const BUSY =
  /SQLITE_BUSY|database (table )?is locked|D1 DB is overloaded|D1 DB storage operation exceeded timeout|D1 DB reset because|D1_ERROR: Network connection lost|Cannot resolve D1 DB due to transient issue/

/** Whether an error, or what caused it, passes by itself: the database is locked, overloaded or moving. */
export function isDatabaseBusy(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth++)
    if (BUSY.test(at.message)) return true
  return false
}
