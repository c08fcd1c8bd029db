import { z } from 'zod'
import { idSchema } from '../ids'
import { exprSchema, type Expr } from './expression'
import { fieldSchema, type Field } from './field'
import {
  BINS_MAX,
  DATASET_MAX_ROWS,
  GROUP_KEYS_MAX,
  LARGEST_GROUPS_MAX,
  MOVING_UNITS_MAX,
  PLAN_MEASURES_MAX,
  PREV_STEPS_MAX,
  QUERY_ROWS_MAX,
} from '../limits'
import { absoluteRangeSchema, DATE_PARTS, GRAINS, relativeRangeSchema, type Grain } from './date-range'
import { CURRENCY_MODES, type CurrencyMode } from './currency-modes'
import { AGGREGATES, COMPARISON_OPERATORS, FIGURE_FUNCTIONS, GROUP_AGGREGATES } from './functions'
import type { Aggregate, ComparisonOperator, FigureFunction, GroupAggregate } from './functions'
import { columnFormatSchema, type ColumnFormat } from '../data-sources/files'

/** The one way to ask for figures. Screens, exports, reports and the bot all send this. */

export const scalarSchema = z.union([z.string().max(2000), z.number(), z.boolean(), z.null()])
export type Scalar = z.infer<typeof scalarSchema>

/** One condition; a field's filter is an OR of conditions on it. Dates are ISO text; texts compare exactly. */
const conditionSchema = z.discriminatedUnion('op', [
  z.strictObject({ op: z.enum(COMPARISON_OPERATORS), value: scalarSchema }),
  z.strictObject({ op: z.enum(['in', 'notIn']), values: z.array(scalarSchema).max(1000) }),
  z.strictObject({
    op: z.enum(['contains', 'startsWith', 'notContains', 'notStartsWith']),
    value: z.string().min(1).max(2000),
  }),
  /** Beside another column of the row, or of a row it points at: two empty cells are the same, and in no order. */
  z.strictObject({ op: z.literal('column'), compare: z.enum(COMPARISON_OPERATORS), field: fieldSchema }),
  z.strictObject({ op: z.literal('between'), from: scalarSchema, to: scalarSchema }),
  z.strictObject({ op: z.enum(['empty', 'notEmpty']) }),
])
export type Condition = z.infer<typeof conditionSchema>
/**
 * Values of a column seen through a grouping. `level` 1 = the outermost groups; absent = the innermost. `as` tells which
 * of its periods counts: today's groups for every row (`current`), or those that were in force on each row's day (`then`).
 */
export const groupingReferenceSchema = z.strictObject({
  id: idSchema('grouping'),
  level: z.int().min(1).max(4).optional(),
  as: z.enum(['current', 'then']).optional(),
})
export type GroupingReference = z.infer<typeof groupingReferenceSchema>

/**
 * With `grouping`, the conditions are `in` and `notIn` of ids of groups; null stands for what belongs to none. With
 * `part`, they are asked of the number of that part: hours 0–23, weekdays 1 (Monday) to 7, days, months and weeks from 1.
 */
export const fieldFilterSchema = z.strictObject({
  field: fieldSchema,
  part: z.enum(DATE_PARTS).optional(),
  any: z.array(conditionSchema).min(1).max(20),
  grouping: groupingReferenceSchema.optional(),
})
export type FieldFilter = z.infer<typeof fieldFilterSchema>

/**
 * Whether rows of `dataset`, the many side of a relation that points here, are there (`exists`) or not. `filters` are
 * asked of those rows. `relation` says which one when several point here.
 */
export interface ExistsFilter {
  kind: 'exists' | 'notExists'
  dataset: string
  relation?: string | undefined
  filters: Filter[]
}
export type Filter = FieldFilter | ExistsFilter
/** How deep `exists` may stand within `exists`. */
const EXISTS_DEPTH_MAX = 3

export const isExistsFilter = (filter: Filter): filter is ExistsFilter => 'kind' in filter

