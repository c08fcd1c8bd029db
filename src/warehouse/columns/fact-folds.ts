import { CHUNK_ROWS } from './chunk'
import { NeedsRows } from './column-table'
import type { RowSource } from './column-vectors'
import type { Fold } from './fold'
import { countFold } from './folds'
import { groupKeys, type GroupKeys } from './group-keys'
import { leafFold } from './leaf-folds'
import { filtersMask } from './predicates'
import { binSplit, groupedSplit, numberSplit, partSplit, textSplit, timeSplit, type Arm, type Split } from './splits'
import { allOf, presentCodes, within, type MaybeMask, type ChunkPlace } from './vectors'
import type { MeasureTraits } from '../query/aggregates/calculations'
import type { AggregateQuery } from '../query/aggregates/aggregate-query'
import type { PlanSplit } from '../query/aggregates/plan-splits'
import type { AbsolutePeriod, DayRange } from '../query/time/resolve-period'
import type { QuerySteps } from '../scheduling/query-scheduler'
import { DAY_MS } from '../../shared/dates'
import type { AggregateMeasure } from '../../shared/query/plan'

/** Chunks that are folded in one go: a million rows, some tens of milliseconds. */
const CHUNKS_AT_ONCE = 16

/** The rows of one fact as a plan asks for them. */
export interface FactRows {
  source: RowSource
  /** Rows of the period, and of what it is compared with. */
  arms: ArmRows[]
  splits: Split[]
}
interface ArmRows {
  mask: MaybeMask
  /** Whether a chunk can hold any of them. */
  mayHold: (chunk: number) => boolean
}

export function factRows(
  source: RowSource,
  { plan, period }: Pick<AggregateQuery, 'plan' | 'period'>,
  dimensions: readonly PlanSplit[],
): FactRows {
  const splits = dimensions.map((each) => splitOf(source, each, period))
  const placed = splits.map(({ placed: mask }) => mask)
  const passing = allOf([source.rule(), filtersMask(source, plan.filters, 'filters'), ...placed])
  const ranges = [period?.range ?? null, ...(period?.compare ? [period.compare] : [])]
  const arms = ranges.map((range): ArmRows => {
    if (!range || !plan.period) return { mask: passing, mayHold: () => true }
    const inside = periodRows(source, plan.period.field, range)
    return { mask: allOf([passing, inside.mask]), mayHold: inside.mayHold }
  })
  return { source, arms, splits: splits.map(({ split }) => split) }
}

/** Rows of some local days. */
export function periodRows(
  source: RowSource,
  field: NonNullable<AggregateQuery['plan']['period']>['field'],
  { from, to }: DayRange,
): ArmRows {
  const column = source.field(field)
  const { type, zoned, key } = column.column
  const [unit, margin] = type === 'date' ? [1, 0] : [DAY_MS, zoned === true ? 2 : 0]
  const [first, last] = [(from - margin) * unit, (to + 1 + margin) * unit]
  const mayHold = (chunk: number): boolean => {
    if (!column.isOwn || column.column.computed) return true
    const { least, most } = source.table.ends(key, chunk)
    return least !== null && most !== null && least < last && most >= first
  }
  return { mask: within(column.days(), from, to), mayHold }
}

/** A split, and the rows that have a place in it. */
export function splitOf(
  source: RowSource,
  { field, grain, part, bins, grouped, ofPeriod }: PlanSplit,
  period: AbsolutePeriod | null,
): { split: Split; placed: MaybeMask } {
  if (grouped) {
    const vectors = source.grouped(field, grouped.by)
    return { split: groupedSplit(vectors), placed: grouped.excludes ? presentCodes(vectors.codes) : null }
  }
  const column = source.field(field)
  const { calendar } = source.world
  if (bins) return { split: binSplit(column, bins), placed: null }
  if (part) return { split: partSplit(column, part, calendar), placed: null }
  const split =
    grain !== undefined
      ? timeSplit({ column, grain, calendar, period: ofPeriod ? period : null })
      : column.column.type === 'text'
        ? textSplit(column)
        : numberSplit(column)
  return { split, placed: null }
}

