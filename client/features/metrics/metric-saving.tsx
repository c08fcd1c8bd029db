import { VersionConflictAlert } from '../../ui/forms/version-conflict-dialog'
import { conflictingVersion } from '../../lib/error-details'
import type { UseFormReturnType } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { toMetricInput, toMetricFormValues, type MetricFormContext, type MetricFormValues } from './metric-form-values'
import { createMetric, metricQuery, updateMetric } from './queries'
import { changedValues } from '../../lib/writes/changed-values'
import { keepDraft } from '../../lib/writes/kept-draft'
import { fieldErrors } from '../../ui/forms/form-error'
import type { Metric } from '../../../src/shared/metrics'

const METRIC_FIELDS = ['name', 'synonyms', 'description', 'dataset', 'formula', 'filters', 'time', 'format']
/** What unsaved changes of a metric are kept by. */
export const metricDraftName = (metric: Pick<Metric, 'id'> | null): string => `metric:${metric?.id ?? 'new'}`
const isMetric = (value: object): value is Metric => 'formula' in value && 'version' in value

interface MetricSavingContext extends MetricFormContext {
  version: number
  adopt: (saved: { version: number; values: MetricFormValues }, changes?: Partial<MetricFormValues>) => void
  onSaved: () => void
}

export function useSaveMetric(
  metric: Metric | null,
  form: UseFormReturnType<MetricFormValues>,
  { onSaved, version, adopt, ...context }: MetricSavingContext,
) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const applySaved = (saved: Metric, changes: Partial<MetricFormValues> = {}): void => {
    adopt({ version: saved.version, values: toMetricFormValues(saved, context.dataset) }, changes)
    void client.invalidateQueries({ queryKey: ['metrics'], refetchType: 'none' })
    client.setQueryData(metricQuery(saved.id).queryKey, saved)
    void client.invalidateQueries({ queryKey: ['figures'] })
  }
  const saving = useMutation({
    mutationFn: ({ sent, over }: { sent: MetricFormValues; over: number }) => {
      const input = toMetricInput(sent, context)
      return metric ? updateMetric(metric.id, { ...input, version: over }) : createMetric(input)
    },
    onSuccess: (saved, { sent }) => {
      // What was entered while it was on its way is not saved yet; of a new metric it waits on the metric's own page.
      const entered = changedValues(form.getValues(), sent)
      onSaved()
      applySaved(saved, metric ? entered : {})
      if (!metric && Object.keys(entered).length > 0)
        keepDraft({ name: metricDraftName(saved), base: String(saved.version), value: entered })
      notifications.show({ color: 'green', message: metric ? 'Metric saved' : 'Metric created' })
      if (!metric) void navigate({ to: '/metrics/$id', params: { id: saved.id } })
    },
    onError: (error) => form.setErrors(fieldErrors(error) ?? {}),
  })
  const fields = fieldErrors(saving.error)
  const hasOnlyFieldErrors =
    fields !== null && Object.keys(fields).every((path) => METRIC_FIELDS.includes(path.split('.')[0] ?? path))
  const theirs = conflictingVersion(saving.error, isMetric)
  return {
    save: (over = version) => saving.mutate({ sent: form.getValues(), over }),
    isSaving: saving.isPending,
    /** A new metric is saved, and its own page on its way. */
    isCreated: saving.isSuccess && metric === null,
    theirs,
    error: hasOnlyFieldErrors || theirs ? null : saving.error,
    takeTheirs: () => {
      if (theirs) applySaved(theirs)
      saving.reset()
    },
  }
}
export type MetricSaving = ReturnType<typeof useSaveMetric>

export function MetricConflictAlert({ saving }: { saving: MetricSaving }) {
  const { theirs, save, takeTheirs } = saving
  if (!theirs) return null
  return (
    <VersionConflictAlert onKeepMine={() => save(theirs.version)} onTakeTheirs={takeTheirs}>
      Theirs: {theirs.name}, <code>{theirs.formula}</code>
    </VersionConflictAlert>
  )
}
