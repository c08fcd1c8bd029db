import { z } from 'zod'
import { idSchema } from './ids'
import { nameSchema, versionSchema, descriptionSchema, listQuerySchema } from './field-schemas'
import { queryPlanSchema, type QueryPlan, type Measure } from './query/plan'
import { isAdditive, isCountMeasure, isLeafMeasure, isWindowMeasure } from './query/plan-fields'

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

export const CHARTS = [
  'number',
  'line',
  'area',
  'bar',
  'groupedBar',
  'stackedBar',
  'combined',
  'waterfall',
  'scatter',
  'heatMap',
  'pivot',
  'table',
] as const
export type ChartKind = (typeof CHARTS)[number]

/** What drawing needs beside the plan. */
export const vizSchema = z.strictObject({
  chart: z.enum(CHARTS),
  /** Which way is good; colours of a change follow it. */
  direction: z.enum(['up', 'down', 'none']).default('up'),
  /** Ratios shown as per cent, by index of the measure. */
  percent: z.array(z.int().min(0).max(4)).max(5).optional(),
})
export type Viz = z.infer<typeof vizSchema>

/** A question as JSON: lists, histories and the search for findings read many of them at once. */
const PLAN_MAX_CHARS = 48_000
const storedPlanSchema = queryPlanSchema.refine((plan) => JSON.stringify(plan).length <= PLAN_MAX_CHARS, {
  message: 'This question names too many values. Put them into a grouping, and choose its groups.',
})

export const createInsightSchema = z.strictObject({
  name: nameSchema,
  description: descriptionSchema.default(''),
  plan: storedPlanSchema,
  viz: vizSchema,
})
export type CreateInsightInput = z.input<typeof createInsightSchema>
export const updateInsightSchema = createInsightSchema.extend({ version: versionSchema })
export type UpdateInsightInput = z.input<typeof updateInsightSchema>

