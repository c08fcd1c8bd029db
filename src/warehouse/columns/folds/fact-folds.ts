import type { ArmRows, WatchChunk } from '../side-rows'
import { longestChunk } from '../column-table'
import type { RowSource } from '../column-vectors'
import type { Fold, FoldedValues } from './fold'
import { countFold } from './folds'
import { groupKeys, masked, type GroupKeys } from '../groups/group-keys'
import { leafFold } from './leaf-folds'
import { ExceedsMemory, sharedBy, TooManyGroups, type MemoryBounds } from '../memory'
import { pacing } from '../pacing'
import { filtersMask } from '../predicates'
import { binSplit, groupedSplit, numberSplit, partSplit, textSplit, timeSplit } from '../splits'
import type { ComparisonSide, Split, SplitValues } from '../splits'
import { allOf, presentCodes, within, type MaybeMask, type ChunkPlace } from '../vectors'
import { workingArrays } from '../working-arrays'
import type { MeasureTraits } from '../../query/aggregates/calculations'
import type { AggregateQuery } from '../../query/aggregates/aggregate-query'
import type { PlanSplit } from '../../query/aggregates/plan-splits'
import type { AbsolutePeriod, DayRange } from '../../query/time/resolve-period'
import type { QuerySteps } from '../../scheduling/query-scheduler'
import { DAY_MS } from '../../../shared/dates'
import type { AggregateMeasure } from '../../../shared/query/plan'

/** The rows of one fact as a plan asks for them. */
export interface FactRows {
  source: RowSource
  /** Rows of the period, and of what it is compared with. */
  sides: ArmRows[]
  splits: Split[]
  /** Another reading of the same dataset, whose arrays nothing else holds. */
  fresh: () => RowSource
  /** Sees every chunk that is read. */
  beside?: WatchChunk | undefined
}

export function factRows(
  source: RowSource,
  { plan, period, beside }: Pick<AggregateQuery, 'plan' | 'period' | 'beside'>,
  { dimensions, fresh }: { dimensions: readonly PlanSplit[]; fresh: FactRows['fresh'] },
): FactRows {
  const splits = dimensions.map((each) => splitOf(source, each, period))
  const placed = splits.map(({ placed: mask }) => mask)
  const passing = allOf([source.rule(), source.filtered(plan.filters, 'filters'), ...placed])
  const ranges = [period?.range ?? null, ...(period?.compare ? [period.compare] : [])]
  const kept = source.passing(plan.filters).rows
  const maySee = (chunk: number): boolean => kept.every((rows) => rows.kept.mayHold(chunk))
  const sides = ranges.map((range): ArmRows => {
    if (!range || !plan.period) return { mask: passing, mayHold: maySee }
    const inside = periodRows(source, plan.period.field, range)
    return { mask: allOf([passing, inside.mask]), mayHold: (chunk) => maySee(chunk) && inside.mayHold(chunk) }
  })
  const isWhole = placed.every((mask) => mask === null)
  const watch = isWhole ? beside?.(source, sides) : undefined
  return { source, sides, splits: splits.map(({ split }) => split), fresh, beside: watch }
}

const rangesOf = (period: AbsolutePeriod | null): (DayRange | null)[] => [
  period?.range ?? null,
  ...(period?.compare ? [period.compare] : []),
]

/** Whether a chunk can hold rows of a period, or of what it is compared with. */
export function mayHoldAny(
  source: RowSource,
  plan: AggregateQuery['plan'],
  period: AbsolutePeriod | null,
): (chunk: number) => boolean {
  const inside = rangesOf(period).map((range) =>
    range && plan.period ? periodRows(source, plan.period.field, range).mayHold : null,
  )
  return (chunk) => inside.some((mayHold) => mayHold?.(chunk) !== false)
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
  const timed = { column, rows: source.table.rows, calendar: source.planContext.calendar }
  if (bins) return { split: binSplit(column, bins), placed: null }
  if (part) return { split: partSplit(timed, part), placed: null }
  const split =
    grain !== undefined
      ? timeSplit({ ...timed, grain, period: ofPeriod ? period : null })
      : column.column.type === 'text'
        ? textSplit(column, source.memory)
        : numberSplit(column)
  return { split, placed: null }
}

/** Folds of one measure: of each side, by group and over everything. */
export interface LeafFolds {
  mask: MaybeMask
  /** How it is shown. */
  traits: MeasureTraits
  sides: { groups: Fold; total: Fold | null }[]
  /** It counts every row of each group. */
  isOfEveryRow: boolean
}
/** What a measure came to, for each group and over everything. */
export interface FoldedLeaf {
  traits: MeasureTraits
  sides: { groups: FoldedValues; total: FoldedValues | null }[]
}
/** The rows of a fact as groups with their figures, whoever folded them. */
export interface FoldedFact {
  splits: readonly SplitValues[]
  keys: Pick<GroupKeys, 'size' | 'ordinalsOf'>
  /** Rows of each group, those of all sides together. */
  present: Pick<Fold, 'has'>
  leaves: ReadonlyMap<AggregateMeasure, FoldedLeaf>
}

