import { Button, Group, Select, Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { ComponentType, ReactNode } from 'react'
import classes from './filters.module.css'
import type { BuilderDataset } from './fields'
import { newFilterDraft, normalizeFilter, relatedDataset } from './filter-draft'
import type { FilterDraft, RelatedFilterDraft } from './filter-draft'
import type { FilterEditorProps } from './filter-props'

const relatedOptionKey = (dataset: string, relation: string | null): string => `has:${dataset}:${relation ?? ''}`
const RELATED_FILTERS_MAX = 10

/** "Has rows in Orders" beside the columns to filter by; absent where no rows point here. */
export function relatedRowOptions(dataset: BuilderDataset, onChange: (filter: FilterDraft) => void) {
  const referencing = (dataset.linked ?? []).filter((one) => one.use === 'exists')
  return {
    group: 'Related rows',
    items: referencing.map((one) => ({
      value: relatedOptionKey(one.id, one.via[0] ?? null),
      label: `Rows in ${one.heading}`,
    })),
    onChoose: (key: string) => {
      const found = referencing.find((one) => relatedOptionKey(one.id, one.via[0] ?? null) === key)
      if (found)
        onChange({ kind: 'related', op: 'exists', dataset: found.id, relation: found.via[0] ?? null, filters: [] })
    },
  }
}

interface RelatedFilterFieldsProps {
  filter: RelatedFilterDraft
  dataset: BuilderDataset
  onChange: (filter: FilterDraft) => void
  remove: ReactNode
  /** The editor of a filter within. */
  Editor: ComponentType<FilterEditorProps>
}

/** Whether rows of another dataset point here, and which of them count. */
export function RelatedFilterFields({ filter, dataset, onChange, remove, Editor }: RelatedFilterFieldsProps) {
  const related = relatedDataset(filter, dataset)
  const set = (filters: FilterDraft[]): void => onChange({ ...filter, filters })
  return (
    <Stack gap={6} className={classes.nested}>
      <Group gap="xs" wrap="nowrap">
        <Select
          aria-label="Related rows"
          data={[
            { value: 'exists', label: `has rows in ${related?.name ?? 'data that is gone'}` },
            { value: 'notExists', label: `has no rows in ${related?.name ?? 'data that is gone'}` },
          ]}
          value={filter.op}
          allowDeselect={false}
          style={{ flexGrow: 1, minWidth: 0 }}
          onChange={(op) => onChange({ ...filter, op: op === 'notExists' ? 'notExists' : 'exists' })}
        />
        {remove}
      </Group>
      {related &&
        filter.filters.map((inner, at) => (
          <Editor
            key={at}
            filter={inner}
            dataset={related}
            onChange={(next) => set(filter.filters.map((old, i) => (i === at ? normalizeFilter(related, next) : old)))}
            onRemove={() => set(filter.filters.filter((_, i) => i !== at))}
          />
        ))}
      {related && filter.filters.length < RELATED_FILTERS_MAX && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => set([...filter.filters, newFilterDraft()])}
          style={{ alignSelf: 'flex-start' }}
        >
          Only rows where
        </Button>
      )}
    </Stack>
  )
}
