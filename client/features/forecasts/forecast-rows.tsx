import { Button, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { FORECAST_PARTS_MAX } from '../../../src/shared/forecasts'
import type { Filter } from '../../../src/shared/query'
import { ColumnSelect } from '../../lib/filters/column-select'
import { fieldOptions, toField, fieldKeyOf } from '../../lib/filters/fields'
import type { BuilderDataset, FieldKey } from '../../lib/filters/fields'
import { newFilterDraft, toFilterDraft, toFilter, normalizeFilter } from '../../lib/filters/filter-draft'
import type { FilterDraft } from '../../lib/filters/filter-draft'
import { FilterEditor } from '../../lib/filters/filter-editor'
import { useLinkDatasets } from '../../lib/filters/use-linked'
import { loadedDatasetsQuery } from '../../lib/loaded-datasets'
import { useQuery } from '@tanstack/react-query'
import type { ForecastableMetric } from './followable'
import type { ForecastFieldsProps } from './forecast-fields'

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
  if (chosen && !chosen.additive)
    return (
      <Text size="sm" c="dimmed">
        This figure cannot be split: its parts do not add up to it.
      </Text>
    )
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
        label="Split by"
        choices={fieldOptions(dataset, 'splits', ({ role, type }) => role === 'dimension' && BREAKDOWN_TYPES.has(type))}
        ownLabel={dataset.name}
        noneLabel="Nothing: the whole"
        value={by ? fieldKeyOf(dataset, by.field) : null}
        onChange={(key) => choose(key)}
        groups={{ dataset, chosen: by?.grouping ?? null, onChoose: choose }}
      />
      <Text size="xs" c={form.errors['by'] ? 'red' : 'dimmed'}>
        {form.errors['by'] ?? `The ${FORECAST_PARTS_MAX} largest, and the rest together. They add up to the whole.`}
      </Text>
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
    <Stack gap="sm" role="group" aria-label="Only rows where">
      <Text size="sm" fw={500} aria-hidden="true">
        Only rows where
      </Text>
      {drafts.length === 0 && (
        <Text size="sm" c="dimmed">
          All rows of the figure count.
        </Text>
      )}
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
          {missing[0]} It does not count yet.
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
