import { isExistsFilter } from './plan'
import type {
  AggregateMeasure,
  CalcOperand,
  Dimension,
  Filter,
  GroupedMeasure,
  GroupingReference,
  Measure,
  QueryPlan,
  WindowMeasure,
} from './plan'
import type { Expr } from './expression'
import type { Field } from './field'
import type { Aggregate } from './functions'

const isOperandAdditive = (operand: CalcOperand): boolean => operand.kind !== 'number' && isAdditive(operand)

/** Whether the figures of the parts add up to the figure of the whole: sums and counts do, averages and ratios do not. */
export function isAdditive(measure: Measure): boolean {
  if (isLeafMeasure(measure)) return measure.agg === 'sum' || measure.agg === 'count'
  if (measure.kind !== 'calc') return false
  if (measure.op === 'add' || measure.op === 'subtract')
    return isOperandAdditive(measure.left) && isOperandAdditive(measure.right)
  const byNumber = measure.right.kind === 'number' && isOperandAdditive(measure.left)
  return byNumber || (measure.op === 'multiply' && measure.left.kind === 'number' && isOperandAdditive(measure.right))
}

/** What a plan names. */
/** Every field an expression names. */
export function expressionFieldsOf(expr: Expr): Field[] {
  switch (expr.kind) {
    case 'field':
      return [expr.field]
    case 'number':
    case 'text':
      return []
    case 'binary':
    case 'compare':
      return [...expressionFieldsOf(expr.left), ...expressionFieldsOf(expr.right)]
    case 'coalesce':
    case 'concat':
    case 'function':
      return expr.items.flatMap(expressionFieldsOf)
    case 'dateDiff':
      return [expr.from, expr.to]
  }
}
export const filterFieldsOf = (filters: readonly Filter[] | undefined): Field[] =>
  (filters ?? []).flatMap((filter) =>
    isExistsFilter(filter)
      ? filterFieldsOf(filter.filters)
      : [filter.field, ...filter.any.flatMap((each) => (each.op === 'column' ? [each.field] : []))],
  )
const leafFieldsOf = (leaf: AggregateMeasure): Field[] => [...valueFieldsOf(leaf), ...filterFieldsOf(leaf.filter)]

/** Every field a plan names, those of filters within measures and of `exists` included: what must exist and be allowed. */
export const planFieldsOf = (plan: QueryPlan): Field[] => [
  ...plan.measures.flatMap(leafMeasuresOf).flatMap(leafFieldsOf),
  ...plan.dimensions.flatMap(({ field, label }) => (label ? [field, label] : [field])),
  ...plan.measures.flatMap(groupedMeasuresOf).flatMap(({ by }) => by.map(({ field }) => field)),
  ...(plan.period ? [plan.period.field] : []),
  ...filterFieldsOf(plan.filters),
  ...(plan.columns ?? []),
]

/**
 * Whether an answer has totals. Conditions on figures choose among groups, so that a total of all rows would stand
 * below some of them.
 */
export const asksTotals = ({ totals, measures, having = [] }: QueryPlan): boolean =>
  totals === true && measures.length > 0 && having.length === 0

/** Whether a split is by the values of its column as they are. */
export const isPlainSplit = ({ grain, part, grouping, bins }: Dimension): boolean =>
  grain === undefined && part === undefined && grouping === undefined && bins === undefined

/** Whether two fields are the same column of the same rows. */
export const isSameField = (a: Field, b: Field): boolean =>
  a.dataset === b.dataset && a.column === b.column && (a.via ?? []).join() === (b.via ?? []).join()

