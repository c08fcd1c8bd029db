import fc from 'fast-check'
import { ALONE, plansOver, totals, type PlanFields } from './plans'
import { GROUP_AGGREGATES, COMPARISON_OPERATORS } from '../../../src/shared/query/functions'
import { GRAINS } from '../../../src/shared/query/date-range'
import type { GroupedMeasure, GroupKey, Measure, QueryPlan } from '../../../src/shared/query/plan'

const keys = (fields: PlanFields): fc.Arbitrary<GroupKey> =>
  fc
    .integer({ min: 0, max: 7 })
    .chain((index) =>
      fc
        .tuple(fc.constantFrom(...fields.shared(index)), fc.constantFrom(...GRAINS), fc.boolean())
        .map(([field, grain, bucketed]): GroupKey =>
          index >= 5 && (bucketed || index > 5)
            ? { field, grain: index === 5 && grain === 'hour' ? 'day' : grain }
            : { field },
        ),
    )

/** Figures over groups; their ties are ties in floating point, too, and their sums are 0 to both. */
function groupedMeasures(fields: PlanFields): fc.Arbitrary<GroupedMeasure> {
  const total = totals(fields, ['sum', 'count', 'countDistinct', 'max', 'avg', 'median'], 2)
  const exact = totals(fields, ['sum', 'count', 'max'], 2)
  const combined: fc.Arbitrary<Measure>[] =
    fields.facts.length > 1
      ? []
      : [
          fc.record({ kind: fc.constant('ratio'), over: exact, under: totals(fields, ['count'], 1) }),
          fc.record({ kind: fc.constant('calc'), op: fc.constantFrom('add', 'subtract'), left: exact, right: exact }),
        ]
  return fc
    .record({
      agg: fc.constantFrom(...GROUP_AGGREGATES),
      of: fc.oneof(total, exact, ...combined),
      by: fc.array(keys(fields), { minLength: 1, maxLength: 2 }),
      percent: fc.option(fc.constantFrom(10, 90, 33.33), { nil: undefined }),
      having: fc.option(
        fc.record({ op: fc.constantFrom(...COMPARISON_OPERATORS), value: fc.integer({ min: -20, max: 20 }) }),
        { nil: undefined },
      ),
      largest: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
    })
    .map(({ agg, of, by, percent, having, largest }): GroupedMeasure => {
      const most = agg === 'share' && !having ? (largest ?? 2) : largest
      return {
        ...{ kind: 'grouped', agg, of, by },
        ...(agg === 'median' && percent !== undefined ? { percent } : {}),
        ...(having ? { having } : {}),
        ...(most === undefined ? {} : { largest: most }),
      }
    })
}

/** What ranks and sorts: whole or decimal numbers. */
const rankingMeasures = (fields: PlanFields): fc.Arbitrary<Measure> =>
  groupedMeasures({ ...fields }).filter(
    ({ agg, of }) =>
      agg !== 'share' &&
      agg !== 'avg' &&
      agg !== 'median' &&
      of.kind === 'column' &&
      of.agg !== 'avg' &&
      of.agg !== 'median',
  )

/** Plans with figures over groups, beside other figures and made of others. */
export const groupedPlansOver = (fields: PlanFields): fc.Arbitrary<QueryPlan> =>
  fc
    .record({
      plan: plansOver(fields),
      ranking: fc.option(rankingMeasures(fields), { nil: undefined }),
      grouped: groupedMeasures(fields),
      apart: fc.option(groupedMeasures(fields), { nil: undefined }),
      beside: totals(fields, ['sum', 'count'], 2),
    })
    .map(({ plan, ranking, grouped, apart, beside }) => ({
      ...plan,
      measures: [
        ...(ranking ? [ranking] : plan.measures.slice(0, 1)),
        grouped,
        ...(apart ? [{ kind: 'calc' as const, op: 'subtract' as const, left: beside, right: apart }] : []),
      ],
    }))

export const groupedPlans = groupedPlansOver(ALONE)
