import { Badge, Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useFormat } from '../../../lib/format'
import { formatCountOf, formatRowCount, type Formatter } from '../../../../src/shared/figures/formatter'
import { SourceErrorNotice } from '../source-error-notice'
import { useRestoreVersion, versionsQuery } from '../queries'
import { LOAD_MODE_LABELS } from '../load-status'
import { figureColumn, type ItemColumn } from '../../../ui/data-table/item-column'
import { ItemTable } from '../../../ui/data-table/item-table'
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
  const columns = useVersionColumns()
  if (dataset.dataVersion === 0)
    return <EmptyState picture="sources" title="No versions yet" sentence="Each import that changes rows makes one." />
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <TableSkeleton count={3} />
  const current = data.find((version) => version.current)
  return (
    <Stack gap="md">
      {restore.error && <SourceErrorNotice error={restore.error} />}
      <ItemTable
        caption="Versions"
        items={data}
        itemKey={({ dataVersion }) => String(dataVersion)}
        columns={columns}
        action={{
          label: 'Action',
          cell: (version) => (
            <RestoreCell
              version={version}
              current={current}
              busy={restore.isPending}
              onRestore={() => restore.mutate({ id: dataset.id, dataVersion: version.dataVersion })}
            />
          ),
        }}
      />
    </Stack>
  )
}

/** Where a version's rows came from: a file, or an earlier version. */
export const describeOrigin = (
  version: Pick<DatasetVersion, 'restoredFrom' | 'fileName' | 'mode' | 'cleaning'>,
  format: Formatter,
): { title: string; detail: string } => {
  const { restoredFrom, fileName, mode, cleaning } = version
  const steps = cleaning.length === 0 ? '' : ` · ${formatCountOf(format, cleaning.length, 'cleaning step')}`
  return restoredFrom === null
    ? { title: fileName, detail: `${LOAD_MODE_LABELS[mode]}${steps}` }
    : { title: `Restored from version ${format.count(restoredFrom)}`, detail: `${fileName}${steps}` }
}

function useVersionColumns(): ItemColumn<DatasetVersion>[] {
  const format = useFormat()
  const originText = (version: DatasetVersion): string => {
    const { title, detail } = describeOrigin(version, format)
    return `${title} ${detail}`
  }
  return [
    {
      ...{ label: 'Version', value: ({ dataVersion }) => dataVersion },
      text: ({ dataVersion }) => format.count(dataVersion),
      draw: ({ dataVersion, current }) => (
        <>
          {format.count(dataVersion)}
          {current && (
            <Badge color="accent" ml={6}>
              Current
            </Badge>
          )}
        </>
      ),
    },
    {
      ...{ label: 'Created', kind: 'date', value: ({ createdAt }) => createdAt },
      text: ({ createdAt }) => format.dateTime(createdAt),
    },
    { label: 'Origin', filter: true, value: originText, draw: (version) => <Origin version={version} /> },
    { label: 'By', filter: true, value: ({ startedBy }) => startedBy, text: ({ startedBy }) => startedBy ?? '–' },
    figureColumn('Rows', ({ rowCount }) => rowCount, format.count),
  ]
}

function Origin({ version }: { version: DatasetVersion }) {
  const { title, detail } = describeOrigin(version, useFormat())
  return (
    <Text size="sm" className="wrapping">
      {title}{' '}
      <Text span size="xs" c="dimmed">
        {detail}
      </Text>
    </Text>
  )
}

interface RestoreCellProps {
  version: DatasetVersion
  /** The one that is shown now. */
  current: DatasetVersion | undefined
  busy: boolean
  onRestore: () => void
}

function RestoreCell({ version, current, busy, onRestore }: RestoreCellProps) {
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
