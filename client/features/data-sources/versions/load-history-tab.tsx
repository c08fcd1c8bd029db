import { Anchor, Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useFormat } from '../../../lib/format'
import { formatDuration } from '../../../../src/shared/figures/formatter'
import { rejectedRowsUrl, loadRunsQuery, useRetryRun } from '../queries'
import { isFailedRun, runStatus, describeRunKind, runDurationSeconds } from '../load-status'
import { StatusBadge } from '../status-badge'
import { figureColumn } from '../../../ui/data-table/item-column'
import { ItemTable } from '../../../ui/data-table/item-table'
import { useMayWrite } from '../../../lib/gate'
import { ErrorState } from '../../../ui/error-state'
import { TableSkeleton } from '../../../ui/skeletons'
import type { DataSource, SyncRun } from '../../../../src/shared/data-sources/data-sources'
import { TERMS } from '../../../../src/shared/terms'

/** Every load of this source, newest first. */
export function LoadHistoryTab({ source }: { source: DataSource }) {
  const { data, error, refetch } = useQuery(loadRunsQuery(source))
  const format = useFormat()
  const several = source.datasets.length > 1
  const tableOf = (run: SyncRun): string | null =>
    several ? (source.datasets.find(({ id }) => id === run.datasetId)?.name ?? null) : null
  const fileText = (run: SyncRun): string =>
    [run.fileName, tableOf(run), describeRunKind(run)].filter((part) => part !== null).join(' · ')
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <TableSkeleton count={4} />
  return (
    <ItemTable<SyncRun>
      caption={TERMS.imports}
      items={data.items}
      itemKey={({ id }) => id}
      columns={[
        {
          ...{ label: 'Started', kind: 'date', value: ({ startedAt }) => startedAt },
          text: ({ startedAt }) => format.dateTime(startedAt),
        },
        { label: 'File', filter: true, value: fileText, draw: (run) => <FileCell run={run} table={tableOf(run)} /> },
        {
          ...{ label: 'Status', filter: true, value: (run) => runStatus(run).words },
          draw: (run) => <StatusCell run={run} latest={source.lastRuns.some(({ id }) => id === run.id)} />,
        },
        figureColumn('Imported', (run) => (run.trigger === 'rollback' ? null : run.rowsWritten), format.count),
        {
          ...figureColumn('Rejected', ({ rowsRejected }: SyncRun) => rowsRejected, format.count),
          draw: (run) => <RejectedCell run={run} />,
        },
        figureColumn('Duplicated', (run) => (run.mode === 'append' ? run.rowsDuplicate : null), format.count),
        figureColumn('Duration', runDurationSeconds, formatDuration),
      ]}
    />
  )
}

function FileCell({ run, table }: { run: SyncRun; table: string | null }) {
  return (
    <Text size="sm" className="wrapping">
      {run.fileName}{' '}
      <Text span size="xs" c="dimmed">
        {table !== null && `${table} · `}
        {describeRunKind(run)}
      </Text>
    </Text>
  )
}

function StatusCell({ run, latest }: { run: SyncRun; latest: boolean }) {
  const retry = useRetryRun()
  const mayRetry = useMayWrite('edit:source')
  return (
    <>
      <StatusBadge {...runStatus(run)} />
      {run.error && (
        <Text size="xs" c="dimmed" className="wrapping">
          {run.error.message}
          {run.error.line !== undefined && ` Line ${run.error.line}.`}
        </Text>
      )}
      {latest && mayRetry && isFailedRun(run.state) && (
        <Button size="xs" mt={4} variant="default" loading={retry.isPending} onClick={() => retry.mutate(run.id)}>
          Retry
        </Button>
      )}
    </>
  )
}

/** The rejected rows of an import as a file. */
function RejectedCell({ run }: { run: SyncRun }) {
  const format = useFormat()
  if (run.rowsRejected === 0) return '0'
  return (
    <Anchor
      href={rejectedRowsUrl(run.id)}
      download
      size="sm"
      underline="always"
      aria-label={`Download ${format.count(run.rowsRejected)} rejected rows`}
    >
      {format.count(run.rowsRejected)}
    </Anchor>
  )
}
