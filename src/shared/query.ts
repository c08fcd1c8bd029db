import { z } from 'zod'
import { idSchema } from './ids'
import { QUERY_ROWS_MAX } from './limits'
import { columnKeySchema } from './sources'
import type { ColumnFormat, ColumnRole, ColumnType } from './files'

/** The one way to ask for figures. Screens, exports, reports and the bot all send this. */

export const fieldSchema = z.strictObject({
  dataset: idSchema('dataset'),
  column: columnKeySchema,
  via: z.array(idSchema('relation')).max(4).optional(),
})
export type Field = z.infer<typeof fieldSchema>

export const GRAINS = ['hour', 'day', 'week', 'month', 'quarter', 'year', 'fiscalQuarter', 'fiscalYear'] as const
export type Grain = (typeof GRAINS)[number]
export const AGGREGATES = ['sum', 'count', 'countDistinct', 'min', 'max', 'avg', 'median', 'first', 'last'] as const
export type Aggregate = (typeof AGGREGATES)[number]
export const COMPARES = ['eq', 'ne', 'lt', 'le', 'gt', 'ge'] as const
export type Compare = (typeof COMPARES)[number]

const scalarSchema = z.union([z.string().max(2000), z.number(), z.boolean(), z.null()])
export type Scalar = z.infer<typeof scalarSchema>

const isoDate = z.iso.date()

export const absoluteRangeSchema = z.strictObject({
  kind: z.literal('absolute'),
  /** First day, inclusive. */
  from: isoDate,
  /** Last day, inclusive. */
  to: isoDate,
})
export const relativeRangeSchema = z.strictObject({
  kind: z.literal('relative'),
  /** `last`: n units before the current one (`includeCurrent` adds it); `this`: the current unit so far. */
  span: z.enum(['last', 'this', 'all']),
  unit: z.enum(['day', 'week', 'month', 'quarter', 'year', 'fiscalQuarter', 'fiscalYear']),
  n: z.int().min(1).max(1000).default(1),
  includeCurrent: z.boolean().default(false),
})
export type AbsoluteRange = z.infer<typeof absoluteRangeSchema>
export type RelativeRange = z.infer<typeof relativeRangeSchema>

/**
 * A row expression over columns of one row and of the rows it points at. Never text that reaches SQL. `concat` joins
 * texts, whole numbers and days; empty items count as nothing, and nothing comes out when all of them are empty.
 */
export type Expr =
  | { kind: 'field'; field: Field }
  | { kind: 'number'; value: number }
  | { kind: 'text'; value: string }
  | { kind: 'concat'; items: Expr[] }
  | { kind: 'binary'; op: 'add' | 'subtract' | 'multiply' | 'divide'; left: Expr; right: Expr }
  | { kind: 'coalesce'; items: Expr[] }
  | { kind: 'dateDiff'; unit: 'day'; from: Field; to: Field }

export const exprSchema: z.ZodType<Expr> = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('field'), field: fieldSchema }),
    z.strictObject({ kind: z.literal('number'), value: z.number() }),
    z.strictObject({ kind: z.literal('text'), value: z.string().max(200) }),
    z.strictObject({ kind: z.literal('concat'), items: z.array(exprSchema).min(1).max(10) }),
    z.strictObject({
      kind: z.literal('binary'),
      op: z.enum(['add', 'subtract', 'multiply', 'divide']),
      left: exprSchema,
      right: exprSchema,
    }),
    z.strictObject({ kind: z.literal('coalesce'), items: z.array(exprSchema).min(1).max(10) }),
    z.strictObject({ kind: z.literal('dateDiff'), unit: z.literal('day'), from: fieldSchema, to: fieldSchema }),
  ]),
)

/** One condition; a field's filter is an OR of conditions on it. Dates are ISO text; texts compare exactly. */
export const conditionSchema = z.discriminatedUnion('op', [
  z.strictObject({ op: z.enum(COMPARES), value: scalarSchema }),
  z.strictObject({ op: z.enum(['in', 'notIn']), values: z.array(scalarSchema).max(1000) }),
  z.strictObject({ op: z.enum(['contains', 'startsWith']), value: z.string().min(1).max(2000) }),
  z.strictObject({ op: z.literal('between'), from: scalarSchema, to: scalarSchema }),
  z.strictObject({ op: z.enum(['empty', 'notEmpty']) }),
])
export type Condition = z.infer<typeof conditionSchema>
export const fieldFilterSchema = z.strictObject({ field: fieldSchema, any: z.array(conditionSchema).min(1).max(20) })
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
export const EXISTS_DEPTH_MAX = 3

export const isExists = (filter: Filter): filter is ExistsFilter => 'kind' in filter

const existsSchema = (inner: z.ZodType<Filter>) =>
  z.strictObject({
    kind: z.enum(['exists', 'notExists']),
    dataset: idSchema('dataset'),
    relation: idSchema('relation').optional(),
    filters: z.array(inner).max(10),
  })
const filterLevel = (depth: number): z.ZodType<Filter> =>
  depth === 0 ? fieldFilterSchema : z.union([fieldFilterSchema, existsSchema(filterLevel(depth - 1))])
