import { log } from '../../lib/log'
import { ProductError } from '../../shared/errors'

/** Sets whose damage was told, as long as the object lives. */
const told = new WeakMap<SqlStorage, Set<number>>()

/** Bytes of a set's chunks are not those that were written: nothing is answered from them. Logged once. */
export function damagedRows(sql: SqlStorage, tableSet: number): ProductError {
  const known = told.get(sql) ?? new Set<number>()
  told.set(sql, known)
  if (!known.has(tableSet)) log('error', 'columns', { tableSet, error: 'A chunk is damaged.' })
  known.add(tableSet)
  return new ProductError('file_unreadable', { reason: 'broken' }, 'Stored data is damaged. Import the file again.')
}
