import { firstRow, type WarehouseContext } from '../context'
import type { RelationProof, RelationState } from '../../shared/relations'
import type { ColumnKey } from '../../shared/data-sources/files'

/** A relation as the warehouse keeps it: ids only; names are the catalogue's. */
export interface StoredRelation {
  id: string
  from: StoredRelationEnd
  to: StoredRelationEnd
  state: RelationState
  /** How sure a proposal is, 0–1; those made by hand are 1. */
  score: number
  proof: RelationProof
  version: number
}
export interface StoredRelationEnd {
  datasetId: string
  key: ColumnKey
}

type RelationRow = {
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

function parseRelation(relationRow: RelationRow): StoredRelation {
  const proof: RelationProof = JSON.parse(relationRow.proof)
  return {
    id: relationRow.id,
    from: { datasetId: relationRow.from_dataset, key: relationRow.from_key },
    to: { datasetId: relationRow.to_dataset, key: relationRow.to_key },
    state: relationRow.state,
    score: relationRow.score,
    proof,
    version: relationRow.version,
  }
}

export function findRelation(context: WarehouseContext, id: string): StoredRelation | null {
  const row = firstRow<RelationRow>(context.sql, 'SELECT * FROM relations WHERE id = ?', id)
  return row && parseRelation(row)
}

/** The relation between two columns, whatever its state. */
export function relationBetween(
  context: WarehouseContext,
  ends: Pick<StoredRelation, 'from' | 'to'>,
): StoredRelation | null {
  const { from, to } = ends
  const query = 'SELECT * FROM relations WHERE from_dataset = ? AND from_key = ? AND to_dataset = ? AND to_key = ?'
  const row = firstRow<RelationRow>(context.sql, query, from.datasetId, from.key, to.datasetId, to.key)
  return row && parseRelation(row)
}

/** All, the confirmed first, then the surest; or those that begin or end at one dataset. */
export function storedRelations(context: WarehouseContext, datasetId?: string): StoredRelation[] {
  const order = "ORDER BY state = 'confirmed' DESC, score DESC, id"
  const rows =
    datasetId === undefined
      ? context.sql.exec<RelationRow>(`SELECT * FROM relations ${order}`)
      : context.sql.exec<RelationRow>(
          `SELECT * FROM relations WHERE from_dataset = ?1 OR to_dataset = ?1 ${order}`,
          datasetId,
        )
  return rows.toArray().map(parseRelation)
}

export function saveRelation(context: WarehouseContext, relation: StoredRelation): void {
  context.sql.exec(
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

export const deleteRelation = (context: WarehouseContext, id: string): void => {
  context.sql.exec('DELETE FROM relations WHERE id = ?', id)
}

/** With a dataset's bytes, what pointed from it or at it goes for good. */
export const deleteRelationsOfDataset = (context: WarehouseContext, datasetId: string): void => {
  context.sql.exec('DELETE FROM relations WHERE from_dataset = ?1 OR to_dataset = ?1', datasetId)
}
