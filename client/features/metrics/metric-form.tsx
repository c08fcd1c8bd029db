import { Button, Group, SegmentedControl, Select, Stack, TagsInput, Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { UseFormReturnType } from '@mantine/form'
import { FormulaField } from './formula-field'
import { MetricActions } from './metric-actions'
import { MetricConflict } from './metric-conflict'
import classes from './metrics.module.css'
import { checkMetric, emptyValues, timeOf, valuesOf } from './metric-values'
import type { MetricValues } from './metric-values'
import type { SourcedDataset } from '../../lib/loaded-datasets'
import { UsedBy } from './used-by'
import { useMetricSaving } from './use-metric-saving'
import { useMayNow } from '../../lib/gate'
import { FormError } from '../../ui/form-error'
import { LinkAnchor } from '../../ui/links'
import { PageHeader } from '../../ui/page-header'
import { SectionCard } from '../../ui/section-card'
import type { Metric } from '../../../src/shared/metrics'

const DIRECTIONS = [
  { value: 'up', label: 'More is better' },
  { value: 'down', label: 'Less is better' },
  { value: 'none', label: 'Neither' },
]
const FORMATS = [
  { value: 'auto', label: 'As its columns are' },
  { value: 'plain', label: 'Plain number' },
  { value: 'percent', label: 'Per cent' },
  { value: 'currency', label: 'Money' },
]
const MODES = [
  { value: '', label: 'By the rate of each day' },
  { value: 'average', label: 'By the average of the month' },
  { value: 'closing', label: 'By the last rate of the month' },
  { value: 'budget', label: 'By the budget rate' },
]

/** Everything that a metric says, with the figures that follow from it. */
export function MetricForm({ metric, datasets }: { metric: Metric | null; datasets: readonly SourcedDataset[] }) {
  const may = useMayNow('edit:metric')
  const form = useForm<MetricValues>({
    initialValues: metric ? valuesOf(metric) : emptyValues(datasets[0]),
    validate: checkMetric,
  })
  const saving = useMetricSaving(metric, form)
  return (
    <>
      <PageHeader
        above={<LinkAnchor to="/metrics">Metrics</LinkAnchor>}
        title={metric?.name ?? 'New metric'}
        description={metric?.description}
        actions={metric && <MetricActions metric={metric} />}
      />
      <form onSubmit={form.onSubmit(() => saving.save())} noValidate>
        <fieldset disabled={!may} className={classes.fields}>
          <Stack gap="md">
            <MetricConflict saving={saving} />
            {saving.error !== null && <FormError error={saving.error} />}
            <SectionCard title="What it measures">
              <DataField form={form} datasets={datasets} />
              <FormulaField form={form} metric={metric} datasets={datasets} />
            </SectionCard>
            <SectionCard title="What it is called">
              <TextInput {...form.getInputProps('name')} label="Name" maxLength={80} required />
              <TagsInput
                {...form.getInputProps('synonyms')}
                label="Other names"
                description="Found and understood under these as well. Press Enter after each."
                maxTags={10}
              />
              <Textarea {...form.getInputProps('description')} label="Description" maxLength={500} rows={3} />
            </SectionCard>
            <SectionCard title="How it is shown">
              <Stack gap={4}>
                <Text size="sm" fw={500} id="metric-direction">
                  Which way is good
                </Text>
                <SegmentedControl
                  {...form.getInputProps('direction')}
                  aria-labelledby="metric-direction"
                  data={DIRECTIONS}
                  disabled={!may}
                />
              </Stack>
              <Group gap="md" align="flex-start" grow preventGrowOverflow={false} wrap="wrap">
                <Select {...form.getInputProps('format')} label="Shown as" data={FORMATS} allowDeselect={false} />
                <Select
                  {...form.getInputProps('currencyMode')}
                  label="Other currencies are converted"
                  data={MODES}
                  allowDeselect={false}
                />
              </Group>
            </SectionCard>
            {metric && <UsedBy id={metric.id} />}
            {may && (
              <Group justify="flex-end" gap="sm">
                {metric?.verified && form.isDirty() && (
                  <Text size="sm" c="dimmed" mr="auto">
                    When what it measures changes, it is no longer verified.
                  </Text>
                )}
                <Button type="submit" loading={saving.isSaving} disabled={metric !== null && !form.isDirty()}>
                  {metric ? 'Save metric' : 'Make metric'}
                </Button>
              </Group>
            )}
          </Stack>
        </fieldset>
      </form>
    </>
  )
}

interface DataFieldProps {
  form: UseFormReturnType<MetricValues>
  datasets: readonly SourcedDataset[]
}

/** Whose rows are measured, and what says when they happened. */
function DataField({ form, datasets }: DataFieldProps) {
  const dataset = datasets.find(({ id }) => id === form.values.dataset)
  const dated = (dataset?.columns ?? []).filter(({ type, hidden }) => !hidden && /^date/.test(type))
  return (
    <Group gap="md" align="flex-start" grow preventGrowOverflow={false} wrap="wrap">
      <Select
        {...form.getInputProps('dataset')}
        label="Data"
        searchable
        allowDeselect={false}
        data={datasets.map(({ id, name, sourceName }) => ({
          value: id,
          label: name === sourceName ? name : `${name} · ${sourceName}`,
        }))}
        onChange={(id) => {
          const next = datasets.find((one) => one.id === id)
          if (next) form.setValues({ dataset: next.id, time: timeOf(next) })
        }}
      />
      <Select
        {...form.getInputProps('time')}
        label="When it happened"
        allowDeselect={false}
        data={[{ value: '', label: 'No date' }, ...dated.map(({ key, label }) => ({ value: key, label }))]}
      />
    </Group>
  )
}
