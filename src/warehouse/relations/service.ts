import { comparableKeys, locateKeys, locateKey, type KeyPair } from './column-location'
import { duplicateKeys, hasUniqueKeys, proveRelation, proveInBatches } from './proof'
import { deleteRelation, findRelation, orderedKey, relationBetween, saveRelation, storedRelations } from './store'
import type { RelationEnds, StoredRelationEnd, StoredRelation } from './store'
import { findDataset, type StoredDataset } from '../catalogue'
import { canRead, coveredColumns, hasRowRule } from '../../identity/access/visible-dataset'
import type { WarehouseContext } from '../context'
import type { ScopeWire } from '../../scope'
import { convertDataset } from '../segments/convert-rows'
import { ProductError } from '../../shared/errors'
import { keyPairsOf, type ColumnKeyPair } from '../../shared/query/relation-paths'
import type { Relation, RelationEnd, RelationKeyPair, RelationProof, RelationState } from '../../shared/relations'

/** Reads each dataset once. */
type DatasetFinder = (datasetId: string) => StoredDataset | null
function cachedDatasetFinder(context: WarehouseContext): DatasetFinder {
  const found = new Map<string, StoredDataset | null>()
  return (id) => {
    const dataset = found.has(id) ? (found.get(id) ?? null) : findDataset(context, id)
    found.set(id, dataset)
    return dataset
  }
}

/** One end as a scope sees it; null when its dataset or column does not exist for the scope. */
function relationEndInScope(
  finder: DatasetFinder,
  scope: ScopeWire,
  { datasetId, key }: StoredRelationEnd,
): RelationEnd | null {
  const dataset = finder(datasetId)
  if (!dataset || !canRead(scope, dataset) || dataset.deletedAt !== null) return null
  if (coveredColumns(scope, datasetId).has(key)) return null
  const column = dataset.columns.find((each) => each.key === key)
  return column ? { datasetId, datasetName: dataset.name, key, label: column.label } : null
}

function relationInScope(finder: DatasetFinder, scope: ScopeWire, stored: StoredRelation): Relation | null {
  const [first, ...more] = keyPairsOf(stored).map((pair) => pairInScope(finder, scope, { ...stored, pair }))
  const further = more.flatMap((pair): RelationKeyPair[] =>
    pair ? [{ from: columnOf(pair.from), to: columnOf(pair.to) }] : [],
  )
  if (!first || further.length < more.length) return null
  const { id, state, version } = stored
  const proof = proofInScope(scope, stored)
  return { id, ...first, ...(further.length > 0 ? { further } : {}), state, proof, version }
}

/** Counts are of all rows: where rules of access leave some out, they are not told. */
function proofInScope(scope: ScopeWire, { from, to, proof }: StoredRelation): RelationProof {
  if (![from, to].some(({ datasetId }) => hasRowRule(scope, datasetId))) return proof
  return { ...proof, fromRows: 0, matchedRows: 0, toRows: 0, duplicateKeys: 0, restricted: true }
}

const columnOf = ({ key, label }: RelationEnd): RelationKeyPair['from'] => ({ key, label })

function pairInScope(
  finder: DatasetFinder,
  scope: ScopeWire,
  { from, to, pair }: Pick<RelationEnds, 'from' | 'to'> & { pair: ColumnKeyPair },
): { from: RelationEnd; to: RelationEnd } | null {
  const ends = {
    from: relationEndInScope(finder, scope, { ...from, key: pair.from }),
    to: relationEndInScope(finder, scope, { ...to, key: pair.to }),
  }
  return ends.from && ends.to ? { from: ends.from, to: ends.to } : null
}

/** Relations between datasets and columns that exist for the scope. */
export function listRelations(context: WarehouseContext, scope: ScopeWire, datasetId?: string): Relation[] {
  const find = cachedDatasetFinder(context)
  return storedRelations(context, datasetId).flatMap((stored) => relationInScope(find, scope, stored) ?? [])
}

/** @throws ProductError `not_found` for one that does not exist for the scope */
function getRelation(context: WarehouseContext, scope: ScopeWire, id: string): Relation & { stored: StoredRelation } {
  const stored = findRelation(context, id)
  const relation = stored && relationInScope(cachedDatasetFinder(context), scope, stored)
  if (!stored || !relation) throw new ProductError('not_found')
  return { ...relation, stored }
}

/**
 * A relation by hand, proven at once; one that was proposed or dismissed between the same columns becomes it.
 * @throws ProductError `not_found`, `invalid_input` when it is no many-to-one relation
 */
export function createRelation(
  context: WarehouseContext,
  scope: ScopeWire,
  made: { id: string; from: StoredRelationEnd; to: StoredRelationEnd; further?: ColumnKeyPair[] | undefined },
): Relation {
  return context.transaction(() => {
    const ends = orderedKey({ from: made.from, to: made.to, further: made.further ?? [] })
    const { from, to } = ends
    const pairs = keyPairsOf(ends)
    const find = cachedDatasetFinder(context)
    if (pairs.some((pair) => pairInScope(find, scope, { from, to, pair }) === null)) throw new ProductError('not_found')
    if (from.datasetId === to.datasetId && pairs.every((pair) => pair.from === pair.to))
      throw invalidRelation('to.key', 'A column can’t relate to itself.')
    if (hasDoubles(pairs.map((pair) => pair.from)) || hasDoubles(pairs.map((pair) => pair.to)))
      throw invalidRelation('further', 'Use each column once.')
    const proof = proveOrThrow(context, ends)
    const known = relationBetween(context, ends)
    const base = known ? { id: known.id, version: known.version + 1 } : { id: made.id, version: 1 }
    const stored: StoredRelation = { ...base, ...ends, state: 'confirmed', score: 1, proof }
    saveRelation(context, stored)
    return requireInScope(context, scope, stored)
  })
}

