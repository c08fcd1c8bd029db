import { MutedText } from '../../ui/muted-text'
import {
  Button,
  Stack,
  Text,
  List,
  Group,
  SegmentedControl,
  Select,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo, type ReactNode } from 'react'
import { answersNumbers, validateMetricForm, newMetricValues, toMetricFormValues } from './metric-form-values'
import type { MetricFormValues, MetricFormContext, NewMetricDefaults } from './metric-form-values'
import { fieldOptions, isTemporal, type BuilderDataset } from '../../lib/query-builder/catalogue'
import { newFilterDraft, type FilterDraft } from '../../lib/query-builder/filter-draft'
import { timeChoiceOf } from '../../lib/query-builder/time-column'
import { FilterList } from '../../lib/query-builder/filter-editor'
import { AddButton } from '../../ui/buttons/add-button'
import { dependentsQuery } from './queries'
import { LinkAnchor } from '../../ui/buttons/links'
import { SectionCard } from '../../ui/section-card'
import { TERMS } from '../../../src/shared/terms'
import type { MetricDependent, Metric } from '../../../src/shared/metrics'
import { FormulaField } from './formula-field'
import { MetricActions } from './metric-actions'
import { MetricConflictAlert, metricDraftName, useSaveMetric } from './metric-saving'
import { VerifiedMetricBadge } from './metrics-screen'
import classes from './metrics.module.css'
import { useSession } from '../../lib/session'
import type { DatasetWithSource } from '../../lib/queries/data-source-queries'
import { useMayWrite } from '../../lib/gate'
import { REPORT_PATHS } from '../../lib/report-paths'
import { useStoredVersion } from '../../lib/writes/stored-version'
import { useFormDraft, type KeptDraft } from '../../lib/writes/kept-draft'
import { DraftNotice } from '../../ui/forms/draft-notice'
import { FormError } from '../../ui/forms/form-error'
import { PageWithRail } from '../../ui/page-rail'
import { PageHeader } from '../../ui/page-header'
import { FormFooter } from '../../ui/forms/form-footer'

const METRIC_FILTERS_MAX = 10

interface MetricFiltersFieldProps extends MetricFieldsProps {
  dataset: BuilderDataset
  may: boolean
}

function MetricFiltersField({ form, dataset, may }: MetricFiltersFieldProps) {
  const { filters } = form.values
  const set = (next: FilterDraft[]): void => form.setFieldValue('filters', next)
  const missing = filters.flatMap((_, at) => form.errors[`filters.${at}`] ?? [])
  return (
    <Stack gap="sm" role="group" aria-label={TERMS.filters}>
      <Text size="sm" fw={500} aria-hidden="true">
        {TERMS.filters}
      </Text>
      <FilterList filters={filters} dataset={dataset} onChange={set} />
      {missing.length > 0 && (
        <Text size="sm" c="red" role="alert">
          {missing}
        </Text>
      )}
      {may && filters.length < METRIC_FILTERS_MAX && (
        <AddButton label="Add filter" onClick={() => set([...filters, newFilterDraft()])} />
      )}
    </Stack>
  )
}

function MetricDependents({ id }: { id: string }) {
  const used = useQuery(dependentsQuery(id))
  if (!used.data) return null
  return (
    <SectionCard title="Used by">
      {used.data.length === 0 ? (
        <Text c="dimmed">Not used yet</Text>
      ) : (
        <List>
          {used.data.map((one) => (
            <List.Item key={`${one.type} ${one.id}`}>
              <DependentLink dependent={one} />
            </List.Item>
          ))}
        </List>
      )}
    </SectionCard>
  )
}

const DEPENDENT_ROUTES = {
  ...{ insight: '/insights/$id', metric: '/metrics/$id', forecast: '/forecasts/$id', alert: '/alerts/$id' },
} as const

