import { drizzle } from 'drizzle-orm/d1'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import * as schema from './schema'

/** The application's database. `d1` is for prepared statements that drizzle cannot say (conditional inserts). */
export interface Database {
  orm: DrizzleD1Database<typeof schema>
  d1: D1Database
}

export const openDatabase = (d1: D1Database): Database => ({ orm: drizzle(d1, { schema }), d1 })
