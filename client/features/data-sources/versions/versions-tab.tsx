import { Badge, Button, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatRowCount, useFormat } from '../../../lib/format'
import { SourceErrorNotice } from '../source-error-notice'
import { useRestoreVersion, versionsQuery } from '../queries'
import { LOAD_MODE_LABELS } from '../load-status'
import { ScrollableTable } from '../../../ui/scrollable-table'
import { useMayWrite } from '../../../lib/gate'
import { confirmDestructive } from '../../../ui/forms/confirm-dialog'
import { EmptyState } from '../../../ui/empty-state'
import { ErrorState } from '../../../ui/error-state'
import { TableSkeleton } from '../../../ui/skeletons'
import type { Dataset, DatasetVersion } from '../../../../src/shared/data-sources/data-sources'

const RESTORE_METHOD_LABELS = {
  instant: 'At once',
  reload: 'By loading its file again',
  none: 'No longer kept',
} as const satisfies Record<DatasetVersion['rollback'], string>

/** The rows as they were after each load, and the way back to them. */
export function VersionsTab({ dataset }: { dataset: Dataset }) {
  const { data, error, refetch } = useQuery({ ...versionsQuery(dataset), enabled: dataset.dataVersion > 0 })
  const restore = useRestoreVersion()
  if (dataset.dataVersion === 0)
    return <EmptyState picture="sources" title="No version yet" sentence="Each load that changes rows makes one." />
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <TableSkeleton count={3} />
  return (
    <Stack gap="md">
      {restore.error && <SourceErrorNotice error={restore.error} />}
      <ScrollableTable label="Versions" minWidth={720}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Version</Table.Th>
            <Table.Th>Loaded</Table.Th>
            <Table.Th>From</Table.Th>
            <Table.Th className="numeric">Rows</Table.Th>
            <Table.Th>Going back</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.map((version) => (
            <VersionRow
              key={version.dataVersion}
              version={version}
              busy={restore.isPending}
              onBack={() => restore.mutate({ id: dataset.id, dataVersion: version.dataVersion })}
            />
          ))}
        </Table.Tbody>
      </ScrollableTable>
    </Stack>
  )
}

function VersionRow({ version, busy, onBack }: { version: DatasetVersion; busy: boolean; onBack: () => void }) {
  const format = useFormat()
  const may = useMayWrite('edit:source')
  const confirmRestore = () =>
    confirmDestructive({
      title: `Go back to version ${version.dataVersion}?`,
      message: `Every insight then shows the ${formatRowCount(format, version.rowCount)} of ${format.dateTime(version.createdAt)}. What is shown now stays a version of its own where it is still kept.`,
      confirm: 'Go back',
      onConfirm: onBack,
    })
  return (
    <Table.Tr>
      <Table.Td>
        {format.count(version.dataVersion)}{' '}
        {version.current && (
          <Badge color="accent" ml={6}>
            Shown now
          </Badge>
        )}
      </Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>{format.dateTime(version.createdAt)}</Table.Td>
      <Table.Td>
        <Text size="sm">{version.fileName}</Text>
        <Text size="xs" c="dimmed">
          {LOAD_MODE_LABELS[version.mode]}
        </Text>
      </Table.Td>
      <Table.Td className="numeric">{format.count(version.rowCount)}</Table.Td>
      <Table.Td>
        {version.current ? (
          '–'
        ) : may && version.rollback !== 'none' ? (
          <Button
            size="xs"
            variant="default"
            disabled={busy}
            onClick={confirmRestore}
            aria-label={`Go back to version ${version.dataVersion}`}
          >
            Go back {RESTORE_METHOD_LABELS[version.rollback].toLowerCase()}
          </Button>
        ) : (
          RESTORE_METHOD_LABELS[version.rollback]
        )}
      </Table.Td>
    </Table.Tr>
  )
}
