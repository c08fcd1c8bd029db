import { foldForeign, type FoldRequest } from './folded-statement'
import type { ForeignDatabase } from './foreign-database'
import { notLive } from './refusals'
import type { AnswerGroups } from '../query/figure-source'
import { FirstOf } from '../columns/first-of'
import {
  assertFits,
  byRank,
  figuresOf,
  rankValues,
  type FoldedRows,
  type RankedValue,
} from '../columns/groups/folded-figures'
import {
  amountsOf,
  figuresOfTallies,
  rowsWithin,
  splitsWithin,
  tallySide,
  traitsWithin,
  type ArmTallies,
  type GroupedFigures,
  type TalliedGroups,
} from '../columns/groups/grouped-figures'
import { GroupPage } from '../columns/groups/group-page'
import { MEMORY } from '../columns/memory'
import type { KeyValue } from '../columns/splits'
import type { Amount } from '../query/aggregates/amount'
import type { AggregateQuery } from '../query/aggregates/aggregate-query'
import { figureTraits } from '../query/aggregates/computed-figures'
import { planSplits, type PlanSplit } from '../query/aggregates/plan-splits'
import type { PlanContext } from '../query/query-context'
import type { QuerySteps } from '../scheduling/query-scheduler'
import { asksTotals, groupedMeasuresOf, leafMeasuresOf, ownLeavesOf } from '../../shared/query/plan-fields'
import type { GroupedMeasure, Measure } from '../../shared/query/plan'

interface GroupsRequest {
  planContext: PlanContext
  question: AggregateQuery
  database: ForeignDatabase
  dimensions: PlanSplit[]
}
type Tops = readonly (ReadonlySet<KeyValue> | null)[]

/**
 * The figures of an aggregate plan, of rows that a foreign database adds up. What follows from figures (ratios, limits,
 * order, the page) is worked out here, as for rows that lie in columns.
 * @throws ProductError `query_too_complex` for what is not asked of databases, and for too many groups
 */
export function* foreignGroups(
  planContext: PlanContext,
  question: AggregateQuery,
  database: ForeignDatabase,
): QuerySteps<AnswerGroups> {
  const { plan, facts, period } = question
  const [main] = facts.facts
  if (main === undefined) throw new TypeError('A plan has at least one fact.')
  if (question.beside) throw notLive('Currency conversion')
  const dimensions = planSplits(planContext, main, plan)
  if (dimensions.some(({ label }) => label)) throw notLive('Label columns')
  const request: GroupsRequest = { planContext, question, database, dimensions }
  const tops = yield* topValues(request)
  const folded = yield* foldAll(request, { splits: dimensions, tops, measures: plan.measures })
  const figures = figuresOf(question, folded)
  const compared = period?.compare !== null && period?.compare !== undefined
  const sides = compared ? [0, 1] : [0]
  const page = new GroupPage(plan, { dimensions, sides, shares: 1, sorted: MEMORY.sorted })
  do yield* page.add(folded.folded, figures)
  while (page.next())
  const totals = asksTotals(plan) ? yield* totalsOf(request, sides) : null
  const measures = figures.map(({ traits }) => traits)
  assertFits(page.groups)
  return { dimensions, measures, compared, groups: page.groups, totals, rowCount: page.rowCount }
}

function* foldAll(
  { planContext, question, database }: GroupsRequest,
  { splits, tops, measures }: { splits: readonly PlanSplit[]; tops: Tops; measures: readonly Measure[] },
): QuerySteps<FoldedRows> {
  const { facts } = question
  const requestOf = (fact: string): Omit<FoldRequest, 'leaves'> => ({
    planContext,
    database,
    question,
    fact,
    splits,
    tops,
  })
  const grouped = new Map<GroupedMeasure, GroupedFigures>()
  for (const measure of measures.flatMap(groupedMeasuresOf)) {
    const [leaf] = leafMeasuresOf(measure)
    if (!leaf) throw new TypeError('Every figure over groups is over a fact.')
    const tallied = yield* talliedGroups(requestOf(facts.factOf(leaf)), measure)
    grouped.set(measure, figuresOfTallies(measure, tallied, tallied))
  }
  const leaves = measures.flatMap(ownLeavesOf)
  const folded: FoldedRows['folded'] = []
  for (const fact of facts.facts) {
    const own = leaves.filter((leaf) => facts.factOf(leaf) === fact)
    folded.push(yield* foldForeign({ ...requestOf(fact), leaves: own }))
  }
  return { folded, grouped }
}

/** Figures of the groups within each of the answer's groups, put together. */
function* talliedGroups(request: Omit<FoldRequest, 'leaves'>, measure: GroupedMeasure): QuerySteps<TalliedGroups> {
  const { planContext, question, fact, splits } = request
  const rows = rowsWithin(fact)
  const within = splitsWithin(planContext, fact, { plan: question.plan, measure })
  const folded = yield* foldForeign({
    ...request,
    splits: [...splits, ...within],
    tops: [...splits.map((_, i) => request.tops[i] ?? null), ...within.map(() => null)],
    leaves: [...leafMeasuresOf(measure.of), rows],
  })
  const count = question.period?.compare ? 2 : 1
  const tallies = Array.from({ length: count }, (): ArmTallies => new Map())
  const own = folded.splits.slice(0, splits.length)
  for (const [side, to] of tallies.entries()) yield* tallySide(folded, { measure, rows, side, splits: own }, to)
  return { traits: figureTraits(measure.of, traitsWithin(folded)), sides: tallies.map(amountsOf) }
}

/** Everything, whatever the splits tell apart. */
function* totalsOf(request: GroupsRequest, sides: readonly number[]): QuerySteps<Amount[][]> {
  const { question } = request
  const folded = yield* foldAll(request, { splits: [], tops: [], measures: question.plan.measures })
  const at = folded.folded.map(() => 1)
  const figures = figuresOf(question, folded)
  return sides.map((side) => figures.map((figure) => figure.amount({ side, at, keys: [], other: [] })))
}

/** The values that each top-N keeps; null where there is none. */
function* topValues(request: GroupsRequest): QuerySteps<Tops> {
  const { question, dimensions } = request
  const measures = question.plan.measures.slice(0, 1)
  const ranking = { ...question, plan: { ...question.plan, measures } }
  const tops: (ReadonlySet<KeyValue> | null)[] = []
  for (const split of dimensions) {
    if (split.topN === undefined) {
      tops.push(null)
      continue
    }
    const first = new FirstOf<RankedValue>(split.topN, byRank)
    const folded = yield* foldAll(request, { splits: [split], tops: [null], measures })
    yield* rankValues(folded.folded, figuresOf(ranking, folded)[0], first)
    const kept = yield* first.sorted()
    tops.push(new Set(kept.map(({ key }) => key)))
  }
  return tops
}
