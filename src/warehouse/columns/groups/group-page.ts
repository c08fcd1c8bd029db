import type { FoldedFact } from '../folds/fact-folds'
import { FirstOf } from '../first-of'
import { cellsOf, mergedGroups, presentGroups, type MergedGroup } from './merged-groups'
import type { Amount } from '../../query/aggregates/amount'
import type { MeasureTraits } from '../../query/aggregates/calculations'
import { isNaturallyOrdered, type PlanSplit } from '../../query/aggregates/plan-splits'
import type { OutputGroup } from '../../query/aggregates/shape-result'
import { groupComparator, satisfiesHaving, type GroupComparator } from '../../query/aggregates/group-order'
import type { QuerySteps } from '../../scheduling/query-scheduler'
import { QUERY_ROWS_MAX } from '../../../shared/limits'
import { isLeafMeasure } from '../../../shared/query/plan-fields'
import type { QueryPlan } from '../../../shared/query/plan'

export type GroupAt = MergedGroup & { side: number }
/** One measure of the plan, of any group. */
export interface Figure {
  /** How it is shown. */
  traits: MeasureTraits
  amount(at: GroupAt): Amount
  total(side: number): Amount
  /** What groups are sorted by. */
  order(at: GroupAt): Amount
}

/** A group with what it is sorted by, as it is in the period. */
interface Candidate extends GroupAt {
  figures: Amount[]
  /** All its figures in each side; null until they are worked out. */
  amounts: Amount[][] | null
}

/** Which groups are asked for: so many, after so many, of those behind one. */
interface GroupWindow {
  offset: number
  limit: number
  after: Candidate | null
}
/** Groups whose figures are worked out in one go. */
export const GROUPS_AT_ONCE = 2 ** 11
/** The same, where only what they are sorted by is looked at. */
const ORDERS_AT_ONCE = 2 ** 14

/**
 * Limits on figures, order and page, of one share of all groups after the other. Groups before the page are not all held:
 * where they are too many, the last of those that are is found first, and then the page among the groups behind it.
 */
export class GroupPage {
  readonly #plan: QueryPlan
  readonly #dimensions: readonly PlanSplit[]
  readonly #sides: readonly number[]
  readonly #shares: number
  readonly #skippedMax: number
  readonly #compare: GroupComparator
  readonly #limited: ReadonlySet<number>
  readonly #sorting: ReadonlySet<number>
  #window: GroupWindow
  #sharesLeft: number
  #first: Candidate[] = []
  rowCount = 0

  constructor(
    plan: QueryPlan,
    of: { dimensions: readonly PlanSplit[]; sides: readonly number[]; shares: number; sorted: number },
  ) {
    const { offset = 0, limit = QUERY_ROWS_MAX } = plan
    this.#plan = plan
    this.#dimensions = of.dimensions
    this.#sides = of.sides
    this.#shares = of.shares
    this.#sharesLeft = of.shares
    this.#skippedMax = Math.max(1, of.sorted - limit)
    this.#compare = groupComparator(plan, of.dimensions)
    this.#limited = new Set((plan.having ?? []).map(({ measure }) => measure))
    this.#sorting = new Set(sortedBy(plan))
    this.#window = { offset, limit, after: null }
  }

  /** How many groups of the window are looked for, and from which on they are wanted. */
  get #asked(): { count: number; from: number } {
    const { offset, limit } = this.#window
    const isFar = offset > this.#skippedMax
    return isFar ? { count: this.#skippedMax, from: this.#skippedMax - 1 } : { count: offset + limit, from: offset }
  }

