import { sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'

/** A condition written as text, for a query that is built: each `:name` in it becomes the parameter of that name. */
export function sqlWithParams(text: string, values: Readonly<Record<string, string | number | null>>): SQL {
  const pieces = text.split(/(:[a-z]+)/)
  return sql.join(pieces.map((piece) => (piece.startsWith(':') ? sql`${values[piece.slice(1)]}` : sql.raw(piece))))
}
