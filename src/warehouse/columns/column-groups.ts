import { answered, type ColumnSources } from './column-table'
import { factRows, foldFact, type FactRows, type FoldedFact } from './fact-folds'
import { evaluator, type TraitsOf } from './figure-evaluator'
import { firstOf } from './first-of'
import { groupedFigures, type GroupedFigures } from './grouped-figures'
import { keyCells, type GroupKeyCells } from './group-keys'
import { rowScans } from './row-scan'
import { topSplit, type KeyValue, type Split } from './splits'
import { cellOf, type Amount } from '../query/aggregates/amount'
import { measureTraits, type MeasureTraits } from '../query/aggregates/calculations'
import type { AggregateQuery } from '../query/aggregates/aggregate-query'
import { isNaturallyOrdered, planSplits, type PlanSplit } from '../query/aggregates/plan-splits'
import type { OutputColumns, OutputGroup } from '../query/aggregates/shape-result'
import { queryTooComplex } from '../query/plan/plan-errors'
import { ANSWER_MAX_CHARS, VALUE_CHARS } from '../query/answer-size'
import type { CompileContext } from '../query/query-context'
import { compareNullable, groupComparator, satisfiesHaving } from '../query/windows/windows'
import type { QuerySteps } from '../scheduling/query-scheduler'
import { QUERY_ROWS_MAX } from '../../shared/limits'
import { groupedMeasuresOf, isLeafMeasure, leafMeasuresOf, ownLeavesOf } from '../../shared/query/plan-fields'
import type { AggregateMeasure, GroupedMeasure, Measure, QueryPlan } from '../../shared/query/plan'

/** The groups of an answer's page with all their figures. */
export interface ColumnGroups extends OutputColumns {
  groups: OutputGroup[]
  totals: Amount[][] | null
  /** Of all pages. */
  rowCount: number
}

/** The figures of an aggregate plan. @throws ProductError `query_too_complex` */
export const columnGroups = (
  world: CompileContext,
  question: AggregateQuery,
  sources: ColumnSources,
): QuerySteps<ColumnGroups> => answered(() => answer(world, question, sources))

/** A group that any fact has: its keys, and its number in each of them. */
interface MergedGroup extends GroupKeyCells {
  at: (number | null)[]
}

function* answer(world: CompileContext, question: AggregateQuery, sources: ColumnSources): QuerySteps<ColumnGroups> {
  const { plan, facts, period } = question
  const [main] = facts.facts
  if (main === undefined) throw new TypeError('A plan has at least one fact.')
  const dimensions = planSplits(world, main, plan)
  const scanOf = rowScans(world, sources)
  const rows = facts.facts.map((id) => factRows(scanOf(id), { plan, period }, dimensions))
  const run: Run = { question, dimensions, rows }
  const splits = yield* splitsWithTops(run)
  const asked = { splits, measures: plan.measures, totals: plan.totals === true }
  const folded = yield* foldFacts(run, asked)
  const figures = figuresOf(run, folded, yield* groupFigures(run, asked))
  const leading = leadingGroups(run, folded)
  const groups = leading?.groups ?? mergedGroups(folded, plan.dimensions.length === 0)
  const { page, rowCount } = pageOf(run, { groups, figures, others: leading?.others ?? 0 })
  const compared = period?.compare !== null && period?.compare !== undefined
  const arms = compared ? [0, 1] : [0]
  const output = page.map((group): OutputGroup => ({
    keys: group.keys,
    other: group.other,
    arms: arms.map((arm) => figures.map((figure) => figure.amount({ ...group, arm }))),
  }))
  assertFits(output)
  const totals =
    plan.totals === true && plan.measures.length > 0
      ? arms.map((arm) => figures.map((figure) => figure.total(arm)))
      : null
  const measures = figures.map(({ traits }) => traits)
  return { dimensions, measures, compared, groups: output, totals, rowCount }
}

interface Run {
  question: AggregateQuery
  dimensions: PlanSplit[]
  rows: FactRows[]
}

interface FoldedMeasures {
  /** Those of each fact. */
  splits: readonly (readonly Split[])[]
  measures: readonly Measure[]
  totals: boolean
}

