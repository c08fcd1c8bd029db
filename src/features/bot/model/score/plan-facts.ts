import type { Context } from '../plan/context'
import {
  isExistsFilter,
  type Condition,
  type Filter,
  type Measure,
  type QueryPlan,
} from '../../../../shared/query/plan'
import { planFieldsOf } from '../../../../shared/query/plan-fields'
import type { Field } from '../../../../shared/query/field'

/** What a plan says, told apart for whoever holds it against a question. */
export interface PlanFacts {
  text: string
  /** Conditions that want something not to be there, or not to be so. */
  negatives: number
  /** Conditions that want a zero: "no citations". */
  zeroes: number
  /** Every number that stands in it. */
  numbers: ReadonlySet<number>
  comparisons: readonly { op: string; value: number }[]
  /** A largest, smallest, first or last value. */
  isExtreme: boolean
  isGrouped: boolean
  /** Several values of which one is enough. */
  hasAlternatives: boolean
  /** Texts that its conditions ask for. */
  texts: readonly string[]
  datasets: readonly string[]
  fields: readonly Field[]
  /** Fields that figures are made of. */
  measured: readonly Field[]
  /** Conditions on parts of time. */
  timed: number
  /** Conditions on days, with its period. */
  timeConditions(context: Context): number
}
export const fieldKey = ({ dataset, column }: Field): string => `${dataset}.${column}`

interface FieldCondition {
  column: Field
  condition: Condition
}
const conditionsIn = (filters: readonly Filter[]): FieldCondition[] =>
  filters.flatMap((filter) =>
    isExistsFilter(filter)
      ? conditionsIn(filter.filters)
      : filter.any.map((condition) => ({ column: filter.field, condition })),
  )

/** Measures with those that they are made of. */
function partsOf(measure: Measure): Measure[] {
  if (measure.kind === 'ratio') return [measure, ...partsOf(measure.over), ...partsOf(measure.under)]
  if (measure.kind === 'calc')
    return [measure, ...[measure.left, measure.right].flatMap((side) => (side.kind === 'number' ? [] : partsOf(side)))]
  if ('of' in measure) return [measure, ...partsOf(measure.of)]
  return [measure]
}
const allMeasures = ({ measures }: QueryPlan): Measure[] => measures.flatMap(partsOf)
const ownFilters = (measure: Measure): Filter[] => ('filter' in measure ? (measure.filter ?? []) : [])

/** Every condition of a plan, those of its figures included. */
export const conditionsOf = (plan: QueryPlan): FieldCondition[] =>
  conditionsIn([...plan.filters, ...allMeasures(plan).flatMap(ownFilters)])

const TIME = /^(?:day|weekday|week|month|quarter|year|dag|veckodag|vecka|manad|kvartal|ar)$/
const NEGATIVE = new Set(['ne', 'notIn', 'notContains', 'notStartsWith', 'empty'])
const isNo = (condition: Condition): boolean => textsOf(condition).some((text) => /^(?:no|nej|false|0|n)$/i.test(text))

export function factsOf(plan: QueryPlan): PlanFacts {
  const text = JSON.stringify({ ...plan, measures: plan.measures.map((measure) => ({ ...measure, label: undefined })) })
  const conditions = conditionsOf(plan)
  const missing = plan.filters.filter((filter) => isExistsFilter(filter) && filter.kind === 'notExists').length
  const negatives = filtersOf(plan).filter(isNegative).length + missing
  const numbers = new Set([...text.matchAll(/(?<=[:[,"])-?\d+(?:\.\d+)?(?=[,}\]"])/g)].map(([found]) => Number(found)))
  const compared = [
    ...text.matchAll(/"op":"(gt|ge|lt|le)"(?:,"left":[^]*?"right":\{"kind":"number")?,"value":(-?\d+(?:\.\d+)?)/g),
  ]
  const betweens = conditions.flatMap(({ condition }) =>
    condition.op === 'between'
      ? [
          { op: 'ge', value: Number(condition.from) },
          { op: 'le', value: Number(condition.to) },
        ]
      : [],
  )
  return {
    text,
    negatives,
    zeroes:
      conditions.filter(({ condition }) => isNo(condition)).length +
      (plan.having ?? []).filter(({ value }) => value === 0).length,
    numbers,
    comparisons: [...compared.map((found) => ({ op: found[1] ?? '', value: Number(found[2]) })), ...betweens],
    isExtreme: /"(?:min|max|first|last|largest|smallest)"/.test(text),
    isGrouped: text.includes('"grouped"'),
    hasAlternatives:
      conditions.some(({ condition }) => 'values' in condition && condition.values.length > 1) ||
      filtersOf(plan).some((filter) => !isExistsFilter(filter) && filter.any.length > 1) ||
      /"(?:or|compare|coalesce|if)"/.test(text),
    texts: conditions.flatMap(({ condition }) => textsOf(condition)),
    datasets: [...new Set([...text.matchAll(/"dataset":"([^"]+)"/g)].map((found) => found[1] ?? ''))],
    fields: planFieldsOf(plan),
    measured: allMeasures(plan).flatMap((measure) => ('field' in measure && measure.field ? [measure.field] : [])),
    timed: filtersOf(plan).filter((filter) => !isExistsFilter(filter) && filter.part !== undefined).length,
    timeConditions: ({ schema }) =>
      (plan.period === undefined ? 0 : 1) +
      conditions.filter(({ column, condition }) => {
        const found = schema.column(column.dataset, column.column)
        return (
          condition.op !== 'empty' &&
          condition.op !== 'notEmpty' &&
          (found?.isDate === true || found?.words.some((word) => TIME.test(word)) === true)
        )
      }).length,
  }
}
const filtersOf = (plan: QueryPlan): Filter[] =>
  [...plan.filters, ...allMeasures(plan).flatMap(ownFilters)].flatMap((filter) =>
    isExistsFilter(filter) ? filter.filters : [filter],
  )
const isNegative = (filter: Filter): boolean =>
  isExistsFilter(filter)
    ? filter.kind === 'notExists' || filter.filters.some(isNegative)
    : filter.any.some((condition) => NEGATIVE.has(condition.op))
function textsOf(condition: Condition): string[] {
  if ('values' in condition) return condition.values.map(String)
  return 'value' in condition ? [String(condition.value)] : []
}