/** What a measure is made of, one step down; a constant is nothing. */
export function operandsOf(measure: Measure): Measure[] {
  switch (measure.kind) {
    case 'column':
    case 'expression':
    case 'metric':
      return []
    case 'ratio':
      return [measure.over, measure.under]
    case 'calc':
      return [measure.left, measure.right].filter(isMeasure)
    case 'function':
      return measure.items.filter(isMeasure)
    case 'prev':
    case 'cumulative':
    case 'moving':
    case 'whole':
    case 'grouped':
      return [measure.of]
  }
}
/** The measure with another in place of each that {@link operandsOf} answers. */
export function mapOperands(measure: Measure, change: (operand: Measure) => Measure): Measure {
  const operand = (each: CalcOperand): CalcOperand => (isMeasure(each) ? change(each) : each)
  switch (measure.kind) {
    case 'column':
    case 'expression':
    case 'metric':
      return measure
    case 'ratio':
      return { ...measure, over: change(measure.over), under: change(measure.under) }
    case 'calc':
      return { ...measure, left: operand(measure.left), right: operand(measure.right) }
    case 'function':
      return { ...measure, items: measure.items.map(operand) }
    case 'prev':
    case 'cumulative':
    case 'moving':
    case 'whole':
    case 'grouped':
      return { ...measure, of: change(measure.of) }
  }
}
/** Whether a figure looks at other units of time than its own. */
export const isWindowMeasure = (measure: Measure): measure is WindowMeasure =>
  measure.kind === 'prev' || measure.kind === 'cumulative' || measure.kind === 'moving'
/** Whether a figure, or one it is made of, does. */
export const hasWindow = (measure: Measure): boolean => isWindowMeasure(measure) || operandsOf(measure).some(hasWindow)
/** Whether a figure, or one it is made of, looks at other rows than those of its group: other units of time, or all. */
export const readsOutsideGroup = (measure: Measure): boolean =>
  isWindowMeasure(measure) || measure.kind === 'whole' || operandsOf(measure).some(readsOutsideGroup)
export const isMeasure = (operand: CalcOperand): operand is Measure => operand.kind !== 'number'
export const isLeafMeasure = (measure: Measure): measure is AggregateMeasure =>
  measure.kind === 'column' || measure.kind === 'expression'

/** How many there are: neither the format nor the currency of the column matters. */
export const isCountMeasure = ({ agg }: { agg: Aggregate }): boolean => agg === 'count' || agg === 'countDistinct'

/** The fields of the values that an aggregate is of, and of what these are ordered by. */
function valueFieldsOf(leaf: AggregateMeasure): Field[] {
  const own = leaf.kind === 'expression' ? expressionFieldsOf(leaf.row) : leaf.field ? [leaf.field] : []
  return leaf.by ? [...own, leaf.by] : own
}

/** The fields whose values an aggregate calculates with; those that are only counted are none. */
export const calculatedFieldsOf = (leaf: AggregateMeasure): Field[] => (isCountMeasure(leaf) ? [] : valueFieldsOf(leaf))

/** The field whose dataset a measure is over, where it names none: what its values are ordered by, else its own. */
export const rowsFieldOf = ({ by, field }: Extract<AggregateMeasure, { kind: 'column' }>): Field | undefined =>
  by ?? field

/** Measures that are added up from rows. A metric is nothing here: it stands for others. */
export const leafMeasuresOf = (measure: Measure): AggregateMeasure[] =>
  isLeafMeasure(measure) ? [measure] : operandsOf(measure).flatMap(leafMeasuresOf)

/** Figures over groups among what a measure is made of. */
export const groupedMeasuresOf = (measure: Measure): GroupedMeasure[] =>
  measure.kind === 'grouped' ? [measure] : operandsOf(measure).flatMap(groupedMeasuresOf)

/** Measures that are added up from the rows of a group of the answer itself: not within groups of its own. */
export const ownLeavesOf = (measure: Measure): AggregateMeasure[] => {
  if (measure.kind === 'grouped') return []
  return isLeafMeasure(measure) ? [measure] : operandsOf(measure).flatMap(ownLeavesOf)
}

/** Ids of the metrics that measures name, each once. */
export const metricIdsOf = (measures: readonly Measure[]): string[] => [
  ...new Set(
    measures.flatMap((measure): string[] =>
      measure.kind === 'metric' ? [measure.id] : metricIdsOf(operandsOf(measure)),
    ),
  ),
]