function DependentLink({ dependent: { type, id, name, kind } }: { dependent: MetricDependent }) {
  if (type === 'insight' || type === 'metric' || type === 'forecast' || type === 'alert')
    return (
      <LinkAnchor to={DEPENDENT_ROUTES[type]} params={{ id }}>
        {name}
      </LinkAnchor>
    )
  if (kind !== undefined)
    return (
      <LinkAnchor to={REPORT_PATHS[kind]} params={{ id }}>
        {name}
      </LinkAnchor>
    )
  return `${name} (${type})`
}

const METRIC_DIRECTION_OPTIONS = [
  { value: 'up', label: TERMS.higherIsBetter },
  { value: 'down', label: TERMS.lowerIsBetter },
  { value: 'none', label: 'Neither' },
]
const FORMAT_OPTIONS = [
  { value: 'auto', label: 'Same as source' },
  { value: 'plain', label: 'Number' },
  { value: 'percent', label: 'Percentage' },
  { value: 'currency', label: 'Currency' },
]
const CURRENCY_MODE_OPTIONS = [
  { value: '', label: 'Set by insight' },
  { value: 'transaction', label: 'Daily rate' },
  { value: 'average', label: 'Monthly average rate' },
  { value: 'closing', label: 'Month-end rate' },
  { value: 'budget', label: 'Budget rate' },
]

interface MetricFormProps {
  metric: Metric | null
  datasets: readonly DatasetWithSource[]
  link: (dataset: DatasetWithSource) => BuilderDataset
  monitoring?: ReactNode
  defaults?: NewMetricDefaults
}

export function MetricForm({ metric, datasets, link, monitoring, defaults = {} }: MetricFormProps) {
  const may = useMayWrite('edit:metric')
  const contextForDataset = useMetricFormContext(metric, { datasets, link })
  const form = useForm<MetricFormValues>({
    initialValues: metric
      ? toMetricFormValues(metric, contextForDataset(metric.dataset).dataset)
      : newMetricValues(datasets, link, defaults),
    validate: (values) => validateMetricForm(values, contextForDataset(values.dataset)),
  })
  const around = useMemo(() => contextForDataset(form.values.dataset), [contextForDataset, form.values.dataset])
  const [version, adopt] = useStoredVersion(form, {
    version: metric?.version ?? 0,
    values: metric ? toMetricFormValues(metric, contextForDataset(metric.dataset).dataset) : form.getInitialValues(),
  })
  const draft = useFormDraft(form, {
    name: may ? metricDraftName(metric) : null,
    base: metric ? String(version) : JSON.stringify(defaults),
  })
  const saving = useSaveMetric(metric, form, { ...around, version, adopt, onSaved: draft.clear })
  return (
    <>
      <PageHeader
        breadcrumb={
          <Group gap="sm">
            <LinkAnchor to="/metrics">Metrics</LinkAnchor>
            {metric?.verified && <VerifiedMetricBadge by={metric.verified.byName} />}
          </Group>
        }
        title={metric?.name ?? 'New metric'}
        description={metric?.description}
        actions={metric && <MetricActions metric={metric} />}
      />
      <DraftNotice draft={draft} />
      <PageWithRail rail={monitoring}>
        <form onSubmit={form.onSubmit(() => saving.save())} noValidate>
          <fieldset disabled={!may || saving.isCreated} className={classes.fields}>
            <Stack gap="md">
              <MetricConflictAlert saving={saving} />
              {saving.error !== null && <FormError error={saving.error} />}
              <SectionCard title="Definition">
                <DataField form={form} datasets={datasets} link={link} around={around} />
                <FormulaField form={form} metric={metric} around={around} />
                {around.dataset && <MetricFiltersField form={form} dataset={around.dataset} may={may} />}
              </SectionCard>
              <NameFields form={form} />
              {answersNumbers(form.values, around.dataset) && <DisplayFields form={form} may={may} />}
              {metric && <MetricDependents id={metric.id} />}
              {may && <SaveBar {...{ form, metric, draft }} isSaving={saving.isSaving} />}
            </Stack>
          </fieldset>
        </form>
      </PageWithRail>
    </>
  )
}

