import type { ScheduleTiming } from '../../../../src/shared/reports/schedule-dates'
import {
  recipientKey,
  type CreateScheduleInput,
  type DeliveryFormat,
  type RecipientFilters,
  type ReportSchedule,
} from '../../../../src/shared/reports/schedules'
import { isId } from '../../../../src/shared/ids'
import type { FieldFilter } from '../../../../src/shared/query/plan'

/** A schedule while it is edited: each kind of timing keeps what was entered. */
export interface ScheduleFormValues {
  kind: ScheduleTiming['kind']
  unit: 'month' | 'quarter' | 'year'
  days: number | string
  weekday: number
  day: number | string
  hour: number
  format: DeliveryFormat
  closedPeriod: boolean
  /** Ids of members and groups. */
  people: string[]
  addresses: string[]
  /** By recipient. */
  filters: Record<string, RecipientFilters>
  skipEmpty: boolean
  hold: boolean
  active: boolean
}

export const newScheduleValues = (me: string, kind: 'interactive' | 'legacy'): ScheduleFormValues => ({
  ...{ kind: kind === 'legacy' ? 'afterClose' : 'weekly', unit: 'month', days: 5, weekday: 1, day: 1, hour: 7 },
  ...{ format: kind === 'legacy' ? 'pdf' : 'link', closedPeriod: true, people: me === '' ? [] : [me], addresses: [] },
  ...{ filters: {}, skipEmpty: true, hold: true, active: true },
})

export function toScheduleValues(schedule: ReportSchedule): ScheduleFormValues {
  const { timing, format, closedPeriod, recipients, skipEmpty, hold, paused } = schedule
  const base = {
    ...newScheduleValues('', 'interactive'),
    format,
    closedPeriod,
    skipEmpty,
    hold,
    active: paused === null,
  }
  return {
    ...{ ...base, ...timing },
    people: recipients.filter(({ kind }) => kind !== 'address').map(recipientKey),
    addresses: recipients.filter(({ kind }) => kind === 'address').map(recipientKey),
    filters: Object.fromEntries(
      recipients.flatMap((one) => (Object.keys(one.filters).length > 0 ? [[recipientKey(one), one.filters]] : [])),
    ),
  }
}

export function toTiming({ kind, unit, days, weekday, day, hour }: ScheduleFormValues): ScheduleTiming {
  if (kind === 'weekly') return { kind, weekday, hour }
  return kind === 'monthly' ? { kind, day: Number(day), hour } : { kind, unit, days: Number(days), hour }
}

export function toScheduleInput(values: ScheduleFormValues): CreateScheduleInput {
  const { format, closedPeriod, people, addresses, skipEmpty, hold } = values
  const filtersOf = (key: string): Record<string, FieldFilter | null> => ({ ...values.filters[key] })
  return {
    ...{ timing: toTiming(values), format, closedPeriod, skipEmpty, hold },
    recipients: [
      ...people.map((id) =>
        isId('group', id)
          ? { kind: 'group' as const, id, filters: filtersOf(id) }
          : { kind: 'member' as const, id, filters: filtersOf(id) },
      ),
      ...addresses.map((email) => ({ kind: 'address' as const, email, filters: filtersOf(email) })),
    ],
  }
}
