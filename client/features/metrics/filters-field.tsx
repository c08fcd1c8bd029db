import { Button, Stack, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconPlus } from '@tabler/icons-react'
import type { MetricFormValues } from './metric-values'
import type { BuilderDataset } from '../../lib/filters/fields'
import { newFilterDraft, normalizeFilter } from '../../lib/filters/filter-draft'
import type { FilterDraft } from '../../lib/filters/filter-draft'
import { FilterEditor } from '../../lib/filters/filter-editor'

const METRIC_FILTERS_MAX = 10

interface MetricFiltersFieldProps {
  form: UseFormReturnType<MetricFormValues>
  dataset: BuilderDataset
  may: boolean
}

/** Which rows count, whatever the formula adds up. */
export function MetricFiltersField({ form, dataset, may }: MetricFiltersFieldProps) {
  const { filters } = form.values
  const set = (next: FilterDraft[]): void => form.setFieldValue('filters', next)
  const missing = filters.flatMap((_, at) => form.errors[`filters.${at}`] ?? [])
  return (
    <Stack gap="sm" role="group" aria-label="Only rows where">
      <Text size="sm" fw={500} aria-hidden="true">
        Only rows where
      </Text>
      {filters.length === 0 && (
        <Text size="sm" c="dimmed">
          All rows count.
        </Text>
      )}
      {filters.map((filter, at) => (
        <FilterEditor
          key={at}
          filter={filter}
          dataset={dataset}
          onChange={(next) => set(filters.map((old, i) => (i === at ? normalizeFilter(dataset, next) : old)))}
          onRemove={() => set(filters.filter((_, i) => i !== at))}
        />
      ))}
      {missing.length > 0 && (
        <Text size="sm" c="red" role="alert">
          {missing}
        </Text>
      )}
      {may && filters.length < METRIC_FILTERS_MAX && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => set([...filters, newFilterDraft()])}
          style={{ alignSelf: 'flex-start' }}
        >
          Add filter
        </Button>
      )}
    </Stack>
  )
}
