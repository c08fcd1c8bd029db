import { Alert, Group, Text } from '@mantine/core'
import { IconChartBar, IconCircleCheck } from '@tabler/icons-react'
import { countOf, rowsText } from './amounts'
import { LoadList } from './load-list'
import { LoadOutcome } from './load-outcome'
import { LoadProgress } from './load-progress'
import { batchOf, isActive, isBroken } from './run-words'
import { useFormat } from '../../lib/format'
import { useMayNow } from '../../lib/gate'
import { LinkButton } from '../../ui/links'
import type { ColumnRole } from '../../../src/shared/files'
import type { Dataset, DataSource, SyncRun } from '../../../src/shared/sources'

/** What is being loaded, and how the last loads ended. `quiet`: another file is being added, so outcomes are not news. */
export function SourceLoads({ source, quiet }: { source: DataSource; quiet: boolean }) {
  const { lastRuns, datasets } = source
  const batch = batchOf(lastRuns)
  const [only] = batch
  const loading = lastRuns.some(({ state }) => isActive(state))
  if (quiet && !loading) return null
  if (batch.length === 1 && only) {
    const filled = datasets.some(({ id, dataVersion }) => id === only.datasetId && dataVersion > 0)
    return isActive(only.state) ? <LoadProgress run={only} /> : <LoadOutcome run={only} hasRows={filled} />
  }
  const telling = batch.some((run) => isActive(run.state) || isBroken(run.state) || run.rowsRejected > 0)
  return (
    <>
      {!loading && <BatchDone batch={batch} datasets={datasets} />}
      {telling && <LoadList runs={batch} datasets={datasets} />}
    </>
  )
}

/** The table that an insight is first made of: of those with days and figures the one with most rows. */
function askedFirst(done: readonly SyncRun[], datasets: readonly Dataset[]): string | null {
  const loaded = datasets.filter(({ id }) => done.some(({ datasetId }) => datasetId === id))
  const has = ({ columns }: Dataset, role: ColumnRole): boolean =>
    columns.some((column) => !column.hidden && column.role === role)
  const worth = (dataset: Dataset): number => Number(has(dataset, 'measure')) * 2 + Number(has(dataset, 'time'))
  return loaded.toSorted((a, b) => worth(b) - worth(a) || b.rowCount - a.rowCount)[0]?.id ?? null
}

function BatchDone({ batch, datasets }: { batch: readonly SyncRun[]; datasets: readonly Dataset[] }) {
  const format = useFormat()
  const mayBuild = useMayNow('create:insight')
  const done = batch.filter(({ state }) => state === 'succeeded' || state === 'unchanged')
  const [largest] = done.toSorted((a, b) => b.rowsWritten - a.rowsWritten)
  if (!largest) return null
  const asked = askedFirst(done, datasets) ?? largest.datasetId
  const rows = done.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0)
  const files = new Set(done.map(({ fileName }) => fileName)).size
  return (
    <Alert color="green" icon={<IconCircleCheck aria-hidden />} role="status" py="sm">
      <Group justify="space-between" gap="sm">
        <div>
          <Text fw={600}>
            {countOf(format, done.length, 'table')} loaded, {rowsText(format, rows)}
          </Text>
          <Text size="sm">{files === 1 ? largest.fileName : countOf(format, files, 'file')}.</Text>
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
