import { DateField } from '../../../ui/forms/date-field'
import { MutedText } from '../../../ui/muted-text'
import { Checkbox, NumberInput, Select, SimpleGrid, Button, Stack, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconPlus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { ALERT_GRAIN_LABELS } from '../../../../src/shared/alerts'
import { FORECAST_GRAINS, FORECAST_LEVELS, type ForecastGrain } from '../../../../src/shared/forecasts/result'
import { HORIZON_MAX, FORECAST_PARTS_MAX } from '../../../../src/shared/forecasts/forecasts'
import { subjectKey, type ForecastableMetric } from './forecastable-metrics'
import { useToday } from '../forecast-format'
import { withGrain, type ForecastFormValues } from './form-values'
import type { Filter } from '../../../../src/shared/query/plan'
import { ColumnSelect } from '../../../lib/query-builder/column-select'
import { fieldOptions, toField, fieldKeyOf } from '../../../lib/query-builder/catalogue'
import type { BuilderDataset, FieldKey } from '../../../lib/query-builder/catalogue'
import { newFilterDraft, toFilterDraft, toFilter, normalizeFilter } from '../../../lib/query-builder/filter-draft'
import type { FilterDraft } from '../../../lib/query-builder/filter-draft'
import { FilterEditor } from '../../../lib/query-builder/filter-editor'
import { useLinkDatasets } from '../../../lib/query-builder/linked-datasets'
import { loadedDatasetsQuery } from '../../../lib/queries/data-source-queries'
import { NumberField } from '../../../ui/forms/number-field'
import { TERMS } from '../../../../src/shared/terms'
import { useCellFormatter } from '../../../lib/cell-formatter'
import { capitalize } from '../../../../src/shared/text'

export interface ForecastFieldsProps {
  form: UseFormReturnType<ForecastFormValues>
  /** What can be forecast. */
  forecastables: readonly ForecastableMetric[]
}
const grainOf = (value: string | null): ForecastGrain => FORECAST_GRAINS.find((grain) => grain === value) ?? 'month'

/** Which figure: metrics first, then what insights show over time. */
export function SubjectField({ form, forecastables }: ForecastFieldsProps) {
  const { subject } = form.values
  const isGone = subject !== null && !forecastables.some(({ key }) => key === subjectKey(subject))
  const choices = (kind: 'metric' | 'insight') =>
    forecastables.filter((one) => one.subject.kind === kind).map(({ key, label }) => ({ value: key, label }))
  return (
    <Select
      label="Metric or insight"
      placeholder="Choose what to forecast"
      searchable
      nothingFoundMessage="No matches"
      data={[
        { group: 'Metrics', items: choices('metric') },
        { group: 'Insights', items: choices('insight') },
      ].filter(({ items }) => items.length > 0)}
      value={subject ? subjectKey(subject) : null}
      error={form.errors['subject'] ?? (isGone ? 'Source deleted. Choose another.' : undefined)}
      onChange={(key) => {
        const chosen = forecastables.find((one) => one.key === key)
        if (!chosen) return
        const current = forecastables.find((one) => subject && one.key === subjectKey(subject))
        const { name } = form.values
        const isOwn = name.trim() !== '' && !(current && name === defaultName(current))
        form.setValues({
          ...{ subject: chosen.subject, by: null, filters: [] },
          ...(form.isDirty('grain') || chosen.grain === null ? {} : withGrain(chosen.grain)),
          ...(isOwn ? {} : { name: defaultName(chosen) }),
        })
      }}
    />
  )
}
const NAME_MAX = 80
/** What a forecast of a figure is called until somebody says otherwise. */
export const defaultName = ({ label }: Pick<ForecastableMetric, 'label'>): string =>
  `${label.endsWith('?') ? 'Forecast:' : 'Forecast of'} ${label}`.slice(0, NAME_MAX).trim()

/** How far ahead and in which periods. `most`: periods that the history carries, once that is known. */
export function HorizonFields({ form, most }: Pick<ForecastFieldsProps, 'form'> & { most: number | null }) {
  const { values } = form
  const unit = `${ALERT_GRAIN_LABELS[values.grain]}${most === 1 ? '' : 's'}`
  const isBeyond = most !== null && Number(values.horizon) > most
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <Select
        label={TERMS.period}
        data={FORECAST_GRAINS.map((grain) => ({ value: grain, label: capitalize(ALERT_GRAIN_LABELS[grain]) }))}
        value={values.grain}
        onChange={(grain) => form.setValues(withGrain(grainOf(grain)))}
      />
      <NumberInput
        label={TERMS.forecastLength}
        description={most === null ? undefined : `${isBeyond ? 'Only up' : 'Up'} to ${most} ${unit} with this history`}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        min={1}
        max={HORIZON_MAX}
        clampBehavior="blur"
        suffix={` ${ALERT_GRAIN_LABELS[values.grain]}${Number(values.horizon) === 1 ? '' : 's'}`}
        {...form.getInputProps('horizon')}
      />
    </SimpleGrid>
  )
}