const hasDoubles = (keys: readonly string[]): boolean => new Set(keys).size < keys.length

/** Confirms, once it is proven again, or dismisses. @throws ProductError `version_conflict`, `invalid_input` */
export function updateRelation(
  context: WarehouseContext,
  scope: ScopeWire,
  change: { id: string; state: 'confirmed' | 'dismissed'; version: number },
): Relation {
  return context.transaction(() => {
    const stored = currentRelation(context, scope, change)
    const proof = change.state === 'confirmed' ? proveOrThrow(context, stored) : stored.proof
    const next = { ...stored, state: change.state, proof, version: stored.version + 1 }
    saveRelation(context, next)
    return requireInScope(context, scope, next)
  })
}

/** Forgets it; a later load may propose it again, which dismissing prevents. */
export function removeRelation(
  context: WarehouseContext,
  scope: ScopeWire,
  at: { id: string; version: number },
): Relation {
  return context.transaction(() => {
    const stored = currentRelation(context, scope, at)
    const relation = requireInScope(context, scope, stored)
    deleteRelation(context, stored.id)
    return relation
  })
}

function requireInScope(context: WarehouseContext, scope: ScopeWire, stored: StoredRelation): Relation {
  const relation = relationInScope(cachedDatasetFinder(context), scope, stored)
  if (!relation) throw new ProductError('not_found')
  return relation
}

function currentRelation(
  context: WarehouseContext,
  scope: ScopeWire,
  at: { id: string; version: number },
): StoredRelation {
  const { stored, ...relation } = getRelation(context, scope, at.id)
  if (stored.version !== at.version) throw new ProductError('version_conflict', { current: relation })
  return stored
}

const invalidRelation = (field: string, message: string): ProductError =>
  new ProductError('invalid_input', { fields: { [field]: message } }, message)

/** @throws ProductError `invalid_input` when the ends cannot be compared, or a key of `to` stands in several rows */
function proveOrThrow(context: WarehouseContext, ends: RelationEnds): RelationProof {
  const [from, to] = [locateKey(context, ends, 'from'), locateKey(context, ends, 'to')]
  if (!from || !to) throw invalidRelation(from ? 'to.key' : 'from.key', 'No rows to check the relationship against.')
  if (!comparableKeys({ from, to })) throw invalidRelation('to.key', 'Column types differ.')
  const proof = proveRelation(context, { from, to })
  if (proof.duplicateKeys > 0) {
    const keys = proof.duplicateKeys === 1 ? '1 value is' : `${proof.duplicateKeys.toLocaleString('en')} values are`
    throw invalidRelation('to.key', `${keys} in several rows. Keys must be unique.`)
  }
  return proof
}

/**
 * After rows changed: a confirmed relation whose keys are no longer unique, or whose column is gone, is broken; it
 * heals when they are again. Call in the transaction that changes the rows.
 */
export function revalidateRelations(context: WarehouseContext, datasetId: string): void {
  for (const relation of storedRelations(context, datasetId)) {
    if (relation.state !== 'confirmed' && relation.state !== 'broken') continue
    const [from, to] = [locateKey(context, relation, 'from'), locateKey(context, relation, 'to')]
    const duplicates =
      to && relation.to.datasetId === datasetId ? duplicateKeys(context, to) : relation.proof.duplicateKeys
    const isSound = from !== null && to !== null && comparableKeys({ from, to }) && duplicates === 0
    const state: RelationState = isSound ? 'confirmed' : 'broken'
    const oneToOne =
      from && relation.from.datasetId === datasetId ? hasUniqueKeys(context, from) : relation.proof.oneToOne === true
    const proof = { ...relation.proof, duplicateKeys: duplicates, oneToOne }
    const version = relation.version + (state === relation.state ? 0 : 1)
    saveRelation(context, { ...relation, state, proof, version })
  }
}
/** A relation is proven by the columns of both ends. */
export async function convertEnds(context: WarehouseContext, ends: readonly StoredRelationEnd[]): Promise<void> {
  for (const { datasetId } of ends) await convertDataset(context, datasetId)
}

export async function convertEndsOf(context: WarehouseContext, relationId: string): Promise<void> {
  const known = findRelation(context, relationId)
  if (known) await convertEnds(context, [known.from, known.to])
}

/** Counts again how many rows find theirs, relation by relation: only for people to see. */
export async function recountRelations(context: WarehouseContext, datasetId: string): Promise<void> {
  for (const { id } of storedRelations(context, datasetId)) {
    await context.pause()
    await convertEndsOf(context, id)
    const places = confirmedPlaces(context, id)
    if (!places) continue
    const stands = (): boolean => JSON.stringify(confirmedPlaces(context, id)) === JSON.stringify(places)
    const proof = await proveInBatches(context, places, stands)
    const relation = findRelation(context, id)
    if (proof && relation) context.transaction(() => saveRelation(context, { ...relation, proof }))
  }
}

/** Where both ends of a confirmed relation lie now. */
function confirmedPlaces(context: WarehouseContext, id: string): KeyPair | null {
  const relation = findRelation(context, id)
  return relation?.state === 'confirmed' ? locateKeys(context, relation) : null
}
