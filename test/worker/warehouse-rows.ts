import { env, runInDurableObject } from 'cloudflare:test'
import type { ScopeWire } from '../../src/identity/scope'
import type { Column } from '../../src/shared/data-sources/data-sources'
import type { ColumnBounds } from '../../src/warehouse/contract'
import type { LiveDataset } from '../../src/warehouse/physical-layout'
import type { Calendar } from '../../src/shared/dates'
import type { ColumnKey } from '../../src/shared/data-sources/files'
import type { StorageValue } from '../../src/lib/storage-value'

/** A table of rows as the warehouse stores them, without the way through files. */
export const DATASET = 'ds_00000000000000000000'

export interface TestColumn extends Partial<Omit<Column, 'key' | 'type'>> {
  type: Column['type']
}
export const column = (index: number, given: TestColumn): Column => ({
  key: `c${index}`,
  label: `Column ${index}`,
  role: 'dimension',
  format: { style: 'plain' },
  hidden: false,
  fileIndex: index,
  ...given,
})

export const CALENDAR: Calendar = { timeZone: 'UTC', weekStart: 'monday', fiscalYearStart: 1, today: '2026-03-15' }
export const EVERYTHING: ScopeWire = {
  workspaceId: 'ws_00000000000000000000',
  actorId: 'usr_00000000000000000000',
  epoch: '1.1',
  client: 'app',
  datasets: 'all',
  rowFilters: [],
  hidden: [],
}

let tables = 900
/** Makes the tables in an object's SQLite and answers the catalogue's view of them. */
export function tableOf(sql: SqlStorage, columns: Column[], rows: StorageValue[][], perTable = 98): LiveDataset {
  const tableSet = ++tables
  const layout: ColumnKey[][] = []
  for (let at = 0; at < columns.length; at += perTable) {
    const group = columns.slice(at, at + perTable).map((each) => each.key)
    const table = at === 0 ? `t${tableSet}` : `t${tableSet}_${layout.length}`
    sql.exec(`CREATE TABLE ${table} (${group.map((key) => `"${key}"`).join(', ')})`)
    for (const [i, row] of rows.entries()) {
      const json = JSON.stringify([i + 1, ...row.slice(at, at + group.length)])
      const values = group.map((_, n) => `json_extract(?1, '$[${n + 1}]')`)
      sql.exec(
        `INSERT INTO ${table} (rowid, ${group.map((key) => `"${key}"`).join(', ')}) VALUES (json_extract(?1, '$[0]'), ${values.join(', ')})`,
        json,
      )
    }
    layout.push(group)
  }
  const bounds: Partial<Record<ColumnKey, ColumnBounds>> = {}
  for (const [i, each] of columns.entries()) {
    if (each.type === 'text' || each.type === 'boolean') continue
    const values = rows.flatMap((row) => (typeof row[i] === 'number' ? [row[i]] : []))
    bounds[each.key] =
      values.length === 0 ? { min: null, max: null } : { min: Math.min(...values), max: Math.max(...values) }
  }
  const common = { id: DATASET, sourceId: 'src_00000000000000000000', name: 'Orders', bytes: 0, keyColumns: [] }
  return {
    ...common,
    rowCount: rows.length,
    dataVersion: tableSet,
    columns,
    loadedAt: Date.UTC(2026, 2, 15),
    tableSet,
    layout,
    bounds,
    manifest: null,
  }
}

/** Runs with the SQLite of a Durable Object of its own. */
export function inSqlite<T>(name: string, work: (sql: SqlStorage) => T): Promise<T> {
  const stub = env.WAREHOUSE.get(env.WAREHOUSE.idFromName(name))
  return runInDurableObject(stub, (_object, state) => work(state.storage.sql))
}
