import { Anchor, Button, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatDuration, useFormat } from '../../../lib/format'
import { rejectedRowsUrl, loadRunsQuery, useRetryRun } from '../queries'
import { isFailedRun, runStatus, describeRunKind, runDurationSeconds } from '../load-status'
import { StatusBadge } from '../status-badge'
import { ScrollableTable } from '../../../ui/scrollable-table'
import { useMayWrite } from '../../../lib/gate'
import { ErrorState } from '../../../ui/error-state'
import { TableSkeleton } from '../../../ui/skeletons'
import type { DataSource, SyncRun } from '../../../../src/shared/data-sources/data-sources'

/** Every load of this source, newest first. */
export function LoadHistoryTab({ source }: { source: DataSource }) {
  const { data, error, refetch } = useQuery(loadRunsQuery(source))
  const several = source.datasets.length > 1
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <TableSkeleton count={4} />
  return (
    <ScrollableTable label="Imports" minWidth={820}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Started</Table.Th>
          <Table.Th>File</Table.Th>
          <Table.Th>Status</Table.Th>
          <Table.Th className="numeric">Imported</Table.Th>
          <Table.Th className="numeric">Rejected</Table.Th>
          <Table.Th className="numeric">Duplicated</Table.Th>
          <Table.Th className="numeric">Duration</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {data.items.map((run) => (
          <LoadHistoryRow
            key={run.id}
            run={run}
            table={several ? (source.datasets.find(({ id }) => id === run.datasetId)?.name ?? null) : null}
            latest={source.lastRuns.some(({ id }) => id === run.id)}
          />
        ))}
      </Table.Tbody>
    </ScrollableTable>
  )
}

function LoadHistoryRow({ run, table, latest }: { run: SyncRun; table: string | null; latest: boolean }) {
  const format = useFormat()
  const retry = useRetryRun()
  const mayRetry = useMayWrite('edit:source')
  const seconds = runDurationSeconds(run)
  return (
    <Table.Tr>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>{format.dateTime(run.startedAt)}</Table.Td>
      <Table.Td>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {run.fileName}{' '}
          <Text span size="xs" c="dimmed">
            {table !== null && `${table} · `}
            {describeRunKind(run)}
          </Text>
        </Text>
      </Table.Td>
      <Table.Td>
        <StatusBadge {...runStatus(run)} />
        {run.error && (
          <Text size="xs" c="dimmed" maw={320}>
            {run.error.message}
            {run.error.line !== undefined && ` Line ${run.error.line}.`}
          </Text>
        )}
        {latest && mayRetry && isFailedRun(run.state) && (
          <Button size="xs" mt={4} variant="default" loading={retry.isPending} onClick={() => retry.mutate(run.id)}>
            Retry
          </Button>
        )}
      </Table.Td>
      <Table.Td className="numeric">{run.trigger === 'rollback' ? '–' : format.count(run.rowsWritten)}</Table.Td>
      <Table.Td className="numeric">
        {run.rowsRejected === 0 ? (
          '0'
        ) : (
          <Anchor
            href={rejectedRowsUrl(run.id)}
            download
            size="sm"
            underline="always"
            aria-label={`Download ${format.count(run.rowsRejected)} rejected rows`}
          >
            {format.count(run.rowsRejected)}
          </Anchor>
        )}
      </Table.Td>
      <Table.Td className="numeric">{run.mode === 'append' ? format.count(run.rowsDuplicate) : '–'}</Table.Td>
      <Table.Td className="numeric">{seconds === null ? '–' : formatDuration(seconds)}</Table.Td>
    </Table.Tr>
  )
}
