import { Group, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReportContent, ReportFilter } from '../../../../src/shared/reports/reports'
import { loadedDatasetsQuery } from '../../../lib/queries/data-source-queries'
import { humanizeLabel } from '../../../../src/shared/text'
import { fieldOptions, toField } from '../../../lib/query-builder/catalogue'
import { IconButton } from '../../../ui/buttons/icon-button'
import { MutedText } from '../../../ui/muted-text'
import { IconTrash } from '@tabler/icons-react'
import { FilterControl } from '../view/filter-control'
import { PeriodControl } from '../view/period-control'
import { newLocalId } from './local-id'

const FILTERS_MAX = 10

interface ReportSettingsProps {
  content: ReportContent
  description: string
  onContent: (change: Partial<ReportContent>) => void
  onDescription: (description: string) => void
}

/** What holds for the whole report: its period, and the filters that readers may set. */
export function ReportSettings({ content, description, onContent, onDescription }: ReportSettingsProps) {
  const { filters, period } = content
  const setFilter = (next: ReportFilter): void =>
    onContent({ filters: filters.map((one) => (one.id === next.id ? next : one)) })
  return (
    <Stack gap="lg">
      <Text component="h2" fw={620}>
        Report settings
      </Text>
      <Textarea
        label="Description"
        value={description}
        maxLength={500}
        autosize
        minRows={1}
        onChange={(event) => onDescription(event.currentTarget.value)}
      />
      <Stack gap={6}>
        <Text className="label">Period</Text>
        <PeriodControl
          period={period}
          isStacked
          onChange={(change) => onContent({ period: { ...period, ...change } })}
        />
      </Stack>
      <Stack gap="sm">
        <Text className="label">Filters for readers</Text>
        {filters.map((filter) => (
          <FilterSettings
            key={filter.id}
            filter={filter}
            onChange={setFilter}
            onRemove={() => onContent({ filters: filters.filter(({ id }) => id !== filter.id) })}
          />
        ))}
        {filters.length < FILTERS_MAX && <AddFilter onAdd={(filter) => onContent({ filters: [...filters, filter] })} />}
      </Stack>
      <MutedText size="xs">Select a block to edit it.</MutedText>
    </Stack>
  )
}

interface FilterSettingsProps {
  filter: ReportFilter
  onChange: (filter: ReportFilter) => void
  onRemove: () => void
}

function FilterSettings({ filter, onChange, onRemove }: FilterSettingsProps) {
  return (
    <Stack gap={6}>
      <Group gap={4} wrap="nowrap">
        <TextInput
          aria-label="Filter name"
          value={filter.label}
          maxLength={80}
          style={{ flex: 1 }}
          error={filter.label.trim() === '' ? 'Enter a name' : undefined}
          onChange={(event) => onChange({ ...filter, label: event.currentTarget.value })}
        />
        <IconButton icon={IconTrash} label={`Remove filter ${filter.label}`} onClick={onRemove} />
      </Group>
      <FilterControl
        filter={{ ...filter, label: 'Default' }}
        value={filter.filter}
        onChange={(value) => onChange({ ...filter, filter: value })}
      />
    </Stack>
  )
}

/** A column that tells rows apart becomes a filter of the report. */
function AddFilter({ onAdd }: { onAdd: (filter: ReportFilter) => void }) {
  const datasets = useQuery(loadedDatasetsQuery())
  const items = (datasets.data ?? []).flatMap((dataset) =>
    fieldOptions(dataset, 'own', (column) => column.role === 'dimension').map(({ key, column }) => ({
      value: `${dataset.id}/${key}`,
      label: humanizeLabel(column.label),
      group: dataset.name === dataset.sourceName ? dataset.name : `${dataset.sourceName}: ${dataset.name}`,
      field: toField(dataset, key),
    })),
  )
  const groups = [...new Set(items.map(({ group }) => group))]
  return (
    <Select
      aria-label="Add filter"
      placeholder="Add filter"
      searchable
      nothingFoundMessage="No match"
      value={null}
      data={groups.map((group) => ({
        group,
        items: items.filter((one) => one.group === group).map(({ value, label }) => ({ value, label })),
      }))}
      onChange={(value) => {
        const found = items.find((one) => one.value === value)
        if (found?.field) onAdd({ id: newLocalId(), label: found.label, field: found.field, filter: null })
      }}
    />
  )
}
