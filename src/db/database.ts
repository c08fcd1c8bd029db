import { drizzle } from 'drizzle-orm/d1'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import * as schema from './schema'

/** The application's database. `d1` is for prepared statements that drizzle cannot say (conditional inserts). */
export interface Database {
  orm: DrizzleD1Database<typeof schema>
  d1: D1Database
}

/** Most requests need `orm` for nothing: reading the schema for it costs as much as an answer that is kept. */
export function openDatabase(d1: D1Database): Database {
  let orm: Database['orm'] | undefined
  return {
    d1,
    get orm() {
      orm ??= drizzle(d1, { schema })
      return orm
    },
  }
}

/** A condition written as text, for a query that is built: each `:name` in it becomes the parameter of that name. */
export function sqlWithParams(text: string, values: Readonly<Record<string, string | number | null>>): SQL {
  const pieces = text.split(/(:[a-z]+)/)
  return sql.join(pieces.map((piece) => (piece.startsWith(':') ? sql`${values[piece.slice(1)]}` : sql.raw(piece))))
}

/** The name of the last migration that was applied to the database. */
export const latestMigration = ({ d1 }: Pick<Database, 'd1'>): Promise<string | null> =>
  d1.prepare('SELECT name FROM d1_migrations ORDER BY id DESC LIMIT 1').first<string>('name')
