import fc from 'fast-check'
import { fieldsFor, ORDERS, PAYMENTS, CUSTOMERS, LINES } from './joins'
import { plansOver } from './plans'
import type { PlanFields } from './plans'
import { expressionFieldsOf, isLeafMeasure } from '../../../src/shared/query/plan-fields'
import type { Dimension, Measure, QueryPlan } from '../../../src/shared/query/plan'
import type { Field } from '../../../src/shared/query/field'

/** Plans whose keys have labels, and whose values are those at the least or largest of another column. */

interface Draw {
  by: (fact: string) => Field
  label: Field
  key: Field
  isLabelled: boolean
}

/** A least or most becomes the value at the least or largest of something else. */
function withOrder(measure: Measure, fact: string, { by }: Draw): Measure {
  if (!isLeafMeasure(measure)) return measure
  const told = { first: 'first', min: 'first', last: 'last', max: 'last' } as const
  const agg = Object.entries(told).find(([name]) => name === measure.agg)?.[1]
  if (!agg || (measure.kind === 'column' && !measure.field)) return measure
  return { ...measure, agg, by: by(fact), ...(measure.kind === 'column' ? { dataset: fact } : {}) }
}
function factOf(measure: Measure, home: string): string {
  if (measure.kind === 'expression') return expressionFieldsOf(measure.row)[0]?.dataset ?? home
  return measure.kind === 'column' ? (measure.dataset ?? measure.field?.dataset ?? home) : home
}

function withNames(plan: QueryPlan, draw: Draw): QueryPlan {
  const labelled = (split: Dimension): Dimension => {
    const isPlain = !split.grain && !split.part && !split.bins
    const isKey = ['c0', 'c1', 'c8', 'c21'].includes(split.field.column)
    return draw.isLabelled && isPlain && isKey ? { ...split, label: draw.label } : split
  }
  const [first, ...others] = plan.dimensions
  const { topN } = first ?? {}
  const keyed: Dimension[] =
    draw.isLabelled && first ? [{ field: draw.key, label: draw.label, ...(topN ? { topN } : {}) }, ...others] : []
  return {
    ...plan,
    dimensions: (keyed.length > 0 ? keyed : plan.dimensions).map(labelled),
    measures: plan.measures.map((one) => withOrder(one, factOf(one, plan.dataset ?? ''), draw)),
  }
}

function drawsOf(fields: PlanFields): fc.Arbitrary<Draw> {
  const index = fc.integer({ min: 0, max: 7 })
  const at = fc.nat({ max: 99 })
  const one = (choices: readonly Field[], place: number): Field => {
    const [first] = choices
    const found = choices[place % choices.length] ?? first
    if (!found) throw new TypeError('Every dataset has columns.')
    return found
  }
  return fc.tuple(index, at, at, at, fc.boolean()).map(([type, by, label, key, isLabelled]): Draw => ({
    by: (fact) => one(fields.of(fact, type), by),
    label: one(fields.shared(0), label),
    key: one([...fields.shared(1), ...fields.shared(0)], key),
    isLabelled,
  }))
}

const FACTS = [[ORDERS], [LINES], [CUSTOMERS], [ORDERS, PAYMENTS], [PAYMENTS, LINES, CUSTOMERS]]
export const namedPlans: fc.Arbitrary<QueryPlan> = fc.constantFrom(...FACTS).chain((facts) => {
  const fields = fieldsFor(facts)
  return fc.tuple(plansOver(fields), drawsOf(fields)).map(([plan, draw]) => withNames(plan, draw))
})
