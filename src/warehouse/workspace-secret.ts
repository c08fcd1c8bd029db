import { firstRow, type WarehouseContext } from './context'

const KEY = 'pseudonyms'

/** 128 random bits that only this workspace's object knows, as hex. Made when they are first asked for. @param make new ones */
export function workspaceSecret(context: Pick<WarehouseContext, 'sql'>, make: () => string): string {
  const known = firstRow<{ value: string }>(context.sql, 'SELECT value FROM meta WHERE key = ?', KEY)
  if (known) return known.value
  const made = make()
  context.sql.exec('INSERT INTO meta (key, value) VALUES (?, ?)', KEY, made)
  return made
}
