import { isExists } from './query'
import type { Expr, Field, Filter, Measure, QueryPlan } from './query'

/** What a plan names. */
/** Every field an expression names. */
export function fieldsOfExpr(expr: Expr): Field[] {
  switch (expr.kind) {
    case 'field':
      return [expr.field]
    case 'number':
    case 'text':
      return []
    case 'binary':
      return [...fieldsOfExpr(expr.left), ...fieldsOfExpr(expr.right)]
    case 'coalesce':
    case 'concat':
      return expr.items.flatMap(fieldsOfExpr)
    case 'dateDiff':
      return [expr.from, expr.to]
  }
}
const fieldsOfFilters = (filters: readonly Filter[] | undefined): Field[] =>
  (filters ?? []).flatMap((filter) => (isExists(filter) ? fieldsOfFilters(filter.filters) : [filter.field]))
function fieldsOfMeasure(measure: Measure): Field[] {
  switch (measure.kind) {
    case 'column':
      return [...(measure.field ? [measure.field] : []), ...fieldsOfFilters(measure.filter)]
    case 'expression':
      return [...fieldsOfExpr(measure.row), ...fieldsOfFilters(measure.filter)]
    case 'ratio':
      return [...fieldsOfMeasure(measure.over), ...fieldsOfMeasure(measure.under)]
  }
}

/** Every field a plan names, those of filters within measures and of `exists` included: what must exist and be allowed. */
export const fieldsOf = (plan: QueryPlan): Field[] => [
  ...plan.measures.flatMap(fieldsOfMeasure),
  ...plan.dimensions.map((dimension) => dimension.field),
  ...(plan.period ? [plan.period.field] : []),
  ...fieldsOfFilters(plan.filters),
  ...(plan.columns ?? []),
]

/** Whether two fields are the same column of the same rows. */
export const sameField = (a: Field, b: Field): boolean =>
  a.dataset === b.dataset && a.column === b.column && (a.via ?? []).join() === (b.via ?? []).join()

/** Measures that are not made of others. */
export const leavesOf = (measure: Measure): Exclude<Measure, { kind: 'ratio' }>[] =>
  measure.kind === 'ratio' ? [...leavesOf(measure.over), ...leavesOf(measure.under)] : [measure]

const datasetsOfFilters = (filters: readonly Filter[] | undefined): string[] =>
  (filters ?? []).flatMap((filter) => (isExists(filter) ? [filter.dataset, ...datasetsOfFilters(filter.filters)] : []))

/** The datasets a plan names, in the order of first mention; those that only lie between two of them are not named. */
export function datasetsOf(plan: QueryPlan): string[] {
  const leaves = plan.measures.flatMap(leavesOf)
  const counted = leaves.flatMap((leaf) => (leaf.kind === 'column' && leaf.dataset !== undefined ? [leaf.dataset] : []))
  const asked = [...leaves.flatMap((leaf) => datasetsOfFilters(leaf.filter)), ...datasetsOfFilters(plan.filters)]
  const own = plan.dataset === undefined ? [] : [plan.dataset]
  return [...new Set([...own, ...counted, ...fieldsOf(plan).map((field) => field.dataset), ...asked])]
}

/** Whose rows the first figure is over: what a drill from it shows. Undefined when the plan does not say. */
export function measuredDataset(plan: QueryPlan): string | undefined {
  const [leaf] = plan.measures.flatMap(leavesOf)
  const own =
    leaf?.kind === 'column' ? (leaf.dataset ?? (leaf.field?.via ? undefined : leaf.field?.dataset)) : undefined
  return own ?? datasetsOf(plan)[0]
}
