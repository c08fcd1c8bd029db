import fc from 'fast-check'
import { COLUMNS, plansOver, type PlanFields } from './plans'
import type { QueryPlan } from '../../../src/shared/query/plan'
import type { Field } from '../../../src/shared/query/field'

/** Random questions for records: filters, a period, columns shown, an order by some of them, a page. */
export function recordPlansOver(fields: PlanFields): fc.Arbitrary<QueryPlan> {
  const field = fc
    .integer({ min: 0, max: COLUMNS.length - 1 })
    .chain((index) => fc.constantFrom(...fields.of(fields.home, index)))
  const direction = fc.constantFrom('asc' as const, 'desc' as const)
  return fc
    .record({
      of: plansOver(fields),
      shown: fc.uniqueArray(field, { minLength: 1, maxLength: 6, selector: (each: Field) => JSON.stringify(each) }),
      order: fc.array(fc.tuple(fc.nat(5), direction), { maxLength: 3 }),
      page: fc.option(fc.record({ limit: fc.integer({ min: 1, max: 6 }), offset: fc.integer({ min: 0, max: 12 }) }), {
        freq: 3,
      }),
    })
    .map(({ of: { filters, period }, shown, order, page }): QueryPlan => ({
      ...{ v: 2, kind: 'rows', dataset: fields.home, measures: [], dimensions: [], filters, columns: shown },
      ...(period ? { period: { ...period, compare: 'none' } } : {}),
      sort: order.map(([at, dir]) => ({ by: { column: at % shown.length }, dir })),
      ...page,
    }))
}
