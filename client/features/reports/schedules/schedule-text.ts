import type { ScheduleTiming } from '../../../../src/shared/reports/schedule-dates'
import type { DeliveryFormat, DeliveryState, PauseReason } from '../../../../src/shared/reports/schedules'

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
export const UNIT_NAMES = { month: 'month', quarter: 'fiscal quarter', year: 'fiscal year' } as const
export const formatHour = (hour: number): string => `${String(hour).padStart(2, '0')}:00`

/** `Mondays at 07:00`, `5 days after each month ends at 07:00`. */
export function timingText(timing: ScheduleTiming): string {
  const at = ` at ${formatHour(timing.hour)}`
  switch (timing.kind) {
    case 'weekly':
      return `${WEEKDAYS[timing.weekday - 1] ?? ''}s${at}`
    case 'monthly':
      return timing.day === 31 ? `Last day of each month${at}` : `Day ${timing.day} of each month${at}`
    case 'afterClose':
      return `${timing.days === 1 ? '1 day' : `${timing.days} days`} after each ${UNIT_NAMES[timing.unit]} ends${at}`
  }
}

export const FORMAT_LABELS: Record<DeliveryFormat, string> = { link: 'Link', pdf: 'PDF', xlsx: 'Excel workbook' }
export const STATE_LABELS: Record<DeliveryState, string> = {
  waiting: 'Waiting',
  held: 'Held',
  sending: 'Sending',
  sent: 'Sent',
  skipped: 'Skipped',
  failed: 'Failed',
}
export const STATE_COLORS: Record<DeliveryState, string> = {
  waiting: 'gray',
  held: 'yellow',
  sending: 'gray',
  sent: 'green',
  skipped: 'gray',
  failed: 'red',
}
export const PAUSE_TEXTS: Record<PauseReason, string> = {
  person: 'Paused',
  ownerLeft: 'Paused: its owner left',
  newOwner: 'Paused: it has a new owner',
  ownerRole: 'Paused: its owner can’t share reports',
  plan: 'Paused: not included in your plan',
}
