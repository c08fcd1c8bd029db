import { comparableKeys, locateKeys, type KeyPair } from './column-location'
import { looksUnique, proveInBatches, sampledOverlap } from './proof'
import { orderedKey, relationBetween, saveRelation, storedRelations, type RelationEnds } from './store'
import { activeDatasets, type StoredDataset } from '../catalogue'
import type { WarehouseContext } from '../context'
import type { Column } from '../../shared/data-sources/data-sources'
import { isKeyName } from '../../shared/data-sources/key-columns'
import { nameKey } from '../../shared/field-schemas'
import type { Ids } from '../../shared/ids'
import type { ColumnKeyPair } from '../../shared/query/relation-paths'

/** Of sampled keys of the many side, how many must be found. */
const OVERLAP_MIN = 0.9
/** Proposals that wait for a person in one workspace. */
const PROPOSALS_MAX = 100
/** Columns of the same name that are tried together, two of them and then three, between two datasets. */
const SHARED_MAX = 6
/** Keys looked into after one load. */
const KEYS_MAX = 120
/** Rows of what is pointed at: each try reads them all. More are records of events, not things that others name. */
const ONE_ROWS_MAX = 200_000
const SCORE = 0.5

/**
 * Looks for keys of two or three columns that two datasets call the same, from and to one that was just loaded: such that
 * no two rows of one have the same, and nearly all of the other find theirs. Only between datasets that nothing joins.
 * @returns ids of the proposals that stand
 */
export async function proposeCompositeRelations(
  context: WarehouseContext,
  ids: Ids,
  datasetId: string,
): Promise<string[]> {
  const datasets = activeDatasets(context)
  const loaded = datasets.find(({ id }) => id === datasetId)
  if (!loaded) return []
  const found: string[] = []
  let tried = 0
  for (const other of datasets.filter(({ id }) => id !== datasetId))
    for (const [many, one] of [
      [loaded, other],
      [other, loaded],
    ] as const)
      for (const ends of keysBetween(many, one)) {
        if (tried >= KEYS_MAX) return found
        tried += 1
        await context.pause()
        const id = await evaluateKey(context, ids, ends)
        if (id === null) continue
        found.push(id)
        break
      }
  return found
}

/** Every two and every three columns that both datasets call the same; one of them at least is called like a key. */
function keysBetween(many: StoredDataset, one: StoredDataset): RelationEnds[] {
  if (one.rowCount > ONE_ROWS_MAX) return []
  const shared = many.columns
    .filter(isKeyPart)
    .flatMap((from): ColumnKeyPair[] => {
      const to = one.columns.find((column) => isKeyPart(column) && nameKey(column.label) === nameKey(from.label))
      return to ? [{ from: from.key, to: to.key }] : []
    })
    .slice(0, SHARED_MAX)
  const named = new Set(many.columns.filter(namesThings).map(({ key }) => key))
  const keys = [...subsetsOf(shared, 2), ...subsetsOf(shared, 3)].filter((key) =>
    key.some(({ from }) => named.has(from)),
  )
  return keys.flatMap(([first, ...further]) =>
    first
      ? [
          orderedKey({
            from: { datasetId: many.id, key: first.from },
            to: { datasetId: one.id, key: first.to },
            further,
          }),
        ]
      : [],
  )
}
/** Places in a document: "Line", "Rad"; often typed as figures. */
const PLACE_NAMES = /^(line|row|item|pos|position|rad|post)$/i
const namesThings = ({ label, role }: Column): boolean =>
  role === 'id' || isKeyName(label) || PLACE_NAMES.test(label.trim())
const isKeyPart = (column: Column): boolean =>
  !column.computed &&
  (column.type === 'text' || column.type === 'integer' || column.type === 'date') &&
  (column.role !== 'measure' || namesThings(column))

function subsetsOf<T>(all: readonly T[], size: number): T[][] {
  if (size === 0) return [[]]
  return all.flatMap((first, at) => subsetsOf(all.slice(at + 1), size - 1).map((rest) => [first, ...rest]))
}

/** The id of the proposal that stands, found now or before; null when there is none. */
async function evaluateKey(context: WarehouseContext, ids: Ids, ends: RelationEnds): Promise<string | null> {
  const places = isOpen(context, ends) ? locateKeys(context, ends) : null
  if (!places || !isLikely(context, places)) return null
  const sets = (): string => JSON.stringify(locateKeys(context, ends))
  const looked = sets()
  const proof = await proveInBatches(context, places, () => sets() === looked)
  if (!proof || proof.duplicateKeys > 0 || proof.toRows < 2) return null
  return context.transaction(() => {
    // A person may have decided meanwhile.
    if (!isOpen(context, ends)) return null
    const known = relationBetween(context, ends)
    const id = known?.id ?? ids.next('relation')
    saveRelation(context, { id, ...ends, state: 'proposed', score: SCORE, proof, version: known?.version ?? 1 })
    return id
  })
}

/** Whether nothing joins the two datasets, nobody has decided on this key, and there is room for a proposal. */
function isOpen(context: WarehouseContext, ends: RelationEnds): boolean {
  const known = relationBetween(context, ends)
  const all = storedRelations(context)
  const datasets = [ends.from.datasetId, ends.to.datasetId]
  const between = all.filter(({ from, to }) => datasets.includes(from.datasetId) && datasets.includes(to.datasetId))
  const others = between.filter(({ id, from, to }) => id !== known?.id && from.datasetId !== to.datasetId)
  if ((known && known.state !== 'proposed') || others.length > 0) return false
  return known !== null || all.filter(({ state }) => state === 'proposed').length < PROPOSALS_MAX
}

function isLikely(context: WarehouseContext, places: KeyPair): boolean {
  if (!comparableKeys(places) || !looksUnique(context, places.to)) return false
  // A column that is a key alone needs no other beside it.
  if (places.to.some((column) => looksUnique(context, [column]))) return false
  return (sampledOverlap(context, places) ?? 0) >= OVERLAP_MIN
}