export const filterSchema: z.ZodType<Filter> = filterLevel(EXISTS_DEPTH_MAX)

export type Measure =
  | {
      kind: 'column'
      agg: Aggregate
      field?: Field | undefined
      /** Over whose rows: those that are counted, or that point at the field. Absent: the field's own dataset. */
      dataset?: string | undefined
      filter?: Filter[] | undefined
      label?: string | undefined
    }
  | { kind: 'expression'; agg: Aggregate; row: Expr; filter?: Filter[] | undefined; label?: string | undefined }
  | { kind: 'ratio'; over: Measure; under: Measure; label?: string | undefined }

const labelSchema = z.string().trim().min(1).max(80).optional()
const measureFilters = z.array(filterSchema).max(10).optional()
export const measureSchema: z.ZodType<Measure> = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('column'),
      agg: z.enum(AGGREGATES),
      /** `count` needs no field: it counts rows. */
      field: fieldSchema.optional(),
      dataset: idSchema('dataset').optional(),
      filter: measureFilters,
      label: labelSchema,
    }),
    z.strictObject({
      kind: z.literal('expression'),
      agg: z.enum(AGGREGATES),
      row: exprSchema,
      filter: measureFilters,
      label: labelSchema,
    }),
    /** Safe division: nothing when `under` is 0 or empty. */
    z.strictObject({ kind: z.literal('ratio'), over: measureSchema, under: measureSchema, label: labelSchema }),
  ]),
)

export const dimensionSchema = z.strictObject({
  field: fieldSchema,
  grain: z.enum(GRAINS).optional(),
  /** Keep the n largest by the first measure; the rest becomes *Other*. */
  topN: z.int().min(1).max(1000).optional(),
})
export type Dimension = z.infer<typeof dimensionSchema>

export const periodSchema = z.strictObject({
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

export const queryPlanSchema = z.strictObject({
  v: z.literal(1),
  kind: z.enum(['aggregate', 'rows']),
  /** Which dataset is meant when no field says it (counting rows); else the dataset of every field. */
  dataset: idSchema('dataset').optional(),
  /** 1–5 for `aggregate`, none for `rows`. */
  measures: z.array(measureSchema).max(5),
  dimensions: z.array(dimensionSchema).max(3),
  period: periodSchema.optional(),
  filters: z.array(filterSchema).max(20),
  having: z
    .array(z.strictObject({ measure: z.int().min(0).max(4), op: z.enum(COMPARES), value: z.number() }))
    .max(10)
    .optional(),
  /** For `rows`: the columns to show. */
  columns: z.array(fieldSchema).max(100).optional(),
  sort: z.array(sortSchema).max(5).optional(),
  totals: z.boolean().optional(),
  limit: z.int().min(1).max(QUERY_ROWS_MAX).optional(),
  offset: z.int().min(0).max(5_000_000).optional(),
})
export type QueryPlan = z.infer<typeof queryPlanSchema>
export type QueryPlanInput = z.input<typeof queryPlanSchema>

export const runQuerySchema = z.strictObject({ plan: queryPlanSchema })

/** A value of an answer. Exact decimals past 2^53 travel as decimal text. Dates are ISO text. */
export type Cell = string | number | boolean | null

export interface ResultColumn {
  /** `d0`…, `m0`…, `m0.previous`, `m0.change`, `m0.changePercent`, or `c0`… for rows. */
  key: string
  label: string
  kind: 'dimension' | 'measure' | 'previous' | 'change' | 'changePercent' | 'column'
  type: ColumnType
  format: ColumnFormat
  /** Decimals worth showing for exact numbers. */
  scale?: number
  /** What the column is used as; identifiers are shown without digit grouping. Absent for measures. */
  role?: ColumnRole
  grain?: Grain
  /** For kind `previous`, `change`, `changePercent`: index of the measure. */
  measure?: number
}

/** A period in days, both inclusive, with its words ("Jan–Mar 2026"). */
export interface ResolvedPeriod {
  from: string
  to: string
  label: string
}

export interface QueryResult {
  kind: 'aggregate' | 'rows'
  columns: ResultColumn[]
  rows: Cell[][]
  /** Row index of the *Other* group of a top-N, if any. */
  otherRow: number | null
  /** Every row that belongs to an *Other* group, and in which dimension: several when two dimensions share a top-N. */
  otherCells?: { row: number; dimension: number }[]
  totals: Cell[] | null
  /** Rows of the full answer; `rows` may hold fewer. */
  rowCount: number
  truncated: boolean
  period: (ResolvedPeriod & { compare: ResolvedPeriod | null; incomplete: boolean }) | null
  /** The plan in plain English. */
  words: string
  datasets: { id: string; name: string; dataVersion: number; rowCount: number; loadedAt: string | null }[]
  /** The oldest `loadedAt` of the datasets used. */
  dataAsOf: string | null
  /** Identity of this answer: hash of the resolved plan and the scope. */
  hash: string
  cached: boolean
  /** Answered from sums made of the rows in the background; the figures are the same. */
  rolled?: true
}