/** Figures over groups are folded apart: their rows have more keys. */
function* groupFigures(
  { question, rows }: Run,
  { splits, measures, totals }: FoldedMeasures,
): QuerySteps<ReadonlyMap<GroupedMeasure, GroupedFigures>> {
  const figures = new Map<GroupedMeasure, GroupedFigures>()
  for (const measure of measures.flatMap(groupedMeasuresOf)) {
    const [leaf] = leafMeasuresOf(measure)
    const at = leaf ? question.facts.facts.indexOf(question.facts.factOf(leaf)) : -1
    const fact = rows[at]
    if (!fact) throw new TypeError('Every measure is over a fact of its plan.')
    figures.set(measure, yield* groupedFigures(fact, { question, splits: splits[at] ?? [], measure, totals }))
  }
  return figures
}

function* foldFacts({ question, rows }: Run, ask: FoldedMeasures): QuerySteps<FoldedFact[]> {
  const leaves = ask.measures.flatMap(ownLeavesOf)
  const folded: FoldedFact[] = []
  for (const [i, fact] of rows.entries()) {
    const own = leaves.filter((leaf) => question.facts.factOf(leaf) === fact.source.dataset.id)
    folded.push(yield* foldFact(fact, { question, splits: ask.splits[i] ?? [], leaves: own, totals: ask.totals }))
  }
  return folded
}

/** The splits of each fact, those of a top-N with the values outside it folded into *Other*. */
function* splitsWithTops(run: Run): QuerySteps<Split[][]> {
  const { dimensions, rows, question } = run
  const splits = rows.map((fact) => [...fact.splits])
  const measures = question.plan.measures.slice(0, 1)
  for (const [i, { topN }] of dimensions.entries()) {
    if (topN === undefined) continue
    const single = rows.map((fact) => fact.splits.slice(i, i + 1))
    const asked = { splits: single, measures, totals: false }
    const folded = yield* foldFacts(run, asked)
    const ranking = { ...run, question: { ...question, plan: { ...question.plan, measures } } }
    const [figure] = figuresOf(ranking, folded, yield* groupFigures(run, asked))
    if (!figure) throw new TypeError('A plan has a measure.')
    const ranked = mergedGroups(folded, false).map((group) => ({
      key: group.keys[0] ?? null,
      order: figure.order({ ...group, arm: 0 }),
    }))
    const kept = firstOf(
      ranked,
      topN,
      (a, b) => compareNullable(a.order, b.order, 'desc') || compareNullable(a.key, b.key, 'asc'),
    )
    const values = new Set(kept.map(({ key }) => key))
    for (const own of splits) {
      const split = own[i]
      if (split) own[i] = topSplit(split, ordinalsOf(split, values))
    }
  }
  return splits
}
function ordinalsOf(split: Split, values: ReadonlySet<KeyValue>): number[] {
  const ordinals: number[] = []
  for (let ordinal = 0; ordinal < split.known() && ordinals.length < values.size; ordinal += 1)
    if (values.has(split.valueOf(ordinal))) ordinals.push(ordinal)
  return ordinals
}

/** Every group that has rows in any fact; without splits there is always one. */
function mergedGroups(folded: readonly FoldedFact[], isSingle: boolean): MergedGroup[] {
  if (isSingle) return [{ keys: [], other: [], at: folded.map(() => 1) }]
  const [only, second] = folded
  if (only && !second) return groupsOf(only).map(({ group, cells }) => ({ ...cells, at: [group] }))
  const merged = new Map<string, MergedGroup>()
  for (const [i, fact] of folded.entries())
    for (const { group, cells } of groupsOf(fact)) {
      const name = JSON.stringify([cells.keys, cells.other])
      const known = merged.get(name) ?? { ...cells, at: folded.map(() => null) }
      known.at[i] = group
      merged.set(name, known)
    }
  return [...merged.values()]
}
function groupsOf(fact: FoldedFact): { group: number; cells: GroupKeyCells }[] {
  return presentGroups(fact).map((group) => ({ group, cells: cellsOf(fact, group) }))
}
const cellsOf = ({ keys, splits }: FoldedFact, group: number): GroupKeyCells => keyCells(splits, keys.ordinalsOf(group))
function presentGroups({ keys, present }: FoldedFact): number[] {
  const groups: number[] = []
  const size = keys.size()
  for (let group = 1; group < size; group += 1) if (present.has?.(group) === true) groups.push(group)
  return groups
}

/**
 * The groups of a short page that is sorted by one figure, and how many there are besides: those that cannot be on it are
 * told apart by a number each. Null where that is not how the page is found.
 */
