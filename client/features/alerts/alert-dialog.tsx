import { MutedText } from '../../ui/muted-text'
import { DialogForm } from '../../ui/forms/form-dialog'
import { NumberInput, SimpleGrid, Divider, Switch, Text, TextInput } from '@mantine/core'
import { MultiSelect } from '../../ui/forms/multi-select'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useMediaQuery } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import {
  RECEIVERS_MAX,
  REMINDER_DAYS_MAX,
  TEST_PERIODS,
  createAlertSchema,
  type Alert,
} from '../../../src/shared/alerts'
import {
  forecastAlertValues,
  emptyAlertValues,
  toAlertInput,
  isTestable,
  isPercentMeasure,
  toAlertFormValues,
} from './alert-form-values'
import type { AlertFormValues, ForecastOption } from './alert-form-values'
import {
  alertRecipientsQuery,
  alertableForecastsQuery,
  alertableInsightsQuery,
  useCreateAlert,
  useUpdateAlert,
} from './queries'
import type { Insight } from '../../../src/shared/insights'
import type { Metric } from '../../../src/shared/metrics'
import { ApiError } from '../../lib/api'
import { metricsQuery } from '../../lib/query-builder/catalogue'
import { useSession } from '../../lib/session'
import { formValidator } from '../../lib/validate-form'
import { useFormDraft } from '../../lib/writes/kept-draft'
import { DraftNotice } from '../../ui/forms/draft-notice'
import { applyFieldErrors, fieldErrors, FormError } from '../../ui/forms/form-error'
import { ConditionFields } from './condition-fields'
import { SubjectFields } from './subject-fields'
import { AlertTestRunPanel } from './test-run'
import { Dialog } from '../../ui/dialog'

function RecipientFields({ form }: { form: UseFormReturnType<AlertFormValues> }) {
  const people = useQuery(alertRecipientsQuery())
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <MultiSelect
        label="Notify"
        placeholder={form.values.receivers.length === 0 ? 'No one' : ''}
        searchable
        maxValues={RECEIVERS_MAX}
        data={(people.data ?? []).map(({ userId, name }) => ({ value: userId, label: name }))}
        {...form.getInputProps('receivers')}
      />
      <NumberInput
        label="Remind every"
        placeholder="No reminder"
        suffix=" days"
        min={1}
        max={REMINDER_DAYS_MAX}
        allowDecimal={false}
        {...form.getInputProps('reminderDays')}
      />
    </SimpleGrid>
  )
}

const ALERT_FIELDS = ['name', 'subject', 'receivers', 'condition', 'hold', 'reminderDays']
const errorCodeOf = (error: unknown): string | null => (error instanceof ApiError ? error.body.code : null)

/** What a new alert is about, where that is clear. */
export type NewAlertSubject = { insight: Insight; metric?: never } | { metric: Metric; insight?: never }
interface AlertDialogProps {
  /** Null: a new one. */
  alert: Alert | null
  insight?: Insight
  metric?: Metric
  /** Its prediction interval is watched. */
  forecast?: ForecastOption
  onClose: () => void
}

/** A new alert or an old one, with what it would have done beside it. */
export function AlertDialog(props: AlertDialogProps) {
  const subjects = useQuery(alertableInsightsQuery())
  const metrics = useQuery(metricsQuery())
  const narrow = useMediaQuery('(max-width: 40em)') ?? false
  const title = props.alert ? `Edit ${props.alert.name}` : 'New alert'
  return (
    <Dialog opened onClose={props.onClose} title={title} size="lg" fullScreen={narrow}>
      {(subjects.error ?? metrics.error) && <FormError error={subjects.error ?? metrics.error} />}
      {subjects.data && metrics.data && (
        <AlertForm {...props} insights={includeInsight(subjects.data, props.insight)} metrics={metrics.data} />
      )}
    </Dialog>
  )
}
const includeInsight = (all: readonly Insight[], own: Insight | undefined): Insight[] =>
  own && !all.some(({ id }) => id === own.id) ? [own, ...all] : [...all]

interface AlertFormData {
  insights: Insight[]
  metrics: readonly Metric[]
}

