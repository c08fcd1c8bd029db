import { Alert, Group, Text } from '@mantine/core'
import { IconChartBar, IconCircleCheck } from '@tabler/icons-react'
import { formatCountOf, formatRowCount } from './amounts'
import { LoadList } from './load-list'
import { LoadOutcome } from './load-outcome'
import { LoadProgress } from './load-progress'
import { latestBatch, isActiveRun, isFailedRun } from './run-words'
import { useFormat } from '../../lib/format'
import { useMayWrite } from '../../lib/gate'
import { LinkButton } from '../../ui/links'
import type { ColumnRole } from '../../../src/shared/files'
import type { Dataset, DataSource, SyncRun } from '../../../src/shared/sources'

/** What is being loaded, and how the last loads ended. `quiet`: another file is being added, so outcomes are not news. */
export function CurrentLoads({ source, quiet }: { source: DataSource; quiet: boolean }) {
  const { lastRuns, datasets } = source
  const batch = latestBatch(lastRuns)
  const [only] = batch
  const loading = lastRuns.some(({ state }) => isActiveRun(state))
  if (quiet && !loading) return null
  if (batch.length === 1 && only) {
    const filled = datasets.some(({ id, dataVersion }) => id === only.datasetId && dataVersion > 0)
    return isActiveRun(only.state) ? <LoadProgress run={only} /> : <LoadOutcome run={only} hasRows={filled} />
  }
  const showsList = batch.some((run) => isActiveRun(run.state) || isFailedRun(run.state) || run.rowsRejected > 0)
  return (
    <>
      {!loading && <BatchSucceeded batch={batch} datasets={datasets} />}
      {showsList && <LoadList runs={batch} datasets={datasets} />}
    </>
  )
}

/** The table that an insight is first made of: of those with days and figures the one with most rows. */
function suggestedDatasetId(done: readonly SyncRun[], datasets: readonly Dataset[]): string | null {
  const loaded = datasets.filter(({ id }) => done.some(({ datasetId }) => datasetId === id))
  const has = ({ columns }: Dataset, role: ColumnRole): boolean =>
    columns.some((column) => !column.hidden && column.role === role)
  const worth = (dataset: Dataset): number => Number(has(dataset, 'measure')) * 2 + Number(has(dataset, 'time'))
  return loaded.toSorted((a, b) => worth(b) - worth(a) || b.rowCount - a.rowCount)[0]?.id ?? null
}

function BatchSucceeded({ batch, datasets }: { batch: readonly SyncRun[]; datasets: readonly Dataset[] }) {
  const format = useFormat()
  const mayBuild = useMayWrite('create:insight')
  const done = batch.filter(({ state }) => state === 'succeeded' || state === 'unchanged')
  const [largest] = done.toSorted((a, b) => b.rowsWritten - a.rowsWritten)
  if (!largest) return null
  const asked = suggestedDatasetId(done, datasets) ?? largest.datasetId
  const rows = done.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0)
  const files = new Set(done.map(({ fileName }) => fileName)).size
  return (
    <Alert color="green" icon={<IconCircleCheck aria-hidden />} role="status" py="sm">
      <Group justify="space-between" gap="sm">
        <div>
          <Text fw={600}>
            {formatCountOf(format, done.length, 'table')} loaded, {formatRowCount(format, rows)}
          </Text>
          <Text size="sm">{files === 1 ? largest.fileName : formatCountOf(format, files, 'file')}.</Text>
        </div>
        {mayBuild && (
          <LinkButton
            to="/insights/new"
            search={{ dataset: asked }}
            leftSection={<IconChartBar size={18} aria-hidden />}
          >
            Make an insight
          </LinkButton>
        )}
      </Group>
    </Alert>
  )
}
