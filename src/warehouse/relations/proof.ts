import type { ColumnLocation, ColumnPair } from './column-location'
import { firstAreUnique, keySetOf, matchesOf, sampledShare, type KeyMatches, type KeySet } from './key-set'
import {
  duplicateKeysInRows,
  filledInRows,
  firstAreUniqueInRows,
  matchesInRows,
  sampledShareInRows,
} from './keys-in-rows'
import { toIso } from '../../lib/iso'
import { NeedsRows } from '../columns/column-table'
import type { WarehouseContext } from '../context'
import { columnReader, type ColumnReader } from '../segments/column-reader'
import type { RelationProof } from '../../shared/relations'

const readerOf = (context: WarehouseContext, { set, key, type }: ColumnLocation): ColumnReader =>
  columnReader(context, set, { key, type })

/** Asks columns, and the rows where columns cannot say. */
function orRows<T>(columns: () => T, rows: () => T): T {
  try {
    return columns()
  } catch (error) {
    if (error instanceof NeedsRows) return rows()
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
  orRows(
    () => keysOf(context, to).duplicates,
    () => duplicateKeysInRows(context, to),
  )

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
    return yield* proofFromColumns(context, columnPair)
  } catch (error) {
    if (error instanceof NeedsRows) return yield* proofFromRows(context, columnPair)
    throw error
  }
}

function* proofFromColumns(context: WarehouseContext, { from, to }: ColumnPair): Generator<void, RelationProof> {
  const keys = yield* keySetOf(readerOf(context, to))
  const found = yield* matchesOf(readerOf(context, from), keys)
  return proofOf(context, found, { filled: keys.filled, duplicates: keys.duplicates })
}

function* proofFromRows(context: WarehouseContext, columnPair: ColumnPair): Generator<void, RelationProof> {
  const { to } = columnPair
  const found = yield* matchesInRows(context, columnPair)
  return proofOf(context, found, { filled: filledInRows(context, to), duplicates: duplicateKeysInRows(context, to) })
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
  orRows(
    () => sampledShare(readerOf(context, columnPair.from), keysOf(context, columnPair.to), SAMPLE),
    () => sampledShareInRows(context, columnPair, SAMPLE),
  )

/** Whether no value stands twice in the first rows: cheap, and enough to rule most columns out. */
export const looksUnique = (context: WarehouseContext, at: ColumnLocation): boolean =>
  orRows(
    () => firstAreUnique(readerOf(context, at), SAMPLE.rows),
    () => firstAreUniqueInRows(context, at, SAMPLE.rows),
  )

/** Whether whole numbers only count the rows: 1 to as many as there are. */
export function isRowCount(context: WarehouseContext, at: ColumnLocation): boolean {
  if (at.type !== 'integer') return false
  const counts = (): boolean => {
    const { rows, filled, duplicates, least, most } = keysOf(context, at)
    return least === 1 && most === rows && filled === rows && duplicates === 0
  }
  // Cells that no column holds are no numbers.
  return orRows(counts, () => false)
}
