import { convertDataset } from '../segments/convert-rows'
import { areNaturalKeys, canBeReferenced, referencedEntity, nameMatchScore } from './name-matching'
import { proposeCompositeRelations } from './propose-composite'
import { comparable, locateKeys, type KeyPair } from './column-location'
import { isRowCount, looksUnique, proveRelation, sampledOverlap } from './proof'
import { deleteRelation, findRelation, relationBetween, saveRelation, storedRelations } from './store'
import type { RelationEnds, StoredRelation } from './store'
import { activeDatasets, type StoredDataset } from '../catalogue'
import type { WarehouseContext } from '../context'
import type { Ids } from '../../shared/ids'
import type { Column } from '../../shared/data-sources/data-sources'

/** Of sampled values of the many side, how many must be found. */
const OVERLAP_MIN = 0.9
/** Proposals that wait for a person in one workspace. */
const PROPOSALS_MAX = 100
/** Pairs of columns looked into after one load, the likeliest names first. */
const PAIRS_MAX = 200

/** Keys that the reader of ledgers makes: what it writes into one table of a file, it takes from another one of it. */
const READER_KEYS: ReadonlySet<string> = new Set(['account_key', 'voucher_key'])

interface Candidate extends RelationEnds {
  nameScore: number
  otherSource: boolean
  /** Both ends are the same key of one ledger, made when it was read. */
  byReader: boolean
  /** Its ends are names of things, no numbers. */
  byName: boolean
}

/**
 * Looks for relations from and to a dataset that was just loaded, in slices: names first, then types, uniqueness and
 * overlap. What a person decided stays; of each column at most the likeliest relation is proposed.
 */
export async function proposeRelations(context: WarehouseContext, ids: Ids, datasetId: string): Promise<void> {
  const before = storedRelations(context, datasetId).filter(({ state }) => state === 'proposed')
  const kept = new Set<string>()
  const best = new Map<string, number>()
  for (const candidate of await candidatesOf(context, datasetId)) {
    await context.pause()
    const from = `${candidate.from.datasetId} ${candidate.from.key}`
    if ((best.get(from) ?? 0) > candidate.nameScore) continue
    const found = context.transaction(() => evaluateCandidate(context, ids, candidate))
    if (!found) continue
    best.set(from, candidate.nameScore)
    kept.add(found.id)
  }
  for (const id of await proposeCompositeRelations(context, ids, datasetId)) kept.add(id)
  context.transaction(() => {
    // Between two slices a person may have decided on one of them: then it is theirs.
    for (const { id } of before)
      if (!kept.has(id) && findRelation(context, id)?.state === 'proposed') deleteRelation(context, id)
  })
}

/** Pairs whose names give a reason, the surest first. Wide datasets have many: others go in between. */
async function candidatesOf(context: WarehouseContext, datasetId: string): Promise<Candidate[]> {
  const datasets = activeDatasets(context)
  const loaded = datasets.find(({ id }) => id === datasetId)
  if (!loaded) return []
  const pairs: Candidate[] = []
  for (const other of datasets) {
    await context.pause()
    await convertDataset(context, other.id)
    pairs.push(...pairsOf(loaded, other))
    if (other.id !== datasetId) pairs.push(...pairsOf(other, loaded))
  }
  return pairs.toSorted((a, b) => b.nameScore - a.nameScore).slice(0, PAIRS_MAX)
}

function pairsOf(many: StoredDataset, one: StoredDataset): Candidate[] {
  const keys = one.columns.filter(
    (column) => isKeyType(column) && canBeReferenced({ dataset: one.name, label: column.label }),
  )
  const better = keys.filter(({ label }) => !keys.some((other) => isKeyOf(other.label, label)))
  return many.columns.filter(canReference).flatMap((column) =>
    better.flatMap((key): Candidate[] => {
      if (many.id === one.id && column.key === key.key) return []
      const nameScore = nameMatchScore(
        { dataset: many.name, label: column.label },
        { dataset: one.name, label: key.label },
      )
      if (nameScore === 0) return []
      const [from, to] = [
        { datasetId: many.id, key: column.key },
        { datasetId: one.id, key: key.key },
      ]
      const otherSource = many.sourceId !== one.sourceId
      const byReader = !otherSource && column.label === key.label && READER_KEYS.has(key.label)
      return [{ from, to, further: [], nameScore, otherSource, byReader, byName: areNaturalKeys(column, key) }]
    }),
  )
}
/** `account_key` beside `account`: the plain one may repeat (accounts of two years), the key was made not to. */
const isKeyOf = (key: string, plain: string): boolean =>
  key.length > plain.length && key.toLowerCase().replace(/[ _-]?key$/, '') === plain.toLowerCase()
