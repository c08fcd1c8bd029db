import { tableName } from './physical-layout'
import { firstRow, type WarehouseContext } from './context'
import type { Column } from '../shared/data-sources/data-sources'
import type { ColumnKey } from '../shared/data-sources/files'
import type { ColumnBounds } from './contract'
import type { Manifest } from './segments/manifest'

/**
 * - `staging`: being filled by a load, invisible.
 * - `live`: what queries read.
 * - `previous`: swapped out, kept for instant rollback until the next swap or its time.
 * - `dropped`: unreachable, waits for the cleaning.
 */
export type TableSetKind = 'staging' | 'live' | 'previous' | 'dropped'

/** The tables that hold one set of rows. `columns` says how the values lie in them (scale, type): the physical truth. */
export interface TableSet {
  n: number
  datasetId: string
  kind: TableSetKind
  layout: ColumnKey[][]
  columns: Column[]
  bounds: Partial<Record<ColumnKey, ColumnBounds>>
  /** Data version whose rows it holds. */
  tip: number | null
  /** Its chunks. Null: its rows lie in tables, as an earlier release kept them. */
  manifest: Manifest | null
}

/** Names reach SQL only through here: generated, checked, quoted. */
export function quotedName(name: string): string {
  if (!/^(t\d+(_(\d+|k|m|u))?|c\d+|r)$/.test(name)) throw new Error('Not a generated name.')
  return `"${name}"`
}
export const groupTable = (set: Pick<TableSet, 'n'>, group: number): string => quotedName(tableName(set.n, group))

interface NewTableSet {
  datasetId: string
  kind: TableSetKind
  columns: Column[]
}

/** Makes an empty set under a number that was never used before. Call inside a transaction. */
export function createTableSet(context: WarehouseContext, { datasetId, kind, columns }: NewTableSet): TableSet {
  const n = nextSetNumber(context)
  const layout = [columns.map(({ key }) => key)]
  context.sql.exec(
    'INSERT INTO table_sets (n, dataset_id, kind, layout, columns, bounds, manifest) VALUES (?, ?, ?, ?, ?, ?, ?)',
    n,
    datasetId,
    kind,
    JSON.stringify(layout),
    JSON.stringify(columns),
    '{}',
    '[]',
  )
  return { n, datasetId, kind, layout, columns, bounds: {}, tip: null, manifest: [] }
}

function nextSetNumber(context: WarehouseContext): number {
  const row = firstRow<{ value: number }>(context.sql, "SELECT value FROM meta WHERE key = 'table_set'")
  const n = (row?.value ?? 0) + 1
  context.sql.exec("INSERT OR REPLACE INTO meta (key, value) VALUES ('table_set', ?)", n)
  return n
}

type TableSetRow = {
  n: number
  dataset_id: string
  kind: TableSetKind
  layout: string
  columns: string
  bounds: string
  tip: number | null
  manifest: string | null
}
const SET_FIELDS = 'n, dataset_id, kind, layout, columns, bounds, tip, manifest'

function parseTableSet(row: TableSetRow): TableSet {
  const layout: ColumnKey[][] = JSON.parse(row.layout)
  const columns: Column[] = JSON.parse(row.columns)
  const bounds: TableSet['bounds'] = JSON.parse(row.bounds)
  const manifest: TableSet['manifest'] = row.manifest === null ? null : JSON.parse(row.manifest)
  return { n: row.n, datasetId: row.dataset_id, kind: row.kind, layout, columns, bounds, tip: row.tip, manifest }
}

export function findTableSet(context: WarehouseContext, n: number | null): TableSet | null {
  const row = firstRow<TableSetRow>(context.sql, `SELECT ${SET_FIELDS} FROM table_sets WHERE n = ?`, n)
  return row && parseTableSet(row)
}

/** @throws Error when it is gone: the catalogue never names such a one. */
export function getTableSet(context: WarehouseContext, n: number | null): TableSet {
  const set = findTableSet(context, n)
  if (!set) throw new Error('A table set is missing.')
  return set
}

export function tableSetsOf(context: WarehouseContext, datasetId: string, kinds: TableSetKind[]): TableSet[] {
  const query = `SELECT ${SET_FIELDS} FROM table_sets WHERE dataset_id = ? AND kind IN (SELECT value FROM json_each(?))`
  return context.sql.exec<TableSetRow>(query, datasetId, JSON.stringify(kinds)).toArray().map(parseTableSet)
}

/** Writes down how the values of a set lie now. */
export function saveTableSet(context: WarehouseContext, set: TableSet): void {
  context.sql.exec(
    'UPDATE table_sets SET layout = ?, columns = ?, bounds = ?, tip = ?, manifest = ? WHERE n = ?',
    JSON.stringify(set.layout),
    JSON.stringify(set.columns),
    JSON.stringify(set.bounds),
    set.tip,
    set.manifest && JSON.stringify(set.manifest),
    set.n,
  )
}
export function saveManifest({ sql }: WarehouseContext, n: number, manifest: Manifest): void {
  sql.exec('UPDATE table_sets SET manifest = ? WHERE n = ?', JSON.stringify(manifest), n)
}

export function setTableSetKind(
  context: WarehouseContext,
  n: number,
  to: { kind: TableSetKind; dropAfter?: number },
): void {
  context.sql.exec('UPDATE table_sets SET kind = ?, drop_after = ? WHERE n = ?', to.kind, to.dropAfter ?? null, n)
}

/** From now on nothing can reach these rows; the cleaning removes the bytes. */
export function discardTableSet(context: WarehouseContext, n: number): void {
  setTableSetKind(context, n, { kind: 'dropped' })
  context.sql.exec('UPDATE versions SET table_set = NULL, manifest = NULL WHERE table_set = ?', n)
}

/** Rows of a set; the highest row number is not the count once rows were taken out. */
export const countRows = (context: WarehouseContext, set: Pick<TableSet, 'n'>, group = 0): number =>
  firstRow<{ n: number }>(context.sql, `SELECT count(*) AS n FROM ${groupTable(set, group)}`)?.n ?? 0

export const lastRowNumber = (context: WarehouseContext, set: Pick<TableSet, 'n'>): number =>
  firstRow<{ r: number | null }>(context.sql, `SELECT max(r) AS r FROM ${groupTable(set, 0)}`)?.r ?? 0