/** The columns that a plan sees through groupings, as often as it names them. */
export function groupedFieldsOf(
  plan: Pick<QueryPlan, 'dimensions' | 'filters' | 'measures'>,
): { field: Field; grouping: GroupingReference }[] {
  const one = ({ field, grouping }: { field: Field; grouping?: GroupingReference | undefined }) =>
    grouping ? [{ field, grouping }] : []
  const ofFilters = (filters: readonly Filter[] | undefined): { field: Field; grouping: GroupingReference }[] =>
    (filters ?? []).flatMap((filter) => (isExistsFilter(filter) ? ofFilters(filter.filters) : one(filter)))
  return [
    ...plan.dimensions.flatMap(one),
    ...ofFilters(plan.filters),
    ...plan.measures.flatMap(leafMeasuresOf).flatMap(({ filter }) => ofFilters(filter)),
  ]
}

/** The groupings that a plan sees columns through, each once. */
export const groupingIdsOf = (plan: Pick<QueryPlan, 'dimensions' | 'filters' | 'measures'>): string[] => [
  ...new Set(groupedFieldsOf(plan).map(({ grouping }) => grouping.id)),
]

const filterDatasetIdsOf = (filters: readonly Filter[] | undefined): string[] =>
  (filters ?? []).flatMap((filter) =>
    isExistsFilter(filter) ? [filter.dataset, ...filterDatasetIdsOf(filter.filters)] : [],
  )

/** The datasets a plan names, in the order of first mention; those that only lie between two of them are not named. */
export function datasetIdsOf(plan: QueryPlan): string[] {
  const leaves = plan.measures.flatMap(leafMeasuresOf)
  const counted = leaves.flatMap((leaf) => (leaf.kind === 'column' && leaf.dataset !== undefined ? [leaf.dataset] : []))
  const asked = [...leaves.flatMap((leaf) => filterDatasetIdsOf(leaf.filter)), ...filterDatasetIdsOf(plan.filters)]
  const own = plan.dataset === undefined ? [] : [plan.dataset]
  return [...new Set([...own, ...counted, ...planFieldsOf(plan).map((field) => field.dataset), ...asked])]
}

/** Whose rows a measure of a column says it is over; undefined where it does not say. */
export function namedRowsOf(leaf: AggregateMeasure): string | undefined {
  if (leaf.kind !== 'column') return undefined
  const field = rowsFieldOf(leaf)
  return leaf.dataset ?? (field?.via ? undefined : field?.dataset)
}

/** Whose rows the first figure is over: what a drill from it shows. Undefined when the plan does not say. */
export function measuredDataset(plan: QueryPlan): string | undefined {
  const [leaf] = plan.measures.flatMap(leafMeasuresOf)
  return (leaf && namedRowsOf(leaf)) ?? datasetIdsOf(plan)[0]
}

const conditionsOf = (filters: readonly Filter[] | undefined): { part?: unknown; op: string }[] =>
  (filters ?? []).flatMap((filter) =>
    isExistsFilter(filter) ? conditionsOf(filter.filters) : filter.any.map(({ op }) => ({ part: filter.part, op })),
  )
const OPS_OF_3: ReadonlySet<string> = new Set(['column', 'notContains', 'notStartsWith'])

const isMeasureOf3 = (measure: Measure): boolean =>
  measure.kind === 'moving' ||
  measure.kind === 'whole' ||
  measure.kind === 'grouped' ||
  measure.kind === 'function' ||
  (isLeafMeasure(measure) && (measure.percent !== undefined || measure.by !== undefined)) ||
  operandsOf(measure).some(isMeasureOf3)

/** Whether a plan says what version 2 has no words for. */
export function needsVersion3(plan: Pick<QueryPlan, 'kind' | 'dimensions' | 'filters' | 'measures'>): boolean {
  const filters = [plan.filters, ...plan.measures.flatMap(leafMeasuresOf).map(({ filter }) => filter)]
  return (
    (plan.kind === 'aggregate' && plan.measures.length === 0) ||
    plan.measures.some(isMeasureOf3) ||
    plan.dimensions.some(({ part, bins, label }) => (part ?? bins ?? label) !== undefined) ||
    filters.flatMap(conditionsOf).some(({ part, op }) => part !== undefined || OPS_OF_3.has(op))
  )
}