const existsSchema = (inner: z.ZodType<Filter>) =>
  z.strictObject({
    kind: z.enum(['exists', 'notExists']),
    dataset: idSchema('dataset'),
    relation: idSchema('relation').optional(),
    filters: z.array(inner).max(10),
  })
const filterSchemaOfDepth = (depth: number): z.ZodType<Filter> =>
  depth === 0 ? fieldFilterSchema : z.union([fieldFilterSchema, existsSchema(filterSchemaOfDepth(depth - 1))])
export const filterSchema: z.ZodType<Filter> = filterSchemaOfDepth(EXISTS_DEPTH_MAX)

/**
 * A figure added up from rows. `mode`: how its amounts are brought to the question's currency, where that is another way
 * than the question's own.
 */
export type AggregateMeasure =
  | {
      kind: 'column'
      agg: Aggregate
      /** Of a median: the share of the values that lie below it, in per cent. Absent: 50. */
      percent?: number | undefined
      /**
       * Of `first` and `last`: what rows are ordered by instead of time, so that the value where it is least or largest
       * counts. Of several such rows, the one with the least value; rows without either do not count.
       */
      by?: Field | undefined
      field?: Field | undefined
      /** Over whose rows: those that are counted, or that point at the field. Absent: the dataset of `by`, else the field's own. */
      dataset?: string | undefined
      filter?: Filter[] | undefined
      mode?: CurrencyMode | undefined
      label?: string | undefined
      format?: ColumnFormat | undefined
    }
  | {
      kind: 'expression'
      agg: Aggregate
      percent?: number | undefined
      by?: Field | undefined
      row: Expr
      filter?: Filter[] | undefined
      mode?: CurrencyMode | undefined
      label?: string | undefined
      format?: ColumnFormat | undefined
    }
interface MeasurePresentation {
  label?: string | undefined
  /** How it is shown, when that does not follow from its columns. */
  format?: ColumnFormat | undefined
}
/** A figure worked out from other figures of the same group. */
export type RatioMeasure = { kind: 'ratio'; over: Measure; under: Measure } & MeasurePresentation
export type CalcOperand = Measure | { kind: 'number'; value: number }
/**
 * Nothing comes of what is missing, except in sums: where nothing is there to add up, a sum or a count is 0 beside a
 * figure that is there (a month with revenue and without costs has a result).
 */
export type CalcMeasure = {
  kind: 'calc'
  op: 'add' | 'subtract' | 'multiply' | 'divide'
  left: CalcOperand
  right: CalcOperand
} & MeasurePresentation
/** A figure chosen, limited or rounded; conditions stand only where a function asks for one. */
export type FunctionMeasure = { kind: 'function'; fn: FigureFunction; items: CalcOperand[] } & MeasurePresentation
/** The figure `steps` units of the split by time earlier; nothing where there is no earlier unit. */
export type PrevMeasure = { kind: 'prev'; of: Measure; steps: number } & MeasurePresentation
/** The sum of the figure from the beginning of the answer, or of its year, to each unit of the split by time. */
export type CumulativeMeasure = {
  kind: 'cumulative'
  of: Measure
  restart: 'never' | 'year' | 'fiscalYear'
} & MeasurePresentation
/**
 * The sum or average of the figure over the last `units` units of the split by time, the own one included; nothing
 * before the answer has so many. Where sums and counts have no rows they are 0; of other figures those count that are there.
 */
export type MovingMeasure = { kind: 'moving'; of: Measure; agg: 'sum' | 'avg'; units: number } & MeasurePresentation
/**
 * The figure of all rows that the answer's conditions let through, whatever they are broken down by and whichever groups
 * a limit leaves: a share of everything, or more than the average.
 */
export type WholeMeasure = { kind: 'whole'; of: Measure } & MeasurePresentation
/** What rows are put into groups by: the values of a column, or units of a date. */
export interface GroupKey {
  field: Field
  grain?: Grain | undefined
}
/**
 * A figure over the figures of groups: average revenue per customer, customers with revenue above a limit. Rows of one
 * table are put into groups by `by`, within each group of the answer; every group that has the figure `of` counts, as far
 * as it is within `having`, and of these only the `largest`. `share` is their part of the sum of all groups.
 */
