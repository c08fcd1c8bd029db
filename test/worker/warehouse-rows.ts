import { env, runInDurableObject } from 'cloudflare:test'
import { columnTableOf } from './column-tables'
import { WORD_CHARS_MAX } from '../../src/warehouse/columns/dictionary'
import type { ColumnSources, ColumnTable } from '../../src/warehouse/columns/column-table'
import { SpareArrays } from '../../src/warehouse/columns/working-arrays'
import { groupLevels } from '../../src/warehouse/groupings/store'
import { ratesOfSet } from '../../src/warehouse/rate-store'
import { keptColumns } from '../../src/warehouse/segments/stored-columns'
import { FULL_RIGHTS, type RowRule, type ScopeWire } from '../../src/scope'
import type { Column } from '../../src/shared/data-sources/data-sources'
import type { ColumnBounds } from '../../src/warehouse/contract'
import type { LiveDataset } from '../../src/warehouse/physical-layout'
import type { Filter } from '../../src/shared/query/plan'
import type { Calendar } from '../../src/shared/dates'
import type { ColumnKey } from '../../src/shared/data-sources/files'
import type { StorageValue } from '../../src/lib/storage-value'

/** Rows as the warehouse keeps them, without the way through files. */
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
  ...FULL_RIGHTS,
}

/** A rule of access: rows of a dataset that pass all of these. */
export const onlyRows = (dataset: string, ...filters: Filter[]): RowRule => ({ dataset, anyOf: [filters], noneOf: [] })

/** What lies in the columns of a dataset that {@link tableOf} made, by its number. */
const kept = new Map<number, ColumnTable>()
/** So many of the last are held: random cases make hundreds of thousands. */
const TABLES_HELD = 2_000
/** Rows of a chunk, where nothing else is asked for: few, so that what is folded goes over the ends of chunks. */
const rowsPerChunk = (rows: number): number => Math.max(3, Math.ceil(rows / 20))

/** Columns whose texts are more than a dictionary holds. */
const longTexts = (columns: readonly Column[], rows: readonly StorageValue[][]): ColumnKey[] =>
  columns.flatMap(({ key }, at) => {
    const chars = rows.reduce((sum, row) => sum + (typeof row[at] === 'string' ? row[at].length : 0), 0)
    return chars > WORD_CHARS_MAX ? [key] : []
  })

let tables = 900
/** Keeps rows in columns in memory, and answers the catalogue's view of them. @param texts columns without a dictionary */
export function tableOf(
  columns: Column[],
  rows: StorageValue[][],
  { perChunk = rowsPerChunk(rows.length), texts = [] }: { perChunk?: number; texts?: readonly ColumnKey[] } = {},
): LiveDataset {
  const tableSet = ++tables
  kept.delete(tableSet - TABLES_HELD)
  kept.set(tableSet, columnTableOf(columns, rows, perChunk, [...texts, ...longTexts(columns, rows)]))
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
    layout: [columns.map(({ key }) => key)],
    bounds,
    manifest: [],
  }
}

/** What questions work in: each finds there what any before it left. */
const arrays = new SpareArrays()

/** What is found out of rows is of one case: its rows have a number that no other has. */
const { rowMasks, pickedRows, conversions, currencies } = keptColumns()

/** Where questions of tests read rows: those of {@link tableOf}, beside what lies in an object's SQLite. */
export const columnsIn = (sql: SqlStorage): ColumnSources => ({
  arrays,
  rowMasks,
  pickedRows,
  conversions,
  currencies,
  table({ tableSet }) {
    const found = kept.get(tableSet)
    if (!found) throw new Error('There are no such rows.')
    return found
  },
  groupLevels: (map, level) => groupLevels({ sql }, map, level),
  rates: (set) => ratesOfSet(sql, set),
})

/** Runs with the SQLite of a Durable Object of its own. */
export function inSqlite<T>(name: string, work: (sql: SqlStorage) => T): Promise<T> {
  const stub = env.WAREHOUSE.get(env.WAREHOUSE.idFromName(name))
  return runInDurableObject(stub, (_object, state) => work(state.storage.sql))
}
