import type { UseFormReturnType } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { inputOf, valuesOf } from './metric-values'
import type { Around, MetricValues } from './metric-values'
import { createMetric, metricQuery, updateMetric } from './queries'
import { ApiError } from '../../lib/api'
import { fieldErrors } from '../../ui/form-error'
import type { Metric } from '../../../src/shared/metrics'

const KNOWN = ['name', 'synonyms', 'description', 'dataset', 'formula', 'filters', 'time', 'format']
const isMetric = (value: unknown): value is Metric =>
  typeof value === 'object' && value !== null && 'formula' in value && 'version' in value

/** What somebody else saved meanwhile, when that is why the server refused. */
const theirsOf = (error: unknown): Metric | null => {
  if (!(error instanceof ApiError) || error.body.code !== 'version_conflict') return null
  const current: unknown = error.body['current']
  return isMetric(current) ? current : null
}

export function useMetricSaving(metric: Metric | null, form: UseFormReturnType<MetricValues>, around: Around) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const adopt = (saved: Metric): void => {
    form.setInitialValues(valuesOf(saved, around.dataset))
    form.setValues(valuesOf(saved, around.dataset))
    void client.invalidateQueries({ queryKey: ['metrics'], refetchType: 'none' })
    client.setQueryData(metricQuery(saved.id).queryKey, saved)
    void client.invalidateQueries({ queryKey: ['figures'] })
  }
  const saving = useMutation({
    mutationFn: (over: number | undefined) => {
      const input = inputOf(form.getValues(), around)
      return metric ? updateMetric(metric.id, { ...input, version: over ?? metric.version }) : createMetric(input)
    },
    onSuccess: (saved) => {
      adopt(saved)
      notifications.show({ color: 'green', message: metric ? 'Metric saved.' : 'Metric made.' })
      if (!metric) void navigate({ to: '/metrics/$id', params: { id: saved.id } })
    },
    onError: (error) => form.setErrors(fieldErrors(error) ?? {}),
  })
  const fields = fieldErrors(saving.error)
  const isBeside = fields !== null && Object.keys(fields).every((path) => KNOWN.includes(path.split('.')[0] ?? path))
  const theirs = theirsOf(saving.error)
  return {
    save: (over?: number) => saving.mutate(over),
    isSaving: saving.isPending,
    theirs,
    error: isBeside || theirs ? null : saving.error,
    takeTheirs: () => {
      if (theirs) adopt(theirs)
      saving.reset()
    },
  }
}
export type MetricSaving = ReturnType<typeof useMetricSaving>
