import { isExists } from './query'
import type { CalcOperand, Expr, Field, Filter, Grouped, LeafMeasure, Measure, QueryPlan } from './query'

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
function fieldsOfLeaf(leaf: LeafMeasure): Field[] {
  const own = leaf.kind === 'expression' ? fieldsOfExpr(leaf.row) : leaf.field ? [leaf.field] : []
  return [...own, ...fieldsOfFilters(leaf.filter)]
}

/** Every field a plan names, those of filters within measures and of `exists` included: what must exist and be allowed. */
export const fieldsOf = (plan: QueryPlan): Field[] => [
  ...plan.measures.flatMap(leavesOf).flatMap(fieldsOfLeaf),
  ...plan.dimensions.map((dimension) => dimension.field),
  ...(plan.period ? [plan.period.field] : []),
  ...fieldsOfFilters(plan.filters),
  ...(plan.columns ?? []),
]

/** Whether two fields are the same column of the same rows. */
export const sameField = (a: Field, b: Field): boolean =>
  a.dataset === b.dataset && a.column === b.column && (a.via ?? []).join() === (b.via ?? []).join()

/** What a measure is made of, one step down; a constant is nothing. */
export function partsOf(measure: Measure): Measure[] {
  switch (measure.kind) {
    case 'column':
    case 'expression':
    case 'metric':
      return []
    case 'ratio':
      return [measure.over, measure.under]
    case 'calc':
      return [measure.left, measure.right].filter(isMeasure)
    case 'prev':
    case 'cumulative':
      return [measure.of]
  }
}
export const isMeasure = (operand: CalcOperand): operand is Measure => operand.kind !== 'number'
export const isLeaf = (measure: Measure): measure is LeafMeasure =>
  measure.kind === 'column' || measure.kind === 'expression'

/** Measures that are added up from rows. A metric is nothing here: it stands for others. */
export const leavesOf = (measure: Measure): LeafMeasure[] =>
  isLeaf(measure) ? [measure] : partsOf(measure).flatMap(leavesOf)

/** Ids of the metrics that measures name, each once. */
export const metricsOf = (measures: readonly Measure[]): string[] => [
  ...new Set(
    measures.flatMap((measure): string[] => (measure.kind === 'metric' ? [measure.id] : metricsOf(partsOf(measure)))),
  ),
]

/** The columns that a plan sees through groupings, as often as it names them. */
export function groupedFieldsOf(
  plan: Pick<QueryPlan, 'dimensions' | 'filters' | 'measures'>,
): { field: Field; grouping: Grouped }[] {
  const one = ({ field, grouping }: { field: Field; grouping?: Grouped | undefined }) =>
    grouping ? [{ field, grouping }] : []
  const ofFilters = (filters: readonly Filter[] | undefined): { field: Field; grouping: Grouped }[] =>
    (filters ?? []).flatMap((filter) => (isExists(filter) ? ofFilters(filter.filters) : one(filter)))
  return [
    ...plan.dimensions.flatMap(one),
    ...ofFilters(plan.filters),
    ...plan.measures.flatMap(leavesOf).flatMap(({ filter }) => ofFilters(filter)),
  ]
}

/** The groupings that a plan sees columns through, each once. */
export const groupingsOf = (plan: Pick<QueryPlan, 'dimensions' | 'filters' | 'measures'>): string[] => [
  ...new Set(groupedFieldsOf(plan).map(({ grouping }) => grouping.id)),
]

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