/** What was folded of a measure's rows. @throws TypeError when it is over another fact */
export function foldsOf(measure: AggregateMeasure, { leaves }: FoldedFact): FoldedLeaf {
  const folds = leaves.get(measure)
  if (!folds) throw new TypeError('Every measure is over a fact of its plan.')
  return folds
}

interface FoldRequest {
  question: Pick<AggregateQuery, 'plan'>
  splits: readonly Split[]
  leaves: readonly AggregateMeasure[]
  totals: boolean
}

/**
 * Reads the rows of a fact once, and adds up what is asked for. Figures that do not fit in memory beside each other are
 * worked out one by one, and those that do not fit by themselves in several passes.
 * @throws TooManyGroups for more groups than are held at a time
 */
export function* foldFact(fact: FactRows, ask: FoldRequest): QuerySteps<FoldedFact> {
  const reading = new FactReading(fact, ask)
  const { present, leaves } = yield* foldTogether(fact, ask, reading)
  for (const leaf of ask.leaves) {
    if (leaves.has(leaf)) continue
    const alone = leafFolds(fact.fresh(), { leaf, ask, sides: fact.sides.length, beside: 1 })
    yield* reading.readAll(tasksOf(alone))
    leaves.set(leaf, alone)
  }
  return { splits: ask.splits, keys: reading.keys, present, leaves }
}

/** How many rows each group has, and all figures that fit beside each other. */
function* foldTogether(
  fact: FactRows,
  ask: FoldRequest,
  reading: FactReading,
): QuerySteps<Pick<FoldedFact, 'present'> & { leaves: Map<AggregateMeasure, LeafFolds> }> {
  const counting = (present: Fold): FoldTask[] =>
    fact.sides.map((_, at) => ({ fold: present, side: at === 0 ? 0 : 1, mask: null, isTotal: false }))
  try {
    const beside = ask.leaves.length
    const made = new Map(
      ask.leaves.map((leaf) => [leaf, leafFolds(fact.source, { leaf, ask, sides: fact.sides.length, beside })]),
    )
    const tasks = [...made.values()].flatMap(tasksOf)
    // What has a number in every row counts them as it adds up.
    const ofEveryRow = [...made.values()].find(({ isOfEveryRow }) => isOfEveryRow)
    const counted = ofEveryRow ? null : countFold(null)
    yield* reading.read([...(counted ? counting(counted) : []), ...tasks])
    if (made.size < 2) yield* reading.readAgain(tasks)
    else for (const [leaf, folds] of made) if ((yield* wantingMore(tasksOf(folds))).length > 0) made.delete(leaf)
    const has = (group: number): boolean => ofEveryRow?.sides.some(({ groups }) => groups.has?.(group)) === true
    return { present: counted ?? { has }, leaves: made }
  } catch (error) {
    if (!(error instanceof ExceedsMemory) || error instanceof TooManyGroups) throw error
    const present = countFold(null)
    yield* reading.read(counting(present))
    return { present, leaves: new Map() }
  }
}

/** @param of `beside`: how many figures are worked out at the same time */
function leafFolds(
  source: RowSource,
  { leaf, ask, sides, beside }: { leaf: AggregateMeasure; ask: FoldRequest; sides: number; beside: number },
): LeafFolds {
  const { make, traits, isFull } = leafFold(source, leaf, ask.question.plan)
  const mask = leaf.filter?.length ? filtersMask(source, leaf.filter, 'measures') : null
  const memory = sharedBy(source.memory, beside * sides * (ask.totals ? 2 : 1))
  const made = Array.from({ length: sides }, () => ({ groups: make(memory), total: ask.totals ? make(memory) : null }))
  return { mask, traits, sides: made, isOfEveryRow: isFull && mask === null }
}

/** A fold over the rows of an side that its mask lets through, by group or all together. */
interface FoldTask {
  fold: Fold
  side: ComparisonSide
  mask: MaybeMask
  isTotal: boolean
}
const tasksOf = ({ mask, sides }: LeafFolds): FoldTask[] =>
  sides.flatMap(({ groups, total }, at): FoldTask[] => {
    const side = at === 0 ? 0 : 1
    return [
      { fold: groups, side, mask, isTotal: false },
      ...(total ? [{ fold: total, side, mask, isTotal: true } as const] : []),
    ]
  })
/** Those that want all rows once more. */
function* wantingMore(tasks: readonly FoldTask[]): QuerySteps<FoldTask[]> {
  const left: FoldTask[] = []
  for (const task of tasks) {
    if (task.fold.again && (yield* task.fold.again())) left.push(task)
  }
  return left
}

/** Of what is told of a row's currency, in rows of a sum. */
const BESIDE_WORK = 4

