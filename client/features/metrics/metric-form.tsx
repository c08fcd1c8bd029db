import { Button, Group, SegmentedControl, Select, Stack, TagsInput, Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { UseFormReturnType } from '@mantine/form'
import { useCallback, useMemo } from 'react'
import type { ReactNode } from 'react'
import { FiltersField } from './filters-field'
import { FormulaField } from './formula-field'
import { MetricActions } from './metric-actions'
import { MetricConflict } from './metric-conflict'
import { Verified } from './metrics-screen'
import classes from './metrics.module.css'
import { checkMetric, newValues, timeOf, valuesOf } from './metric-values'
import type { Around, Begin, MetricValues } from './metric-values'
import { choicesFor, isTemporal } from '../../lib/filters/fields'
import type { DraftDataset } from '../../lib/filters/fields'
import { useSession } from '../../lib/session'
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
  { value: '', label: 'Only where an insight says so' },
  { value: 'transaction', label: 'By the rate of each day' },
  { value: 'average', label: 'By the average of the month' },
  { value: 'closing', label: 'By the last rate of the month' },
  { value: 'budget', label: 'By the budget rate' },
]

interface MetricFormProps {
  metric: Metric | null
  datasets: readonly SourcedDataset[]
  /** Gives a dataset what joins to it. */
  link: (dataset: SourcedDataset) => DraftDataset
  /** What follows the figure, under the form. */
  watch?: ReactNode
  /** What a new one begins with. */
  begin?: Begin
}

/** Everything that a metric says, with the figures that follow from it. */
export function MetricForm({ metric, datasets, link, watch, begin = {} }: MetricFormProps) {
  const may = useMayNow('edit:metric')
  const aroundOf = useAround(metric, { datasets, link })
  const form = useForm<MetricValues>({
    initialValues: metric ? valuesOf(metric, aroundOf(metric.dataset).dataset) : newValues(datasets, begin),
    validate: (values) => checkMetric(values, aroundOf(values.dataset)),
  })
  const around = useMemo(() => aroundOf(form.values.dataset), [aroundOf, form.values.dataset])
  const saving = useMetricSaving(metric, form, around)
  return (
    <>
      <PageHeader
        above={
          <Group gap="sm">
            <LinkAnchor to="/metrics">Metrics</LinkAnchor>
            {metric?.verified && <Verified by={metric.verified.byName} />}
          </Group>
        }
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
              <DataField form={form} datasets={datasets} around={around} />
              <FormulaField form={form} metric={metric} around={around} />
              {around.dataset && <FiltersField form={form} dataset={around.dataset} may={may} />}
            </SectionCard>
            <NameFields form={form} />
            <ShownFields form={form} may={may} />
            {metric && <UsedBy id={metric.id} />}
            {may && <SaveBar metric={metric} isDirty={form.isDirty()} isSaving={saving.isSaving} />}
          </Stack>
        </fieldset>
      </form>
      {watch && (
        <Stack gap="md" mt="md">
          {watch}
        </Stack>
      )}
    </>
  )
}

/** What the form is read beside, by the data that is chosen. */
function useAround(metric: Metric | null, { datasets, link }: Pick<MetricFormProps, 'datasets' | 'link'>) {
  const currency = useSession().workspace?.settings.currency ?? 'EUR'
  return useCallback(
    (id: string): Around => {
      const dataset = datasets.find((one) => one.id === id)
      return { currency, kept: metric, dataset: dataset && link(dataset) }
    },
    [currency, metric, datasets, link],
  )
}

type FormProps = Pick<DataFieldProps, 'form'>

const NameFields = ({ form }: FormProps) => (
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
)

const ShownFields = ({ form, may }: FormProps & { may: boolean }) => (
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
)

function SaveBar({ metric, isDirty, isSaving }: { metric: Metric | null; isDirty: boolean; isSaving: boolean }) {
  return (
    <Group justify="flex-end" gap="sm">
      {metric?.verified && isDirty && (
        <Text size="sm" c="dimmed" mr="auto">
          When what it measures changes, it is no longer verified.
        </Text>
      )}
      <Button type="submit" loading={isSaving} disabled={metric !== null && !isDirty}>
        {metric ? 'Save metric' : 'Make metric'}
      </Button>
    </Group>
  )
}

interface DataFieldProps {
  form: UseFormReturnType<MetricValues>
  datasets: readonly SourcedDataset[]
  around: Around
}

/** Whose rows are measured, and what says when they happened. */
function DataField({ form, datasets, around }: DataFieldProps) {
  const dated = around.dataset ? choicesFor(around.dataset, 'splits', isTemporal) : []
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
          if (next) form.setValues({ dataset: next.id, time: timeOf(next), filters: [] })
        }}
      />
      <Select
        {...form.getInputProps('time')}
        label="When it happened"
        allowDeselect={false}
        data={[
          { value: '', label: 'No date' },
          ...dated.map(({ key, column, group }) => ({
            value: key,
            label: group === null ? column.label : `${column.label} · ${group}`,
          })),
        ]}
      />
    </Group>
  )
}
