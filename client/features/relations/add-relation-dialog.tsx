import { QueryView } from '../../ui/query-view'
import { DialogButtons } from '../../ui/forms/form-dialog'
import { Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useCreateRelation } from './queries'
import { loadedDatasetsQuery, type DatasetWithSource } from '../../lib/queries/data-source-queries'
import classes from './relations.module.css'
import { RelationError } from './relation-item'
import { TableSkeleton } from '../../ui/skeletons'
import type { Dataset } from '../../../src/shared/data-sources/data-sources'
import { Dialog } from '../../ui/dialog'

/** One end of a relation while it is being chosen. */
interface RelationEnd {
  dataset: string | null
  key: string | null
}
const EMPTY_END: RelationEnd = { dataset: null, key: null }

/** A relation by hand: which column of this table names the row of which other table. It is proven at once. */
export function AddRelationDialog({ dataset, onClose }: { dataset: Dataset; onClose: () => void }) {
  const datasets = useQuery(loadedDatasetsQuery())
  return (
    <Dialog opened onClose={onClose} title="Add relationship" size="lg">
      <QueryView query={datasets} skeleton={<TableSkeleton count={2} />}>
        {(loaded) => <RelationForm datasets={loaded} first={dataset.id} onClose={onClose} />}
      </QueryView>
    </Dialog>
  )
}

interface RelationFormProps {
  datasets: DatasetWithSource[]
  first: string
  onClose: () => void
}

function RelationForm({ datasets, first, onClose }: RelationFormProps) {
  const [from, setFrom] = useState<RelationEnd>({ dataset: first, key: null })
  const [to, setTo] = useState<RelationEnd>(EMPTY_END)
  const create = useCreateRelation()
  const ends = { from: toColumnRef(datasets, from), to: toColumnRef(datasets, to) }
  const same = from.dataset === to.dataset && from.key === to.key && from.key !== null
  const save = () => {
    if (ends.from && ends.to) create.mutate({ from: ends.from, to: ends.to }, { onSuccess: onClose })
  }
  return (
    <Stack gap="md">
      <Text size="sm">
        Many rows here match one row there, e.g. orders to a customer. The other column must be unique.
      </Text>
      <div className={classes.ends}>
        <EndFields title={{ dataset: 'Table', column: 'Column' }} {...{ datasets, onChange: setFrom }} end={from} />
        <EndFields
          title={{ dataset: 'Related table', column: 'Related column (unique)' }}
          {...{ datasets, onChange: setTo }}
          end={to}
        />
      </div>
      {same && (
        <Text size="sm" c="var(--bad)" role="status">
          Choose two different columns.
        </Text>
      )}
      <RelationError error={create.error} />
      <DialogButtons
        submit="Add relationship"
        pending={create.isPending}
        disabled={!ends.from || !ends.to || same}
        onConfirm={save}
        onClose={onClose}
      />
    </Stack>
  )
}

function toColumnRef(datasets: readonly DatasetWithSource[], relationEnd: RelationEnd) {
  const dataset = datasets.find(({ id }) => id === relationEnd.dataset)
  const column = dataset?.columns.find(({ key }) => key === relationEnd.key)
  return dataset && column ? { datasetId: dataset.id, key: column.key } : null
}

interface EndFieldsProps {
  title: { dataset: string; column: string }
  datasets: DatasetWithSource[]
  end: RelationEnd
  onChange: (relationEnd: RelationEnd) => void
}

function EndFields({ title, datasets, end, onChange }: EndFieldsProps) {
  const columns = datasets.find(({ id }) => id === end.dataset)?.columns ?? []
  return (
    <Stack gap="xs">
      <Select
        label={title.dataset}
        placeholder="Choose a table"
        data={datasetOptions(datasets)}
        value={end.dataset}
        onChange={(dataset) => onChange({ dataset, key: null })}
        searchable
      />
      <Select
        label={title.column}
        placeholder="Choose a column"
        data={columns.filter(({ hidden }) => !hidden).map(({ key, label }) => ({ value: key, label }))}
        value={end.key}
        onChange={(key) => onChange({ ...end, key })}
        disabled={end.dataset === null}
        searchable
      />
    </Stack>
  )
}

/** Tables under their sources. */
const datasetOptions = (datasets: readonly DatasetWithSource[]) =>
  [...new Set(datasets.map(({ sourceName }) => sourceName))].map((source) => ({
    group: source,
    items: datasets
      .filter(({ sourceName }) => sourceName === source)
      .map(({ id, name }) => ({ value: id, label: name })),
  }))