/** Groups that so many figures of each are held of at a time, beside how many rows it has. */
export const groupsHeld = (memory: MemoryBounds, figures: number): number =>
  Math.max(2, Math.min(memory.groups, Math.floor(memory.cells / (1 + figures))))

/** Of so many rows of a chunk one passes, or fewer: then what the others are is not looked at for each figure. */
const FEW_ROWS_SHARE = 64

/** The few rows that a filter lets through. */
class FewRows {
  readonly #places: Int32Array

  constructor(longest: number) {
    this.#places = workingArrays().codes(Math.ceil(longest / FEW_ROWS_SHARE))
  }

  /** Null when they are more than a few. */
  of(passing: Uint8Array, rows: number): Int32Array | null {
    const most = Math.floor(rows / FEW_ROWS_SHARE)
    let found = 0
    for (let row = passing.indexOf(1); row !== -1 && row < rows; row = passing.indexOf(1, row + 1)) {
      if (found === most) return null
      this.#places[found] = row
      found += 1
    }
    return this.#places.subarray(0, found)
  }
}

class FactReading {
  readonly keys: GroupKeys
  readonly #fact: FactRows
  readonly #groupsMax: number
  readonly #keys: Int32Array
  readonly #own: Int32Array
  readonly #few: FewRows
  readonly #isDue = pacing()

  constructor(fact: FactRows, { splits, leaves }: Pick<FoldRequest, 'splits' | 'leaves'>) {
    const { memory } = fact.source
    this.#fact = fact
    this.#groupsMax = groupsHeld(memory, leaves.length * fact.sides.length)
    this.keys = groupKeys(splits, this.#groupsMax)
    const longest = longestChunk(fact.source.table)
    const arrays = workingArrays()
    this.#keys = arrays.codes(longest)
    this.#own = arrays.codes(longest)
    this.#few = new FewRows(longest)
  }

  /** As often as the folds want it. */
  *readAll(tasks: readonly FoldTask[]): QuerySteps<void> {
    yield* this.read(tasks)
    yield* this.readAgain(tasks)
  }
  *readAgain(tasks: readonly FoldTask[]): QuerySteps<void> {
    for (let left = yield* wantingMore(tasks); left.length > 0; left = yield* wantingMore(left)) yield* this.read(left)
  }

  /** Every row once. */
  *read(tasks: readonly FoldTask[]): QuerySteps<void> {
    const { source, sides, beside } = this.#fact
    for (const [chunk, rows] of source.table.chunks.entries()) {
      for (const [at, side] of sides.entries())
        if (side.mayHold(chunk)) yield* this.#add({ chunk, rows }, { side: at === 0 ? 0 : 1, mask: side.mask }, tasks)
      if (beside) {
        beside({ chunk, rows })
        if (this.#isDue(rows * BESIDE_WORK)) yield
      }
    }
    this.#grow(tasks)
  }

  /** Makes room in all folds for all groups there are. */
  #grow(tasks: readonly FoldTask[]): void {
    const size = this.keys.size()
    if (size > this.#groupsMax + 1) throw new TooManyGroups()
    for (const { fold, isTotal } of tasks) fold.grow(isTotal ? 2 : size)
  }

  /** False: none of the rows counts for it, so that nothing was added. */
  #addFew(place: ChunkPlace, { fold, mask, isTotal }: FoldTask, few: Int32Array): boolean {
    if (few.length === 0) return false
    const passing = mask?.(place)
    const [keys, own] = [this.#keys, this.#own]
    own.fill(0, 0, place.rows)
    let any = 0
    for (const row of few) {
      const key = (isTotal ? 1 : (keys[row] ?? 0)) & -(passing ? (passing[row] ?? 0) : 1)
      own[row] = key
      any |= key
    }
    if (any !== 0) fold.add(place, own)
    return true
  }

  *#add(
    place: ChunkPlace,
    { side, mask }: { side: ComparisonSide; mask: MaybeMask },
    tasks: readonly FoldTask[],
  ): QuerySteps<void> {
    yield* this.keys.fillInPieces(place, { side, mask, isDue: this.#isDue }, this.#keys)
    this.#grow(tasks)
    const few = mask && this.#few.of(mask(place), place.rows)
    for (const task of tasks) {
      if (task.side !== side) continue
      if (few) {
        if (this.#addFew(place, task, few) && this.#isDue(place.rows)) yield
        continue
      }
      if (task.isTotal) {
        this.#own.fill(1, 0, place.rows)
        if (mask) masked(this.#own, mask(place), place.rows)
      } else if (task.mask) this.#own.set(this.#keys.subarray(0, place.rows))
      if (task.mask) masked(this.#own, task.mask(place), place.rows)
      task.fold.add(place, task.isTotal || task.mask ? this.#own : this.#keys)
      if (this.#isDue(place.rows * (task.fold.rowWork ?? 1))) yield
    }
  }
}
