import { Button, Divider, Group, Modal, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMediaQuery } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { createAlertSchema } from '../../../src/shared/alerts'
import type { Alert } from '../../../src/shared/alerts'
import type { Insight } from '../../../src/shared/insights'
import type { Metric } from '../../../src/shared/metrics'
import { ApiError } from '../../lib/api'
import { metricsQuery } from '../../lib/filters/catalogue'
import { useSession } from '../../lib/session'
import { checkWith } from '../../lib/validate-form'
import { applyFieldErrors, fieldErrors, FormError } from '../../ui/form-error'
import { bandValues, emptyValues, inputOf, isComplete, isPercent, valuesOf } from './alert-values'
import type { AlertValues } from './alert-values'
import type { BandChoice } from './band-fields'
import { ConditionFields } from './condition-fields'
import { PeopleFields } from './people-fields'
import { forecastsQuery, subjectsQuery, useCreateAlert, useUpdateAlert } from './queries'
import { SubjectFields } from './subject-fields'
import { TestRunOf } from './test-run'

const FIELDS = ['name', 'subject', 'receivers', 'condition', 'hold', 'reminderDays']
const codeOf = (error: unknown): string | null => (error instanceof ApiError ? error.body.code : null)

/** What a new alert is about, where that is clear. */
export type NewSubject = { insight: Insight; metric?: never } | { metric: Metric; insight?: never }
interface AlertDialogProps {
  /** Null: a new one. */
  alert: Alert | null
  insight?: Insight
  metric?: Metric
  /** Its band is watched. */
  forecast?: BandChoice
  onClose: () => void
}

/** A new alert or an old one, with what it would have done beside it. */
export function AlertDialog(props: AlertDialogProps) {
  const subjects = useQuery(subjectsQuery())
  const metrics = useQuery(metricsQuery())
  const narrow = useMediaQuery('(max-width: 40em)') ?? false
  const title = props.alert ? `Edit ${props.alert.name}` : 'New alert'
  return (
    <Modal opened onClose={props.onClose} title={title} size="lg" fullScreen={narrow}>
      {(subjects.error ?? metrics.error) && <FormError error={subjects.error ?? metrics.error} />}
      {subjects.data && metrics.data && (
        <AlertForm {...props} insights={withOwn(subjects.data, props.insight)} metrics={metrics.data} />
      )}
    </Modal>
  )
}
const withOwn = (all: readonly Insight[], own: Insight | undefined): Insight[] =>
  own && !all.some(({ id }) => id === own.id) ? [own, ...all] : [...all]

/** What the workspace has: figures that can be watched, and what they stand for. */
interface Known {
  insights: Insight[]
  metrics: readonly Metric[]
}