  /** Once all shares were added: whether they are to be added again, as the page is further on. */
  next(): boolean {
    const { offset, limit } = this.#window
    const [last] = this.#first
    if (offset <= this.#skippedMax || !last) return false
    this.#window = { offset: offset - this.#skippedMax, limit, after: last }
    this.#sharesLeft = this.#shares
    this.#first = []
    this.rowCount = 0
    return true
  }

  *add(folded: readonly FoldedFact[], figures: readonly Figure[]): QuerySteps<void> {
    const { count, from } = this.#asked
    const { after } = this.#window
    const leading = after ? null : yield* leadingGroups(this.#plan, this.#dimensions, { folded, wanted: count })
    const groups = leading?.groups ?? mergedGroups(folded, this.#dimensions.length === 0)
    this.rowCount += leading?.others ?? 0
    const first = new FirstOf<Candidate>(count, this.#compare)
    for (const group of this.#first) first.add(group)
    let seen = 0
    for (const group of groups) {
      seen += 1
      if (seen % GROUPS_AT_ONCE === 0) yield
      const found = this.#candidate(group, figures)
      if (found && (!after || this.#compare(found, after) > 0)) first.add(found)
    }
    this.#sharesLeft -= 1
    const sorted = yield* first.sorted()
    // What the share holds goes with it: figures of groups that may be shown are worked out now.
    this.#first = []
    for (const [at, group] of (this.#sharesLeft === 0 ? sorted.slice(from) : sorted).entries()) {
      if (at % GROUPS_AT_ONCE === GROUPS_AT_ONCE - 1) yield
      group.amounts ??= this.#sides.map((side) => amountsOf(figures, side === 0 ? group : { ...group, side }))
      this.#first.push(group)
    }
  }

  get groups(): OutputGroup[] {
    return this.#first.map(({ keys, other, amounts }) => ({ keys, other, sides: amounts ?? [] }))
  }

  /** Null outside the limits on figures. */
  #candidate(group: MergedGroup, figures: readonly Figure[]): Candidate | null {
    const { keys, other, at } = group
    const found: Candidate = { keys, other, at, side: 0, figures: NONE, amounts: null }
    if (this.#limited.size > 0 && !this.#isWithinLimits(found, figures)) return null
    this.rowCount += 1
    if (this.#sorting.size > 0)
      found.figures = figures.map((figure, i) => (this.#sorting.has(i) ? figure.order(found) : null))
    return found
  }
  #isWithinLimits(group: GroupAt, figures: readonly Figure[]): boolean {
    const isNumeric = (measure: number): boolean => figures[measure]?.traits.numeric === true
    const values = figures.map((figure, i) => (this.#limited.has(i) ? figure.amount(group) : null))
    return satisfiesHaving(this.#plan, values, isNumeric)
  }
}
const NONE: Amount[] = []
const amountsOf = (figures: readonly Figure[], at: GroupAt): Amount[] => figures.map((figure) => figure.amount(at))
function sortedBy({ sort, dimensions }: QueryPlan): number[] {
  if (dimensions.length === 0) return []
  return sort?.length ? sort.flatMap(({ by }) => ('measure' in by ? [by.measure] : [])) : [0]
}

/**
 * The groups of a short page that is sorted by one figure, and how many there are besides: those that cannot be on it are
 * told apart by a number each. Null where that is not how the page is found.
 */
function* leadingGroups(
  plan: QueryPlan,
  dimensions: readonly PlanSplit[],
  { folded, wanted }: { folded: readonly FoldedFact[]; wanted: number },
): QuerySteps<{ groups: MergedGroup[]; others: number } | null> {
  const [fact, second] = folded
  const isPlain = !plan.having?.length && plan.dimensions.every(({ topN }) => topN === undefined)
  const isByTime = isNaturallyOrdered(dimensions[0])
  const [sort] = plan.sort?.length ? plan.sort : isByTime ? [] : [{ by: { measure: 0 }, dir: 'desc' as const }]
  if (!fact || second || !isPlain || !sort || !('measure' in sort.by)) return null
  const measure = plan.measures[sort.by.measure]
  const order = measure && isLeafMeasure(measure) ? fact.leaves.get(measure)?.sides[0]?.groups.order : undefined
  const present = presentGroups(fact)
  if (!order || present.length < wanted * 4) return null
  const sign = sort.dir === 'desc' ? 1 : -1
  yield
  const orders = new Float64Array(present.length)
  const leading = new FirstOf<number>(wanted, (a, b) => b - a)
  for (let at = 0; at < present.length; at += 1) {
    if (at % ORDERS_AT_ONCE === ORDERS_AT_ONCE - 1) yield
    const own = order(present[at] ?? 0)
    orders[at] = own === null ? -Infinity : own * sign
    leading.add(orders[at] ?? -Infinity)
  }
  const last = leading.last ?? -Infinity
  const kept = present.filter((_, i) => (orders[i] ?? -Infinity) >= last)
  yield
  const groups = kept.map((group) => ({ ...cellsOf(fact, group), at: [group] }))
  return { groups, others: present.length - kept.length }
}
