import { Checkbox, NumberInput, Select, SimpleGrid } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { CLOSING_UNITS, nextSlots, timingSchema } from '../../../../src/shared/reports/schedule-dates'
import { useFormat } from '../../../lib/format'
import { useSession } from '../../../lib/session'
import { useNow } from '../../../lib/use-now'
import { MutedText } from '../../../ui/muted-text'
import { toTiming, type ScheduleFormValues } from './form-values'
import { formatHour, UNIT_NAMES, WEEKDAYS } from './schedule-text'

type Form = UseFormReturnType<ScheduleFormValues>
const KINDS = [
  { value: 'weekly', label: 'Weekly' },
  { value: 'monthly', label: 'Monthly' },
  { value: 'afterClose', label: 'After a period ends' },
] as const
const HOURS = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: formatHour(hour) }))
const WEEKDAY_OPTIONS = WEEKDAYS.map((label, at) => ({ value: String(at + 1), label }))
const UNIT_OPTIONS = CLOSING_UNITS.map((value) => ({ value, label: UNIT_NAMES[value] }))
const NEXT_SHOWN = 3

/** When it is sent, with the dates that follow from it. */
export function TimingFields({ form, isLegacy }: { form: Form; isLegacy: boolean }) {
  const { kind, hour, unit, weekday } = form.values
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <Select
          data-autofocus
          label="Frequency"
          allowDeselect={false}
          data={KINDS}
          value={kind}
          onChange={(text) => {
            const known = KINDS.find(({ value }) => value === text)
            if (known) form.setFieldValue('kind', known.value)
          }}
        />
        {kind === 'weekly' && (
          <Select
            label="Day"
            allowDeselect={false}
            data={WEEKDAY_OPTIONS}
            value={String(weekday)}
            onChange={(text) => form.setFieldValue('weekday', Number(text ?? weekday))}
          />
        )}
        {kind === 'monthly' && (
          <NumberInput
            label="Day of the month"
            description="Shorter months: their last day"
            {...{ min: 1, max: 31, allowDecimal: false, clampBehavior: 'strict' }}
            {...form.getInputProps('day')}
          />
        )}
        {kind === 'afterClose' && (
          <>
            <Select
              label="Period"
              allowDeselect={false}
              data={UNIT_OPTIONS}
              value={unit}
              onChange={(text) => {
                const known = CLOSING_UNITS.find((value) => value === text)
                if (known) form.setFieldValue('unit', known)
              }}
            />
            <NumberInput
              label="Days after it ends"
              {...{ min: 1, max: 60, allowDecimal: false, clampBehavior: 'strict' }}
              {...form.getInputProps('days')}
            />
          </>
        )}
        <Select
          label="Time"
          allowDeselect={false}
          data={HOURS}
          value={String(hour)}
          onChange={(text) => form.setFieldValue('hour', Number(text ?? hour))}
        />
      </SimpleGrid>
      <NextDates values={form.values} />
      {kind === 'afterClose' && !isLegacy && (
        <Checkbox
          label="Show the period that ended"
          description="Otherwise the report’s own period"
          {...form.getInputProps('closedPeriod', { type: 'checkbox' })}
        />
      )}
    </>
  )
}

function NextDates({ values }: { values: ScheduleFormValues }) {
  const format = useFormat()
  const now = useNow()
  const settings = useSession().workspace?.settings
  const timing = timingSchema.safeParse(toTiming(values))
  if (!settings || !timing.success) return null
  const slots = nextSlots(timing.data, settings, { after: now, count: NEXT_SHOWN })
  return (
    <MutedText size="xs" aria-live="polite">
      Next: {slots.map(({ at }) => format.dateTime(new Date(at).toISOString())).join(' · ')} ({settings.timeZone})
    </MutedText>
  )
}
