import { GRAIN_LABELS } from './query/plan-labels'
import { z } from 'zod'
import { FINDING_KINDS, type FindingKind } from './findings'
import { idSchema } from './ids'
import { listQuerySchema, nameSchema, versionSchema } from './field-schemas'
import type { Cell } from './query/result'
import type { ColumnFormat } from './data-sources/files'
import { memberFieldSchema, subjectRefSchema } from './monitored-metric'
import { formatPeriod } from './targets/periods'

export const ALERTS_MAX = 100
export const RECEIVERS_MAX = 20
export const HOLD_MAX = 12
export const REMINDER_DAYS_MAX = 30
const MUTE_DAYS_MAX = 90
/** Lines of an alert's history. */
export const EVENTS_KEPT = 1_000
/** Complete periods that a test run looks back over. */
export const TEST_PERIODS = 12

export const ALERT_GRAINS = ['day', 'week', 'month', 'quarter', 'year', 'fiscalQuarter', 'fiscalYear'] as const
export type AlertGrain = (typeof ALERT_GRAINS)[number]

/** Findings about a period: what goes with outcomes of rows is about none, and cannot come up. */
const alertFindingKindSchema = z
  .enum(FINDING_KINDS)
  .exclude(['influencer', 'growth', 'loss', 'leader', 'rateGap', 'peak'])
export const ALERT_FINDING_KINDS = alertFindingKindSchema.options
export type AlertFindingKind = (typeof ALERT_FINDING_KINDS)[number]

const signedLimitSchema = z.number().min(-1e15).max(1e15)
const magnitudeSchema = z.number().min(0).max(1e15)
/**
 * What sets an alert off. `band`: how far the figure must come back past the limit before the alert ends, in the unit of
 * the limit (hysteresis); 0 = it ends as soon as the condition no longer holds. Per cents are parts of one.
 */
const conditionSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('value'),
    op: z.enum(['above', 'below']),
    limit: signedLimitSchema,
    band: magnitudeSchema.default(0),
  }),
  z.strictObject({
    kind: z.literal('change'),
    against: z.enum(['previous', 'year']),
    op: z.enum(['rises', 'falls']),
    by: z.number().gt(0, { message: 'Enter more than 0.' }).max(1e15),
    unit: z.enum(['percent', 'amount']),
    band: magnitudeSchema.default(0),
  }),
  z.strictObject({
    kind: z.literal('finding'),
    kinds: z.array(alertFindingKindSchema).min(1).max(ALERT_FINDING_KINDS.length),
  }),
  /** The newest complete figure left the band that the newest run of a forecast gave it before it was known. */
  z.strictObject({
    kind: z.literal('band'),
    forecastId: idSchema('forecast'),
    level: z.union([z.literal(50), z.literal(80), z.literal(95)]).default(80),
    side: z.enum(['above', 'below', 'either']).default('either'),
  }),
])
export type AlertCondition = z.output<typeof conditionSchema>
export type ConditionOf<K extends AlertCondition['kind']> = Extract<AlertCondition, { kind: K }>

const ruleFields = {
  subject: subjectRefSchema,
  condition: conditionSchema,
  grain: z.enum(ALERT_GRAINS).default('month'),
  /** `complete`: the last period that is over; `running`: the one that is not, so far. */
  on: z.enum(['complete', 'running']).default('complete'),
  /** Each member of this dimension for itself. */
  by: memberFieldSchema.nullable().default(null),
  /** How long the condition must hold first: periods in a row, or evaluations in a row. */
  hold: z
    .strictObject({ n: z.int().min(1).max(HOLD_MAX), of: z.enum(['periods', 'evaluations']) })
    .default({ n: 1, of: 'periods' }),
}
const refineRules = (
  { condition, by, on, hold }: z.output<z.ZodObject<typeof ruleFields>>,
  ctx: z.RefinementCtx,
): void => {
  const refuse = (path: string, message: string): void => ctx.addIssue({ code: 'custom', path: [path], message })
  if (condition.kind === 'finding' && by !== null) refuse('by', 'Findings can’t be broken down.')
  if (condition.kind === 'finding' && on === 'running') refuse('on', 'Findings need complete periods.')
  if (condition.kind === 'band' && by !== null) refuse('by', 'Forecast intervals cover the total only.')
  if (condition.kind === 'band' && on === 'running') refuse('on', 'Forecast intervals need complete periods.')
  if (on === 'running' && hold.of === 'periods' && hold.n > 1)
    refuse('hold', 'Current periods can’t be counted. Count updates instead.')
}
export const alertRulesSchema = z.strictObject(ruleFields).superRefine(refineRules)
export type AlertRules = z.output<typeof alertRulesSchema>
export type AlertRulesInput = z.input<typeof alertRulesSchema>