function AlertForm({
  alert,
  insight,
  metric,
  forecast: preselectedForecast,
  insights,
  metrics,
  onClose,
}: AlertDialogProps & AlertFormData) {
  const me = useSession().user?.id ?? ''
  const form = useForm<AlertFormValues>({
    initialValues: initialAlertValues(alert, { me, insight, own: preselectedForecast, insights, metrics }),
  })
  const draft = useFormDraft(form, {
    name: `alert:${alert?.id ?? `new:${[insight, metric, preselectedForecast].map((of) => of?.id ?? '').join(':')}`}`,
    base: alert ? String(alert.version) : null,
  })
  const create = useCreateAlert()
  const update = useUpdateAlert()
  const { error, isPending } = alert ? update : create
  const chosen = insights.find(({ id }) => id === form.values.insightId)
  const subject = subjectInputFor(alert, form.values, metric)
  const percent =
    metric || alert?.subject.kind === 'metric'
      ? isPercentMetric(metric, alert)
      : isPercentMeasure(chosen, form.values.measure, metrics)
  const forecasts = useForecastOptions(insight ?? metric, preselectedForecast)
  const band = form.values.trigger === 'band'
  const forecast = forecasts.find(({ id }) => id === form.values.forecastId)
  const input = toAlertInput(form.values, { subject, percent, forecast })
  const save = (): void => {
    if (!input && band) return form.setFieldError('forecastId', 'Choose a forecast')
    if (!input) return form.setFieldError('insightId', 'Choose an insight')
    if (lacksThreshold(form.values)) return form.setFieldError('limit', 'Enter a threshold')
    const faults = formValidator(createAlertSchema)(input)
    const first = Object.entries(faults)
    if (first.length > 0)
      return form.setErrors(Object.fromEntries(first.map(([path, said]) => [formFieldOf(path), said])))
    const after = {
      onSuccess: () => {
        draft.clear()
        notifications.show({
          color: 'green',
          message: alert ? 'Alert saved' : 'Alert created',
        })
        onClose()
      },
      onError: (problem: unknown) => {
        if (errorCodeOf(problem) === 'name_taken') form.setFieldError('name', 'Name already used')
        else applyFieldErrors(form, problem, ALERT_FIELDS)
        const conditionError = fieldErrors(problem)?.['condition']
        if (band && conditionError !== undefined) form.setFieldError('forecastId', conditionError)
      },
    }
    if (alert) update.mutate({ ...input, id: alert.id, version: alert.version }, after)
    else create.mutate(input, after)
  }
  const formError = errorCodeOf(error) === 'name_taken' || fieldErrors(error) !== null ? null : error
  return (
    <DialogForm
      submit={alert ? 'Save alert' : 'Create alert'}
      pending={isPending}
      onSubmit={save}
      onClose={() => {
        draft.clear()
        onClose()
      }}
    >
      <DraftNotice draft={draft} />
      <FormError error={formError} />
      <TextInput data-autofocus label="Name" placeholder="Low margin" maxLength={80} {...form.getInputProps('name')} />
      {!band && (
        <SubjectFields
          form={form}
          insights={insights}
          metric={metric}
          fixed={insight !== undefined || metric !== undefined || alert?.subject.kind === 'metric'}
        />
      )}
      <ConditionFields form={form} percent={percent} forecasts={forecasts} />
      <RecipientFields form={form} />
      {alert && <Switch label="Active" {...form.getInputProps('active', { type: 'checkbox' })} />}
      <Divider />
      <div aria-live="polite">
        <Text fw={600} size="sm" mb={4}>
          Last {TEST_PERIODS} complete periods
        </Text>
        {input && isTestable(form.values) ? (
          <AlertTestRunPanel rules={input} />
        ) : (
          <MutedText>Set a condition to preview triggers.</MutedText>
        )}
      </div>
    </DialogForm>
  )
}

const lacksThreshold = ({ trigger, limit }: AlertFormValues): boolean =>
  (trigger === 'above' || trigger === 'below') && limit === ''

function useForecastOptions(about: { id: string } | undefined, own: ForecastOption | undefined): ForecastOption[] {
  const { data = [] } = useQuery({ ...alertableForecastsQuery(), enabled: own === undefined })
  if (own) return [own]
  const id = about?.id
  return id === undefined ? data : data.filter(({ subject }) => subject.id === id)
}

function initialAlertValues(
  alert: Alert | null,
  {
    me,
    insight,
    own,
    insights,
    metrics,
  }: AlertFormData & { me: string; insight: Insight | undefined; own: ForecastOption | undefined },
): AlertFormValues {
  if (!alert && own) return forecastAlertValues(me, own)
  if (!alert) return emptyAlertValues(me, insight ?? null)
  const { subject } = alert
  const watched = subject.kind === 'insight' ? insights.find(({ id }) => id === subject.id) : undefined
  const percent =
    subject.kind === 'insight' ? isPercentMeasure(watched, subject.measure, metrics) : isPercentMetric(undefined, alert)
  return toAlertFormValues(alert, percent)
}

/** Whether figures of a metric are read as per cent: as it is shown, or as it was when last looked at. */
const isPercentMetric = (metric: Metric | undefined, alert: Alert | null): boolean =>
  (metric ?? alert)?.format?.style === 'percent'

/** An alert on a metric keeps its metric. */
function subjectInputFor(alert: Alert | null, { insightId, measure }: AlertFormValues, metric: Metric | undefined) {
  if (metric) return { kind: 'metric' as const, id: metric.id }
  if (insightId !== null) return { kind: 'insight' as const, id: insightId, measure }
  return alert?.subject.kind === 'metric' ? alert.subject : null
}

/** Where the form shows what the contract says of a part of it. */
function formFieldOf(path: string): string {
  const [head = '', second = ''] = path.split('.')
  if (second === 'level') return 'forecastLevel'
  if (head === 'condition') return second === '' || second === 'kind' ? 'limit' : second
  if (head === 'hold') return 'holdN'
  return head === 'subject' ? 'insightId' : head
}
