import { DateField } from '../../../ui/forms/date-field'
import { AddEntryButton, RemoveButton } from '../../../ui/buttons/list-buttons'
import { Group, Select, Stack, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { ALERT_GRAIN_LABELS } from '../../../../src/shared/alerts'
import { FORECAST_EVENTS_MAX, type ForecastEvent } from '../../../../src/shared/forecasts/forecasts'
import { NAME_MAX_CHARS } from '../../../../src/shared/limits'
import { SectionCard } from '../../../ui/section-card'
import classes from '../scenarios/scenarios.module.css'
import { AmountInput } from './amount-input'
import type { ForecastFormValues } from './form-values'
import { useToday } from '../forecast-format'

type Form = UseFormReturnType<ForecastFormValues>

/** What was or will be out of the ordinary: a strike, a campaign, a fire. */
export function EventsEditor({ form }: { form: Form }) {
  const { events } = form.values
  const today = useToday()
  const add = (): void => form.setFieldValue('events', [...events, newEvent(today)])
  return (
    <SectionCard title="Events" description="One-offs the forecast shouldn’t learn from.">
      {events.length > 0 && (
        <ul className={classes.list} aria-label="Events">
          {events.map((event, at) => (
            <EventRow key={at} {...{ event, at, form }} />
          ))}
        </ul>
      )}
      <Group>
        <AddEntryButton disabled={events.length >= FORECAST_EVENTS_MAX} onClick={add}>
          Add event
        </AddEntryButton>
      </Group>
    </SectionCard>
  )
}

/** Of this month so far, until somebody says when. */
const newEvent = (today: string): ForecastEvent => ({
  ...{ name: '', from: `${today.slice(0, -2)}01`, to: today },
  effect: { kind: 'leaveOut' },
})

interface EventRowProps {
  event: ForecastEvent
  at: number
  form: Form
}
function EventRow({ event, at, form }: EventRowProps) {
  const { values, errors } = form
  const put = (events: ForecastEvent[]): void => {
    form.setFieldValue('events', events)
    for (const field of ['name', 'from', 'to', 'effect.value']) form.clearFieldError(`events.${at}.${field}`)
  }
  const change = (over: Partial<ForecastEvent>): void =>
    put(values.events.map((one, place) => (place === at ? { ...one, ...over } : one)))
  const called = event.name.trim() === '' ? `event ${at + 1}` : event.name
  const fault = (field: string) => errors[`events.${at}.${field}`]
  return (
    <li className={classes.scenario} aria-label={called}>
      <div className={classes.fields}>
        <TextInput
          label="Name"
          placeholder="Strike"
          className={classes.name}
          maxLength={NAME_MAX_CHARS}
          value={event.name}
          error={fault('name')}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        />
        <RemoveButton
          label={`Remove ${called}`}
          onClick={() => put(values.events.filter((_, place) => place !== at))}
        />
      </div>
      <div className={classes.fields}>
        {(['from', 'to'] as const).map((end) => (
          <DateField
            key={end}
            label={end === 'from' ? 'From' : 'To'}
            className={classes.period}
            value={event[end]}
            error={fault(end)}
            onChange={(day) => change({ [end]: day })}
          />
        ))}
      </div>
      <EventEffectFields {...{ event, form, change }} error={fault('effect.value')} />
    </li>
  )
}

interface EventEffectFieldsProps extends Pick<EventRowProps, 'event' | 'form'> {
  change: (over: Partial<ForecastEvent>) => void
  error: unknown
}
function EventEffectFields({ event, form, change, error }: EventEffectFieldsProps) {
  const { effect } = event
  const grain = ALERT_GRAIN_LABELS[form.values.grain]
  return (
    <Stack gap={4}>
      <div className={classes.fields}>
        <Select
          label="Effect"
          className={classes.kind}
          data={[
            { value: 'leaveOut', label: 'Exclude' },
            { value: 'amount', label: `Amount per ${grain}` },
          ]}
          value={effect.kind}
          onChange={(kind) => change({ effect: kind === 'amount' ? { kind, value: 0 } : { kind: 'leaveOut' } })}
        />
        {effect.kind === 'amount' && (
          <AmountInput
            label="Amount"
            className={classes.amount}
            value={effect.value}
            error={typeof error === 'string' ? error : undefined}
            onChange={(value) => change({ effect: { kind: 'amount', value } })}
          />
        )}
      </div>
      <Text size="xs" c="dimmed">
        {effect.kind === 'leaveOut'
          ? `Excludes past ${grain}s; the forecast is unchanged.`
          : `Removed from past ${grain}s, added to future ones.`}
      </Text>
    </Stack>
  )
}