export type GroupedMeasure = {
  kind: 'grouped'
  agg: GroupAggregate
  /** Of a median: the share of the figures that lie below it, in per cent. Absent: 50. */
  percent?: number | undefined
  of: Measure
  by: GroupKey[]
  having?: { op: ComparisonOperator; value: number } | undefined
  largest?: number | undefined
} & MeasurePresentation
/** A figure that looks at other units of time than its own. */
export type WindowMeasure = PrevMeasure | CumulativeMeasure | MovingMeasure
/** A figure by the name that the workspace gives it. It is replaced by what it stands for before anything is asked. */
export type MetricMeasure = { kind: 'metric'; id: string } & MeasurePresentation
export type Measure =
  | AggregateMeasure
  | RatioMeasure
  | CalcMeasure
  | FunctionMeasure
  | WindowMeasure
  | WholeMeasure
  | GroupedMeasure
  | MetricMeasure

const measurePresentation = {
  label: z.string().trim().min(1).max(80).optional(),
  format: columnFormatSchema.optional(),
}
const percentSchema = z.number().gt(0).lt(100).multipleOf(0.01).optional()
const groupKeySchema = z.strictObject({ field: fieldSchema, grain: z.enum(GRAINS).optional() })
const measureFilters = z.array(filterSchema).max(10).optional()
export const measureSchema: z.ZodType<Measure> = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('column'),
      agg: z.enum(AGGREGATES),
      percent: percentSchema,
      by: fieldSchema.optional(),
      /** `count` needs no field: it counts rows. */
      field: fieldSchema.optional(),
      dataset: idSchema('dataset').optional(),
      filter: measureFilters,
      mode: z.enum(CURRENCY_MODES).optional(),
      ...measurePresentation,
    }),
    z.strictObject({
      kind: z.literal('expression'),
      agg: z.enum(AGGREGATES),
      percent: percentSchema,
      by: fieldSchema.optional(),
      row: exprSchema,
      filter: measureFilters,
      mode: z.enum(CURRENCY_MODES).optional(),
      ...measurePresentation,
    }),
    /** Safe division: nothing when `under` is 0 or empty. */
    z.strictObject({ kind: z.literal('ratio'), over: measureSchema, under: measureSchema, ...measurePresentation }),
    z.strictObject({
      kind: z.literal('calc'),
      op: z.enum(['add', 'subtract', 'multiply', 'divide']),
      left: operandSchema,
      right: operandSchema,
      ...measurePresentation,
    }),
    z.strictObject({
      kind: z.literal('function'),
      fn: z.enum(FIGURE_FUNCTIONS),
      items: z.array(operandSchema).min(1).max(10),
      ...measurePresentation,
    }),
    z.strictObject({
      kind: z.literal('prev'),
      of: measureSchema,
      steps: z.int().min(1).max(PREV_STEPS_MAX),
      ...measurePresentation,
    }),
    z.strictObject({
      kind: z.literal('cumulative'),
      of: measureSchema,
      restart: z.enum(['never', 'year', 'fiscalYear']),
      ...measurePresentation,
    }),
    z.strictObject({
      kind: z.literal('moving'),
      of: measureSchema,
      agg: z.enum(['sum', 'avg']),
      units: z.int().min(2).max(MOVING_UNITS_MAX),
      ...measurePresentation,
    }),
    z.strictObject({ kind: z.literal('whole'), of: measureSchema, ...measurePresentation }),
    z.strictObject({
      kind: z.literal('grouped'),
      agg: z.enum(GROUP_AGGREGATES),
      percent: percentSchema,
      of: measureSchema,
      by: z.array(groupKeySchema).min(1).max(GROUP_KEYS_MAX),
      having: z.strictObject({ op: z.enum(COMPARISON_OPERATORS), value: z.number() }).optional(),
      largest: z.int().min(1).max(LARGEST_GROUPS_MAX).optional(),
      ...measurePresentation,
    }),
    z.strictObject({ kind: z.literal('metric'), id: idSchema('metric'), ...measurePresentation }),
  ]),
)
const operandSchema: z.ZodType<CalcOperand> = z.lazy(() =>
  z.union([z.strictObject({ kind: z.literal('number'), value: z.number() }), measureSchema]),
)

