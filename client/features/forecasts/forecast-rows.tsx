import { Button, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { PARTS_MAX } from '../../../src/shared/forecasts'
import type { Filter } from '../../../src/shared/query'
import { ColumnSelect } from '../../lib/filters/column-select'
import { choicesFor, fieldOf, keyOfField } from '../../lib/filters/fields'
import type { DraftDataset, FieldKey } from '../../lib/filters/fields'
import { emptyFilter, filterDraft, filterOf, fitFilter } from '../../lib/filters/filter-draft'
import type { FilterDraft } from '../../lib/filters/filter-draft'
import { FilterEditor } from '../../lib/filters/filter-editor'
import { useLinks } from '../../lib/filters/use-linked'
import { loadedDatasetsQuery } from '../../lib/loaded-datasets'
import { useQuery } from '@tanstack/react-query'
import type { Followable } from './followable'
import type { FieldsProps } from './forecast-fields'

const FILTERS_MAX = 10

/** The rows of a figure, with what relations join to them; null while they are not known. */
export function useRowsOf(chosen: Followable | undefined): DraftDataset | null {
  const datasets = useQuery(loadedDatasetsQuery())
  const { link, pending } = useLinks()
  const dataset = datasets.data?.find(({ id }) => id === (chosen?.dataset ?? chosen?.time.dataset))
  return useMemo(() => (dataset && !pending ? link(dataset) : null), [dataset, pending, link])
}

interface RowsProps {
  form: FieldsProps['form']
  chosen: Followable | undefined
  dataset: DraftDataset | null
}

/** Which parts are forecast each for itself: members of a column, or groups of a grouping. */
export function SplitField({ form, chosen, dataset }: RowsProps) {
  if (!dataset) return null
  if (chosen && !chosen.additive)
    return (
      <Text size="sm" c="dimmed">
        This figure cannot be split: its parts do not add up to it.
      </Text>
    )
  const { by } = form.values
  const choose = (key: FieldKey | null, grouping?: string): void => {
    const field = fieldOf(dataset, key)
    form.setFieldValue(
      'by',
      field ? { field, ...(grouping === undefined ? {} : { grouping: { id: grouping } }) } : null,
    )
  }
  return (
    <Stack gap={4}>
      <ColumnSelect
        label="Split by"
        choices={choicesFor(dataset, 'splits', ({ role, type }) => role === 'dimension' && SPLITS.has(type))}
        own={dataset.name}
        none="Nothing: the whole"
        value={by ? keyOfField(dataset, by.field) : null}
        onChange={(key) => choose(key)}
        groups={{ dataset, chosen: by?.grouping ?? null, onChoose: choose }}
      />
      <Text size="xs" c={form.errors['by'] ? 'red' : 'dimmed'}>
        {form.errors['by'] ?? `The ${PARTS_MAX} largest, and the rest together. They add up to the whole.`}
      </Text>
    </Stack>
  )
}
const SPLITS: ReadonlySet<string> = new Set(['text', 'boolean'])

/** Which rows count, beside what the figure itself leaves out. A filter that is not complete counts once it is. */
export function FiltersField({ form, dataset }: Omit<RowsProps, 'dataset' | 'chosen'> & { dataset: DraftDataset }) {
  const [drafts, setDrafts] = useState(() => form.values.filters.map((filter) => filterDraft(filter, dataset)))
  const set = (next: FilterDraft[]): void => {
    setDrafts(next)
    form.setFieldValue('filters', completed(next, dataset))
  }
  const missing = drafts.map((draft) => filterOf(draft, dataset)).filter((one) => typeof one === 'string')
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
          onChange={(next) => set(drafts.map((old, i) => (i === at ? fitFilter(dataset, next) : old)))}
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
          onClick={() => set([...drafts, emptyFilter()])}
          style={{ alignSelf: 'flex-start' }}
        >
          Add filter
        </Button>
      )}
    </Stack>
  )
}
const completed = (drafts: readonly FilterDraft[], dataset: DraftDataset): Filter[] =>
  drafts.map((draft) => filterOf(draft, dataset)).filter((one) => typeof one !== 'string')
