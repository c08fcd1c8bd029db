import { z } from 'zod'
import { descriptionSchema, listQuerySchema, nameSchema, versionSchema } from './names'
import { queryPlanSchema } from './query'
import type { QueryPlan } from './query'

export const CHARTS = ['number', 'line', 'bar', 'stackedBar', 'table'] as const
export type ChartKind = (typeof CHARTS)[number]

/** What drawing needs beside the plan. */
export const vizSchema = z.strictObject({
  chart: z.enum(CHARTS),
  /** Which way is good; colours of a change follow it. */
  direction: z.enum(['up', 'down', 'none']).default('up'),
})
export type Viz = z.infer<typeof vizSchema>

export const createInsightSchema = z.strictObject({
  name: nameSchema,
  description: descriptionSchema.default(''),
  plan: queryPlanSchema,
  viz: vizSchema,
})
export type CreateInsightInput = z.input<typeof createInsightSchema>
export const updateInsightSchema = createInsightSchema.extend({ version: versionSchema })
export type UpdateInsightInput = z.input<typeof updateInsightSchema>

/** `?q=` finds by name; `deleted=1` lists what can still be restored. */
export const listInsightsSchema = listQuerySchema.extend({
  q: z.string().trim().max(100).optional(),
  deleted: z.enum(['0', '1']).default('0'),
})
export type ListInsightsQuery = z.output<typeof listInsightsSchema>
export const deleteInsightSchema = z.strictObject({ version: z.coerce.number().pipe(versionSchema) })
/** `rows=1`: the records behind the figures instead of the figures. */
export const exportSchema = z.strictObject({
  format: z.enum(['csv', 'xlsx']).default('csv'),
  rows: z.enum(['0', '1']).default('0'),
})
export type ExportQuery = z.output<typeof exportSchema>

/** Where an insight comes from. Only a person's own count against the plan. */
export const ORIGINS = ['person', 'starter', 'sample'] as const
export type Origin = (typeof ORIGINS)[number]

export interface Insight {
  id: string
  name: string
  description: string
  plan: QueryPlan
  viz: Viz
  ownerId: string
  ownerName: string
  origin: Origin
  version: number
  createdAt: string
  updatedAt: string
  deletedAt: string | null
}

/** The chart that fits the shape of an answer: time → line, categories → bar, none → number. */
export function suggestChart(plan: QueryPlan): ChartKind {
  const [first, second] = plan.dimensions
  if (plan.kind === 'rows') return 'table'
  if (!first) return 'number'
  if (plan.dimensions.length === 3 || plan.measures.length > 3) return 'table'
  if (first.grain) return second ? 'stackedBar' : 'line'
  return second ? 'stackedBar' : 'bar'
}
