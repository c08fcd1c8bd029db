import { foldFact, foldsOf, splitOf, type FactRows, type FoldedFact } from '../folds/fact-folds'
import { GROUPS_AT_ONCE } from './group-page'
import { keyCells, type GroupKeyCells } from './group-keys'
import { groupedTraits, groupTally, type GroupTally } from './group-tally'
import { shareMask, type Share } from './group-shares'
import { TooManyGroups } from '../memory'
import type { Split, SplitValues } from '../splits'
import { allOf } from '../vectors'
import { isExact, type Amount } from '../../query/aggregates/amount'
import type { MeasureTraits } from '../../query/aggregates/calculations'
import { figureEvaluator, figureTraits, ofPart, type MeasurePart } from '../../query/aggregates/computed-figures'
import type { AggregateQuery } from '../../query/aggregates/aggregate-query'
import { planSplits, type PlanSplit } from '../../query/aggregates/plan-splits'
import type { PlanContext } from '../../query/query-context'
import type { QuerySteps } from '../../scheduling/query-scheduler'
import { leafMeasuresOf } from '../../../shared/query/plan-fields'
import type { AggregateMeasure, GroupedMeasure, QueryPlan } from '../../../shared/query/plan'

/** A figure over groups, for each group of an answer and for everything. */
export interface GroupedFigures {
  traits: MeasureTraits
  amount: (at: GroupKeyCells & { side: number }) => Amount
  total: (side: number) => Amount
}

interface GroupedRequest {
  question: Pick<AggregateQuery, 'plan'>
  /** Those of the answer. */
  splits: readonly Split[]
  measure: GroupedMeasure
  totals: boolean
}

/** Reads the rows of a fact once for the groups of an answer, and once more for everything. */
export function* groupedFigures(fact: FactRows, ask: GroupedRequest): QuerySteps<GroupedFigures> {
  const { measure, splits } = ask
  const grouped = yield* tallied(fact, ask)
  const whole = ask.totals && splits.length > 0 ? yield* tallied(fact, { ...ask, splits: [] }) : grouped
  return figuresOfTallies(measure, grouped, whole)
}
/** @param whole the same without the answer's splits */
export function figuresOfTallies(
  measure: GroupedMeasure,
  grouped: TalliedGroups,
  whole: TalliedGroups,
): GroupedFigures {
  const nothing = groupTally(measure).value()
  return {
    traits: groupedTraits(measure, grouped.traits),
    amount: ({ side, keys, other }) => grouped.sides[side]?.get(nameOf({ keys, other })) ?? nothing,
    total: (side) => whole.sides[side]?.get(nameOf({ keys: [], other: [] })) ?? nothing,
  }
}
const nameOf = ({ keys, other }: GroupKeyCells): string => JSON.stringify([keys, other])

export interface TalliedGroups {
  /** How the figure of each group is shown. */
  traits: MeasureTraits
  /** Of each side, by the keys of the answer's groups. */
  sides: ReadonlyMap<string, Amount>[]
}

/** Shares that the groups within an answer's groups are worked out in, at most. */
const SHARES_MAX = 2 ** 12

/** Groups that are too many to be held are worked out a share of them at a time. */
function* tallied(fact: FactRows, ask: GroupedRequest): QuerySteps<TalliedGroups> {
  for (let shares = 1; ; shares *= 2)
    try {
      return yield* talliedInShares(fact, ask, shares)
    } catch (error) {
      if (!(error instanceof TooManyGroups) || shares === SHARES_MAX) throw error
    }
}

function* talliedInShares(fact: FactRows, ask: GroupedRequest, shares: number): QuerySteps<TalliedGroups> {
  const { measure, splits, question } = ask
  const { source } = fact
  const rows = rowsWithin(source.dataset.id)
  const own = splitsWithin(source.planContext, source.dataset.id, { plan: question.plan, measure })
  const tallies = fact.sides.map((): ArmTallies => new Map())
  for (let n = 0; ; n += 1) {
    const within = own.map((each) => splitOf(source, each, null).split)
    const folded = yield* foldFact(shares === 1 ? fact : shareOf(fact, within, { of: shares, n }), {
      question,
      splits: [...splits, ...within],
      leaves: [...leafMeasuresOf(measure.of), rows],
      totals: false,
    })
    for (const [side, to] of tallies.entries()) yield* tallySide(folded, { measure, rows, side, splits }, to)
    if (n === shares - 1)
      return { traits: figureTraits(measure.of, traitsWithin(folded)), sides: tallies.map(amountsOf) }
  }
}
/** Rows of each side: a group without any in one of them is not there. */
export const rowsWithin = (dataset: string): AggregateMeasure => ({ kind: 'column', agg: 'count', dataset })
/** What rows are put into groups by within an answer's groups. */
export const splitsWithin = (
  planContext: PlanContext,
  fact: string,
  { plan, measure }: { plan: QueryPlan; measure: GroupedMeasure },
): PlanSplit[] =>
  planSplits(planContext, fact, { ...plan, dimensions: measure.by, filters: [], measures: [], period: undefined })
const shareOf = (fact: FactRows, within: readonly Split[], share: Share): FactRows => ({
  ...fact,
  sides: fact.sides.map((side, at) => ({
    ...side,
    mask: allOf([side.mask, shareMask(within, at === 0 ? 0 : 1, share)]),
  })),
})

/** What is put together of each of the answer's groups, by its keys. */
export type ArmTallies = Map<string, GroupTally>
export const amountsOf = (tallies: ArmTallies): ReadonlyMap<string, Amount> =>
  new Map([...tallies].map(([name, tally]) => [name, tally.value()]))

export const traitsWithin =
  (folded: FoldedFact) =>
  (part: MeasurePart): MeasureTraits =>
    ofPart(part, { leaf: (leaf) => foldsOf(leaf, folded).traits, grouped: refuseGrouped })

function refuseGrouped(): never {
  throw new TypeError('A group has no groups of its own.')
}

export function* tallySide(
  folded: FoldedFact,
  {
    measure,
    rows,
    side,
    splits,
  }: Pick<GroupedRequest, 'measure'> & { splits: readonly SplitValues[]; rows: AggregateMeasure; side: number },
  tallies: ArmTallies,
): QuerySteps<void> {
  const { keys, leaves } = folded
  const figureOf = figureEvaluator<MeasurePart, number>(measure.of, {
    traitsOf: traitsWithin(folded),
    amountOf: (part) =>
      ofPart(part, {
        leaf: (leaf) => (group: number) => foldsOf(leaf, folded).sides[side]?.groups.value(group) ?? null,
        grouped: refuseGrouped,
      }),
  })
  const present = leaves.get(rows)?.sides[side]?.groups
  const names = new Map<string, string>()
  const nameAt = (ordinals: number[]): string => {
    const key = ordinals.join()
    const name = names.get(key) ?? nameOf(keyCells(splits, ordinals))
    names.set(key, name)
    return name
  }
  const size = keys.size()
  for (let group = 1; group < size; group += 1) {
    if (group % GROUPS_AT_ONCE === 0) yield
    if (present?.has?.(group) !== true) continue
    const name = nameAt(keys.ordinalsOf(group).slice(0, splits.length))
    const tally = tallies.get(name) ?? groupTally(measure)
    tallies.set(name, tally)
    const figure = figureOf(group)
    if (isExact(figure) || typeof figure === 'number') tally.add(figure)
  }
}
