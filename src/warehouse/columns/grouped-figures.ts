import { foldFact, splitOf, type FactRows, type FoldedFact } from './fact-folds'
import { evaluator, type TraitsOf } from './figure-evaluator'
import { keyCells, type GroupKeyCells } from './group-keys'
import { groupedTraits, groupTally, type GroupTally } from './group-tally'
import type { Split } from './splits'
import { isExact, type Amount } from '../query/aggregates/amount'
import { measureTraits, type MeasureTraits } from '../query/aggregates/calculations'
import type { AggregateQuery } from '../query/aggregates/aggregate-query'
import { planSplits } from '../query/aggregates/plan-splits'
import type { QuerySteps } from '../scheduling/query-scheduler'
import { leafMeasuresOf } from '../../shared/query/plan-fields'
import type { AggregateMeasure, GroupedMeasure } from '../../shared/query/plan'

/** A figure over groups, for each group of an answer and for everything. */
export interface GroupedFigures {
  traits: MeasureTraits
  amount: (at: GroupKeyCells & { arm: number }) => Amount
  total: (arm: number) => Amount
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
  const nothing = groupTally(measure).value()
  return {
    traits: groupedTraits(measure, grouped.traits),
    amount: ({ arm, keys, other }) => grouped.arms[arm]?.get(nameOf({ keys, other })) ?? nothing,
    total: (arm) => whole.arms[arm]?.get(nameOf({ keys: [], other: [] })) ?? nothing,
  }
}
const nameOf = ({ keys, other }: GroupKeyCells): string => JSON.stringify([keys, other])

interface TalliedGroups {
  /** How the figure of each group is shown. */
  traits: MeasureTraits
  /** Of each arm, by the keys of the answer's groups. */
  arms: ReadonlyMap<string, Amount>[]
}

function* tallied(fact: FactRows, ask: GroupedRequest): QuerySteps<TalliedGroups> {
  const { measure, splits, question } = ask
  const { source } = fact
  // Rows of each arm: a group without any in one of them is not there.
  const rows: AggregateMeasure = { kind: 'column', agg: 'count', dataset: source.dataset.id }
  const keys = { dimensions: measure.by, filters: [], measures: [] }
  const own = planSplits(source.world, source.dataset.id, { ...question.plan, ...keys, period: undefined })
  const folded = yield* foldFact(fact, {
    question,
    splits: [...splits, ...own.map((each) => splitOf(source, each, null).split)],
    leaves: [...leafMeasuresOf(measure.of), rows],
    totals: false,
  })
  const arms: ReadonlyMap<string, Amount>[] = []
  for (const arm of fact.arms.keys()) arms.push(yield* talliedArm(folded, { measure, rows, arm, splits }))
  return { traits: traitsWithin(folded)(measure.of), arms }
}

const traitsWithin = ({ leaves }: FoldedFact): TraitsOf => {
  const leafOf = (leaf: AggregateMeasure): MeasureTraits => {
    const folds = leaves.get(leaf)
    if (!folds) throw new TypeError('Every measure is over a fact of its plan.')
    return folds.traits
  }
  return (operand) => measureTraits(operand, leafOf)
}

/** Groups that are gone through in one go. */
const GROUPS_AT_ONCE = 2 ** 15

function* talliedArm(
  folded: FoldedFact,
  { measure, rows, arm, splits }: Pick<GroupedRequest, 'measure' | 'splits'> & { rows: AggregateMeasure; arm: number },
): QuerySteps<ReadonlyMap<string, Amount>> {
  const { keys, leaves } = folded
  const figureOf = evaluator<number>(
    {
      traitsOf: traitsWithin(folded),
      leaf: (leaf) => (group) => leaves.get(leaf)?.arms[arm]?.groups.value(group) ?? null,
      grouped: () => () => null,
    },
    measure.of,
  )
  const present = leaves.get(rows)?.arms[arm]?.groups
  const tallies = new Map<string, { ordinals: number[]; tally: GroupTally }>()
  const size = keys.size()
  for (let group = 1; group < size; group += 1) {
    if (group % GROUPS_AT_ONCE === 0) yield
    if (present?.has?.(group) !== true) continue
    const ordinals = keys.ordinalsOf(group).slice(0, splits.length)
    const name = ordinals.join()
    const known = tallies.get(name) ?? { ordinals, tally: groupTally(measure) }
    tallies.set(name, known)
    const figure = figureOf(group)
    if (isExact(figure) || typeof figure === 'number') known.tally.add(figure)
  }
  return new Map(
    [...tallies.values()].map(({ ordinals, tally }) => [nameOf(keyCells(splits, ordinals)), tally.value()]),
  )
}