/** Folds of one measure: of each arm, by group and over everything. */
export interface LeafFolds {
  mask: MaybeMask
  /** How it is shown. */
  traits: MeasureTraits
  arms: { groups: Fold; total: Fold | null }[]
}
export interface FoldedFact {
  splits: readonly Split[]
  keys: GroupKeys
  /** Rows of each group, those of all arms together. */
  present: Fold
  leaves: ReadonlyMap<AggregateMeasure, LeafFolds>
}

interface FoldRequest {
  question: Pick<AggregateQuery, 'plan'>
  splits: readonly Split[]
  leaves: readonly AggregateMeasure[]
  totals: boolean
}

/** Reads the rows of a fact once, and adds up what is asked for. */
export function* foldFact(fact: FactRows, ask: FoldRequest): QuerySteps<FoldedFact> {
  const { source, arms } = fact
  const { plan } = ask.question
  const leaves = new Map<AggregateMeasure, LeafFolds>()
  for (const leaf of ask.leaves) {
    const { make, traits } = leafFold(source, leaf, plan)
    const mask = leaf.filter?.length ? filtersMask(source, leaf.filter, 'measures') : null
    leaves.set(leaf, { mask, traits, arms: arms.map(() => ({ groups: make(), total: ask.totals ? make() : null })) })
  }
  const folded: FoldedFact = { splits: ask.splits, keys: groupKeys(ask.splits), present: countFold(null), leaves }
  const work = new ChunkFolding(folded)
  for (const [chunk, rows] of source.table.chunks.entries()) {
    for (const [at, arm] of arms.entries())
      if (arm.mayHold(chunk)) work.add({ chunk, rows }, at === 0 ? 0 : 1, arm.mask)
    if (chunk % CHUNKS_AT_ONCE === CHUNKS_AT_ONCE - 1) yield
  }
  work.grow()
  return folded
}

/** Figures by group that are held at a time, some sixteen bytes each. */
const CELLS_MAX = 3_000_000

class ChunkFolding {
  readonly #folded: FoldedFact
  readonly #folds: number
  readonly #keys = new Int32Array(CHUNK_ROWS)
  readonly #own = new Int32Array(CHUNK_ROWS)

  constructor(folded: FoldedFact) {
    this.#folded = folded
    this.#folds = 1 + [...folded.leaves.values()].reduce((sum, { arms }) => sum + arms.length, 0)
  }

  /** Makes room in all folds for all groups there are. */
  grow(): void {
    const { keys, present, leaves } = this.#folded
    const size = keys.size()
    if (size * this.#folds > CELLS_MAX) throw new NeedsRows()
    present.grow(size)
    for (const { arms } of leaves.values())
      for (const { groups, total } of arms) {
        groups.grow(size)
        total?.grow(2)
      }
  }

  add(place: ChunkPlace, arm: Arm, mask: MaybeMask): void {
    const { keys, present, leaves } = this.#folded
    keys.fill(place, { arm, mask }, this.#keys)
    this.grow()
    present.add(place, this.#keys)
    for (const leaf of leaves.values()) {
      const folds = leaf.arms[arm]
      if (!folds) continue
      folds.groups.add(place, this.#masked(place, this.#keys, leaf.mask))
    }
    for (const leaf of leaves.values()) {
      const total = leaf.arms[arm]?.total
      if (!total) continue
      this.#own.fill(1, 0, place.rows)
      if (mask) keepPassing(this.#own, mask(place), place.rows)
      if (leaf.mask) keepPassing(this.#own, leaf.mask(place), place.rows)
      total.add(place, this.#own)
    }
  }

  #masked(place: ChunkPlace, keys: Int32Array, mask: MaybeMask): Int32Array {
    if (!mask) return keys
    this.#own.set(keys)
    keepPassing(this.#own, mask(place), place.rows)
    return this.#own
  }
}
function keepPassing(keys: Int32Array, mask: Uint8Array, rows: number): void {
  for (let i = 0; i < rows; i += 1) if (mask[i] === 0) keys[i] = 0
}