/** What is seldom changed: where the history begins, the season, bounds, and how the running period counts. */
export function AdvancedFields({ form }: { form: ForecastFieldsProps['form'] }) {
  const { values } = form
  const figures = useCellFormatter()
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <DateField
          label="History from"
          description={values.historyFrom === null ? 'All history' : undefined}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={values.historyFrom ?? ''}
          error={form.errors['historyFrom']}
          onChange={(day) => form.setFieldValue('historyFrom', day || null)}
        />
        <Select
          label={TERMS.predictionInterval}
          data={FORECAST_LEVELS.map((level) => ({ value: String(level), label: figures.percent(level / 100) }))}
          value={String(values.level)}
          onChange={(level) => form.setFieldValue('level', FORECAST_LEVELS.find((one) => String(one) === level) ?? 80)}
        />
        <Select
          label={TERMS.seasonality}
          data={[
            { value: 'auto', label: 'Auto-detect' },
            { value: 'none', label: 'None' },
            { value: 'own', label: 'Custom' },
          ]}
          {...form.getInputProps('season')}
        />
        {values.season === 'own' && (
          <NumberInput
            label="Periods per season"
            min={2}
            max={366}
            clampBehavior="blur"
            {...form.getInputProps('seasonLength')}
          />
        )}
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <NumberField label="Minimum" placeholder="None" {...form.getInputProps('floor')} />
        <NumberField label="Maximum" placeholder="None" {...form.getInputProps('ceiling')} />
      </SimpleGrid>
      <Checkbox label="Ignore current period" {...form.getInputProps('ignoreIncomplete', { type: 'checkbox' })} />
      <Checkbox label="Dampen outliers" {...form.getInputProps('dampOutliers', { type: 'checkbox' })} />
      {values.grain === 'day' && (
        <Checkbox
          label="Public holidays"
          description="Used only if they improve the backtest."
          {...form.getInputProps('holidays', { type: 'checkbox' })}
        />
      )}
    </>
  )
}

/** Shown as what it adds up to: cash from its movements. */
export function BalanceFields({
  form,
  chosen,
}: {
  form: ForecastFieldsProps['form']
  chosen: ForecastableMetric | undefined
}) {
  const { accumulate, opening, openingOn } = form.values
  const today = useToday()
  if (chosen && !chosen.additive) return null
  return (
    <>
      <Checkbox
        label="Show as balance"
        description="Adds movements to an opening balance, e.g. cash."
        {...form.getInputProps('accumulate', { type: 'checkbox' })}
      />
      {accumulate && (
        <NumberField
          label="Opening balance"
          placeholder="From the ledger or history"

          {...form.getInputProps('opening')}
          onChange={(typed) => form.setValues({ opening: typed, openingOn: openingOn ?? today })}
        />
      )}
      {accumulate && opening !== '' && (
        <DateField
          label="Balance date"
          description="At the start of the day."
          value={openingOn ?? ''}
          onChange={(day) => form.setFieldValue('openingOn', day || null)}
        />
      )}
    </>
  )
}

