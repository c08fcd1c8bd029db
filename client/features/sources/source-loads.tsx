import { Alert, Group, Text } from '@mantine/core'
import { IconChartBar, IconCircleCheck } from '@tabler/icons-react'
import { countOf, rowsText } from './amounts'
import { LoadList } from './load-list'
import { LoadOutcome } from './load-outcome'
import { LoadProgress } from './load-progress'
import { batchOf, isActive, isBroken } from './run-words'
import { useFormat } from '../../lib/format'
import { useMay } from '../../lib/gate'
import { LinkButton } from '../../ui/links'
import type { DataSource, SyncRun } from '../../../src/shared/sources'

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
      {!loading && <BatchDone batch={batch} />}
      {telling && <LoadList runs={batch} datasets={datasets} />}
    </>
  )
}

function BatchDone({ batch }: { batch: readonly SyncRun[] }) {
  const format = useFormat()
  const mayBuild = useMay('create:insight')
  const done = batch.filter(({ state }) => state === 'succeeded' || state === 'unchanged')
  const largest = done.toSorted((a, b) => b.rowsWritten - a.rowsWritten)[0]
  if (!largest) return null
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
            search={{ dataset: largest.datasetId }}
            leftSection={<IconChartBar size={18} aria-hidden />}
          >
            Make an insight
          </LinkButton>
        )}
      </Group>
    </Alert>
  )
}