function AlertForm({ alert, insight, metric, forecast: own, insights, metrics, onClose }: AlertDialogProps & Known) {
  const me = useSession().user?.id ?? ''
  const form = useForm<AlertValues>({ initialValues: startOf(alert, { me, insight, own, insights, metrics }) })
  const create = useCreateAlert()
  const update = useUpdateAlert()
  const { error, isPending } = alert ? update : create
  const chosen = insights.find(({ id }) => id === form.values.insightId)
  const subject = subjectFor(alert, form.values, metric)
  const percent =
    metric || alert?.subject.kind === 'metric'
      ? isPercentMetric(metric, alert)
      : isPercent(chosen, form.values.measure, metrics)
  const forecasts = useForecastsOf(insight ?? metric, own)
  const band = form.values.trigger === 'band'
  const forecast = forecasts.find(({ id }) => id === form.values.forecastId)
  const input = inputOf(form.values, { subject, percent, forecast })
  const save = (): void => {
    if (!input && band) return form.setFieldError('forecastId', 'Choose a forecast.')
    if (!input) return form.setFieldError('insightId', 'Choose what to watch.')
    const faults = checkWith(createAlertSchema)(input)
    const first = Object.entries(faults)
    if (first.length > 0) return form.setErrors(Object.fromEntries(first.map(([path, said]) => [fieldOf(path), said])))
    const after = {
      onSuccess: (saved: Alert) => {
        notifications.show({
          color: 'green',
          message: alert ? `${saved.name} saved.` : `${saved.name} is watching now.`,
        })
        onClose()
      },
      onError: (problem: unknown) => {
        if (codeOf(problem) === 'name_taken') form.setFieldError('name', 'Another alert has this name.')
        else applyFieldErrors(form, problem, FIELDS)
        const said = fieldErrors(problem)?.['condition']
        if (band && said !== undefined) form.setFieldError('forecastId', said)
      },
    }
    if (alert) update.mutate({ ...input, id: alert.id, version: alert.version }, after)
    else create.mutate(input, after)
  }
  const shown = codeOf(error) === 'name_taken' || fieldErrors(error) !== null ? null : error
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <Stack gap="md">
        <FormError error={shown} />
        <TextInput
          data-autofocus
          label="Name"
          placeholder="Margin is slipping"
          maxLength={80}
          {...form.getInputProps('name')}
        />
        {!band && (
          <SubjectFields
            form={form}
            insights={insights}
            metric={metric}
            fixed={insight !== undefined || metric !== undefined || alert?.subject.kind === 'metric'}
          />
        )}
        <ConditionFields form={form} percent={percent} forecasts={forecasts} />
        <PeopleFields form={form} />
        {alert && (
          <Switch
            label="Watching"
            description="Off: nothing is checked and nobody is told."
            {...form.getInputProps('active', { type: 'checkbox' })}
          />
        )}
        <Divider />
        <div aria-live="polite">
          <Text fw={600} size="sm" mb={4}>
            Tried on the last twelve complete periods
          </Text>
          {input && isComplete(form.values) ? (
            <TestRunOf rules={input} />
          ) : (
            <Text size="sm" c="dimmed">
              Say what to watch and when, and see here when it would have gone off.
            </Text>
          )}
        </div>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending}>
            {alert ? 'Save alert' : 'Make alert'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Those of what it is about, where that is clear. */
function useForecastsOf(about: { id: string } | undefined, own: BandChoice | undefined): BandChoice[] {
  const { data = [] } = useQuery({ ...forecastsQuery(), enabled: own === undefined })
  if (own) return [own]
  const id = about?.id
  return id === undefined ? data : data.filter(({ subject }) => subject.id === id)
}

function startOf(
  alert: Alert | null,
  {
    me,
    insight,
    own,
    insights,
    metrics,
  }: Known & { me: string; insight: Insight | undefined; own: BandChoice | undefined },
): AlertValues {
  if (!alert && own) return bandValues(me, own)
  if (!alert) return emptyValues(me, insight ?? null)
  const { subject } = alert
  const watched = subject.kind === 'insight' ? insights.find(({ id }) => id === subject.id) : undefined
  const percent =
    subject.kind === 'insight' ? isPercent(watched, subject.measure, metrics) : isPercentMetric(undefined, alert)
  return valuesOf(alert, percent)
}

/** Whether figures of a metric are read as per cent: as it is shown, or as it was when last looked at. */
const isPercentMetric = (metric: Metric | undefined, alert: Alert | null): boolean =>
  (metric ?? alert)?.format?.style === 'percent'

/** An alert on a metric keeps its metric. */
function subjectFor(alert: Alert | null, { insightId, measure }: AlertValues, metric: Metric | undefined) {
  if (metric) return { kind: 'metric' as const, id: metric.id }
  if (insightId !== null) return { kind: 'insight' as const, id: insightId, measure }
  return alert?.subject.kind === 'metric' ? alert.subject : null
}

/** Where the form shows what the contract says of a part of it. */
function fieldOf(path: string): string {
  const [head = '', second = ''] = path.split('.')
  if (second === 'level') return 'forecastLevel'
  if (head === 'condition') return second === '' || second === 'kind' ? 'limit' : second
  if (head === 'hold') return 'holdN'
  return head === 'subject' ? 'insightId' : head
}
