import { Badge, Button, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatRowCount, useFormat, type Formatter } from '../../../lib/format'
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

/** The rows as they were after each import, and the way back to them. */
export function VersionsTab({ dataset }: { dataset: Dataset }) {
  const { data, error, refetch } = useQuery({ ...versionsQuery(dataset), enabled: dataset.dataVersion > 0 })
  const restore = useRestoreVersion()
  if (dataset.dataVersion === 0)
    return <EmptyState picture="sources" title="No versions yet" sentence="Each import that changes rows makes one." />
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <TableSkeleton count={3} />
  const current = data.find((version) => version.current)
  return (
    <Stack gap="md">
      {restore.error && <SourceErrorNotice error={restore.error} />}
      <ScrollableTable label="Versions" minWidth={720}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Version</Table.Th>
            <Table.Th>Created</Table.Th>
            <Table.Th>Origin</Table.Th>
            <Table.Th>By</Table.Th>
            <Table.Th className="numeric">Rows</Table.Th>
            <Table.Th>Action</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.map((version) => (
            <VersionRow
              key={version.dataVersion}
              version={version}
              current={current}
              busy={restore.isPending}
              onRestore={() => restore.mutate({ id: dataset.id, dataVersion: version.dataVersion })}
            />
          ))}
        </Table.Tbody>
      </ScrollableTable>
    </Stack>
  )
}

/** Where a version's rows came from: a file, or an earlier version. */
export const describeOrigin = (
  { restoredFrom, fileName, mode }: Pick<DatasetVersion, 'restoredFrom' | 'fileName' | 'mode'>,
  format: Pick<Formatter, 'count'>,
): { title: string; detail: string } =>
  restoredFrom === null
    ? { title: fileName, detail: LOAD_MODE_LABELS[mode] }
    : { title: `Restored from version ${format.count(restoredFrom)}`, detail: fileName }

interface VersionRowProps {
  version: DatasetVersion
  /** The one that is shown now. */
  current: DatasetVersion | undefined
  busy: boolean
  onRestore: () => void
}

function VersionRow({ version, current, busy, onRestore }: VersionRowProps) {
  const format = useFormat()
  const origin = describeOrigin(version, format)
  return (
    <Table.Tr>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        {format.count(version.dataVersion)}{' '}
        {version.current && (
          <Badge color="accent" ml={6}>
            Current
          </Badge>
        )}
      </Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>{format.dateTime(version.createdAt)}</Table.Td>
      <Table.Td>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {origin.title}{' '}
          <Text span size="xs" c="dimmed">
            {origin.detail}
          </Text>
        </Text>
      </Table.Td>
      <Table.Td>{version.startedBy ?? '–'}</Table.Td>
      <Table.Td className="numeric">{format.count(version.rowCount)}</Table.Td>
      <Table.Td>
        <RestoreCell {...{ version, current, busy, onRestore }} />
      </Table.Td>
    </Table.Tr>
  )
}

function RestoreCell({ version, current, busy, onRestore }: VersionRowProps) {
  const format = useFormat()
  const may = useMayWrite('edit:source')
  if (version.current) return null
  if (version.rollback === 'none')
    return (
      <Text size="sm" c="dimmed">
        No longer stored
      </Text>
    )
  if (!may) return null
  const name = `version ${format.count(version.dataVersion)}`
  const rows = formatRowCount(format, version.rowCount)
  const kept = current ? ` Version ${format.count(current.dataVersion)} is kept.` : ''
  const confirmRestore = () =>
    confirmDestructive({
      title: `Restore ${name}?`,
      message: `All insights will use its ${rows} of ${format.dateTime(version.createdAt)}.${kept}`,
      confirm: 'Restore version',
      onConfirm: onRestore,
    })
  return (
    <Button
      size="compact-sm"
      variant="default"
      disabled={busy}
      onClick={confirmRestore}
      aria-label={`Restore ${name}`}
      title={version.rollback === 'reload' ? 'Imports its file again' : undefined}
    >
      Restore
    </Button>
  )
}
