import { comparable, duplicateKeys, placeOf, prove, proveInPieces } from './proof'
import type { Place } from './proof'
import { deleteRelation, findRelation, relationBetween, saveRelation, storedRelations } from './store'
import type { StoredEnd, StoredRelation } from './store'
import { findStored, hiddenColumns, mayRead } from '../catalogue'
import type { StoredDataset } from '../catalogue'
import type { Edge } from '../query/graph'
import { edgesOf } from '../query/graph-of'
import type { Room } from '../room'
import type { ScopeWire } from '../../access/scope'
import { ProductError } from '../../shared/errors'
import type { Relation, RelationEnd, RelationProof, RelationState } from '../../shared/relations'

/** Reads each dataset once. */
type Find = (datasetId: string) => StoredDataset | null
function finder(room: Room): Find {
  const found = new Map<string, StoredDataset | null>()
  return (id) => {
    const dataset = found.has(id) ? (found.get(id) ?? null) : findStored(room, id)
    found.set(id, dataset)
    return dataset
  }
}

/** One end as a scope sees it; null when its dataset or column does not exist for the scope. */
function endOf(find: Find, scope: ScopeWire, { datasetId, key }: StoredEnd): RelationEnd | null {
  const dataset = mayRead(scope, datasetId) ? find(datasetId) : null
  if (!dataset || dataset.deletedAt !== null || hiddenColumns(scope, datasetId).has(key)) return null
  const column = dataset.columns.find((each) => each.key === key)
  return column ? { datasetId, datasetName: dataset.name, key, label: column.label } : null
}

function shownRelation(find: Find, scope: ScopeWire, stored: StoredRelation): Relation | null {
  const [from, to] = [endOf(find, scope, stored.from), endOf(find, scope, stored.to)]
  const { id, state, proof, version } = stored
  return from && to ? { id, from, to, state, proof, version } : null
}

/** Relations between datasets and columns that exist for the scope. */
export function listRelations(room: Room, scope: ScopeWire, datasetId?: string): Relation[] {
  const find = finder(room)
  return storedRelations(room, datasetId).flatMap((stored) => shownRelation(find, scope, stored) ?? [])
}

/** Those that plans may use. */
export function usableEdges(room: Room, scope: ScopeWire): Edge[] {
  const find = finder(room)
  const confirmed = storedRelations(room).filter(({ state }) => state === 'confirmed')
  return edgesOf(confirmed.flatMap((stored) => shownRelation(find, scope, stored) ?? []))
}

/** @throws ProductError `not_found` for one that does not exist for the scope */
function readRelation(room: Room, scope: ScopeWire, id: string): Relation & { stored: StoredRelation } {
  const stored = findRelation(room, id)
  const relation = stored && shownRelation(finder(room), scope, stored)
  if (!stored || !relation) throw new ProductError('not_found')
  return { ...relation, stored }
}

/**
 * A relation by hand, proven at once; one that was proposed or dismissed between the same columns becomes it.
 * @throws ProductError `not_found`, `invalid_input` when it is no many-to-one relation
 */
export function createRelation(
  room: Room,
  scope: ScopeWire,
  made: { id: string; from: StoredEnd; to: StoredEnd },
): Relation {
  return room.atomically(() => {
    const { from, to } = made
    if (!endOf(finder(room), scope, from) || !endOf(finder(room), scope, to)) throw new ProductError('not_found')
    if (from.datasetId === to.datasetId && from.key === to.key)
      throw refused('to.key', 'A column cannot point at itself.')
    const proof = proven(room, { from, to })
    const known = relationBetween(room, { from, to })
    const base = known ? { id: known.id, version: known.version + 1 } : { id: made.id, version: 1 }
    const stored: StoredRelation = { ...base, from, to, state: 'confirmed', score: 1, proof }
    saveRelation(room, stored)
    return seen(room, scope, stored)
  })
}

