import type { Clock } from '../shared/ids'

/** What the modules of the warehouse work with: its SQLite, its clock, and a way to let waiting calls go first. */
export interface WarehouseContext {
  sql: SqlStorage
  /** One transaction: all of it or, when it throws, nothing. Synchronous: no await inside. */
  transaction<T>(work: () => T): T
  clock: Clock
  /** Between two slices of background work: whatever waits for the object runs now, for so many ms where that is said. */
  pause(ms?: number): Promise<void>
}

type SqlRow = Record<string, SqlStorageValue>

/** The first row of an answer, or null. */
export function firstRow<T extends SqlRow>(sql: SqlStorage, query: string, ...values: SqlStorageValue[]): T | null {
  const [row] = sql.exec<T>(query, ...values).toArray()
  return row ?? null
}

/** The one row of an answer that always has one, such as an aggregate. */
export function oneRow<T extends SqlRow>(sql: SqlStorage, query: string, ...values: SqlStorageValue[]): T {
  return sql.exec<T>(query, ...values).one()
}

/** Rows that all statements have written since the object began to live; while it stays, nothing in its SQLite has changed. */
export const rowsWritten = (sql: SqlStorage): number => oneRow<{ n: number }>(sql, 'SELECT total_changes() AS n').n
