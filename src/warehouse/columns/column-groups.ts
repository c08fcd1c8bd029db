import { answered, type ColumnSources } from './column-table'
import { factRows, foldFact, mayHoldAny, groupsHeld, type FactRows, type FoldedFact } from './folds/fact-folds'
import { prepareExists } from './exists'
import { FirstOf } from './first-of'
import { assertFits, byRank, figuresOf, rankValues, type FoldedRows, type RankedValue } from './groups/folded-figures'
import { GroupPage, type Figure } from './groups/group-page'
import { shareMask } from './groups/group-shares'
import { sampledGroups } from './groups/sampled-groups'
import { groupedFigures, type GroupedFigures } from './groups/grouped-figures'
import { MEMORY, TooManyGroups } from './memory'
import { pickedRows } from './narrowed-table'
import { rowScans, type PickedFact } from './row-scan'
import { namedSplits } from './texts/split-names'
import { topSplit, type KeyValue, type Split } from './splits'
import { allOf } from './vectors'
import type { Amount } from '../query/aggregates/amount'
import type { AggregateQuery } from '../query/aggregates/aggregate-query'
import { planSplits, type PlanSplit } from '../query/aggregates/plan-splits'
import type { AnswerGroups } from '../query/figure-source'
import type { PlanContext } from '../query/query-context'
import { ANSWER_MAX_MS, queryTooLong } from '../scheduling/query-cost'
import type { QuerySteps } from '../scheduling/query-scheduler'
import { asksTotals, groupedMeasuresOf, leafMeasuresOf, ownLeavesOf } from '../../shared/query/plan-fields'
import type { GroupedMeasure, Measure } from '../../shared/query/plan'

/** The figures of an aggregate plan. @throws ProductError `query_too_complex` */
export const columnGroups = (
  planContext: PlanContext,
  question: AggregateQuery,
  sources: ColumnSources,
): QuerySteps<AnswerGroups> => answered(() => answer(planContext, question, sources))

interface GroupsRequest {
  planContext: PlanContext
  question: AggregateQuery
  sources: ColumnSources
  dimensions: PlanSplit[]
  /** Facts of which only rows that pass are read. */
  picked: Map<string, PickedFact>
}

/** Shares that groups are worked out in, at most. */
const SHARES_MAX = 2 ** 12

/** Groups that are too many to be held are worked out a share of them at a time. */
function* answer(planContext: PlanContext, question: AggregateQuery, sources: ColumnSources): QuerySteps<AnswerGroups> {
  const { plan, facts } = question
  const [main] = facts.facts
  if (main === undefined) throw new TypeError('A plan has at least one fact.')
  const request = { planContext, question, sources, dimensions: planSplits(planContext, main, plan), picked: new Map() }
  yield* prepared(request)
  const whole = rowsOf(request)
  const expected = yield* sharesExpected(request, whole)
  if (expected !== null) assertReadable(expected, question.readingMs)
  for (let shares = expected ?? 1; ; shares *= 2)
    try {
      // What was looked into has numbers for values that the answer may not have.
      return yield* answerInShares(request, expected === null && shares === 1 ? whole : rowsOf(request), shares)
    } catch (error) {
      const isLast = shares === SHARES_MAX || plan.dimensions.length === 0
      if (!(error instanceof TooManyGroups) || isLast) throw error
    }
}

/** What rows are looked up in is read before them, and where few pass, which they are. */
function* prepared({ planContext, question, sources, picked }: GroupsRequest): QuerySteps<void> {
  const { plan, facts, period } = question
  const scanOf = rowScans(planContext, sources)
  for (const id of facts.facts) {
    const source = scanOf(id)
    yield* prepareExists(source, plan.filters, 'filters')
    for (const leaf of plan.measures.flatMap(leafMeasuresOf))
      if (facts.factOf(leaf) === id) yield* prepareExists(source, leaf.filter ?? [], 'measures')
    const { rows: passing, filters } = source.passing(plan.filters)
    if (passing.length === 0) continue
    const mayHold = mayHoldAny(source, plan, period)
    const rows = yield* pickedRows(source.table, { passing, mayHold }, sources)
    if (rows) picked.set(id, { rows, filters: new Set(filters) })
  }
}