const contentSchema = z.strictObject({
  ...ruleFields,
  name: nameSchema,
  receivers: z
    .array(idSchema('user'))
    .max(RECEIVERS_MAX, { message: `Choose at most ${RECEIVERS_MAX} people.` })
    .refine((ids) => new Set(ids).size === ids.length, { message: 'Choose each person once.' }),
  /** Days between reminders while it is open and nobody has acknowledged it; null = none. */
  reminderDays: z.int().min(1).max(REMINDER_DAYS_MAX).nullable().default(null),
  active: z.boolean().default(true),
})
export const createAlertSchema = contentSchema.superRefine(refineRules)
export type CreateAlertInput = z.input<typeof createAlertSchema>
export type AlertContent = z.output<typeof createAlertSchema>
export const updateAlertSchema = contentSchema.extend({ version: versionSchema }).superRefine(refineRules)
export const deleteAlertSchema = z.strictObject({ version: z.coerce.number().pipe(versionSchema) })
/** Null = from now on again. */
export const muteAlertSchema = z.strictObject({ days: z.int().min(1).max(MUTE_DAYS_MAX).nullable() })
/** `?insight=` or `?metric=`: those about one. */
export const listAlertsSchema = listQuerySchema.extend({
  insight: idSchema('insight').optional(),
  metric: idSchema('metric').optional(),
})
export const alertEventsSchema = listQuerySchema

/** By what alerts are judged: `rows` themselves, or what is `found` in them afterwards (findings, runs of forecasts). */
export type AlertBasis = 'rows' | 'found'

const ALERT_STATES = ['ok', 'open', 'acknowledged'] as const
export type AlertState = (typeof ALERT_STATES)[number]
const ALERT_EVENTS = ['opened', 'resolved', 'reminded', 'acknowledged', 'muted', 'unmuted', 'changed'] as const
export type AlertEventKind = (typeof ALERT_EVENTS)[number]

/** One group that is followed; the total has the member null and no label. */
export interface AlertGroup {
  member: Cell
  label: string | null
  state: AlertState
  /** Since when it is in this state. */
  since: string | null
  /** First day of the period that was looked at last. */
  period: string | null
  /** Null also for those whose rights to the data differ from the owner's. */
  value: number | null
  compared: number | null
}

/** Why an alert cannot be evaluated. */
export interface AlertProblem {
  /** `forecast_other`: the forecast whose band is watched is of another figure now. */
  code: 'owner_gone' | 'subject_gone' | 'forecast_gone' | 'forecast_other' | 'no_date' | 'data_ended' | 'refused'
  message: string
  /** Of data that ended: their last day, for whoever has the owner's rights to them. */
  dataTo?: string
  since: string
}

export interface Alert extends AlertContent {
  id: string
  subjectName: string | null
  /** The worst of its groups. */
  state: AlertState
  groups: AlertGroup[]
  mutedUntil: string | null
  trouble: AlertProblem | null
  evaluatedAt: string | null
  /** Shown to whoever has the owner's rights to the data. */
  format: ColumnFormat | null
  ownerId: string
  ownerName: string
  receiverNames: string[]
  version: number
  createdAt: string
  updatedAt: string
}
export type { FindingKind }

/** A line of an alert's history. */
export interface AlertEvent {
  id: string
  kind: AlertEventKind
  at: string
  /** Null: the product itself. */
  by: string | null
  label: string | null
  period: string | null
  value: number | null
}