const isKeyType = ({ type, computed }: Column): boolean => !computed && (type === 'text' || type === 'integer')
/**
 * A measure is no key, unless it is called like one, or like one thing of many: numbers of customers are often typed as
 * figures.
 */
const canReference = (column: Column): boolean =>
  isKeyType(column) &&
  (column.role !== 'measure' || referencedEntity(column.label) !== null || /^\p{L}+(?<!s)$/u.test(column.label))

/** Whether one column of a dataset points by it alone. */
const isPointedBy = (relation: StoredRelation, from: RelationEnds['from']): boolean =>
  relation.from.datasetId === from.datasetId && relation.from.key === from.key && relation.further.length === 0

/** Whether two datasets are related already by other columns, in either direction: names beside a key say nothing more. */
function isOtherWay(relation: StoredRelation, { from, to }: Candidate): boolean {
  const ends = [relation.from.datasetId, relation.to.datasetId]
  const isSame = relation.from.key === from.key && relation.from.datasetId === from.datasetId
  return relation.state !== 'dismissed' && !isSame && ends.includes(from.datasetId) && ends.includes(to.datasetId)
}

/** A proposal when the rows bear the names out, confirmed where the reader made its keys; null when not, or when a person has decided otherwise. */
function evaluateCandidate(context: WarehouseContext, ids: Ids, candidate: Candidate): StoredRelation | null {
  const { from, to, nameScore, otherSource } = candidate
  const known = relationBetween(context, candidate)
  if (known && known.state !== 'proposed') return null
  const all = storedRelations(context)
  const own = all.filter((each) => isPointedBy(each, from))
  if (candidate.byName && all.some((each) => isOtherWay(each, candidate))) return null
  if (own.some(({ state }) => state === 'confirmed' || state === 'broken')) return null
  const mirrored = relationBetween(context, { from: to, to: from, further: [] })
  if (mirrored && mirrored.state !== 'dismissed') return null
  const places = locateKeys(context, candidate)
  const score = places ? scoreOf(context, places, { nameScore, otherSource }) : 0
  const rivals = own.filter(({ state, id }) => state === 'proposed' && id !== known?.id)
  if (score === 0 || !places || rivals.some((rival) => rival.score >= score)) return null
  const waiting = all.filter(({ state }) => state === 'proposed').length
  if (!known && waiting >= PROPOSALS_MAX) return null
  const proof = proveRelation(context, places)
  // One row tells nothing apart: all of a single company's tables would point at it.
  if (proof.duplicateKeys > 0 || proof.toRows < 2) return null
  for (const { id } of rivals) deleteRelation(context, id)
  const relation: StoredRelation = {
    id: known?.id ?? ids.next('relation'),
    ...{ from, to, further: [] },
    // Nobody is asked whether a voucher belongs to its own entries, as long as every row says so.
    state: candidate.byReader && proof.matchedRows === proof.fromRows ? 'confirmed' : 'proposed',
    score,
    proof,
    version: known?.version ?? 1,
  }
  saveRelation(context, relation)
  return relation
}

/** `otherSource`: keys that only count the rows of two systems match by their nature, and say nothing of each other. */
function scoreOf(
  context: WarehouseContext,
  places: KeyPair,
  { nameScore: reason, otherSource }: { nameScore: number; otherSource: boolean },
): number {
  const [from, to] = [places.from[0], places.to[0]]
  if (!comparable(from, to) || !looksUnique(context, places.to)) return 0
  if (otherSource && isRowCount(context, from) && isRowCount(context, to)) return 0
  const overlap = sampledOverlap(context, places)
  return overlap === null || overlap < OVERLAP_MIN ? 0 : Math.round((reason * 0.6 + overlap * 0.4) * 1000) / 1000
}
