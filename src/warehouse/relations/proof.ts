import type { ColumnLocation, KeyLocation, KeyPair } from './column-location'
import { firstAreUnique, keySetOf, matchesOf, sampledShare, type KeyMatches, type KeySet } from './key-set'
import { firstAreUniqueInPasses, matchesInPasses, sampledShareInPasses } from './keys-in-passes'
import { toIso } from '../../lib/iso'
import { ExceedsBounds } from '../columns/memory'
import type { WarehouseContext } from '../context'
import { columnReader, type ColumnReader } from '../segments/column-reader'
import type { RelationProof } from '../../shared/relations'

const readerOf = (context: WarehouseContext, { set, key, type }: ColumnLocation): ColumnReader =>
  columnReader(context, set, { key, type })

/** Keys of one column are held where they can be; those of several never are. */
function orInPasses<T>(at: KeyLocation, held: (only: ColumnLocation) => T, inPasses: () => T): T {
  const [only, second] = at
  if (second) return inPasses()
  try {
    return held(only)
  } catch (error) {
    if (error instanceof ExceedsBounds) return inPasses()
    throw error
  }
}
function runToCompletion<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}
const keysOf = (context: WarehouseContext, at: ColumnLocation): KeySet =>
  runToCompletion(keySetOf(readerOf(context, at)))

/** Keys that stand in more than one row; empty ones are none. */
export const duplicateKeys = (context: WarehouseContext, to: KeyLocation): number =>
  orInPasses(
    to,
    (only) => keysOf(context, only).duplicates,
    () => runToCompletion(matchesInPasses(context, { from: null, to })).keys.duplicates,
  )

/** Whether no key stands in two rows: of most columns the first rows already tell. */
export const hasUniqueKeys = (context: WarehouseContext, at: KeyLocation): boolean =>
  looksUnique(context, at) && duplicateKeys(context, at) === 0

/** Looks at every row of both sides. */
export const proveRelation = (context: WarehouseContext, keys: KeyPair): RelationProof =>
  runToCompletion(proofSteps(context, keys))

/** The same, with others in between; null when `stands` says that the rows are others by now. */
export async function proveInBatches(
  context: WarehouseContext,
  keys: KeyPair,
  stands: () => boolean,
): Promise<RelationProof | null> {
  const steps = proofSteps(context, keys)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
    await context.pause()
    if (!stands()) return null
  }
}

function* proofSteps(context: WarehouseContext, { from, to }: KeyPair): Generator<void, RelationProof> {
  const [many, one] = [from[0], to[0]]
  try {
    if (to.length === 1) return yield* proofOfHeldKeys(context, { many, one })
  } catch (error) {
    if (!(error instanceof ExceedsBounds)) throw error
  }
  const { keys, found } = yield* matchesInPasses(context, { from, to })
  return { ...proofOf(context, found, keys), oneToOne: hasUniqueKeys(context, from) }
}

function* proofOfHeldKeys(
  context: WarehouseContext,
  { many, one }: { many: ColumnLocation; one: ColumnLocation },
): Generator<void, RelationProof> {
  const keys = yield* keySetOf(readerOf(context, one))
  const found = yield* matchesOf(readerOf(context, many), keys)
  yield
  const oneToOne = hasUniqueKeys(context, [many])
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
export const sampledOverlap = (context: WarehouseContext, { from, to }: KeyPair): number | null =>
  orInPasses(
    to,
    (only) => sampledShare(readerOf(context, from[0]), keysOf(context, only), SAMPLE),
    () => sampledShareInPasses(context, { from, to }, SAMPLE),
  )

/** Whether no value stands twice in the first rows: cheap, and enough to rule most columns out. */
export const looksUnique = (context: WarehouseContext, at: KeyLocation): boolean =>
  orInPasses(
    at,
    (only) => firstAreUnique(readerOf(context, only), SAMPLE.rows),
    () => firstAreUniqueInPasses(context, at, SAMPLE.rows),
  )

/** Whether whole numbers only count the rows: 1 to as many as there are. */
export function isRowCount(context: WarehouseContext, at: ColumnLocation): boolean {
  if (at.type !== 'integer') return false
  const counts = (only: ColumnLocation): boolean => {
    const { rows, filled, duplicates, least, most } = keysOf(context, only)
    return least === 1 && most === rows && filled === rows && duplicates === 0
  }
  // So many keys that they cannot be held do not count the rows: those that do lie close to each other.
  return orInPasses([at], counts, () => false)
}
