import type { Alert, AlertCondition, AlertGrain, ConditionOf, CreateAlertInput } from '../../../src/shared/alerts'
import type { BandChoice } from './band-fields'
import type { FindingKind } from '../../../src/shared/findings'
import type { Insight } from '../../../src/shared/insights'
import type { Metric } from '../../../src/shared/metrics'
import { trackedBy } from '../../lib/tracked'
import type { MemberField, SubjectInput } from '../../../src/shared/tracked'

export const TRIGGER_CHOICES = [
  { value: 'above', label: 'is above' },
  { value: 'below', label: 'is below' },
  { value: 'rises', label: 'rises by at least' },
  { value: 'falls', label: 'falls by at least' },
  { value: 'finding', label: 'shows a finding' },
  { value: 'band', label: 'leaves the band of its forecast' },
] as const
export type TriggerChoice = (typeof TRIGGER_CHOICES)[number]['value']

/** What the form holds: figures as they are typed, so that per cents are whole numbers. */
export interface AlertValues {
  name: string
  insightId: string | null
  measure: number
  trigger: TriggerChoice
  limit: number | string
  by: number | string
  unit: 'percent' | 'amount'
  against: 'previous' | 'year'
  kinds: FindingKind[]
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

const PERCENT = 100
const asPercent = (part: number): number => Math.round(part * PERCENT * 1e6) / 1e6

export function emptyValues(me: string, insight: Insight | null): AlertValues {
  return {
    ...{ name: '', insightId: insight?.id ?? null, measure: 0, trigger: 'above', limit: '', by: 10, unit: 'percent' },
    ...{ against: 'previous', kinds: ['change', 'outlier', 'levelShift'], band: '', grain: 'month', on: 'complete' },
    ...{ forecastId: null, forecastLevel: '80', side: 'either' },
    ...{ member: null, holdN: 1, holdOf: 'periods', receivers: [me], reminderDays: '', active: true },
  }
}

export const LEVEL_TEXTS = { 50: '50', 80: '80', 95: '95' } as const
const LEVELS = { 50: 50, 80: 80, 95: 95 } as const
const NAME_MAX = 80
/** A new alert on the band of a forecast. */
export function bandValues(me: string, { id, name, level }: BandChoice): AlertValues {
  const named = { name: `${name} left its band`.slice(0, NAME_MAX), trigger: 'band' as const }
  return { ...emptyValues(me, null), ...named, forecastId: id, forecastLevel: LEVEL_TEXTS[level] }
}

export function valuesOf(alert: Alert, percent: boolean): AlertValues {
  const { condition, subject, hold } = alert
  const measured = (value: number): number => (percent ? asPercent(value) : value)
  const common = {
    ...emptyValues('', null),
    ...{
      name: alert.name,
      insightId: subject.kind === 'insight' ? subject.id : null,
      grain: alert.grain,
      on: alert.on,
    },
    ...{ measure: subject.kind === 'insight' ? subject.measure : 0, member: alert.by, holdN: hold.n, holdOf: hold.of },
    ...{ receivers: alert.receivers, reminderDays: alert.reminderDays ?? '', active: alert.active },
  }
  if (condition.kind === 'finding') return { ...common, trigger: 'finding', kinds: condition.kinds }
  if (condition.kind === 'band') {
    const { forecastId, level, side } = condition
    return { ...common, trigger: 'band', forecastId, forecastLevel: LEVEL_TEXTS[level], side }
  }
  if (condition.kind === 'value')
    return { ...common, trigger: condition.op, limit: measured(condition.limit), band: measured(condition.band) || '' }
  const { op, unit, against } = condition
  const sized = (value: number): number => (unit === 'percent' ? asPercent(value) : measured(value))
  return { ...common, trigger: op, unit, against, by: sized(condition.by), band: sized(condition.band) || '' }
}

/** Whether figures of an insight are read as per cent. */
export const isPercent = (
  insight: Insight | undefined,
  measure: number,
  metrics: readonly Metric[] | undefined,
): boolean => insight !== undefined && trackedBy(insight, measure, metrics)?.format?.style === 'percent'

const numberOr = (value: number | string, otherwise: number): number =>
  value === '' || !Number.isFinite(Number(value)) ? otherwise : Number(value)

function conditionOf(values: AlertValues, percent: boolean): AlertCondition {
  const { trigger, unit, against, kinds } = values
  const measured = (value: number): number => (percent ? value / PERCENT : value)
  const band = numberOr(values.band, 0)
  if (trigger === 'finding') return { kind: 'finding', kinds }
  if (trigger === 'band')
    return { kind: 'band', forecastId: values.forecastId ?? '', level: LEVELS[values.forecastLevel], side: values.side }
  if (trigger === 'above' || trigger === 'below')
    return { kind: 'value', op: trigger, limit: measured(numberOr(values.limit, 0)), band: measured(band) }
  const sized = (value: number): number => (unit === 'percent' ? value / PERCENT : measured(value))
  return { kind: 'change', op: trigger, unit, against, by: sized(numberOr(values.by, 0)), band: sized(band) }
}

/** Null while nothing is chosen that could be watched. */
export function inputOf(
  values: AlertValues,
  { subject, percent, forecast }: { subject: SubjectInput | null; percent: boolean; forecast?: BandChoice | undefined },
): CreateAlertInput | null {
  const band = values.trigger === 'band'
  const about = band ? forecast?.subject : subject
  if (!about) return null
  // Both look at complete periods, at the whole and every member themselves.
  const whole = values.trigger === 'finding' || band
  return {
    ...{ name: values.name, subject: about, condition: conditionOf(values, percent) },
    ...{ grain: (band ? forecast?.grain : undefined) ?? values.grain },
    ...{ on: whole ? 'complete' : values.on, by: whole ? null : values.member },
    hold: { n: numberOr(values.holdN, 1), of: values.on === 'running' && !whole ? 'evaluations' : values.holdOf },
    ...{ receivers: values.receivers, active: values.active },
    reminderDays: values.reminderDays === '' ? null : numberOr(values.reminderDays, 1),
  }
}

/** Whether enough is said to try it. */
export function isComplete({ trigger, limit, by, kinds, forecastId }: AlertValues): boolean {
  if (trigger === 'finding') return kinds.length > 0
  if (trigger === 'band') return forecastId !== null
  return trigger === 'above' || trigger === 'below' ? limit !== '' : numberOr(by, 0) > 0
}
