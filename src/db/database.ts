/** The application's database, asked by prepared statements in stores. */
export interface Database {
  d1: D1Database
}

export const openDatabase = (d1: D1Database): Database => ({ d1 })

/** The name of the last migration that was applied to the database. */
export const latestMigration = ({ d1 }: Database): Promise<string | null> =>
  d1.prepare('SELECT name FROM d1_migrations ORDER BY id DESC LIMIT 1').first<string>('name')
