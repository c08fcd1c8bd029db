import { z } from 'zod'
import { idSchema } from './ids'
import { nameSchema, versionSchema } from './names'
import type { QueryPlan } from './query'
import type { Viz } from './insights'

/** Pictures of a category. */
export const CATEGORY_ICONS = [
  'folder',
  'chart',
  'coins',
  'receipt',
  'cart',
  'box',
  'truck',
  'users',
  'building',
  'target',
  'calendar',
  'star',
] as const
export type CategoryIcon = (typeof CATEGORY_ICONS)[number]
export const CATEGORIES_MAX = 50

/** Where insights are put together. */
export interface Category {
  id: string
  name: string
  icon: CategoryIcon
  /** Live insights in it. */
  insightCount: number
  version: number
}
export const createCategorySchema = z.strictObject({ name: nameSchema, icon: z.enum(CATEGORY_ICONS) })
export type CreateCategoryInput = z.input<typeof createCategorySchema>
export const updateCategorySchema = createCategorySchema.extend({ version: versionSchema })
export type UpdateCategoryInput = z.input<typeof updateCategorySchema>
/** All of them, in the order wanted; ids that are left out come after. */
export const orderCategoriesSchema = z.strictObject({ ids: z.array(idSchema('category')).min(1).max(CATEGORIES_MAX) })
/** `replacement`: the category that takes over its insights, or `none`. */
export const deleteCategorySchema = z.strictObject({
  version: z.coerce.number().pipe(versionSchema),
  replacement: z.union([idSchema('category'), z.literal('none')]).optional(),
})

/** What can be set of an insight without saving it anew. */
export const insightSettingsSchema = z.strictObject({
  categoryId: idSchema('category').nullable(),
  findings: z.enum(['on', 'off']),
})
export type InsightSettings = z.infer<typeof insightSettingsSchema>

/** Somebody vouches for the figures of exactly this version. */
export const verifyInsightSchema = z.strictObject({ version: versionSchema })
export interface Verification {
  by: string
  byName: string
  /** ISO instant. */
  at: string
}

export const VERSIONS_KEPT = 100
/** Of one insight, questions as JSON: of large ones fewer are kept. */
export const VERSIONS_KEPT_CHARS = 2_000_000
/** The parts of a question in words, so that two of them can be held against each other. */
export interface PlanDescription {
  measures: string
  splits: string
  period: string
  filters: string
  /** What else differs: order, number of rows, currency. */
  rest: string
}
/** What an insight was each time it was saved. */
export interface InsightVersion {
  version: number
  name: string
  description: string
  plan: QueryPlan
  viz: Viz
  /** Null where what the question reads is there no longer. */
  parts: PlanDescription | null
  savedBy: string
  savedByName: string
  /** ISO instant. */
  savedAt: string
  /** The version that this one brought back. */
  restoredFrom: number | null
}
/** `version` is that of the insight as it stands now. */
export const restoreVersionSchema = z.strictObject({ version: versionSchema })
