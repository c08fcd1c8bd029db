import type { StoredEnd } from './store'
import { findStored } from '../catalogue'
import { one } from '../room'
import type { Room } from '../room'
import { findSet, groupTable, quoted } from '../tables'
import type { RelationProof } from '../../shared/relations'
import type { Column } from '../../shared/sources'

/** Where one end of a relation lies now. */
export interface Place {
  table: string
  /** The quoted name of the column. */
  column: string
  type: Column['type']
  scale: number | undefined
}

/** Null when the dataset has no rows yet, was deleted, or its last load had no such column. */
export function placeOf(room: Room, end: StoredEnd): Place | null {
  const dataset = findStored(room, end.datasetId)
  if (!dataset || dataset.deletedAt !== null) return null
  const set = findSet(room, dataset.tableSet)
  const group = set?.layout.findIndex((keys) => keys.includes(end.key)) ?? -1
  const column = dataset.columns.find(({ key }) => key === end.key)
  if (!set || group < 0 || !column || column.computed) return null
  return { table: groupTable(set, group), column: quoted(end.key), type: column.type, scale: column.scale }
}

/** Whether values of two columns can be equal: whole numbers and texts are compared as text, all else with its like. */
export const comparable = (from: Place, to: Place): boolean =>
  from.type === to.type
    ? from.type !== 'boolean' && from.scale === to.scale
    : [from.type, to.type].every((type) => type === 'text' || type === 'integer')

const asKey = (place: Place, other: Place): string =>
  place.type === other.type || place.type === 'text' ? place.column : `CAST(${place.column} AS TEXT)`

/** Keys that stand in more than one row; empty ones are none. */
export function duplicateKeys(room: Room, to: Place): number {
  const { table, column } = to
  const query = `SELECT count(*) AS n FROM
    (SELECT 1 FROM ${table} WHERE ${column} IS NOT NULL GROUP BY ${column} HAVING count(*) > 1)`
  return one<{ n: number }>(room.sql, query).n
}

interface Places {
  from: Place
  to: Place
}
type Matched = Pick<RelationProof, 'fromRows' | 'matchedRows'>

/** Looks at every row of both sides. */
export const prove = (room: Room, places: Places): RelationProof =>
  proofOf(room, places.to, matchedIn(room, places, { from: 0, to: Number.MAX_SAFE_INTEGER }))

/** Rows looked at in one go; where they point at more, as many as that: all of those are read for each go. */
const PIECE_ROWS = 25_000

/** The same, with others in between; null when `stands` says that the rows are others by now. */
export async function proveInPieces(room: Room, places: Places, stands: () => boolean): Promise<RelationProof | null> {
  const last = (table: string): number =>
    one<{ n: number }>(room.sql, `SELECT coalesce(max(rowid), 0) AS n FROM ${table}`).n
  const rows = Math.max(PIECE_ROWS, last(places.to.table))
  const end = last(places.from.table)
  const found: Matched = { fromRows: 0, matchedRows: 0 }
  for (let from = 0; from <= end; from += rows) {
    const piece = matchedIn(room, places, { from, to: from + rows })
    found.fromRows += piece.fromRows
    found.matchedRows += piece.matchedRows
    await room.pause()
    if (!stands()) return null
  }
  return proofOf(room, places.to, found)
}

/** How many of some rows point anywhere, and how many of these find what they point at. */
function matchedIn(room: Room, { from, to }: Places, rows: { from: number; to: number }): Matched {
  const { n, matched } = one<{ n: number; matched: number }>(
    room.sql,
    `SELECT count(${from.column}) AS n, count(*) FILTER (WHERE ${from.column} IS NOT NULL AND
       ${asKey(from, to)} IN (SELECT ${asKey(to, from)} FROM ${to.table} WHERE ${to.column} IS NOT NULL)) AS matched
     FROM ${from.table} WHERE rowid >= ? AND rowid < ?`,
    rows.from,
    rows.to,
  )
  return { fromRows: n, matchedRows: matched }
}

function proofOf(room: Room, to: Place, found: Matched): RelationProof {
  const keys = one<{ n: number }>(room.sql, `SELECT count(${to.column}) AS n FROM ${to.table}`)
  return {
    ...found,
    toRows: keys.n,
    duplicateKeys: duplicateKeys(room, to),
    checkedAt: new Date(room.clock.now()).toISOString(),
  }
}

/** Rows looked at before a proposal is worth a full proof. */
const SAMPLE_ROWS = 20_000
const SAMPLE_VALUES = 1_000

/** Share of the values (not the rows) of a sample that are found; null when there is none. */
export function sampledOverlap(room: Room, { from, to }: { from: Place; to: Place }): number | null {
  const { n, matched } = one<{ n: number; matched: number | null }>(
    room.sql,
    `SELECT count(*) AS n, sum(v IN (SELECT ${asKey(to, from)} FROM ${to.table} WHERE ${to.column} IS NOT NULL)) AS matched
     FROM (SELECT DISTINCT ${asKey(from, to)} AS v FROM
       (SELECT ${from.column} FROM ${from.table} WHERE ${from.column} IS NOT NULL LIMIT ${SAMPLE_ROWS}) LIMIT ${SAMPLE_VALUES})`,
  )
  return n === 0 ? null : (matched ?? 0) / n
}

/** Whether no value stands twice in the first rows: cheap, and enough to rule most columns out. */
export function looksUnique(room: Room, { table, column }: Place): boolean {
  const { n, different } = one<{ n: number; different: number }>(
    room.sql,
    `SELECT count(*) AS n, count(DISTINCT v) AS different FROM
       (SELECT ${column} AS v FROM ${table} WHERE ${column} IS NOT NULL LIMIT ${SAMPLE_ROWS})`,
  )
  return n > 0 && n === different
}