const FILTERS_MAX = 10

/** The rows of a figure, with what relations join to them; null while they are not known. */
export function useMetricDataset(chosen: ForecastableMetric | undefined): BuilderDataset | null {
  const datasets = useQuery(loadedDatasetsQuery())
  const { link, pending } = useLinkDatasets()
  const dataset = datasets.data?.find(({ id }) => id === (chosen?.dataset ?? chosen?.time.dataset))
  return useMemo(() => (dataset && !pending ? link(dataset) : null), [dataset, pending, link])
}

interface DatasetFieldsProps {
  form: ForecastFieldsProps['form']
  chosen: ForecastableMetric | undefined
  dataset: BuilderDataset | null
}

/** Which parts are forecast each for itself: members of a column, or groups of a grouping. */
export function BreakdownField({ form, chosen, dataset }: DatasetFieldsProps) {
  if (!dataset) return null
  if (chosen && !chosen.additive) return <MutedText>No breakdown: this measure isn’t additive.</MutedText>
  const { by } = form.values
  const choose = (key: FieldKey | null, grouping?: string): void => {
    const field = toField(dataset, key)
    form.setFieldValue(
      'by',
      field ? { field, ...(grouping === undefined ? {} : { grouping: { id: grouping } }) } : null,
    )
  }
  return (
    <Stack gap={4}>
      <ColumnSelect
        label={TERMS.breakDownBy}
        choices={fieldOptions(dataset, 'splits', ({ role, type }) => role === 'dimension' && BREAKDOWN_TYPES.has(type))}
        ownLabel={dataset.name}
        noneLabel={TERMS.total}
        value={by ? fieldKeyOf(dataset, by.field) : null}
        onChange={(key) => choose(key)}
        groups={{ dataset, chosen: by?.grouping ?? null, onChoose: choose }}
      />
      {(by || form.errors['by']) && (
        <Text size="xs" c={form.errors['by'] ? 'red' : 'dimmed'}>
          {form.errors['by'] ?? `Top ${FORECAST_PARTS_MAX}, and the rest combined`}
        </Text>
      )}
    </Stack>
  )
}
const BREAKDOWN_TYPES: ReadonlySet<string> = new Set(['text', 'boolean'])

/** Which rows count, beside what the figure itself leaves out. A filter that is not complete counts once it is. */
export function FiltersField({
  form,
  dataset,
}: Omit<DatasetFieldsProps, 'dataset' | 'chosen'> & { dataset: BuilderDataset }) {
  const [drafts, setDrafts] = useState(() => form.values.filters.map((filter) => toFilterDraft(filter, dataset)))
  const set = (next: FilterDraft[]): void => {
    setDrafts(next)
    form.setFieldValue('filters', completeFilters(next, dataset))
  }
  const missing = drafts.map((draft) => toFilter(draft, dataset)).filter((one) => typeof one === 'string')
  return (
    <Stack gap="sm" role="group" aria-label={TERMS.filters}>
      <Text size="sm" fw={500} aria-hidden="true">
        {TERMS.filters}
      </Text>
      {drafts.map((draft, at) => (
        <FilterEditor
          key={at}
          filter={draft}
          dataset={dataset}
          onChange={(next) => set(drafts.map((old, i) => (i === at ? normalizeFilter(dataset, next) : old)))}
          onRemove={() => set(drafts.filter((_, i) => i !== at))}
        />
      ))}
      {missing[0] !== undefined && (
        <Text size="sm" c="dimmed" role="status">
          {missing[0]} Not applied yet.
        </Text>
      )}
      {drafts.length < FILTERS_MAX && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => set([...drafts, newFilterDraft()])}
          style={{ alignSelf: 'flex-start' }}
        >
          Add filter
        </Button>
      )}
    </Stack>
  )
}
const completeFilters = (drafts: readonly FilterDraft[], dataset: BuilderDataset): Filter[] =>
  drafts.map((draft) => toFilter(draft, dataset)).filter((one) => typeof one !== 'string')
