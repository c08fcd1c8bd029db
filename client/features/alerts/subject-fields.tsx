import { Select, SimpleGrid } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { ALERT_GRAINS, ALERT_GRAIN_LABELS } from '../../../src/shared/alerts'
import type { Insight } from '../../../src/shared/insights'
import type { Metric } from '../../../src/shared/metrics'
import { timeFieldOf } from '../../../src/shared/monitored-metric'
import type { Measure } from '../../../src/shared/query/plan'
import type { Dataset } from '../../../src/shared/data-sources/data-sources'
import { TERMS } from '../../../src/shared/terms'
import { capitalize } from '../../../src/shared/text'
import type { AlertFormValues } from './alert-form-values'
import { AGGREGATE_LABELS } from '../../lib/query-builder/aggregate-labels'
import { datasetQuery } from '../../lib/queries/data-source-queries'

interface SubjectFieldsProps {
  form: UseFormReturnType<AlertFormValues>
  insights: readonly Insight[]
  metric: Metric | undefined
  /** It is clear what it is about. */
  fixed: boolean
}

/** What is watched: a figure of an insight, by period, of the whole or of each member. */
export function SubjectFields({ form, insights, metric, fixed }: SubjectFieldsProps) {
  const { values } = form
  const chosen = insights.find(({ id }) => id === values.insightId)
  const time = metric ? metric.time : chosen && timeFieldOf(chosen.plan)
  const dataset = useQuery({ ...datasetQuery(time?.dataset ?? ''), enabled: time !== undefined && time !== null })
  const measures = chosen?.plan.measures ?? []
  const finding = values.trigger === 'finding'
  return (
    <>
      {!fixed && (
        <Select
          allowDeselect
          label="Insight"
          placeholder="Choose an insight"
          searchable
          data={insights
            .filter(({ plan }) => timeFieldOf(plan) !== null && plan.measures.length > 0)
            .map(({ id, name }) => ({ value: id, label: name }))}
          nothingFoundMessage="No insights found"
          {...form.getInputProps('insightId')}
          onChange={(id) => form.setValues({ insightId: id, measure: 0, member: null })}
        />
      )}
      {measures.length > 1 && (
        <Select
          label={TERMS.measure}
          data={measures.map((measure, at) => ({ value: String(at), label: measureName(measure, at, dataset.data) }))}
          value={String(values.measure)}
          onChange={(at) => form.setFieldValue('measure', Number(at ?? 0))}
        />
      )}
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
        <Select
          label="Period"
          data={ALERT_GRAINS.map((grain) => ({ value: grain, label: capitalize(ALERT_GRAIN_LABELS[grain]) }))}
          {...form.getInputProps('grain')}
        />
        <Select
          label="Evaluated period"
          disabled={finding}
          data={[
            { value: 'complete', label: 'Last complete' },
            { value: 'running', label: 'Current' },
          ]}
          {...form.getInputProps('on')}
        />
        <Select
          allowDeselect
          label={TERMS.breakDownBy}
          placeholder={TERMS.total}
          clearable
          searchable
          disabled={finding || !dataset.data}
          data={dimensionOptions(dataset.data)}
          value={values.member?.field.column ?? null}
          onChange={(key) => {
            const column = dataset.data?.columns.find((one) => one.key === key)
            const member = column && time ? { field: { dataset: time.dataset, column: column.key } } : null
            form.setFieldValue('member', member)
          }}
        />
      </SimpleGrid>
    </>
  )
}

const dimensionOptions = (dataset: Dataset | undefined) =>
  (dataset?.columns ?? [])
    .filter(({ role, type, hidden }) => !hidden && role === 'dimension' && (type === 'text' || type === 'boolean'))
    .map(({ key, label }) => ({ value: key, label }))

function measureName(measure: Measure, at: number, dataset: Dataset | undefined): string {
  if (measure.label !== undefined) return measure.label
  if (measure.kind !== 'column') return `Measure ${at + 1}`
  const column = dataset?.columns.find(({ key }) => key === measure.field?.column)
  return column ? `${AGGREGATE_LABELS[measure.agg]} of ${column.label}` : 'Number of rows'
}
