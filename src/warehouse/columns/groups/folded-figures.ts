import { foldsOf, type FoldedFact } from '../folds/fact-folds'
import type { FirstOf } from '../first-of'
import { GROUPS_AT_ONCE, type Figure, type GroupAt } from './group-page'
import type { GroupedFigures } from './grouped-figures'
import { mergedGroups } from './merged-groups'
import type { KeyValue } from '../splits'
import { cellOf, type Amount } from '../../query/aggregates/amount'
import type { AggregateQuery } from '../../query/aggregates/aggregate-query'
import type { MeasureTraits } from '../../query/aggregates/calculations'
import { figureEvaluator, figureTraits, ofPart, type MeasurePart } from '../../query/aggregates/computed-figures'
import { compareNullable } from '../../query/aggregates/group-order'
import type { OutputGroup } from '../../query/aggregates/shape-result'
import { ANSWER_MAX_CHARS, VALUE_CHARS } from '../../query/answer-size'
import { queryTooComplex } from '../../query/plan/plan-errors'
import type { QuerySteps } from '../../scheduling/query-scheduler'
import { isLeafMeasure } from '../../../shared/query/plan-fields'
import type { AggregateMeasure, GroupedMeasure } from '../../../shared/query/plan'

/** What rows came to: figures by group, and those over groups apart, whose rows have more keys. */
export interface FoldedRows {
  folded: FoldedFact[]
  grouped: ReadonlyMap<GroupedMeasure, GroupedFigures>
}

/** A value of a split, and what it is ranked by. */
export interface RankedValue {
  key: KeyValue
  order: Amount
}
export const byRank = (a: RankedValue, b: RankedValue): number =>
  compareNullable(a.order, b.order, 'desc') || compareNullable(a.key, b.key, 'asc')

export function* rankValues(
  folded: readonly FoldedFact[],
  figure: Figure | undefined,
  first: FirstOf<RankedValue>,
): QuerySteps<void> {
  if (!figure) throw new TypeError('A plan has a measure.')
  let seen = 0
  for (const group of mergedGroups(folded, false)) {
    seen += 1
    if (seen % GROUPS_AT_ONCE === 0) yield
    first.add({ key: group.keys[0] ?? null, order: figure.order({ ...group, side: 0 }) })
  }
}

const ZERO: Amount = { n: 0n, scale: 0 }

/** The measures of a plan over what its rows came to. */
export function figuresOf(question: Pick<AggregateQuery, 'plan' | 'facts'>, { folded, grouped }: FoldedRows): Figure[] {
  const placeOf = (leaf: AggregateMeasure) => {
    const fact = question.facts.facts.indexOf(question.facts.factOf(leaf))
    const of = folded[fact]
    if (!of) throw new TypeError('Every measure is over a fact of its plan.')
    return { fact, folds: foldsOf(leaf, of) }
  }
  const groupedOf = (measure: GroupedMeasure): GroupedFigures => {
    const figures = grouped.get(measure)
    if (!figures) throw new TypeError('Every figure over groups is worked out.')
    return figures
  }
  const traitsOf = (part: MeasurePart): MeasureTraits =>
    ofPart(part, { leaf: (leaf) => placeOf(leaf).folds.traits, grouped: (measure) => groupedOf(measure).traits })
  return question.plan.measures.map((measure): Figure => {
    const traits = figureTraits(measure, traitsOf)
    const leafAmount = (leaf: AggregateMeasure): ((at: GroupAt) => Amount) => {
      const { fact, folds } = placeOf(leaf)
      return ({ at, side }) => {
        const fold = folds.sides[side]?.groups
        const group = at[fact] ?? null
        if (!fold || group === null) return fold?.isCount ? ZERO : null
        return fold.value(group)
      }
    }
    const amount = figureEvaluator<MeasurePart, GroupAt>(measure, {
      traitsOf,
      amountOf: (part) => ofPart(part, { leaf: leafAmount, grouped: (one) => groupedOf(one).amount }),
    })
    const leafTotal = (leaf: AggregateMeasure): ((side: number) => Amount) => {
      const { folds } = placeOf(leaf)
      return (side) => folds.sides[side]?.total?.value(1) ?? null
    }
    const total = figureEvaluator<MeasurePart, number>(measure, {
      traitsOf,
      amountOf: (part) => ofPart(part, { leaf: leafTotal, grouped: (one) => groupedOf(one).total }),
    })
    if (!isLeafMeasure(measure)) return { traits, amount, total, order: amount }
    const { fact, folds } = placeOf(measure)
    const isShownAsText = !traits.numeric
    const order = (at: GroupAt): Amount => {
      const fold = folds.sides[at.side]?.groups
      const group = at.at[fact] ?? null
      return isShownAsText && fold?.order && group !== null ? fold.order(group) : amount(at)
    }
    return { traits, amount, total, order }
  })
}

/** @throws ProductError `query_too_complex` when it is too much for an answer */
export function assertFits(groups: readonly OutputGroup[]): void {
  let chars = 0
  const take = (cell: unknown): void => {
    chars += VALUE_CHARS + (typeof cell === 'string' ? cell.length : 0)
  }
  for (const { keys, sides } of groups) {
    keys.forEach(take)
    for (const side of sides) for (const amount of side) take(cellOf(amount))
  }
  if (chars > ANSWER_MAX_CHARS) throw queryTooComplex('characters', ANSWER_MAX_CHARS)
}