/** `?q=` finds by name; `category` by where it is put; `deleted=1` lists what can still be restored. */
export const listInsightsSchema = listQuerySchema.extend({
  q: z.string().trim().max(100).optional(),
  category: z.union([idSchema('category'), z.literal('none')]).optional(),
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
const ORIGINS = ['person', 'starter', 'sample'] as const
export type Origin = (typeof ORIGINS)[number]

export interface Insight extends InsightSettings {
  id: string
  name: string
  description: string
  plan: QueryPlan
  viz: Viz
  ownerId: string
  ownerName: string
  origin: Origin
  /** The plan has no room for it: it answers, and cannot be changed until there is. */
  frozen: boolean
  /** Who vouches for its figures; null as soon as the question, or a metric that it names, is another. */
  verified: Verification | null
  /** Whether who asks wants to hear of it. */
  following: boolean
  version: number
  createdAt: string
  updatedAt: string
  deletedAt: string | null
}

/** Live insights that were kept from suggestions: as many count against nothing. */
export const STARTERS_MAX = 5
/** A question worth asking of a person's own data, until it is kept. `key` names it when it is. */
export interface SuggestedInsight {
  key: string
  datasetName: string
  name: string
  description: string
  plan: QueryPlan
  viz: Viz
}
/** `POST /api/starters`: keeps one of those that `GET` suggests. */
export const saveStarterSchema = z.strictObject({ key: z.string().min(1).max(60) })

/** Whether the figures of the parts add up to the figure of the whole: sums and counts do, averages and ratios do not. */
const isMeasureAdditive = isAdditive

/** A rough unit: counts, ratios and amounts do not share an axis. */
const unitOf = (measure: Measure): 'count' | 'ratio' | 'amount' => {
  if (measure.kind === 'ratio') return 'ratio'
  if (measure.kind === 'grouped' && measure.agg === 'count') return 'count'
  if (measure.kind === 'grouped' && measure.agg === 'share') return 'ratio'
  if (measure.kind === 'grouped' || measure.kind === 'whole' || isWindowMeasure(measure)) return unitOf(measure.of)
  if (!isLeafMeasure(measure)) return 'amount'
  return isCountMeasure(measure) ? 'count' : 'amount'
}
const hasOneUnit = (measures: readonly Measure[]): boolean => new Set(measures.map(unitOf)).size <= 1

/** Measures that a chart with axes has room for. */
const CHART_MEASURES_MAX = 3

/** The chart that fits the shape of an answer: time → line, categories → bar, none → number. */
export function suggestChart(plan: Pick<QueryPlan, 'kind' | 'dimensions' | 'measures'>): ChartKind {
  const { dimensions, measures } = plan
  const [first, second, third] = dimensions
  if (plan.kind === 'rows' || measures.length === 0) return 'table'
  if (!first) return 'number'
  if (third) return 'pivot'
  if (measures.length > CHART_MEASURES_MAX) return 'table'
  if (second) {
    if (measures.slice(0, 1).every(isMeasureAdditive)) return 'stackedBar'
    return (first.grain ?? second.grain) ? 'line' : 'groupedBar'
  }
  if (measures.length === 1) return first.grain ? 'line' : 'bar'
  if (!first.grain) return 'groupedBar'
  return hasOneUnit(measures) ? 'line' : 'combined'
}

type PlanShape = Pick<QueryPlan, 'dimensions' | 'measures'>
/** What each chart asks of a question; the sentence says what to do when it is not so. */
const CHART_REQUIREMENTS: Record<ChartKind, (planShape: PlanShape) => string | null> = {
  number: ({ dimensions }) => (dimensions.length === 0 ? null : 'A number has no breakdowns: remove them.'),
  line: (shape) => oneOrTwoSplits(shape),
  area: (shape) => {
    if (!shape.dimensions.some((dimension) => dimension.grain)) return 'An area runs over time: break down by a date.'
    if (shape.dimensions.length === 2 && !isFirstAdditive(shape)) return NOT_ADDITIVE
    return oneOrTwoSplits(shape)
  },
  bar: ({ dimensions, measures }) => {
    if (dimensions.length !== 1) return 'Bars need exactly one breakdown.'
    return measures.length === 1 ? null : 'Bars show one measure: use grouped bars for several.'
  },
  groupedBar: (shape) => {
    if (shape.dimensions.length === 1 && shape.measures.length === 1)
      return 'Grouped bars need a second breakdown or a second measure.'
    return oneOrTwoSplits(shape)
  },
  stackedBar: (shape) => {
    if (shape.dimensions.length !== 2) return 'Stacked bars need two breakdowns.'
    return isFirstAdditive(shape) ? null : NOT_ADDITIVE
  },
  combined: ({ dimensions, measures }) =>
    dimensions.length === 1 && measures.length >= 2 && measures.length <= CHART_MEASURES_MAX
      ? null
      : 'Bars with a line need one breakdown and two or three measures.',
  waterfall: (shape) => {
    if (shape.dimensions.length !== 1) return 'A waterfall needs exactly one breakdown.'
    return isFirstAdditive(shape) ? null : NOT_ADDITIVE
  },
  scatter: ({ dimensions, measures }) =>
    dimensions.length > 0 && dimensions.length <= 2 && measures.length >= 2
      ? null
      : 'A scatter plot needs two measures and a breakdown.',
  heatMap: ({ dimensions }) => (dimensions.length === 2 ? null : 'A heat map needs two breakdowns.'),
  pivot: ({ dimensions }) => (dimensions.length >= 2 ? null : 'A pivot table needs two or three breakdowns.'),
  table: () => null,
}
const NOT_ADDITIVE = 'The parts of this measure do not add up to a whole: measure a sum or a count.'
const isFirstAdditive = ({ measures }: PlanShape): boolean => measures.slice(0, 1).every(isMeasureAdditive)
function oneOrTwoSplits({ dimensions, measures }: PlanShape): string | null {
  if (dimensions.length === 0) return 'Add a breakdown.'
  if (dimensions.length > 2) return 'There is room for two breakdowns: use a pivot table for three.'
  return measures.length <= CHART_MEASURES_MAX ? null : `There is room for ${CHART_MEASURES_MAX} measures.`
}

/** Why a chart cannot show a question, as a sentence that says what to change; null when it can. */
export const chartProblem = (
  chart: ChartKind,
  plan: Pick<QueryPlan, 'kind' | 'dimensions' | 'measures'>,
): string | null =>
  chart === 'table'
    ? null
    : plan.kind === 'rows'
      ? 'Records are shown as a table.'
      : plan.measures.length === 0
        ? 'A list of values is shown as a table: add a measure for a chart.'
        : CHART_REQUIREMENTS[chart](plan)
