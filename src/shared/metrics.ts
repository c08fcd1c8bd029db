import { z } from 'zod'
import { columnFormatSchema, type ColumnFormat } from './data-sources/files'
import { FORMULA_MAX_CHARS, type FormulaError } from './formula/parse'
import { idSchema } from './ids'
import { descriptionSchema, nameKey, nameSchema, versionSchema } from './field-schemas'
import { filterSchema } from './query/plan'
import { fieldSchema } from './query/field'
import { CURRENCY_MODES } from './query/currency-modes'
import type { Filter, Measure } from './query/plan'
import type { Field } from './query/field'
import type { CurrencyMode } from './query/currency-modes'
import type { Dependent } from './data-sources/data-sources'

/** Metrics that a workspace holds at most. */
export const METRICS_MAX = 500
const SYNONYMS_MAX = 10
/** Metrics named by metrics named by metrics … */
export const METRIC_DEPTH_MAX = 5
/** A metric's conditions as JSON: they are repeated in everything that is added up in it, and in what names it. */
const METRIC_FILTERS_MAX_CHARS = 32_000
/** Which way is good. */
const DIRECTIONS = ['up', 'down', 'none'] as const
type Direction = (typeof DIRECTIONS)[number]

const contentSchema = z.strictObject({
  name: nameSchema,
  /** Other names that it is known by: in formulas, in search, for the bot. */
  synonyms: z.array(nameSchema).max(SYNONYMS_MAX).default([]),
  description: descriptionSchema.default(''),
  /** Whose rows are measured. */
  dataset: idSchema('dataset'),
  /** `sum([Amount]) / [Orders]`: what it measures, in the formula language. */
  formula: z.string().trim().min(1, { message: 'Enter a formula.' }).max(FORMULA_MAX_CHARS),
  /** Hold for everything that the formula adds up. */
  filters: z
    .array(filterSchema)
    .max(10)
    .refine((filters) => JSON.stringify(filters).length <= METRIC_FILTERS_MAX_CHARS, {
      message: 'Too many values in filters. Group them and filter by group.',
    })
    .default([]),
  /** The column that says when; null without one. */
  time: fieldSchema.nullable().default(null),
  direction: z.enum(DIRECTIONS).default('up'),
  /** How it is shown; null = as follows from its columns. */
  format: columnFormatSchema.nullable().default(null),
  /** By which rates its amounts are converted; null = by the rate of each day. */
  currencyMode: z.enum(CURRENCY_MODES).nullable().default(null),
})
const hasUniqueNames = ({ name, synonyms }: { name: string; synonyms: string[] }): boolean =>
  new Set([name, ...synonyms].map(nameKey)).size === synonyms.length + 1
const UNIQUE_NAMES_ISSUE = { path: ['synonyms'], message: 'Enter each name and synonym once.' }

export const createMetricSchema = contentSchema.refine(hasUniqueNames, UNIQUE_NAMES_ISSUE)
export const updateMetricSchema = contentSchema
  .extend({ version: versionSchema })
  .refine(hasUniqueNames, UNIQUE_NAMES_ISSUE)
export type CreateMetricInput = z.input<typeof createMetricSchema>
export type UpdateMetricInput = z.input<typeof updateMetricSchema>
export type MetricContent = z.output<typeof createMetricSchema>

/** `GET /api/metrics?dataset=`: all of a workspace by name, or those that measure one dataset's rows. */
export const listMetricsSchema = z.strictObject({ dataset: idSchema('dataset').optional() })
/** `DELETE /api/metrics/{id}?version=&force=1`: `force` once the dependents were seen; they cannot be answered then. */
export const removeMetricSchema = z.strictObject({
  version: z.coerce.number().pipe(versionSchema),
  force: z.enum(['0', '1']).default('0'),
})
export const verifyMetricSchema = z.strictObject({ version: versionSchema })
/** `DELETE /api/metrics/{id}/verify?version=` */
export const unverifyMetricSchema = z.strictObject({ version: z.coerce.number().pipe(versionSchema) })

/** A figure that the workspace gives a name. */
export interface Metric {
  id: string
  name: string
  synonyms: string[]
  description: string
  dataset: string
  measure: Measure
  formula: string
  filters: Filter[]
  time: Field | null
  direction: Direction
  format: ColumnFormat | null
  currencyMode: CurrencyMode | null
  /** Who vouches for it; null again once it, or a metric that it names, means something else. */
  verified: { by: string; byName: string; at: string } | null
  version: number
  createdAt: string
  updatedAt: string
  ownerId: string
  ownerName: string
}

/** What a metric is used by: shown before it is changed or deleted. */
export type MetricDependent = Dependent

/** `POST /api/metrics/formula`: reads a formula over a dataset's rows. `id`: the metric that it will be the formula of. */
export const readFormulaSchema = z.strictObject({
  dataset: idSchema('dataset'),
  formula: z.string().max(FORMULA_MAX_CHARS * 2),
  id: idSchema('metric').optional(),
})
/** `formula` is the same formula written plainly. */
export type FormulaReading = { ok: true; measure: Measure; formula: string } | { ok: false; errors: FormulaError[] }

/** A metric worth having, made from columns or from the books, until it is kept by `POST /api/metrics`. */
export interface SuggestedMetric {
  key: string
  datasetName: string
  /** Why it is suggested: "Amount is added up in three insights", "Accounts 3000–3999 of the BAS chart". */
  reason: string
  input: MetricContent
}