/** As many as a sample of the rows speaks for, which may be too few. Null: all groups that there can be are held. */
function* sharesExpected(
  { question: { plan }, dimensions }: GroupsRequest,
  whole: readonly FactRows[],
): QuerySteps<number | null> {
  const isTop = dimensions.map(({ topN }) => topN !== undefined)
  const leaves = plan.measures.flatMap(leafMeasuresOf).length
  let most = 0
  for (const fact of whole) {
    const held = groupsHeld(fact.source.memory, leaves * fact.sides.length)
    const ranked = fact.splits.filter((_, i) => isTop[i]).map((split) => [split])
    for (const splits of [...ranked, fact.splits.filter((_, i) => !isTop[i])]) {
      const possible = splits.reduce((product, { size }) => product * (size ?? Infinity), 1)
      if (Math.min(possible, fact.source.table.rows) > held)
        most = Math.max(most, yield* sharesOf({ ...fact, splits }, held))
    }
  }
  return most === 0 ? null : Math.min(SHARES_MAX, most)
}

/** Where not even the groups of the sample are held, two at least. */
function* sharesOf(fact: FactRows, held: number): QuerySteps<number> {
  try {
    return 2 ** Math.ceil(Math.log2(Math.max(1, (yield* sampledGroups(fact)) / held)))
  } catch (error) {
    if (error instanceof TooManyGroups) return 2
    throw error
  }
}

/** Rows of a share are told from others by a hash of their keys. */
const SHARE_FACTOR = 1.5
/** @throws ProductError `query_too_complex` where so many readings take longer than an answer may */
function assertReadable(readings: number, readingMs: number): void {
  if (readings > 1 && readings * readingMs * SHARE_FACTOR > ANSWER_MAX_MS) throw queryTooLong(ANSWER_MAX_MS)
}

function* answerInShares(request: GroupsRequest, whole: FactRows[], shares: number): QuerySteps<AnswerGroups> {
  const { question } = request
  const { plan, period } = question
  const tops = yield* topValues(request, whole, shares)
  const cut: CutSplits = (splits) =>
    splits.map((split, i) => {
      const kept = tops[i]
      return kept ? topSplit(split, kept) : split
    })
  const splits = whole.map((fact) => cut(fact.splits))
  const dimensions = yield* namedSplits(request.dimensions, whole, splits)
  const compared = period?.compare !== null && period?.compare !== undefined
  const sides = compared ? [0, 1] : [0]
  const { sorted } = request.sources.memory ?? MEMORY
  const page = new GroupPage(plan, { dimensions, sides, shares, sorted })
  const asked = asksTotals(plan)
  const isWhole = shares === 1
  let figures: Figure[] = []
  const parts = { whole, shares, cut, measures: plan.measures, totals: isWhole && asked }
  do
    yield* eachShare(request, parts, function* (folded) {
      figures = figuresOf(question, folded)
      do yield* page.add(folded.folded, figures)
      while (isWhole && page.next())
    })
  while (!isWhole && page.next())
  let totals = asked && isWhole ? sides.map((side) => figures.map((figure) => figure.total(side))) : null
  if (asked && !isWhole) totals = yield* totalsAlone(request, { whole, sides })
  const measures = figures.map(({ traits }) => traits)
  assertFits(page.groups)
  return { dimensions, measures, compared, groups: page.groups, totals, rowCount: page.rowCount }
}

/** The rows of all facts. Groups of several facts are held with their keys while they are put together. */
function rowsOf({ planContext, question, sources, dimensions, picked }: GroupsRequest): FactRows[] {
  const { memory = MEMORY } = sources
  const { facts } = question.facts
  const groups = facts.length === 1 ? memory.groups : Math.min(memory.groups, 2 * memory.sorted)
  const held = { ...sources, memory: { ...memory, groups } }
  const scanOf = rowScans(planContext, held, picked)
  return facts.map((id) => {
    const fresh = (): FactRows['source'] => rowScans(planContext, held, picked)(id)
    return factRows(scanOf(id), question, { dimensions, fresh })
  })
}

