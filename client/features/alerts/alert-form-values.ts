import type {
  Alert,
  AlertCondition,
  AlertFindingKind,
  AlertGrain,
  ConditionOf,
  CreateAlertInput,
} from '../../../src/shared/alerts'
import type { Insight } from '../../../src/shared/insights'
import type { Metric } from '../../../src/shared/metrics'
import { monitoredMetricOf } from '../../lib/monitored-metric'
import type { MemberField, SubjectRefInput } from '../../../src/shared/monitored-metric'
import type { ForecastListItem } from '../../../src/shared/forecasts/forecasts'

export type ForecastOption = Pick<ForecastListItem, 'id' | 'name' | 'subject' | 'subjectName' | 'grain' | 'level'>

export const TRIGGER_OPTIONS = [
  { value: 'above', label: 'Above' },
  { value: 'below', label: 'Below' },
  { value: 'rises', label: 'Rises by at least' },
  { value: 'falls', label: 'Falls by at least' },
  { value: 'finding', label: 'Finding' },
  { value: 'band', label: 'Outside forecast interval' },
] as const
type AlertTrigger = (typeof TRIGGER_OPTIONS)[number]['value']

/** What the form holds: figures as they are typed, so that per cents are whole numbers. */
export interface AlertFormValues {
  name: string
  insightId: string | null
  measure: number
  trigger: AlertTrigger
  limit: number | string
  by: number | string
  unit: 'percent' | 'amount'
  against: 'previous' | 'year'
  kinds: AlertFindingKind[]
  forecastId: string | null
  forecastLevel: '50' | '80' | '95'
  side: ConditionOf<'band'>['side']
  /** How far it must come back past the limit. */
  band: number | string
  grain: AlertGrain
  on: 'complete' | 'running'
  member: MemberField | null
  holdN: number | string
  holdOf: 'periods' | 'evaluations'
  receivers: string[]
  reminderDays: number | string
  active: boolean
}

const PERCENT_FACTOR = 100
const toPercentNumber = (part: number): number => Math.round(part * PERCENT_FACTOR * 1e6) / 1e6

export function emptyAlertValues(me: string, insight: Insight | null): AlertFormValues {
  return {
    name: '',
    insightId: insight?.id ?? null,
    measure: 0,
    trigger: 'above',
    limit: '',
    by: 10,
    unit: 'percent',
    against: 'previous',
    kinds: ['change', 'outlier', 'levelShift'],
    band: '',
    grain: 'month',
    on: 'complete',
    forecastId: null,
    forecastLevel: '80',
    side: 'either',
    member: null,
    holdN: 1,
    holdOf: 'periods',
    receivers: [me],
    reminderDays: '',
    active: true,
  }
}

export const INTERVAL_LEVEL_VALUES = { 50: '50', 80: '80', 95: '95' } as const
const INTERVAL_LEVELS = { 50: 50, 80: 80, 95: 95 } as const
const NAME_MAX = 80
export function forecastAlertValues(me: string, { id, name, level }: ForecastOption): AlertFormValues {
  const named = { name: `${name}: outside interval`.slice(0, NAME_MAX), trigger: 'band' as const }
  return { ...emptyAlertValues(me, null), ...named, forecastId: id, forecastLevel: INTERVAL_LEVEL_VALUES[level] }
}

export function toAlertFormValues(alert: Alert, percent: boolean): AlertFormValues {
  const { condition, subject, hold } = alert
  const measured = (value: number): number => (percent ? toPercentNumber(value) : value)
  const common = {
    ...emptyAlertValues('', null),
    name: alert.name,
    insightId: subject.kind === 'insight' ? subject.id : null,
    grain: alert.grain,
    on: alert.on,
    measure: subject.kind === 'insight' ? subject.measure : 0,
    member: alert.by,
    holdN: hold.n,
    holdOf: hold.of,
    receivers: alert.receivers,
    reminderDays: alert.reminderDays ?? '',
    active: alert.active,
  }
  if (condition.kind === 'finding') return { ...common, trigger: 'finding', kinds: condition.kinds }
  if (condition.kind === 'band') {
    const { forecastId, level, side } = condition
    return { ...common, trigger: 'band', forecastId, forecastLevel: INTERVAL_LEVEL_VALUES[level], side }
  }
  if (condition.kind === 'value')
    return { ...common, trigger: condition.op, limit: measured(condition.limit), band: measured(condition.band) || '' }
  const { op, unit, against } = condition
  const sized = (value: number): number => (unit === 'percent' ? toPercentNumber(value) : measured(value))
  return { ...common, trigger: op, unit, against, by: sized(condition.by), band: sized(condition.band) || '' }
}

export const isPercentMeasure = (
  insight: Insight | undefined,
  measure: number,
  metrics: readonly Metric[] | undefined,
): boolean => insight !== undefined && monitoredMetricOf(insight, measure, metrics)?.format?.style === 'percent'

const numberOr = (value: number | string, otherwise: number): number =>
  value === '' || !Number.isFinite(Number(value)) ? otherwise : Number(value)

function toAlertCondition(values: AlertFormValues, percent: boolean): AlertCondition {
  const { trigger, unit, against, kinds } = values
  const measured = (value: number): number => (percent ? value / PERCENT_FACTOR : value)
  const band = numberOr(values.band, 0)
  if (trigger === 'finding') return { kind: 'finding', kinds }
  if (trigger === 'band')
    return {
      kind: 'band',
      forecastId: values.forecastId ?? '',
      level: INTERVAL_LEVELS[values.forecastLevel],
      side: values.side,
    }
  if (trigger === 'above' || trigger === 'below')
    return { kind: 'value', op: trigger, limit: measured(numberOr(values.limit, 0)), band: measured(band) }
  const sized = (value: number): number => (unit === 'percent' ? value / PERCENT_FACTOR : measured(value))
  return { kind: 'change', op: trigger, unit, against, by: sized(numberOr(values.by, 0)), band: sized(band) }
}

/** Null while nothing is chosen that could be watched. */
export function toAlertInput(
  values: AlertFormValues,
  {
    subject,
    percent,
    forecast,
  }: { subject: SubjectRefInput | null; percent: boolean; forecast?: ForecastOption | undefined },
): CreateAlertInput | null {
  const band = values.trigger === 'band'
  const about = band ? forecast?.subject : subject
  if (!about) return null
  // Both look at complete periods, at the whole and every member themselves.
  const whole = values.trigger === 'finding' || band
  return {
    name: values.name,
    subject: about,
    condition: toAlertCondition(values, percent),
    grain: (band ? forecast?.grain : undefined) ?? values.grain,
    on: whole ? 'complete' : values.on,
    by: whole ? null : values.member,
    hold: { n: numberOr(values.holdN, 1), of: values.on === 'running' && !whole ? 'evaluations' : values.holdOf },
    receivers: values.receivers,
    active: values.active,
    reminderDays: values.reminderDays === '' ? null : numberOr(values.reminderDays, 1),
  }
}

export function isTestable({ trigger, limit, by, kinds, forecastId }: AlertFormValues): boolean {
  if (trigger === 'finding') return kinds.length > 0
  if (trigger === 'band') return forecastId !== null
  return trigger === 'above' || trigger === 'below' ? limit !== '' : numberOr(by, 0) > 0
}