/** Confirms, once it is proven again, or dismisses. @throws ProductError `version_conflict`, `invalid_input` */
export function updateRelation(
  room: Room,
  scope: ScopeWire,
  change: { id: string; state: 'confirmed' | 'dismissed'; version: number },
): Relation {
  return room.atomically(() => {
    const stored = current(room, scope, change)
    const proof = change.state === 'confirmed' ? proven(room, stored) : stored.proof
    const next = { ...stored, state: change.state, proof, version: stored.version + 1 }
    saveRelation(room, next)
    return seen(room, scope, next)
  })
}

/** Forgets it; a later load may propose it again, which dismissing prevents. */
export function removeRelation(room: Room, scope: ScopeWire, at: { id: string; version: number }): Relation {
  return room.atomically(() => {
    const stored = current(room, scope, at)
    const relation = seen(room, scope, stored)
    deleteRelation(room, stored.id)
    return relation
  })
}

function seen(room: Room, scope: ScopeWire, stored: StoredRelation): Relation {
  const relation = shownRelation(finder(room), scope, stored)
  if (!relation) throw new ProductError('not_found')
  return relation
}

function current(room: Room, scope: ScopeWire, at: { id: string; version: number }): StoredRelation {
  const { stored, ...relation } = readRelation(room, scope, at.id)
  if (stored.version !== at.version) throw new ProductError('version_conflict', { current: relation })
  return stored
}

const refused = (field: string, message: string): ProductError =>
  new ProductError('invalid_input', { fields: { [field]: message } }, message)

/** @throws ProductError `invalid_input` when the ends cannot be compared, or a key of `to` stands in several rows */
function proven(room: Room, ends: { from: StoredEnd; to: StoredEnd }): RelationProof {
  const [from, to] = [placeOf(room, ends.from), placeOf(room, ends.to)]
  if (!from || !to) throw refused(from ? 'to.key' : 'from.key', 'This column has no rows of its own to be proven with.')
  if (!comparable(from, to)) throw refused('to.key', 'These columns hold values of different types.')
  const proof = prove(room, { from, to })
  if (proof.duplicateKeys > 0) {
    const keys =
      proof.duplicateKeys === 1 ? '1 value stands' : `${proof.duplicateKeys.toLocaleString('en')} values stand`
    throw refused('to.key', `${keys} in more than one row there, so it is not clear which row is meant.`)
  }
  return proof
}

/**
 * After rows changed: a confirmed relation whose keys are no longer unique, or whose column is gone, is broken; it
 * heals when they are again. Call in the transaction that changes the rows.
 */
export function reproveRelations(room: Room, datasetId: string): void {
  for (const relation of storedRelations(room, datasetId)) {
    if (relation.state !== 'confirmed' && relation.state !== 'broken') continue
    const [from, to] = [placeOf(room, relation.from), placeOf(room, relation.to)]
    const duplicates =
      to && relation.to.datasetId === datasetId ? duplicateKeys(room, to) : relation.proof.duplicateKeys
    const state: RelationState = isSound({ from, to, duplicates }) ? 'confirmed' : 'broken'
    const proof = { ...relation.proof, duplicateKeys: duplicates }
    const version = relation.version + (state === relation.state ? 0 : 1)
    saveRelation(room, { ...relation, state, proof, version })
  }
}
const isSound = ({ from, to, duplicates }: { from: Place | null; to: Place | null; duplicates: number }): boolean =>
  from !== null && to !== null && comparable(from, to) && duplicates === 0

/** Counts again how many rows find theirs, relation by relation: only for people to see. */
export async function recountRelations(room: Room, datasetId: string): Promise<void> {
  for (const { id } of storedRelations(room, datasetId)) {
    await room.pause()
    const places = confirmedPlaces(room, id)
    if (!places) continue
    const stands = (): boolean => JSON.stringify(confirmedPlaces(room, id)) === JSON.stringify(places)
    const proof = await proveInPieces(room, places, stands)
    const relation = findRelation(room, id)
    if (proof && relation) room.atomically(() => saveRelation(room, { ...relation, proof }))
  }
}

/** Where both ends of a confirmed relation lie now. */
function confirmedPlaces(room: Room, id: string): { from: Place; to: Place } | null {
  const relation = findRelation(room, id)
  const [from, to] = relation ? [placeOf(room, relation.from), placeOf(room, relation.to)] : []
  return relation?.state === 'confirmed' && from && to ? { from, to } : null
}
