import { Button, Group, Select, Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { ComponentType, ReactNode } from 'react'
import classes from './filters.module.css'
import type { DraftDataset } from './fields'
import { emptyFilter, fitFilter, relatedDataset } from './filter-draft'
import type { FilterDraft, RelatedFilterDraft } from './filter-draft'
import type { FilterEditorProps } from './filter-props'

const keyOf = (dataset: string, relation: string | null): string => `has:${dataset}:${relation ?? ''}`
const INNER_MAX = 10

/** "Has rows in Orders" beside the columns to filter by; absent where no rows point here. */
export function relatedChoices(dataset: DraftDataset, onChange: (filter: FilterDraft) => void) {
  const pointing = (dataset.linked ?? []).filter((one) => one.use === 'exists')
  return {
    group: 'Related rows',
    items: pointing.map((one) => ({ value: keyOf(one.id, one.via[0] ?? null), label: `Rows in ${one.heading}` })),
    onChoose: (key: string) => {
      const found = pointing.find((one) => keyOf(one.id, one.via[0] ?? null) === key)
      if (found)
        onChange({ kind: 'related', op: 'exists', dataset: found.id, relation: found.via[0] ?? null, filters: [] })
    },
  }
}

interface RelatedFilterProps {
  filter: RelatedFilterDraft
  dataset: DraftDataset
  onChange: (filter: FilterDraft) => void
  remove: ReactNode
  /** The editor of a filter within. */
  Editor: ComponentType<FilterEditorProps>
}

/** Whether rows of another dataset point here, and which of them count. */
export function RelatedFilter({ filter, dataset, onChange, remove, Editor }: RelatedFilterProps) {
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
            onChange={(next) => set(filter.filters.map((old, i) => (i === at ? fitFilter(related, next) : old)))}
            onRemove={() => set(filter.filters.filter((_, i) => i !== at))}
          />
        ))}
      {related && filter.filters.length < INNER_MAX && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => set([...filter.filters, emptyFilter()])}
          style={{ alignSelf: 'flex-start' }}
        >
          Only rows where
        </Button>
      )}
    </Stack>
  )
}