/** What rows are told apart by in place of the splits of all dimensions. */
type CutSplits = (splits: readonly Split[]) => Split[]

/** Folds the rows of each share of all groups, and hands over what came of it before the next. */
function* eachShare(
  request: GroupsRequest,
  of: { whole: FactRows[]; shares: number; cut: CutSplits; measures: readonly Measure[]; totals: boolean },
  take: (folded: FoldedRows) => QuerySteps<void>,
): QuerySteps<void> {
  const { whole, shares, cut, measures, totals } = of
  for (let n = 0; n < shares; n += 1) {
    // What was numbered in a share is let go after it.
    const rows = (shares === 1 ? whole : rowsOf(request)).map((fact): FactRows => {
      const splits = cut(fact.splits)
      if (shares === 1) return { ...fact, splits }
      const sides = fact.sides.map((side, at) => {
        const mask = allOf([side.mask, shareMask(splits, at === 0 ? 0 : 1, { of: shares, n })])
        return { ...side, mask }
      })
      return { ...fact, splits, sides }
    })
    yield* take(yield* foldFacts(request, rows, { measures, totals }))
  }
}

function* foldFacts(
  { question }: GroupsRequest,
  rows: readonly FactRows[],
  { measures, totals }: { measures: readonly Measure[]; totals: boolean },
): QuerySteps<FoldedRows> {
  const grouped = new Map<GroupedMeasure, GroupedFigures>()
  for (const measure of measures.flatMap(groupedMeasuresOf)) {
    const [leaf] = leafMeasuresOf(measure)
    const fact = leaf && rows[question.facts.facts.indexOf(question.facts.factOf(leaf))]
    if (!fact) throw new TypeError('Every measure is over a fact of its plan.')
    grouped.set(measure, yield* groupedFigures(fact, { question, splits: fact.splits, measure, totals }))
  }
  const leaves = measures.flatMap(ownLeavesOf)
  const folded: FoldedFact[] = []
  for (const fact of rows) {
    const own = leaves.filter((leaf) => question.facts.factOf(leaf) === fact.source.dataset.id)
    folded.push(yield* foldFact(fact, { question, splits: fact.splits, leaves: own, totals }))
  }
  return { folded, grouped }
}

function* totalsAlone(
  request: GroupsRequest,
  { whole, sides }: { whole: readonly FactRows[]; sides: readonly number[] },
): QuerySteps<Amount[][]> {
  const rows = whole.map((fact) => ({ ...fact, splits: [] }))
  const folded = yield* foldFacts(request, rows, { measures: request.question.plan.measures, totals: false })
  const at = folded.folded.map(() => 1)
  const figures = figuresOf(request.question, folded)
  return sides.map((side) => figures.map((figure) => figure.amount({ side, at, keys: [], other: [] })))
}

/** The values that each top-N keeps; null where there is none, or it keeps all of them. */
function* topValues(
  request: GroupsRequest,
  whole: FactRows[],
  shares: number,
): QuerySteps<(ReadonlySet<KeyValue> | null)[]> {
  const { question, dimensions } = request
  const measures = question.plan.measures.slice(0, 1)
  const ranking = { ...question, plan: { ...question.plan, measures } }
  const tops: (ReadonlySet<KeyValue> | null)[] = []
  for (const [i, { topN }] of dimensions.entries()) {
    if (topN === undefined || valuesAtMost(whole, i) <= topN) {
      tops.push(null)
      continue
    }
    const first = new FirstOf<RankedValue>(topN, byRank)
    const cut: CutSplits = (splits) => splits.slice(i, i + 1)
    yield* eachShare(request, { whole, shares, cut, measures, totals: false }, (folded) =>
      rankValues(folded.folded, figuresOf(ranking, folded)[0], first),
    )
    const kept = yield* first.sorted()
    tops.push(new Set(kept.map(({ key }) => key)))
  }
  return tops
}

/** Values that a split has in all facts together, at most: a top-N that keeps as many keeps them all. */
const valuesAtMost = (whole: readonly FactRows[], at: number): number =>
  whole.reduce((sum, { splits }) => sum + (splits[at]?.size ?? Infinity), 0)
