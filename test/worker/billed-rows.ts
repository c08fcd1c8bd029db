/** What the platform bills of an object's statements. */
export interface BilledRows {
  written: number
  read: number
}

/** SQL whose cursors are counted. A cursor goes on counting until all of its rows were taken. */
export function billedRows(sql: SqlStorage): { sql: SqlStorage; take(): BilledRows } {
  let cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = []
  const counting = new Proxy(sql, {
    get(target, name) {
      if (name !== 'exec') return Reflect.get(target, name, target)
      return (text: string, ...values: SqlStorageValue[]) => {
        const cursor = target.exec(text, ...values)
        cursors.push(cursor)
        return cursor
      }
    },
  })
  const take = (): BilledRows => {
    const billed = { written: 0, read: 0 }
    for (const { rowsWritten, rowsRead } of cursors) {
      billed.written += rowsWritten
      billed.read += rowsRead
    }
    cursors = []
    return billed
  }
  return { sql: counting, take }
}