/** One period of a test run. */
export interface AlertTestReading {
  period: string
  value: number | null
  /** What the figure is held against, for conditions on change; the middle of the forecast, for those on its band. */
  compared: number | null
  met: boolean
  event: 'opened' | 'resolved' | null
}
/** When an alert would have gone off, over the last complete periods. */
export interface AlertTestRun {
  periods: string[]
  groups: { member: Cell; label: string | null; readings: AlertTestReading[] }[]
  /** Groups that were looked at; `groups` holds those that would have gone off, or the first. */
  looked: number
  /** How often it would have gone off. */
  fired: number
  format: ColumnFormat | null
  /** Last day of the data, where they end before the newest complete period; null where they reach it. */
  dataTo: string | null
  /** Findings are not looked for in the past; where no run spoke of a period, bands are those of forecasts of the past. */
  note: 'findings' | 'bands' | null
}

/** What each kind of finding is called where one is chosen. */
export const FINDING_KIND_LABELS: Record<FindingKind, string> = {
  change: 'unusual change',
  mixShift: 'mix shift',
  newMember: 'new item',
  lostMember: 'inactive item',
  concentration: 'concentration',
  outlier: 'outlier',
  levelShift: 'level shift',
  trendBreak: 'trend change',
  streak: 'streak',
  season: 'seasonality',
  targetRisk: 'target at risk',
  turned: 'turned sign',
  contribution: 'contribution',
  overtook: 'change of rank',
  influencer: 'influencer',
  growth: 'change over a year',
  loss: 'loss-making items',
  leader: 'largest items',
  rateGap: 'ratio by item',
  peak: 'highest and lowest period',
}

export const ALERT_GRAIN_LABELS: Record<AlertGrain, string> = GRAIN_LABELS

const BAND_SIDE_LABELS: Record<ConditionOf<'band'>['side'], string> = {
  above: 'above',
  below: 'below',
  either: 'outside',
}

/** How figures of a condition are written: in the unit of what is followed, in per cent, and as points of a percentage. */
export interface ConditionFormatters {
  measure: (value: number) => string
  percent: (part: number) => string
  points: (part: number) => string
  /** What is followed is itself a percentage: its changes are points. */
  isPercent: boolean
}

/** The condition in words: “above 100 000 kr”, “up 10 %+ vs previous month”. A colon joins it to what is followed. */
export function describeCondition(
  condition: AlertCondition,
  grain: AlertGrain,
  { measure, percent, points, isPercent }: ConditionFormatters,
): string {
  if (condition.kind === 'value') return `${condition.op} ${measure(condition.limit)}`
  if (condition.kind === 'finding') {
    const names = condition.kinds.map((kind) => FINDING_KIND_LABELS[kind])
    const last = names.at(-1) ?? ''
    return names.length > 1 ? `${names.slice(0, -1).join(', ')} or ${last}` : last
  }
  if (condition.kind === 'band')
    return `${BAND_SIDE_LABELS[condition.side]} the ${percent(condition.level / 100)} forecast interval`
  const { unit, by } = condition
  const size = unit === 'percent' ? percent(by) : isPercent ? points(by) : measure(by)
  const before = condition.against === 'year' ? yearEarlierLabel(grain) : `previous ${ALERT_GRAIN_LABELS[grain]}`
  return `${condition.op === 'rises' ? 'up' : 'down'} ${size}+ vs ${before}`
}

/** Days are held against the same weekday 52 weeks before. */
export const yearEarlierLabel = (grain: AlertGrain): string =>
  grain === 'day' ? 'the same weekday a year earlier' : 'a year earlier'

/** How long it must hold, in words; null where once is enough. */
export function describeHold({ hold, grain }: Pick<AlertRules, 'hold' | 'grain'>): string | null {
  if (hold.n === 1) return null
  return hold.of === 'periods'
    ? `for ${hold.n} ${ALERT_GRAIN_LABELS[grain]}s in a row`
    : `at ${hold.n} updates in a row`
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const formatDay = (day: string): string =>
  `${Number(day.slice(8, 10))} ${MONTHS[Number(day.slice(5, 7)) - 1] ?? ''} ${day.slice(0, 4)}`

/** A period by its first day: `Jan 2026`, `3 Feb 2026`, `the week of 2 Feb 2026`. */
export function formatAlertPeriod(start: string, grain: AlertGrain): string {
  if (grain === 'day') return formatDay(start)
  return grain === 'week' ? `the week of ${formatDay(start)}` : formatPeriod(start, grain)
}