export const dimensionSchema = z.strictObject({
  field: fieldSchema,
  /**
   * What the values of `field`, a key, are called: rows are told apart by the key and shown by this text. Of several texts
   * of one key the one loaded last counts.
   */
  label: fieldSchema.optional(),
  grain: z.enum(GRAINS).optional(),
  /** Instead of a grain: the same part of every day, week, month or year, on the workspace's clock. */
  part: z.enum(DATE_PARTS).optional(),
  grouping: groupingReferenceSchema.optional(),
  /**
   * Numbers in steps from a multiple of `width` to below the next; or in about `count` of them, as round as fit the
   * numbers of the answer.
   */
  bins: z
    .union([
      z.strictObject({ width: z.number().positive().max(1e15) }),
      z.strictObject({ count: z.int().min(2).max(BINS_MAX) }),
    ])
    .optional(),
  /** Keep the n largest by the first measure; the rest becomes *Other*. */
  topN: z.int().min(1).max(1000).optional(),
})
export type Dimension = z.infer<typeof dimensionSchema>

const periodSchema = z.strictObject({
  field: fieldSchema,
  range: z.discriminatedUnion('kind', [absoluteRangeSchema, relativeRangeSchema]),
  compare: z.enum(['previous', 'year', 'none']).default('none'),
  /** Leave out the unit that is still running. */
  completeOnly: z.boolean().default(false),
})

const sortSchema = z.strictObject({
  by: z.union([
    z.strictObject({ measure: z.int().min(0).max(4) }),
    z.strictObject({ dimension: z.int().min(0).max(2) }),
    z.strictObject({ column: z.int().min(0).max(499) }),
  ]),
  dir: z.enum(['asc', 'desc']),
})

const currencySchema = z.strictObject({ code: z.string().regex(/^[A-Z]{3}$/), mode: z.enum(CURRENCY_MODES) })

export const queryPlanSchema = z.strictObject({
  /**
   * 2 adds metrics, `calc`, `prev`, `cumulative`, groupings and currency; 3 adds parts of dates, bins,
   * keys with labels, the value at the least or largest of another (`by`), lists of values, conditions between columns,
   * what a text does not contain, percentiles, functions of figures, `moving`, `grouped` and `whole`. What an earlier
   * version says means the same in each.
   */
  v: z.literal([1, 2, 3]),
  kind: z.enum(['aggregate', 'rows']),
  /** Which dataset is meant when no field says it (counting rows); else the dataset of every field. */
  dataset: idSchema('dataset').optional(),
  /** None for `rows`, and for a list of the values of the splits. */
  measures: z.array(measureSchema).max(PLAN_MEASURES_MAX),
  dimensions: z.array(dimensionSchema).max(3),
  period: periodSchema.optional(),
  filters: z.array(filterSchema).max(20),
  having: z
    .array(z.strictObject({ measure: z.int().min(0).max(4), op: z.enum(COMPARISON_OPERATORS), value: z.number() }))
    .max(10)
    .optional(),
  /** For `rows`: the columns to show. */
  columns: z.array(fieldSchema).max(100).optional(),
  sort: z.array(sortSchema).max(5).optional(),
  totals: z.boolean().optional(),
  limit: z.int().min(1).max(QUERY_ROWS_MAX).optional(),
  offset: z.int().min(0).max(DATASET_MAX_ROWS).optional(),
  /** Bring every amount to this currency. Absent: amounts of several currencies are not added. */
  currency: currencySchema.optional(),
})
export type QueryPlan = z.infer<typeof queryPlanSchema>
export type QueryPlanInput = z.input<typeof queryPlanSchema>

export const runQuerySchema = z.strictObject({ plan: queryPlanSchema })
