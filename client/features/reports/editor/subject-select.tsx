import { Select, type SelectProps } from '@mantine/core'
import type { SubjectRef } from '../../../../src/shared/monitored-metric'
import { humanizeLabel } from '../../../../src/shared/text'
import { usePickableInsights, usePickableMetrics } from './pickable'

const keyOf = (subject: SubjectRef): string =>
  subject.kind === 'metric' ? subject.id : `${subject.id}:${subject.measure}`

interface SubjectSelectProps extends Pick<SelectProps, 'label' | 'size'> {
  value: SubjectRef
  onChange: (subject: SubjectRef) => void
}

/** A figure: a metric, or a measure of an insight. */
export function SubjectSelect({ value, onChange, ...field }: SubjectSelectProps) {
  const metrics = usePickableMetrics()
  const insights = usePickableInsights()
  const ofInsights = insights.items.flatMap(({ id, name, plan }) =>
    plan.measures.map((measure, at) => ({
      value: `${id}:${at}`,
      label: plan.measures.length > 1 && measure.label ? `${name}: ${humanizeLabel(measure.label)}` : name,
      subject: { kind: 'insight' as const, id, measure: at },
    })),
  )
  const ofMetrics = metrics.items.map(({ id, name }) => ({
    value: id,
    label: name,
    subject: { kind: 'metric' as const, id },
  }))
  const known = [...ofMetrics, ...ofInsights]
  const key = keyOf(value)
  const isKnown = known.some((one) => one.value === key)
  return (
    <Select
      {...field}
      {...(field.label === undefined ? { 'aria-label': 'Key figure' } : {})}
      searchable
      nothingFoundMessage="No match"
      data={[
        { group: 'Metrics', items: ofMetrics.map(({ value: id, label }) => ({ value: id, label })) },
        { group: 'Insights', items: ofInsights.map(({ value: id, label }) => ({ value: id, label })) },
        ...(isKnown ? [] : [{ group: 'Chosen', items: [{ value: key, label: 'Not available' }] }]),
      ]}
      value={key}
      onChange={(next) => {
        const found = known.find((one) => one.value === next)
        if (found) onChange(found.subject)
      }}
    />
  )
}
