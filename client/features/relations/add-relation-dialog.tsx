import { QueryView } from '../../ui/query-view'
import { DialogButtons } from '../../ui/forms/form-dialog'
import { Group, Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useCreateRelation } from './queries'
import { loadedDatasetsQuery, type DatasetWithSource } from '../../lib/queries/data-source-queries'
import classes from './relations.module.css'
import { RelationError } from './relation-item'
import { TableSkeleton } from '../../ui/skeletons'
import type { Dataset } from '../../../src/shared/data-sources/data-sources'
import type { ColumnKey } from '../../../src/shared/data-sources/files'
import { RELATION_KEY_COLUMNS_MAX, type CreateRelationInput } from '../../../src/shared/relations'
import { Dialog } from '../../ui/dialog'
import { AddEntryButton, RemoveButton } from '../../ui/buttons/list-buttons'

type Side = 'from' | 'to'
/** The columns of a pair while they are being chosen. */
interface KeyPairDraft {
  id: number
  from: ColumnKey | null
  to: ColumnKey | null
}
const emptyPair = (id: number): KeyPairDraft => ({ id, from: null, to: null })
const nextId = (pairs: readonly KeyPairDraft[]): number => Math.max(...pairs.map(({ id }) => id)) + 1

/** A relation by hand: which columns of this table name the row of which other table. It is proven at once. */
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
  const [tables, setTables] = useState<Record<Side, string | null>>({ from: first, to: null })
  const [pairs, setPairs] = useState<KeyPairDraft[]>([emptyPair(0)])
  const create = useCreateRelation()
  const problem = describeProblem(tables, pairs)
  const input = toRelationInput(tables, pairs)
  const chooseTable = (side: Side) => (dataset: string | null) => {
    setTables({ ...tables, [side]: dataset })
    setPairs(pairs.map((pair) => ({ ...pair, [side]: null })))
  }
  const selectTable = (side: Side, label: string) => (
    <Select
      label={label}
      placeholder="Choose a table"
      data={datasetOptions(datasets)}
      value={tables[side]}
      onChange={chooseTable(side)}
      searchable
    />
  )
  return (
    <Stack gap="md">
      <Text size="sm">
        Many rows here match one row there, e.g. orders to a customer.{' '}
        {pairs.length > 1
          ? 'Rows match when all columns do. Together, the related columns must be unique.'
          : 'The other column must be unique.'}
      </Text>
      <div className={classes.ends}>
        {selectTable('from', 'Table')}
        {selectTable('to', 'Related table')}
      </div>
      <KeyPairs pairs={pairs} onChange={setPairs} columnsOf={(side) => columnOptions(datasets, tables[side])} />
      {problem !== null && (
        <Text size="sm" c="var(--bad)" role="status">
          {problem}
        </Text>
      )}
      <RelationError error={create.error} />
      <DialogButtons
        submit="Add relationship"
        pending={create.isPending}
        disabled={input === null || problem !== null}
        onConfirm={() => input && create.mutate(input, { onSuccess: onClose })}
        onClose={onClose}
      />
    </Stack>
  )
}

/** Why these columns cannot be a key, whatever their rows are; null when they can, or some are not chosen yet. */
function describeProblem(tables: Record<Side, string | null>, pairs: readonly KeyPairDraft[]): string | null {
  const chosen = pairs.filter(({ from, to }) => from !== null && to !== null)
  if (tables.from === tables.to && chosen.length > 0 && chosen.every(({ from, to }) => from === to))
    return 'Choose two different columns.'
  const isRepeated = (side: Side): boolean => {
    const keys = pairs.flatMap((pair) => pair[side] ?? [])
    return new Set(keys).size < keys.length
  }
  return isRepeated('from') || isRepeated('to') ? 'Use each column once.' : null
}

/** Null while anything is still to be chosen. */
function toRelationInput(
  tables: Record<Side, string | null>,
  pairs: readonly KeyPairDraft[],
): CreateRelationInput | null {
  const whole = pairs.flatMap(({ from, to }) => (from !== null && to !== null ? [{ from, to }] : []))
  const [first, ...further] = whole
  if (tables.from === null || tables.to === null || !first || whole.length < pairs.length) return null
  return {
    from: { datasetId: tables.from, key: first.from },
    to: { datasetId: tables.to, key: first.to },
    ...(further.length > 0 ? { further } : {}),
  }
}

interface KeyPairsProps {
  pairs: readonly KeyPairDraft[]
  onChange: (pairs: KeyPairDraft[]) => void
  columnsOf: (side: Side) => ColumnOption[]
}

/** The columns by which rows match: one of each table, or several together. */
function KeyPairs({ pairs, onChange, columnsOf }: KeyPairsProps) {
  const several = pairs.length > 1
  const change = (id: number, side: Side, key: string | null) => {
    const chosen = columnsOf(side).find(({ value }) => value === key)?.value ?? null
    onChange(pairs.map((pair) => (pair.id === id ? { ...pair, [side]: chosen } : pair)))
  }
  const column = (pair: KeyPairDraft, side: Side, label: string) => (
    <Select
      label={label}
      placeholder="Choose a column"
      data={columnsOf(side)}
      value={pair[side]}
      onChange={(key) => change(pair.id, side, key)}
      disabled={columnsOf(side).length === 0}
      searchable
    />
  )
  return (
    <Stack gap="xs">
      {pairs.map((pair, at) => (
        <div key={pair.id} className={several ? classes.pair : classes.ends}>
          {column(pair, 'from', several ? `Column ${at + 1}` : 'Column')}
          {column(pair, 'to', several ? `Related column ${at + 1}` : 'Related column (unique)')}
          {several && (
            <RemoveButton
              label={`Remove column ${at + 1}`}
              onClick={() => onChange(pairs.filter(({ id }) => id !== pair.id))}
            />
          )}
        </div>
      ))}
      {pairs.length < RELATION_KEY_COLUMNS_MAX && (
        <Group>
          <AddEntryButton disabled={false} onClick={() => onChange([...pairs, emptyPair(nextId(pairs))])}>
            Add column
          </AddEntryButton>
        </Group>
      )}
    </Stack>
  )
}

interface ColumnOption {
  value: ColumnKey
  label: string
}
const columnOptions = (datasets: readonly DatasetWithSource[], dataset: string | null): ColumnOption[] =>
  (datasets.find(({ id }) => id === dataset)?.columns ?? [])
    .filter(({ hidden }) => !hidden)
    .map(({ key, label }) => ({ value: key, label }))

/** Tables under their sources. */
const datasetOptions = (datasets: readonly DatasetWithSource[]) =>
  [...new Set(datasets.map(({ sourceName }) => sourceName))].map((source) => ({
    group: source,
    items: datasets
      .filter(({ sourceName }) => sourceName === source)
      .map(({ id, name }) => ({ value: id, label: name })),
  }))