function useMetricFormContext(metric: Metric | null, { datasets, link }: Pick<MetricFormProps, 'datasets' | 'link'>) {
  const currency = useSession().workspace?.settings.currency ?? 'EUR'
  return useCallback(
    (id: string): MetricFormContext => {
      const dataset = datasets.find((one) => one.id === id)
      return { currency, storedMetric: metric, dataset: dataset && link(dataset) }
    },
    [currency, metric, datasets, link],
  )
}

interface MetricFieldsProps {
  form: UseFormReturnType<MetricFormValues>
}

const NameFields = ({ form }: MetricFieldsProps) => (
  <SectionCard title="Details">
    <TextInput {...form.getInputProps('name')} label="Name" maxLength={80} required />
    <TagsInput
      {...form.getInputProps('synonyms')}
      label={TERMS.synonyms}
      placeholder="Enter a name, press Enter"
      maxTags={10}
    />
    <Textarea {...form.getInputProps('description')} label="Description" maxLength={500} rows={3} />
  </SectionCard>
)

const DisplayFields = ({ form, may }: MetricFieldsProps & { may: boolean }) => (
  <SectionCard title={TERMS.format}>
    <Stack gap={4}>
      <Text size="sm" fw={500} id="metric-direction">
        Direction
      </Text>
      <SegmentedControl
        {...form.getInputProps('direction')}
        aria-labelledby="metric-direction"
        data={METRIC_DIRECTION_OPTIONS}
        disabled={!may}
        // On a phone the words go on two lines instead of out of sight.
        styles={{ label: { whiteSpace: 'normal', height: '100%', display: 'grid', placeContent: 'center' } }}
      />
    </Stack>
    <Group gap="md" align="flex-start" grow preventGrowOverflow={false} wrap="wrap">
      <Select {...form.getInputProps('format')} label="Number format" data={FORMAT_OPTIONS} />
      <Select {...form.getInputProps('currencyMode')} label="Currency conversion" data={CURRENCY_MODE_OPTIONS} />
    </Group>
  </SectionCard>
)

interface SaveBarProps extends MetricFieldsProps, Pick<MetricFormProps, 'metric'> {
  draft: KeptDraft
  isSaving: boolean
}

function SaveBar({ form, metric, draft, isSaving }: SaveBarProps) {
  const navigate = useNavigate()
  const isDirty = form.isDirty()
  const cancel = (): void => {
    draft.clear()
    void navigate({ to: '/metrics' })
  }
  return (
    <FormFooter
      aside={metric?.verified && isDirty && <MutedText>Changing the definition removes verification.</MutedText>}
    >
      {metric ? (
        <Button variant="default" disabled={!isDirty} onClick={form.reset}>
          {TERMS.discardChanges}
        </Button>
      ) : (
        <Button variant="default" onClick={cancel}>
          Cancel
        </Button>
      )}
      <Button type="submit" loading={isSaving} disabled={metric !== null && !isDirty}>
        {metric ? 'Save metric' : 'Create metric'}
      </Button>
    </FormFooter>
  )
}

interface DataFieldProps extends MetricFieldsProps, Pick<MetricFormProps, 'datasets' | 'link'> {
  around: MetricFormContext
}

function DataField({ form, datasets, link, around }: DataFieldProps) {
  const dated = around.dataset ? fieldOptions(around.dataset, 'splits', isTemporal) : []
  return (
    <Group gap="md" align="flex-start" grow preventGrowOverflow={false} wrap="wrap">
      <Select
        {...form.getInputProps('dataset')}
        label="Dataset"
        searchable
        data={datasets.map(({ id, name, sourceName }) => ({
          value: id,
          label: name === sourceName ? name : `${name} · ${sourceName}`,
        }))}
        onChange={(id) => {
          const next = datasets.find((one) => one.id === id)
          if (next) form.setValues({ dataset: next.id, time: timeChoiceOf(link(next))?.key ?? '', filters: [] })
        }}
      />
      <Select
        {...form.getInputProps('time')}
        label={TERMS.dateColumn}
        data={[
          { value: '', label: 'None' },
          ...dated.map(({ key, column, group }) => ({
            value: key,
            label: group === null ? column.label : `${column.label} · ${group}`,
          })),
        ]}
      />
    </Group>
  )
}
