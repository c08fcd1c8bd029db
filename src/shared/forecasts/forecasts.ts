import { z } from 'zod'
import { FORECAST_GRAINS, type ForecastResult, type AccuracyGrade } from './result'
import { idSchema } from '../ids'
import { listQuerySchema, nameSchema, versionSchema } from '../field-schemas'
import { filterSchema } from '../query/plan'
import { memberFieldSchema, subjectRefSchema } from '../monitored-metric'

export const HORIZON_MAX = 36
/** Members of a dimension that are forecast each for itself; what is left is one more part. */
export const FORECAST_PARTS_MAX = 10
export const FORECAST_EVENTS_MAX = 20
export const THRESHOLDS_MAX = 5
export const SCENARIOS_MAX = 8
/** Paths that are drawn beside each other, the base among them. */
export const PATHS_COMPARED_MAX = 4
export const SCENARIO_STEPS_MAX = 20
/** Metrics that scenarios of one forecast take figures from: each is forecast with every run. */
export const DRIVERS_MAX = 8
/** Steps of work on scenarios that can be taken back. */
export const SCENARIO_UNDO_MAX = 50

export const AMOUNT_MAX = 1e15
const amount = z.number().min(-AMOUNT_MAX).max(AMOUNT_MAX)
const spanShape = { from: z.iso.date(), to: z.iso.date() }

/**
 * Something out of the ordinary. `leaveOut`: periods of the past that the model does not see. `amount`: how much of every
 * period within the span it was or will be: taken off the past before the model sees it, added to the future.
 */
export const eventSchema = z.strictObject({
  name: nameSchema,
  ...spanShape,
  effect: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('leaveOut') }),
    z.strictObject({ kind: z.literal('amount'), value: amount }),
  ]),
})
export type ForecastEvent = z.output<typeof eventSchema>

/** A level that matters: `below` is broken by falling under it (a cash floor), `above` by rising over it. */
const thresholdSchema = z.strictObject({ name: nameSchema, side: z.enum(['below', 'above']), value: amount })
export type Threshold = z.output<typeof thresholdSchema>

const member = z.union([z.string().max(2000), z.number(), z.boolean(), z.null()])
/** One change of a scenario, over the periods that begin within its span; of one part, or (absent) of the whole. */
const scenarioStepSchema = z.discriminatedUnion('kind', [
  /** Parts of one: 0.1 is ten per cent more. */
  z.strictObject({
    kind: z.literal('percent'),
    by: z.number().min(-1).max(100),
    part: member.optional(),
    ...spanShape,
  }),
  /** `once`: in the first period of the span alone. */
  z.strictObject({
    kind: z.literal('amount'),
    value: amount,
    each: z.enum(['period', 'once']),
    part: member.optional(),
    ...spanShape,
  }),
  /** The figure is the forecast of a metric times a factor. */
  z.strictObject({
    kind: z.literal('driver'),
    metric: idSchema('metric'),
    factor: z.number().min(-1e9).max(1e9),
    ...spanShape,
  }),
])
export type ScenarioStep = z.output<typeof scenarioStepSchema>
const scenarioSchema = z.strictObject({
  /** Of the client's making. */
  id: z.string().regex(/^[a-z0-9]{6,12}$/),
  name: nameSchema,
  steps: z.array(scenarioStepSchema).max(SCENARIO_STEPS_MAX),
})
export type Scenario = z.output<typeof scenarioSchema>

/** Metrics that scenarios take figures from. */
export const driverMetricIds = (scenarios: readonly Scenario[]): string[] => [
  ...new Set(scenarios.flatMap(({ steps }) => steps.flatMap((step) => (step.kind === 'driver' ? [step.metric] : [])))),
]

/** `PUT …/scenarios`: all of them, and the levels that matter. The base is no scenario. */
export const saveScenariosSchema = z.strictObject({
  scenarios: z
    .array(scenarioSchema)
    .max(SCENARIOS_MAX)
    .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, { message: 'Add each scenario once.' })
    .refine((all) => driverMetricIds(all).length <= DRIVERS_MAX, {
      message: `Use at most ${DRIVERS_MAX} metrics.`,
    }),
  thresholds: z.array(thresholdSchema).max(THRESHOLDS_MAX),
  version: versionSchema,
})
export type SaveScenarios = z.output<typeof saveScenariosSchema>

