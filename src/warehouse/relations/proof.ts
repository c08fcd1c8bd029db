import type { ColumnLocation, ColumnPair } from './column-location'
import { firstAreUnique, keySetOf, matchesOf, sampledShare, type KeyMatches, type KeySet } from './key-set'
import { firstAreUniqueInPasses, matchesInPasses, sampledShareInPasses } from './keys-in-passes'
import { toIso } from '../../lib/iso'
import { ExceedsBounds } from '../columns/memory'
import type { WarehouseContext } from '../context'
import { columnReader, type ColumnReader } from '../segments/column-reader'
import type { RelationProof } from '../../shared/relations'

const readerOf = (context: WarehouseContext, { set, key, type }: ColumnLocation): ColumnReader =>
  columnReader(context, set, { key, type })

/** Keys are held where they can be. */
function orInPasses<T>(held: () => T, inPasses: () => T): T {
  try {
    return held()
  } catch (error) {
    if (error instanceof ExceedsBounds) return inPasses()
    throw error
  }
}
function atOnce<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}
const keysOf = (context: WarehouseContext, at: ColumnLocation): KeySet => atOnce(keySetOf(readerOf(context, at)))

/** Keys that stand in more than one row; empty ones are none. */
export const duplicateKeys = (context: WarehouseContext, to: ColumnLocation): number =>
  orInPasses(
    () => keysOf(context, to).duplicates,
    () => atOnce(matchesInPasses(context, { from: null, to })).keys.duplicates,
  )

/** Whether no key stands in two rows: of most columns the first rows already tell. */
export const hasUniqueKeys = (context: WarehouseContext, at: ColumnLocation): boolean =>
  looksUnique(context, at) && duplicateKeys(context, at) === 0

/** Looks at every row of both sides. */
export const proveRelation = (context: WarehouseContext, columnPair: ColumnPair): RelationProof =>
  atOnce(proofSteps(context, columnPair))

/** The same, with others in between; null when `stands` says that the rows are others by now. */
export async function proveInBatches(
  context: WarehouseContext,
  columnPair: ColumnPair,
  stands: () => boolean,
): Promise<RelationProof | null> {
  const steps = proofSteps(context, columnPair)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
    await context.pause()
    if (!stands()) return null
  }
}

function* proofSteps(context: WarehouseContext, columnPair: ColumnPair): Generator<void, RelationProof> {
  try {
    return yield* proofOfHeldKeys(context, columnPair)
  } catch (error) {
    if (!(error instanceof ExceedsBounds)) throw error
    const { keys, found } = yield* matchesInPasses(context, columnPair)
    return { ...proofOf(context, found, keys), oneToOne: hasUniqueKeys(context, columnPair.from) }
  }
}

function* proofOfHeldKeys(context: WarehouseContext, { from, to }: ColumnPair): Generator<void, RelationProof> {
  const keys = yield* keySetOf(readerOf(context, to))
  const found = yield* matchesOf(readerOf(context, from), keys)
  yield
  const oneToOne = hasUniqueKeys(context, from)
  return { ...proofOf(context, found, { filled: keys.filled, duplicates: keys.duplicates }), oneToOne }
}

const proofOf = (
  { clock }: WarehouseContext,
  { filled, matched }: KeyMatches,
  keys: Pick<KeySet, 'filled' | 'duplicates'>,
): RelationProof => ({
  ...{ fromRows: filled, matchedRows: matched, toRows: keys.filled, duplicateKeys: keys.duplicates },
  checkedAt: toIso(clock.now()),
})

/** Rows looked at before a proposal is worth a full proof. */
const SAMPLE = { rows: 20_000, keys: 1_000 }

/** Share of the values (not the rows) of a sample that are found; null when there is none. */
export const sampledOverlap = (context: WarehouseContext, columnPair: ColumnPair): number | null =>
  orInPasses(
    () => sampledShare(readerOf(context, columnPair.from), keysOf(context, columnPair.to), SAMPLE),
    () => sampledShareInPasses(context, columnPair, SAMPLE),
  )

/** Whether no value stands twice in the first rows: cheap, and enough to rule most columns out. */
export const looksUnique = (context: WarehouseContext, at: ColumnLocation): boolean =>
  orInPasses(
    () => firstAreUnique(readerOf(context, at), SAMPLE.rows),
    () => firstAreUniqueInPasses(context, at, SAMPLE.rows),
  )

/** Whether whole numbers only count the rows: 1 to as many as there are. */
export function isRowCount(context: WarehouseContext, at: ColumnLocation): boolean {
  if (at.type !== 'integer') return false
  const counts = (): boolean => {
    const { rows, filled, duplicates, least, most } = keysOf(context, at)
    return least === 1 && most === rows && filled === rows && duplicates === 0
  }
  // So many keys that they cannot be held do not count the rows: those that do lie close to each other.
  return orInPasses(counts, () => false)
}
