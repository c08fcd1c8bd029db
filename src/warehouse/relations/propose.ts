import { couldBePointedAt, keyedThing, nameReason } from './names'
import { comparable, looksUnique, placeOf, prove, sampledOverlap } from './proof'
import type { Place } from './proof'
import { deleteRelation, relationBetween, saveRelation, storedRelations } from './store'
import type { StoredEnd, StoredRelation } from './store'
import { liveDatasets } from '../catalogue'
import type { StoredDataset } from '../catalogue'
import type { Room } from '../room'
import type { Ids } from '../../shared/ids'
import type { Column } from '../../shared/sources'

/** Of sampled values of the many side, how many must be found. */
const OVERLAP_MIN = 0.9
/** Proposals that wait for a person in one workspace. */
const WAITING_MAX = 100
/** Pairs of columns looked into after one load, the likeliest names first. */
const PAIRS_MAX = 200

interface Candidate {
  from: StoredEnd
  to: StoredEnd
  reason: number
}

/**
 * Looks for relations from and to a dataset that was just loaded, in slices: names first, then types, uniqueness and
 * overlap. What a person decided stays; of each column at most the likeliest relation is proposed.
 */
export async function proposeRelations(room: Room, ids: Ids, datasetId: string): Promise<void> {
  const before = storedRelations(room, datasetId).filter(({ state }) => state === 'proposed')
  const kept = new Set<string>()
  const best = new Map<string, number>()
  for (const candidate of await candidatesOf(room, datasetId)) {
    await room.pause()
    const from = `${candidate.from.datasetId} ${candidate.from.key}`
    if ((best.get(from) ?? 0) > candidate.reason) continue
    const found = room.atomically(() => examine(room, ids, candidate))
    if (!found) continue
    best.set(from, candidate.reason)
    kept.add(found.id)
  }
  room.atomically(() => {
    for (const { id } of before) if (!kept.has(id)) deleteRelation(room, id)
  })
}

/** Pairs whose names give a reason, the surest first. Wide datasets have many: others go in between. */
async function candidatesOf(room: Room, datasetId: string): Promise<Candidate[]> {
  const datasets = liveDatasets(room)
  const loaded = datasets.find(({ id }) => id === datasetId)
  if (!loaded) return []
  const pairs: Candidate[] = []
  for (const other of datasets) {
    await room.pause()
    pairs.push(...pairsOf(loaded, other))
    if (other.id !== datasetId) pairs.push(...pairsOf(other, loaded))
  }
  return pairs.toSorted((a, b) => b.reason - a.reason).slice(0, PAIRS_MAX)
}

function pairsOf(many: StoredDataset, one: StoredDataset): Candidate[] {
  const keys = one.columns.filter(
    (column) => canBeKey(column) && couldBePointedAt({ dataset: one.name, label: column.label }),
  )
  const better = keys.filter(({ label }) => !keys.some((other) => isKeyOf(other.label, label)))
  return many.columns.filter(canPoint).flatMap((column) =>
    better.flatMap((key): Candidate[] => {
      if (many.id === one.id && column.key === key.key) return []
      const reason = nameReason({ dataset: many.name, label: column.label }, { dataset: one.name, label: key.label })
      if (reason === 0) return []
      return [{ from: { datasetId: many.id, key: column.key }, to: { datasetId: one.id, key: key.key }, reason }]
    }),
  )
}
/** `account_key` beside `account`: the plain one may repeat (accounts of two years), the key was made not to. */
const isKeyOf = (key: string, plain: string): boolean =>
  key.length > plain.length && key.toLowerCase().replace(/[ _-]?key$/, '') === plain.toLowerCase()
const canBeKey = ({ type, computed }: Column): boolean => !computed && (type === 'text' || type === 'integer')
/** A measure is no key, unless it is called like one: numbers of customers are often typed as figures. */
const canPoint = (column: Column): boolean =>
  canBeKey(column) && (column.role !== 'measure' || keyedThing(column.label) !== null)

/** A proposal when the rows bear the names out; null when not, or when a person has decided otherwise. */
function examine(room: Room, ids: Ids, candidate: Candidate): StoredRelation | null {
  const { from, to, reason } = candidate
  const known = relationBetween(room, candidate)
  if (known && known.state !== 'proposed') return null
  const all = storedRelations(room)
  const own = all.filter((each) => each.from.datasetId === from.datasetId && each.from.key === from.key)
  if (own.some(({ state }) => state === 'confirmed' || state === 'broken')) return null
  const mirrored = relationBetween(room, { from: to, to: from })
  if (mirrored && mirrored.state !== 'dismissed') return null
  const places = { from: placeOf(room, from), to: placeOf(room, to) }
  const score = places.from && places.to ? scoreOf(room, { from: places.from, to: places.to }, reason) : 0
  const rivals = own.filter(({ state, id }) => state === 'proposed' && id !== known?.id)
  if (score === 0 || !places.from || !places.to || rivals.some((rival) => rival.score >= score)) return null
  const waiting = all.filter(({ state }) => state === 'proposed').length
  if (!known && waiting >= WAITING_MAX) return null
  const proof = prove(room, { from: places.from, to: places.to })
  // One row tells nothing apart: all of a single company's tables would point at it.
  if (proof.duplicateKeys > 0 || proof.toRows < 2) return null
  for (const { id } of rivals) deleteRelation(room, id)
  const relation: StoredRelation = {
    id: known?.id ?? ids.next('relation'),
    from,
    to,
    state: 'proposed',
    score,
    proof,
    version: known?.version ?? 1,
  }
  saveRelation(room, relation)
  return relation
}

function scoreOf(room: Room, places: { from: Place; to: Place }, reason: number): number {
  if (!comparable(places.from, places.to) || !looksUnique(room, places.to)) return 0
  const overlap = sampledOverlap(room, places)
  return overlap === null || overlap < OVERLAP_MIN ? 0 : Math.round((reason * 0.6 + overlap * 0.4) * 1000) / 1000
}
