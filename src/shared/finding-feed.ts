import { z } from 'zod'
import type { ColumnFormat } from './files'
import { contributionSchema, FINDINGS_SHOWN } from './findings'
import type { DetectedFinding } from './findings'
import { idSchema } from './ids'
import { fieldSchema, queryPlanSchema } from './query'
import type { Field, Filter, Grain, Measure } from './query'
import type { ResolvedPeriod } from './query-result'

/** Findings as they are listed, and the table of what a change is made of. */

/** A figure over time that is looked at: of a metric, of insights, or the amounts of a dataset that has neither. */
export interface AnalyzedMetric {
  /** Names what is measured: the same for every insight that asks for the same figure. */
  key: string
  label: string
  dataset: string
  metric: string | null
  insights: string[]
  measure: Measure
  filters: Filter[]
  time: Field
  grain: Grain
  direction: 'up' | 'down' | 'none'
  format: ColumnFormat
  /** Decimals of exact figures. */
  scale: number | null
  /** What the effect's `dimension` keys stand for. */
  dimensions: { key: string; label: string; field: Field }[]
}

export const FINDING_RATINGS = ['useful', 'useless'] as const
export type FindingRating = (typeof FINDING_RATINGS)[number]

/** One finding, as one person sees it. Pins, hides and ratings are that person's own. */
export interface Finding extends DetectedFinding {
  id: string
  about: AnalyzedMetric
  firstFoundAt: string
  foundAt: string
  pinned: boolean
  hidden: boolean
  rating: FindingRating | null
}

/** `GET /api/findings`: pinned ones first, then the most telling; five at first, the rest by cursor. */
export const listFindingsSchema = z.strictObject({
  insight: idSchema('insight').optional(),
  metric: idSchema('metric').optional(),
  dataset: idSchema('dataset').optional(),
  /** `1`: those that the asker has hidden. */
  hidden: z.enum(['0', '1']).default('0'),
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(50).default(FINDINGS_SHOWN),
})
export type ListFindingsQuery = z.output<typeof listFindingsSchema>
/** `GET /api/insights/{id}/findings`. */
export const insightFindingsSchema = listFindingsSchema.omit({ insight: true, metric: true, dataset: true })

export interface FindingPage {
  items: Finding[]
  nextCursor: string | null
  /** When figures were last looked through; null when they never were. */
  lookedAt: string | null
  /** Rows have come since, or something new is asked for: what is listed may be behind. */
  behind: boolean
  /** Present when the figure that is asked about cannot be looked at: why, in words. */
  declined?: string
}

/** `POST /api/findings/refresh`: looks now, at one dataset or all. */
export const refreshFindingsSchema = z.strictObject({ dataset: idSchema('dataset').optional() })

/** `POST /api/findings/{id}/pin`, `…/hide`; `on: false` takes it back. */
export const markFindingSchema = z.strictObject({ on: z.boolean() })
/** `POST /api/findings/{id}/rate`; null takes it back. */
export const rateFindingSchema = z.strictObject({ rating: z.enum(FINDING_RATINGS).nullable() })

export const DRIVER_DIMENSIONS_MAX = 8
/** `POST /api/findings/drivers`: what the change of one figure between a period and the one it is held against is made of. */
export const driversSchema = z.strictObject({
  /** A plan with a period that is compared; its splits are left out. */
  plan: queryPlanSchema,
  /** Which of its measures. */
  measure: z.int().min(0).max(4).default(0),
  /** By what it is taken apart; absent: by what is fit for it. */
  dimensions: z.array(fieldSchema).min(1).max(DRIVER_DIMENSIONS_MAX).optional(),
})
export type DriversInput = z.input<typeof driversSchema>
export type DriversQuery = z.output<typeof driversSchema>

/** A contribution table with the field it goes by, to ask on. */
export const driverTableSchema = z.strictObject({
  dimension: z.string(),
  label: z.string(),
  field: fieldSchema,
  lines: z.array(contributionSchema),
})
export interface ChangeDrivers {
  label: string
  format: ColumnFormat
  scale: number | null
  period: ResolvedPeriod
  compare: ResolvedPeriod
  /** Decimal text; null where there is no figure. */
  value: string | null
  previous: string | null
  change: string | null
  percent: number | null
  /** The most telling first. The changes of the lines of each add up exactly to `change`. */
  tables: z.infer<typeof driverTableSchema>[]
  /** Why it cannot be taken apart; null when it can. */
  whyNot: 'notAdditive' | 'nothing' | null
}