function leadingGroups(
  { question: { plan }, dimensions }: Run,
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

type GroupAt = MergedGroup & { arm: number }
/** One measure of the plan, of any group. */
interface Figure {
  /** How it is shown. */
  traits: MeasureTraits
  amount(at: GroupAt): Amount
  total(arm: number): Amount
  /** What groups are sorted by. */
  order(at: GroupAt): Amount
}

const ZERO: Amount = { n: 0n, scale: 0 }

function figuresOf(
  run: Run,
  folded: readonly FoldedFact[],
  grouped: ReadonlyMap<GroupedMeasure, GroupedFigures>,
): Figure[] {
  const { question } = run
  const placeOf = (leaf: AggregateMeasure) => {
    const fact = question.facts.facts.indexOf(question.facts.factOf(leaf))
    const folds = folded[fact]?.leaves.get(leaf)
    if (!folds) throw new TypeError('Every measure is over a fact of its plan.')
    return { fact, folds }
  }
  const groupedOf = (measure: GroupedMeasure): GroupedFigures => {
    const figures = grouped.get(measure)
    if (!figures) throw new TypeError('Every figure over groups is worked out.')
    return figures
  }
  const traitsOf: TraitsOf = (operand) =>
    measureTraits(
      operand,
      (leaf) => placeOf(leaf).folds.traits,
      (measure) => groupedOf(measure).traits,
    )
  return question.plan.measures.map((measure): Figure => {
    const traits = traitsOf(measure)
    const leafAmount = (leaf: AggregateMeasure): ((at: GroupAt) => Amount) => {
      const { fact, folds } = placeOf(leaf)
      return ({ at, arm }) => {
        const fold = folds.arms[arm]?.groups
        const group = at[fact] ?? null
        if (!fold || group === null) return fold?.isCount ? ZERO : null
        return fold.value(group)
      }
    }
    const amount = evaluator<GroupAt>({ traitsOf, leaf: leafAmount, grouped: (one) => groupedOf(one).amount }, measure)
    const leafTotal = (leaf: AggregateMeasure): ((arm: number) => Amount) => {
      const { folds } = placeOf(leaf)
      return (arm) => folds.arms[arm]?.total?.value(1) ?? null
    }
    const total = evaluator<number>({ traitsOf, leaf: leafTotal, grouped: (one) => groupedOf(one).total }, measure)
    if (!isLeafMeasure(measure)) return { traits, amount, total, order: amount }
    const { fact, folds } = placeOf(measure)
    const isShownAsText = !traits.numeric
    const order = (at: GroupAt): Amount => {
      const fold = folds.arms[at.arm]?.groups
      const group = at.at[fact] ?? null
      return isShownAsText && fold?.order && group !== null ? fold.order(group) : amount(at)
    }
    return { traits, amount, total, order }
  })
}

/** Limits on figures, order and page. */
function pageOf(
  { question: { plan }, dimensions }: Run,
  { groups, figures, others }: { groups: readonly MergedGroup[]; figures: readonly Figure[]; others: number },
): { page: MergedGroup[]; rowCount: number } {
  const isNumeric = (measure: number): boolean => figures[measure]?.traits.numeric === true
  const limited = new Set((plan.having ?? []).map(({ measure }) => measure))
  const sorting = new Set(sortedBy(plan))
  const seen = groups.flatMap((group) => {
    const at: GroupAt = { ...group, arm: 0 }
    const values = figures.map((figure, i) => (limited.has(i) ? figure.amount(at) : null))
    if (limited.size > 0 && !satisfiesHaving(plan, values, isNumeric)) return []
    const orders = figures.map((figure, i) => (sorting.has(i) ? figure.order(at) : null))
    return [{ ...group, arms: [], figures: orders }]
  })
  const offset = plan.offset ?? 0
  const limit = plan.limit ?? QUERY_ROWS_MAX
  const sorted = firstOf(seen, offset + limit, groupComparator(plan, dimensions))
  return { page: sorted.slice(offset), rowCount: seen.length + others }
}
function sortedBy({ sort, dimensions }: QueryPlan): number[] {
  if (dimensions.length === 0) return []
  return sort?.length ? sort.flatMap(({ by }) => ('measure' in by ? [by.measure] : [])) : [0]
}

/** @throws ProductError `query_too_complex` when it is too much for an answer */
function assertFits(groups: readonly OutputGroup[]): void {
  let chars = 0
  const take = (cell: unknown): void => {
    chars += VALUE_CHARS + (typeof cell === 'string' ? cell.length : 0)
  }
  for (const { keys, arms } of groups) {
    keys.forEach(take)
    for (const arm of arms) for (const amount of arm) take(cellOf(amount))
  }
  if (chars > ANSWER_MAX_CHARS) throw queryTooComplex('characters', ANSWER_MAX_CHARS)
}
