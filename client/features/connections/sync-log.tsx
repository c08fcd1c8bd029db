import { Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import classes from './connections.module.css'
import { syncsQuery } from './queries'
import { useFormat } from '../../lib/format'
import { QueryView } from '../../ui/query-view'
import { ScrollableTable } from '../../ui/scrollable-table'
import { SectionCard } from '../../ui/section-card'
import { TableSkeleton } from '../../ui/skeletons'
import type { SourceSync, SyncState } from '../../../src/shared/data-sources/connections'

const STATE_WORDS: Record<SyncState, string> = {
  running: 'In progress',
  succeeded: 'Synced',
  unchanged: 'No changes',
  failed: 'Failed',
  cancelled: 'Cancelled',
}
const TRIGGER_WORDS: Record<SourceSync['trigger'], string> = {
  schedule: 'Schedule',
  person: 'Manual',
  first: 'First sync',
  push: 'Push',
}
const MIN_WIDTH = 860

const secondsOf = ({ startedAt, finishedAt }: SourceSync): number | null =>
  finishedAt === null ? null : Math.max(0, Math.round((Date.parse(finishedAt) - Date.parse(startedAt)) / 1000))

/** The newest syncs of a source: rows, bytes, rejected rows, time, and why one failed. */
export function SyncLog({ sourceId }: { sourceId: string }) {
  const syncs = useQuery(syncsQuery(sourceId))
  return (
    <SectionCard title="Syncs">
      <QueryView query={syncs} skeleton={<TableSkeleton count={3} />}>
        {({ items }) =>
          items.length === 0 ? (
            <Text c="dimmed">No syncs yet</Text>
          ) : (
            <ScrollableTable label="Sync history" minWidth={MIN_WIDTH} isCards>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Started</Table.Th>
                  <Table.Th>Status</Table.Th>
                  <Table.Th>Trigger</Table.Th>
                  <Table.Th className="numeric">Rows read</Table.Th>
                  <Table.Th className="numeric">Rows written</Table.Th>
                  <Table.Th className="numeric">Rejected</Table.Th>
                  <Table.Th className="numeric">Size</Table.Th>
                  <Table.Th className="numeric">Seconds</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {items.map((sync) => (
                  <SyncLine key={sync.id} sync={sync} />
                ))}
              </Table.Tbody>
            </ScrollableTable>
          )
        }
      </QueryView>
    </SectionCard>
  )
}

function SyncLine({ sync }: { sync: SourceSync }) {
  const format = useFormat()
  const seconds = secondsOf(sync)
  return (
    <Table.Tr>
      <Table.Th scope="row" className={`${classes.line} ${classes.started}`}>
        {format.dateTime(sync.startedAt)}
      </Table.Th>
      <Table.Td data-label="Status">
        <div className={classes.outcome}>
          {STATE_WORDS[sync.state]}
          {sync.error && (
            <Text size="xs" c="dimmed">
              {sync.error.message}
            </Text>
          )}
        </div>
      </Table.Td>
      <Table.Td data-label="Trigger" className={classes.line}>
        {TRIGGER_WORDS[sync.trigger]}
      </Table.Td>
      <Table.Td data-label="Rows read" className="numeric">
        {format.count(sync.rowsRead)}
      </Table.Td>
      <Table.Td data-label="Rows written" className="numeric">
        {format.count(sync.rowsWritten)}
      </Table.Td>
      <Table.Td data-label="Rejected" className="numeric">
        {format.count(sync.rowsRejected)}
      </Table.Td>
      <Table.Td data-label="Size" className={`numeric ${classes.line}`}>
        {format.bytes(sync.bytesRead)}
      </Table.Td>
      <Table.Td data-label="Seconds" className="numeric">
        {seconds === null ? '' : format.count(seconds)}
      </Table.Td>
    </Table.Tr>
  )
}
