import { drizzle } from 'drizzle-orm/d1'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
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
