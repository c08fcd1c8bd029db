import { firstRow, type WarehouseContext } from '../context'
import type { RelationProof, RelationState } from '../../shared/relations'
import type { ColumnKey } from '../../shared/data-sources/files'
import { keyPairsOf, type ColumnKeyPair } from '../../shared/query/relation-paths'

/** A relation as the warehouse keeps it: ids only; names are the catalogue's. */
export interface StoredRelation {
  id: string
  from: StoredRelationEnd
  to: StoredRelationEnd
  /** Further columns of a key of several, in the order of {@link orderedKey}. */
  further: ColumnKeyPair[]
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
  further: string
  state: RelationState
  score: number
  proof: string
  version: number
}

function parseRelation(relationRow: RelationRow): StoredRelation {
  const proof: RelationProof = JSON.parse(relationRow.proof)
  const further: ColumnKeyPair[] = JSON.parse(relationRow.further)
  return {
    id: relationRow.id,
    from: { datasetId: relationRow.from_dataset, key: relationRow.from_key },
    to: { datasetId: relationRow.to_dataset, key: relationRow.to_key },
    further,
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

/** Two datasets, and the columns of each by which their rows match. */
export type RelationEnds = Pick<StoredRelation, 'from' | 'to' | 'further'>

const columnNumber = (key: ColumnKey): number => Number(key.slice(1))
/** The same ends with their pairs in one order, by the columns that point: so that a key is stored once. */
export function orderedKey({
  from,
  to,
  further = [],
}: Omit<RelationEnds, 'further'> & Partial<RelationEnds>): RelationEnds {
  const pairs = keyPairsOf({ from, to, further }).toSorted(
    (a, b) => columnNumber(a.from) - columnNumber(b.from) || columnNumber(a.to) - columnNumber(b.to),
  )
  const [first = { from: from.key, to: to.key }, ...rest] = pairs
  return {
    from: { datasetId: from.datasetId, key: first.from },
    to: { datasetId: to.datasetId, key: first.to },
    further: rest.map((pair) => ({ from: pair.from, to: pair.to })),
  }
}

/** The relation by the same columns, whatever its state. */
export function relationBetween(context: WarehouseContext, ends: RelationEnds): StoredRelation | null {
  const { from, to, further } = ends
  const query =
    'SELECT * FROM relations WHERE from_dataset = ? AND from_key = ? AND to_dataset = ? AND to_key = ? AND further = ?'
  const keys = [from.datasetId, from.key, to.datasetId, to.key, JSON.stringify(further)]
  const row = firstRow<RelationRow>(context.sql, query, ...keys)
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
    `INSERT OR REPLACE INTO relations (id, from_dataset, from_key, to_dataset, to_key, further, state, score, proof, version)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    relation.id,
    relation.from.datasetId,
    relation.from.key,
    relation.to.datasetId,
    relation.to.key,
    JSON.stringify(relation.further),
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
