import { first } from '../room'
import type { Room } from '../room'
import type { RelationProof, RelationState } from '../../shared/relations'
import type { ColumnKey } from '../../shared/sources'

/** A relation as the warehouse keeps it: ids only; names are the catalogue's. */
export interface StoredRelation {
  id: string
  from: StoredEnd
  to: StoredEnd
  state: RelationState
  /** How sure a proposal is, 0–1; those made by hand are 1. */
  score: number
  proof: RelationProof
  version: number
}
export interface StoredEnd {
  datasetId: string
  key: ColumnKey
}

type Row = {
  id: string
  from_dataset: string
  from_key: ColumnKey
  to_dataset: string
  to_key: ColumnKey
  state: RelationState
  score: number
  proof: string
  version: number
}

function parse(row: Row): StoredRelation {
  const proof: RelationProof = JSON.parse(row.proof)
  return {
    id: row.id,
    from: { datasetId: row.from_dataset, key: row.from_key },
    to: { datasetId: row.to_dataset, key: row.to_key },
    state: row.state,
    score: row.score,
    proof,
    version: row.version,
  }
}

export function findRelation(room: Room, id: string): StoredRelation | null {
  const row = first<Row>(room.sql, 'SELECT * FROM relations WHERE id = ?', id)
  return row && parse(row)
}

/** The relation between two columns, whatever its state. */
export function relationBetween(room: Room, ends: Pick<StoredRelation, 'from' | 'to'>): StoredRelation | null {
  const { from, to } = ends
  const query = 'SELECT * FROM relations WHERE from_dataset = ? AND from_key = ? AND to_dataset = ? AND to_key = ?'
  const row = first<Row>(room.sql, query, from.datasetId, from.key, to.datasetId, to.key)
  return row && parse(row)
}

/** All, the confirmed first, then the surest; or those that begin or end at one dataset. */
export function storedRelations(room: Room, datasetId?: string): StoredRelation[] {
  const order = "ORDER BY state = 'confirmed' DESC, score DESC, id"
  const rows =
    datasetId === undefined
      ? room.sql.exec<Row>(`SELECT * FROM relations ${order}`)
      : room.sql.exec<Row>(`SELECT * FROM relations WHERE from_dataset = ?1 OR to_dataset = ?1 ${order}`, datasetId)
  return rows.toArray().map(parse)
}

export function saveRelation(room: Room, relation: StoredRelation): void {
  room.sql.exec(
    `INSERT OR REPLACE INTO relations (id, from_dataset, from_key, to_dataset, to_key, state, score, proof, version)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    relation.id,
    relation.from.datasetId,
    relation.from.key,
    relation.to.datasetId,
    relation.to.key,
    relation.state,
    relation.score,
    JSON.stringify(relation.proof),
    relation.version,
  )
}

export const deleteRelation = (room: Room, id: string): void => {
  room.sql.exec('DELETE FROM relations WHERE id = ?', id)
}

/** With a dataset's bytes, what pointed from it or at it goes for good. */
export const forgetRelations = (room: Room, datasetId: string): void => {
  room.sql.exec('DELETE FROM relations WHERE from_dataset = ?1 OR to_dataset = ?1', datasetId)
}
