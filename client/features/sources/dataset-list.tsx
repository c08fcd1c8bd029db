import { Select, Text, UnstyledButton } from '@mantine/core'
import { formatCountOf, formatRowCount } from './amounts'
import { isActiveRun, isFailedRun, LOAD_STATE_LABELS } from './run-words'
import classes from './table-list.module.css'
import { StatusBadge } from './tone-badge'
import { useFormat } from '../../lib/format'
import type { DataSource, Dataset } from '../../../src/shared/sources'

export interface DatasetListProps {
  source: DataSource
  active: Dataset
  onSelect: (id: string) => void
}

/** The tables of a source, at the left or, on a small screen, in one field above. */
export function DatasetList({ source, active, onSelect }: DatasetListProps) {
  const format = useFormat()
  const { datasets } = source
  return (
    <>
      <Select
        hiddenFrom="md"
        label="Table to look at"
        allowDeselect={false}
        data={datasets.map(({ id, name, rowCount }) => ({
          value: id,
          label: `${name} (${formatRowCount(format, rowCount)})`,
        }))}
        value={active.id}
        onChange={(id) => id !== null && onSelect(id)}
      />
      <nav className={classes.list} aria-label="Tables of this source">
        <Text size="sm" fw={600} px={10} pb={4}>
          {formatCountOf(format, datasets.length, 'table')}
        </Text>
        <ul className={classes.items}>
          {datasets.map((dataset) => (
            <li key={dataset.id}>
              <DatasetItem
                source={source}
                dataset={dataset}
                active={dataset.id === active.id}
                onClick={() => onSelect(dataset.id)}
              />
            </li>
          ))}
        </ul>
      </nav>
    </>
  )
}

interface DatasetItemProps {
  source: DataSource
  dataset: Dataset
  active: boolean
  onClick: () => void
}

function DatasetItem({ source, dataset, active, onClick: onLook }: DatasetItemProps) {
  const format = useFormat()
  const run = source.lastRuns.find(({ datasetId }) => datasetId === dataset.id)
  return (
    <div className={classes.item} data-active={active || undefined}>
      <UnstyledButton className={classes.look} onClick={onLook} aria-current={active ? 'true' : undefined}>
        <span className={classes.name}>{dataset.name}</span>
        <span className={classes.facts}>
          {formatRowCount(format, dataset.rowCount)} · {formatCountOf(format, dataset.columns.length, 'column')}
        </span>
        {run && (isActiveRun(run.state) || isFailedRun(run.state)) && <StatusBadge {...LOAD_STATE_LABELS[run.state]} />}
      </UnstyledButton>
    </div>
  )
}
