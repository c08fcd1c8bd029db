import { VersionConflictAlert } from '../../ui/forms/version-conflict-dialog'
import { conflictingVersion } from '../../lib/error-details'
import type { UseFormReturnType } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { toMetricInput, toMetricFormValues, type MetricFormContext, type MetricFormValues } from './metric-form-values'
import { createMetric, metricQuery, updateMetric } from './queries'
import { adoptSaved } from '../../lib/writes/changed-values'
import { fieldErrors } from '../../ui/forms/form-error'
import type { Metric } from '../../../src/shared/metrics'

const METRIC_FIELDS = ['name', 'synonyms', 'description', 'dataset', 'formula', 'filters', 'time', 'format']
const isMetric = (value: object): value is Metric => 'formula' in value && 'version' in value

export function useSaveMetric(
  metric: Metric | null,
  form: UseFormReturnType<MetricFormValues>,
  { onSaved, ...context }: MetricFormContext & { onSaved: () => void },
) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const applySaved = (saved: Metric): void => {
    adoptSaved(form, toMetricFormValues(saved, context.dataset))
    void client.invalidateQueries({ queryKey: ['metrics'], refetchType: 'none' })
    client.setQueryData(metricQuery(saved.id).queryKey, saved)
    void client.invalidateQueries({ queryKey: ['figures'] })
  }
  const saving = useMutation({
    mutationFn: (overwriteVersion: number | undefined) => {
      const input = toMetricInput(form.getValues(), context)
      return metric
        ? updateMetric(metric.id, { ...input, version: overwriteVersion ?? metric.version })
        : createMetric(input)
    },
    onSuccess: (saved) => {
      onSaved()
      applySaved(saved)
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
    save: (versionToOverwrite?: number) => saving.mutate(versionToOverwrite),
    isSaving: saving.isPending,
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
