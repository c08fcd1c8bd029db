import type { FoldedFact } from '../folds/fact-folds'
import { firstOf } from '../first-of'
import { cellsOf, mergedGroups, presentGroups, type MergedGroup } from './merged-groups'
import type { Amount } from '../../query/aggregates/amount'
import type { MeasureTraits } from '../../query/aggregates/calculations'
import { isNaturallyOrdered, type PlanSplit } from '../../query/aggregates/plan-splits'
import type { OutputGroup } from '../../query/aggregates/shape-result'
import { groupComparator, satisfiesHaving } from '../../query/aggregates/group-order'
import { QUERY_ROWS_MAX } from '../../../shared/limits'
import { isLeafMeasure } from '../../../shared/query/plan-fields'
import type { QueryPlan } from '../../../shared/query/plan'

export type GroupAt = MergedGroup & { arm: number }
/** One measure of the plan, of any group. */
export interface Figure {
  /** How it is shown. */
  traits: MeasureTraits
  amount(at: GroupAt): Amount
  total(arm: number): Amount
  /** What groups are sorted by. */
  order(at: GroupAt): Amount
}

/** A group with what it is sorted by. */
interface Candidate extends MergedGroup {
  figures: Amount[]
  /** All its figures in each arm; null until they are worked out. */
  amounts: Amount[][] | null
}

/** Limits on figures, order and page, of one share of all groups after the other. */
export class GroupPage {
  readonly #plan: QueryPlan
  readonly #dimensions: readonly PlanSplit[]
  readonly #arms: readonly number[]
  #sharesLeft: number
  #first: Candidate[] = []
  rowCount = 0

  constructor(
    plan: QueryPlan,
    { dimensions, arms, shares }: { dimensions: readonly PlanSplit[]; arms: readonly number[]; shares: number },
  ) {
    this.#plan = plan
    this.#dimensions = dimensions
    this.#arms = arms
    this.#sharesLeft = shares
  }

  add(folded: readonly FoldedFact[], figures: readonly Figure[]): void {
    const { offset = 0, limit = QUERY_ROWS_MAX, dimensions } = this.#plan
    const leading = leadingGroups(this.#plan, this.#dimensions, folded)
    const groups = leading?.groups ?? mergedGroups(folded, dimensions.length === 0)
    this.rowCount += leading?.others ?? 0
    const all = this.#beside(this.#candidates(groups, figures))
    const first = firstOf(all, offset + limit, groupComparator(this.#plan, this.#dimensions))
    this.#sharesLeft -= 1
    // What the share holds goes with it: figures of groups that may be shown are worked out now.
    this.#first = (this.#sharesLeft === 0 ? first.slice(offset) : first).map((group) =>
      group.amounts ? group : { ...group, amounts: this.#arms.map((arm) => amountsOf(figures, { ...group, arm })) },
    )
  }

  get groups(): OutputGroup[] {
    return this.#first.map(({ keys, other, amounts }) => ({ keys, other, arms: amounts ?? [] }))
  }

  *#beside(more: Iterable<Candidate>): Generator<Candidate> {
    yield* this.#first
    yield* more
  }

  *#candidates(groups: Iterable<MergedGroup>, figures: readonly Figure[]): Generator<Candidate> {
    const plan = this.#plan
    const isNumeric = (measure: number): boolean => figures[measure]?.traits.numeric === true
    const limited = new Set((plan.having ?? []).map(({ measure }) => measure))
    const sorting = new Set(sortedBy(plan))
    for (const group of groups) {
      const at: GroupAt = { ...group, arm: 0 }
      const values = figures.map((figure, i) => (limited.has(i) ? figure.amount(at) : null))
      if (limited.size > 0 && !satisfiesHaving(plan, values, isNumeric)) continue
      this.rowCount += 1
      const orders = figures.map((figure, i) => (sorting.has(i) ? figure.order(at) : null))
      yield { ...group, figures: orders, amounts: null }
    }
  }
}
const amountsOf = (figures: readonly Figure[], at: GroupAt): Amount[] => figures.map((figure) => figure.amount(at))
function sortedBy({ sort, dimensions }: QueryPlan): number[] {
  if (dimensions.length === 0) return []
  return sort?.length ? sort.flatMap(({ by }) => ('measure' in by ? [by.measure] : [])) : [0]
}

/**
 * The groups of a short page that is sorted by one figure, and how many there are besides: those that cannot be on it are
 * told apart by a number each. Null where that is not how the page is found.
 */
function leadingGroups(
  plan: QueryPlan,
  dimensions: readonly PlanSplit[],
  folded: readonly FoldedFact[],
): { groups: MergedGroup[]; others: number } | null {
  const [fact, second] = folded
  const wanted = (plan.offset ?? 0) + (plan.limit ?? QUERY_ROWS_MAX)
  const isPlain = !plan.having?.length && plan.dimensions.every(({ topN }) => topN === undefined)
  const isByTime = isNaturallyOrdered(dimensions[0])
  const [sort] = plan.sort?.length ? plan.sort : isByTime ? [] : [{ by: { measure: 0 }, dir: 'desc' as const }]
  if (!fact || second || !isPlain || !sort || !('measure' in sort.by)) return null
  const measure = plan.measures[sort.by.measure]
  const order = measure && isLeafMeasure(measure) ? fact.leaves.get(measure)?.arms[0]?.groups.order : undefined
  const present = presentGroups(fact)
  if (!order || present.length < wanted * 4) return null
  const sign = sort.dir === 'desc' ? 1 : -1
  const orders = Float64Array.from(present, (group) => {
    const own = order(group)
    return own === null ? -Infinity : own * sign
  })
  const last = orders.toSorted()[orders.length - wanted] ?? -Infinity
  const kept = present.filter((_, i) => (orders[i] ?? -Infinity) >= last)
  const groups = kept.map((group) => ({ ...cellsOf(fact, group), at: [group] }))
  return { groups, others: present.length - kept.length }
}
