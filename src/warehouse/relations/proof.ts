import { toIso } from '../../lib/iso'
import type { StoredRelationEnd } from './store'
import { findDataset } from '../catalogue'
import { oneRow, type WarehouseContext } from '../context'
import { findTableSet, groupTable, quotedName } from '../tables'
import type { RelationProof } from '../../shared/relations'
import type { Column } from '../../shared/data-sources/data-sources'

/** Where one end of a relation lies now. */
export interface ColumnLocation {
  table: string
  /** The quoted name of the column. */
  column: string
  type: Column['type']
  scale: number | undefined
}

/** Null when the dataset has no rows yet, was deleted, or its last load had no such column. */
export function locateColumn(context: WarehouseContext, end: StoredRelationEnd): ColumnLocation | null {
  const dataset = findDataset(context, end.datasetId)
  if (!dataset || dataset.deletedAt !== null) return null
  const set = findTableSet(context, dataset.tableSet)
  const group = set?.layout.findIndex((keys) => keys.includes(end.key)) ?? -1
  const column = dataset.columns.find(({ key }) => key === end.key)
  if (!set || group < 0 || !column || column.computed) return null
  return { table: groupTable(set, group), column: quotedName(end.key), type: column.type, scale: column.scale }
}

/** Whether values of two columns can be equal: whole numbers and texts are compared as text, all else with its like. */
export const comparable = (from: ColumnLocation, to: ColumnLocation): boolean =>
  from.type === to.type
    ? from.type !== 'boolean' && from.scale === to.scale
    : [from.type, to.type].every((type) => type === 'text' || type === 'integer')

const keyExpression = (location: ColumnLocation, other: ColumnLocation): string =>
  location.type === other.type || location.type === 'text' ? location.column : `CAST(${location.column} AS TEXT)`

/** Keys that stand in more than one row; empty ones are none. */
export function duplicateKeys(context: WarehouseContext, to: ColumnLocation): number {
  const { table, column } = to
  const query = `SELECT count(*) AS n FROM
    (SELECT 1 FROM ${table} WHERE ${column} IS NOT NULL GROUP BY ${column} HAVING count(*) > 1)`
  return oneRow<{ n: number }>(context.sql, query).n
}

interface ColumnPair {
  from: ColumnLocation
  to: ColumnLocation
}
type MatchCounts = Pick<RelationProof, 'fromRows' | 'matchedRows'>

/** Looks at every row of both sides. */
export const proveRelation = (context: WarehouseContext, columnPair: ColumnPair): RelationProof =>
  buildProof(context, columnPair.to, countMatches(context, columnPair, { from: 0, to: Number.MAX_SAFE_INTEGER }))

/** Rows looked at in one go; where they point at more, as many as that: all of those are read for each go. */
const BATCH_ROWS = 25_000

/** The same, with others in between; null when `stands` says that the rows are others by now. */
export async function proveInBatches(
  context: WarehouseContext,
  columnPair: ColumnPair,
  stands: () => boolean,
): Promise<RelationProof | null> {
  const last = (table: string): number =>
    oneRow<{ n: number }>(context.sql, `SELECT coalesce(max(rowid), 0) AS n FROM ${table}`).n
  const rows = Math.max(BATCH_ROWS, last(columnPair.to.table))
  const end = last(columnPair.from.table)
  const found: MatchCounts = { fromRows: 0, matchedRows: 0 }
  for (let from = 0; from <= end; from += rows) {
    const piece = countMatches(context, columnPair, { from, to: from + rows })
    found.fromRows += piece.fromRows
    found.matchedRows += piece.matchedRows
    await context.pause()
    if (!stands()) return null
  }
  return buildProof(context, columnPair.to, found)
}

/** How many of some rows point anywhere, and how many of these find what they point at. */
function countMatches(
  context: WarehouseContext,
  { from, to }: ColumnPair,
  rows: { from: number; to: number },
): MatchCounts {
  const { n, matched } = oneRow<{ n: number; matched: number }>(
    context.sql,
    `SELECT count(${from.column}) AS n, count(*) FILTER (WHERE ${from.column} IS NOT NULL AND
       ${keyExpression(from, to)} IN (SELECT ${keyExpression(to, from)} FROM ${to.table} WHERE ${to.column} IS NOT NULL)) AS matched
     FROM ${from.table} WHERE rowid >= ? AND rowid < ?`,
    rows.from,
    rows.to,
  )
  return { fromRows: n, matchedRows: matched }
}

function buildProof(context: WarehouseContext, to: ColumnLocation, found: MatchCounts): RelationProof {
  const keys = oneRow<{ n: number }>(context.sql, `SELECT count(${to.column}) AS n FROM ${to.table}`)
  return {
    ...found,
    toRows: keys.n,
    duplicateKeys: duplicateKeys(context, to),
    checkedAt: toIso(context.clock.now()),
  }
}

/** Rows looked at before a proposal is worth a full proof. */
const SAMPLE_ROWS = 20_000
const SAMPLE_VALUES = 1_000

/** Share of the values (not the rows) of a sample that are found; null when there is none. */
export function sampledOverlap(
  context: WarehouseContext,
  { from, to }: { from: ColumnLocation; to: ColumnLocation },
): number | null {
  const { n, matched } = oneRow<{ n: number; matched: number | null }>(
    context.sql,
    `SELECT count(*) AS n, sum(v IN (SELECT ${keyExpression(to, from)} FROM ${to.table} WHERE ${to.column} IS NOT NULL)) AS matched
     FROM (SELECT DISTINCT ${keyExpression(from, to)} AS v FROM
       (SELECT ${from.column} FROM ${from.table} WHERE ${from.column} IS NOT NULL LIMIT ${SAMPLE_ROWS}) LIMIT ${SAMPLE_VALUES})`,
  )
  return n === 0 ? null : (matched ?? 0) / n
}

/** Whether no value stands twice in the first rows: cheap, and enough to rule most columns out. */
export function looksUnique(context: WarehouseContext, { table, column }: ColumnLocation): boolean {
  const { n, different } = oneRow<{ n: number; different: number }>(
    context.sql,
    `SELECT count(*) AS n, count(DISTINCT v) AS different FROM
       (SELECT ${column} AS v FROM ${table} WHERE ${column} IS NOT NULL LIMIT ${SAMPLE_ROWS})`,
  )
  return n > 0 && n === different
}

/** Whether whole numbers only count the rows: 1 to as many as there are. */
export function isRowCount(context: WarehouseContext, { table, column, type }: ColumnLocation): boolean {
  if (type !== 'integer') return false
  const { rows, low, high, different } = oneRow<Record<'rows' | 'low' | 'high' | 'different', number | null>>(
    context.sql,
    `SELECT count(*) AS rows, min(${column}) AS low, max(${column}) AS high, count(DISTINCT ${column}) AS different FROM ${table}`,
  )
  return low === 1 && high === rows && different === rows
}