const settingsShape = {
  subject: subjectRefSchema,
  /** Beside those of the insight or metric. */
  filters: z.array(filterSchema).max(20).default([]),
  by: memberFieldSchema.nullable().default(null),
  grain: z.enum(FORECAST_GRAINS).default('month'),
  horizon: z.int().min(1).max(HORIZON_MAX).default(12),
  /** The first day that is looked at; null: as far back as there is anything. */
  historyFrom: z.iso.date().nullable().default(null),
  /** `auto`: the running period is left out, unless its last day is over. `never`: it counts as it stands. */
  ignoreIncomplete: z.enum(['auto', 'never']).default('auto'),
  season: z.union([z.enum(['auto', 'none']), z.int().min(2).max(366)]).default('auto'),
  /** Of the workspace's country; they are kept only if the backtest gains. */
  holidays: z.enum(['auto', 'none']).default('auto'),
  dampOutliers: z.boolean().default(false),
  /** The band that is drawn. */
  level: z.union([z.literal(50), z.literal(80), z.literal(95)]).default(80),
  floor: amount.nullable().default(null),
  ceiling: amount.nullable().default(null),
  events: z.array(eventSchema).max(FORECAST_EVENTS_MAX).default([]),
  /**
   * What the figures add up to, as a balance (the cash view). `opening`: the balance on the morning of `on`, or (null)
   * before the first period ahead; what moved in between is added or taken off. Null: what the books say (balances of
   * accounts 1900–1999), or the sum of all that came before.
   */
  accumulate: z
    .strictObject({ opening: amount.nullable(), on: z.iso.date().nullable().default(null) })
    .nullable()
    .default(null),
}
const checkConsistency = (
  { floor, ceiling, events }: z.output<z.ZodObject<typeof settingsShape>>,
  ctx: z.RefinementCtx,
): void => {
  const refuse = (path: (string | number)[], message: string): void => ctx.addIssue({ code: 'custom', path, message })
  if (floor !== null && ceiling !== null && floor >= ceiling) refuse(['ceiling'], 'Enter more than the minimum.')
  events.forEach(({ from, to }, at) => {
    if (to < from) refuse(['events', at, 'to'], 'Enter a date on or after From.')
  })
}
export const previewForecastSchema = z.strictObject(settingsShape).superRefine(checkConsistency)
export type ForecastSettings = z.output<typeof previewForecastSchema>
/** The settings alone, whatever stands beside them. */
export const pickSettings = (of: ForecastSettings): ForecastSettings => ({
  subject: of.subject,
  filters: of.filters,
  by: of.by,
  grain: of.grain,
  horizon: of.horizon,
  historyFrom: of.historyFrom,
  ignoreIncomplete: of.ignoreIncomplete,
  season: of.season,
  holidays: of.holidays,
  dampOutliers: of.dampOutliers,
  level: of.level,
  floor: of.floor,
  ceiling: of.ceiling,
  events: of.events,
  accumulate: of.accumulate,
})
export type ForecastSettingsInput = z.input<typeof previewForecastSchema>
export const createForecastSchema = z.strictObject({ ...settingsShape, name: nameSchema }).superRefine(checkConsistency)
export type CreateForecastInput = z.input<typeof createForecastSchema>
export const updateForecastSchema = z
  .strictObject({ ...settingsShape, name: nameSchema, version: versionSchema })
  .superRefine(checkConsistency)
export type UpdateForecastInput = z.input<typeof updateForecastSchema>
export const deleteForecastSchema = z.strictObject({ version: z.coerce.number().pipe(versionSchema) })
/** `?q=` finds by name; `insight` or `metric`: those of one. */
export const listForecastsSchema = listQuerySchema.extend({
  q: z.string().trim().max(100).optional(),
  insight: idSchema('insight').optional(),
  metric: idSchema('metric').optional(),
})
export type ListForecastsQuery = z.output<typeof listForecastsSchema>
export const forecastExportSchema = z.strictObject({ format: z.enum(['csv', 'xlsx']).default('csv') })

/** `draft`: never run. `stale`: what it is of, its settings or its rows are others since the newest run that is ready. */
const FORECAST_STATES = ['draft', 'queued', 'running', 'ready', 'too_short', 'failed', 'stale'] as const
export type ForecastState = (typeof FORECAST_STATES)[number]
const RUN_STATES = ['queued', 'running', 'ready', 'too_short', 'failed'] as const
export type RunState = (typeof RUN_STATES)[number]

/** What a run in the background is started with. */
export interface ForecastRunParams {
  workspaceId: string
  runId: string
}

/** Why a run has no result. */
export interface RunFailure {
  /** `too_short` (with what there is and what it takes), or the code that the question was refused with. */
  code: string
  message: string
  have?: number
  need?: number
}
/** One run; never changed once it has ended. */
export interface ForecastRun {
  id: string
  /** 1, 2, 3 … within the forecast. */
  number: number
  state: RunState
  startedAt: string
  finishedAt: string | null
  trouble: RunFailure | null
  dataAsOf: string | null
  grade: AccuracyGrade | null
  /** By whom it was asked for; null: by new rows. */
  byName: string | null
}
export interface ForecastRunWithResult extends ForecastRun {
  /** Null of a run that found none, and of one beyond the newest sixty (fewer where they are large). */
  result: ForecastResult | null
}

export interface Forecast extends ForecastSettings {
  id: string
  name: string
  subjectName: string | null
  scenarios: Scenario[]
  thresholds: Threshold[]
  /** `ready` for whoever has other rights to the rows than its owner, whatever came of the newest run. */
  state: ForecastState
  /** The plan has no room for it: it shows what it last found, and does not run. */
  frozen: boolean
  /** The newest run, and the newest that is ready; null for whoever has other rights to the rows than its owner. */
  lastRun: ForecastRun | null
  ready: ForecastRunWithResult | null
  ownerId: string
  ownerName: string
  version: number
  createdAt: string
  updatedAt: string
}
/** As a list tells it: of the newest ready run only what a small picture takes. */
export interface ForecastListItem extends Omit<Forecast, 'ready'> {
  picture: { past: (number | null)[]; mean: number[]; lower: number[]; upper: number[] } | null
  /** The first period in which a level that matters is broken, of the base. */
  breach: { threshold: string; period: string } | null
}
